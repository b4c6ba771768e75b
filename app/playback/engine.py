"""The player's operations, one call at a time: play, seek, step, paint and repaint.

Frames are dropped before the network runs on them. `_at`, the position in the video, is ahead of `_current`, the frame
on the screen.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from enum import Enum, auto
from fractions import Fraction
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt

from framebrush.analysis.to_rgb import ToRgb, opaque, small
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import Frame
from framebrush.jobs.look_keys import most
from framebrush.jobs.prepare import states_of
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.media.video import InputError, Position, VideoFrame, VideoInfo
from framebrush.playback import events
from framebrush.playback.ahead.cache import RenderCache
from framebrush.playback.ahead.renderer import Renderer, Wanted
from framebrush.playback.ahead.store import RenderStore
from framebrush.playback.display.presenter import MakeSurface, Presenter
from framebrush.playback.display.screen import Emit, Screen
from framebrush.playback.events import QT_TRANSLATE_NOOP
from framebrush.playback.live_turn import LiveTurn
from framebrush.playback.marks import Marks
from framebrush.playback.pacing import Pace, pace
from framebrush.playback.playback_stats import PlaybackStats
from framebrush.playback.reading.process import ReadingProcess
from framebrush.playback.timekeeper import Timekeeper
from framebrush.playback.video_source import VideoSource
from framebrush.styles.names import plain_style
from framebrush.styles.specs import SOURCE_SIZE, SizeSpec, StyleSpec

SaveFrame = Callable[[Frame, VideoInfo, Path], Path]

UNPAINTED_LINES = 720
"""Most lines of an unpainted frame shown while waiting."""

REFINE_S = 0.3
"""Delay after pausing until the frame is repainted in full quality, as many pauses are short."""

CANNOT_SEEK = QT_TRANSLATE_NOOP("Player", "This source does not support seeking.")
CANNOT_STEP_BACK = QT_TRANSLATE_NOOP(
    "Player", "This source does not support seeking, and the earlier frames are no longer in memory."
)
TOO_SLOW = QT_TRANSLATE_NOOP(
    "Player",
    "This device is too slow for the film: frames are left out here; exports have all of them. In a pause, frames are "
    "painted ahead and then play in time. Picture > Fewer strokes is faster, and changes exports, too.",
)
NOT_WRITTEN = QT_TRANSLATE_NOOP("Player", "The screenshot could not be written to {path}: {reason}")


class State(Enum):
    """State of an open film. WAITING: plays once its first frame is painted."""

    PAUSED = auto()
    WAITING = auto()
    PLAYING = auto()


class Engine(Screen):
    """Operations of the player.

    Not thread-safe. Any method may raise InputError or DeviceError; the engine remains usable.
    """

    def __init__(
        self,
        emit: Emit,
        make_surface: MakeSurface,
        save_frame: SaveFrame,
        *,
        sizes: SizeSpec = SOURCE_SIZE,
        monotonic: Callable[[], float] = time.perf_counter,
        wake: Callable[[], None] = lambda: None,
        renders: RenderCache | None = None,
        store: RenderStore | None = None,
        reading: ReadingProcess | None = None,
    ) -> None:
        """Create an engine.

        Args:
            wake: ends a wait for `idle_s`, from any thread.
            reading: decodes, and is closed with this.
        """
        super().__init__(emit, Presenter(make_surface, sizes), wake)
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
        self._at: VideoFrame | None = None  # the last frame read from the video
        self._coming: VideoFrame | None = None  # prepared, not yet due
        self._marks = Marks()
        self.state, self._loop = State.PAUSED, False
        self._stats = PlaybackStats(monotonic)
        self._warned: set[str] = set()
        self._told_slow = False  # once is enough

    @property
    def speed(self) -> float:
        """Media seconds per second."""
        return self.time.speed

    @property
    def playing(self) -> bool:
        """Return whether frames follow each other."""
        return self.state is State.PLAYING

    def idle_s(self) -> float | None:
        """Return the time until the next frame is due; None while paused."""
        if not self.playing:
            return REFINE_S if self._can_refine else None
        if self._live is not None:
            return self._live.idle_s()
        if self._coming is None or self._video is None:
            return 0.0
        return max(0.0, self.time.left_s(self._video.time_s(self._coming)))

    def advance(self) -> None:
        """Show the frame that is due, or read the next one and drop it or start painting it.

        While paused, show the current frame in full quality.
        """
        if self.recolour():
            return
        if not self.playing:
            self._refine()
            return
        video, at = self._video, self._at
        if video is None or at is None or not self.presenter.ready:
            self.stop()
            return
        if self._live is not None:
            self._advance_live(self._live)
            return
        if self._coming is not None:
            self._present(self._coming)
            return
        frame = self._next_frame(video, at)
        if frame is None:
            self._end(video, at)
            return
        self._at = frame
        due_s = video.time_s(frame)
        painted = self._find_painted(frame)
        latency_s = self.presenter.latency_s if painted is None else self.presenter.painted_latency_s
        late_s, period_s = -self.time.left_s(due_s), video.period_s / self.time.speed
        match pace(late_s, latency_s=latency_s, period_s=period_s, gap_s=self._stats.gap_s):
            case Pace.SET_BACK:
                self.time.run(due_s)
            case Pace.DROP:
                self._stats.dropped += 1
                return
        if painted is None and self.presenter.shows_painted:
            self._fit_quality(video)
        self._prepare(frame, painted)
        self._coming = frame

    @property
    def _can_refine(self) -> bool:
        presenter, current = self.presenter, self._current
        if current is None or not presenter.ready:
            return False
        return not presenter.shows(current) if presenter.shows_painted else presenter.divisor != 1.0

    def _refine(self) -> None:
        """Improve a still frame.

        Show the version that was painted ahead, or else paint it at the size of an export.
        """
        current = self._current
        if current is not None and self._awaited == current.number and self._find_painted(current) is not None:
            self._present_again()
        elif not self.presenter.shows_painted:
            self._use_divisor(1.0)
        elif current is not None and self._can_refine:
            self.presenter.have_preview(current)

    def _prepare(self, frame: VideoFrame, painted: Frame | None) -> None:
        if painted is None:
            self.presenter.prepare(frame)
        else:
            self.presenter.prepare_painted(painted)

    def _find_painted(self, frame: VideoFrame) -> Frame | None:
        renderer = self._renderer
        if renderer is None:
            return None
        renderer.use(self._wanted())
        found = None if self.presenter.compares or self.is_trying else renderer.get(frame.number)
        return found.frame if found is not None and found.is_of(frame) else None

    def _wanted(self) -> Wanted | None:
        """Return the request for painting ahead, or None."""
        opened, used, video = self._opened, self._in_use, self._video
        if opened is None or used is None or video is None or self._live is not None:
            return None
        look = replace(self._look, split=None, mix=())
        seen = most(look, self.presenter.tracks).of(opened.style.card)
        if not opened.style.card.paints and opened.palette is None and not seen.brush and not seen.raises:
            return None
        style = StyleSpec(used.full_name(self._look.mix))
        recipe = Recipe(style, look, self.presenter.asked_sizes, self._colour_spec, self.presenter.tracks)
        spec = JobSpec(video.info.source, "screen", recipe, precision=self.presenter.precision)
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
            renderer.follow(self._marks.course(current.number, video.info.frame_count, loop=self._loop))
        in_time = self.presenter.divisor == 1.0 and self._stats.in_time
        renderer.hold(not self._paints_ahead or (previews and in_time))
        if self._awaited is not None and self._find_painted(current) is not None:
            self._wake()  # it was ready before it was awaited

    def _advance_live(self, live: LiveTurn) -> None:
        try:
            frame = live.frame()
        except InputError:
            live.end_recording()
            raise
        if frame is not None:
            self._show(frame)
        elif live.source.over:
            live.end_recording()
            self.stop()

    def _end(self, video: VideoSource, last: VideoFrame) -> None:
        if last is not self._current:
            self._prepare(last, self._find_painted(last))
            self._present(last)
        self.stop()
        self._warn(video)
        self._emit(events.PlayedOut())

    def _next_frame(self, video: VideoSource, at: VideoFrame) -> VideoFrame | None:
        frame = None if self._loop and self._marks.is_last(at.number) else video.forward(at.number)
        if frame is None and self._loop:
            frame = video.seek(self._marks.beginning)
            if frame is not None:  # the previous frame stays on the screen for its full duration
                self.time.turn(video.time_s(at) + video.period_s - video.time_s(frame))
        return frame

    def _present(self, frame: VideoFrame) -> None:
        begin = time.perf_counter()
        self.presenter.present()
        self._stats.shown(time.perf_counter() - begin)
        if self._live is not None and self.playing:
            self._live.presented(frame)
        self._current, self._coming = frame, None
        self._tell_veil(frame)
        self._colours.see(frame, more=self.playing)
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

    def _tell_shown(self, frame: VideoFrame) -> None:
        self._tell_sizes()
        self._emit(events.Shown(self._mark_of(frame), self.presenter.shows_painted))
        self._lead()

    def _fit_quality(self, video: VideoSource) -> None:
        presenter, period_s = self.presenter, video.period_s / self.time.speed
        lines = min(presenter.whole.working) if presenter.whole is not None else 0
        times = presenter.divisor, presenter.stages_ms, period_s, lines
        if presenter.thins and not self._told_slow and self._quality.is_too_slow(*times):
            self._told_slow = True
            self._emit(events.Notification.of_text(TOO_SLOW))
        self._use_divisor(self._quality.divisor(*times))

    def _show(self, frame: VideoFrame | None) -> None:
        self._coming = None
        if frame is None:
            return
        self._current = self._at = frame
        if self.presenter.ready:
            self._prepare(frame, self._find_painted(frame))
            self._present(frame)
            if self.state is State.WAITING:
                self.play(True)

    def _repaint(self) -> None:
        if self._coming is not None and self.presenter.ready:
            self._prepare(self._coming, self._find_painted(self._coming))
        elif not self.playing:
            self._show(self._current)

    def _on_show(self) -> VideoFrame | None:
        return self._current

    def _present_again(self, *, paint: bool = False) -> None:
        presenter, current = self.presenter, self._current
        if self.playing or current is None or not presenter.ready:
            if presenter.painted_is_coming:
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

    # Commands

    def open(self, source: str) -> None:
        """Open a source of `open_frame_source` and show its first frame.

        On failure the current video stays, paused.
        """
        self._be_busy("opening")
        try:
            video = VideoSource(source, reading=self._reading)
            try:
                first, info = video.forward(-1), video.info
            except BaseException:
                video.close()
                raise
        except InputError:
            self._emit(events.Refused(source))
            raise
        picture = self._unpainted(first)
        self.close_video()
        self._video = video
        self._opening += 1
        self._current = self._at = first
        self._sizes = None  # to be told of this film, even if they are those of the one before
        if video.live is not None:
            self._live = LiveTurn(video.live, self.presenter, self._stats, self._wake)
        sound = self.time.open(info)
        tracks, lacks_output = self.time.tracks, self.time.lacks_output
        self._emit(events.Opened(info, sound, video.can_seek, self._live is not None, tracks, lacks_output, picture))
        self._warned = set()
        self._warn(video)
        self.presenter.use_video(info)
        self._use_film()
        self._show(first)

    def _unpainted(self, frame: VideoFrame | None) -> npt.NDArray[np.uint8] | None:
        if frame is None:
            return None
        form = frame.frame.format
        try:
            with ExitStack() as stack:
                size = small((form.width, form.height), UNPAINTED_LINES)
                convert = ToRgb(stack, form, size, plain_style(), self._look.tone_map)
                return cast("npt.NDArray[np.uint8]", opaque(convert(frame.frame)).planes[0])
        except DeviceError:  # which painting it reports
            return None

    def play_opened(self, source: str) -> None:
        """Play if this source was opened."""
        if self._video is not None and self._video.name == source:
            self.play(True)

    def _warn(self, video: VideoSource) -> None:
        for warning in video.warnings:
            if warning not in self._warned:
                self._warned.add(warning)
                self._emit(events.Notification(warning))

    def close_video(self) -> None:
        """Close the video; the screen becomes empty."""
        self.stop()
        self.time.close()
        self._current = self._at = None
        if self._video is None:
            return
        self.clear_marks()
        live, self._live = self._live, None
        if live is not None:
            live.close()
        video, self._video = self._video, None
        video.close()
        if self._renderer is not None:
            self._renderer.use(None)
        self._emit(events.Closed())
        self.presenter.use_video(None)
        self._end_trial()

    def close(self) -> None:
        """Free everything."""
        with ExitStack() as stack:
            stack.callback(self.presenter.close)
            stack.callback(self._colours.close)
            if self._reading is not None:
                stack.callback(self._reading.close)
            if self._renderer is not None:
                stack.callback(self._renderer.close)
            if self._video is not None:
                stack.callback(self._video.close)
            if self._live is not None:
                stack.callback(self._live.close)
            self.stop()
            self._live = self._video = self._current = self._at = None

    def play(self, on: bool) -> None:
        """Play, once the first frame is painted, or pause.

        At the end, playback starts again from the beginning.
        """
        video, current = self._video, self._current
        waits = on and video is not None and not self.presenter.ready
        if not on or video is None or current is None or not self.presenter.ready:
            self.stop()
            self.state = State.WAITING if waits else State.PAUSED
            self._present_again()  # with its latest colours
            self._emit(events.Playing(False))  # the button may already show that it is playing
            return
        if self.playing:
            return
        if video.is_last(current.number):
            self.seek(self._marks.beginning)
        self.state = State.PLAYING
        if self._find_painted(current) is None:
            self._fit_quality(video)
        self._stats.start()
        if self._live is not None:
            self._live.start()
        self.time.run(video.time_s(self._current or current))
        self._emit(events.Playing(True))

    def stop(self) -> None:
        """Pause at the frame on the screen."""
        self.time.stop()
        if self._live is not None:
            self._live.stop()
        if self._coming is not None:
            self._coming = None
            with suppress(DeviceError):  # also called after an error
                self.presenter.drop()
        self._at = self._current
        was_playing, self.state = self.playing, State.PAUSED
        if was_playing:
            self._colours.settle()
            self._emit(events.Playing(False))
            self._lead()

    def seek(self, position: Position, *, on_screen: bool = False) -> None:
        """Seek exactly. on_screen: between two frames, to the earlier one."""
        video = self._video
        if video is None:
            return
        self._be_busy("seeking")
        by_time = on_screen and position.unit == "s"
        frame = video.on_screen_at(position.value) if by_time else video.seek(position)
        if frame is None:
            if not video.can_seek:
                self._emit(events.Notification.of_text(CANNOT_SEEK))
            return
        self._show(frame)
        if self.playing:
            self.time.run(video.time_s(frame))

    def skip(self, seconds: Fraction) -> None:
        """Seek forwards or backwards by a time."""
        if self._video is None or self._current is None:
            return
        self.seek(Position(max(Fraction(0), self._video.info.time_s(self._current) + seconds), "s"))

    def step(self, frames: int) -> None:
        """Step forwards, or backwards if negative, and pause."""
        self.stop()
        if self._video is None or self._current is None:
            return
        step = self._video.forward if frames > 0 else self._video.back
        frame = None
        for _ in range(abs(frames)):
            following = step((frame or self._current).number)
            if following is None:
                break
            frame = following
        if frame is None and frames < 0 and self._current.number > 0 and not self._video.can_seek:
            self._emit(events.Notification.of_text(CANNOT_STEP_BACK))
        self._show(frame)

    def set_speed(self, speed: float) -> None:
        """Set the playback speed as a factor."""
        self.time.use_speed(speed, runs=self.playing)

    def set_loop(self, on: bool) -> None:
        """Loop from the out point, or the end, to the in point, or the beginning."""
        self._loop = on
        self._lead()

    def use_track(self, track: int) -> None:
        """Select another audio track."""
        self.time.use_track(track, self.time.now() if self.playing else None)

    def delay_sound(self, seconds: float) -> None:
        """Delay the audio relative to the picture; negative values advance it."""
        self.time.delay(seconds, self.time.now() if self.playing else None)

    def mark(self, *, first: bool) -> None:
        """Set the in point (first) or the out point to the frame on the screen."""
        if self._current is not None:
            self._marks.set(self._mark_of(self._current), first=first)
            self._emit(self._marks.event)
            self._lead()

    def use_marks(self, marked: events.Marked) -> None:
        """Set the in and out points of the open video."""
        if self._video is not None:
            self._marks.use(marked)
            self._emit(self._marks.event)
            self._lead()

    def clear_marks(self) -> None:
        """Clear the in and out points."""
        self._marks.clear()
        self._emit(self._marks.event)
        self._lead()

    def _mark_of(self, frame: VideoFrame) -> events.Mark:
        assert self._video is not None
        return events.Mark(frame.number, self._video.time_s(frame))

    def paint_ahead(self, on: bool) -> None:
        """Switch painting ahead on or off. Cached frames are shown in any case."""
        self._paints_ahead = on
        self._lead()

    def clear_renders(self) -> None:
        """Delete all frames that were painted ahead."""
        if self._renderer is not None:
            self._renderer.clear()

    def limit_renders(self, limit_bytes: int) -> None:
        """Change the limit for frames on the disk."""
        if self._renderer is not None:
            self._renderer.limit_disk(limit_bytes)

    def record(self, target: Path | None) -> None:
        """Record the painted live source to a new file; None ends and completes it."""
        if self._live is None:
            return
        if target is None:
            self._live.end_recording()
        else:
            self._live.record(target, self._emit)

    def feed_camera(self, on: bool) -> None:
        """Send the painted live source to a virtual camera, or no longer."""
        if self._live is None:
            return
        if on:
            self._live.feed(self._emit)
        else:
            self._live.end_feed()

    def attach(self) -> None:
        """Attach to the window once it is on the screen."""
        if self.presenter.attach():
            self._repaint()

    def lend(self, take: Callable[[VideoFrame, VideoInfo], None]) -> None:
        """Call `take` with the decoded frame on the screen, if there is one."""
        if self._video is not None and self._current is not None:
            take(self._current, self._video.info)

    def lend_picture(self, take: Callable[[npt.NDArray[np.uint8], VideoInfo], None]) -> None:
        """Call `take` with the painted picture on the screen, if there is one.

        (H, W, 4) RGBA without the divider.
        """
        video, current, presenter = self._video, self._current, self.presenter
        if video is None or current is None or not presenter.ready:
            return
        painted = self._find_painted(current) if presenter.shows_painted else None
        picture = presenter.fetch_shown() if painted is None else presenter.fetch_painted(painted)
        if picture is not None:
            take(cast("npt.NDArray[np.uint8]", picture.planes[0]), video.info)

    def screenshot(self, name: Callable[[VideoInfo, int], Path]) -> None:
        """Save the frame on the screen without the divider.

        Args:
            name: returns a free path for a film and frame number.
        """
        if self._video is None or self._current is None:
            return
        path = name(self._video.info, self._current.number)
        try:
            self.presenter.use_look(replace(self._seen_look, split=None))
            try:
                painted = self._find_painted(self._current)
                if painted is None:
                    fetched = self.presenter.fetch(self._current)
                else:
                    fetched = self.presenter.fetch_painted(painted)
            finally:
                self.presenter.use_look(self._seen_look)
            saved = self._save_frame(fetched, self._video.info, path)
            self._emit(events.Saved(str(saved)))
        except OSError as error:
            self._emit(events.Notification.of(NOT_WRITTEN, error, path=str(path), reason=str(error.strerror)))
        if self._coming is not None:
            self._prepare(self._coming, self._find_painted(self._coming))
