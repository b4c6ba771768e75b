"""What the sample entry of an MP4 or MOV video says and FFmpeg does not pass on: clean aperture, Dolby Vision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO

_MOST_BOXES = 4096
_MOST_BYTES = 1 << 26
_ENTRY_FIELDS_BYTES = 78  # of a VisualSampleEntry before its boxes (ISO/IEC 14496-12, 12.1.3)


@dataclass(frozen=True, slots=True)
class SampleEntry:
    """clean_aperture: (left, top, width, height) in samples, None where all of the picture is meant.
    dolby_vision_profile: None where the entry names none."""

    clean_aperture: tuple[int, int, int, int] | None = None
    dolby_vision_profile: int | None = None


def read_sample_entry(path: Path, track: int, width: int, height: int) -> SampleEntry:
    """The first sample entry of a track of a file; an empty one where the file is of another kind or damaged.

    track: its place in the file. width, height: of the coded picture.
    """
    try:
        with path.open("rb") as file:
            movie = _movie(file)
    except (OSError, ValueError, OverflowError):  # a size beyond what a file can have
        return SampleEntry()
    tracks = [body for kind, body in _boxes(movie) if kind == b"trak"]
    if not 0 <= track < len(tracks):
        return SampleEntry()
    body = tracks[track]
    for name in (b"mdia", b"minf", b"stbl", b"stsd"):
        body = next((inner for kind, inner in _boxes(body) if kind == name), b"")
    entry = next((inner for _, inner in _boxes(body[8:])), b"")
    inside = dict(_boxes(entry[_ENTRY_FIELDS_BYTES:]))
    configuration = inside.get(b"dvcC") or inside.get(b"dvvC") or b""
    return SampleEntry(
        _aperture(inside.get(b"clap", b""), width, height),
        configuration[2] >> 1 if len(configuration) > 3 else None,  # Dolby Vision Streams within ISOBMFF, 3.2
    )


def _movie(file: BinaryIO) -> bytes:
    """The content of the moov box."""
    at = 0
    for _ in range(_MOST_BOXES):
        file.seek(at)
        header = file.read(16)
        if len(header) < 8:
            break
        length, start = int.from_bytes(header[:4], "big"), 8
        if length == 1:
            length, start = int.from_bytes(header[8:16], "big"), 16
        if header[4:8] == b"moov":
            file.seek(at + start)
            return file.read(min(length - start, _MOST_BYTES)) if length > start else b""
        if length < start:
            break
        at += length
    return b""


def _boxes(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Type and content of the boxes that follow each other."""
    at = 0
    while at + 8 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        if length < 8 or at + length > len(data):
            return
        yield data[at + 4 : at + 8], data[at + 8 : at + length]
        at += length


def _aperture(box: bytes, width: int, height: int) -> tuple[int, int, int, int] | None:
    """Width, height and the distance of the centre from that of the picture, as fractions
    (ISO/IEC 14496-12, 12.1.4)."""
    if len(box) < 32:
        return None
    numbers = [int.from_bytes(box[at : at + 4], "big", signed=True) for at in range(0, 32, 4)]
    if not all(numbers[1::2]):
        return None
    clean_width, clean_height, across, down = (Fraction(a, b) for a, b in zip(numbers[::2], numbers[1::2], strict=True))
    columns, rows = int(clean_width), int(clean_height)
    left, top = round((width - clean_width) / 2 + across), round((height - clean_height) / 2 + down)
    fits = columns > 0 and rows > 0 and left >= 0 and top >= 0 and left + columns <= width and top + rows <= height
    return (left, top, columns, rows) if fits and (columns, rows) != (width, height) else None
