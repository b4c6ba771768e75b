"""What a file says it was made of: a text of ours in the file itself, so that it survives a move to another place.

MP4 and MOV get it in a box of our own type after all others, where Adobe's XMP is too: every player skips it,
and what players show of a film stays the film's own. Source: ISO/IEC 14496-12, sections 4.2 and 11.1. Matroska and WebM
get a tag.
"""

from __future__ import annotations

import struct
import uuid
from pathlib import Path
from typing import BinaryIO

from framebrush.media.containers import CONTAINERS
from framebrush.media.output_file import OutputFile
from framebrush.media.reading.open import open_media
from framebrush.media.video import InputError

TAG = "FRAMEBRUSH"
"""Of Matroska and WebM, which know upper case only."""

MAX_BYTES = 1 << 16
"""How long a text may be that is read."""

_TYPE = uuid.UUID("6f2b9a54-3c1e-4d0f-9e67-52b1c8d7a03e").bytes
_MOST_BOXES = 1000


def append_box(file: OutputFile, text: str) -> None:
    """Append a text to a whole MP4 or MOV. Raises OSError."""
    content = text.encode()
    file.seek(0, 2)
    file.write(struct.pack(">I4s16s", 24 + len(content), b"uuid", _TYPE) + content)


def read_made_of(path: Path) -> str | None:
    """The text in a file, None where it has none, or cannot be read."""
    container = CONTAINERS.get(path.suffix.lower())
    try:
        if container is not None and container.is_isobmff:
            with path.open("rb") as file:
                return _find_box(file)
        with open_media(path) as media:
            return next((text for key, text in media.metadata.items() if key.upper() == TAG), None)
    except (InputError, OSError, UnicodeDecodeError):
        return None


def _find_box(file: BinaryIO) -> str | None:
    """The content of our box among those at the top of a file."""
    place, end = 0, file.seek(0, 2)
    for _ in range(_MOST_BOXES):
        file.seek(place)
        head = file.read(24)
        if len(head) < 8:
            return None
        size, kind = struct.unpack_from(">I4s", head)
        if size == 1 and len(head) >= 16:
            size = struct.unpack_from(">Q", head, 8)[0]
        if size < 8 or place + size > end:
            return None
        if kind == b"uuid" and head[8:] == _TYPE and 24 <= size <= MAX_BYTES:
            return file.read(size - 24).decode()
        place += size
    return None
