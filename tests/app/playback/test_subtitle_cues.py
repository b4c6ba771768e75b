"""Subtitle read-ahead around the playhead: seeks, ends, floods of subtitles, memory."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from framebrush.media.reading.subtitle_tracks import find_tracks
from framebrush.playback.subtitle_cues import AHEAD_S, MAX_BYTES, MAX_CUES, MAX_SHOWN, Subtitles
from tests.media.pgs import cleared, film_with_pgs, shown
from tests.media.subtitle_clips import CLIPS, Line, film, srt

pytestmark = pytest.mark.media


@contextmanager
def reading(path: Path, origin_s: float = 0.0) -> Iterator[tuple[Subtitles, threading.Event]]:
    fresh = threading.Event()
    made = Subtitles(find_tracks(path)[0], origin_s, fresh.set)
    try:
        yield made, fresh
    finally:
        made.close()
        made.join(60)
        assert not made.thread.is_alive()


def beside(folder: Path, lines: list[Line]) -> Path:
    path = folder / "film.mp4"
    path.write_bytes((CLIPS / "cfr.mp4").read_bytes())
    path.with_suffix(".srt").write_text(srt(lines), encoding="utf-8")
    return path


def words(subtitles: Subtitles, at_s: float, wanted: list[str]) -> None:
    """Ask until the answer is that, which it must be soon."""
    end = time.monotonic() + 60
    while (got := [cue.text for cue in subtitles.at(at_s)]) != wanted:
        assert time.monotonic() < end, f"{got} at {at_s}, not {wanted}"
        time.sleep(0.002)


def test_the_right_words_at_every_time_in_any_order(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mkv", [("srt", srt([(0.2, 0.48, "one"), (0.4, 0.8, "two")]), "eng")])
    with reading(path) as (subtitles, _):
        for at_s, wanted in (
            (0.44, ["two", "one"]),
            (0.0, []),
            (0.2, ["one"]),
            (0.48, ["two"]),
            (0.79, ["two"]),
            (0.8, []),
            (0.4, ["two", "one"]),
        ):
            words(subtitles, at_s, wanted)


def test_times_count_from_the_first_frame(tmp_path: Path) -> None:
    path = beside(tmp_path, [(10.2, 10.4, "one")])
    with reading(path, origin_s=10.0) as (subtitles, _):
        words(subtitles, 0.3, ["one"])
        words(subtitles, 10.3, [])


def test_more_is_told_without_being_asked(tmp_path: Path) -> None:
    path = beside(tmp_path, [(0.0, 5.0, "one")])
    with reading(path) as (subtitles, fresh):
        assert fresh.wait(60)
        assert [cue.text for cue in subtitles.at(0.0)] == ["one"]


def test_a_long_film_is_read_where_it_is_shown(tmp_path: Path) -> None:
    """Seek far forward and back: early subtitles are read, and far ones forgotten."""
    path = beside(tmp_path, [(float(second), second + 0.9, f"at {second}") for second in range(7200)])
    with reading(path) as (subtitles, _):
        for second in (7000, 3, 3600, 3590, 3500, 7199, 0):
            words(subtitles, second + 0.5, [f"at {second}"])
            words(subtitles, second + 0.95, [])
        for second in range(300):  # as while playing
            words(subtitles, second + 0.5, [f"at {second}"])
        assert len(subtitles.cues) < 60 + AHEAD_S


@pytest.mark.slow
def test_a_hundred_thousand_at_one_time_are_calm(tmp_path: Path) -> None:
    path = beside(tmp_path, [(1.0, 9.0, f"flood {number}") for number in range(100_000)] + [(20.0, 21.0, "after")])
    with reading(path) as (subtitles, fresh):
        subtitles.at(2.0)
        assert fresh.wait(60)
        end = time.monotonic() + 60
        while len(subtitles.at(2.0)) < MAX_SHOWN:
            assert time.monotonic() < end
            time.sleep(0.01)
        time.sleep(0.2)
        assert len(subtitles.cues) <= MAX_CUES
        began = time.thread_time()
        for _ in range(100):
            assert len(subtitles.at(2.0)) == MAX_SHOWN
        assert time.thread_time() - began < 0.5
        words(subtitles, 20.5, ["after"])


def test_a_text_without_an_end_ends_with_the_next(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes((CLIPS / "cfr.mp4").read_bytes())
    path.with_suffix(".srt").write_text(
        "1\n00:00:01,000 --> 99:00:00,000\nendless\n\n2\n00:00:03,000 --> 00:00:04,000\nnext\n", encoding="utf-8"
    )
    with reading(path) as (subtitles, _):
        words(subtitles, 2.0, ["endless"])
        words(subtitles, 3.5, ["next"])
        words(subtitles, 4.5, [])


def test_pictures_stay_until_they_are_cleared_and_take_bounded_memory(tmp_path: Path) -> None:
    sets = {0.1: shown(), 0.5: cleared(), 0.6: shown()}
    with reading(film_with_pgs(tmp_path / "a.mkv", sets=sets)) as (subtitles, _):
        for at_s, count in ((0.05, 0), (0.3, 1), (0.55, 0), (0.9, 1), (0.1, 1)):
            end = time.monotonic() + 60
            while len(subtitles.at(at_s)) != count:
                assert time.monotonic() < end, at_s
                time.sleep(0.002)
        subtitles.used_bytes = MAX_BYTES
        assert subtitles.is_full


def test_a_file_that_is_gone_shows_nothing(tmp_path: Path) -> None:
    path = beside(tmp_path, [(0.0, 5.0, "one")])
    track = find_tracks(path)[0]
    path.with_suffix(".srt").unlink()
    gone = Subtitles(track, 0.0, lambda: None)
    gone.join(60)
    assert gone.at(1.0) == ()
    gone.close()
