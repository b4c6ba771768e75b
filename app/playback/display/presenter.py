"""Device, style and surface for a window: frames are presented without a readback."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from framebrush.base.translators import QT_TRANSLATE_NOOP
from framebrush.gpu.device import Device, Diagnosis, open_device
from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.frame import Frame, rgba8
from framebrush.gpu.sizes import Sizes, reduced
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stylizer import Counters, Ticket
from framebrush.gpu.surface import Surface, Viewport
from framebrush.jobs.frame_pipeline import FramePipeline, StylizerPlan
from framebrush.jobs.keyframes import Stroke, Track, stroke_of
from framebrush.jobs.prepare import at_target, job_sizes, stroke_sizes
from framebrush.media.video import InputError, VideoFrame, VideoInfo
from framebrush.models.colours.table import ColourTable
from framebrush.models.masks import Masks
from framebrush.models.style import Precision, Style, StyleError
from framebrush.playback.display.fitted_look import FittedLook
from framebrush.playback.display.fitted_surface import FittedSurface, MakeSurface
from framebrush.playback.display.painted_screen import PaintedScreen
from framebrush.playback.display.veil import veil
from framebrush.styles.brush_tips import brush_of, brush_tip_of
from framebrush.styles.maps import BrushMaps, state_of
from framebrush.styles.specs import SOURCE_SIZE, SizeSpec

KEPT: dict[Precision, str] = {
    "float16": QT_TRANSLATE_NOOP(
        "Player", "This style is painted in 32 bits, because 16 bits would lose too much precision."
    ),
    "int8": QT_TRANSLATE_NOOP(
        "Player", "This style is painted in 32 bits: only bundled paintings can have 8, without a changing blend."
    ),
}
"""Notes on styles that cannot have the chosen precision."""

TIMED = Diagnosis(timing=True)
"""Stage times decide how far ahead a frame must be started."""

NEIGHBOURS = range(1, 9)
"""Distances at which a frame counts as its predecessor's neighbour, since playback drops frames."""


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
        self._window, self._sizes = FittedSurface(make_surface), sizes.with_pictures(lambda _: None)
        self._mark: bytes | None = None
        self._maps, self._maps_are_of = BrushMaps(), state_of(self._sizes)
        self._device: Device | None = None
        self.pipeline: FramePipeline | None = None
        self._look = FittedLook()
        self._info: VideoInfo | None = None
        self._coming: _Prepared | None = None
        self._shown: _Prepared | None = None
        self._last: int | None = None  # number of the frame prepared last
        self._painted: PaintedScreen | None = None
        self.shows_painted = False
        """Whether a cached frame is on the screen."""
        self._precision: Precision = "auto"
        self.precision: Precision = "auto"
        """Precision in effect, "auto" if device or style has no other."""
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
    def surface(self) -> Surface | None:
        """Return the surface, if any."""
        return self._window.surface

    @property
    def look(self) -> Look:
        """Return the look that was last requested, with weights for the style."""
        return self._look.now

    @property
    def tracks(self) -> tuple[Track, ...]:
        """Return the keyframes that the current style supports."""
        return self._look.tracks

    @property
    def style(self) -> Style | None:
        """Return the current style, with its colour tables."""
        return self._look.style

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
        """Return whether source or masks are shown beside the painting, which needs a preview."""
        return self._look.now.compares or self._window.viewport.side_by_side or self.veils

    @property
    def thins(self) -> bool:
        """Return whether the finest strokes could be skipped."""
        return self.style is not None and self._look.now.draws and not self._sizes.few_strokes

    @property
    def requested_sizes(self) -> SizeSpec:
        """Return the sizes that were last requested."""
        return self._sizes

    @property
    def aspect(self) -> float:
        """Return the sample aspect ratio of painted frames."""
        return self._aspect

    @property
    def counters(self) -> Counters:
        """Device counters for this style and video so far."""
        return self.pipeline.stylizer.counters if self.pipeline else Counters()

    @property
    def stages_ms(self) -> Mapping[str, float]:
        """Mean milliseconds per frame of each stage."""
        return self.pipeline.stylizer.stage_ms if self.pipeline else {}

    @property
    def latency_s(self) -> float:
        """Return the mean time from `prepare` until a frame can be presented."""
        return sum(ms for stage, ms in self.stages_ms.items() if stage != "fetch") / 1e3  # only screenshots are fetched

    @property
    def painted_latency_s(self) -> float:
        """Return the mean time from `prepare_painted` on."""
        return self._painted.latency_s if self._painted is not None else 0.0

    @property
    def notes(self) -> tuple[str, ...]:
        """Messages about how this device runs this style."""
        return (*self.kept, *(self.pipeline.notes if self.pipeline else ()))

    @property
    def kept(self) -> tuple[str, ...]:
        """Return a note if the style cannot have the chosen precision."""
        is_offered = self.pipeline is not None and self._precision in self.device.info.precisions
        return (KEPT[self._precision],) if is_offered and self.precision != self._precision else ()

    def use_device(self, name: str) -> None:
        """Replace the device, keeping style and video."""
        self._close_device()
        self._device = open_device(name, TIMED)
        self.attach()
        self._renew()

    def attach(self) -> bool:
        """Create the surface if it is missing; return whether it was missing."""
        return self._window.attach(self._device)

    def renew_surface(self) -> None:
        """Close and create the surface; a window can have only one."""
        self._window.close()
        self.attach()

    def use_style(self, style: Style) -> None:
        """Use another style from the next frame on, unless the device refuses it."""
        former = self.style
        self._look.use_style(style)
        if former is not None and replace(former, mix=()) == replace(style, mix=()) and self.pipeline is not None:
            self._follow_look()  # another painting of the same file: only the weights differ
            return
        try:
            self._renew()
        except DeviceLostError:
            raise
        except DeviceError:
            self._look.use_style(former)
            self._renew()
            raise

    def recolour(self, style: Style) -> bool:
        """Use another colour table; return whether prepared frames stay valid."""
        if self.pipeline is not None and self.pipeline.stylizer.use_table(style.after):
            self._look.use_style(style)
            return True
        self.use_style(style)
        return False

    def use_video(self, info: VideoInfo | None) -> None:
        """Use this video's format from now on; None without a video."""
        self._info = info
        self._close_painted()
        self._window.show_shape(self._info, self._aspect)
        self._renew()

    def use_look(self, look: Look, mix: tuple[float, ...] = ()) -> None:
        """Show frames with this look from now on, prepared ones with their weights and steadiness.

        Args:
            mix: weights of paintings; the style's if of another number.
        """
        self._look.use_look(look, mix)
        self._follow_look()

    def use_keys(self, tracks: tuple[Track, ...]) -> None:
        """Set keyframes of look, paintings and strokes, as `use_look`."""
        self._look.use_keys(tracks)
        self._follow_look()

    def _follow_look(self) -> None:
        look, pipeline = self._look, self.pipeline
        if pipeline is None:
            return
        lacks_strokes = look.has_strokes and not pipeline.plan.carries
        lacks_second = look.needs_second and pipeline.stylizer.settings.second is None
        if lacks_strokes or lacks_second or (pipeline.plan.window, pipeline.plan.moving) != (look.window, look.moves):
            self._renew()
        else:
            pipeline.masks.look = look.most

    def use_sizes(self, sizes: SizeSpec) -> None:
        """Use other sizes from the next frame on.

        Raises StyleError, without a change, for an unreadable brush picture.
        """
        mark, state = brush_tip_of(sizes), state_of(sizes)
        if state != self._maps_are_of:
            maps = BrushMaps(sizes)
            self._maps.close()
            self._maps, self._maps_are_of = maps, state
        is_alike = mark == self._mark and sizes.without_masks == self._sizes.without_masks
        self._mark, self._sizes = mark, sizes
        if is_alike and self.pipeline is not None:
            self._last = None  # strokes begin anew by the other maps
        else:
            self._renew()

    def use_precision(self, precision: Precision) -> None:
        """Use another precision from the next frame on."""
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
        self._window.look_at(viewport)

    def resize(self, width_px: int, height_px: int) -> None:
        """Follow the window, in physical pixels."""
        self._window.resize(width_px, height_px)

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
        stylizer.look = self._look.at(at)
        self._guide(frame, at[1])
        self._coming = _Prepared(stylizer.submit(frame.frame, place=frame.number), stylizer.table, at, stylizer.masks)

    def _guide(self, frame: VideoFrame, time_s: Fraction) -> None:
        """Set a frame's brush maps and masks.

        Raises InputError once for an unreadable map; later frames ignore that map.
        """
        try:
            self._running().guide(frame, self._maps, time_s)
        except InputError:
            self._maps.close()
            self._maps, self._maps_are_of = BrushMaps(), state_of(SOURCE_SIZE)
            raise

    def untracked_before(self, frame: VideoFrame) -> int:
        """Return how many preceding frames a frame's masks need that were not followed."""
        return 0 if self.pipeline is None else self.pipeline.masks.untracked_before(frame.number, self._maps)

    def follow(self, frames: Iterable[VideoFrame]) -> None:
        """Track masks through frames that are not shown."""
        masks = self._running().masks
        for frame in frames:
            masks.follow(frame, self._maps)

    def lacking(self, frame: VideoFrame) -> int:
        """Return how many preceding frames the masks on the screen lack."""
        shown, pipeline = self._shown, self.pipeline
        if shown is None or pipeline is None or shown.place[0] != frame.number or self.shows_painted:
            return 0
        return pipeline.masks.lacking

    def complete_masks(self, before: Iterable[VideoFrame], frame: VideoFrame) -> bool:
        """Complete the masks on the screen; return whether they changed."""
        shown = self._shown
        assert shown is not None
        return self._running().masks_behind(before, frame, self._maps, shown.place[1]) != shown.masks

    def veil_of(self, frame: VideoFrame) -> npt.NDArray[np.uint8] | None:
        """Return the preview's masks as an upright picture, (H, W) 0..255."""
        shown = self._shown
        if shown is None or self.style is None or self._info is None or shown.place[0] != frame.number:
            return None
        return veil(frame, self._info, self._look.at(shown.place), shown.masks)

    def prepare_painted(self, frame: Frame) -> None:
        """Start showing a cached frame, dropping one in preparation."""
        self.drop()
        self._painted_screen(frame).prepare(frame)

    def present(self) -> None:
        """Present the prepared frame, or the last preview in the current look."""
        pipeline, surface = self._running(), self.surface
        assert surface is not None
        if self.prepares_cached_frame:
            assert self._painted is not None
            self._painted.present(surface)
            self.shows_painted = True
            return
        prepared = self._coming or self._shown
        if prepared is None:
            return
        pipeline.stylizer.look = self._look.at(prepared.place)
        pipeline.stylizer.show(prepared.ticket, surface)
        self.shows_painted = False
        self._keep_coming()

    def have_preview(self, frame: VideoFrame) -> None:
        """Start painting the preview of a frame painted ahead, to compare it without waiting."""
        self.prepare(frame)
        self._keep_coming()

    def _keep_coming(self) -> None:
        if self._coming is not None:
            if self._shown is not None:
                self._running().stylizer.release(self._shown.ticket)
            self._shown, self._coming = self._coming, None

    @property
    def prepares_cached_frame(self) -> bool:
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
        """Read back the last presented frame as RGBA8, without the divider, if any.

        Prepare it again before presenting it again.
        """
        stylizer, shown, self._shown = self._running().stylizer, self._shown, None
        if shown is None:
            return None
        look, stylizer.look = stylizer.look, self._look.at(shown.place).undivided
        try:
            return stylizer.fetch(shown.ticket)
        finally:
            stylizer.look = look

    def close(self) -> None:
        """Free everything. Errors of a lost device are ignored. Idempotent."""
        self._maps.close()
        self._close_device()

    def _running(self) -> FramePipeline:
        if self.pipeline is None:
            raise DeviceError("there is no style or no video to paint")
        return self.pipeline

    def _renew(self) -> None:
        self._close_pipeline()
        if self._device is None or self.style is None or self._info is None:
            return
        source, look = self._info.format, self._look.most
        self.whole = whole = job_sizes(self._sizes, source, self.style)
        if self._stroke is not None:
            self.whole = whole = stroke_sizes(self._sizes, self._stroke, source, self.style)
        self.sizes = sizes = reduced(whole, self.style.card, self.divisor)
        target = rgba8(*sizes.target)
        self._aspect = float(at_target(self._info, sizes).sample_aspect)
        plan = StylizerPlan(
            replace(self.style, mix=()),  # the pipeline serves all paintings of the file: the look has their weights
            source,
            target,
            working=sizes.working,
            stroke_px=sizes.stroke_px,
            kind=brush_of(self._sizes, self.style.card, self._mark),
            look=look,
            precision=self._precision if self._precision in self._device.info.precisions else "auto",
            window=self._look.window,
            carries=self._look.has_strokes,
            moving=self._look.moves,
        )
        make = partial(FramePipeline, self._device, orientation=self._info.orientation)
        self.precision = plan.precision
        try:
            self.pipeline = make(plan)
        except StyleError:
            if self.precision not in KEPT:
                raise
            self.precision = "auto"
            self.pipeline = make(replace(plan, precision="auto"))
        self._last = None
        self._window.show_shape(self._info, self._aspect)

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
            stack.callback(self._window.close)
            stack.enter_context(suppress(DeviceError))
            stack.callback(self._close_pipeline)
