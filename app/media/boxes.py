"""Boxes of ISO base media files (ISO/IEC 14496-12)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO

MOST_BOXES = 1 << 16
"""Maximum number of top-level boxes, against hostile files of empty boxes (under a second). Enough for nine hours of
one-second fragments, two boxes each.
"""

_MOST_BYTES = 1 << 26  # size limit of one box: a header may claim any length

Rectangle = tuple[int, int, int, int]
"""Left, top, width and height in samples."""


def top_boxes(file: BinaryIO) -> Iterator[tuple[bytes, int, int]]:
    """Yield (type, start, end) of top-level boxes, even cut-off ones. Raises OSError."""
    at, size = 0, file.seek(0, os.SEEK_END)
    for _ in range(MOST_BOXES):
        if at + 8 > size:
            return
        file.seek(at)
        header = file.read(16)
        length, start = int.from_bytes(header[:4], "big"), 8
        if length == 1:
            length, start = int.from_bytes(header[8:16], "big"), 16
        elif length == 0:  # extends to the end of the file
            length = size - at
        if length < start:
            return
        yield header[4:8], at + start, at + length
        at += length


def top_box(path: Path, kind: bytes) -> bytes | None:
    """Return the first top-level box's content of a type."""
    with suppress(OSError, ValueError), path.open("rb") as file:
        for found, begin, end in top_boxes(file):
            if found == kind:
                file.seek(begin)
                return file.read(min(end - begin, _MOST_BYTES))
    return None


def boxes(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield (type, content) of consecutive boxes."""
    at = 0
    while at + 8 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        if length < 8 or at + length > len(data):
            return
        yield data[at + 4 : at + 8], data[at + 8 : at + length]
        at += length


def aperture(box: bytes, width: int, height: int) -> Rectangle | None:
    """Return a `clap` box's crop rectangle (12.1.4); None if whole or invalid."""
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
