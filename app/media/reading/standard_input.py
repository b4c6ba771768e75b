"""Video from standard input: `ffmpeg ... -f nut - | framebrush transcode - ...`.

Raw video needs `raw:size=640x360:pix_fmt=yuv420p:rate=25` instead of `-`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from fractions import Fraction

import av
from av.container import InputContainer
from av.video.format import VideoFormat
from av.video.frame import VideoFrame as AVFrame
from av.video.stream import VideoStream

from framebrush.base.text import count_of, first_line
from framebrush.gpu.temporal_window import NO_WINDOW, TemporalWindow
from framebrush.media.ffmpeg_planes import Planes
from framebrush.media.reading.fields import CADENCES, Cadence, FieldFilter, top_field_first
from framebrush.media.reading.open import DECODER_OPTIONS, check_size, open_stream, parse_size
from framebrush.media.reading.orientation import orientation_of
from framebrush.media.video import (
    USUAL_RATE,
    Deinterlace,
    FrameSource,
    InputError,
    Position,
    RangeError,
    TimeRange,
    VideoFrame,
    VideoInfo,
)

NAME = "-"
"""Name of standard input, and of standard output as a target."""

RAW = "raw:"
"""Prefix of raw video sources."""

_RAW_OPTIONS = {"size": "video_size", "pix_fmt": "pixel_format", "rate": "framerate"}
_RATE = re.compile(r"\d{1,6}(?:\.\d{1,3}|/[1-9]\d{0,5})?", re.ASCII)


def is_pipe(source: str) -> bool:
    """Return whether a source is standard input."""
    return source == NAME or source.startswith(RAW)


def _raw_options(text: str) -> dict[str, str]:
    options = {"pix_fmt": "yuv420p", "rate": str(USUAL_RATE)}
    for part in filter(None, text.removeprefix(RAW).split(":")):
        key, _, value = part.partition("=")
        if key not in _RAW_OPTIONS:
            raise InputError(f"{text}: {key!r} is no option of raw video; its options are {', '.join(_RAW_OPTIONS)}")
        options[key] = value
    size = parse_size(options.get("size", ""))
    if size is None:
        raise InputError(f"{text}: raw video needs its size, as in {RAW}size=640x360:pix_fmt=yuv420p:rate=25")
    if _RATE.fullmatch(options["rate"]) is None or not Fraction(options["rate"]):
        raise InputError(f"{text}: {options['rate']!r} is no rate; give frames a second, such as 25 or 30000/1001")
    try:
        VideoFormat(options["pix_fmt"], *size)
    except ValueError:
        raise InputError(f"{text}: FFmpeg has no pixel format {options['pix_fmt']!r}") from None
    return {_RAW_OPTIONS[key]: value for key, value in options.items()}


class _Stdin:
    """Unbuffered standard input; buffers would wait until full."""

    def __init__(self) -> None:
        self._first = os.read(sys.stdin.fileno(), 1)
        if not self._first:
            raise InputError("-: standard input is empty; check the program before the pipe")

    def read(self, size: int) -> bytes:
        first, self._first = self._first, b""
        return first or os.read(sys.stdin.fileno(), size)


def _no_picture(container: InputContainer) -> str:
    if "mov" in container.format.name.split(","):
        return (
            "-: the index of this MP4 or MOV is at its end, which comes too late from a pipe; name the file itself, or "
            "write it with ffmpeg -movflags +faststart or as -f nut"
        )
    return "-: standard input holds no picture that can be decoded"


class PipeSource(FrameSource):
    """First video stream of standard input. left_out: messages on others."""

    def __init__(
        self,
        text: str = NAME,
        span: TimeRange | None = None,
        context: TemporalWindow = NO_WINDOW,
        deinterlace: Deinterlace = "auto",
    ) -> None:
        """Open NAME, or `RAW` with size, pix_fmt, rate. Raises InputError."""
        raw = _raw_options(text) if text.startswith(RAW) else None
        self.name = text
        self._broken = ""
        self._span, self._context = span or TimeRange(), context
        self._number = self._given = 0
        self._container: InputContainer | None = None
        if sys.stdin is None or sys.stdin.isatty():
            raise InputError("-: nothing is piped to standard input; give a file, or ffmpeg ... | framebrush ...")
        self._container = container = open_stream(_Stdin(), raw)
        try:
            stream = self._stream = self._video(container)
            self._mode, self._interlaced = deinterlace, False
            cadence = CADENCES[deinterlace]
            base = stream.time_base or 1 / USUAL_RATE
            self._base = base / cadence.given
            self._decoded = self._shown(self._frames(container, stream), cadence, base)
            first = next(self._decoded, None)
            if first is None or first.pts is None:
                raise InputError(_no_picture(container))
            self._planes = Planes(first, stream.codec_context.codec.canonical_name)
        except ValueError as error:
            self.close()
            raise InputError(f"-: {first_line(error)}") from None
        except BaseException:
            self.close()
            raise
        self._first: AVFrame | None = first
        self._first_pts = first.pts
        self.left_out = tuple(
            (one.type, f"{one.type} stream {one.index} left out: of a pipe only the picture is read")
            for one in container.streams
            if one.index != stream.index
        )
        self.info = self._described(first, container, cadence)
        self._items = self._range()

    def _described(self, first: AVFrame, container: InputContainer, cadence: Cadence) -> VideoInfo:
        stream, lies = self._stream, orientation_of(first)
        return VideoInfo(
            path=None,
            container=container.format.name,
            codec=stream.codec_context.codec.canonical_name,
            stream_index=stream.index,
            pix_fmt=first.format.name,
            format=self._planes.format,
            tags=self._planes.tags,
            time_base=self._base,
            rate=None if stream.average_rate is None else stream.average_rate * cadence.given / cadence.taken,
            start_pts=self._first_pts,
            sample_aspect=stream.sample_aspect_ratio or Fraction(1),
            rotation_degrees=lies.rotation_degrees,
            mirrored=lies.mirrored,
            interlaced=self._interlaced,
            deinterlaced=self._mode if self._filters else None,
            top_first=self._filters or not self._interlaced or top_field_first(first),
            description=self.name,
        )

    @staticmethod
    def _video(container: InputContainer) -> VideoStream:
        if not container.streams.video:
            raise InputError("-: standard input holds no video")
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        check_size("-: standard input", stream.codec_context.width, stream.codec_context.height)
        stream.codec_context.options = DECODER_OPTIONS
        return stream

    @property
    def warnings(self) -> list[str]:
        """Messages about losses."""
        lost, changed = self.lost_frames, self._planes.changed
        words = [f"{count_of(lost, 'packet')} of standard input could not be decoded"] if lost else []
        words += [f"standard input broke off ({self._broken})"] if self._broken else []
        return words + ([f"{count_of(changed, 'frame')} changed in size or format: converted"] if changed else [])

    def __next__(self) -> VideoFrame:
        return next(self._items)

    def close(self) -> None:
        """Close the demuxer, not standard input. Idempotent."""
        container, self._container = self._container, None
        if container is not None:
            container.close()

    def _frames(self, container: InputContainer, stream: VideoStream) -> Iterator[AVFrame]:
        packets = container.demux(stream)
        while True:
            try:
                packet = next(packets)
                yield from packet.decode()
            except StopIteration:
                return
            except av.error.InvalidDataError:
                self.lost_frames += 1
            except av.error.FFmpegError as error:
                # ended within a packet; nothing else shows a pipe's expected length
                self._broken, self.cut_off = first_line(error), True
                return

    @property
    def _filters(self) -> bool:
        return self._mode != "off" and (self._interlaced or self._mode != "auto")

    def _shown(self, frames: Iterator[AVFrame], cadence: Cadence, base: Fraction) -> Iterator[AVFrame]:
        duration = 1 / (self._stream.average_rate or USUAL_RATE) / base
        fields = FieldFilter(cadence, base, max(1, round(duration)))
        for number, frame in enumerate(frames):
            if frame.pts is None:
                frame.pts = round(number * duration)
            self._interlaced |= frame.interlaced_frame
            if self._filters:
                yield from (shown.frame for shown in fields.push(frame, number))
            else:
                yield frame
        yield from (shown.frame for shown in fields.push(None))

    def _is_before(self, position: Position | None, number: int, pts: int) -> bool:
        if position is None:
            return False
        if position.unit == "frame":
            return number < position.value
        return (pts - self._first_pts) * self._base < position.value

    def _range(self) -> Iterator[VideoFrame]:
        span, after, begin = self._span, 0, 0
        if span.start is not None and span.start.unit == "frame":
            begin = int(span.start.value) - self._context.before
        while self._container is not None:
            frame, self._first = (self._first, None) if self._first else (next(self._decoded, None), None)
            if frame is None:
                if span.start is not None and not self._given and not self._broken and not self.lost_frames:
                    raise RangeError.behind(self.name, self._number - 1)
                return
            assert frame.pts is not None
            number, pts = self._number, frame.pts
            self._number += 1
            if self._is_before(span.start, number, pts):
                if self._context.before and number >= begin:
                    yield self._given_as(number, frame, context=True)
                continue
            full = span.frames is not None and self._given >= span.frames
            ended = full or (span.end is not None and not self._is_before(span.end, number, pts))
            if ended and not self._given and not self.lost_frames:
                raise RangeError.empty(self.name)
            if ended and after == self._context.after:
                return
            after += ended
            self._given += not ended
            yield self._given_as(number, frame, context=ended)

    def _given_as(self, number: int, frame: AVFrame, *, context: bool) -> VideoFrame:
        assert frame.pts is not None
        try:
            return VideoFrame(number, frame.pts, frame.duration or 0, self._planes.wrap(frame), context)
        except (ValueError, av.error.FFmpegError) as error:
            raise InputError(f"-: {first_line(error)}") from None
