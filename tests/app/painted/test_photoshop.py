"""Painted frames in Photoshop's and Krita's own files: the flattened picture, and its painted area."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.media.video import InputError
from framebrush.painted.painted_pictures import read_painted
from tests.app.painted.test_painted_pictures import FRAME, PAINTING

pytestmark = pytest.mark.media

HEIGHT, WIDTH = FRAME.shape[:2]
ALPHA: npt.NDArray[np.uint8] = np.zeros((HEIGHT, WIDTH), np.uint8)
ALPHA[:, :48], ALPHA[:, 48:60] = 255, 102
MIXED = np.where(ALPHA[..., None] == 255, PAINTING, np.where(ALPHA[..., None] == 0, FRAME, 0)).astype(np.uint8)
MIXED[:, 48:60] = np.rint(PAINTING[:, 48:60] * 0.4 + FRAME[:, 48:60] * 0.6)
TRANSPARENT, OPAQUE = -1, 1


def on_white(alpha: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The painting as Photoshop lays it on white where it is transparent."""
    share = alpha[..., None] / 255
    return np.rint(PAINTING * share + 255 * (1 - share)).astype(np.uint8)


def sized(content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + content


def resource(key: int, content: bytes) -> bytes:
    return b"8BIM" + struct.pack(">HH", key, 0) + sized(content) + bytes(len(content) % 2)


def block(key: bytes, content: bytes) -> bytes:
    return b"8BIM" + key + sized(content) + bytes(-len(content) % 4)


def layers_of(count: int) -> bytes:
    """The section of layers, which says how many there are and holds none."""
    return sized(struct.pack(">h", count)) + sized(b"")


def psd(
    planes: list[npt.NDArray[np.uint8]], layers: bytes = b"", bits: int = 8, resources: bytes = b"", version: int = 1
) -> bytes:
    """A file with a flat picture of these planes, uncompressed."""
    header = b"8BPS" + struct.pack(">H6xHIIHH", version, len(planes), HEIGHT, WIDTH, bits, 3)
    wide = [plane.astype(">u2") * 257 if bits == 16 else plane for plane in planes]
    picture = b"\0\0" + b"".join(plane.tobytes() for plane in wide)
    return header + sized(b"") + sized(resources) + sized(layers) + picture


def planes_of(picture: npt.NDArray[np.uint8]) -> list[npt.NDArray[np.uint8]]:
    return [picture[..., channel] for channel in range(picture.shape[2])]


def read(tmp_path: Path, content: bytes) -> npt.NDArray[np.uint8]:
    path = tmp_path / "frame-000000.psd"
    path.write_bytes(content)
    return read_painted(path, FRAME)


@pytest.mark.parametrize("bits", [8, 16])
def test_the_flat_picture_is_taken_as_it_is(tmp_path: Path, bits: int) -> None:
    found = read(tmp_path, psd(planes_of(PAINTING), layers_of(OPAQUE), bits))
    assert np.abs(found.astype(int) - PAINTING).max() <= 1


@pytest.mark.parametrize(
    ("bits", "layers"),
    [
        (8, layers_of(TRANSPARENT)),
        (8, sized(b"") + sized(b"") + block(b"Mtrn", b"")),
        (16, sized(b"") + sized(b"") + block(b"Patt", b"odd") + block(b"Lr16", struct.pack(">h", TRANSPARENT))),
        (16, sized(b"") + sized(b"") + block(b"Mt16", b"")),
    ],
    ids=["layers", "block", "layers of 16 bits", "block of 16 bits"],
)
@pytest.mark.parametrize("picture", [on_white(ALPHA), PAINTING], ids=["on white", "as it is"])
def test_where_it_is_transparent_the_film_stays(
    tmp_path: Path, picture: npt.NDArray[np.uint8], bits: int, layers: bytes
) -> None:
    found = read(tmp_path, psd([*planes_of(picture), ALPHA], layers, bits))
    assert np.abs(found.astype(int) - MIXED).max() <= 2


@pytest.mark.parametrize("layers", [b"", layers_of(OPAQUE), sized(b"") + sized(b"") + block(b"Patt", b"odd")])
def test_a_saved_selection_is_no_transparency(tmp_path: Path, layers: bytes) -> None:
    assert np.array_equal(read(tmp_path, psd([*planes_of(PAINTING), ALPHA], layers)), PAINTING)


def test_a_file_without_a_flat_picture_is_refused(tmp_path: Path) -> None:
    def drawn(said: bool) -> bytes:
        return resource(1000, b"odd") + resource(1057, struct.pack(">I?", 1, said) + bytes(12))

    white = [np.full_like(ALPHA, 255)] * 3
    with pytest.raises(InputError, match="holds layers only; save it with its compatibility maximized"):
        read(tmp_path, psd(white, layers_of(OPAQUE), resources=drawn(False)))
    assert np.array_equal(read(tmp_path, psd(planes_of(PAINTING), resources=drawn(True))), PAINTING)


def packed() -> bytes:
    """Return the painting with each row packed as one literal run."""
    content = psd(planes_of(PAINTING), layers_of(OPAQUE))
    rows = [bytes([WIDTH - 1]) + row.tobytes() for plane in planes_of(PAINTING) for row in plane]
    lengths = struct.pack(f">{len(rows)}H", *map(len, rows))
    return content[: -2 - PAINTING.size] + b"\0\1" + lengths + b"".join(rows)


def test_packed_rows_and_palettes_are_read(tmp_path: Path) -> None:
    assert np.array_equal(read(tmp_path, packed()), PAINTING)
    palette = np.arange(256, dtype=np.uint8)
    indexed = psd([PAINTING[..., 0]])[:24] + b"\0\2" + sized(palette.tobytes() + bytes(256) + palette.tobytes())
    found = read(tmp_path, indexed + sized(b"") * 2 + b"\0\0" + PAINTING[..., 0].tobytes())
    assert np.array_equal(found, PAINTING[..., [0, 0, 0]] * np.array([1, 0, 1], np.uint8))


@pytest.mark.parametrize("share", [0.0, 0.0005, 0.0015, 0.5, 0.9])
@pytest.mark.parametrize("content", [psd(planes_of(PAINTING), layers_of(OPAQUE)), packed()], ids=["as it is", "packed"])
def test_a_truncated_file_is_refused(tmp_path: Path, content: bytes, share: float) -> None:
    with pytest.raises(InputError, match=r"frame-000000.psd: .*save it again"):
        read(tmp_path, content[: int(share * len(content))])


@pytest.mark.parametrize("content", [psd(planes_of(PAINTING), version=2), b"8BPT" + bytes(60)])
def test_large_documents_and_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(InputError, match="no Photoshop file, or a large document"):
        read(tmp_path, content)


@pytest.mark.parametrize("part", [26, 30, 50])
def test_lengths_that_lie_are_refused(tmp_path: Path, part: int) -> None:
    content = bytearray(psd(planes_of(PAINTING), layers_of(OPAQUE), resources=resource(1000, b"odd")))
    content[part : part + 4] = b"\xff\xff\xff\xff"
    with pytest.raises(InputError, match="save it again"):
        read(tmp_path, bytes(content))
