"""Distances of frames from painted ones, measured in a thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue

import pytest

from assets.make_clips import CLIPS
from framebrush.media.video import Position
from framebrush.painted.extract import extract
from framebrush.painted.painted_folder import PaintedFolder
from framebrush.window.painted import measuring
from framebrush.window.painted.measuring import TOLD, Line, Measuring, Unsearched, Wanted
from tests.app.painted.films import SHOT_FRAMES, two_shots

pytestmark = pytest.mark.media

Lines = SimpleQueue[tuple[Wanted, Line]]
SHOT = Wanted(CLIPS / "cfr.mp4", "", (0,), 0, 2 * TOLD + 3)


@pytest.fixture
def told() -> Lines:
    return SimpleQueue()


@pytest.fixture
def ask(told: Lines) -> Iterator[Callable[[Wanted | Unsearched], None]]:
    made = Measuring(lambda wanted, line: told.put((wanted, line)), None)
    yield made.request
    made.close()
    assert made.join(60)


def test_a_shot_is_told_while_it_is_measured_and_kept(told: Lines, ask: Callable[[Wanted], None]) -> None:
    ask(SHOT)
    lines = [told.get(timeout=20)[1] for _ in range(3)]
    assert [[number for number, _ in line] for line in lines] == [[*range(n)] for n in (TOLD, 2 * TOLD, 2 * TOLD + 3)]
    ask(SHOT)
    assert told.get(timeout=20) == (SHOT, lines[-1])
    assert told.empty()


@pytest.mark.slow
def test_measuring_leaves_time_to_playback(
    told: Lines, ask: Callable[[Wanted], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "PAUSE_S", 0.2 * TOLD)
    begin_s = time.monotonic()
    ask(replace(SHOT, end=5))
    assert len(told.get(timeout=20)[1]) == 5
    assert time.monotonic() - begin_s >= 5 * 0.2


@pytest.fixture
def unsearched(tmp_path: Path) -> Unsearched:
    """Film of two shots with one painted frame."""
    film = two_shots(tmp_path / "film.mp4")
    extract(film, PaintedFolder.beside(film), [Position.of_frame(2)], search=False)
    return Unsearched(film, PaintedFolder.beside(film).path)


def test_shots_are_looked_for(told: Lines, ask: Callable[[Wanted | Unsearched], None], unsearched: Unsearched) -> None:
    ask(unsearched)
    folder, end_s = PaintedFolder(unsearched.folder), time.monotonic() + 20
    while not folder.read().searched:
        assert time.monotonic() < end_s
        time.sleep(0.01)
    assert [shot.first for shot in folder.read().shots] == [0, SHOT_FRAMES]
    assert told.empty()


def test_a_search_gives_way_to_what_is_asked_later(
    told: Lines, ask: Callable[[Wanted | Unsearched], None], unsearched: Unsearched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "PAUSE_S", 0.05 * TOLD)
    ask(unsearched)
    time.sleep(0.02)
    ask(replace(SHOT, end=3))
    assert len(told.get(timeout=20)[1]) == 3
    assert not PaintedFolder(unsearched.folder).read().searched


def test_what_cannot_be_read_is_passed_over(
    told: Lines, ask: Callable[[Wanted | Unsearched], None], tmp_path: Path
) -> None:
    none = tmp_path / "none.mp4"
    ask(Wanted(none, "", (0,), 0, 9))
    ask(Unsearched(none, tmp_path))
    ask(SHOT)
    assert told.get(timeout=20)[0] == SHOT
