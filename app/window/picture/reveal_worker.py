"""Process that paints the time-lapse of one frame.

Requests (see `base/child.py`) and answers:

- first a `JobSpec` of one frame: {"width", "height"} of the pictures
- then {"at": share of the time, 0..1}: {} and the picture, RGBA of 8 bits

Pictures are painted on the job's device. The process ends with an `error_report`.
"""

from __future__ import annotations

from contextlib import ExitStack
from queue import SimpleQueue
from typing import Any

from framebrush.base import parent
from framebrush.gpu.device import open_device
from framebrush.gpu.errors import DeviceError, error_report
from framebrush.jobs.film_strokes import DEVICE, stroke_pipeline
from framebrush.jobs.reveal import Reveal
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import ignore
from framebrush.media.video import InputError, OutputError


def answer(requests: SimpleQueue[Any]) -> None:
    """Answer requests without end. Raises as `stroke_pipeline`."""
    spec = JobSpec.from_values(requests.get())
    with ExitStack() as stack:
        reveal = opened_reveal(spec, stack)
        painted = reveal.painted.host
        unfinished = painted.format.allocate()
        parent.report({"width": painted.format.width, "height": painted.format.height})
        while True:
            share = requests.get()["at"]
            frame = painted if share >= 1 else reveal.paint(share, unfinished)
            (rgba,) = frame.planes
            parent.report({}, rgba.data)


def opened_reveal(spec: JobSpec, stack: ExitStack) -> Reveal:
    """Paint a job's frame on its device, or on the CPU if that fails."""
    try:
        with ExitStack() as opening:
            reveal = _reveal_on(spec.device, spec, opening)
            stack.push(opening.pop_all())
        return reveal
    except DeviceError:  # such as too little memory beside the player
        return _reveal_on(DEVICE, spec, stack)


def _reveal_on(name: str, spec: JobSpec, stack: ExitStack) -> Reveal:
    device = stack.enter_context(open_device(name))
    return Reveal(stack.enter_context(stroke_pipeline(spec, ignore, device=device)), spec)


def main() -> None:
    """Run the time-lapse process."""
    requests = SimpleQueue[Any]()
    parent.listen(requests.put)
    try:
        answer(requests)
    except (InputError, OutputError, DeviceError, OSError, ValueError, MemoryError) as error:
        parent.report(error_report(error))


if __name__ == "__main__":
    main()
