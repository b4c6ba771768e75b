"""Device, style and surface for a window, without readbacks."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from framebrush.gpu.device import Device, Diagnosis, open_device
from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.frame import Frame
from framebrush.gpu.look import Look
from framebrush.gpu.stylizer import Counters
from framebrush.gpu.surface import Surface
from framebrush.jobs.frame_pipeline import FramePipeline
from framebrush.jobs.keyframes import Track, stroke_of
from framebrush.media.video import VideoFrame, VideoInfo
from framebrush.models.style import Precision, Style
from framebrush.playback.display.fitted_look import FittedLook
from framebrush.playback.display.fitted_surface import FittedSurface, MakeSurface
from framebrush.playback.display.guides import Guides
from framebrush.playback.display.mask_veil import veil
from framebrush.playback.display.painted_screen import PaintedScreen
from framebrush.playback.display.preview_frames import Prepared, PreviewFrames
from framebrush.playback.display.preview_plan import PreviewPlan
from framebrush.styles.specs import SOURCE_SIZE, SizeSpec

TIMED = Diagnosis(timing=True)
"""Stage times decide how far ahead a frame must be started."""


class Presenter:
    """Preparation and presentation of one frame each. Not thread-safe.

    Frames are steadied with previous ones only. Methods may raise DeviceError.
    """

    def __init__(self, make_surface: MakeSurface, sizes: SizeSpec = SOURCE_SIZE) -> None:
        self.window, self.guides, self.plan = FittedSurface(make_surface), Guides(sizes), PreviewPlan()
        self.cached = PaintedScreen()
        self._device: Device | None = None
        self.fitted = FittedLook()
        self._info: VideoInfo | None = None
        self._previews: PreviewFrames | None = None
        self.veils = False
        """Whether masks of the frame on the screen are requested."""

    @property
    def device(self) -> Device:
        """Current device. Raises DeviceError if none is open."""
        if self._device is None:
            raise DeviceError("no device is open")
        return self._device

    @property
    def surface(self) -> Surface | None:
        return self.window.surface

    @property
    def pipeline(self) -> FramePipeline | None:
        return self._previews.pipeline if self._previews is not None else None

    @property
    def shown(self) -> Prepared | None:
        """Return the latest preview."""
        return self._previews.shown if self._previews is not None else None

    @property
    def ready(self) -> bool:
        """Whether device, style, video, surface exist."""
        return self.pipeline is not None and self.surface is not None

    @property
    def shows_painted(self) -> bool:
        """Return whether a cached frame is on the screen."""
        return self.cached.is_shown

    def shows(self, frame: VideoFrame) -> bool:
        """Return whether `present` can show a preview again."""
        return self._previews is not None and self._previews.shows(frame)

    @property
    def compares(self) -> bool:
        """Whether source or masks are shown, which needs previews."""
        return self.fitted.now.compares or self.window.viewport.side_by_side or self.veils

    @property
    def thins(self) -> bool:
        """Whether the finest strokes could be skipped."""
        return self.fitted.style is not None and self.fitted.now.draws and not self.guides.sizes.few_strokes

    @property
    def counters(self) -> Counters:
        return self.pipeline.stylizer.counters if self.pipeline else Counters()

    @property
    def stages_ms(self) -> Mapping[str, float]:
        return self.pipeline.stylizer.stage_ms if self.pipeline else {}

    @property
    def latency_s(self) -> float:
        """Mean time from `prepare` to presentation."""
        return sum(ms for stage, ms in self.stages_ms.items() if stage != "fetch") / 1e3  # only screenshots are fetched

    @property
    def notes(self) -> tuple[str, ...]:
        """Messages about style and device."""
        return (*self.kept, *(self.pipeline.notes if self.pipeline else ()))

    @property
    def kept(self) -> tuple[str, ...]:
        """Note if the style lacks the chosen precision."""
        return self.plan.kept_by(self.device) if self.pipeline is not None else ()

    def use_device(self, name: str) -> None:
        """Replace the device, keeping style and video."""
        self._close_device()
        self._device = open_device(name, TIMED)
        self.attach()
        self._renew()

    def attach(self) -> bool:
        """Create a missing surface; return whether it was missing."""
        return self.window.attach(self._device)

    def renew_surface(self) -> None:
        """Replace the surface."""
        self.window.close()
        self.attach()

    def use_style(self, style: Style) -> None:
        """Use another style, unless the device refuses."""
        former = self.fitted.style
        self.fitted.use_style(style)
        if former is not None and replace(former, mix=()) == replace(style, mix=()) and self.pipeline is not None:
            self._follow_look()  # another painting of the same file: only the weights differ
            return
        try:
            self._renew()
        except DeviceLostError:
            raise
        except DeviceError:
            self.fitted.use_style(former)
            self._renew()
            raise

    def recolour(self, style: Style) -> bool:
        """Use another colour table; return whether prepared frames stay."""
        if self.pipeline is not None and self.pipeline.stylizer.use_table(style.after):
            self.fitted.use_style(style)
            return True
        self.use_style(style)
        return False

    def use_video(self, info: VideoInfo | None) -> None:
        """Use another video's format, or None."""
        self._info = info
        self.cached.close()
        self.window.show_shape(self._info, self.plan.aspect)
        self._renew()

    def use_look(self, look: Look, mix: tuple[float, ...] = ()) -> None:
        """Use another look. mix: weights of paintings, if they fit."""
        self.fitted.use_look(look, mix)
        self._follow_look()

    def use_keys(self, tracks: tuple[Track, ...]) -> None:
        """Set keyframes of look and strokes."""
        self.fitted.use_keys(tracks)
        self._follow_look()

    def _follow_look(self) -> None:
        look, pipeline = self.fitted, self.pipeline
        if pipeline is None:
            return
        lacks_strokes = look.has_strokes and not pipeline.plan.carries
        lacks_second = look.needs_second and pipeline.stylizer.settings.second is None
        if lacks_strokes or lacks_second or (pipeline.plan.window, pipeline.plan.moving) != (look.window, look.moves):
            self._renew()
        else:
            pipeline.masks.look = look.most

    def use_sizes(self, sizes: SizeSpec) -> None:
        """Use other sizes. Raises StyleError, changing nothing, for an unreadable brush picture."""
        if self.guides.use(sizes) and self._previews is not None:
            self._previews.begin_anew()  # strokes, by the other maps
        else:
            self._renew()

    def use_precision(self, precision: Precision) -> None:
        """Use another precision."""
        if precision != self.plan.requested:
            self.plan.requested = precision
            self._renew()

    def reduce(self, divisor: float) -> bool:
        """Divide the working size; return whether it changed."""
        before, self.plan.divisor = self.plan.divisor, divisor
        if divisor == before:
            return False
        self._renew()
        return True

    def prepare(self, frame: VideoFrame) -> None:
        """Start painting a frame, replacing another."""
        self._running()
        self.drop()
        assert self._info is not None
        at = frame.number, self._info.time_s(frame)
        stroke = stroke_of(self.fitted.tracks, *at)
        if stroke != self.plan.stroke:
            self.plan.stroke = stroke
            self._renew()
        self._running().prepare(frame, at[1], self.guides)

    def veil_of(self, frame: VideoFrame) -> npt.NDArray[np.uint8] | None:
        """Return shown masks as an upright picture, (H, W) 0..255."""
        shown = self.shown
        if shown is None or self.fitted.style is None or self._info is None or shown.place[0] != frame.number:
            return None
        return veil(frame, self._info, self.fitted.at(shown.place), shown.masks)

    def prepare_painted(self, frame: Frame) -> None:
        """Start showing a cached frame."""
        self.drop()
        self.cached.prepare(self.device, frame)

    def present(self) -> None:
        """Present the prepared frame, or the last preview again."""
        previews, surface = self._running(), self.surface
        assert surface is not None
        if self.cached.is_coming:
            self.cached.present(surface)
        elif previews.present(surface):
            self.cached.is_shown = False

    def have_preview(self, frame: VideoFrame) -> None:
        """Start painting a cached frame's preview."""
        self.prepare(frame)
        self._running().keep_coming()

    def drop(self) -> None:
        if self._previews is not None:
            self._previews.drop()
        self.cached.drop()

    def fetch_painted(self, frame: Frame) -> Frame:
        return self.cached.fetch(self.device, frame)

    def fetch(self, frame: VideoFrame) -> Frame:
        """Paint a frame and return it as RGBA8."""
        self.prepare(frame)
        return self._running().fetch()

    def fetch_shown(self) -> Frame | None:
        return self._running().fetch_shown()

    def close(self) -> None:
        """Free everything, even on lost devices."""
        self.guides.close()
        self._close_device()

    def _running(self) -> PreviewFrames:
        if self._previews is None:
            raise DeviceError("there is no style or no video to paint")
        return self._previews

    def _renew(self) -> None:
        self._close_pipeline()
        if self._device is None or self._info is None:
            return
        pipeline = self.plan.pipeline(self._device, self._info, self.fitted, self.guides)
        if pipeline is not None:
            self._previews = PreviewFrames(pipeline, self.fitted)
            self.window.show_shape(self._info, self.plan.aspect)

    def _close_pipeline(self) -> None:
        previews, self._previews = self._previews, None
        if previews is not None:
            previews.close()

    def _close_device(self) -> None:
        device, self._device = self._device, None
        with ExitStack() as stack:  # in reverse order, and each even if another one fails
            stack.enter_context(suppress(DeviceError))
            if device is not None:
                stack.callback(device.close)
            stack.enter_context(suppress(DeviceError))
            stack.callback(self.cached.close)
            stack.enter_context(suppress(DeviceError))
            stack.callback(self.window.close)
            stack.enter_context(suppress(DeviceError))
            stack.callback(self._close_pipeline)
