"""Detection of truncated files."""

from __future__ import annotations

import os
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO

from framebrush.media.boxes import MOST_BOXES, top_boxes

_EBML, _EBML_DURATION = b"\x1a\x45\xdf\xa3", b"\x44\x89"
_UNKNOWN_SIZES = {(1 << 7 * length) - 1 for length in range(1, 9)}  # EBML: all bits set, a live recording
_ASF_HEADER = bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c")
_ASF_FILE_PROPERTIES = bytes.fromhex("a1dcab8c47a9cf118ee400c00c205365")
_ASF_BROADCAST = 1
_MXF_PARTITION = bytes.fromhex("060e2b34020501010d010201")
_RIFF_UNKNOWN = b"\xff\xff\xff\xff"  # written by FFmpeg to pipes
_NUT_HEADER, _NUT_INDEX = b"nut/multimedia container\0", bytes.fromhex("4e58dd672f23e64e")
_PS_PACK, _PS_END, _PS_FIRST_STREAM = b"\0\0\1\xba", b"\0\0\1\xb9", 0xBB
_TAIL_BYTES = 1 << 16  # larger than an Ogg page (65,307 bytes) and than the void elements of Matroska editors
_TS_PACKETS = ((188, 0), (192, 4), (204, 0))  # packet size, and offset of the sync byte 0x47
_ISOBMFF = {b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot", b"styp", b"sidx", b"moof", b"uuid"}
_GIF_EXTENSION, _GIF_IMAGE, _GIF_TRAILER = b"\x21", b"\x2c", b"\x3b"
_MOST_CHUNKS = 1 << 20  # limit for hostile files of empty chunks, each read separately


def is_cut_off(path: Path) -> bool:
    """Return whether sizes exceed the file, or an end mark is missing."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            head = file.read(4096)
            return _is_cut_off(file, head, size)
    except OSError:
        return False


def promises_duration(path: Path) -> bool:
    """Return whether header, last page or FFmpeg give a duration."""
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except (OSError, ValueError):
        return False
    if head.startswith(_EBML):
        return any(_EBML_DURATION + size in head for size in (b"\x84", b"\x88"))
    if head.startswith(b"FLV"):
        return b"\x00\x08duration\x00" in head
    if head.startswith(_ASF_HEADER):
        return _asf_size(head) > 0
    if head.startswith(b"RIFF"):
        return head[4:8] != _RIFF_UNKNOWN
    return head.startswith((b".RMF", b"DKIF", b"OggS")) or _MXF_PARTITION in head


def _is_cut_off(file: BinaryIO, head: bytes, size: int) -> bool:
    if head.startswith(_EBML):
        end = _ebml_end(head)
        return end > size or (end > _TAIL_BYTES and not _tail(file, end, _TAIL_BYTES).strip(b"\0"))
    if head.startswith(b"RIFF"):
        return head[4:8] != _RIFF_UNKNOWN and _riff_end(file, size) > size
    if head.startswith(b"GIF8"):
        return not _gif_has_end(file)
    if head.startswith(_NUT_HEADER):
        return not _nut_has_index(file, size)
    if head.startswith(_PS_PACK):
        return _ps_end(_tail(file, size, _TAIL_BYTES)) > min(size, _TAIL_BYTES)
    if head.startswith(b"OggS"):
        return _ogg_is_cut_off(_tail(file, size, _TAIL_BYTES))
    if head.startswith(b"FLV"):
        return _flv_is_cut_off(file, size)
    if head.startswith(_ASF_HEADER):
        return _asf_size(head) > size
    if head[4:8] in _ISOBMFF:
        return _boxes_are_cut_off(file, size)
    for packet, place in _TS_PACKETS:
        if len(head) > 3 * packet and all(head[place + i * packet] == 0x47 for i in range(3)):
            return size % packet != 0
    return False


def _tail(file: BinaryIO, size: int, count: int) -> bytes:
    file.seek(max(0, size - count))
    return file.read(count)


def _boxes_are_cut_off(file: BinaryIO, size: int) -> bool:
    found = list(top_boxes(file))
    boxes = list(takewhile(lambda box: box[0].isalnum(), found))
    if not boxes or len(found) >= MOST_BOXES:
        return False
    end = boxes[-1][2]
    if end > size:
        return len(boxes) == len(found)
    file.seek(end)
    return any(kind == b"moof" for kind, _, _ in boxes) and not _only_zeros_follow(file)


def _only_zeros_follow(file: BinaryIO) -> bool:
    return not any(piece.strip(b"\0") for piece in iter(partial(file.read, _TAIL_BYTES), b""))


def _ebml_number(head: bytes, at: int) -> tuple[int, int]:
    if at >= len(head) or not head[at]:
        return 0, at + 1
    length = 9 - head[at].bit_length()
    value = int.from_bytes(head[at : at + length], "big") & ((1 << 7 * length) - 1)
    return (0 if value in _UNKNOWN_SIZES else value), at + length


def _ebml_end(head: bytes) -> int:
    header, at = _ebml_number(head, 4)
    at += header
    if head[at : at + 4] != b"\x18\x53\x80\x67":
        return 0
    segment, at = _ebml_number(head, at + 4)
    return at + segment if segment else 0


def _riff_end(file: BinaryIO, size: int) -> int:
    at = 0
    for _ in range(_MOST_CHUNKS):
        file.seek(at)
        header = file.read(8)
        if header[:4] != b"RIFF" or at >= size:
            return 0
        at += 8 + int.from_bytes(header[4:8], "little")
        if at > size:
            return at
        at += at & 1
    return 0


def _gif_has_end(file: BinaryIO) -> bool:
    file.seek(10)
    _skip_gif_table(file, 2)
    while (kind := file.read(1)) != _GIF_TRAILER:
        if kind == _GIF_EXTENSION:
            file.seek(1, os.SEEK_CUR)
        elif kind == _GIF_IMAGE:
            file.seek(8, os.SEEK_CUR)
            _skip_gif_table(file, 1)
        elif kind == b"\0":
            continue
        else:
            return False
        while (count := file.read(1)) not in (b"\0", b""):
            file.seek(count[0], os.SEEK_CUR)
    return _only_zeros_follow(file)


def _skip_gif_table(file: BinaryIO, count: int) -> None:
    flags = int.from_bytes(file.read(1))
    file.seek(count + (3 << (flags & 7) + 1 if flags & 0x80 else 0), os.SEEK_CUR)


def _nut_has_index(file: BinaryIO, size: int) -> bool:
    length = int.from_bytes(_tail(file, size, 12)[:8], "big")
    if length > size:
        return False
    file.seek(size - length)
    return file.read(8) == _NUT_INDEX


def _ps_end(tail: bytes) -> int:
    """Return the last packet's end, 0 if unknown (13818-1, 2.5.3)."""
    at = tail.rfind(_PS_PACK)
    if at < 0 or at + 14 > len(tail):
        return 0 if at < 0 else at + 14
    at += 14 + (tail[at + 13] & 7) if tail[at + 4] & 0xC0 == 0x40 else 12
    while at < len(tail):
        code = tail[at : at + 4]
        if len(code) < 4 or at + 6 > len(tail):
            return at + 6 if code != _PS_END else at + 4
        if code == _PS_END:
            return at + 4
        if code[:3] != b"\0\0\1" or code[3] < _PS_FIRST_STREAM:
            return 0
        at += 6 + int.from_bytes(tail[at + 4 : at + 6], "big")
    return at


def _flv_is_cut_off(file: BinaryIO, size: int) -> bool:
    length = int.from_bytes(_tail(file, size, 4), "big")
    at = size - 4 - length
    if length < 11 or at < 13:
        return True
    file.seek(at)
    tag = file.read(4)
    return int.from_bytes(tag[1:4], "big") + 11 != length


def _ogg_is_cut_off(tail: bytes) -> bool:
    at = tail.rfind(b"OggS")
    if at < 0 or at + 27 > len(tail):
        return True
    table = tail[at + 27 : at + 27 + tail[at + 26]]
    whole = at + 27 + tail[at + 26] + sum(table) <= len(tail)
    return not (whole and tail[at + 5] & 4)


def _asf_size(head: bytes) -> int:
    """Return the declared size, 0 for broadcasts."""
    at = head.find(_ASF_FILE_PROPERTIES)
    if at < 0 or at + 92 > len(head) or head[at + 88] & _ASF_BROADCAST:
        return 0
    return int.from_bytes(head[at + 40 : at + 48], "little")
