"""Reports of missing data, for every format that can tell, without false reports."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from assets.make_clips import CLIPS, LIST
from framebrush.base.text import count_of
from framebrush.media.reading.completeness import is_cut_off
from framebrush.media.reading.reader import Reader
from framebrush.media.video import InputError, Position, TimeRange
from tests.fuzz import families

pytestmark = pytest.mark.media

KNOW = (
    "h264.mp4",
    "fragments.mp4",
    "prores.mov",
    "vp9.webm",
    "ffv1.mkv",
    "mpeg4.avi",
    "h264.ts",
    "h264.flv",
    "motion.gif",
)


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {path.name: path for path in families.make_all(tmp_path_factory.mktemp("clips"))}


@pytest.mark.slow
def test_whole_files_are_whole(clips: dict[str, Path]) -> None:
    for path in (*clips.values(), *(CLIPS / clip.name for clip in LIST)):
        assert not is_cut_off(path), path.name
        with Reader(path) as reader:
            assert sum(1 for _ in reader) > 0
            assert (reader.lost_frames, reader.cut_off) == (0, False), path.name
            assert not any("cut off" in line for line in reader.warnings)


@pytest.mark.slow
@pytest.mark.parametrize("name", KNOW)
def test_every_cut_is_seen(clips: dict[str, Path], tmp_path: Path, name: str) -> None:
    whole = clips[name].read_bytes()
    chance = random.Random(name)
    read = 0
    for share in (0.4, 0.6, 0.75, 0.9, *(chance.uniform(0.3, 0.99) for _ in range(6))):
        path = tmp_path / name
        path.write_bytes(whole[: int(len(whole) * share) | 1])
        assert is_cut_off(path)
        try:
            with Reader(path) as reader:
                count = sum(1 for _ in reader)
                assert reader.cut_off
                assert any("cut off" in line for line in reader.warnings)
                if name.endswith((".mp4", ".webm", ".mkv", ".avi", ".flv")) and name != "fragments.mp4":
                    assert abs(count + reader.lost_frames + reader.absent_frames - families.FRAMES) <= 3
        except InputError:
            continue  # its index was in the part that is missing
        read += 1
    assert read > 0 or name == "prores.mov"


def test_a_download_whose_end_has_not_come_yet(tmp_path: Path) -> None:
    """The file has its whole size from the beginning, with zeros where nothing was written."""
    path = tmp_path / "film.mkv"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("ffv1", rate=25)
        stream.width, stream.height, stream.pix_fmt = 160, 96, "yuv420p"
        noise = np.random.default_rng(1).integers(0, 256, (20, 144, 160), np.uint8)
        for picture in noise:
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture, "yuv420p")))
        out.mux(stream.encode(None))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2].ljust(len(whole), b"\0"))
    assert is_cut_off(path)
    with Reader(path) as reader:
        count = sum(1 for _ in reader)
        assert reader.cut_off
        assert 0 < count < 20
        assert reader.lost_frames == 20 - count
    path.write_bytes(whole + bytes(1 << 20))  # what lies behind the film is no part of it
    assert not is_cut_off(path)


@pytest.mark.slow
def test_a_range_before_the_cut_has_lost_nothing(clips: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "film.mkv"
    whole = clips["ffv1.mkv"].read_bytes()
    path.write_bytes(whole[: len(whole) * 8 // 10])
    with Reader(path, TimeRange(frames=5)) as reader:
        assert sum(1 for _ in reader) == 5
        assert (reader.lost_frames, reader.cut_off) == (0, False)


@pytest.mark.slow
def test_a_range_behind_the_cut_is_no_mistake_of_the_person(clips: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "film.mkv"
    whole = clips["ffv1.mkv"].read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=r"after the last frame .*, because the file is cut off"):
        Reader(path, TimeRange(start=Position(Fraction(20), "frame")))


@pytest.mark.parametrize("name", ["ffv1.mkv", "prores.mov", "motion.y4m"])
def test_a_file_that_shrinks_while_it_is_read(clips: dict[str, Path], tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(clips[name].read_bytes())
    with Reader(path, threads=1) as reader:
        next(reader)
        with path.open("r+b") as file:
            file.truncate(path.stat().st_size // 2)
        count = 1 + sum(1 for _ in reader)
        assert reader.cut_off
        assert count < families.FRAMES
        assert reader.lost_frames > 0


def test_plural_forms() -> None:
    assert [count_of(number, "frame") for number in (0, 1, 2)] == ["0 frames", "1 frame", "2 frames"]
