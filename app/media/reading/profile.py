"""ICC profiles of pictures."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

from av.video.frame import VideoFrame

from framebrush.media.reading.heif import HeifPicture
from framebrush.media.side_data import whole_side_data

MAX_BYTES = 16 << 20
"""Size limit of a profile; those with tables for printing inks have a few MiB."""


_PNG = b"\x89PNG\r\n\x1a\n"


def colour_profile(path: Path, codec: str, frame: VideoFrame, picture: HeifPicture | None) -> bytes | None:
    """Return a frame's ICC profile, unless overridden. Raises OSError."""
    if picture is not None:
        found = picture.profile
    elif codec in ("png", "apng"):  # see `side_data` for why FFmpeg is not used
        found = _of_png(path)
    else:
        found = whole_side_data(frame, "ICC_PROFILE")
    return found if found and len(found) <= MAX_BYTES else None


def _of_png(path: Path) -> bytes | None:
    """Return iCCP, unless cICP overrides it (PNG 3, 4.3)."""
    profile = None
    with path.open("rb") as file:
        if file.read(len(_PNG)) != _PNG:
            return None
        while len(head := file.read(8)) == 8:
            size, kind = struct.unpack(">I4s", head)
            if kind == b"cICP":
                return None
            if kind in (b"IDAT", b"IEND"):
                break
            if kind == b"iCCP" and size <= MAX_BYTES:
                _, _, packed = file.read(size).partition(b"\0")
                unpack = zlib.decompressobj()
                try:
                    profile = unpack.decompress(packed[1:], MAX_BYTES)
                except zlib.error:
                    profile = b"damaged"
                size = 0
            file.seek(size + 4, 1)
    return profile
