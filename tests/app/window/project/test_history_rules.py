"""Undo and redo of settings, by what their actions can and do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication, QMainWindow

from framebrush.playback.events import StyleAnswered
from framebrush.window.painted.mask_corrections import MaskStrokes
from framebrush.window.painted.painted_frames import PaintedFrames
from framebrush.window.project.history import LIMIT, History
from framebrush.window.state.actions import Actions
from framebrush.window.state.session import Session

pytestmark = pytest.mark.unit


class Undoing:
    """A history, and its actions as a person sees them."""

    def __init__(self, window: QMainWindow, session: Session) -> None:
        self.session, self.actions = session, Actions(window)
        self.painted = PaintedFrames(None, window)
        self.strokes = MaskStrokes(session, None, window)
        self.history = History(session, self.actions, self.painted, self.strokes)

    @property
    def can(self) -> tuple[bool, bool]:
        """Whether undo and redo can be chosen."""
        return self.actions["undo"].isEnabled(), self.actions["redo"].isEnabled()

    def use(self, strength: float, *, rests: bool = True) -> None:
        self.session.use(strength=strength)
        if rests:
            self.history.debounce.timeout.emit()

    def undo(self, name: str = "undo") -> float:
        self.actions[name].trigger()
        return self.session.choice.look.strength


@pytest.fixture
def undoing(application: QApplication, session: Session) -> Iterator[Undoing]:
    window = QMainWindow()
    yield Undoing(window, session)
    shiboken6.delete(window)


def test_each_rest_is_a_step_and_both_ends_can_do_no_more(undoing: Undoing) -> None:
    session = undoing.session
    assert undoing.can == (False, False)
    undoing.use(0.9)  # before anything is begun
    assert (undoing.can, undoing.history.steps) == ((False, False), [])
    undoing.history.begin_at(session.choice)
    undoing.history.begin_at(replace(session.choice, device="other"))  # it has begun
    undoing.use(0.8, rests=False)
    assert undoing.can == (True, False)
    undoing.use(0.7)
    assert (undoing.can, len(undoing.history.steps)) == ((True, False), 1)
    undoing.use(0.6)
    undoing.history.debounce.timeout.emit()  # and nothing changed
    assert len(undoing.history.steps) == 2
    assert (undoing.undo(), undoing.can) == (0.7, (True, True))
    assert (undoing.undo(), undoing.can) == (0.9, (False, True))
    assert undoing.undo() == 0.9
    assert (undoing.undo("redo"), undoing.can) == (0.7, (True, True))
    undoing.use(0.5, rests=False)
    assert undoing.can == (True, False)  # nothing to redo after another change
    undoing.use(0.4, rests=False)
    assert (undoing.undo(), undoing.can) == (0.7, (True, True))  # what pends is recorded first
    assert (undoing.undo("redo"), undoing.can) == (0.4, (True, False))
    assert undoing.undo("redo") == 0.4


def test_the_latest_steps_are_kept(undoing: Undoing) -> None:
    undoing.history.begin_at(undoing.session.choice)
    values = [round(0.001 * number, 3) for number in range(1, LIMIT + 3)]
    for strength in values:
        undoing.use(strength)
    assert len(undoing.history.steps) == LIMIT
    for _ in range(LIMIT):
        undoing.undo()
    assert (undoing.session.choice.look.strength, undoing.can) == (values[1], (False, True))


def test_a_step_waits_for_its_style(undoing: Undoing) -> None:
    session = undoing.session
    undoing.history.begin_at(session.choice)
    session.use_style("ink")
    assert session.awaits_style
    undoing.history.debounce.timeout.emit()
    assert undoing.history.steps == []
    assert undoing.history.debounce.isActive()  # asks again
    assert undoing.can == (True, False)


def test_what_is_found_of_a_film_is_no_step(undoing: Undoing, tmp_path: Path) -> None:
    session, history = undoing.session, undoing.history
    for adopt in (undoing.painted.found.emit, undoing.strokes.found.emit, history.follow_style):
        adopt()  # before anything is begun
    assert undoing.can == (False, False)
    history.begin_at(session.choice)
    session.choose(replace(session.choice, painted=((3, "a"),)))
    assert undoing.can == (True, False)
    undoing.painted.found.emit()
    assert undoing.can == (False, False)
    session.choose(session.choice.corrected((), "masks.json"))
    assert undoing.can == (True, False)
    undoing.strokes.found.emit()
    assert undoing.can == (False, False)
    recipe = session.choice.recipe
    session.choose(replace(session.choice, recipe=replace(recipe, style=replace(recipe.style, name="ink"))))
    assert undoing.can == (True, False)
    history.follow_style()
    assert undoing.can == (False, False)
    session.events.dispatch(StyleAnswered(session.player.last_style))
    history.debounce.timeout.emit()
    assert history.steps == []
