"""Open film on the screen."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from enum import Enum, auto
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt

from framebrush.analysis.to_rgb import ToRgb, opaque, small
from framebrush.base.translators import QT_TRANSLATE_NOOP
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import Frame
from framebrush.jobs.keyframes import most
from framebrush.jobs.prepare import states_of
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.media.video import VideoFrame, VideoInfo
from framebrush.playback import events
from framebrush.playback.ahead.render_cache import Course, RenderCache
from framebrush.playback.ahead.renderer import Renderer, Wanted
from framebrush.playback.ahead.store import RenderStore
from framebrush.playback.display.presenter import Presenter
from framebrush.playback.display.screen import Emit, Screen
from framebrush.playback.live_turn import LiveTurn
from framebrush.playback.mask_context import MaskContext
from framebrush.playback.playback_stats import PlaybackStats
from framebrush.playback.reading.reading_process import ReadingProcess
from framebrush.playback.timekeeper import Timekeeper
from framebrush.playback.video_source import VideoSource
from framebrush.styles.specs import StyleSpec
from framebrush.styles.style_names import passthrough_style

SaveFrame = Callable[[Frame, VideoInfo, Path], Path]

UNPAINTED_LINES = 720
"""Most lines of an unpainted frame shown while waiting."""

TOO_SLOW = QT_TRANSLATE_NOOP(
    "Player",
    "This device is too slow for the film: frames are left out here; exports have all of them. In a pause, frames are "
    "painted ahead and then play in time. Picture > Fewer strokes is faster, and changes exports, too.",
)
NOT_WRITTEN = QT_TRANSLATE_NOOP("Player", "The screenshot could not be written to {path}: {reason}")


class State(Enum):
    """State of a film. WAITING: plays once a frame is painted."""

    PAUSED = auto()
    WAITING = auto()
    PLAYING = auto()


class FilmScreen(Screen):
    """Shown frame of an open film. Not thread-safe."""

    def __init__(
        self,
        emit: Emit,
        presenter: Presenter,
        wake: Callable[[], None],
        save_frame: SaveFrame,
        monotonic: Callable[[], float],
        renders: RenderCache | None,
        store: RenderStore | None,
        reading: ReadingProcess | None,
    ) -> None:
        """wake: ends the player's wait."""
        super().__init__(emit, presenter, wake)
        self._reading = reading
        self._renderer = None if renders is None else Renderer(renders, emit, self._take_fresh, store)
        self._paints_ahead = True
        self._awaited: int | None = None  # the frame on the screen, if a still preview of it is shown
        self._opening = 0
        self._save_frame = save_frame
        self.time = Timekeeper(monotonic, reading)
        self._wake = wake
        self._video: VideoSource | None = None
        self._live: LiveTurn | None = None  # set if the video is live
        self._current: VideoFrame | None = None  # on the screen
        self._coming: VideoFrame | None = None  # prepared, not yet due
        self._masks = MaskContext(presenter)
        self._marks = events.InOutChanged()
        self.state, self._loop = State.PAUSED, False
        self._stats = PlaybackStats(monotonic)
        self._told_slow = False  # once is enough

    @property
    def speed(self) -> float:
        """Media seconds per second."""
        return self.time.speed

    @property
    def playing(self) -> bool:
        """Whether frames follow each other."""
        return self.state is State.PLAYING

    def _on_show(self) -> VideoFrame | None:
        return self._current

    def _prepare(self, frame: VideoFrame, painted: Frame | None) -> None:
        if painted is None:
            self.presenter.prepare(frame)
        else:
            self.presenter.prepare_painted(painted)

    def _present(self, frame: VideoFrame) -> None:
        begin = time.perf_counter()
        self.presenter.present()
        self._stats.shown(time.perf_counter() - begin)
        if self._live is not None and self.playing:
            self._live.presented(frame)
        self._current, self._coming = frame, None
        self._tell_veil(frame)
        self._colours.add_frame(frame, more=self.playing)
        self._tell_shown(frame)
        if self.playing and self._video is not None:
            self.time.show(self._video.time_s(frame))
            painted = self.presenter.shows_painted
            if not painted:
                self._quality.shown()
            figures = self._stats.read(self.presenter, self._video)
            if figures is not None:
                self._emit(figures)
                if not painted:
                    self._fit_quality(self._video)

    def _present_again(self, *, paint: bool = False) -> None:
        presenter, current = self.presenter, self._current
        if self.playing or current is None or not presenter.ready:
            if presenter.cached.is_coming:
                self._repaint()  # the look may have changed
            return
        before, painted = presenter.shows_painted, self._find_painted(current)
        if painted is not None or paint or not presenter.shows(current):
            self._prepare(current, painted)
        presenter.present()
        self._tell_veil(current)
        self._tell_sizes()
        if before != presenter.shows_painted:
            self._tell_shown(current)

    def _tell_shown(self, frame: VideoFrame) -> None:
        self._tell_sizes()
        self._emit(events.Shown(self._mark_of(frame), self.presenter.shows_painted))
        self._lead()

    def _mark_of(self, frame: VideoFrame) -> events.InOutPoint:
        assert self._video is not None
        return events.InOutPoint(frame.number, self._video.time_s(frame))

    def _fit_quality(self, video: VideoSource) -> None:
        presenter, period_s = self.presenter, video.period_s / self.time.speed
        lines = min(presenter.plan.whole.working) if presenter.plan.whole is not None else 0
        times = presenter.plan.divisor, presenter.stages_ms, period_s, lines
        if presenter.thins and not self._told_slow and self._quality.is_too_slow(*times):
            self._told_slow = True
            self._emit(events.Notification.of_text(TOO_SLOW))
        self._use_divisor(self._quality.divisor(*times))

    @property
    def _can_refine(self) -> bool:
        presenter, current = self.presenter, self._current
        if current is None or not presenter.ready:
            return False
        if presenter.shows_painted:
            return not presenter.shows(current)
        return presenter.plan.divisor != 1.0 or (self._video is not None and self._masks.lacks(current, self._video))

    def _refine(self) -> None:
        current = self._current
        if current is not None and self._awaited == current.number and self._find_painted(current) is not None:
            self._present_again()
        elif not self.presenter.shows_painted:
            self._use_divisor(1.0)
            self._complete_masks()
        elif current is not None and self._can_refine:
            self.presenter.have_preview(current)

    def _complete_masks(self) -> None:
        current, video = self._current, self._video
        if current is not None and video is not None and self._masks.complete(current, video):
            self._present_again(paint=True)

    def _unpainted(self, frame: VideoFrame | None) -> npt.NDArray[np.uint8] | None:
        if frame is None:
            return None
        form = frame.frame.format
        try:
            with ExitStack() as stack:
                size = small(form.size, UNPAINTED_LINES)
                convert = ToRgb(stack, form, size, passthrough_style(), self._look)
                (rgba,) = opaque(convert(frame.frame)).planes
                return cast("npt.NDArray[np.uint8]", rgba)
        except DeviceError:  # painting reports this error
            return None

    def set_loop(self, on: bool) -> None:
        """Loop between in and out point."""
        self._loop = on
        self._lead()

    def mark(self, *, first: bool) -> None:
        """Set the in or out point here."""
        if self._current is not None:
            self.use_marks(self._marks.having(self._mark_of(self._current), first=first))

    def use_marks(self, marked: events.InOutChanged) -> None:
        """Set the in and out points."""
        if self._video is not None:
            self._use_marks(marked)

    def clear_marks(self) -> None:
        self._use_marks(events.InOutChanged())

    def _use_marks(self, marked: events.InOutChanged) -> None:
        self._marks = marked
        self._emit(marked)
        self._lead()

    # Frames that are painted ahead

    def _find_painted(self, frame: VideoFrame) -> Frame | None:
        renderer = self._renderer
        if renderer is None:
            return None
        renderer.use(self._wanted())
        found = None if self.presenter.compares or self.is_trying else renderer.get(frame.number)
        return found.frame if found is not None and found.is_of(frame) else None

    def _wanted(self) -> Wanted | None:
        opened, used, video = self._opened, self._in_use, self._video
        if opened is None or used is None or video is None or self._live is not None:
            return None
        look = self._look.with_values(split=None)
        if not opened.style.card.paints and opened.palette is None:
            seen = most(look, self.presenter.fitted.tracks).of(opened.style.card)
            if not seen.brush and not seen.raises:
                return None
        style = StyleSpec(used.full_name(self._mix))
        recipe = Recipe(style, look, self.presenter.guides.sizes, self._colour_spec, self.presenter.fitted.tracks)
        spec = JobSpec(video.info.source, "screen", recipe, precision=self.presenter.plan.precision)
        device = self.presenter.device.info
        return Wanted(spec, video.info, self._opening, device, opened.digest, states_of(recipe))

    def _take_fresh(self, number: int) -> None:
        if number == self._awaited:
            self._wake()

    def _lead(self) -> None:
        renderer, current, video = self._renderer, self._current, self._video
        if renderer is None or current is None or video is None:
            return
        previews = self.playing and not self.presenter.shows_painted
        self._awaited = None if self.playing or self.presenter.shows_painted else current.number
        if not previews:
            renderer.follow(Course.of(current.number, video.info.frame_count, self._marks, loop=self._loop))
        in_time = self.presenter.plan.divisor == 1.0 and self._stats.in_time
        renderer.hold(not self._paints_ahead or (previews and in_time))
        if self._awaited is not None and self._find_painted(current) is not None:
            self._wake()  # the frame was ready before anybody waited

    def paint_ahead(self, on: bool) -> None:
        """Switch painting ahead."""
        self._paints_ahead = on
        self._lead()

    def clear_renders(self) -> None:
        """Delete all cached frames."""
        if self._renderer is not None:
            self._renderer.clear()

    def limit_renders(self, limit_bytes: int) -> None:
        """Limit cached frames on disk."""
        if self._renderer is not None:
            self._renderer.limit_disk(limit_bytes)

    # Pictures for others

    def lend(self, take: Callable[[VideoFrame, VideoInfo], None]) -> None:
        """Call `take` with the decoded frame."""
        if self._video is not None and self._current is not None:
            take(self._current, self._video.info)

    def lend_picture(self, take: Callable[[npt.NDArray[np.uint8], VideoInfo], None]) -> None:
        """Call `take` with the painted picture, (H, W, 4) RGBA, if any."""
        video, current, presenter = self._video, self._current, self.presenter
        if video is None or current is None or not presenter.ready:
            return
        painted = self._find_painted(current) if presenter.shows_painted else None
        picture = presenter.fetch_shown() if painted is None else presenter.fetch_painted(painted)
        if picture is not None:
            (rgba,) = picture.planes
            take(cast("npt.NDArray[np.uint8]", rgba), video.info)

    def screenshot(self, name: Callable[[VideoInfo, int], Path]) -> None:
        """Save the shown frame, without divider.

        name: returns a free path.
        """

        def save(fetched: Frame, info: VideoInfo, number: int) -> None:
            path = name(info, number)
            try:
                self._emit(events.Saved(str(self._save_frame(fetched, info, path))))
            except OSError as error:
                self._emit(events.Notification.of(NOT_WRITTEN, error, path=str(path), reason=str(error.strerror)))

        self.lend_whole(save)

    def lend_whole(self, take: Callable[[Frame, VideoInfo, int], object]) -> None:
        """Call `take` with the painted frame (RGBA8) and number."""
        if self._video is None or self._current is None:
            return
        self.presenter.use_look(self._look.with_values(split=None), self._seen_mix)
        try:
            painted, presenter = self._find_painted(self._current), self.presenter
            fetched = presenter.fetch(self._current) if painted is None else presenter.fetch_painted(painted)
        finally:
            self.presenter.use_look(self._look, self._seen_mix)
        take(fetched, self._video.info, self._current.number)
        if self._coming is not None:
            self._prepare(self._coming, self._find_painted(self._coming))

    def record(self, target: Path | None) -> None:
        """Record the live source, None ends it."""
        if self._live is None:
            return
        if target is None:
            self._live.end_recording()
        else:
            self._live.record(target, self._emit)

    def feed_camera(self, on: bool) -> None:
        """Send the live source to a virtual camera."""
        if self._live is None:
            return
        if on:
            self._live.feed(self._emit)
        else:
            self._live.end_feed()
