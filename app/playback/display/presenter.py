"""Device, style and surface for a window.

Presents frames, painted now or earlier, without a readback.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from framebrush.gpu.device import Device, Diagnosis, open_device
from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.frame import Frame, rgba8
from framebrush.gpu.sizes import Sizes, reduced
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.masks import Shares, samples, share
from framebrush.gpu.stages.steady import NO_WINDOW, TemporalWindow
from framebrush.gpu.stylizer import Counters, Ticket
from framebrush.gpu.surface import Surface, Viewport
from framebrush.jobs.look_keys import STYLE, LookOverTime, ShotsOfCard, Stroke, Track, most, stroke_of
from framebrush.jobs.pipeline import Pipeline
from framebrush.jobs.prepare import at_target, job_sizes, stroke_sizes
from framebrush.media.reading.orientation import upright
from framebrush.media.video import InputError, VideoFrame, VideoInfo
from framebrush.models.colours.table import ColourTable
from framebrush.models.masks import Masks
from framebrush.models.style import Precision, Style, StyleError
from framebrush.playback.display.painted_screen import PaintedScreen
from framebrush.styles.maps import BrushMaps, state_of
from framebrush.styles.marks import brush_of, mark_of
from framebrush.styles.names import has_strokes, weights_of, window_for
from framebrush.styles.specs import SOURCE_SIZE, SizeSpec
from framebrush.subject.thumbnails import rgb_of

MakeSurface = Callable[[Device], Surface | None]
"""Creates the surface that a device presents to, in the player's thread; None while its window is hidden."""

KEPT = "it is painted in 32 bits, because 16 bits would lose too much precision"

TIMED = Diagnosis(timing=True)
"""Stage times decide how far ahead a frame must be started."""

START = 0, Fraction()
"""Number and time of the first frame of a film."""

NEIGHBOURS = range(1, 9)
"""Distances at which a frame counts as its predecessor's neighbour, since playback drops frames."""


VEIL_SIDE = 240
"""Longer side of the picture of a mask."""


class _Prepared(NamedTuple):
    """Frame that is painted or being painted. table: its colours. place: its number and time."""

    ticket: Ticket
    table: ColourTable | None
    place: tuple[int, Fraction]
    masks: Masks


class Presenter:
    """Prepares and presents frames; holds at most one in preparation and one on the screen.

    Frames are steadied with previous ones only, without delay. Not thread-safe. Methods may raise DeviceError.
    """

    def __init__(self, make_surface: MakeSurface, sizes: SizeSpec = SOURCE_SIZE) -> None:
        self._make_surface, self._sizes = make_surface, sizes.with_pictures(lambda _: None)
        self._mark: bytes | None = None
        self._maps, self._maps_are_of = BrushMaps(), state_of(self._sizes)
        self._device: Device | None = None
        self.surface: Surface | None = None
        self.pipeline: Pipeline | None = None
        self._style: Style | None = None
        self._info: VideoInfo | None = None
        self._look = Look()
        self._asked_tracks: tuple[Track, ...] = ()
        self.tracks: tuple[Track, ...] = ()
        """Keyframes that the current style supports."""
        self._weights: dict[str, tuple[float, ...]] = {}
        self._coming: _Prepared | None = None
        self._shown: _Prepared | None = None
        self._last: int | None = None  # number of the frame prepared last
        self._painted: PaintedScreen | None = None
        self.shows_painted = False
        """Whether a cached frame is on the screen."""
        self._size_px = (0, 0)
        self._viewport = Viewport()
        self._precision: Precision = "auto"
        self.precision: Precision = "auto"
        """Precision in effect: "auto" on the CPU, and for styles without float16."""
        self._stroke: Stroke | None = None  # of the pipeline, where strokes have keys
        self.sizes: Sizes | None = None  # of the pipeline
        self.whole: Sizes | None = None  # without a divisor
        self.divisor = 1.0
        """Of the working size, for a preview."""
        self.veils = False
        """Whether masks of the frame on the screen are requested."""
        self._aspect = 1.0  # of the samples at the target's size

    @property
    def device(self) -> Device:
        """Return the current device. Raises DeviceError if none is open."""
        if self._device is None:
            raise DeviceError("no device is open")
        return self._device

    @property
    def look(self) -> Look:
        """Return the look that was last requested."""
        return self._look

    @property
    def style(self) -> Style | None:
        """Return the current style, with its colour tables."""
        return self._style

    @property
    def ready(self) -> bool:
        """Return whether there are a device, a style, a video and a surface."""
        return self.pipeline is not None and self.surface is not None

    def shows(self, frame: VideoFrame) -> bool:
        """Return whether `present` can show the preview of a frame again."""
        if self._shown is None or self.pipeline is None or self._shown.place[0] != frame.number:
            return False
        return self._shown.table is self.pipeline.stylizer.table

    @property
    def compares(self) -> bool:
        """Return whether source or masks are shown beside the painting.

        Only a preview can do that.
        """
        return self._look.split is not None or self._viewport.side_by_side or self.veils

    @property
    def thins(self) -> bool:
        """Return whether the finest strokes could be skipped."""
        style = self._style
        return style is not None and bool(self._look.of(style.card).brush) and not self._sizes.few_strokes

    @property
    def asked_sizes(self) -> SizeSpec:
        """Return the sizes that were last requested."""
        return self._sizes

    @property
    def aspect(self) -> float:
        """Return the sample aspect ratio of painted frames."""
        return self._aspect

    @property
    def counters(self) -> Counters:
        """Device counters for this style and video so far."""
        return self.pipeline.counters if self.pipeline else Counters()

    @property
    def stages_ms(self) -> Mapping[str, float]:
        """Mean milliseconds per frame of each stage."""
        return self.pipeline.stage_ms if self.pipeline else {}

    @property
    def latency_s(self) -> float:
        """Return the mean time from `prepare` until a frame can be presented."""
        return sum(ms for stage, ms in self.stages_ms.items() if stage != "fetch") / 1e3  # only screenshots are fetched

    @property
    def painted_latency_s(self) -> float:
        """Return the mean time from `prepare_painted` until a frame can be presented."""
        return self._painted.latency_s if self._painted is not None else 0.0

    @property
    def notes(self) -> tuple[str, ...]:
        """Messages about how this device runs this style."""
        kept = self.pipeline is not None and self.precision != self._precision and self.device.info.has_precision
        return (*((KEPT,) if kept else ()), *(self.pipeline.notes if self.pipeline else ()))

    def use_device(self, name: str) -> None:
        """Close the current device and open another, with the same style and video."""
        self._close_device()
        self._device = open_device(name, TIMED)
        self.attach()
        self._renew()

    def attach(self) -> bool:
        """Create the surface if there is none; return whether one was created."""
        if self._device is None or self.surface is not None:
            return False
        self.surface = self._make_surface(self._device)
        self._fit()
        return self.surface is not None

    def renew_surface(self) -> None:
        """Close the surface before creating a new one, as a window can have only one."""
        self._close_surface()
        self.attach()

    def use_style(self, style: Style) -> None:
        """Use another style from the next frame on; the current one stays if the device refuses it."""
        former, self._style = self._style, style
        self._weigh()
        if former is not None and replace(former, mix=()) == replace(style, mix=()) and self.pipeline is not None:
            self.use_look(self._look)  # another painting of the same file: only the weights differ
            return
        try:
            self._renew()
        except DeviceLostError:
            raise
        except DeviceError:
            self._style = former
            self._weigh()
            self._renew()
            raise

    def recolour(self, style: Style) -> bool:
        """Use another colour table from the next prepared frame on.

        Return whether prepared frames stay valid.
        """
        if self.pipeline is not None and self.pipeline.stylizer.use_table(style.after):
            self._style = style
            return True
        self.use_style(style)
        return False

    def use_video(self, info: VideoInfo | None) -> None:
        """Use this video's format from now on; None without a video."""
        self._info = info
        self._close_painted()
        self._fit()
        self._renew()

    def use_look(self, look: Look) -> None:
        """Show frames with this look from now on.

        Weights of paintings and steadiness apply to frames prepared from now on. One that needs another stylizer clears
        the screen until a frame is prepared.
        """
        self._look, pipeline = look, self.pipeline
        if pipeline is None:
            return
        lacks_strokes = self._carries() and not pipeline.carries
        if lacks_strokes or (pipeline.window, pipeline.moving) != (self._window(), self._over_time().moves):
            self._renew()
        else:
            assert self._style is not None
            pipeline.mask_look = most(self._look, self.tracks).of(self._style.card)
            prepared = self._coming or self._shown
            pipeline.stylizer.look = self._look_at(START if prepared is None else prepared.place)

    def use_keys(self, tracks: tuple[Track, ...]) -> None:
        """Set keyframes of look, paintings and strokes, as `use_look`."""
        self._asked_tracks = tracks
        self._weigh()
        self.use_look(self._look)

    def use_sizes(self, sizes: SizeSpec) -> None:
        """Use other sizes from the next frame on.

        Raises StyleError, without a change, for an unreadable brush picture.
        """
        mark, state = mark_of(sizes), state_of(sizes)
        if state != self._maps_are_of:
            maps = BrushMaps(sizes)
            self._maps.close()
            self._maps, self._maps_are_of = maps, state
        self._mark, self._sizes = mark, sizes
        self._renew()

    def use_precision(self, precision: Precision) -> None:
        """Set the precision of the network on a GPU, from the next frame on."""
        if precision != self._precision:
            self._precision = precision
            self._renew()

    def reduce(self, divisor: float) -> bool:
        """Divide the working size; return whether frames must be prepared again."""
        before, self.divisor = self.divisor, divisor
        if divisor == before:
            return False
        self._renew()
        return True

    def look_at(self, viewport: Viewport) -> None:
        """Show another part of the picture."""
        self._viewport = viewport
        self._fit()

    def resize(self, width_px: int, height_px: int) -> None:
        """Follow the window, in physical pixels."""
        self._size_px = (width_px, height_px)
        self._fit()

    def prepare(self, frame: VideoFrame) -> None:
        """Start painting a frame, dropping one in preparation.

        A new stroke size reloads the network.
        """
        self._running()
        self.drop()
        assert self._info is not None
        at = frame.number, self._info.time_s(frame)
        stroke = stroke_of(self.tracks, *at)
        if stroke != self._stroke:
            self._stroke = stroke
            self._renew()
        stylizer = self._running().stylizer
        if self._last is None or frame.number - self._last not in NEIGHBOURS:
            stylizer.flush()
        self._last = frame.number
        stylizer.look = self._look_at(at)
        self._guide(frame, at[1])
        self._coming = _Prepared(stylizer.submit(frame.frame, place=frame.number), stylizer.table, at, stylizer.masks)

    def _guide(self, frame: VideoFrame, time_s: Fraction) -> None:
        """Set a frame's brush maps and masks.

        Raises InputError once for an unreadable map, which is then ignored.
        """
        try:
            self._running().guide(frame, self._maps, time_s)
        except InputError:
            self._maps.close()
            self._maps, self._maps_are_of = BrushMaps(), state_of(SOURCE_SIZE)
            raise

    def veil_of(self, frame: VideoFrame) -> npt.NDArray[np.uint8] | None:
        """Return the effective masks of the preview on the screen as one upright picture.

        (H, W), 0..255; None without effect.
        """
        shown = self._shown
        if shown is None or self._style is None or self._info is None or shown.place[0] != frame.number:
            return None
        look, masks = self._look_at(shown.place).of(self._style.card), shown.masks
        counts = Shares(float(bool(look.faces and masks.faces)), float(bool(look.needs_area and masks.area)), 0.0)
        if not any(counts) or not isinstance(frame.frame, Frame):
            return None
        width, height = frame.frame.format.width, frame.frame.format.height
        scale = min(1.0, VEIL_SIDE / max(width, height))
        film = rgb_of(frame.frame, (max(1, round(scale * width)), max(1, round(scale * height))))
        found = share(samples(masks, 1.0), film.astype(np.float64), counts)
        codes = np.rint(255 * np.clip(found, 0, 1)).astype(np.uint8)
        return upright(codes, self._info.rotation_degrees, mirrored=self._info.mirrored)

    def prepare_painted(self, frame: Frame) -> None:
        """Start showing a cached frame, dropping one in preparation."""
        self.drop()
        self._painted_screen(frame).prepare(frame)

    def present(self) -> None:
        """Present the prepared frame, or the last preview with the current look."""
        pipeline, surface = self._running(), self.surface
        assert surface is not None
        if self.painted_is_coming:
            assert self._painted is not None
            self._painted.present(surface)
            self.shows_painted = True
            return
        prepared = self._coming or self._shown
        if prepared is None:
            return
        pipeline.stylizer.look = self._look_at(prepared.place)
        pipeline.stylizer.show(prepared.ticket, surface)
        self.shows_painted = False
        self._keep_coming()

    def have_preview(self, frame: VideoFrame) -> None:
        """Start painting the preview of the frame on the screen.

        The frame was painted ahead; comparing it with the source then needs no waiting.
        """
        self.prepare(frame)
        self._keep_coming()

    def _keep_coming(self) -> None:
        if self._coming is not None:
            if self._shown is not None:
                self._running().stylizer.release(self._shown.ticket)
            self._shown, self._coming = self._coming, None

    @property
    def painted_is_coming(self) -> bool:
        """Return whether the frame in preparation was painted ahead."""
        return self._painted is not None and self._painted.is_coming

    def drop(self) -> None:
        """Drop the frame in preparation."""
        self._release_coming()
        if self._painted is not None:
            self._painted.drop()

    def fetch_painted(self, frame: Frame) -> Frame:
        """Return a cached frame as RGBA8."""
        return self._painted_screen(frame).fetch(frame)

    def fetch(self, frame: VideoFrame) -> Frame:
        """Paint a frame and read it back as RGBA8, dropping one in preparation."""
        self.prepare(frame)
        assert self._coming is not None
        coming, self._coming = self._coming, None
        return self._running().stylizer.fetch(coming.ticket)

    def fetch_shown(self) -> Frame | None:
        """Read back the last presented frame as RGBA8, without the divider; None without one.

        It must be prepared again before it can be presented again.
        """
        stylizer, shown, self._shown = self._running().stylizer, self._shown, None
        if shown is None:
            return None
        look, stylizer.look = stylizer.look, replace(self._look_at(shown.place), split=None)
        try:
            return stylizer.fetch(shown.ticket)
        finally:
            stylizer.look = look

    def close(self) -> None:
        """Free everything. Errors of a lost device are ignored. Idempotent."""
        self._maps.close()
        self._close_device()

    def _running(self) -> Pipeline:
        if self.pipeline is None:
            raise DeviceError("there is no style or no video to paint")
        return self.pipeline

    def _window(self) -> TemporalWindow:
        if self._style is None:
            return NO_WINDOW
        return window_for(self._style.card, most(self._look, self.tracks), live=True)

    def _carries(self) -> bool:
        return self._style is not None and has_strokes(self._style.card, most(self._look, self.tracks))

    def _weigh(self) -> None:
        self.tracks, self._weights = self._asked_tracks, {}
        texts = [str(key.value) for track in self.tracks if track.of == STYLE for key in track.keys]
        if not texts or self._style is None:
            return
        try:
            self._weights = {text: weights_of(text, self._style.card) for text in texts}
        except StyleError:
            self.tracks = tuple(track for track in self.tracks if track.of != STYLE)

    def _look_at(self, place: tuple[int, Fraction]) -> Look:
        return self._over_time().at(*place)

    def _over_time(self) -> LookOverTime:
        shots = None if self._style is None else ShotsOfCard.of(self._style.card)
        return LookOverTime(self._fitting(self._look), self.tracks, self._weights, shots)

    def _fitting(self, look: Look) -> Look:
        if self._style is None or len(look.mix) == len(self._style.card.paintings):
            return look
        return replace(look, mix=self._style.mix)

    def _fit(self) -> None:
        if self.surface is None:
            return
        self.surface.viewport = self._viewport
        if self._info is not None:
            self.surface.sample_aspect = self._aspect
            self.surface.rotation_degrees = self._info.rotation_degrees
            self.surface.mirrored = self._info.mirrored
        if min(self._size_px) > 0:
            self.surface.resize(*self._size_px)

    def _renew(self) -> None:
        self._close_pipeline()
        if self._device is None or self._style is None or self._info is None:
            return
        source, look = self._info.format, most(self._fitting(self._look), self.tracks)
        self.whole = whole = job_sizes(self._sizes, source, self._style)
        if self._stroke is not None:
            self.whole = whole = stroke_sizes(self._sizes, self._stroke, source, self._style)
        self.sizes = sizes = reduced(whole, self._style.card, self.divisor)
        target = rgba8(*sizes.target)
        self._aspect = float(at_target(self._info, sizes).sample_aspect)
        make = partial(
            Pipeline,
            self._device,
            replace(self._style, mix=()),  # the pipeline serves all paintings of the file: the look has their weights
            source,
            target,
            working=sizes.working,
            stroke_px=sizes.stroke_px,
            kind=brush_of(self._sizes, self._style.card, self._mark),
            look=look,
            window=self._window(),
            carries=self._carries(),
            moving=self._over_time().moves,
            orientation=self._info.orientation,
        )
        self.precision = self._precision if self._device.info.has_precision else "auto"
        try:
            self.pipeline = make(precision=self.precision)
        except StyleError:
            if self.precision != "float16":
                raise
            self.precision = "auto"
            self.pipeline = make()
        self._last = None
        self._fit()

    def _painted_screen(self, frame: Frame) -> PaintedScreen:
        if self._painted is None or self._painted.source != frame.format:
            self._close_painted()
            self._painted = PaintedScreen(self.device, frame.format)
        return self._painted

    def _close_painted(self) -> None:
        self.shows_painted = False
        if self._painted is not None:
            painted, self._painted = self._painted, None
            painted.close()

    def _release_coming(self) -> None:
        if self._coming is not None and self.pipeline is not None:
            self.pipeline.stylizer.release(self._coming.ticket)
        self._coming = None

    def _close_pipeline(self) -> None:
        self._coming = self._shown = None
        if self.pipeline is not None:
            pipeline, self.pipeline = self.pipeline, None
            pipeline.close()

    def _close_device(self) -> None:
        device, self._device = self._device, None
        with ExitStack() as stack:  # in reverse order, and each even if another one fails
            stack.enter_context(suppress(DeviceError))
            if device is not None:
                stack.callback(device.close)
            stack.enter_context(suppress(DeviceError))
            stack.callback(self._close_painted)
            stack.enter_context(suppress(DeviceError))
            stack.callback(self._close_surface)
            stack.enter_context(suppress(DeviceError))
            stack.callback(self._close_pipeline)

    def _close_surface(self) -> None:
        if self.surface is not None:
            surface, self.surface = self.surface, None
            with suppress(DeviceError):
                surface.close()
