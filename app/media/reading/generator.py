"""FFmpeg's test sources: "lavfi:testsrc2=size=640x360:rate=25:duration=2".

Sources and options that read files are refused.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

import av
from av.filter import Graph
from av.video.frame import VideoFrame as AVFrame

from framebrush.gpu.temporal_window import NO_WINDOW, TemporalWindow
from framebrush.media.ffmpeg_planes import Planes
from framebrush.media.reading.open import MAX_SIDE_PX, parse_size
from framebrush.media.video import (
    MAX_RATE,
    FrameSource,
    InputError,
    Position,
    RangeError,
    TimeRange,
    VideoFrame,
    VideoInfo,
)

PREFIX = "lavfi:"

_PLAIN: frozenset[str] = frozenset()
SOURCES: dict[str, frozenset[str]] = {
    "testsrc": frozenset({"decimals", "n"}),
    "testsrc2": frozenset({"alpha"}),
    "smptebars": _PLAIN,
    "smptehdbars": _PLAIN,
    "pal75bars": _PLAIN,
    "pal100bars": _PLAIN,
    "rgbtestsrc": frozenset({"complement", "co"}),
    "yuvtestsrc": _PLAIN,
    "color": frozenset({"color", "c"}),
    "gradients": frozenset({"c0", "c1", "c2", "c3", "nb_colors", "n", "seed", "speed", "type", "t"}),
    "mandelbrot": frozenset(
        {"maxiter", "start_x", "start_y", "start_scale", "end_scale", "end_pts", "bailout", "outer", "inner"}
    ),
    "life": frozenset(
        {"rule", "random_fill_ratio", "ratio", "random_seed", "seed", "stitch", "mold"}
        | {"life_color", "death_color", "mold_color"}
    ),
    "sierpinski": frozenset({"seed", "jump", "type"}),
    "zoneplate": frozenset({"precision", "xo", "yo", "to", "kx", "ky", "kt", "kxt", "kyt", "kxy", "kt2", "kx2", "ky2"}),
}
"""Allowed sources, with allowed options besides `_COMMON`."""

_COMMON = {"s": "size", "size": "size", "r": "rate", "rate": "rate", "d": "duration", "duration": "duration"}
_DEFAULTS = {"size": "640x360", "rate": "25"}
_OPTION = re.compile(r"([a-z][a-z0-9_]*)=([A-Za-z0-9_.+/@#-]+)", re.ASCII)
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,9})?|\d{1,9}/[1-9]\d{0,8}", re.ASCII)


class Generator(FrameSource):
    """Generated frames, without seeking; endless without a limit."""

    def __init__(self, text: str, span: TimeRange | None = None, context: TemporalWindow = NO_WINDOW) -> None:
        self.name = text
        self._number = 0
        name, options = _parse(text)
        rate = _rate(options["rate"], text)
        _check_size(options["size"], text)
        count = _frames_of(options.pop("duration", None), rate, text)
        self._stop = _stop(count, span or TimeRange(), rate)
        self.has_end = self._stop is not None
        self._start = start = _frame_at(span.start, rate) if span and span.start else 0
        if count is not None and start >= count:
            raise RangeError.behind(text, count - 1)
        if self._stop is not None and self._stop <= start:
            raise RangeError.empty(text)
        arguments = ":".join(f"{key}={value}" for key, value in options.items())
        try:
            self._graph: Graph | None = Graph()
            source = self._graph.add(name, arguments)
            self._graph.link_nodes(source, self._graph.add("buffersink")).configure()
            first = self._pull()
            self._planes = Planes(first, "rawvideo")
        except (ValueError, OSError, av.error.FFmpegError) as error:
            raise InputError(f"{text}: FFmpeg cannot draw it ({error}); check the options") from None
        self._first: AVFrame | None = first
        self.info = VideoInfo(
            path=None,
            container="lavfi",
            codec=name,
            stream_index=0,
            pix_fmt=first.format.name,
            format=self._planes.format,
            tags=self._planes.tags,
            time_base=1 / rate,
            rate=rate,
            start_pts=0,
            duration_s=None if self._stop is None else float((self._stop - start) / rate),
            frame_count=None if self._stop is None else self._stop - start,
            description=text,
        )
        self._last = None if self._stop is None else self._stop + context.after
        if count is not None and self._last is not None:
            self._last = min(self._last, count)
        while self._number < start - context.before:
            self._draw()

    def __next__(self) -> VideoFrame:
        number, stop = self._number, self._stop
        if self._graph is None or (self._last is not None and number >= self._last):
            raise StopIteration
        context = number < self._start or (stop is not None and number >= stop)
        return VideoFrame(number, number, 1, self._planes.wrap(self._draw()), context)

    def close(self) -> None:
        self._graph = self._first = None

    def _draw(self) -> AVFrame:
        first, self._first = self._first, None
        self._number += 1
        return first if first is not None else self._pull()

    def _pull(self) -> AVFrame:
        assert self._graph is not None
        return self._graph.vpull()


def _parse(text: str) -> tuple[str, dict[str, str]]:
    name, _, rest = text.removeprefix(PREFIX).partition("=")
    if name not in SOURCES:
        raise InputError(f"{text}: {name[:40]!r} is not a test source; those allowed are {', '.join(SOURCES)}")
    options = dict(_DEFAULTS)
    for part in rest.split(":") if rest else []:
        match = _OPTION.fullmatch(part)
        if match is None:
            raise InputError(f"{text}: {part[:40]!r} is not an option; write key=value with colons between")
        key, value = match.groups()
        if key not in _COMMON and key not in SOURCES[name]:
            known = ", ".join(["size", "rate", "duration", *sorted(SOURCES[name])])
            raise InputError(f"{text}: {name} has no option {key!r} here; it has {known}")
        options[_COMMON.get(key, key)] = value
    return name, options


def _check_size(value: str, text: str) -> None:
    if parse_size(value) is None:
        raise InputError(f"{text}: a size of {value} cannot be drawn; write WxH, at most {MAX_SIDE_PX} pixels a side")


def _rate(value: str, text: str) -> Fraction:
    rate = Fraction(value) if _NUMBER.fullmatch(value) else Fraction(0)
    if not Fraction(1, MAX_RATE) <= rate <= MAX_RATE:
        raise InputError(f"{text}: {value} is not a frame rate; write a number such as 25 or 30000/1001")
    return rate


def _frames_of(duration: str | None, rate: Fraction, text: str) -> int | None:
    if duration is None:
        return None
    seconds = Fraction(duration) if _NUMBER.fullmatch(duration) else Fraction(0)
    if seconds <= 0:
        raise InputError(f"{text}: {duration} is not a duration; write seconds, such as 2 or 2.5")
    return math.ceil(seconds * rate)


def _stop(count: int | None, span: TimeRange, rate: Fraction) -> int | None:
    ends = [] if count is None else [count]
    if span.end is not None:
        ends.append(_frame_at(span.end, rate))
    if span.frames is not None:
        ends.append((_frame_at(span.start, rate) if span.start else 0) + span.frames)
    return min(ends, default=None)


def _frame_at(position: Position, rate: Fraction) -> int:
    return int(position.value) if position.unit == "frame" else round(position.value * rate)
