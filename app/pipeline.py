"""From decoded frames to painted frames: a video's format, a style, a device and a look."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, groupby
from typing import Any, Self

from framebrush.gpu.device import Device
from framebrush.gpu.errors import DeviceError, DeviceLostError, NonFiniteError
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat, Layout, Matrix, Transfer, nv12
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.steady import NO_WINDOW, TemporalWindow
from framebrush.gpu.stylizer import Counters, Stylizer, Ticket
from framebrush.gpu.tiles import Tiling
from framebrush.media.video import VideoFrame
from framebrush.models.style import Precision, Style
from framebrush.shot_styles import ShotStyles

PREFETCH_DEPTH = 4
"""Frames that a stage may run ahead of the next: enough to hide a slow frame, few enough to keep memory small."""

COMMON_MATRICES = (Matrix.BT601, Matrix.BT709, Matrix.BT2020)
"""Those that every player knows."""

SHAPE_TOLERANCE = 0.01
"""A target whose shape differs by less from the source's has square samples where the source has: sizes are rounded."""


ReplaceDevice = Callable[[DeviceLostError], Device]
"""Given why a device was lost, gives the one to go on with, or raises."""

Allocate = Callable[[], Frame | DeviceFrame]

InFlight = deque[tuple[VideoFrame, Ticket, Frame | DeviceFrame | None]]
"""Frames that were submitted, each with the memory that it is fetched to; None for context."""


@dataclass(frozen=True, slots=True)
class OutputFrame:
    """A painted frame with the number and the time of its source."""

    number: int
    pts: int
    duration: int
    frame: Frame | DeviceFrame

    @property
    def host(self) -> Frame:
        """The frame in host memory; a copy of one that is on a device."""
        if isinstance(self.frame, Frame):
            return self.frame
        into = self.frame.format.allocate()
        self.frame.download(into)
        return into


def video_target(source: FrameFormat, bits: int | None = None, size: Size | None = None) -> FrameFormat:
    """What the encoder gets for a source: 4:2:0, in the source's own matrix where it is SDR video and the matrix is
    common, else in BT.709.

    bits: 8 or 10; None keeps 8 bits for an 8-bit source and takes 10 for more. size: the source's if left out.
    """
    keeps_gamut = source.transfer is Transfer.SDR and source.layout in (Layout.PLANAR, Layout.SEMI_PLANAR)
    matrix = source.matrix if keeps_gamut and source.matrix in COMMON_MATRICES else Matrix.BT709
    width, height = size or (source.width, source.height)
    target = nv12(width, height, bits=bits or (8 if source.bits == 8 else 10), matrix=matrix)
    if source.transfer is not Transfer.SDR:
        return target
    return replace(target, primaries=source.primaries, siting=source.siting)


def target_aspect(sample_aspect: Fraction, sizes: Sizes) -> Fraction:
    """The sample aspect ratio at the target's size that keeps the picture's shape."""
    (source_width, source_height), (width, height) = sizes.source, sizes.target
    change = Fraction(source_width * height, source_height * width)
    return sample_aspect if abs(change - 1) < SHAPE_TOLERANCE else sample_aspect * change


class Pipeline:
    """One stylizer, fed in order. Files go through `paint`; a window gives frames to `stylizer` itself."""

    def __init__(
        self,
        device: Device,
        style: Style,
        source: FrameFormat,
        target: FrameFormat,
        *,
        working: Size | None = None,
        stroke_px: float | None = None,
        look: Look | None = None,
        tiling: Tiling = "auto",
        precision: Precision = "auto",
        window: TemporalWindow = NO_WINDOW,
        shots: ShotStyles | None = None,
        replace_device: ReplaceDevice | None = None,
    ) -> None:
        """device stays the caller's to close. shots: the styles that `paint` takes turn by turn, None for `style`
        alone.
        replace_device: asked for a device when this one is lost while painting; the pipeline closes what it gives.
        working, stroke_px, tiling, precision, window: see `Device.stylizer`."""
        self.device, self.target, self._shots = device, target, shots
        self.style = style if shots is None else shots.style(0)
        self._source, self._working, self._stroke_px = source, working, stroke_px
        self._tiling: Tiling = tiling
        self._precision: Precision = precision
        self.window = window
        self._past: deque[VideoFrame] = deque(maxlen=window.before)  # no longer in flight, neighbours of those that are
        self._ended = False  # no frame follows those in flight
        self._replace = replace_device
        self._replacement: Device | None = None
        self._painted_since_loss = 0
        self.stylizer = self._stylizer_on(device, look)

    def _stylizer_on(self, device: Device, look: Look | None) -> Stylizer[Any]:
        return device.stylizer(
            self.style,
            self._source,
            self.target,
            working=self._working,
            stroke_px=self._stroke_px,
            look=look,
            tiling=self._tiling,
            precision=self._precision,
            window=self.window,
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of how this device runs this style."""
        return self.stylizer.notes

    @property
    def counters(self) -> Counters:
        """What the device has done so far."""
        return self.stylizer.counters

    @property
    def stage_ms(self) -> Mapping[str, float]:
        """Mean milliseconds a frame of each stage on the device."""
        return self.stylizer.stage_ms

    def paint(self, frames: Iterable[VideoFrame], allocate: Allocate | None = None) -> Iterator[OutputFrame]:
        """Every frame once, in order, with its own number and time; `Stylizer.slots` of them in flight. Frames that are
        context are painted, as neighbours of others, and not given. Frames of another shot are no neighbours.

        allocate: gives the memory for a painted frame, in the target's format, such as an encoder's own or that of
        `Device.allocate`; a new frame each time if left out. Raises DeviceError naming the frame where the network's
        output is not finite.
        """
        allocate = allocate or self.target.allocate
        for style, shot in self._by_shot(frames):
            if style is not self.style:
                look = self.stylizer.look
                self.stylizer.close()
                self.style = style
                self.stylizer = self._stylizer_on(self.device, look)
            yield from self._paint(shot, allocate)

    def _by_shot(self, frames: Iterable[VideoFrame]) -> Iterator[tuple[Style, Iterable[VideoFrame]]]:
        """The frames of each shot, with its style; none of a shot of which context alone is there."""
        shots = self._shots
        if shots is None:
            yield self.style, frames
            return
        for number, shot in groupby(frames, lambda frame: shots.shot_of(frame.number)):
            first: list[VideoFrame] = []
            for frame in shot:
                first.append(frame)
                if not frame.context:
                    yield shots.style(number), chain(first, shot)  # noqa: B031 - read once, in turn
                    break

    def _paint(self, frames: Iterable[VideoFrame], allocate: Allocate) -> Iterator[OutputFrame]:
        in_flight: InFlight = deque()
        self._past.clear()
        self._ended = False
        self.stylizer.flush()  # of frames painted before, where their iteration was given up
        try:
            for frame in frames:
                if len(in_flight) == self.stylizer.slots:
                    yield from self._finish(in_flight)
                self._submit(frame, in_flight, None if frame.context else allocate())
            self._ended = True
            try:
                self.stylizer.flush()
            except DeviceLostError as lost:
                self._replace_device(lost, in_flight)
            while in_flight:
                yield from self._finish(in_flight)
        finally:
            for _, ticket, _ in in_flight:
                self.stylizer.release(ticket)

    def _submit(self, frame: VideoFrame, in_flight: InFlight, into: Frame | DeviceFrame | None) -> None:
        try:
            self._start(frame, in_flight, into)
        except DeviceLostError as lost:
            self._replace_device(lost, in_flight)
            self._start(frame, in_flight, into)

    def _start(self, frame: VideoFrame, in_flight: InFlight, into: Frame | DeviceFrame | None) -> None:
        host = into if isinstance(into, Frame) else None
        ticket = self.stylizer.submit(frame.frame, host, place=frame.number)
        in_flight.append((frame, ticket, into))

    def _finish(self, in_flight: InFlight) -> Iterator[OutputFrame]:
        """The oldest frame in flight, unless it is context."""
        source, ticket, into = in_flight.popleft()
        if into is None:
            self.stylizer.release(ticket)
        else:
            yield self._fetch(source, ticket, in_flight, into)
        self._past.append(source)

    def _fetch(self, source: VideoFrame, ticket: Ticket, in_flight: InFlight, into: Frame | DeviceFrame) -> OutputFrame:
        """Fetch a frame that is no longer among those in flight: whatever happens, its slot is given back."""
        try:
            if isinstance(into, DeviceFrame):
                self.stylizer.store(ticket, into)
            else:
                self.stylizer.fetch(ticket, into)
        except DeviceLostError as lost:
            if isinstance(into, DeviceFrame):
                raise  # the encoder's memory went with the device
            in_flight.appendleft((source, ticket, into))
            self._replace_device(lost, in_flight)
            return self._fetch(source, in_flight.popleft()[1], in_flight, into)
        except NonFiniteError as error:
            raise DeviceError(f"frame {source.number}: {error}") from error
        self._painted_since_loss += 1
        return OutputFrame(source.number, source.pts, source.duration, into)

    def _replace_device(self, lost: DeviceLostError, in_flight: InFlight) -> None:
        """Start the frames in flight again on another device, and their neighbours; their planes are still here.

        A device that is lost again before it painted anything is not worth a third: the loss is raised.
        """
        again = [(frame, into) for frame, _, into in in_flight]
        in_flight.clear()
        if any(isinstance(frame.frame, DeviceFrame) for frame, _ in again):
            raise lost  # the planes went with the device, and so did the decoder
        look = self.stylizer.look
        self.stylizer.close()
        if self._replace is None or (self._replacement is not None and not self._painted_since_loss):
            raise lost
        self._painted_since_loss = 0
        if self._replacement is not None:
            self._replacement.close()
        self.device = self._replacement = self._replace(lost)
        self.stylizer = self._stylizer_on(self.device, look)
        for frame in self._past:
            self.stylizer.release(self.stylizer.submit(frame.frame, place=frame.number))
        for frame, into in again:
            self._start(frame, in_flight, into)
        if self._ended:
            self.stylizer.flush()

    def close(self) -> None:
        """Free the stylizer, and a device that took the place of a lost one. Idempotent."""
        with ExitStack() as stack:
            if self._replacement is not None:
                stack.callback(self._replacement.close)
            self.stylizer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
