"""What only the boxes of an MP4 file say: the clean aperture, and Dolby Vision's profile."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import av
import numpy as np
import pytest

from framebrush.gpu.frame import nv12
from framebrush.media.reader import Reader
from framebrush.media.sample_entry import SampleEntry, read_sample_entry
from framebrush.media.video import TimeRange
from framebrush.media.writer import OutputOptions, plan_output

pytestmark = pytest.mark.media

WIDTH, HEIGHT = 128, 96
CONTAINERS = (b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stsd", b"avc1")


def with_box(path: Path, box: bytes) -> Path:
    """A film whose sample entry ends with a box."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=25, options={"crf": "1"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for number in range(3):
            rgb = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
            rgb[10:90, 14:114] = 200
            frame = av.VideoFrame.from_ndarray(rgb, "rgb24")
            frame.pts = number
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    data = bytearray(path.read_bytes())
    at = end = 0
    for name in CONTAINERS:
        at = data.index(name, at) - 4
        (size,) = struct.unpack_from(">I", data, at)
        struct.pack_into(">I", data, at, size + len(box))
        end = at + size
        at += 4
    data[end:end] = box  # the index is behind the pictures: no offset changes
    path.write_bytes(data)
    return path


def clap(*numbers: int) -> bytes:
    return struct.pack(">I4s8i", 40, b"clap", *numbers)


def test_the_clean_aperture_is_what_is_shown(tmp_path: Path) -> None:
    """100x80 samples, the centre of which is that of the picture, moved by 0 and 2: left 14, top 10."""
    path = with_box(tmp_path / "film.mp4", clap(100, 1, 80, 1, 0, 1, 4, 2))
    with Reader(path) as reader:
        assert (reader.info.format.width, reader.info.format.height) == (100, 80)
        for frame in reader:
            assert frame.frame.planes[0].shape == (80, 100)
            assert frame.frame.planes[1].shape == (40, 50)
            assert frame.frame.planes[0][1:-1, 1:-1].min() > 150, "what is outside is black"


@pytest.mark.parametrize(
    "numbers",
    [(0, 1, 80, 1, 0, 1, 0, 1), (100, 0, 80, 1, 0, 1, 0, 1), (400, 1, 80, 1, 0, 1, 0, 1), (100, 1, 80, 1, 99, 1, 0, 1)],
)
def test_an_aperture_that_makes_no_sense_is_ignored(tmp_path: Path, numbers: tuple[int, ...]) -> None:
    with Reader(with_box(tmp_path / "film.mp4", clap(*numbers))) as reader:
        assert (reader.info.format.width, reader.info.format.height) == (WIDTH, HEIGHT)


@pytest.mark.parametrize("profile", [5, 8])
def test_dolby_vision_profile_5_is_said(tmp_path: Path, profile: int) -> None:
    box = struct.pack(">I4s4B20x", 32, b"dvcC", 1, 0, profile << 1, 0)
    with Reader(with_box(tmp_path / "film.mp4", box)) as reader:
        assert reader.info.dolby_vision_profile == profile
        said = plan_output(
            reader.info, tmp_path / "out.mp4", OutputOptions(codec="h264"), nv12(WIDTH, HEIGHT), TimeRange()
        ).decisions
    assert any("Dolby Vision profile 5" in line for line in said) == (profile == 5)


def test_damaged_boxes_harm_nothing(tmp_path: Path) -> None:
    whole = with_box(tmp_path / "film.mp4", clap(100, 1, 80, 1, 0, 1, 0, 1)).read_bytes()
    begin = whole.index(b"moov") - 4
    for seed in range(400):
        chance = random.Random(seed)
        data = bytearray(whole)
        for _ in range(8):
            data[chance.randrange(begin, len(data))] = chance.choice([0, 1, 127, 255])
        (tmp_path / "bad.mp4").write_bytes(data)
        found = read_sample_entry(tmp_path / "bad.mp4", 0, WIDTH, HEIGHT)
        if found.clean_aperture is not None:
            left, top, width, height = found.clean_aperture
            assert 0 <= left < left + width <= WIDTH
            assert 0 <= top < top + height <= HEIGHT
    assert read_sample_entry(tmp_path / "nowhere.mp4", 0, WIDTH, HEIGHT) == SampleEntry()
