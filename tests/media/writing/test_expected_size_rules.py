"""The expected size of a result, by sizes of packets that are given."""

from __future__ import annotations

from pathlib import Path

import av
import pytest

from assets.make_clips import CLIPS
from framebrush.media.containers import CONTAINERS
from framebrush.media.writing.expected_size import GOP_FRAMES, PartSize, expected_size, measure_part

PACKET = 16
"""What a container adds to a packet, apart from MPEG-TS."""


def part(key: int, other: int, others: int = 15, *, head: int = 0, beside: int = 0) -> PartSize:
    picture = key + other * others
    return PartSize(head + picture + beside + PACKET * (others + 1), (key,), (other,) * others, beside)


def expect(*parts: PartSize, frames: int, ending: str = ".mp4") -> int:
    return expected_size(parts, frames, CONTAINERS[ending])


def test_a_part_is_measured_by_its_packets() -> None:
    path = CLIPS / "extras.mkv"
    with av.open(str(path)) as film:
        streams = [stream for stream in film.streams if stream.type != "attachment"]  # PyAV crashes on those
        found = [(packet.stream.type, packet.is_keyframe, packet.size) for packet in film.demux(streams)]
    keys, others = ([size for kind, key, size in found if kind == "video" and size and key is a] for a in (True, False))
    measured = measure_part(path, 1)
    assert measured.size == path.stat().st_size
    assert (measured.keys, measured.others) == (tuple(keys), tuple(others))
    assert measured.frames == len(keys) + len(others)
    assert measured.beside == sum(size for kind, _, size in found if kind != "video") > 0


def test_frames_of_an_unreadable_part_are_of_equal_sizes(tmp_path: Path) -> None:
    path = tmp_path / "part.mkv"
    path.write_bytes(bytes(100))
    assert measure_part(path, 7) == PartSize(100, (14,) * 7, ())


def test_the_head_is_that_of_the_first_part() -> None:
    first, longer = part(900, 100, head=50), part(900, 100, head=5000)
    assert expect(first, longer, frames=64) + 4950 == expect(longer, first, frames=64)


def test_parts_of_all_frames_are_the_result() -> None:
    parts = [part(900, 100, head=50), part(800, 100, head=50)]
    assert expect(*parts, frames=32) == sum(each.size for each in parts)
    assert expect(*parts, frames=33) != sum(each.size for each in parts)


def test_a_head_counts_once_and_all_else_by_the_frame() -> None:
    """Frames that all decode alone leave no doubt."""
    alone = PartSize(700 + 16 * (1000 + PACKET) + 32, (1000,) * 16, (), 32)
    assert expect(alone, alone, frames=1600) == 700 + 1600 * (1000 + PACKET) + 3200


@pytest.mark.parametrize("frames", [GOP_FRAMES, GOP_FRAMES + 1, 20 * GOP_FRAMES])
def test_it_lies_between_a_keyframe_a_part_and_those_of_a_whole(frames: int) -> None:
    parts = [part(16_000, 1000), part(8000, 500), part(8000, 500)]
    starts = -(-frames // GOP_FRAMES)
    most = (16_000 + 15_000 + 2 * (8000 + 7500)) / 48 * frames
    least = starts * 32_000 / 3 + (frames - starts) * 30_000 / 45
    assert expect(*parts, frames=frames) == round((most * least) ** 0.5 + PACKET * frames)


@pytest.mark.parametrize("ending", [".ts", ".m2ts"])
def test_a_container_of_packets_takes_its_share(ending: str) -> None:
    """Of MPEG-TS, 4 of 188 bytes are its own, and 8 of 192 of M2TS; half a packet of each picture is empty."""
    size = 192 if ending == ".m2ts" else 188
    alone = PartSize(0, (1000,) * 16, ())
    assert expect(alone, frames=1000, ending=ending) == round(1000 * (1000 * size / 184 + 260))
