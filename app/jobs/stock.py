"""Frames that were painted before, in place of painting them once more.

A window keeps what it has painted ahead, which is what an export in the same style and settings gives its encoder. An
export takes it from there, frame by frame; whatever is not there is painted, with the others as context.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from framebrush.gpu.frame import Frame
from framebrush.jobs.pipeline import KnownFrame, Pipeline
from framebrush.media.video import VideoFrame


class Stock(Protocol):
    """Painted frames of one film in one look."""

    def find(self, frame: VideoFrame) -> Frame | None:
        """What became of a frame, sample by sample in the target's bits and chroma, in any layout; None where it is not
        here, or damaged."""


def with_stock(pipeline: Pipeline, stock: Stock, frames: Iterable[VideoFrame]) -> Iterator[VideoFrame]:
    """Frames for `Pipeline.paint`, of which those that the stock has need not be painted. Where the device is lost, the
    one that takes its place paints all that is left."""
    device = pipeline.device
    for frame in frames:
        asks = not frame.context and pipeline.device is device
        found = stock.find(frame) if asks else None
        if found is None:
            yield frame
        else:
            yield KnownFrame(frame.number, frame.pts, frame.duration, frame.frame, context=True, painted=found)
