"""Flattened picture of a Photoshop file, for FFmpeg, with transparency.

After Adobe, "Photoshop File Formats Specification", 2019.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

import numpy as np

from framebrush.analysis.to_rgb import Picture
from framebrush.base.files import open_regular
from framebrush.models.colours.oklab import Floats

VERSION_INFO = 1057
"""Resource with the flag that the flattened picture was rendered."""

MERGED_ALPHA = (b"Mtrn", b"Mt16", b"Mt32")
"""Blocks that mark the flattened picture as transparent, in files that store layers in a separate block."""

LAYERS = (b"Lr16", b"Lr32")
"""Layer blocks of files with more than 8 bits."""

MOST_BYTES = 1 << 24
"""Size limit of the palette, of the resources, and of the blocks after the layers."""

MOST_PICTURE = 1 << 28
"""Size limit of a flattened picture, in bytes."""

OFF_WHITE = 3 / 255
"""Rounding tolerance when detecting that a colour was blended with white."""

FEW = 0.01
"""Maximum share of pixels below that tolerance, for pictures that were downscaled after blending."""


def flat(path: Path) -> bytes:
    """Return a Photoshop file of the flattened picture. Raises ValueError, OSError."""
    try:
        with open_regular(path) as file:
            header = file.read(26)
            kind, version = struct.unpack(">4sH20x", header)
            if kind != b"8BPS" or version != 1:
                raise ValueError("it is no Photoshop file, or a large document; save a copy as PNG")
            palette = file.read(min(_length(file), MOST_BYTES))
            transparent = _is_transparent(file)
            picture = file.read(MOST_PICTURE + 1)
    except struct.error:
        raise ValueError("it ends too early") from None
    if len(picture) > MOST_PICTURE:
        raise ValueError(f"its flat picture has more than {MOST_PICTURE >> 20} MB")
    layers = struct.pack(">IIhI", 10, 2, -1 if transparent else 1, 0)
    return header + struct.pack(">I", len(palette)) + palette + bytes(4) + layers + picture


def _is_transparent(file: BinaryIO) -> bool:
    """Return whether the fourth channel is alpha; stay there."""
    if not _is_drawn(file, _length(file)):
        raise ValueError("it holds layers only; save it with its compatibility maximized, or a copy as PNG")
    size = _length(file)
    end = file.tell() + size
    transparent = size > 0 and _says_transparent(file, end)
    file.seek(end)
    return transparent


def _says_transparent(file: BinaryIO, end: int) -> bool:
    size = _length(file)
    after = file.tell() + size
    if size and _count(file) < 0:
        return True
    file.seek(after)
    if end - after < 4:
        return False
    file.seek(_length(file), 1)  # global layer mask
    last = min(end, file.tell() + MOST_BYTES)
    while file.tell() + 12 <= last:
        signature, key, size = struct.unpack(">4s4sI", file.read(12))
        if signature not in (b"8BIM", b"8B64"):
            return False
        after = file.tell() + size + -size % 4
        if key in MERGED_ALPHA or (key in LAYERS and size >= 2 and _count(file) < 0):
            return True
        file.seek(after)
    return False


def _is_drawn(file: BinaryIO, size: int) -> bool:
    """Return whether the flattened picture was rendered; stop behind it."""
    begin, end = file.tell(), file.tell() + size
    drawn = True
    while file.tell() + 12 <= min(end, begin + MOST_BYTES):
        _, key, name = struct.unpack(">4sHB", file.read(7))
        file.seek(name + (name + 1) % 2, 1)
        length = _length(file)
        after = file.tell() + length + length % 2
        if key == VERSION_INFO:
            drawn = bool(struct.unpack(">4xB", file.read(5))[0])
            break
        file.seek(after)
    file.seek(end)
    return drawn


def _length(file: BinaryIO) -> int:
    return int(struct.unpack(">I", file.read(4))[0])


def _count(file: BinaryIO) -> int:
    return int(struct.unpack(">h", file.read(2))[0])


def without_white(rgb: Picture, alpha: Picture) -> Picture:
    """Remove the white that Photoshop blends into transparent pixels.

    rgb: (H, W, 3) uint8. alpha: (H, W).
    """
    share = alpha.astype(np.float32)[..., None] / np.float32(255)
    seen: Floats = rgb.astype(np.float32) / np.float32(255)
    white = 1 - share
    if ((seen < white - OFF_WHITE).any(-1)).mean() > FEW:
        return rgb
    own = np.clip((seen - white) / np.maximum(share, np.float32(1 / 255)), 0, 1)
    found: Picture = np.rint(own * 255).astype(np.uint8)
    return found
