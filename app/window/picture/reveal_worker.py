"""Process that paints the time-lapse of one frame.

Requests (see `base/child.py`) and answers:

- first a `JobSpec` of one frame: {"width", "height"} of the pictures
- then {"at": share of the time, 0 to 1}: {} followed by the picture, RGBA of 8 bits

The process ends with {"problem": reason}.
"""

from __future__ import annotations

import os
from queue import SimpleQueue
from typing import Any

from framebrush.base import parent
from framebrush.gpu.errors import DeviceError
from framebrush.jobs.reveal import Reveal
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.strokes import stroke_pipeline
from framebrush.jobs.transcode import ignore
from framebrush.media.video import InputError, OutputError


def answer(requests: SimpleQueue[Any]) -> None:
    """Answer without end. Raises as `stroke_pipeline`."""
    spec = JobSpec.from_values(requests.get())
    with stroke_pipeline(spec, ignore) as opened:
        reveal = Reveal(opened, spec)
        painted = reveal.painted.host
        unfinished = painted.format.allocate()
        parent.report({"width": painted.format.width, "height": painted.format.height})
        while True:
            share = requests.get()["at"]
            frame = painted if share >= 1 else reveal.paint(share, unfinished)
            parent.report({}, frame.planes[0].data)


def main() -> None:
    """Entry point of the process."""
    requests = SimpleQueue[Any]()
    parent.listen(requests.put, lambda: os._exit(0))
    try:
        answer(requests)
    except (InputError, OutputError, DeviceError, OSError, ValueError) as error:
        parent.report({"problem": str(error)})


if __name__ == "__main__":
    main()
