"""Drawn frames: right in size, number and time, and nothing of the disk can be drawn."""

from __future__ import annotations

import os
from fractions import Fraction
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from assets.make_clips import CLIPS
from framebrush.gpu.temporal_window import TemporalWindow
from framebrush.media.reading.generator import SOURCES, Generator
from framebrush.media.reading.reader import Reader
from framebrush.media.sources.frame_source import local_path, open_frame_source
from framebrush.media.video import FrameSource, InputError, Position, RangeError, TimeRange

pytestmark = pytest.mark.media

TEST = "lavfi:testsrc2=size=64x48:rate=10:duration=2"


def test_opening_by_a_text() -> None:
    with open_frame_source(str(CLIPS / "cfr.mp4")) as source:
        assert isinstance(source, Reader)
        assert (source.name, source.can_seek, source.has_end, source.live) == ("cfr.mp4", True, True, False)
        assert (source.info.name, source.info.source) == ("cfr.mp4", str((CLIPS / "cfr.mp4").absolute()))
    with open_frame_source(TEST) as source:
        assert isinstance(source, Generator)
        assert (source.name, source.can_seek, source.has_end, source.live) == (TEST, False, True, False)
        assert (source.info.name, source.info.source, source.info.path) == (TEST, TEST, None)
    assert local_path(TEST) is None
    assert local_path("film.mp4") == Path("film.mp4")


@pytest.mark.parametrize("name", SOURCES)
def test_every_source_draws(name: str) -> None:
    with open_frame_source(f"lavfi:{name}=size=66x50:rate=30000/1001:duration=0.1") as source:
        frames = list(source)
    assert [(frame.number, frame.duration) for frame in frames] == [(0, 1), (1, 1), (2, 1)]
    assert (source.info.format.width, source.info.format.height) == (66, 50)
    assert [frame.pts * source.info.time_base for frame in frames] == [Fraction(1001 * n, 30000) for n in range(3)]
    assert source.info.frame_count == 3


def test_frames_stay_valid_and_differ() -> None:
    with open_frame_source(TEST) as source:
        first, second = islice(source, 2)
        kept = first.frame.planes[0].copy()
        list(source)
    assert np.array_equal(first.frame.planes[0], kept)
    assert not np.array_equal(second.frame.planes[0], kept)


@pytest.mark.parametrize(
    ("span", "before", "inside", "after"),
    [
        (TimeRange(), [], range(20), []),
        (TimeRange(frames=3), [], range(3), [3, 4]),
        (TimeRange(start=Position(Fraction(1), "frame"), frames=4), [0], range(1, 5), [5, 6]),
        (TimeRange(start=Position(Fraction(1), "s"), end=Position(Fraction("1.9"), "s")), [8, 9], range(10, 19), [19]),
    ],
)
def test_a_range_comes_with_its_neighbours(span: TimeRange, before: list[int], inside: range, after: list[int]) -> None:
    with open_frame_source(TEST, span, context=TemporalWindow(2, 2)) as source:
        frames = list(source)
        assert source.info.frame_count == len(inside)
    with open_frame_source(TEST) as source:
        whole = [frame.frame.planes[0].copy() for frame in source]
    assert [frame.number for frame in frames] == [*before, *inside, *after]
    assert [frame.number for frame in frames if not frame.context] == list(inside)
    for frame in frames:
        np.testing.assert_array_equal(frame.frame.planes[0], whole[frame.number])


def numbers(source: FrameSource, limit: int = 50) -> list[int]:
    with source:
        return [frame.number for frame in islice(source, limit)]


def at(value: str, unit: str = "s") -> Position:
    return Position(Fraction(value), unit)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        (TimeRange(), range(20)),
        (TimeRange(frames=3), range(3)),
        (TimeRange(at("0.5"), at("0.8")), range(5, 8)),
        (TimeRange(at("4", "frame"), at("17", "frame"), 2), range(4, 6)),
        (TimeRange(at("1.9"), at("60")), range(19, 20)),
    ],
)
def test_ranges_are_those_of_a_file(span: TimeRange, expected: range) -> None:
    source = open_frame_source(TEST, span)
    assert source.info.frame_count == len(expected)
    assert numbers(source) == list(expected)
    whole = list(islice(open_frame_source(TEST), expected[0] + 1))[-1]
    again = next(iter(open_frame_source(TEST, span)))
    assert np.array_equal(whole.frame.planes[0], again.frame.planes[0])


def test_without_a_duration_there_is_no_end() -> None:
    source = open_frame_source("lavfi:life=size=64x48")
    assert not source.has_end
    assert source.info.frame_count is None
    assert source.info.duration_s is None
    assert numbers(source) == list(range(50))


def test_a_drawn_source_says_that_it_cannot_seek() -> None:
    with open_frame_source(TEST) as source, pytest.raises(InputError, match="cannot seek"):
        source.seek(at("1"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("lavfi:", "is not a test source"),
        ("lavfi:movie=/etc/passwd", "is not a test source"),
        ("lavfi:amovie=x.wav", "is not a test source"),
        ("lavfi:movie", "is not a test source"),
        ("lavfi:testsrc2[out];movie=x[b]", "is not a test source"),
        ("lavfi:testsrc2,movie=x", "is not a test source"),
        ("lavfi:life=filename=/etc/passwd", "no option 'filename'"),
        ("lavfi:life=f=/etc/passwd", "no option 'f'"),
        ("lavfi:life=/etc/passwd", "is not an option"),
        ("lavfi:life=/rule=/etc/passwd", "is not an option"),
        ("lavfi:cellauto=filename=/etc/passwd", "is not a test source"),
        ("lavfi:color=c=red,movie=x", "is not an option"),
        ("lavfi:color=c=red;movie=x", "is not an option"),
        ("lavfi:color=c='red", "is not an option"),
        ("lavfi:color=c=red\\:size=1", "is not an option"),
        ("lavfi:color=c=nosuchcolour", "FFmpeg cannot draw it"),
        ("lavfi:testsrc2=size=99999x99999", "cannot be drawn"),
        ("lavfi:testsrc2=size=16384x16384", "cannot be drawn"),
        ("lavfi:testsrc2=size=0x0", "cannot be drawn"),
        ("lavfi:testsrc2=size=hd720", "cannot be drawn"),
        ("lavfi:testsrc2=rate=0", "not a frame rate"),
        ("lavfi:testsrc2=rate=1/0", "not a frame rate"),
        ("lavfi:testsrc2=rate=1e9", "not a frame rate"),
        ("lavfi:testsrc2=rate=99999", "not a frame rate"),
        ("lavfi:testsrc2=duration=0", "not a duration"),
        ("lavfi:testsrc2=duration=soon", "not a duration"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_its_text(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        open_frame_source(text)
    assert text in str(caught.value)


def test_an_empty_range_is_refused() -> None:
    with pytest.raises(RangeError, match=r"the range starts after the last frame \(\d+\)$"):
        open_frame_source(TEST, TimeRange(at("2")))
    with pytest.raises(RangeError, match="contains no frame; choose a later end or an earlier start"):
        open_frame_source(TEST, TimeRange(at("0.5"), at("0.5")))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no colons in names")
@pytest.mark.parametrize("name", ["lavfi:x.mp4", "live:x.mp4", "camera:0.mp4"])
def test_a_file_that_is_called_like_a_source_is_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(b"film")
    with pytest.raises(InputError, match=f"; the file of this name is ./{name}$"):
        open_frame_source(name)
