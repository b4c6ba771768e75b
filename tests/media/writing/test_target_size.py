"""Sizes as people write them, and the bit rate that follows from one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import pytest

from framebrush.gpu.frame import nv12
from framebrush.media.video import OutputError, Position, TimeRange, VideoInfo
from framebrush.media.writing.file_writer import Writer
from framebrush.media.writing.output_plan import OutputOptions, plan_output
from framebrush.media.writing.target_size import (
    HEAD_BYTES,
    LEAST_BITS_PER_PIXEL,
    MARGIN,
    MOST_BITS_PER_PIXEL,
    NOTHING,
    PACKET_BYTES,
    Beside,
    TooSmallError,
    expected_frames,
    measure_beside,
    next_aim,
    parse_size,
    picture_rate,
)
from tests.media.writing.writer_clips import info_of, solid, source

pytestmark = pytest.mark.media
PIXELS = 1000
FRAMES = nv12(64, 48)
WHOLE = TimeRange()


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("25MB", 25_000_000),
        ("1.5GB", 1_500_000_000),
        ("700MiB", 700 << 20),
        ("1GiB", 1 << 30),
        ("200KB", 200_000),
        ("80KiB", 80 << 10),
        ("0.001MB", 1000),
        ("999999MB", 999_999_000_000),
    ],
)
def test_a_size_as_people_write_it(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize(
    "text",
    [
        *("25", "MB", "25 MB", "25mb", "25Mb", "25M", "0MB", "0.0GB", "-1MB", "1e3MB", "1,5GB", "1.MB", "1234567MB"),
        *("25kB", "\u0662\u0665MB", "25MB\n", "nanMB", ""),
    ],
)
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a size: give a number with KB, MB, GB, KiB, MiB, GiB, such as 25MB"):
        parse_size(text)


def test_a_quality_and_a_size_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="exclude each other"):
        OutputOptions(crf=20, target_bytes=1_000_000)
    with pytest.raises(ValueError, match="is none"):
        OutputOptions(target_bytes=0)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return source(tmp_path_factory.mktemp("film") / "film.mkv", audio=["aac"], seconds=2)


@pytest.fixture(scope="module")
def info(film: Path) -> VideoInfo:
    return info_of(film)


def test_all_of_the_size_is_given_to_somebody(info: VideoInfo) -> None:
    known, beside = replace(info, frame_count=100, rate=Fraction(20)), Beside(40_000, 30)
    rate = picture_rate(1_000_000, known, 100 * PIXELS, WHOLE, beside)
    spent = rate * 5 / 8 + beside.size_bytes + PACKET_BYTES * 130 + HEAD_BYTES
    assert spent == pytest.approx(1_000_000 * (1 - MARGIN), abs=1)
    assert picture_rate(10**12, known, PIXELS, WHOLE, beside) == MOST_BITS_PER_PIXEL * PIXELS * 20


def test_the_least_size_is_enough_and_less_is_not(info: VideoInfo) -> None:
    known = replace(info, frame_count=100_000)
    with pytest.raises(TooSmallError, match=r"at least 2 MB; give that") as no:
        picture_rate(1_000_000, known, PIXELS, WHOLE, NOTHING)
    least, rate = no.value.least_bytes, known.rate or 25
    assert least == 2_000_000
    assert picture_rate(least, known, PIXELS, WHOLE, NOTHING) >= LEAST_BITS_PER_PIXEL * PIXELS * rate
    with pytest.raises(TooSmallError, match="at least"):
        picture_rate(least - 100_000, known, PIXELS, WHOLE, NOTHING)
    with pytest.raises(TooSmallError, match=r"1\.5 MB of which is sound and text"):
        picture_rate(least, known, PIXELS, WHOLE, Beside(1_500_000, 10))


@pytest.mark.parametrize(
    ("span", "frames"),
    [
        (WHOLE, 50),
        (TimeRange(frames=20), 20),
        (TimeRange(frames=99), 50),
        (TimeRange(Position(Fraction(1), "s")), 25),
        (TimeRange(Position(Fraction(10), "frame"), Position(Fraction(30), "frame")), 20),
        (TimeRange(Position(Fraction(1), "s"), Position(Fraction("1.2"), "s")), 5),
        (TimeRange(Position(Fraction(1), "s"), frames=10), 10),
    ],
)
def test_the_length_is_that_of_the_range(info: VideoInfo, span: TimeRange, frames: int) -> None:
    known = replace(info, frame_count=None, duration_s=2.0, rate=Fraction(25))
    assert expected_frames(known, span) == frames


def test_the_least_size_is_told_exactly_too(info: VideoInfo) -> None:
    """A try between it and the rounded one that people are told is possible."""
    known = replace(info, frame_count=100_000)
    with pytest.raises(TooSmallError) as no:
        picture_rate(1_000_000, known, PIXELS, WHOLE, NOTHING)
    exact = no.value.exact_bytes
    assert exact < no.value.least_bytes
    picture_rate(exact, known, PIXELS, WHOLE, NOTHING)
    with pytest.raises(TooSmallError):
        picture_rate(exact - 1, known, PIXELS, WHOLE, NOTHING)


@pytest.mark.parametrize(
    ("tries", "aim"),
    [
        ([(1000, 1250)], 1000 * 0.784),  # in proportion, and a little lower
        ([(1000, 1250), (784, 1250)], 784 * 0.784**4),  # it did not follow: no more than four times as far
        ([(1000, 1250), (784, 1400)], 784 * 0.7**4),
        ([(1000, 1250), (500, 1100)], 500 * (0.98 / 1.1) ** 4),
        ([(1000, 2000), (500, 1400)], 500 * 0.7 ** (1 / 0.5146)),  # it followed by half
        ([(1000, 2200), (500, 1100)], 500 * 0.98 / 1.1),  # and in proportion
        ([(1000, 2000), (900, 1100)], 900 * 0.98 / 1.1),
    ],
)
def test_what_the_next_try_aims_at(tries: list[tuple[int, int]], aim: float) -> None:
    assert next_aim(tries, 1000) == pytest.approx(aim, abs=2)


def test_without_a_length_there_is_no_rate(info: VideoInfo) -> None:
    unknown = replace(info, frame_count=None, duration_s=None)
    assert expected_frames(unknown, TimeRange(frames=7)) == 7
    assert expected_frames(unknown, WHOLE) is None
    with pytest.raises(OutputError, match="has no known length, which a target size needs; give --end or --frames"):
        picture_rate(10**6, unknown, PIXELS, WHOLE, NOTHING)


FROM, TO = Position(Fraction(10), "frame"), Position(Fraction(30), "frame")


@pytest.mark.parametrize("span", [WHOLE, TimeRange(FROM, TO), TimeRange(FROM, frames=20)])
def test_what_lies_beside_the_picture_is_what_will_be_written(
    span: TimeRange, film: Path, info: VideoInfo, tmp_path: Path
) -> None:
    target = tmp_path / "out.mkv"
    plan = plan_output(info, target, OutputOptions("libx264", preset="ultrafast"), FRAMES, span)
    with Writer(plan) as writer:
        for number in range(10, 30) if span is not WHOLE else range(50):
            writer.write(solid(FRAMES, 90, 128, 128), number * 40, 40)
        writer.finish()
    with av.open(str(target)) as made:
        sound = [packet.size for packet in made.demux(made.streams.audio) if packet.size]
    found = measure_beside(info, plan.container, plan.items, span)
    assert found.size_bytes == pytest.approx(sum(sound), rel=0.1)  # the ends of a range fall within a packet
    assert found.packets == pytest.approx(len(sound), abs=2)


def test_sound_that_is_encoded_again_counts_as_it_will_be(film: Path, info: VideoInfo, tmp_path: Path) -> None:
    plan = plan_output(info, tmp_path / "out.webm", OutputOptions("vp9", preset="8"), FRAMES, WHOLE)
    assert [item.encoder for item in plan.items] == ["libopus"]
    found = measure_beside(replace(info, frame_count=50), plan.container, plan.items, WHOLE)
    assert found.size_bytes == 2 * 96_000 * 2 / 8
