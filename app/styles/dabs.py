"""Brushes of GIMP and Krita: .gbr with one dab, .gih with several."""

from __future__ import annotations

import re
import struct
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from framebrush.base.files import read_bounded

SUFFIXES = frozenset({".gbr", ".gih"})

MAX_BYTES = 32 << 20
"""Size of a file, which is uncompressed and read whole."""

MAX_SIDE_PX = 10_000
"""GIMP's limit for a dab."""

MAX_DABS = 1024

MAX_LINE_BYTES = 1024
"""Of the two lines of text at the beginning of a pipe, as in GIMP."""

SIDE_PX, WIDTHS = 128, 4
"""Height of a stamped stroke, and its length in heights."""

USUAL_SPACING = 0.2
"""Step between dabs, in widths of a dab, for files without one."""

Floats = npt.NDArray[np.float32]


class Dab(NamedTuple):
    """Dab of a brush. paint: (H, W), 0..1. spacing: in widths."""

    paint: Floats
    spacing: float


def stroke_of(path: Path) -> Floats:
    """Return a stroke to the right, (SIDE_PX, WIDTHS * SIDE_PX), 0..1.

    Raises OSError, ValueError.
    """
    content = read_bounded(path, MAX_BYTES)
    return stamped(dabs_in(content) if path.suffix.lower() == ".gih" else [_dab(content, 0)[0]])


def dabs_in(content: bytes) -> list[Dab]:
    """Return the dabs of an image pipe (.gih). Raises ValueError."""
    _, begin = _line(content, 0)
    text, begin = _line(content, begin)
    count = re.match(rb"\s*(\d{1,4})\b", text)
    if count is None or not 1 <= int(count[1]) <= MAX_DABS:
        raise ValueError(f"its second line does not begin with a number of brushes from 1 to {MAX_DABS}")
    dabs = []
    for _ in range(int(count[1])):
        dab, begin = _dab(content, begin)
        dabs.append(dab)
    return dabs


def stamped(dabs: list[Dab]) -> Floats:
    """Stamp dabs in turn along a stroke; overlaps take the maximum."""
    from PIL import Image  # imported here because only brush files need it

    scale = SIDE_PX / max(side for dab in dabs for side in dab.paint.shape)
    found = []
    for paint, spacing in dabs:
        height, width = (max(1, round(side * scale)) for side in paint.shape)
        sized = Image.fromarray(paint).resize((width, height), Image.Resampling.BILINEAR)
        found.append((np.asarray(sized).clip(0.0, 1.0), max(1.0, spacing * width)))
    stroke = np.zeros((SIDE_PX, WIDTHS * SIDE_PX), np.float32)
    at = SIDE_PX / 2  # of the dab's middle
    in_turn = cycle(found)
    while at <= stroke.shape[1] - SIDE_PX / 2:
        dab, step = next(in_turn)
        height, width = dab.shape
        top, left = (SIDE_PX - height) // 2, round(at - width / 2)
        under = stroke[top : top + height, left : left + width]
        np.maximum(under, dab, out=under)
        at += step
    return stroke


def _line(content: bytes, begin: int) -> tuple[bytes, int]:
    end = content.find(b"\n", begin, begin + MAX_LINE_BYTES)
    if end < 0:
        raise ValueError("it is no brush of GIMP or Krita: it does not begin with two lines of text")
    return content[begin:end], end + 1


def _dab(content: bytes, begin: int) -> tuple[Dab, int]:
    try:
        header_bytes, version, width, height, depth = struct.unpack_from(">5I", content, begin)
        magic, spacing = struct.unpack_from(">4sI", content, begin + 20) if version > 1 else (b"GIMP", None)
    except struct.error:
        raise ValueError("it is cut short; give a complete file") from None
    if version not in (1, 2) or magic != b"GIMP" or header_bytes < (20 if version == 1 else 28):
        raise ValueError("it is no brush of GIMP or Krita in version 1 or 2; save it again in one of these programs")
    if depth not in (1, 4):
        raise ValueError(f"its brush has {depth} bytes a pixel, not 1 (grey) or 4 (colours); save it in 8 bits")
    if not (0 < width <= MAX_SIDE_PX and 0 < height <= MAX_SIDE_PX):
        raise ValueError(f"its brush of {width}x{height} pixels is not between 1 and {MAX_SIDE_PX} pixels a side")
    end = begin + header_bytes + width * height * depth
    if end > len(content):
        raise ValueError("it is cut short; give a complete file")
    codes = np.frombuffer(content, np.uint8, width * height * depth, begin + header_bytes)
    # grey is paint already; of colours, alpha is
    paint = codes.reshape(height, width, depth)[..., -1].astype(np.float32) / np.float32(255)
    return Dab(paint, spacing / 100 if spacing else USUAL_SPACING), end
