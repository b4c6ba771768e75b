"""The shots of a job and their statistics: read once through the video before the work, and kept in its plan."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from framebrush.gpu.device import open_device
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat, rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Sizes
from framebrush.jobs.prepare import PreparedJob, open_job_source
from framebrush.media.cuts import is_blank, with_cuts
from framebrush.media.video import InputError
from framebrush.models.shot_statistics import check, measure
from framebrush.models.text import count_of
from framebrush.shot_styles import Shot
from framebrush.styles import plain_style
from framebrush.transcode import OnMessage

SAMPLES = 6
"""Frames of a shot that its statistics are taken over, as evenly spread as can be had without knowing its end."""

SAMPLED_PX = 1 << 20
"""In all; of larger frames parts are taken, each at another place. It bounds the memory: a network of 32 channels needs
half a gigabyte."""

Picture = npt.NDArray[np.uint8]


def find_shots(job: PreparedJob, on_message: OnMessage) -> tuple[Shot, ...]:
    """The shots of a job whose spec asks for them, with the statistics of each; none for other jobs.

    The same file, range, sizes and style give the same shots on the same machine; their plan is what pieces made
    apart agree by. Reads the whole range. Raises InputError, and StyleError for a style that takes no such statistics.
    """
    if job.spec.statistics == "frame":
        return ()
    style = job.style.style
    check(style)
    on_message(f"looking for cuts in {job.spec.source}, and taking the statistics of each shot")
    spec = replace(job.spec, look=replace(job.spec.look, steady=0.0))  # which would bring neighbours of the range
    shots: list[Shot] = []
    with ExitStack() as stack:
        source = stack.enter_context(open_job_source(spec))
        to_rgb = _ToWorking(stack, source.info.format, job.sizes, job.spec.look)
        first, samples = 0, _Samples()

        def finish() -> None:
            if samples.count:
                shots.append(Shot.of(first, measure(style, samples.batch(style.card.stride))))

        for begins, frame, thumbnail in with_cuts(source):
            if begins:
                finish()
                first, samples = frame.number, _Samples()
            samples.offer(lambda frame=frame: to_rgb(frame.frame), blank=is_blank(thumbnail))  # type: ignore[misc]
        finish()
    if not shots:
        raise InputError(f"{job.spec.source}: no frame in the range asked for can be decoded")
    on_message(f"{count_of(len(shots), 'shot')} found")
    return tuple(shots)


class _ToWorking:
    """Frames as R'G'B' of the working size, converted on the CPU whatever paints them: so the statistics do not depend
    on that."""

    def __init__(self, stack: ExitStack, source: FrameFormat, sizes: Sizes, look: Look) -> None:
        device = stack.enter_context(open_device("cpu"))
        plain = Look(tone_map=look.tone_map, dither=False)
        self._stylizer = stack.enter_context(
            device.stylizer(plain_style(), source, rgba8(*sizes.working), working=sizes.working, look=plain, slots=1)
        )

    def __call__(self, frame: Frame | DeviceFrame) -> Picture:
        """(H, W, 3) uint8."""
        painted = self._stylizer.fetch(self._stylizer.submit(frame))
        return painted.planes[0][..., :3].astype(np.uint8)


@dataclass(slots=True)
class _Samples:
    """Frames of one shot: of all so far every 2^n-th, between SAMPLES and twice as many. Blank ones count only as long
    as there is nothing else."""

    count: int = 0
    _step: int = 1
    _seen: int = 0
    _blank: bool = True
    _kept: list[Picture] = field(default_factory=list)

    def offer(self, picture: Callable[[], Picture], *, blank: bool) -> None:
        """The next frame of the shot. picture: called where it is taken."""
        if blank and not self._blank:
            return
        if self._blank and not blank:
            self.count, self._step, self._seen, self._blank, self._kept = 0, 1, 0, False, []
        if self._seen % self._step == 0:
            self._kept.append(picture())
            self.count += 1
            if len(self._kept) == 2 * SAMPLES:
                self._kept, self._step = self._kept[::2], 2 * self._step
        self._seen += 1

    def batch(self, stride: int) -> npt.NDArray[np.float32]:
        """(N, 3, H, W) R'G'B' 0..1, parts of one size, sides multiples of the stride, at places that differ."""
        places = np.linspace(0, len(self._kept) - 1, min(SAMPLES, len(self._kept))).round().astype(int)
        pictures = [_padded(self._kept[place], stride) for place in places]
        height, width = pictures[0].shape[:2]
        share = min(1.0, (SAMPLED_PX / len(pictures) / (height * width)) ** 0.5)
        rows, columns = (max(stride, int(side * share) // stride * stride) for side in (height, width))
        parts = []
        for index, picture in enumerate(pictures):
            # A sequence of low discrepancy: its first places lie apart as well as its last (Roberts 2018, "R2").
            down, across = ((0.5 + index * step) % 1 for step in (0.7548776662466927, 0.5698402909980532))
            top, left = round(down * (height - rows)), round(across * (width - columns))
            parts.append(picture[top : top + rows, left : left + columns])
        return np.stack(parts).transpose(0, 3, 1, 2).astype(np.float32) / np.float32(255)


def _padded(picture: Picture, stride: int) -> Picture:
    """With its last row and column repeated up to multiples of the stride, as devices do it."""
    return np.pad(picture, [(0, -side % stride) for side in picture.shape[:2]] + [(0, 0)], "edge")
