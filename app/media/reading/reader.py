"""Reading of video files with exact ranges and seeks.

Each frame comes once with its number and time.

A time counts from the first shown frame and means the first frame at or after it, rounded to the stream's time base. A
number counts shown frames from 0. Frames cut by an edit list do not exist.

A range or seek needs the index of all timestamps, made once from packets; they are decoded only for codecs with packets
that may give no frame. Files with unusable timestamps (raw streams, AVI) are decoded from the start and counted.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
from av.video.frame import VideoFrame as AVFrame

from framebrush.base.text import count_of, first_line
from framebrush.gpu.device import Device
from framebrush.gpu.frame import Matrix, Transfer
from framebrush.gpu.stages.steady import NO_WINDOW, TemporalWindow
from framebrush.media.planes import Planes, downloaded, is_grey, stored
from framebrush.media.reading.boxes import Rectangle
from framebrush.media.reading.chapters import read_chapters
from framebrush.media.reading.coded_timecode import coded_timecode
from framebrush.media.reading.completeness import is_cut_off
from framebrush.media.reading.decoder import Decoder
from framebrush.media.reading.fields import top_field_first
from framebrush.media.reading.index import FrameIndex, must_be_decoded
from framebrush.media.reading.inks import claimed_size
from framebrush.media.reading.listing import index_of
from framebrush.media.reading.open import check_size, first_picture, picture_path
from framebrush.media.reading.orientation import orientation_of
from framebrush.media.reading.profile import ToSrgb, colour_profile
from framebrush.media.reading.sample_entry import SampleEntry, read_sample_entry
from framebrush.media.streams.metadata import timecode_of
from framebrush.media.tags import (
    HLG,
    MATRICES,
    NOTHING_SAID,
    PQ,
    SRGB,
    doubts,
    has_dolby_vision,
    is_dolby_vision_only,
    light_of,
    mastering_of,
    tags_of,
)
from framebrush.media.video import (
    PLAIN_FILE,
    USUAL_RATE,
    Deinterlace,
    FrameSource,
    InputError,
    OpenOptions,
    Position,
    RangeError,
    TimeRange,
    VideoFrame,
    VideoInfo,
)

MAX_DECLARED_FRAMES = 10_000_000  # a damaged header may claim any duration


class Reader(FrameSource):
    """Frames of a range of a file. `seek` may be called during iteration.

    profile_problem: why a photograph's ICC profile was ignored, or empty.
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
        """Open a file and decode its first frame, which determines the format.

        Raises InputError, RangeError.

        Args:
            hardware: "d3d12va", "d3d11va", "cuda" or "auto" to decode on the GPU if possible.
            device: painting device, on which frames of the card's decoder may stay.
            threads: of the software decoder, 0 for one per core.
            context: see `open_frame_source`.
        """
        self.path = Path(path)
        self.name = self.path.name
        self.profile_problem = ""
        self._profile: bytes | None = None
        self._first_picture: int | None = None  # of numbered pictures
        self._other_profiles = 0
        self._opening = opening
        self._opened = _state_of(self.path)
        self._index: FrameIndex | None = None
        self._scanned = False
        self._notes: list[str] = []
        self._context, self._context_left = context, context.after
        self._start_number = 0
        self._end_number: int | None = None
        self._end_pts: int | None = None
        self._asked_pts: tuple[int | None, int | None] = None, None
        self._last_shown = self._absent = 0
        self._device = device if hardware is not None else None
        self._decoder = Decoder(
            self.path, opening, hardware=hardware, device=self._device, threads=threads, deinterlace=deinterlace
        )
        try:
            self._ahead: AVFrame | None = self._first_frame(hardware)
            self._number = 0
            self.info = self._facts(self._ahead)
            self._notes += doubts(self.info.tags, self.info.format)
            self._promised = self._count_promised()
            self._apply(span or TimeRange())
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Release the decoder and the file. Returned frames stay valid. Idempotent."""
        self._ahead = None
        self._decoder.close()

    @property
    def warnings(self) -> list[str]:
        """Return messages for the user about problems so far."""
        lines = [*self._notes, *([self._planes.note] if self._planes.note else [])]
        decoder = self._decoder
        lines += [f"{self.path.name}: {problem}" for problem in dict.fromkeys(decoder.source.problems)]
        if decoder.source.timeline.jumps:
            lines.append(
                f"the clock jumps in {count_of(decoder.source.timeline.jumps, 'place')}: times continue without jumps"
            )
        if self._planes.changed:
            differ = count_of(self._planes.changed, "frame", "differs/differ")
            lines.append(f"{differ} from the first in size or format: converted to {self._own_size}")
        if self._other_profiles:
            have = count_of(self._other_profiles, "frame", "has/have")
            lines.append(f"{have} another colour profile than the first, whose profile counts for all")
        if decoder.damaged:
            lines.append(f"{count_of(decoder.damaged, 'frame', 'is/are')} damaged: shown as far as could be decoded")
        if decoder.mended:
            lines.append(f"{count_of(decoder.mended, 'timestamp', 'does/do')} not increase: moved")
        if self.absent_frames:
            lines.append(f"{self.path.name} is damaged: {count_of(self.absent_frames, 'frame', 'is/are')} not in it")
        if self.cut_off:
            lines.append(f"{self.path.name} is cut off: what comes after its last whole frame is missing")
        return lines

    def __next__(self) -> VideoFrame:
        frame = self._ahead or next(self._decoder.frames, None)
        self._ahead = frame
        if frame is None:
            if self._context_left == self._context.after:  # the range may have been longer
                self._find_missing_time(to_end=True)
                self._lose(self._missing_at_end())
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
        """Return the file's index and the numbers of remaining frames, without context.

        None if only decoding can identify frames. Raises InputError.
        """
        self._make_index()
        if self._index is None:
            return None
        ends = [len(self._index.pts), *([] if self._end_number is None else [self._end_number])]
        return self._index, range(max(self._start_number, self._number), min(ends))

    def bounds(self) -> tuple[int, int | None]:
        """Return the range as frame numbers, end exclusive.

        None for an end that only decoding can tell. Raises InputError.
        """
        indexed, first, count = self.indexed_range(), self._start_number, self.info.frame_count
        if indexed is not None:
            return indexed[1].start, indexed[1].stop
        return first, None if count is None else first + count

    def _numbered(self, number: int, frame: AVFrame, *, context: bool) -> VideoFrame:
        if self._first_picture is not None:
            self._other_profiles += self._profile_of(frame, self.info.codec, number) != self._profile
        try:
            return VideoFrame(number, _pts(frame), frame.duration or 0, self._planes.wrap(frame), context)
        except (ValueError, av.error.FFmpegError) as error:
            raise self._not_converted(error) from None

    def _not_converted(self, error: Exception) -> InputError:
        return InputError(f"{self.path}: {first_line(error)}; convert it to H.264 in BT.709 first")

    def seek(self, position: Position) -> None:
        """Continue exactly at a position; positions beyond the end mean the last frame."""
        self._start_number, self._context_left = 0, self._context.after
        self._make_index()
        self._go_to(position, clamp=True)

    # Opening

    def _first_frame(self, hardware: str | None) -> AVFrame:
        if hardware is not None and self._decoder.source.hardware is None:
            self._notes.append(f"no hardware decoder ({hardware}) for this file here: decoding on the CPU")
        first = next(self._decoder.frames, None)
        if problem := self._not_on_the_gpu(first):
            self._notes.append(f"{problem}: decoding on the CPU")
            self._decoder.restart(None)
            first = next(self._decoder.frames, None)
        if self._decoder.encrypted:  # decoded frames, if any, would be noise
            raise InputError(f"{self.path} is encrypted; decrypt it first")
        if first is None:
            codec = self._decoder.source.stream.codec_context.codec.canonical_name
            if self._opening.rate is None and (claimed := claimed_size(self.path, codec)):
                check_size(self.path, *claimed)
            raise InputError(f"{self.path}: no frame of it can be decoded; check that the file is whole")
        return first

    def _not_on_the_gpu(self, first: AVFrame | None) -> str:
        source = self._decoder.source
        if source.hardware is None:
            return ""
        if first is None:
            return f"{source.hardware} failed to decode this file"
        if self._device is not None and self._decoder.deinterlacing:
            return "interlaced video is not decoded on the GPU"
        context = source.stream.codec_context
        if (first.width, first.height) != (context.width, context.height):
            return "a picture cropped at its left or top is not decoded on the GPU"  # FFmpeg crops only the other sides
        return ""

    def _facts(self, first: AVFrame) -> VideoInfo:
        decoder = self._decoder
        stream, container = decoder.source.stream, decoder.source.container
        context = stream.codec_context
        try:
            entry = read_sample_entry(self.path, stream.index, first.width, first.height)
            picture = decoder.source.picture
            crop = entry.clean_aperture if picture is None else picture.part
            self._planes, in_srgb = self._coloured(first, crop)
        except (ValueError, OSError, av.error.FFmpegError) as error:
            raise self._not_converted(error) from None
        self._take_dolby_vision(entry, first)
        rotation, mirrored = orientation_of(first) if picture is None else (picture.rotation_degrees, picture.mirrored)
        if stream.duration:
            duration_s = float(stream.duration * decoder.source.time_base)
        else:
            duration_s = (container.duration or 0) / av.time_base
        hdr = self._planes.format.transfer is not Transfer.SDR
        return VideoInfo(
            path=self.path,
            container=container.format.name,
            codec=context.codec.canonical_name,
            stream_index=stream.index,
            pix_fmt=stored(first).name,
            format=self._planes.format,
            tags=SRGB if in_srgb else tags_of(first),
            time_base=decoder.time_base,
            rate=decoder.rate,
            start_pts=_pts(first),
            duration_s=duration_s if duration_s > 0 else None,
            sample_aspect=stream.sample_aspect_ratio or Fraction(1),
            rotation_degrees=rotation,
            interlaced=decoder.interlaced,
            mirrored=mirrored,
            opening=self._opening,
            deinterlaced=decoder.mode if decoder.deinterlacing else None,
            top_first=decoder.deinterlacing or not decoder.interlaced or top_field_first(downloaded(first)),
            mastering=mastering_of(first) if hdr else None,
            light=light_of(first) if hdr else None,
            in_srgb=in_srgb,
            chapters=read_chapters(container.chapters(), _pts(first) * decoder.time_base),
            timecode=timecode_of(container, stream)
            or coded_timecode(
                first,
                _pts(first) * decoder.time_base,
                stream.average_rate or USUAL_RATE,
                context.codec.canonical_name,
                self.path,
                self._opening,
                stream.index,
            ),
        )

    def _coloured(self, first: AVFrame, crop: Rectangle | None) -> tuple[Planes, bool]:
        """Return the frame converter, and whether it converts an ICC profile to sRGB."""
        source = self._decoder.source
        codec, inks, to_srgb = source.stream.codec_context.codec.canonical_name, source.inks, None
        if inks is not None and (inks.in_srgb or inks.problem):
            self.profile_problem = inks.problem  # already among the source's problems
        else:
            try:
                to_srgb = self._to_srgb(first, codec)
            except ValueError as error:
                self.profile_problem = f"its colour profile {error}: it does not count"
                self._notes.append(f"{self.name}: {self.profile_problem}")
        size = source.size_of_growing(first)
        planes = Planes(first, codec, crop, self._device, to_srgb, size)
        self._own_size = "its own" if size is None else f"the size of the film, {size[0]}x{size[1]}"
        brought = inks is not None and inks.in_srgb
        if to_srgb is not None or (brought and not self.profile_problem):
            bits = max(component.bits for component in stored(first).components)
            coarser = bits > planes.format.bits or (inks is not None and inks.deep)
            words = ", in 8 bits a channel" if coarser else ""
            self._notes.append(f"{self.name}: its colours are brought from its profile to sRGB{words}")
        return planes, to_srgb is not None or brought

    def _to_srgb(self, first: AVFrame, codec: str) -> ToSrgb | None:
        """Return the ICC conversion of a photograph; films' profiles are ignored."""
        if not self._decoder.source.is_photograph or tags_of(first).transfer in (PQ, HLG):
            return None
        if self._opening.rate is not None:
            self._first_picture = first_picture(self.path).start
        self._profile = self._profile_of(first, codec, 0)
        if self._profile is None:
            return None
        to_srgb, tags = ToSrgb(self._profile), tags_of(first)
        if to_srgb.of_greys and not is_grey(downloaded(first)):
            raise ValueError("is for GRAY channels, not for those of the picture")
        # The profile overrides the colour codes.
        if not to_srgb.changes and tags.primaries in (*NOTHING_SAID, SRGB.primaries):
            return None
        if MATRICES.get(tags.matrix) in (Matrix.YCGCO, Matrix.CHROMA_DERIVED):
            raise ValueError("is not applied to samples of so rare a matrix")
        return to_srgb

    def _profile_of(self, frame: AVFrame, codec: str, number: int) -> bytes | None:
        path = self.path
        if self._first_picture is not None:
            path = picture_path(path, self._first_picture + number)
        with suppress(OSError):
            return colour_profile(path, codec, frame, self._decoder.source.picture)
        return None

    def _take_dolby_vision(self, entry: SampleEntry, first: AVFrame) -> None:
        if entry.dolby_vision_only or is_dolby_vision_only(first):
            if not self._opening.dolby_vision:
                raise InputError(
                    f"{self.path} has Dolby Vision colours only (profile 5); convert it to HDR10 first, or accept "
                    "wrong colours with --allow-dolby-vision"
                )
            self._notes.append("Dolby Vision colours only: they are read as those of other video, and come out wrong")
        elif entry.dolby_vision is not None or has_dolby_vision(first):
            profile = "" if entry.dolby_vision is None else f", profile {entry.dolby_vision}"
            self._notes.append(f"Dolby Vision{profile}: the base layer is painted, which other players show too")

    def _count_promised(self) -> int | None:
        """Return the frame count that MP4 or MOV declares, even if truncated.

        None if packets may give no frame.
        """
        source = self._decoder.source
        if not self.info.container.startswith("mov") or not source.stream.frames:
            return None
        sizes = [entry.size for entry in source.stream.index_entries if not entry.is_discard]
        if any(must_be_decoded(size, source.codec) for size in sizes):
            return None
        return self._decoder.cadence.count(len(sizes))

    def _apply(self, span: TimeRange) -> None:
        """Resolve the range, count its frames if cheap, and go to its start."""
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
        total = len(self._index.pts) if self._index is not None else self._promised
        if total is not None and self._end_pts is None:
            count = max(0, min([total, *ends]) - start)
            self.info = replace(self.info, frame_count=count)
        if (self._end_number is not None and self._end_number <= start) or self._ends_before(self._ahead):
            raise RangeError.empty(self.path)

    def _ends_before(self, frame: AVFrame | None) -> bool:
        return frame is not None and self._end_pts is not None and _pts(frame) >= self._end_pts

    # Moving

    def _go_to(self, position: Position, *, clamp: bool, still: bool = False, before: int = 0) -> int:
        """Go to the frame `before` frames ahead of a position; return the position's number."""
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
        """Go to a position by decoding from the start and counting.

        For files without identifying timestamps.
        """
        by_number = position.unit == "frame"
        goal = int(position.value) if by_number else self._tick_of(position)
        if not self._count_until(lambda number, frame: (number if by_number else _pts(frame)) >= goal):
            last = self._ahead
            shown = still and last is not None and self._falls_into(position, _pts(last), last.duration)
            if not (clamp or shown):
                raise self._behind_end(self._number)
        place = self._number
        if before and place:
            self._count_until(lambda number, _: number >= place - before)
        return place

    def _count_until(self, is_there: Callable[[int, AVFrame], bool]) -> bool:
        """Advance to the first frame for which a predicate of number and frame holds.

        Else to the last, and return False.
        """
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
        """See `FrameSource`. Known with an index, else at the end."""
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
        """Index the file and return the absent frames of the range, without decoding.

        Raises: InputError.
        """
        self._make_index()
        return self.absent_frames

    def _find_missing_time(self, *, to_end: bool) -> None:
        if self._index is not None:
            return
        missing, end_pts = self._decoder.missing_time(to_end=to_end), None
        if self._end_number is not None:
            end_pts = self._last_shown + (1 + max(0, self._end_number - self._number)) * self._decoder.tick
        self._absent = missing.within(self.info.start_pts, end_pts)

    def _missing_at_end(self) -> int:
        """Return the frames expected at the end: sent to the decoder, or declared by the container."""
        expected, cadence = self._decoder.expected, self._decoder.cadence
        if self._decoder.counted:
            missing = cadence.count(self._number + expected.missing_of(self._number)) - self._number
        else:
            end_pts = None if self._end_pts is None else -(-self._end_pts // cadence.given)
            missing = cadence.count(len(expected.missing_before(end_pts)))
        if self._end_pts is not None and not self._decoder.counted:
            return missing
        promised = (self._promised or 0) - self._number
        if self._opening.rate is None and self._ended_early():
            self.cut_off = True
            promised = max(promised, self._declared_frames() - self._number - self.absent_frames)
        return max(0, missing, promised)

    def _ended_early(self) -> bool:
        if self._decoder.source.problems.gave_up and not 0 < self._declared_frames() <= self._number:
            return True
        now = _state_of(self.path)
        if now is None or self._opened is None:
            return not self.path.parent.is_dir()
        if not os.path.samestat(now, self._opened):
            return False
        return now.st_size < self._opened.st_size or is_cut_off(self.path)

    def _declared_frames(self) -> int:
        stream = self._decoder.source.stream
        by_time = 0.0
        if self.info.duration_s is not None and self.info.rate is not None:
            by_time = self.info.duration_s * float(self.info.rate)
        return self._decoder.cadence.count(stream.frames) or min(round(by_time), MAX_DECLARED_FRAMES)


def _state_of(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except (OSError, ValueError):
        return None


def _pts(frame: AVFrame) -> int:
    assert frame.pts is not None
    return frame.pts
