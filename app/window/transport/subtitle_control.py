"""Subtitle tracks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from framebrush.base.worker_thread import EndingWorkers
from framebrush.media.reading.subtitle_tracks import Line, SubtitleTrack, find_tracks
from framebrush.media.video import VideoInfo
from framebrush.playback.events import Opened, Shown
from framebrush.playback.reading.reading_process import ReadingProcess, call
from framebrush.playback.subtitle_cues import SubtitleLines, Subtitles
from framebrush.window.picture.subtitle_overlay import SubtitleOverlay
from framebrush.window.state.menus import Menus
from framebrush.window.state.session import Session
from framebrush.window.transport.subtitle_lane import SubtitleLane
from framebrush.window.widgets.background import Background


class SubtitleControl(QObject):
    """Shows the selected subtitle track; later videos use one of the same name."""

    came = Signal()  # more cues were read at the current position
    found = Signal(object, object)  # a track and its lines

    def __init__(
        self,
        overlay: SubtitleOverlay,
        lane: SubtitleLane,
        menus: Menus,
        session: Session,
        reading: ReadingProcess | None = None,
    ) -> None:
        """reading: as for `Subtitles`."""
        super().__init__(session)
        self.overlay, self._lane, self._menus, self._reading = overlay, lane, menus, reading
        self._info: VideoInfo | None = None
        self.tracks: tuple[SubtitleTrack, ...] = ()
        self._track: SubtitleTrack | None = None
        self._reader: Subtitles | None = None
        self._lines: SubtitleLines | None = None
        self._ending = EndingWorkers()
        self._wanted = ""  # a track's name
        self._at_s = self.delay_s = 0.0
        self.came.connect(self._refresh)
        self.found.connect(self._show_lines)
        menus.subtitles_chosen.connect(self.choose)
        session.film_changed.connect(self._open)
        session.events.on(Shown, lambda shown: self._show_at(shown.at.time_s))

    def _open(self, opened: Opened | None) -> None:
        info = opened.info if opened is not None else None
        self._info, self.tracks, self._at_s, self.delay_s = info, (), 0.0, 0.0
        self._use(None)
        self._menus.show_subtitles((), None)
        path = info.path if info is not None else None
        if info is not None and path is not None:
            find = partial(call, self._reading, path, find_tracks, path, info.opening)
            Background(lambda: (info, find()), self._found, self)

    def _show_at(self, time_s: float) -> None:
        self._at_s = time_s
        self._refresh()

    def delay(self, seconds: float) -> None:
        """Delay this video's subtitles; negative values advance them."""
        self.delay_s = seconds
        self._lane.show_delay(seconds)
        self._refresh()

    def choose(self, number: int | None) -> None:
        """Show a track by number; None for no subtitles."""
        track = self.tracks[number] if number is not None and number < len(self.tracks) else None
        self._wanted = track.name if track is not None else ""
        self._use(track)

    def close(self, *, wait: bool = False) -> None:
        """Stop reading. wait: for all threads, before deletion."""
        for worker in (self._reader, self._lines):
            self._ending.end(worker, wait=wait)
        self._reader = self._lines = None

    def _found(self, found: tuple[VideoInfo, tuple[SubtitleTrack, ...]]) -> None:
        info, tracks = found
        if info is not self._info:
            return  # another video has been opened since
        self.tracks = tracks
        names = [track.name if track.shown else "" for track in tracks]
        number = names.index(self._wanted) if self._wanted in names and self._wanted else None
        self._menus.show_subtitles(tracks, number)
        if number is not None:
            self._use(tracks[number])

    def _use(self, track: SubtitleTrack | None) -> None:
        self.close()
        self._track = track
        self._lane.show_lines(())
        if track is not None and self._info is not None:
            self._reader = Subtitles(track, float(self._info.start_s), self.came.emit, self._reading)
            self._lines = SubtitleLines(track, partial(self.found.emit, track), self._reading)
        self._refresh()

    def _show_lines(self, track: SubtitleTrack, lines: Sequence[Line]) -> None:
        if track is self._track and self._info is not None:
            origin_s = float(self._info.start_s)
            self._lane.show_lines([Line(start - origin_s, end - origin_s, text) for start, end, text in lines])

    def _refresh(self) -> None:
        self.overlay.show_cues(self._reader.at(self._at_s - self.delay_s) if self._reader is not None else ())
