"""From decoded frames to painted frames: a video's format, a style, a device and a look."""

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
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat, Layout, Matrix, Siting, Transfer, gbrp, nv12
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.steady import NO_WINDOW, TemporalWindow
from framebrush.gpu.stages.strokes.looks import looks_at
from framebrush.gpu.stylizer import Counters, EngineName, Stylizer, Ticket
from framebrush.gpu.tiles import Tiling
from framebrush.jobs.above_peak import AbovePeak
from framebrush.jobs.look_keys import TimeOf
from framebrush.media.alpha import AlphaCarrier
from framebrush.media.encoding.pixels import Hdr, packing_of, to_watch
from framebrush.media.video import Orientation, VideoFrame
from framebrush.models.brushes import BrushKind
from framebrush.models.masks import NO_MASKS, Masks
from framebrush.models.style import Precision, Style
from framebrush.styles.maps import BrushMaps, as_it_lies
from framebrush.styles.shots import ShotStyles
from framebrush.styles.specs import ALPHA, SizeSpec
from framebrush.subject.area import BESIDE_PHOTOGRAPH, NOWHERE, of_alpha, shaped
from framebrush.subject.masks import FilmMasks
from framebrush.subject.networks import Networks, SubjectError

PREFETCH_DEPTH = 4
"""Frames that a stage may run ahead of the next: enough to hide a slow frame, few enough to keep memory small."""

UPRIGHT = Orientation()

COMMON_MATRICES = (Matrix.BT601, Matrix.BT709, Matrix.BT2020)
"""Those that every player knows."""

SHAPE_TOLERANCE = 0.01
"""A target whose shape differs by less from the source's has square samples where the source has: sizes are rounded."""


ReplaceDevice = Callable[[DeviceLostError], Device]
"""Given why a device was lost, gives the one to go on with, or raises."""

Allocate = Callable[[], Frame | DeviceFrame]

LookOf = Callable[[VideoFrame], Look]
"""Gives the look of a frame."""

SizesOf = Callable[[VideoFrame], Sizes]
"""Gives the sizes of a frame, whose target is that of the pipeline."""

InFlight = deque[tuple[VideoFrame, Ticket | None, Frame | DeviceFrame | None]]
"""Frames in their order, each with its ticket, None for one that is not painted, and with the memory that it is fetched
to, None for one that is not wanted."""


class Role(Enum):
    """What becomes of a frame: it is painted, or it is painted because a frame needs it as a neighbour, or because
    strokes look at it, or strokes are carried along its motion, or nothing."""

    PAINTED = auto()
    NEIGHBOUR = auto()
    FOLLOWED = auto()
    LEFT = auto()


def roles(frames: Iterable[VideoFrame], window: TemporalWindow, *, carries: bool) -> Iterator[tuple[VideoFrame, Role]]:
    """Each frame with what becomes of it, in order, and as soon as that is known: at most `window.before` frames are
    held back. carries: whether strokes are carried along the motion of the frames before those that are painted, and
    look at some of them, but for those that are known to be too far before any that is painted."""
    held: deque[VideoFrame] = deque()  # which may be neighbours of a frame after them
    behind = 0  # so many frames are still neighbours of one that was painted
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
    """A frame of which it is known what becomes of it: for others it is context. painted: sample by sample in the
    target's bits and chroma, in any layout. is_cold: whether none of the WARM_UP_FRAMES after it is painted."""

    painted: Frame
    is_cold: bool = False


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


def video_target(
    source: FrameFormat,
    pix_fmt: str | None = None,
    size: Size | None = None,
    hdr: Hdr = "sdr",
    *,
    full_range: bool = False,
    own_matrix: bool = True,
) -> FrameFormat:
    """What the encoder gets for a source: Y'CbCr in the source's own matrix where its colours stay and the matrix is
    common, else in that of BT.709 or, for HDR, of BT.2020; or R'G'B'.

    pix_fmt: of PIXEL_FORMATS; that of a film to watch if left out. size: the source's if left out. hdr: what becomes of
    HDR. full_range: whether that of a source stays; else Y'CbCr is of limited range. own_matrix: whether one
    that is not BT.709 can be said.
    """
    kind = packing_of(pix_fmt or to_watch(source))
    keeps_hdr = hdr == "keep" and source.transfer is not Transfer.SDR
    keeps_gamut = keeps_hdr or source.transfer is Transfer.SDR
    usual = Matrix.BT2020 if keeps_hdr else Matrix.BT709
    own = keeps_gamut and own_matrix and source.matrix in COMMON_MATRICES
    matrix = source.matrix if own else usual
    width, height = size or (source.width, source.height)
    is_video = kind.layout is not Layout.GBR
    if not is_video:
        target = replace(gbrp(width, height, bits=kind.bits, floating=kind.floating), alpha=kind.alpha)
    elif kind.subsample == (1, 1) and kind.bits in (8, 10) and not kind.alpha:
        target = nv12(width, height, bits=kind.bits, matrix=matrix)
    else:
        planar = FrameFormat(width, height, kind.layout, kind.bits, subsample=kind.subsample, matrix=matrix)
        target = replace(planar, alpha=kind.alpha)
    if not keeps_gamut:
        return target
    target = replace(target, primaries=source.primaries, siting=source.siting)
    if own and full_range and is_video:
        target = replace(target, full_range=source.full_range)
    if not keeps_hdr:
        return target
    halved = target.subsample == (1, 1) != source.subsample
    siting = Siting.TOP_LEFT if halved and matrix is Matrix.BT2020 else source.siting
    return replace(target, transfer=source.transfer, peak_nits=source.peak_nits, siting=siting)


def of_still(frames: FrameFormat, *, full_range: bool) -> FrameFormat:
    """What JPEG (JFIF, in full range) and WebP (in limited range) say that their codes are: Y'CbCr of BT.601, with
    chroma in the middle. Floats, which no encoder of these takes, stay what they are."""
    if frames.floating:
        return frames
    planar = replace(frames, layout=Layout.PLANAR, shift=0, matrix=Matrix.BT601, full_range=full_range)
    return replace(planar, siting=Siting.CENTRE)


def target_aspect(sample_aspect: Fraction, sizes: Sizes) -> Fraction:
    """The sample aspect ratio at the target's size that keeps the picture's shape."""
    (source_width, source_height), (width, height) = sizes.source, sizes.target
    change = Fraction(source_width * height, source_height * width)
    return sample_aspect if abs(change - 1) < SHAPE_TOLERANCE else sample_aspect * change


def shows_source(style: Style, look: Look) -> bool:
    """Whether what is shown is the source as it is, at the same size and in the same format."""
    unpainted = not style.card.paints and not (look.brush or look.raises or look.detail or style.after)
    return (unpainted or look.strength == 0.0) and not style.before and not look.grades


class Pipeline(Closing):
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
        """device stays the caller's to close. shots: the styles that `paint` takes turn by turn, None for `style`
        alone.
        look_of: the look of each frame that `paint` takes, None for `look` alone; memory is planned with `look`.
        moving: whether weights of paintings are among what changes then.
        sizes_of: the working size and the stroke of each frame that `paint` takes, None for `working` and `stroke_px`
        alone; frames of other sizes are no neighbours.
        maps: of the brush, which are closed with the pipeline. time_of: by which frames have theirs, None where they
        have no times.
        orientation: how frames are turned when shown; faces are found, and masks are given, upright.
        replace_device: asked for a device when this one is lost while painting; the pipeline closes what it gives.
        working, stroke_px, kind, tiling, precision, window, carries, engine: see `Device.stylizer`."""
        self.device, self.target, self._shots, self._look_of = device, target, shots, look_of
        self.style = style if shots is None else shots.style(0)
        self._made = target  # by the device, which knows no grey: its chroma is left out
        if target.layout is Layout.GREY:
            self._made = replace(target, layout=Layout.PLANAR, subsample=(1, 1))
        self._source, self._working, self._stroke_px = source, working, stroke_px
        self._sizes_of, self._kind, self._maps, self._time_of = sizes_of, kind, maps or BrushMaps(), time_of
        self._tiling: Tiling = tiling
        self._precision: Precision = precision
        self._engine: EngineName = engine
        self.window, self.carries, self.moving = window, carries, moving
        self._past: deque[VideoFrame] = deque(maxlen=window.before)  # no longer in flight, neighbours of those that are
        self._ended = False  # no frame follows those in flight
        self._alpha = AlphaCarrier()
        self._above_peak = AbovePeak(source)
        self._orientation = orientation
        self._film_masks: FilmMasks | None = None
        self._blind = ""  # why faces cannot be found
        self._replace = replace_device
        self._replacement: Device | None = None
        self._painted_since_loss = 0
        try:
            self.stylizer = self._stylizer_on(device, look)
            self.mask_look = self.stylizer.look
            """The look that says which masks frames have, at most: with the largest values of its keyframes."""
            self._sees(self._maps.asked)
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
        """What the user should know about how this device runs this style."""
        return (*self.stylizer.notes, *((self._blind,) if self._blind else ()))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know about the frames painted so far."""
        return self._above_peak.warnings

    @property
    def method(self) -> str | None:
        """See `Stylizer.method`."""
        return self.stylizer.method

    @property
    def counters(self) -> Counters:
        """What the device has done so far."""
        return self.stylizer.counters

    @property
    def stage_ms(self) -> Mapping[str, float]:
        """Mean milliseconds a frame of each stage on the device."""
        return self.stylizer.stage_ms

    def paint(self, frames: Iterable[VideoFrame], allocate: Allocate | None = None) -> Generator[OutputFrame]:
        """Every frame once, in order, with its own number and time; `Stylizer.slots` of them in flight. Of frames that
        are context, those are painted that are neighbours of other frames; those before them are followed where strokes
        are carried. None of them is yielded, but for what is known to become of them. Frames of another shot, or of
        another working size, are no neighbours, and their strokes are others.

        allocate: gives the memory for a painted frame, in the target's format, such as an encoder's own or that of
        `Device.allocate`; a new frame each time if left out. Raises DeviceError naming the frame where the network's
        output is not finite.
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
        """From each cut, or change of the frames' sizes, to the next, with the style of their first shot. Shots that
        dissolve into each other differ by their tables of colours only."""
        shots, sizes_of = self._shots, self._sizes_of

        def scene_of(frame: VideoFrame) -> tuple[int, Sizes | None]:
            return shots.cut_before(frame.number) if shots else 0, sizes_of(frame) if sizes_of else None

        for (number, sizes), scene in groupby(frames, scene_of):
            yield from self._paint(scene, allocate, number, sizes)

    def _pass(self, frames: Iterable[VideoFrame], allocate: Allocate) -> Iterator[OutputFrame]:
        """The frames as they are, sample by sample: on the way through R'G'B' colours that it does not hold are cut."""
        for frame in frames:
            if frame.context and not isinstance(frame, KnownFrame):
                continue
            source = _on_host(frame)
            if isinstance(frame.frame, DeviceFrame):
                frame.frame.release()
            yield _copied(frame, source, allocate())

    def _use(self, shot: int, sizes: Sizes | None) -> None:
        """Paint in the style of another shot, or at another working size; by the stylizer that is there where only the
        table of colours is another."""
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
        """The frames of a scene. Nothing is made for one of which no frame is needed."""
        in_flight: InFlight = deque()
        self._past.clear()
        self._ended = False
        self.stylizer.flush()  # of frames painted before, where their iteration was given up
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
            self._look_at(frame)
            self.stylizer.follow(frame.frame, place=frame.number)
        elif role is not Role.LEFT:
            self._start(frame, in_flight, into)
        else:
            self._look_at(frame)
            if isinstance(frame.frame, DeviceFrame):
                frame.frame.release()

    def masks_of(self, frame: VideoFrame, maps: BrushMaps | None = None, time_s: Fraction | None = None) -> Masks:
        """Return the masks of a frame, which `submit` gives to the stylizer.

        Every frame is to be looked at, in order, painted or not: masks are carried from frame to frame.

        Args:
            maps: With the mask that a person gives; None for those of the pipeline.
            time_s: Of the frame, from the first one of the film, for a mask that goes by time.
        """
        maps = maps or self._maps
        asked, look = maps.asked, self.mask_look
        if not self._sees(asked):
            return NO_MASKS
        assert self._film_masks is not None
        source = _on_host(frame)
        found = self._film_masks.of(source, frame.number)
        if not look.needs_area:
            return found
        area = found.area
        if asked.mask == ALPHA:
            area = of_alpha(source)
        elif (given := maps.mask_at(frame.number, time_s)) is not None:
            area = as_it_lies(given, *self._orientation)
        if area is None:
            if not (look.outside or asked.mask_invert):
                return found
            area = NOWHERE
        invert, grow, soften = asked.mask_shape
        if asked.mask is None and look.leaves_photograph:
            grow += BESIDE_PHOTOGRAPH if not invert else -BESIDE_PHOTOGRAPH
        if invert or grow or soften:
            area = shaped(area, (source.format.width, source.format.height), invert, grow, soften)
        return Masks(found.faces, area, self._film_masks.luma)

    def _look_at(self, frame: VideoFrame) -> None:
        """Look at a frame that is not painted: masks of those after it depend on it."""
        if self._sees(self._maps.asked):
            assert self._film_masks is not None
            self._film_masks.of(_on_host(frame), frame.number)

    def _sees(self, asked: SizeSpec) -> bool:
        """Return whether frames have masks; loads the networks when they are first needed. asked: with the mask."""
        look = self.mask_look
        wanted = bool(look.faces), look.needs_area and asked.mask is None
        given = look.needs_area and asked.mask is not None
        if self._blind:
            wanted = False, False
        if not (any(wanted) or given):
            return False
        if self._film_masks is None or (self._film_masks.faces, self._film_masks.area) != wanted:
            try:
                networks = Networks() if any(wanted) else None
            except SubjectError as error:
                self._blind = f"{error}; faces and people are painted like all else"
                return self._sees(asked)
            rotation = self._orientation.rotation_degrees
            self._film_masks = FilmMasks(networks, rotation, faces=wanted[0], area=wanted[1])
        return True

    def _start(self, frame: VideoFrame, in_flight: InFlight, into: Frame | DeviceFrame | None) -> None:
        host = into if isinstance(into, Frame) else None
        if self._shots is not None:
            table = self._shots.table(frame.number)
            if table is not self.style.after:  # for which there is memory: tables of a palette are alike
                self.style, changes = replace(self.style, after=table), self.stylizer.use_table(table)
                assert changes
        in_flight.append((frame, self.submit(frame, host), into))

    def submit(self, frame: VideoFrame, into: Frame | None = None) -> Ticket:
        """As that of the stylizer, with the look, the maps and the masks of the frame. Raises InputError for a map that
        cannot be read on."""
        look = None if self._look_of is None else self._look_of(frame)
        time_s = self._time_of(frame) if self._time_of else None
        self.stylizer.maps = self._maps.at(frame.number, time_s)
        self.stylizer.masks = self.masks_of(frame, self._maps, time_s)
        settings = self.stylizer.settings
        if settings.keeps_hdr and settings.resolved(look or self.stylizer.look).strength:
            self._above_peak.see(frame.frame)
        return self.stylizer.submit(frame.frame, into, place=frame.number, look=look)

    def _finish(self, in_flight: InFlight, allocate: Allocate) -> Iterator[OutputFrame]:
        """The oldest frame in flight, unless it is context of which nothing is known."""
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
            again = in_flight.popleft()[1]
            assert again is not None
            return self._fetch(source, again, in_flight, into)
        except NonFiniteError as error:
            raise DeviceError(f"frame {source.number}: {error}") from error
        self._alpha.carry(source.frame, into)
        self._painted_since_loss += 1
        return OutputFrame(source.number, source.pts, source.duration, into)

    def _replace_device(self, lost: DeviceLostError, in_flight: InFlight) -> None:
        """Start the frames in flight again on another device, and their neighbours; their planes are still here.
        Strokes begin anew.

        A device that is lost again before it painted anything is not worth a third: the loss is raised.
        """
        again = in_flight.copy()
        in_flight.clear()
        if any(isinstance(frame.frame, DeviceFrame) for frame, _, _ in again):
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
            self.stylizer.release(self.submit(frame))
        for frame, ticket, into in again:
            if ticket is None:
                in_flight.append((frame, None, None))
            else:
                self._start(frame, in_flight, into)
        if self._ended:
            self.stylizer.flush()

    def close(self) -> None:
        """Free the stylizer, and a device that took the place of a lost one. Idempotent."""
        with ExitStack() as stack:
            stack.callback(self._maps.close)
            if self._replacement is not None:
                stack.callback(self._replacement.close)
            self.stylizer.close()


def _on_host(frame: VideoFrame) -> Frame:
    """A frame in host memory; a copy of one that is on a device."""
    source = frame.frame
    if isinstance(source, Frame):
        return source
    host = source.format.allocate()
    source.download(host)
    return host


def _copied(source: VideoFrame, picture: Frame, into: Frame | DeviceFrame) -> OutputFrame:
    """What becomes of a frame, where that is a picture that is there already."""
    if isinstance(into, DeviceFrame):  # of an encoder on the device, which takes frames in host memory as well
        into.release()
        into = into.format.allocate()
    picture.repack_to(into)
    return OutputFrame(source.number, source.pts, source.duration, into)
