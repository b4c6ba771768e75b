"""Pipeline from decoded to painted frames."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import groupby
from typing import Any

import numpy as np

from framebrush.base.closing import Closing
from framebrush.gpu.device import Device
from framebrush.gpu.errors import DeviceError, DeviceLostError, NonFiniteError
from framebrush.gpu.frame import DeviceFrame, Frame
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages.strokes.stroke_samples import looks_at
from framebrush.gpu.stylizer import Stylizer, Ticket
from framebrush.gpu.temporal_window import TemporalWindow
from framebrush.jobs.frame_pipeline import FramePipeline, planes_of
from framebrush.media.alpha import AlphaCarrier
from framebrush.media.video import VideoFrame, on_host
from framebrush.models.style import Style
from framebrush.styles.shot_styles import ShotStyles

PREFETCH_DEPTH = 4
"""Frames that a stage may run ahead of the next."""

ReplaceDevice = Callable[[DeviceLostError], Device]
"""Returns the device to continue with, or raises."""

Allocate = Callable[[], Frame | DeviceFrame]

SizesOf = Callable[[VideoFrame], Sizes]
"""Returns a frame's sizes, with the pipeline's target."""

InFlight = deque[tuple[VideoFrame, Ticket | None, Frame | DeviceFrame | None]]
"""Submitted frames in order, each with its ticket (None if not painted) and output memory (None if not wanted)."""


class Role(Enum):
    """Treatment of a frame: painted, neighbour, followed, skipped."""

    PAINTED = auto()
    NEIGHBOUR = auto()
    FOLLOWED = auto()
    LEFT = auto()


def roles(frames: Iterable[VideoFrame], window: TemporalWindow, *, carries: bool) -> Iterator[tuple[VideoFrame, Role]]:
    """Yield frames with roles, holding back at most `window.before`.

    carries: strokes need earlier frames.
    """
    held: deque[VideoFrame] = deque()  # may be neighbours of a later frame
    behind = 0  # frames that are still neighbours of a painted one
    for frame in frames:
        if not frame.context:
            yield from ((each, Role.NEIGHBOUR) for each in held)
            held.clear()
            yield frame, Role.PAINTED
            behind = window.after
        elif behind:
            yield frame, Role.NEIGHBOUR
            behind -= 1
        else:
            held.append(frame)
            if len(held) > window.before:
                earlier = held.popleft()
                if not carries or (isinstance(earlier, KnownFrame) and earlier.is_cold):
                    yield earlier, Role.LEFT
                else:
                    yield earlier, Role.NEIGHBOUR if looks_at(earlier.number) else Role.FOLLOWED
    yield from ((each, Role.LEFT) for each in held)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFrame(VideoFrame):
    """Frame with a known result. is_cold: WARM_UP_FRAMES after it are unpainted."""

    painted: Frame
    is_cold: bool = False


@dataclass(frozen=True, slots=True)
class OutputFrame:
    """Painted frame with its source's time."""

    number: int
    pts: int
    duration: int
    frame: Frame | DeviceFrame

    @property
    def host(self) -> Frame:
        return on_host(self.frame)


def shows_source(style: Style, look: Look) -> bool:
    """Return whether the output equals the source."""
    unpainted = not style.card.paints and not (look.changes_source or style.after)
    return (unpainted or look.hides_painting) and not style.before and not look.grades


class Pipeline(Closing):
    """Painter of frames in order, several in flight; survives device losses."""

    def __init__(
        self,
        frame_pipeline: FramePipeline,
        *,
        sizes_of: SizesOf | None = None,
        shots: ShotStyles | None = None,
        replace_device: ReplaceDevice | None = None,
    ) -> None:
        """Take over a frame pipeline.

        sizes_of: frames of other sizes are no neighbours. replace_device: returns a device, closed here.
        """
        self.frame_pipeline = frame_pipeline
        self._sizes_of, self._shots = sizes_of, shots
        before = frame_pipeline.plan.window.before
        self._past: deque[VideoFrame] = deque(maxlen=before)  # finished neighbours of submitted frames
        self._ended = False  # no frame follows the submitted ones
        self._alpha = AlphaCarrier()
        self._replace = replace_device
        self._replacement: Device | None = None
        self._painted_since_loss = 0

    @property
    def device(self) -> Device:
        return self.frame_pipeline.device

    @property
    def stylizer(self) -> Stylizer[Any]:
        return self.frame_pipeline.stylizer

    def frames(self, frames: Iterable[VideoFrame], allocate: Allocate | None = None) -> Generator[OutputFrame]:
        """Yield painted frames in order, context only if known. Raises DeviceError.

        allocate: returns memory in the target's format.
        """
        plan = self.frame_pipeline.plan
        allocate = allocate or plan.target.allocate
        is_alike = self._shots is None and self.frame_pipeline.look_of is None
        if is_alike and shows_source(plan.style, self.stylizer.look) and plan.source.holds_as(plan.target):
            yield from _passed(frames, allocate)
        elif (made := planes_of(plan.target)) == plan.target:
            yield from self._scenes(frames, allocate)
        else:
            for painted in self._scenes(frames, made.allocate):
                grey, whole = allocate(), painted.host
                assert isinstance(grey, Frame)
                (into,), (luma, *_) = grey.planes, whole.components
                np.copyto(into, luma)
                yield replace(painted, frame=grey)

    def _scenes(self, frames: Iterable[VideoFrame], allocate: Allocate) -> Iterator[OutputFrame]:
        shots, sizes_of = self._shots, self._sizes_of

        def scene_of(frame: VideoFrame) -> tuple[int, Sizes | None]:
            return shots.cut_before(frame.number) if shots else 0, sizes_of(frame) if sizes_of else None

        for (number, sizes), scene in groupby(frames, scene_of):
            yield from self._paint(scene, allocate, number, sizes)

    def _paint(
        self, frames: Iterable[VideoFrame], allocate: Allocate, shot: int, sizes: Sizes | None
    ) -> Iterator[OutputFrame]:
        in_flight: InFlight = deque()
        self._past.clear()
        self._ended = False
        self.stylizer.flush()  # frames of an abandoned iteration
        is_used, plan = False, self.frame_pipeline.plan
        try:
            for frame, role in roles(frames, plan.window, carries=plan.carries):
                if role is not Role.LEFT and not is_used:
                    self.frame_pipeline.use(self._shots.style(shot) if self._shots else plan.style, sizes)
                    is_used = True
                if len(in_flight) == self.stylizer.slots:
                    yield from self._finish(in_flight, allocate)
                self._take(frame, role, in_flight, allocate() if role is Role.PAINTED else None)
                while in_flight and in_flight[0][1] is None:
                    yield from self._finish(in_flight, allocate)
            self._ended = True
            try:
                self.stylizer.flush()
            except DeviceLostError as lost:
                self._replace_device(lost, in_flight)
            while in_flight:
                yield from self._finish(in_flight, allocate)
        finally:
            for _, ticket, _ in reversed(in_flight):  # else each that is dropped would start the next
                if ticket is not None:
                    self.stylizer.release(ticket)

    def _take(self, frame: VideoFrame, role: Role, in_flight: InFlight, into: Frame | DeviceFrame | None) -> None:
        try:
            self._begin(frame, role, in_flight, into)
        except DeviceLostError as lost:
            self._replace_device(lost, in_flight)
            self._begin(frame, role, in_flight, into)
        if role in (Role.FOLLOWED, Role.LEFT) and isinstance(frame, KnownFrame):
            in_flight.append((frame, None, None))

    def _begin(self, frame: VideoFrame, role: Role, in_flight: InFlight, into: Frame | DeviceFrame | None) -> None:
        if role is Role.FOLLOWED:
            self.frame_pipeline.follow(frame)
        elif role is not Role.LEFT:
            self._start(frame, in_flight, into)
        else:
            self.frame_pipeline.skip(frame)

    def _start(self, frame: VideoFrame, in_flight: InFlight, into: Frame | DeviceFrame | None) -> None:
        host = into if isinstance(into, Frame) else None
        if self._shots is not None:  # palette tables have one size
            self.frame_pipeline.use_table(self._shots.table(frame.number))
        in_flight.append((frame, self.frame_pipeline.submit(frame, host), into))

    def _finish(self, in_flight: InFlight, allocate: Allocate) -> Iterator[OutputFrame]:
        source, ticket, into = in_flight.popleft()
        if into is not None:
            assert ticket is not None
            yield self._fetch(source, ticket, in_flight, into)
        elif ticket is not None:
            self.stylizer.release(ticket)
        if ticket is not None:
            self._past.append(source)
        if isinstance(source, KnownFrame):
            yield _copied(source, source.painted, allocate())

    def _fetch(self, source: VideoFrame, ticket: Ticket, in_flight: InFlight, into: Frame | DeviceFrame) -> OutputFrame:
        try:
            if isinstance(into, DeviceFrame):
                self.stylizer.store(ticket, into)
            else:
                self.stylizer.fetch(ticket, into)
        except DeviceLostError as lost:
            if isinstance(into, DeviceFrame):
                raise  # the encoder's memory was lost with the device
            in_flight.appendleft((source, ticket, into))
            self._replace_device(lost, in_flight)
            again = in_flight.popleft()[1]
            assert again is not None
            return self._fetch(source, again, in_flight, into)
        except NonFiniteError as error:
            raise DeviceError(f"frame {source.number}: {error}") from error
        self._alpha.carry(source.frame, into)
        self._painted_since_loss += 1
        return OutputFrame(source.number, source.pts, source.duration, into)

    def _replace_device(self, lost: DeviceLostError, in_flight: InFlight) -> None:
        again = in_flight.copy()
        in_flight.clear()
        if any(isinstance(frame.frame, DeviceFrame) for frame, _, _ in again):
            raise lost  # planes and decoder were lost with the device
        self.stylizer.close()
        if self._replace is None or (self._replacement is not None and not self._painted_since_loss):
            raise lost
        self._painted_since_loss = 0
        if self._replacement is not None:
            self._replacement.close()
        self._replacement = self._replace(lost)
        self.frame_pipeline.move_to(self._replacement)
        for frame in self._past:
            self.stylizer.release(self.frame_pipeline.submit(frame))
        for frame, ticket, into in again:
            if ticket is None:
                in_flight.append((frame, None, None))
            else:
                self._start(frame, in_flight, into)
        if self._ended:
            self.stylizer.flush()

    def close(self) -> None:
        """Free everything."""
        with ExitStack() as stack:
            if self._replacement is not None:
                stack.callback(self._replacement.close)
            self.frame_pipeline.close()


def _passed(frames: Iterable[VideoFrame], allocate: Allocate) -> Iterator[OutputFrame]:
    """Copy frames; conversion to R'G'B' would clip colours."""
    for frame in frames:
        if frame.context and not isinstance(frame, KnownFrame):
            continue
        source = on_host(frame.frame)
        if isinstance(frame.frame, DeviceFrame):
            frame.frame.release()
        yield _copied(frame, source, allocate())


def _copied(source: VideoFrame, picture: Frame, into: Frame | DeviceFrame) -> OutputFrame:
    copy = in_host_memory(into)
    picture.repack_to(copy)
    return OutputFrame(source.number, source.pts, source.duration, copy)


def in_host_memory(into: Frame | DeviceFrame) -> Frame:
    """Replace an encoder's device frame."""
    if isinstance(into, Frame):
        return into
    into.release()  # its encoder takes frames of the host as well
    return into.format.allocate()
