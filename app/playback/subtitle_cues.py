"""Subtitles around the current position."""

from __future__ import annotations

import bisect
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import av

from framebrush.base.worker_thread import Worker
from framebrush.media.reading.subtitle_tracks import Cue, Line, SubtitleReader, SubtitleTrack
from framebrush.media.video import InputError
from framebrush.playback.reading.reading_process import Far, LostError, Near, ReadingProcess, opened

BACK_S, AHEAD_S = 30.0, 20.0
"""How far before the position reading starts, for cues that start earlier and are still shown, and how far ahead it
goes. Playback then finds the data that it reads shortly afterwards in the system's cache."""

MAX_CUES, MAX_BYTES = 1000, 64 << 20
"""Limits of cached cues. Reading pauses while all of them are current or upcoming."""

ROUNDING_S = 1e-4
"""A frame at the end time of a cue is after it, however the sum is rounded."""

MOST_LINES, TELL_S = 20_000, 0.5
"""Most lines of a track that are found, and seconds between reports of them."""

MAX_SHOWN = 6
"""The most cues at one time; broken files contain thousands."""


class Subtitles(Worker):
    """Subtitle track, read ahead in a thread. Errors show nothing."""

    def __init__(
        self,
        track: SubtitleTrack,
        origin_s: float,
        on_fresh: Callable[[], None],
        reading: ReadingProcess | None = None,
    ) -> None:
        """Start. on_fresh: called in the thread for new cues.

        origin_s: file time of the first shown frame.
        """
        self._track, self._origin_s, self._on_fresh, self._reading = track, origin_s, on_fresh, reading
        self._at_s = origin_s
        self._from_s = self._to_s = 0.0  # span that was read, in the file's timestamps
        self.cues: list[Cue] = []
        self.used_bytes = 0
        super().__init__("subtitles")

    def at(self, time_s: float) -> tuple[Cue, ...]:
        """Return a time's cues, latest first."""
        with self._changed:
            self._at_s = at_s = self._origin_s + time_s + ROUNDING_S
            self._changed.notify()
            following = bisect.bisect_right(self.cues, at_s, key=_start)
            shown: list[Cue] = []
            for place in range(following - 1, -1, -1):
                cue = self.cues[place]
                ended = cue.open and place + 1 < following and self.cues[following - 1].start_s > cue.start_s
                if at_s < cue.end_s and not ended and (cue.text or cue.pictures):
                    shown.append(cue)
                if len(shown) == MAX_SHOWN:
                    break
            return tuple(shown)

    def _run(self) -> None:
        with suppress(InputError, av.error.FFmpegError, ValueError, OSError):
            while not self._ended:
                doing = "subtitles", self._track.number
                with (
                    suppress(LostError),  # by something else: the next process has it
                    opened(self._reading, self._track.path, doing, SubtitleReader, self._track) as reader,
                ):
                    while not self._ended:
                        self._read(reader)

    def _read(self, reader: Far[SubtitleReader] | Near[SubtitleReader]) -> None:
        with self._changed:
            begin_s = self._at_s - BACK_S
            self.cues, self.used_bytes = [], 0
            self._from_s = self._to_s = begin_s
        for at_s, cue in reader.each(SubtitleReader.cues, begin_s):
            if cue is not None and cue.end_s >= begin_s:
                self._keep(cue)
            with self._changed:
                self._to_s = max(self._to_s, at_s)
                self._changed.wait_for(lambda: self._ended or self._elsewhere or not self._enough)
                if self._ended or self._elsewhere:
                    return
        with self._changed:  # the end of the file
            self._to_s = float("inf")
            self._changed.wait_for(lambda: self._ended or self._elsewhere)

    @property
    def _elsewhere(self) -> bool:
        return self._at_s < self._from_s or self._at_s > self._to_s + BACK_S + AHEAD_S

    @property
    def _enough(self) -> bool:
        self._forget(self._at_s - BACK_S)
        if self.is_full:
            self._forget(self._at_s)
        return self._to_s > self._at_s + AHEAD_S or self.is_full

    @property
    def is_full(self) -> bool:
        """Whether enough cues are read ahead."""
        return len(self.cues) >= MAX_CUES or self.used_bytes >= MAX_BYTES

    def _forget(self, before_s: float) -> None:
        gone = 0
        for cue, following in zip(self.cues, self.cues[1:], strict=False):
            if min(cue.end_s, following.start_s if cue.open else cue.end_s) >= before_s:
                break
            self.used_bytes -= cue.size_bytes
            gone += 1
        if gone:
            del self.cues[:gone]
            self._from_s = max(self._from_s, before_s)

    def _keep(self, cue: Cue) -> None:
        with self._changed:
            bisect.insort_right(self.cues, cue, key=_start)
            self.used_bytes += cue.size_bytes
        if cue.start_s <= self._at_s < cue.end_s:
            self._on_fresh()


class SubtitleLines(Worker):
    """Search for a track's lines, in a thread."""

    def __init__(
        self,
        track: SubtitleTrack,
        on_found: Callable[[Sequence[Line]], None],
        reading: ReadingProcess | None = None,
    ) -> None:
        """Start. on_found: called in the thread with lines so far."""
        self._track, self._on_found, self._reading = track, on_found, reading
        super().__init__("lines of subtitles")

    def _run(self) -> None:
        found, told_s = list[Line](), time.monotonic()
        with suppress(InputError, LostError, av.error.FFmpegError, ValueError, OSError):
            doing = "lines", self._track.number
            with opened(self._reading, self._track.path, doing, SubtitleReader, self._track) as reader:
                for line in reader.each(SubtitleReader.lines):
                    if self._ended or len(found) == MOST_LINES:
                        break
                    if line is not None:
                        found.append(Line(*line))
                    if time.monotonic() - told_s > TELL_S:
                        self._on_found(tuple(found))
                        told_s = time.monotonic()
        if not self._ended:
            self._on_found(tuple(found))


def _start(cue: Cue) -> float:
    return cue.start_s
