"""Frames that were painted before, in place of painting them once more.

A window keeps what it has painted ahead, which is what an export in the same style and settings gives its encoder. An
export takes it from there, frame by frame; whatever is not there is painted, with its neighbours as context.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Protocol

from framebrush.gpu.frame import DeviceFrame, Frame
from framebrush.gpu.stages.steady import TemporalWindow
from framebrush.media.video import VideoFrame
from framebrush.pipeline import Allocate, OutputFrame, Pipeline


class Stock(Protocol):
    """Painted frames of one film in one look."""

    def find(self, frame: VideoFrame) -> Frame | None:
        """What became of a frame, sample by sample in the target's bits and chroma, in any layout; None where it is not
        here, or damaged."""


@dataclass(slots=True)
class _Planned:
    """A frame of the source. found: what became of it, if that is here. needed: whether it has to be painted, for
    itself or as a neighbour of one that has to."""

    frame: VideoFrame
    found: Frame | None
    needed: bool = False


def with_stock(
    pipeline: Pipeline, stock: Stock, context: TemporalWindow, frames: Iterable[VideoFrame], allocate: Allocate
) -> Iterator[OutputFrame]:
    """As `Pipeline.paint`, but for frames that the stock has, which are not painted unless one that it lacks needs them
    as context. context: how many neighbours a frame needs to come out as in the whole film; the frames are in host
    memory. Where the device is lost, the one that takes its place paints all that is left."""
    for needed, run in groupby(_planned(pipeline, frames, stock, context), lambda planned: planned.needed):
        if needed:
            yield from _painted(pipeline, run, allocate)
        else:
            yield from (_taken(planned, planned.found, allocate) for planned in run if planned.found is not None)


def _planned(
    pipeline: Pipeline, frames: Iterable[VideoFrame], stock: Stock, context: TemporalWindow
) -> Iterator[_Planned]:
    """The frames, each with what is to become of it: as late as it is known whether one behind it needs it."""
    waiting: deque[_Planned] = deque()
    device, behind = pipeline.device, 0  # so many frames are still neighbours of one that is painted
    for frame in frames:
        asks = not frame.context and pipeline.device is device
        planned = _Planned(frame, stock.find(frame) if asks else None, needed=behind > 0)
        behind -= 1
        waiting.append(planned)
        if planned.found is None and not frame.context:
            for each in waiting:
                each.needed = True
            behind = context.after
        if len(waiting) > context.before:
            yield waiting.popleft()
    yield from waiting


def _painted(pipeline: Pipeline, run: Iterable[_Planned], allocate: Allocate) -> Iterator[OutputFrame]:
    """A run of which at least one frame is painted, in order."""
    order: deque[_Planned] = deque()

    def feed() -> Iterator[VideoFrame]:
        for planned in run:
            if planned.found is not None or not planned.frame.context:
                order.append(planned)
            yield replace(planned.frame, context=planned.frame.context or planned.found is not None)

    for painted in pipeline.paint(feed(), allocate):
        while (planned := order.popleft()).found is not None:
            yield _taken(planned, planned.found, allocate)
        yield painted
    yield from (_taken(planned, planned.found, allocate) for planned in order if planned.found is not None)


def _taken(planned: _Planned, found: Frame, allocate: Allocate) -> OutputFrame:
    into = allocate()
    if isinstance(into, DeviceFrame):  # of an encoder on the device, which takes frames in host memory as well
        into.release()
        into = into.format.allocate()
    found.repack_to(into)
    return OutputFrame(planned.frame.number, planned.frame.pts, planned.frame.duration, into)
