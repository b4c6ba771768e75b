"""Frames that were painted before, in place of painting them once more.

A window keeps what it has painted ahead, which is what an export in the same style and settings gives its encoder. An
export takes it from there, frame by frame; whatever is not there is painted, with the others as context.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from framebrush.gpu.frame import Frame
from framebrush.gpu.stages.strokes import WARM_UP_FRAMES
from framebrush.jobs.pipeline import KnownFrame, Pipeline
from framebrush.media.video import VideoFrame


class Stock(Protocol):
    """Painted frames of one film in one look."""

    def find(self, frame: VideoFrame) -> Frame | None:
        """What became of a frame, sample by sample in the target's bits and chroma, in any layout; None where it is not
        here, or damaged."""

    def numbers(self) -> frozenset[int]:
        """The numbers of the frames that seem to be here."""


class StockChangedError(Exception):
    """A frame that seemed to be in the stock is not, when those before it, whose strokes it needs, have been left."""


class Unsure:
    """A stock of which nothing is relied on before it is there."""

    def __init__(self, stock: Stock) -> None:
        self.find = stock.find

    def numbers(self) -> frozenset[int]:
        return frozenset()


def with_stock(
    pipeline: Pipeline, stock: Stock, first: int, end: int | None, frames: Iterable[VideoFrame]
) -> Iterator[VideoFrame]:
    """Frames for `Pipeline.paint`, of which those that the stock has need not be painted, nor those before them that
    serve none that it lacks: strokes of a painted frame depend on WARM_UP_FRAMES before it. Where the device is lost,
    the one that takes its place paints all that is left.

    first, end: the number of the first frame that is no context, or of one before it, and the one behind the last; None
    where that is not known. Raises StockChangedError.
    """
    device, seems_there = pipeline.device, stock.numbers()
    begun, last_cold = False, -WARM_UP_FRAMES - 1

    def is_cold(number: int) -> bool:
        behind = number + 1 + WARM_UP_FRAMES
        return seems_there.issuperset(range(max(number + 1, first), behind if end is None else min(behind, end)))

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
        elif here and pipeline.carries and number - last_cold <= WARM_UP_FRAMES:
            raise StockChangedError
        else:
            yield frame
