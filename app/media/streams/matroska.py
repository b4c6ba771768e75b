"""Matroska elements that PyAV cannot set (RFC 9559).

They replace room in a longer track name.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from fractions import Fraction
from typing import BinaryIO

from framebrush.media.video import LightLevel, MasteringDisplay, OutputError

_SEGMENT, _TRACKS, _ENTRY = bytes.fromhex("18538067"), bytes.fromhex("1654ae6b"), b"\xae"
_NAME, _VIDEO, _CRC, _VOID = bytes.fromhex("536e"), b"\xe0", b"\xbf", b"\xec"
_DISPLAY_WIDTH, _DISPLAY_HEIGHT, _DISPLAY_UNIT = bytes.fromhex("54b0"), bytes.fromhex("54ba"), bytes.fromhex("54b2")
_AS_RATIO = 3
"""DisplayUnit; WebM only allows pixels, 0."""

_COLOUR, _MASTERING = bytes.fromhex("55b0"), bytes.fromhex("55d0")
_MAX_CLL, _MAX_FALL = bytes.fromhex("55bc"), bytes.fromhex("55bd")
_FIRST_OF_DISPLAY = 0x55D1
"""First of ten consecutive elements: x, y of red, green, blue, white; largest and smallest luminance."""

_ROOM = 120
"""Bytes reserved, Void element included, within a one-byte size."""

_CRC_BYTES = 6  # CRC-32 with id and size

_CLUSTER, _TIME = bytes.fromhex("1f43b675"), b"\xe7"
_REACHES = tuple(1 << power for power in range(16, 26))
"""Bytes before a block that are searched for its cluster, in turn: most clusters are short, and a film may have 30
streams of subtitles."""


def with_room(name: str) -> str:
    """Return a track name that reserves room."""
    return name + " " * _ROOM


def display(width: int, height: int, aspect: Fraction, *, webm: bool) -> bytes:
    """Return the display shape's elements. aspect: of a sample."""
    if webm:
        return _number(_DISPLAY_WIDTH, round(width * aspect)) + _number(_DISPLAY_HEIGHT, height)
    shape = aspect * width / height
    return b"".join(
        (
            _number(_DISPLAY_WIDTH, shape.numerator),
            _number(_DISPLAY_HEIGHT, shape.denominator),
            _number(_DISPLAY_UNIT, _AS_RATIO),
        )
    )


def lit(mastering: MasteringDisplay | None, light: LightLevel | None) -> bytes:
    """Return the elements for HDR metadata."""
    found = b""
    if light is not None:
        found += _number(_MAX_CLL, light.most) + _number(_MAX_FALL, light.mean)
    if mastering is not None:
        points = (mastering.red, mastering.green, mastering.blue, mastering.white)
        values = [*(part for point in points for part in point), mastering.most_nits, mastering.least_nits]
        kinds = range(_FIRST_OF_DISPLAY, _FIRST_OF_DISPLAY + len(values))
        parts = [
            _coded(kind.to_bytes(2, "big"), struct.pack(">f", value)) for kind, value in zip(kinds, values, strict=True)
        ]
        found += _coded(_MASTERING, b"".join(parts))
    return found


def time_before_zero(file: BinaryIO, place: int) -> int | None:
    """Return a block's time below 0. place: `Packet.pos`."""
    for reach in _REACHES:
        begin = max(0, place - reach)
        file.seek(begin)
        content = file.read(place - begin + 12)
        cluster = content.rfind(_CLUSTER, 0, place - begin)
        if cluster >= 0 or not begin:
            break
    block = content[place - begin :]
    if cluster < 0 or len(block) < 12:
        return None
    at = cluster + head_of(content[cluster : cluster + 12])[1]
    if content[at : at + 1] == _CRC:
        at += _CRC_BYTES
    kind, head, size = head_of(content[at : at + 12])
    if kind != _TIME:
        return None
    track = 9 - block[0].bit_length()
    time = int.from_bytes(content[at + head : at + head + size], "big")
    time += int.from_bytes(block[track : track + 2], "big", signed=True)
    return time if time < 0 else None


def completed(file: BinaryIO, name: str, video: bytes, colour: bytes) -> tuple[int, bytes]:
    """Return offset and bytes of a file's completed tracks. Raises OutputError.

    video, colour: for the first track.
    """
    place, end = 0, file.seek(0, io.SEEK_END)
    while place < end:
        file.seek(place)
        kind, head, size = head_of(file.read(12))
        begin = place + head
        if kind == _TRACKS and begin + size <= end:
            file.seek(begin)
            return begin, _tracks(file.read(size), name, video, colour)
        place = begin if kind == _SEGMENT else begin + size
    raise OutputError("the description of its streams is too long for standard output; write a file")


def _tracks(content: bytes, name: str, video: bytes, colour: bytes) -> bytes:
    begin, end = next((begin, end) for kind, begin, end in _elements(content) if kind == _ENTRY)
    return checked(content[:begin] + _entry(content[begin:end], name, video, colour) + content[end:])


def checked(content: bytes) -> bytes:
    """Renew an element's checksum, if any."""
    if content[:1] != _CRC:
        return content
    rest = content[_CRC_BYTES:]
    return _coded(_CRC, zlib.crc32(rest).to_bytes(4, "little")) + rest


def _entry(content: bytes, name: str, video: bytes, colour: bytes) -> bytes:
    parts = []
    for kind, begin, end in _elements(content):
        part = content[begin:end]
        if kind == _NAME:
            part = name.encode()
        elif kind == _VIDEO:
            part = _video(part, colour) + video
        parts += [_coded(kind, part)] if part else []
    left = len(content) - sum(map(len, parts)) - 2
    return b"".join((*parts, _VOID, _sized(left, 1), bytes(left)))


def _video(content: bytes, colour: bytes) -> bytes:
    known = {kind: content[begin:end] for kind, begin, end in _elements(content)}
    known[_COLOUR] = known.get(_COLOUR, b"") + colour
    return b"".join(_coded(kind, part) for kind, part in known.items() if part)


def _elements(content: bytes) -> Iterator[tuple[bytes, int, int]]:
    place = 0
    while place < len(content):
        kind, head, size = head_of(content[place : place + 12])
        yield kind, place + head, place + head + size
        place += head + size


def head_of(data: bytes) -> tuple[bytes, int, int]:
    """Return an element's ID, header length and size."""
    data = data.ljust(18, b"\0")  # hostile headers are longer than what was read
    id_bytes = 9 - data[0].bit_length()
    size_bytes = 9 - data[id_bytes].bit_length()
    head = id_bytes + size_bytes
    size = int.from_bytes(data[id_bytes:head], "big") & ((1 << 7 * size_bytes) - 1)
    return data[:id_bytes], head, size


def _coded(kind: bytes, content: bytes) -> bytes:
    size = len(content)
    return kind + _sized(size, next(count for count in range(1, 9) if size < (1 << 7 * count) - 1)) + content


def _sized(size: int, count: int) -> bytes:
    return (size | 1 << 7 * count).to_bytes(count, "big")


def _number(kind: bytes, value: int) -> bytes:
    return _coded(kind, value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big"))
