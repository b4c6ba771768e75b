"""Process that paints the time-lapse of one frame.

Requests (see `base/child.py`) and answers:

- first a `JobSpec` of one frame: {"width", "height"} of the pictures
- then {"at": share of the time, 0..1}: {} and the picture, RGBA of 8 bits

The last picture is painted on the job's device. The process ends with {"problem": reason}.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

from framebrush.base import parent
from framebrush.gpu.device import open_device
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import Frame
from framebrush.jobs.reveal import Reveal
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.strokes import DEVICE, stroke_pipeline
from framebrush.jobs.transcode import ignore
from framebrush.media.video import InputError, OutputError


def answer(requests: SimpleQueue[Any]) -> None:
    """Answer requests without end. Raises as `stroke_pipeline`."""
    spec = JobSpec.from_values(requests.get())
    with ThreadPoolExecutor(1) as beside, stroke_pipeline(spec, ignore) as opened:
        last = beside.submit(paint_on_device, spec)
        reveal = Reveal(opened, spec)
        painted = reveal.painted.host
        unfinished = painted.format.allocate()
        parent.report({"width": painted.format.width, "height": painted.format.height})
        while True:
            share = requests.get()["at"]
            frame = (last.result() or painted) if share >= 1 else reveal.paint(share, unfinished)
            parent.report({}, frame.planes[0].data)


def paint_on_device(spec: JobSpec) -> Frame | None:
    """Return a job's frame; None on the CPU or after a failure."""
    try:
        with open_device(spec.device) as device:
            if device.info.kind == DEVICE:
                return None
            with stroke_pipeline(spec, ignore, device=device) as opened:
                return next(iter(opened.paint())).host
    except DeviceError:  # such as too little memory beside the player
        return None


def main() -> None:
    """Run the time-lapse process."""
    requests = SimpleQueue[Any]()
    parent.listen(requests.put, lambda: os._exit(0))
    try:
        answer(requests)
    except (InputError, OutputError, DeviceError, OSError, ValueError) as error:
        parent.report({"problem": str(error)})


if __name__ == "__main__":
    main()
