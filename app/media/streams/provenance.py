"""Provenance of a result, as text in its file.

A final `uuid` box in MP4 and MOV (ISO/IEC 14496-12, 11.1), a tag in Matroska and WebM.
"""

from __future__ import annotations

import json
import mmap
import struct
import uuid
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Self

from framebrush.base.json_values import JsonError, from_values, to_values
from framebrush.media.boxes import top_boxes
from framebrush.media.containers import CONTAINERS
from framebrush.media.encoding.result_losses import Loss
from framebrush.media.output_file import OutputFile
from framebrush.media.reading.open import open_media
from framebrush.media.streams.matroska import checked, head_of
from framebrush.media.video import InputError

TAG = "FRAMEBRUSH"
"""Tag of Matroska and WebM, in upper case."""

MAX_BYTES = 1 << 16
"""Longest text that is read."""

MAX_LOST_BYTES = 1000
"""Longest second line. Matroska's tags precede the pictures, so its room is reserved."""

_TYPE = uuid.UUID("6f2b9a54-3c1e-4d0f-9e67-52b1c8d7a03e").bytes
_TAGS = b"\x12\x54\xc3\x67"
"""Matroska's element of all tags. Source: RFC 9559."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Provenance: a line about the source, and losses as JSON."""

    text: str
    lost: tuple[Loss, ...] = ()

    def to_text(self) -> str:
        """Format both lines, with losses up to MAX_LOST_BYTES."""
        said: list[Any] = []
        for loss in sorted(self.lost, key=lambda one: not one.incomplete):
            text = loss.text
            while not said and len(json.dumps([to_values(loss)])) > MAX_LOST_BYTES:
                text = text[: len(text) // 2]
                loss = replace(loss, text=f"{text}…")
            if len(json.dumps([*said, to_values(loss)])) > MAX_LOST_BYTES:
                break
            said.append(to_values(loss))
        return f"{self.text}\n{json.dumps(said)}" if said else self.text

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Parse the text; invalid losses mean none."""
        made, _, second = text.partition("\n")
        try:
            lost = tuple(from_values(Loss, values, "loss") for values in json.loads(second))
        except (JsonError, ValueError, TypeError, RecursionError):
            lost = ()
        return cls(made.rstrip(), lost)


def with_room(text: str) -> str:
    """Return a new file's tag with room for losses."""
    return text + "\n" + " " * MAX_LOST_BYTES


def write_made_of(file: OutputFile, made: Provenance, *, in_box: bool) -> None:
    """Complete a file's provenance. in_box: MP4 or MOV. Raises OSError."""
    if in_box:
        _append_box(file, made.to_text())
    elif made.lost:
        _fill_room(file, made)


def _append_box(file: OutputFile, text: str) -> None:
    content = text.encode()
    file.seek(0, 2)
    file.write(struct.pack(">I4s16s", 24 + len(content), b"uuid", _TYPE) + content)


def _fill_room(file: OutputFile, made: Provenance) -> None:
    with Path(file.name).open("rb") as reader, mmap.mmap(reader.fileno(), 0, access=mmap.ACCESS_READ) as whole:
        room = with_room(made.text).encode()
        begin = whole.find(room)
        tags = whole.rfind(_TAGS, 0, max(begin, 0))
        if tags < 0:
            return
        _, head, size = head_of(whole[tags : tags + 12])
        place = tags + head
        content = bytearray(whole[place : place + size])
    filled = made.to_text().encode().ljust(len(room))
    content[begin - place : begin - place + len(filled)] = filled
    file.seek(place)
    file.write(checked(bytes(content)))


def read_made_of(path: Path) -> Provenance | None:
    """Return a file's provenance, if any."""
    text = _text_of(path)
    return None if text is None else Provenance.from_text(text)


def _text_of(path: Path) -> str | None:
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
    for kind, begin, end in top_boxes(file):
        if kind == b"uuid" and end - begin <= MAX_BYTES:
            file.seek(begin)
            content = file.read(end - begin)
            if content.startswith(_TYPE) and len(content) == end - begin:
                return content[len(_TYPE) :].decode()
    return None
