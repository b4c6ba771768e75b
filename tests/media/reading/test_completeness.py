"""Truncated files are told from whole ones by their bytes, container by container."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from framebrush.media.reading.completeness import is_cut_off, promises_duration

pytestmark = pytest.mark.unit

EBML, SEGMENT = b"\x1a\x45\xdf\xa3\x80", b"\x18\x53\x80\x67"
LONG = EBML + SEGMENT + (0x10000000 | 70_000).to_bytes(4) + bytes(69_999)
AVI, MORE = b"RIFF\x04\0\0\0AVI ", b"RIFF\x05\0\0\0AVIX1"
GIF = b"GIF89a\1\0\1\0\0\0\0"
COLOURED = b"GIF89a\1\0\1\0\x80\0\0;;;;;;"
IMAGE = b"\x2c\0\0\0\0\1\0\1\0\0\2\1x\0"
NUT = b"nut/multimedia container\0" + bytes.fromhex("4e58dd672f23e64e") + (20).to_bytes(8) + b"sum!"
PACK, PACKET, PS_END = b"\0\0\1\xba\x44" + bytes(8) + b"\xf8", b"\0\0\1\xe0\0\3abc", b"\0\0\1\xb9"
STUFFED, PACK_1 = PACK[:-1] + b"\xfa\xff\xff", b"\0\0\1\xba\x21" + bytes(7)
FLV = b"FLV\1\5\0\0\0\x09\0\0\0\0\x09\0\0\2" + bytes(7) + b"ab\0\0\0\x0d"
OGG = b"OggS\0\4" + bytes(20) + b"\2\3\1abcd"
TS = (b"\x47" + bytes(187)) * 4
DISC, CODED = (bytes(4) + TS[:188]) * 4, (TS[:188] + bytes(16)) * 4
MP4 = b"\0\0\0\x08ftyp\0\0\0\x10mdatabcdefgh"


def asf(size: int, flags: int = 0) -> bytes:
    """Return a header with file properties of a declared size, in 150 bytes."""
    properties = bytes.fromhex("a1dcab8c47a9cf118ee400c00c205365") + bytes(24) + size.to_bytes(8, "little")
    header = bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c") + bytes(8) + properties
    return (header + bytes(40) + bytes([flags]) + bytes(150))[:150]


WHOLE = {
    "matroska": EBML + SEGMENT + b"\x83abc",
    "matroska of unknown size": EBML + SEGMENT + b"\xff",
    "matroska of unknown size in eight bytes": EBML + SEGMENT + b"\1" + b"\xff" * 7,
    "matroska without a size": EBML + SEGMENT + b"\0",
    "ebml without a segment": EBML + b"\x18\x53\x80\x68\x83",
    "long matroska": LONG + b"x",
    "avi": AVI,
    "avi in two parts": AVI + MORE + b"\0",
    "avi in an odd part": AVI + MORE,
    "avi of a pipe": b"RIFF\xff\xff\xff\xffAVI ",
    "gif": GIF + b";",
    "gif with colours": COLOURED + b";",
    "gif with an image and zeros": GIF + b"\x21\xf9\2ab\0\0" + IMAGE + b";\0\0",
    "nut": NUT,
    "program stream": PACK + PACKET,
    "program stream with its end": PACK + PACKET + PS_END,
    "program stream with stuffing": STUFFED + PACKET,
    "program stream of MPEG-1": PACK_1 + PACKET,
    "program stream with another code": PACK + b"\0\0\1\xba"[:3] + b"\x01\0\0\0",
    "program stream with rubbish": PACK + b"rubbish",
    "flv": FLV,
    "ogg": OGG,
    "asf": asf(150),
    "asf of a broadcast": asf(151, 1),
    "transport stream": TS,
    "transport stream of discs": DISC,
    "transport stream with error correction": CODED,
    "mp4": MP4,
    "text": b"no video at all",
}
CUT_OFF = {
    "matroska": EBML + SEGMENT + b"\x83ab",
    "long matroska": LONG + b"\0",
    "avi": AVI[:-1],
    "avi in two parts": AVI + MORE[:-1],
    "gif": GIF,
    "gif with colours": COLOURED,
    "gif within an image": GIF + IMAGE[:-1],
    "gif with something behind": GIF + b";x",
    "gif of unknown blocks": GIF + b"\x99;",
    "nut": NUT[:-1],
    "nut with a long index": NUT[:-12] + (1000).to_bytes(8) + b"sum!",
    "program stream": (PACK + PACKET)[:-1],
    "program stream within a system header": PACK + b"\0\0\1\xbb\0\3ab",
    "program stream within a code": PACK + PACKET[:3],
    "program stream within a length": PACK + PACKET[:5],
    "program stream within a pack": PACK + PACKET + PACK[:13],
    "flv": FLV[:-1],
    "flv of nothing": FLV[:13],
    "ogg": OGG[:-1],
    "ogg without its last page": OGG.replace(b"\4", b"\0", 1),
    "ogg within a page": OGG[:26],
    "asf": asf(151),
    "transport stream": TS[:-1],
    "transport stream of discs": DISC[:-1],
    "transport stream with error correction": CODED[:-1],
    "mp4": MP4[:-1],
}


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_file_is_whole(tmp_path: Path, name: str) -> None:
    (tmp_path / "film").write_bytes(WHOLE[name])
    assert not is_cut_off(tmp_path / "film")


@pytest.mark.parametrize("name", CUT_OFF)
def test_a_truncated_file_is_cut_off(tmp_path: Path, name: str) -> None:
    (tmp_path / "film").write_bytes(CUT_OFF[name])
    assert is_cut_off(tmp_path / "film")


@pytest.mark.parametrize(
    ("head", "has"),
    [
        (EBML + b"\x44\x89\x88", True),
        (EBML + b"\x44\x89\x84", True),
        (EBML + b"\x44\x89\x80", False),
        (b"FLV\1" + b"\x00\x08duration\x00", True),
        (FLV, False),
        (asf(150), True),
        (asf(0), False),
        (asf(150, 1), False),
        (asf(150)[:100], False),
        (AVI, True),
        (b"RIFF\xff\xff\xff\xffAVI ", False),
        (b".RMF", True),
        (b"DKIF", True),
        (OGG, True),
        (b"run-in" + bytes.fromhex("060e2b34020501010d010201"), True),
        (TS, False),
    ],
)
def test_a_duration_is_promised_by_a_header(tmp_path: Path, head: bytes, has: bool) -> None:
    (tmp_path / "film").write_bytes(head)
    assert promises_duration(tmp_path / "film") == has


def test_a_file_that_is_gone_is_neither(tmp_path: Path) -> None:
    assert not is_cut_off(tmp_path / "gone")
    assert not promises_duration(tmp_path / "gone")


def test_zeros_behind_a_gif_take_no_memory(tmp_path: Path) -> None:
    with (tmp_path / "film").open("wb") as file:
        file.write(GIF + b";")
        file.truncate(64 << 20)
    tracemalloc.start()
    assert not is_cut_off(tmp_path / "film")
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()
