"""The boxes of files like MP4 (ISO/IEC 14496-12), for what FFmpeg does not pass on."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

_MOST_BOXES = 4096  # at the top: a hostile file may be of nothing but empty ones
_MOST_BYTES = 1 << 26  # a header may claim any length

Rectangle = tuple[int, int, int, int]
"""Left, top, width and height in samples."""


def top_box(path: Path, kind: bytes) -> bytes | None:
    """The content of the first box of a kind at the top level of a file; None where there is none, where the file is of
    another kind or cannot be read."""
    try:
        with path.open("rb") as file:
            at = 0
            for _ in range(_MOST_BOXES):
                file.seek(at)
                header = file.read(16)
                if len(header) < 8:
                    break
                length, start = int.from_bytes(header[:4], "big"), 8
                if length == 1:
                    length, start = int.from_bytes(header[8:16], "big"), 16
                if header[4:8] == kind:
                    file.seek(at + start)
                    return file.read(min(length - start, _MOST_BYTES)) if length > start else b""
                if length < start:
                    break
                at += length
    except (OSError, ValueError, OverflowError):  # a size beyond what a file can have
        pass
    return None


def boxes(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Type and content of the boxes that follow each other."""
    at = 0
    while at + 8 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        if length < 8 or at + length > len(data):
            return
        yield data[at + 4 : at + 8], data[at + 8 : at + length]
        at += length


def aperture(box: bytes, width: int, height: int) -> Rectangle | None:
    """The part of a picture that a clean aperture means; None where that is all of it, or makes no sense.

    The box has width, height and the distance of the centre from that of the picture, as fractions (12.1.4).
    """
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
