"""Reading of video files with exact ranges and seeks.

A time means the first frame at or after it, from the first shown frame. Numbers count shown frames, after edit lists.

Seeks need an index of all timestamps. Files with unusable ones (raw streams, AVI) are decoded from the start.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import av
from av.video.frame import VideoFrame as AVFrame

from framebrush.base.text import count_of
from framebrush.gpu.device import Device
from framebrush.gpu.temporal_window import NO_WINDOW, TemporalWindow
from framebrush.media.reading.completeness import is_cut_off
from framebrush.media.reading.declared_frames import DeclaredFrames, state_of
from framebrush.media.reading.decoder import Decoder
from framebrush.media.reading.first_frame import FirstFrame, not_converted, pts_of
from framebrush.media.reading.index import FrameIndex
from framebrush.media.reading.listing import index_of
from framebrush.media.video import (
    PLAIN_FILE,
    Deinterlace,
    FrameSource,
    InputError,
    OpenOptions,
    Position,
    RangeError,
    TimeRange,
    VideoFrame,
)


class Reader(FrameSource):
    """Frames of a file's range. `seek` may be called while iterating.

    profile_problem: why an ICC profile was ignored.
    """

    can_seek = True

    def __init__(
        self,
        path: Path | str,
        span: TimeRange | None = None,
        *,
        opening: OpenOptions = PLAIN_FILE,
        hardware: str | None = None,
        device: Device | None = None,
        deinterlace: Deinterlace = "auto",
        threads: int = 0,
        context: TemporalWindow = NO_WINDOW,
    ) -> None:
        """Open a file. Raises InputError, RangeError.

        Args:
            hardware: "d3d12va", "d3d11va", "cuda" or "auto".
            device: for painting; frames may stay there.
            threads: of the CPU decoder, 0 for one per core.
        """
        self.path = Path(path)
        self.name = self.path.name
        self._other_profiles = 0
        self._opening = opening
        opened = state_of(self.path)
        self._index: FrameIndex | None = None
        self._scanned = False
        self._context, self._context_left = context, context.after
        self._start_number = 0
        self._end_number: int | None = None
        self._end_pts: int | None = None
        self._asked_pts: tuple[int | None, int | None] = None, None
        self._last_shown = self._absent = 0
        device = device if hardware is not None else None
        self._decoder = Decoder(
            self.path, opening, hardware=hardware, device=device, threads=threads, deinterlace=deinterlace
        )
        try:
            self._first = FirstFrame(self.path, opening, self._decoder, device, hardware)
            self._ahead: AVFrame | None = self._first.frame
            self._number = 0
            self.info, self.profile_problem = self._first.info, self._first.profile_problem
            self._planes = self._first.planes
            self._declared = DeclaredFrames(self.path, opening, self._decoder, self.info.container, opened)
            self._apply(span or TimeRange())
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._ahead = None
        self._decoder.close()

    @property
    def warnings(self) -> list[str]:
        """Messages about problems so far."""
        lines = [*self._first.notes, *([self._planes.note] if self._planes.note else [])]
        decoder = self._decoder
        lines += [f"{self.path.name}: {problem}" for problem in dict.fromkeys(decoder.source.problems)]
        if decoder.source.timeline.jumps:
            lines.append(
                f"the clock jumps in {count_of(decoder.source.timeline.jumps, 'place')}: times continue without jumps"
            )
        if self._planes.changed:
            differ = count_of(self._planes.changed, "frame", "differs/differ")
            lines.append(f"{differ} from the first in size or format: converted to {self._first.own_size}")
        if self._other_profiles:
            have = count_of(self._other_profiles, "frame", "has/have")
            lines.append(f"{have} another colour profile than the first: the first one's is used for all")
        if decoder.damaged:
            lines.append(f"{count_of(decoder.damaged, 'frame', 'is/are')} damaged: shown as far as could be decoded")
        if decoder.mended:
            lines.append(f"{count_of(decoder.mended, 'timestamp', 'does/do')} not increase: moved")
        if self.absent_frames:
            lines.append(f"{self.path.name} is damaged: frames are not in it")
        if self.cut_off:
            lines.append(f"{self.path.name} is cut off: what comes after its last whole frame is missing")
        return lines

    def __next__(self) -> VideoFrame:
        frame = self._ahead or next(self._decoder.frames, None)
        self._ahead = frame
        if frame is None:
            if self._context_left == self._context.after:  # the range may have been longer
                self._find_missing_time(to_end=True)
                self._lose(self._declared.missing_at_end(self._number, self._end_pts, self.absent_frames, self.info))
                self.cut_off = self._declared.cut_off
            raise StopIteration
        missing = self._decoder.missing_before(frame)
        self._lose(sum(self._end_pts is None or time < self._end_pts for time in missing))
        behind = (self._end_number is not None and self._number >= self._end_number) or self._ends_before(frame)
        if behind:
            if not self._context_left:
                self._find_missing_time(to_end=False)
                raise StopIteration
            self._context_left -= 1
        self._ahead = None
        shown = self._numbered(self._number, frame, context=behind or self._number < self._start_number)
        self._last_shown = self._last_shown if shown.context else shown.pts
        self._number += 1
        return shown

    def indexed_range(self) -> tuple[FrameIndex, range] | None:
        """Return index and remaining frame numbers, None if only decoding tells."""
        self._make_index()
        if self._index is None:
            return None
        ends = [len(self._index.pts), *([] if self._end_number is None else [self._end_number])]
        return self._index, range(max(self._start_number, self._number), min(ends))

    def bounds(self) -> tuple[int, int | None]:
        """Return the range's first frame and end, None if only decoding tells."""
        indexed, first, count = self.indexed_range(), self._start_number, self.info.frame_count
        if indexed is not None:
            return indexed[1].start, indexed[1].stop
        return first, None if count is None else first + count

    def _numbered(self, number: int, frame: AVFrame, *, context: bool) -> VideoFrame:
        self._other_profiles += self._first.has_other_profile(frame, number)
        try:
            return VideoFrame(number, pts_of(frame), frame.duration or 0, self._planes.wrap(frame), context)
        except (ValueError, av.error.FFmpegError) as error:
            raise not_converted(self.path, error) from None

    def seek(self, position: Position) -> None:
        """Continue exactly at a position."""
        self._start_number, self._context_left = 0, self._context.after
        self._make_index()
        self._go_to(position, clamp=True)

    def _apply(self, span: TimeRange) -> None:
        begin_pts, end_pts = (
            self._tick_of(place) if place is not None and place.unit == "s" else None
            for place in (span.start, span.end)
        )
        self._asked_pts = begin_pts, end_pts
        if span.start is not None or span.end is not None:
            self._make_index()
        start = 0
        if span.start is not None:
            still = span.frames == 1 and span.end is None
            start = self._go_to(span.start, clamp=False, still=still, before=self._context.before)
            self._start_number = start
        ends = [start + span.frames] if span.frames is not None else []
        if span.end is not None:
            if self._index is not None:
                ends.append(self._index.number_of(span.end, self.info))
            elif span.end.unit == "frame":
                ends.append(int(span.end.value))
            else:
                self._end_pts = end_pts
        self._end_number = min(ends, default=None)
        total = len(self._index.pts) if self._index is not None else self._declared.promised
        if total is not None and self._end_pts is None:
            count = max(0, min([total, *ends]) - start)
            self.info = replace(self.info, frame_count=count)
        if (self._end_number is not None and self._end_number <= start) or self._ends_before(self._ahead):
            raise RangeError.empty(self.path)

    def _ends_before(self, frame: AVFrame | None) -> bool:
        return frame is not None and self._end_pts is not None and pts_of(frame) >= self._end_pts

    # Moving

    def _go_to(self, position: Position, *, clamp: bool, still: bool = False, before: int = 0) -> int:
        """Go `before` frames ahead of a position; return its number."""
        if self._index is None:
            return self._count_to(position, clamp=clamp, still=still, before=before)
        number = self._index.number_of(position, self.info)
        last = len(self._index.pts) - 1
        shown = still and self._falls_into(position, self._index.pts[-1], self._index.last_duration)
        if number > last and not (clamp or shown):
            raise self._behind_end(last)
        place = max(0, min(number, last))
        number = max(0, place - before)
        target = self._index.pts[number]
        self._number = number
        filtered = self._decoder.deinterlacing
        self._ahead = self._decoder.frame_at(target, self._keyframes_for(number))
        if self._decoder.deinterlacing and not filtered:  # also the first interlaced frame, which needs its neighbour
            self._ahead = self._decoder.frame_at(target, self._keyframes_for(number))
        return place

    def _keyframes_for(self, number: int) -> list[int]:
        coded, decoder = self._decoder.coded, self._decoder
        assert coded is not None
        needed = decoder.cadence.first_coded(number) if decoder.deinterlacing else number
        return coded.keyframes_before(coded.pts[needed])

    def _count_to(self, position: Position, *, clamp: bool, still: bool, before: int) -> int:
        by_number = position.unit == "frame"
        goal = int(position.value) if by_number else self._tick_of(position)
        if not self._count_until(lambda number, frame: (number if by_number else pts_of(frame)) >= goal):
            last = self._ahead
            shown = still and last is not None and self._falls_into(position, pts_of(last), last.duration)
            if not (clamp or shown):
                raise self._behind_end(self._number)
        place = self._number
        if before and place:
            self._count_until(lambda number, _: number >= place - before)
        return place

    def _count_until(self, is_there: Callable[[int, AVFrame], bool]) -> bool:
        self._decoder.restart(self._decoder.source.hardware)
        self._ahead, number = None, -1
        for frame in self._decoder.frames:
            number += 1 + len(self._decoder.missing_before(frame))
            self._number, self._ahead = number, frame
            if is_there(number, frame):
                return True
        return False

    def _falls_into(self, position: Position, pts: int, duration: int) -> bool:
        lasts = duration or round(1 / self.info.usual_rate / self.info.time_base)
        return position.unit == "s" and pts <= self._tick_of(position) < pts + lasts

    def _behind_end(self, last: int) -> Exception:
        error = RangeError.behind(self.path, last)
        ends_early = self._index is not None and self._index.missing.to_end
        if ends_early or (self._opening.rate is None and is_cut_off(self.path)):
            return InputError(f"{error}, because the file is cut off; copy or download it again")
        return error

    def _make_index(self) -> None:
        if self._scanned or self._decoder.counted:
            return
        self._scanned = True
        decoder = self._decoder
        decoder.coded = index_of(self.path, self._opening, self.info.start_pts // decoder.cadence.given)
        self._index = None if decoder.coded is None else decoder.cadence.shown(decoder.coded, decoder.tick)

    def _tick_of(self, position: Position) -> int:
        return self.info.start_pts + round(position.value / self.info.time_base)

    # Losses

    def _lose(self, missing: int) -> None:
        first, end = max(self._number, self._start_number), self._number + max(0, missing)
        if self._end_number is not None:
            end = min(end, self._end_number)
        self.lost_frames += max(0, end - first)
        self._number = max(self._number, end)

    @property
    def absent_frames(self) -> int:
        """See `FrameSource`; complete at the end, or with an index."""
        index, (begin_pts, end_pts) = self._index, self._asked_pts
        if index is None:
            return self._absent
        last = len(index.pts) - 1
        if end_pts is None and self._end_number is not None:
            shown = min(self._end_number - 1, last)
            end_pts = index.pts[shown] + (self._end_number - shown) * self._decoder.tick
        begin_pts = index.pts[min(self._start_number, last)] if begin_pts is None else begin_pts
        return index.missing.within(begin_pts, end_pts)

    def count_absent_frames(self) -> int:
        """Index the file, and return `absent_frames`."""
        self._make_index()
        return self.absent_frames

    def _find_missing_time(self, *, to_end: bool) -> None:
        if self._index is not None:
            return
        missing, end_pts = self._decoder.missing_time(to_end=to_end), None
        if self._end_number is not None:
            end_pts = self._last_shown + (1 + max(0, self._end_number - self._number)) * self._decoder.tick
        self._absent = missing.within(self.info.start_pts, end_pts)
