"""Information only in an MP4's boxes: clean aperture, and Dolby Vision's colours."""

from __future__ import annotations

import random
import struct
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from av.stream import Disposition

from framebrush.media.reading.reader import Reader
from framebrush.media.reading.sample_entry import SampleEntry, auxiliary_tracks, read_sample_entry
from framebrush.media.video import InputError, OpenOptions
from tests.media import photographs

pytestmark = pytest.mark.media

WIDTH, HEIGHT = 128, 96
CONTAINERS = (b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stsd", b"avc1")


def with_box(path: Path, box: bytes) -> Path:
    """Write a film with a box at the sample entry's end."""
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
    """100x80 samples around the picture's centre, moved by 0 and 2: left 14, top 10."""
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


@pytest.mark.parametrize(
    ("profile", "compatible_with", "refused"),
    [(5, 0, True), (8, 1, False), (7, 6, False), (10, 0, True), (10, 1, False), (20, 0, True), (20, 4, False)],
)
def test_dolby_vision_without_common_colours_is_refused(
    tmp_path: Path, profile: int, compatible_with: int, refused: bool
) -> None:
    box = struct.pack(">I4s5B19x", 32, b"dvcC", 1, 0, profile << 1, 0, compatible_with << 4)
    path = with_box(tmp_path / "film.mp4", box)
    with (
        pytest.raises(InputError, match="Dolby Vision colours only") if refused else nullcontext(),
        Reader(path) as reader,
    ):
        said = f"Dolby Vision, profile {profile}: the base layer is painted, which other players show too"
        assert reader.warnings == [said]
    with Reader(path, opening=OpenOptions(dolby_vision=True)) as reader:
        assert ("come out wrong" in reader.warnings[0]) == refused
        assert next(iter(reader)).number == 0


@pytest.mark.parametrize("full_range", [True, False])
def test_the_stream_tells_it_where_the_container_does_not(tmp_path: Path, full_range: bool) -> None:
    path = tmp_path / "film.hevc"
    path.write_bytes(photographs.dolby_vision([np.full((HEIGHT, WIDTH, 3), 90, np.uint8)] * 2, full_range=full_range))
    with (
        pytest.raises(InputError, match="Dolby Vision colours only") if full_range else nullcontext(),
        Reader(path) as reader,
    ):
        assert reader.warnings == ["Dolby Vision: the base layer is painted, which other players show too"]
        assert len(list(reader)) == 2


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


def film_with_mask(path: Path, mark: bytes) -> Path:
    """A calm grey film, and beside it a mask, which takes more bytes and is marked as one."""
    with av.open(str(path), "w") as out:
        streams = [out.add_stream("libx264", rate=25, options={"crf": "1", "bf": "0"}) for _ in range(2)]
        for stream in streams:
            stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
            stream.codec_context.sample_aspect_ratio = Fraction(1)  # which has a box
            stream.disposition = Disposition.default
        noise = np.random.default_rng(1)
        for number in range(3):
            for stream, codes in zip(streams, (np.full(1, 90), noise.integers(0, 256, WIDTH * HEIGHT)), strict=True):
                planes = np.full((HEIGHT * 3 // 2, WIDTH), 128, np.uint8)
                planes[:HEIGHT] = codes.reshape(-1, codes.size // HEIGHT or 1)
                frame = av.VideoFrame.from_ndarray(planes, "yuv420p")
                frame.pts = number
                out.mux(stream.encode(frame))
        for stream in streams:
            out.mux(stream.encode(None))
    data = path.read_bytes()
    at = data.rindex(b"vide") if mark == b"auxv" else data.rindex(b"pasp")
    path.write_bytes(data[:at] + mark + data[at + 4 :])
    return path


@pytest.mark.parametrize("mark", [b"auxv", b"auxi"])
def test_a_mask_is_never_the_picture(tmp_path: Path, mark: bytes) -> None:
    """A mask is marked by its track's handler, as by libavif, or by a box of the sample entry."""
    with Reader(film_with_mask(tmp_path / "film.mp4", mark)) as reader:
        assert reader.info.stream_index == 0
        assert all(abs(int(frame.host.planes[0].mean()) - 90) < 3 for frame in reader)


def box(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I4s", 8 + len(content), kind) + content


def test_masks_are_found_with_short_and_long_times(tmp_path: Path) -> None:
    def track(version: int, number: int, handler: bytes) -> bytes:
        header = struct.pack(f">B3x{16 if version else 8}xI68x", version, number)
        return box(b"trak", box(b"tkhd", header) + box(b"mdia", box(b"hdlr", bytes(8) + handler + bytes(13))))

    tracks = track(0, 1, b"vide"), track(0, 7, b"auxv"), track(1, 9, b"auxv"), track(1, 3, b"vide")
    (tmp_path / "film.mp4").write_bytes(box(b"ftyp", b"isom" + bytes(4)) + box(b"moov", b"".join(tracks)))
    assert auxiliary_tracks(tmp_path / "film.mp4") == {7, 9}
