"""The ICC profile that a picture brings along, whichever format it has."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

from av.video.frame import VideoFrame

from framebrush.media.reading.heif import HeifPicture
from framebrush.media.reading.side_data import whole_side_data

MAX_BYTES = 16 << 20
"""Of a profile: those with tables for a printer's inks have a few MiB."""

_PNG = b"\x89PNG\r\n\x1a\n"


def colour_profile(path: Path, codec: str, frame: VideoFrame, picture: HeifPicture | None) -> bytes | None:
    """The profile of the first frame of a file, as it is in the file; None where there is none, or it is not to count.

    codec: FFmpeg's name. picture: what the boxes of a HEIF file say, whose profile counts before that of its coded
    items. Raises OSError.
    """
    if picture is not None:
        found = picture.profile
    elif codec in ("png", "apng"):  # see `side_data` for why FFmpeg is not asked
        found = _of_png(path)
    else:
        found = whole_side_data(frame, "ICC_PROFILE")
    return found if found and len(found) <= MAX_BYTES else None


def _of_png(path: Path) -> bytes | None:
    """That of the chunk iCCP (PNG, third edition, 11.3.2.3), unless the chunk cICP says the colours, which then counts
    alone (4.3)."""
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
