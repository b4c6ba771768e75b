"""Distances of frames from painted ones, measured in a thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue

import pytest

from assets.make_clips import CLIPS
from framebrush.window.painted import measuring
from framebrush.window.painted.measuring import TOLD, Line, Measuring, Unsearched, Wanted

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


def test_measuring_leaves_time_to_playback(
    told: Lines, ask: Callable[[Wanted], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "PAUSE_S", 0.2 * TOLD)
    begin_s = time.monotonic()
    ask(replace(SHOT, end=5))
    assert len(told.get(timeout=20)[1]) == 5
    assert time.monotonic() - begin_s >= 5 * 0.2


def test_what_cannot_be_read_is_passed_over(
    told: Lines, ask: Callable[[Wanted | Unsearched], None], tmp_path: Path
) -> None:
    none = tmp_path / "none.mp4"
    ask(Wanted(none, "", (0,), 0, 9))
    ask(Unsearched(none, tmp_path))
    ask(SHOT)
    assert told.get(timeout=20)[0] == SHOT
