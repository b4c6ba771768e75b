"""HEIF pictures as displayed; `test_orientation` covers all eight orientations."""

from __future__ import annotations

import random
import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from av.video.frame import VideoFrame

from framebrush.gpu.frame import Matrix, PlaneOrder, nv12
from framebrush.media.reading.heif import HeifPicture, assembled, read_heif
from framebrush.media.reading.reader import Reader
from framebrush.media.video import InputError, Orientation, TimeRange
from framebrush.media.writing.output_plan import OutputOptions, plan_output
from tests.media.photographs import Picture, box, grid, heic

pytestmark = pytest.mark.media

HEIGHT, WIDTH = 100, 150


def grey() -> Picture:
    """No two blocks of it are the same."""
    levels = np.arange(15 * 10, dtype=np.uint8).reshape(10, 15) + 40
    return levels.repeat(10, 0).repeat(10, 1)[..., None].repeat(3, 2)


def test_tiles_make_one_picture(tmp_path: Path) -> None:
    """The boxes' colours count, BT.601 of limited range, not the coded pictures'."""
    path = tmp_path / "photo.heic"
    path.write_bytes(grid(grey(), 1))
    with Reader(path) as reader:
        form = reader.info.format
        assert (form.width, form.height, form.layout) == (WIDTH, HEIGHT, PlaneOrder.PLANAR)
        assert (form.matrix, form.full_range, reader.info.tags.transfer) == (Matrix.BT601, False, 13)
        frame = next(reader).host
        assert next(reader, None) is None
        assert reader.lost_frames == 0
        said = plan_output(
            reader.info, tmp_path / "out.mkv", OutputOptions(codec="h264"), nv12(WIDTH, HEIGHT), TimeRange()
        ).decisions
    luma = (frame.planes[0].astype(float) - 16) * 255 / 219
    np.testing.assert_allclose(luma, grey()[..., 0], atol=1)
    for plane in frame.planes[1:]:
        np.testing.assert_allclose(plane.astype(int), 128, atol=1)
    assert not any("left out" in line for line in said), "the tiles are no streams of their own"


def test_a_clean_aperture_is_what_is_shown(tmp_path: Path) -> None:
    """80x60 samples around the picture's centre, moved by 5 and 0: left 40, top 20."""
    path = tmp_path / "photo.heic"
    path.write_bytes(heic(grey(), 6, clap=(80, 1, 60, 1, 5, 1, 0, 1)))
    with Reader(path) as reader:
        assert (reader.info.rotation_degrees, reader.info.mirrored) == (270, False)
        luma = next(reader).host.planes[0]
    np.testing.assert_allclose((luma.astype(float) - 16) * 255 / 219, grey()[20:80, 40:120, 0], atol=1)


def test_what_is_not_read_is_refused(tmp_path: Path) -> None:
    """Overlays, decoded by FFmpeg part by part; grids that lack a tile, or exceed their tiles."""
    whole = grid(grey(), 1)
    size = struct.pack(">2H", WIDTH, HEIGHT)
    for name, data, said in (
        ("overlay", whole.replace(b"grid", b"iovl"), "its picture is of the kind iovl, .* convert it to JPEG first"),
        ("lacking", whole.replace(bytes((2, 2)) + size, bytes((3, 2)) + size), "is not a video that can be read"),
        ("small", whole.replace(size, struct.pack(">2H", 999, HEIGHT)), "no frame of it can be decoded"),
        ("huge", whole.replace(size, struct.pack(">2H", 65535, 65535)), "claims 65535x65535"),
    ):
        assert data != whole
        path = tmp_path / f"{name}.heic"
        path.write_bytes(data)
        with pytest.raises(InputError, match=said):
            Reader(path)


def test_tiles_that_make_more_than_can_be_read_make_nothing() -> None:
    """A small file may name one tile over and over, and only the part that is shown is small."""
    tile = VideoFrame(4096, 4096, "yuv420p")
    picture = HeifPicture((1,) * 256, 16, 4096, 4096, (0, 0, 4096, 4096), Orientation(), None, False)
    assert assembled(picture, [tile] * 256) is None


@pytest.mark.slow
@pytest.mark.parametrize("write", [grid, heic])
def test_damaged_boxes_harm_nothing(tmp_path: Path, write: Callable[[Picture, int], bytes]) -> None:
    whole = write(grey(), 5)
    end = whole.index(b"mdat")
    path = tmp_path / "bad.heic"
    refused = 0
    for seed in range(200):
        chance = random.Random(seed)
        data = bytearray(whole)
        for _ in range(4):
            data[chance.randrange(end)] = chance.choice([0, 1, 127, 255])
        path.write_bytes(data)
        try:
            picture = read_heif(path)
        except ValueError:
            refused += 1
            continue
        if picture is not None:
            left, top, width, height = picture.part
            assert 0 <= left <= left + width <= picture.width
            assert 0 <= top <= top + height <= picture.height
        if seed < 20:
            try:
                with Reader(path) as reader:
                    list(reader)
            except InputError:
                refused += 1
    assert refused
    path.write_bytes(whole[: end // 2])
    with pytest.raises(InputError):
        Reader(path)


def test_extents_of_no_bytes_take_no_time(tmp_path: Path) -> None:
    """Each of the items claims as many places as fit into the field, of no bytes each."""
    items = b"".join(struct.pack(">HHH", number, 0, 0xFFFF) for number in range(2, 10))
    meta = box(
        b"meta",
        bytes(4),
        box(b"pitm", bytes(4), b"\0\1"),
        box(b"iinf", bytes(4), b"\0\1", box(b"infe", b"\2\0\0\0", b"\0\1\0\0", b"grid")),
        box(b"iloc", bytes(4), b"\0\0", b"\0\x08", items),
    )
    (tmp_path / "photo.heic").write_bytes(meta)
    tracemalloc.start()
    with pytest.raises(ValueError, match="damaged"):
        read_heif(tmp_path / "photo.heic")
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()
