"""Subtitle tracks, in videos and beside them, as timed cues without markup."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, cast

import av
import numpy as np
import numpy.typing as npt
from av.container import InputContainer
from av.packet import Packet
from av.stream import Discard, Stream
from av.subtitles.stream import SubtitleStream
from av.subtitles.subtitle import AssSubtitle, BitmapSubtitle, SubtitleSet

from framebrush.base.closing import Closing
from framebrush.base.text import printable
from framebrush.gpu import colour
from framebrush.gpu.frame import Matrix, nv12
from framebrush.media.reading.open import SUBTITLE_FORMATS, can_decode, open_media, open_subtitles, packets
from framebrush.media.video import PLAIN_FILE, InputError, OpenOptions

UNKNOWN_S = 10.0
"""Maximum seconds that a text without an end time is shown."""

LONGEST_S = 600.0
"""Longest trusted duration of a text, in seconds."""

MAX_RAW, MAX_CHARS, MAX_LINES = 4000, 500, 8
"""Characters of ASS that are parsed; characters and lines kept per text."""

PGS = "hdmv_pgs_subtitle"
_PALETTE, _COMPOSITION = 0x14, 0x16  # PGS segment types
_TAGS = re.compile(r"(\{[^{}]*\})")
_DRAWING = re.compile(r"\\p(\d)")


@dataclass(frozen=True, slots=True)
class SubtitleTrack:
    """Subtitle track. number: among the file's. shown: can be displayed."""

    path: Path
    number: int
    name: str
    shown: bool = True
    opening: OpenOptions = PLAIN_FILE


@dataclass(frozen=True, slots=True, eq=False)
class SubtitlePicture:
    """Subtitle picture.

    x, y, width, height: relative to the video, 0..1. indices: (H, W) uint8. palette: (256, 4) uint8 R'G'B'A, not
    premultiplied.
    """

    x: float
    y: float
    width: float
    height: float
    indices: npt.NDArray[np.uint8]
    palette: npt.NDArray[np.uint8]

    @property
    def rgba(self) -> npt.NDArray[np.uint8]:
        """The picture as (H, W, 4) uint8."""
        return self.palette[self.indices]


@dataclass(frozen=True, slots=True, eq=False)
class Cue:
    """Text or pictures, in file time. open: until another begins."""

    start_s: float
    end_s: float
    text: str = ""
    pictures: tuple[SubtitlePicture, ...] = ()
    open: bool = False

    @property
    def size_bytes(self) -> int:
        """Approximate memory use."""
        return 500 + sum(picture.indices.nbytes + picture.palette.nbytes for picture in self.pictures)


class Line(NamedTuple):
    """Times of a cue, and text; "" for pictures."""

    start_s: float
    end_s: float
    text: str


def find_tracks(path: Path, opening: OpenOptions = PLAIN_FILE) -> tuple[SubtitleTrack, ...]:
    """Return a video's tracks, with text files beside it."""
    found: list[SubtitleTrack] = []
    with suppress(InputError), open_media(path, opening) as container:
        for number, stream in enumerate(container.streams.subtitles):
            found.append(SubtitleTrack(path, number, _name(stream), _can_show(stream), opening))
    if opening.rate is None:
        beside = (path.with_suffix(suffix) for suffix in SUBTITLE_FORMATS)
        found += [
            SubtitleTrack(file, 0, printable(file.name)[:80]) for file in beside if file != path and file.is_file()
        ]
    return tuple(found)


def _can_show(stream: SubtitleStream) -> bool:
    if not can_decode(stream):
        return False
    codec = stream.codec_context.codec
    return codec.text_sub or codec.canonical_name == PGS


def _name(stream: SubtitleStream) -> str:
    told = [stream.metadata.get(key, "") for key in ("language", "title")]
    codec = stream.codec_context.codec.canonical_name if can_decode(stream) else ""
    return printable(", ".join(text for text in told if text and text != "und") or codec or "?")[:80]


class SubtitleReader(Closing):
    """Open track, for one thread at a time."""

    def __init__(self, track: SubtitleTrack) -> None:
        beside = track.path.suffix.lower() in SUBTITLE_FORMATS
        self._container: InputContainer = (
            open_subtitles(track.path) if beside else open_media(track.path, track.opening)
        )
        streams = self._container.streams.subtitles
        if track.number >= len(streams) or not _can_show(streams[track.number]):
            self._container.close()
            raise InputError(f"{track.path} has no subtitles of number {track.number} that can be shown")
        self._stream = streams[track.number]
        self._palettes: dict[int, npt.NDArray[np.uint8]] = {}
        self._shape, self._palette = (0, 0), 0

    def cues(self, from_s: float) -> Iterator[tuple[float, Cue | None]]:
        """Yield (time read so far, cue or None) from a time."""
        with suppress(av.error.FFmpegError):
            self._container.seek(round(max(0.0, from_s) * av.time_base))
        self._stream.codec_context.flush_buffers()
        yield from self._cues([self._stream, *self._container.streams.video[:1]])

    def lines(self) -> Iterator[Line | None]:
        """Yield lines, and None as chances to pause."""
        streams: list[Stream] = [self._stream]
        if "mov" in self._container.format.name.split(","):  # MOV's table leads from one text to the next
            for stream in self._container.streams:
                stream.discard = Discard.default if stream is self._stream else Discard.all
        else:
            streams += self._container.streams.video[:1]
        former: Cue | None = None
        for _, cue in self._cues(streams):
            if cue is None:
                yield None
                continue
            if former is not None:
                end_s = min(former.end_s, cue.start_s) if former.open else former.end_s
                yield Line(former.start_s, end_s, former.text)
            former = cue if cue.text or cue.pictures else None
        if former is not None:
            yield Line(former.start_s, min(former.end_s, former.start_s + UNKNOWN_S), former.text)

    def _cues(self, streams: list[Stream]) -> Iterator[tuple[float, Cue | None]]:
        for packet in packets(self._container, streams):
            at = packet.pts if packet.pts is not None else packet.dts
            if at is None:
                continue
            begin = at * packet.time_base
            at_s = float(begin)
            if packet.stream_index != self._stream.index:
                yield at_s, None
                continue
            cue = None
            with suppress(av.error.FFmpegError, ValueError, OverflowError):
                cue = self._cue(packet, begin)
            yield at_s, cue

    def close(self) -> None:
        self._container.close()

    def _cue(self, packet: Packet[Any], start: Fraction) -> Cue | None:
        decoded = self._stream.codec_context.decode2(packet)
        if self._stream.codec_context.codec.canonical_name == PGS:
            self._read_palettes(bytes(packet))
            pictures = tuple(self._pictures(decoded)) if decoded is not None else ()
            return Cue(float(start), math.inf, pictures=pictures, open=True)
        text = _text(decoded) if decoded is not None else ""
        if not text:
            return None
        lasts = (packet.duration or 0) * packet.time_base
        if not 0 < lasts <= LONGEST_S:
            return Cue(float(start), float(start) + UNKNOWN_S, text, open=True)
        return Cue(float(start), float(start + lasts), text)

    def _pictures(self, decoded: SubtitleSet) -> Iterator[SubtitlePicture]:
        width, height = self._shape
        palette = self._palettes.get(self._palette)
        for rect in decoded:
            if isinstance(rect, BitmapSubtitle) and palette is not None and width and height and rect.width:
                indices = np.frombuffer(cast(Any, rect.planes[0]), np.uint8).reshape(rect.height, rect.width).copy()
                box = rect.x / width, rect.y / height, rect.width / width, rect.height / height
                yield SubtitlePicture(*box, indices, palette)

    def _read_palettes(self, data: bytes) -> None:
        at = 0
        while at + 3 <= len(data):
            kind, length = data[at], int.from_bytes(data[at + 1 : at + 3], "big")
            content = data[at + 3 : at + 3 + length]
            at += 3 + length
            if kind == _COMPOSITION and len(content) >= 10:
                self._shape = int.from_bytes(content[:2], "big"), int.from_bytes(content[2:4], "big")
                self._palette = content[9]
                if content[7] & 0x80:  # start of an epoch
                    self._palettes = {}
            elif kind == _PALETTE and len(content) >= 2:
                entries = np.frombuffer(content[2 : 2 + (len(content) - 2) // 5 * 5], np.uint8).reshape(-1, 5)
                palette = self._palettes.get(content[0], np.zeros((256, 4), np.uint8)).copy()
                palette[entries[:, 0]] = _rgba(entries[:, 1:], wide=self._shape[1] > 576)
                self._palettes[content[0]] = palette


def _rgba(colours: npt.NDArray[np.uint8], *, wide: bool) -> npt.NDArray[np.uint8]:
    """Convert limited-range Y', Cr, Cb, alpha. wide: BT.709."""
    codes = nv12(2, 2, matrix=Matrix.BT709 if wide else Matrix.BT601)
    rgb = colour.affine(colour.codes_to_rgb(codes), colours[:, [0, 2, 1]].T.astype(float)).T
    return np.concatenate([(rgb.clip(0, 1) * 255 + 0.5).astype(np.uint8), colours[:, 3:]], axis=1)


def _text(decoded: SubtitleSet) -> str:
    parts = (plain(rect.ass) for rect in decoded if isinstance(rect, AssSubtitle))
    lines = list(chain.from_iterable(part.split("\n") for part in parts if part))[:MAX_LINES]
    return "\n".join(lines)[:MAX_CHARS].strip()


def plain(event: bytes) -> str:
    """Return an ASS event's text, unmarked."""
    text = event[: 4 * MAX_RAW].decode("utf-8", "replace")[:MAX_RAW]
    fields = text.split(",", 8)
    words: list[str] = []
    drawing = False
    for place, part in enumerate(_TAGS.split(fields[8] if len(fields) > 8 else "")):
        if place % 2:
            modes = _DRAWING.findall(part)
            drawing = modes[-1] != "0" if modes else drawing
        elif not drawing:
            words.append(part)
    text = "".join(words).replace("\\N", "\n").replace("\\n", "\n").replace("\\h", " ")
    return "\n".join(filter(None, (printable(line).strip() for line in text.splitlines())))
