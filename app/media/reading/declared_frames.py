"""Comparison of declared with decoded frames."""

from __future__ import annotations

import os
from pathlib import Path

from framebrush.media.reading.completeness import is_cut_off
from framebrush.media.reading.decoder import Decoder
from framebrush.media.reading.index import must_be_decoded
from framebrush.media.video import OpenOptions, VideoInfo

MAX_DECLARED_FRAMES = 10_000_000  # a damaged header may claim any duration


class DeclaredFrames:
    """Frame count that a file declares.

    promised: count in MP4 or MOV, None if packets may be empty. cut_off: the file ended early.
    """

    def __init__(
        self, path: Path, opening: OpenOptions, decoder: Decoder, container: str, opened: os.stat_result | None
    ) -> None:
        self._path, self._decoder, self._opened = path, decoder, opened
        self._is_numbered = opening.rate is not None
        self.promised = self._count_promised(container)
        self.cut_off = False

    def _count_promised(self, container: str) -> int | None:
        source = self._decoder.source
        if not container.startswith("mov") or not source.stream.frames:
            return None
        sizes = [entry.size for entry in source.stream.index_entries if not entry.is_discard]
        if any(must_be_decoded(size, source.codec) for size in sizes):
            return None
        return self._decoder.cadence.count(len(sizes))

    def count(self, info: VideoInfo) -> int:
        """Return the declared count, else by duration."""
        by_time = 0.0
        if info.duration_s is not None and info.rate is not None:
            by_time = info.duration_s * float(info.rate)
        count = self._decoder.cadence.count(self._decoder.source.stream.frames)
        return count or min(round(by_time), MAX_DECLARED_FRAMES)

    def missing_at_end(self, number: int, end_pts: int | None, absent: int, info: VideoInfo) -> int:
        """Return the number of frames missing at the end.

        number: of the next frame. end_pts: None for the file's end.
        """
        expected, cadence, is_counted = self._decoder.expected, self._decoder.cadence, self._decoder.counted
        if is_counted:
            missing = cadence.count(number + expected.missing_of(number)) - number
        else:
            given_pts = None if end_pts is None else -(-end_pts // cadence.given)
            missing = cadence.count(len(expected.missing_before(given_pts)))
        if end_pts is not None and not is_counted:
            return missing
        promised, declared = (self.promised or 0) - number, self.count(info)
        if not self._is_numbered and self._ended_early(number, declared):
            self.cut_off = True
            promised = max(promised, declared - number - absent)
        return max(0, missing, promised)

    def _ended_early(self, number: int, declared: int) -> bool:
        if self._decoder.source.problems.gave_up and not 0 < declared <= number:
            return True
        now = state_of(self._path)
        if now is None or self._opened is None:
            return not self._path.parent.is_dir()
        if not os.path.samestat(now, self._opened):
            return False
        return now.st_size < self._opened.st_size or is_cut_off(self._path)


def state_of(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except (OSError, ValueError):
        return None
