"""Facts of a video, its frames and its orientation."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from framebrush.gpu.frame import FrameFormat, HostMemoryFrame, PlaneOrder
from framebrush.media.video import ColourTags, Orientation, Position, TimeRange, VideoFrame, VideoInfo, on_host

pytestmark = pytest.mark.unit

FILM = VideoInfo(
    path=Path("folder") / "film.mp4",
    container="mp4",
    codec="h264",
    stream_index=0,
    pix_fmt="yuv420p",
    format=FrameFormat(720, 576, PlaneOrder.PLANAR, subsample=(1, 1)),
    tags=ColourTags(2, 2, 2),
    time_base=Fraction(1, 90_000),
    rate=Fraction(50),
    start_pts=9000,
    sample_aspect=Fraction(16, 15),
)
"""PAL with pixels wider than high."""


def test_a_picture_is_as_wide_as_its_pixels_and_upright() -> None:
    assert FILM.shape == pytest.approx(4 / 3)
    assert replace(FILM, rotation_degrees=180).shape == pytest.approx(4 / 3)
    for degrees in (90, -90, 270):
        assert replace(FILM, rotation_degrees=degrees).shape == pytest.approx(3 / 4)


@pytest.mark.parametrize(
    ("degrees", "quarters"), [(0, 0), (90, 1), (-90, 3), (180, 2), (270, 3), (360, 0), (44, 0), (46, 1)]
)
def test_an_orientation_is_of_quarter_turns(degrees: int, quarters: int) -> None:
    lies = Orientation(degrees)
    assert lies.quarters == quarters
    assert lies.turned((4, 3)) == ((3, 4) if quarters in (1, 3) else (4, 3))
    assert replace(FILM, rotation_degrees=degrees, mirrored=True).orientation == Orientation(degrees, True)


def test_frames_are_counted_or_expected_by_duration() -> None:
    assert FILM.expected_frames is None
    assert replace(FILM, frame_count=7, duration_s=2.0).expected_frames == 7
    assert replace(FILM, frame_count=0, duration_s=2.0).expected_frames == 0
    assert replace(FILM, duration_s=2.005).expected_frames == 100
    assert replace(FILM, duration_s=2.0, rate=None).expected_frames is None
    assert replace(FILM, duration_s=0.0, rate=Fraction(25)).expected_frames is None


def test_times_begin_at_the_first_frame() -> None:
    assert FILM.start_s == Fraction(1, 10)
    picture = FILM.format.allocate()
    frame = VideoFrame(5, 18_000, 1800, picture)
    assert FILM.time_s(frame) == Fraction(1, 10)
    assert frame.host is picture
    assert FILM.usual_rate == 50
    assert FILM.seconds_of(Position.of_frame(5)) == Fraction(1, 10)
    assert FILM.seconds_of(Position(Fraction(5), "s")) == 5
    assert replace(FILM, rate=None).seconds_of(Position.of_frame(5)) == Fraction(1, 5)
    assert TimeRange.of_frame(5) == TimeRange(Position(Fraction(5), "frame"), None, 1)


def test_a_frame_comes_from_its_device() -> None:
    picture = FILM.format.allocate()
    picture.planes[0][...] = 77
    assert on_host(picture) is picture
    copied = on_host(HostMemoryFrame(picture, None))
    assert copied is not picture
    assert copied.planes[0].min() == 77


def test_frames_are_woven_until_they_are_deinterlaced() -> None:
    assert not FILM.woven
    assert replace(FILM, interlaced=True).woven
    assert not replace(FILM, interlaced=True, deinterlaced="auto").woven


def test_a_film_is_named_by_its_file_or_description(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert (FILM.name, FILM.source) == ("film.mp4", str(tmp_path / "folder" / "film.mp4"))
    drawn = replace(FILM, path=None, description="lavfi:testsrc")
    assert (drawn.name, drawn.source) == ("lavfi:testsrc", "lavfi:testsrc")
