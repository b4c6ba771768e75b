"""Cached painted frames for exports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from framebrush.gpu.frame import Frame
from framebrush.gpu.stages.strokes import WARM_UP_FRAMES
from framebrush.jobs.pipeline import KnownFrame, Pipeline
from framebrush.media.video import VideoFrame


class CachedFrames(Protocol):
    """Painted frames of one film and look."""

    def find(self, frame: VideoFrame) -> Frame | None:
        """Return a painted frame in any layout, if intact."""

    def numbers(self) -> frozenset[int]:
        """Return numbers of frames apparently present."""


class CachedFramesChangedError(Exception):
    """Cached frame that vanished once earlier frames were skipped."""


class UnverifiedFrames:
    """Cache with frames that count only once read."""

    def __init__(self, stock: CachedFrames) -> None:
        self.find = stock.find

    def numbers(self) -> frozenset[int]:
        return frozenset()


def with_cached_frames(
    pipeline: Pipeline, stock: CachedFrames, first: int, end: int | None, frames: Iterable[VideoFrame]
) -> Iterator[VideoFrame]:
    """Yield frames for `Pipeline.frames`, cached ones with their result.

    WARM_UP_FRAMES before a missing one are painted, for its strokes. Raises CachedFramesChangedError.
    """
    device, seems_there, carries = pipeline.device, stock.numbers(), pipeline.frame_pipeline.plan.carries
    begun, last_cold = False, -WARM_UP_FRAMES - 1

    def is_cold(number: int) -> bool:
        behind = number + 1 + WARM_UP_FRAMES
        return seems_there.issuperset(range(max(number, first), behind if end is None else min(behind, end)))

    for frame in frames:
        number = frame.number
        if frame.context:
            if begun or not is_cold(number):
                begun = True
                yield frame
            else:
                last_cold = number
            continue
        begun = True
        here = pipeline.device is device
        found = stock.find(frame) if here else None
        if found is not None:
            cold = is_cold(number)
            last_cold = number if cold else last_cold
            yield KnownFrame(number, frame.pts, frame.duration, frame.frame, context=True, painted=found, is_cold=cold)
        elif here and carries and number - last_cold <= WARM_UP_FRAMES:
            raise CachedFramesChangedError
        else:
            yield frame
