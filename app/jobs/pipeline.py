"""Pipeline from decoded to painted frames of one format, style, device and look."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from enum import Enum, auto
from fractions import Fraction
from itertools import groupby
from typing import Any

import numpy as np

from framebrush.base.closing import Closing
from framebrush.gpu.device import Device
from framebrush.gpu.errors import DeviceError, DeviceLostError, NonFiniteError
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat, PlaneOrder
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.steady import NO_WINDOW, TemporalWindow
from framebrush.gpu.stages.strokes.samples import looks_at
from framebrush.gpu.stylizer import Counters, EngineName, Stylizer, Ticket
from framebrush.gpu.tiles import Tiling
from framebrush.jobs.above_peak import AbovePeak
from framebrush.jobs.keyframes import TimeOf
from framebrush.jobs.look_masks import LookMasks, on_host
from framebrush.media.alpha import AlphaCarrier
from framebrush.media.video import Orientation, VideoFrame
from framebrush.models.brushes import BrushKind
from framebrush.models.masks import Masks
from framebrush.models.style import Precision, Style
from framebrush.styles.maps import BrushMaps, maps_as_they_lie
from framebrush.styles.shots import ShotStyles
from framebrush.subject.composition import composed

PREFETCH_DEPTH = 4
"""Frames that a stage may run ahead of the next."""

UPRIGHT = Orientation()

ReplaceDevice = Callable[[DeviceLostError], Device]
"""Returns the device to continue with, or raises."""

Allocate = Callable[[], Frame | DeviceFrame]

LookOf = Callable[[VideoFrame], Look]
"""Returns the look of a frame."""

SizesOf = Callable[[VideoFrame], Sizes]
"""Returns a frame's sizes, with the pipeline's target."""

InFlight = deque[tuple[VideoFrame, Ticket | None, Frame | DeviceFrame | None]]
"""Submitted frames in order, each with its ticket (None if not painted) and output memory (None if not wanted)."""


class Role(Enum):
    """Treatment of a frame.

    Painted as output or as neighbour, sampled by strokes, followed, or skipped.
    """

    PAINTED = auto()
    NEIGHBOUR = auto()
    FOLLOWED = auto()
    LEFT = auto()


def roles(frames: Iterable[VideoFrame], window: TemporalWindow, *, carries: bool) -> Iterator[tuple[VideoFrame, Role]]:
    """Yield each frame with its role, holding back at most `window.before`.

    Args:
        carries: strokes are advected through preceding frames and sample some of them.
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
    """Frame with a known result, or context.

    Attributes:
        is_cold: none of the next WARM_UP_FRAMES is painted.
    """

    painted: Frame
    is_cold: bool = False


@dataclass(frozen=True, slots=True)
class OutputFrame:
    """A painted frame with its source's number and time."""

    number: int
    pts: int
    duration: int
    frame: Frame | DeviceFrame

    @property
    def host(self) -> Frame:
        """Return the frame in host memory."""
        if isinstance(self.frame, Frame):
            return self.frame
        into = self.frame.format.allocate()
        self.frame.download(into)
        return into


def shows_source(style: Style, look: Look) -> bool:
    """Return whether the output is the unchanged source."""
    unpainted = not style.card.paints and not (look.changes_source or style.after)
    return (unpainted or look.hides_painting) and not style.before and not look.grades


class Pipeline(Closing):
    """A stylizer fed in order, by `paint` for files or by the window."""

    def __init__(
        self,
        device: Device,
        style: Style,
        source: FrameFormat,
        target: FrameFormat,
        *,
        working: Size | None = None,
        stroke_px: float | None = None,
        kind: BrushKind | None = None,
        look: Look | None = None,
        look_of: LookOf | None = None,
        sizes_of: SizesOf | None = None,
        maps: BrushMaps | None = None,
        time_of: TimeOf | None = None,
        moving: bool = False,
        tiling: Tiling = "auto",
        precision: Precision = "auto",
        window: TemporalWindow = NO_WINDOW,
        carries: bool = False,
        engine: EngineName = "auto",
        shots: ShotStyles | None = None,
        replace_device: ReplaceDevice | None = None,
        orientation: Orientation = UPRIGHT,
    ) -> None:
        """Create a stylizer.

        Args:
            device: not closed here.
            shots: styles that `paint` uses in turn.
            look_of: each frame's look in `paint`. Memory is planned with `look`.
            moving: weights of paintings change over time.
            sizes_of: each frame's sizes in `paint`. Frames of other sizes are no neighbours.
            maps: closed with the pipeline.
            orientation: masks are upright.
            replace_device: returns a device when this one is lost; the pipeline closes it.
        """
        self.device, self.target, self._shots, self._look_of = device, target, shots, look_of
        self.style = style if shots is None else shots.style(0)
        self._made = target  # the device's output, which has no grey format: its chroma is dropped
        if target.layout is PlaneOrder.GREY:
            self._made = replace(target, layout=PlaneOrder.PLANAR, subsample=(1, 1))
        self._source, self._working, self._stroke_px = source, working, stroke_px
        self._sizes_of, self._kind, self._maps, self._time_of = sizes_of, kind, maps or BrushMaps(), time_of
        self._tiling: Tiling = tiling
        self._precision: Precision = precision
        self._engine: EngineName = engine
        self.window, self.carries, self.moving = window, carries, moving
        self._past: deque[VideoFrame] = deque(maxlen=window.before)  # finished neighbours of submitted frames
        self._ended = False  # no frame follows the submitted ones
        self._alpha = AlphaCarrier()
        self._above_peak = AbovePeak(source)
        self._orientation = orientation
        self._replace = replace_device
        self._replacement: Device | None = None
        self._painted_since_loss = 0
        try:
            self.stylizer = self._stylizer_on(device, look)
            self.masks = LookMasks(self.stylizer.look, orientation)
            self.masks.sees(self._maps)
        except BaseException:
            self._maps.close()
            raise

    def _stylizer_on(self, device: Device, look: Look | None) -> Stylizer[Any]:
        return device.stylizer(
            self.style,
            self._source,
            self._made,
            working=self._working,
            stroke_px=self._stroke_px,
            kind=self._kind,
            look=look,
            tiling=self._tiling,
            precision=self._precision,
            window=self.window,
            carries=self.carries,
            engine=self._engine if device is self.device or self._engine in device.engines else "auto",
            moving=self.moving,
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Messages about how this device runs this style."""
        return (*self.stylizer.notes, *((self.masks.problem,) if self.masks.problem else ()))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Messages about the frames painted so far."""
        return self._above_peak.warnings

    @property
    def method(self) -> str | None:
        """See `Stylizer.method`."""
        return self.stylizer.method

    @property
    def counters(self) -> Counters:
        """Device counters so far."""
        return self.stylizer.counters

    @property
    def stage_ms(self) -> Mapping[str, float]:
        """Mean milliseconds per frame of each device stage."""
        return self.stylizer.stage_ms

    def frames(self, frames: Iterable[VideoFrame], allocate: Allocate | None = None) -> Generator[OutputFrame]:
        """Yield every frame once, in order; up to `Stylizer.slots` are in flight.

        Context frames are omitted unless their result is known.

        Args:
            allocate: returns memory for a frame in the target's format, or from `Device.allocate`.

        Raises: DeviceError naming the frame if the network's output is not finite.
        """
        allocate = allocate or self.target.allocate
        is_alike = self._shots is None and self._look_of is None
        if is_alike and shows_source(self.style, self.stylizer.look) and self._source.holds_as(self.target):
            yield from self._pass(frames, allocate)
        elif self._made == self.target:
            yield from self._scenes(frames, allocate)
        else:
            for painted in self._scenes(frames, self._made.allocate):
                grey, whole = allocate(), painted.host
                assert isinstance(grey, Frame)
                np.copyto(grey.planes[0], whole.planes[0])
                yield replace(painted, frame=grey)

    def _scenes(self, frames: Iterable[VideoFrame], allocate: Allocate) -> Iterator[OutputFrame]:
        shots, sizes_of = self._shots, self._sizes_of

        def scene_of(frame: VideoFrame) -> tuple[int, Sizes | None]:
            return shots.cut_before(frame.number) if shots else 0, sizes_of(frame) if sizes_of else None

        for (number, sizes), scene in groupby(frames, scene_of):
            yield from self._paint(scene, allocate, number, sizes)

    def _pass(self, frames: Iterable[VideoFrame], allocate: Allocate) -> Iterator[OutputFrame]:
        """Pass frames through unchanged; conversion to R'G'B' would clip colours."""
        for frame in frames:
            if frame.context and not isinstance(frame, KnownFrame):
                continue
            source = on_host(frame)
            if isinstance(frame.frame, DeviceFrame):
                frame.frame.release()
            yield _copied(frame, source, allocate())

    def _use(self, shot: int, sizes: Sizes | None) -> None:
        """Switch to another shot's style or working size; a new colour table keeps the stylizer."""
        style = self._shots.style(shot) if self._shots else self.style
        former, self.style = self.style, style
        made_for = self.stylizer.sizes
        if sizes is not None:
            self._working, self._stroke_px = sizes.working, sizes.stroke_px
        if sizes is None or (sizes.working, sizes.stroke_px) == (made_for.working, made_for.stroke_px):
            if style is former:
                return
            if replace(style, after=former.after) == former and self.stylizer.use_table(style.after):
                return
        look = self.stylizer.look
        self.stylizer.close()
        self.stylizer = self._stylizer_on(self.device, look)

    def _paint(
        self, frames: Iterable[VideoFrame], allocate: Allocate, shot: int, sizes: Sizes | None
    ) -> Iterator[OutputFrame]:
        """Paint a scene, creating nothing if no frame is needed."""
        in_flight: InFlight = deque()
        self._past.clear()
        self._ended = False
        self.stylizer.flush()  # frames of an abandoned iteration
        is_used = False
        try:
            for frame, role in roles(frames, self.window, carries=self.carries):
                if role is not Role.LEFT and not is_used:
                    self._use(shot, sizes)
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
            for _, ticket, _ in in_flight:
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
            self.masks.follow(frame, self._maps)
            self.stylizer.follow(frame.frame, place=frame.number)
        elif role is not Role.LEFT:
            self._start(frame, in_flight, into)
        else:
            self.masks.follow(frame, self._maps)
            if isinstance(frame.frame, DeviceFrame):
                frame.frame.release()

    def guide(self, frame: VideoFrame, maps: BrushMaps, time_s: Fraction | None, look: Look | None = None) -> None:
        """Set a frame's masks and brush maps, for every painted frame in order: masks are tracked.

        time_s: from the film's first frame. Raises InputError for an unreadable map.
        """
        stylizer = self.stylizer
        given = maps_as_they_lie(maps.at(frame.number, time_s), *self._orientation)
        masks = self.masks_of(frame, maps, time_s)
        resolved = stylizer.settings.resolved(look or stylizer.look)
        layout = stylizer.settings.layout if resolved.draws else None
        stylizer.maps, stylizer.masks = composed(given, masks, resolved, layout), masks

    def masks_of(self, frame: VideoFrame, maps: BrushMaps | None = None, time_s: Fraction | None = None) -> Masks:
        """Return a frame's masks for `submit`. time_s: from the film's first frame."""
        return self.masks.of(frame, maps or self._maps, time_s)

    def masks_behind(self, before: Iterable[VideoFrame], frame: VideoFrame, maps: BrushMaps, time_s: Fraction) -> Masks:
        """Return a frame's masks from the frames before it. Arguments: see `masks_of`."""
        for each in before:
            self.masks.follow(each, maps)
        return self.masks_of(frame, maps, time_s)

    def _start(self, frame: VideoFrame, in_flight: InFlight, into: Frame | DeviceFrame | None) -> None:
        host = into if isinstance(into, Frame) else None
        if self._shots is not None:
            table = self._shots.table(frame.number)
            if table is not self.style.after:  # its memory is there: palette tables have one size
                self.style, changes = replace(self.style, after=table), self.stylizer.use_table(table)
                assert changes
        in_flight.append((frame, self.submit(frame, host), into))

    def submit(self, frame: VideoFrame, into: Frame | None = None) -> Ticket:
        """Submit a frame with look, maps and masks. Raises InputError for an unreadable map."""
        look = None if self._look_of is None else self._look_of(frame)
        time_s = self._time_of(frame) if self._time_of else None
        self.guide(frame, self._maps, time_s, look)
        settings = self.stylizer.settings
        if settings.keeps_hdr and not settings.resolved(look or self.stylizer.look).hides_painting:
            self._above_peak.see(frame.frame)
        return self.stylizer.submit(frame.frame, into, place=frame.number, look=look)

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
        """Resubmit frames in flight and neighbours on another device, from host planes."""
        again = in_flight.copy()
        in_flight.clear()
        if any(isinstance(frame.frame, DeviceFrame) for frame, _, _ in again):
            raise lost  # planes and decoder were lost with the device
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
            self.stylizer.release(self.submit(frame))
        for frame, ticket, into in again:
            if ticket is None:
                in_flight.append((frame, None, None))
            else:
                self._start(frame, in_flight, into)
        if self._ended:
            self.stylizer.flush()

    def close(self) -> None:
        """Free the stylizer and a replacement device. Idempotent."""
        with ExitStack() as stack:
            stack.callback(self._maps.close)
            if self._replacement is not None:
                stack.callback(self._replacement.close)
            self.stylizer.close()


def _copied(source: VideoFrame, picture: Frame, into: Frame | DeviceFrame) -> OutputFrame:
    if isinstance(into, DeviceFrame):  # an encoder's on the device, which also takes host frames
        into.release()
        into = into.format.allocate()
    picture.repack_to(into)
    return OutputFrame(source.number, source.pts, source.duration, into)
