"""Boxes of MP4 files, at the limits of their lengths."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import pytest

from framebrush.media.boxes import MOST_BOXES, Rectangle, aperture, boxes, top_box, top_boxes

pytestmark = pytest.mark.unit

WHOLE = struct.pack(">I4s3s", 11, b"free", b"abc")
LONG = struct.pack(">I4sQ2s", 1, b"mdat", 18, b"xy")


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", []),
        (WHOLE[:7], []),
        (WHOLE + LONG + WHOLE, [(b"free", 8, 11), (b"mdat", 27, 29), (b"free", 37, 40)]),
        (WHOLE + struct.pack(">I4s", 8, b"skip") + WHOLE[:7], [(b"free", 8, 11), (b"skip", 19, 19)]),
        (WHOLE + struct.pack(">I4s5s", 0, b"mdat", b"to the end"), [(b"free", 8, 11), (b"mdat", 19, 24)]),
        (WHOLE + struct.pack(">I4s", 8, b"skip"), [(b"free", 8, 11), (b"skip", 19, 19)]),
        (WHOLE[:-1], [(b"free", 8, 11)]),  # cut off, as a film that is still copied
        (struct.pack(">I4s", 7, b"free") + WHOLE, []),
        (struct.pack(">I4sQ", 1, b"mdat", 15) + WHOLE, []),
        (struct.pack(">I4sQ", 1, b"mdat", 16) + WHOLE, [(b"mdat", 16, 16), (b"free", 24, 27)]),
    ],
)
def test_top_boxes_of_a_file(data: bytes, found: list[tuple[bytes, int, int]]) -> None:
    assert [*top_boxes(io.BytesIO(data))] == found


def test_endless_boxes_end() -> None:
    assert len([*top_boxes(io.BytesIO(struct.pack(">I4s", 8, b"free") * (MOST_BOXES + 9)))]) == MOST_BOXES


def test_the_first_box_of_a_type_is_read(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes(LONG + WHOLE + struct.pack(">I4s3s", 11, b"free", b"def"))
    assert [top_box(path, kind) for kind in (b"free", b"mdat", b"moov")] == [b"abc", b"xy", None]
    assert top_box(tmp_path / "gone.mp4", b"free") is None


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", []),
        (WHOLE + WHOLE, [(b"free", b"abc")] * 2),
        (struct.pack(">I4s", 8, b"skip") + WHOLE, [(b"skip", b""), (b"free", b"abc")]),
        (WHOLE + struct.pack(">I4s", 8, b"skip"), [(b"free", b"abc"), (b"skip", b"")]),
        (WHOLE + WHOLE[:-1], [(b"free", b"abc")]),
        (WHOLE + WHOLE[:7], [(b"free", b"abc")]),
        (struct.pack(">I4s", 7, b"free") + WHOLE, []),
    ],
)
def test_inner_boxes_are_read_until_one_is_incomplete(data: bytes, found: list[tuple[bytes, bytes]]) -> None:
    assert [*boxes(data)] == found


@pytest.mark.parametrize(
    ("clean", "offset", "found"),
    [
        ((100, 80), (0, 0), (14, 8, 100, 80)),
        ((100, 80), (-14, 8), (0, 16, 100, 80)),  # at each edge
        ((100, 80), (14, -8), (28, 0, 100, 80)),
        ((100, 80), (-15, 0), None),
        ((100, 80), (15, 0), None),
        ((100, 80), (0, -9), None),
        ((100, 80), (0, 9), None),
        ((1, 1), (0, 0), (64, 48, 1, 1)),
        ((0, 80), (0, 0), None),
        ((100, 0), (0, 0), None),
        ((-2, 80), (0, 0), None),
        ((128, 96), (0, 0), None),
        ((128, 94), (0, 0), (0, 1, 128, 94)),
        ((126, 96), (0, 0), (1, 0, 126, 96)),
    ],
)
def test_an_aperture_lies_within_the_picture(
    clean: tuple[int, int], offset: tuple[int, int], found: Rectangle | None
) -> None:
    box = struct.pack(">8i", clean[0], 1, clean[1], 1, offset[0], 1, offset[1], 1)
    assert aperture(box, 128, 96) == found
    assert aperture(box + b"more", 128, 96) == found
    assert aperture(box[:-1], 128, 96) is None


@pytest.mark.parametrize("place", range(1, 8, 2))
def test_an_aperture_without_a_denominator_is_ignored(place: int) -> None:
    numbers = [100, 1, 80, 1, 0, 1, 0, 1]
    numbers[place] = 0
    assert aperture(struct.pack(">8i", *numbers), 128, 96) is None
