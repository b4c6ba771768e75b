"""A window's settings against a model, over random sequences, while the player is busy."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test
from hypothesis.strategies import booleans, integers, just, lists, one_of, sampled_from, tuples

from framebrush.jobs.recipe import Recipe
from framebrush.media.video import Position
from framebrush.styles.specs import StyleSpec
from framebrush.window.state.session import Session
from tests.app.window.conftest import CLIPS, NEVER_MS, Desk

pytestmark = pytest.mark.media

EXAMPLES, STEPS = 6, 10
FILMS, REFUSED = ("cfr.mp4", "bframes.mp4"), "missing.onnx"

ORDERS = one_of(
    tuples(just("choose"), sampled_from(["ink", "none", REFUSED])),
    tuples(just("move_strength"), integers(0, 100)),
    tuples(just("move_stroke"), integers(4, 32)),
    tuples(just("seek"), integers(0, 29)),
    tuples(just("undo"), booleans()),
    tuples(just("open"), sampled_from(FILMS)),
    tuples(just("toggle_key")),
)


@dataclass(frozen=True)
class Chosen:
    """keys: of the strength, by frame."""

    film: str = FILMS[0]
    style: str = "ink"
    strength: float = 1.0
    stroke: float = 1.0
    keys: tuple[tuple[int, float], ...] = ()

    def back_at(self, former: Chosen) -> Chosen:
        return replace(former, film=self.film, keys=former.keys if former.film == self.film else self.keys)


@dataclass
class Model:
    """Model of the choice.

    Attributes:
        loaded: style in use.
        steps: undo steps, each the choice before and after; steps beyond `done` are undone.
        last: choice at the end of the last step.
        key: keyframe that waits for the sought frame.
    """

    now: Chosen = Chosen()
    loaded: str = "ink"
    number: int = 0
    sought: int | None = None
    key: float | None = None
    steps: list[tuple[Chosen, Chosen]] = field(default_factory=list)
    done: int = 0
    last: Chosen = Chosen()
    of_films: dict[str, tuple[tuple[int, float], ...]] = field(default_factory=dict)

    def remember(self) -> None:
        if self.now != self.last:
            self.steps[self.done :] = [(self.last, self.now)]
            self.done, self.last = self.done + 1, self.now

    def go(self, to: Chosen) -> None:
        self.now = self.last = self.now.back_at(to)

    def set_key(self, value: float) -> None:
        self.now = replace(self.now, keys=tuple(sorted({**dict(self.now.keys), self.number: value}.items())))


class ChoiceModel(RuleBasedStateMachine):
    """Choices count at once, though the player is held until `rest`.

    One rule gives all actions: of several rules, hypothesis leaves some out of each sequence.
    """

    desk: Desk

    def __init__(self) -> None:
        super().__init__()
        self.window, self.model = self.desk.window, Model()
        self.session: Session = self.window.session
        keys, history, now = self.window.inspector.panel.keys, self.window.history, self.session.choice
        for film in FILMS:
            keys.bring(str(CLIPS / film), ())
        chosen = Chosen()
        sizes = replace(now.sizes, stroke=chosen.stroke)
        self.session.use_recipe(Recipe(StyleSpec(chosen.style), sizes=sizes, colours=now.colours))
        self.session.player.seek(Position(Fraction(0), "frame"))
        if not now.film.endswith(chosen.film):
            self.desk.open(chosen.film)
        self.desk.settle()
        self.desk.settle()
        for _ in range(2):
            history.steps, history.done = [], 0
            history.redo()  # at first it records what pends
        self.held: AbstractContextManager[None] = self.desk.held()
        self.held.__enter__()

    @rule(orders=lists(ORDERS, min_size=1, max_size=6))
    def act(self, orders: list[tuple[Any, ...]]) -> None:
        for name, *arguments in orders:
            getattr(self, name)(*arguments)
            self.is_chosen()
        self.rest()

    def teardown(self) -> None:
        self.held.__exit__(None, None, None)

    def choose(self, style: str) -> None:
        self.session.use_style(style)
        self.model.now = replace(self.model.now, style=style)

    def move_strength(self, percent: int) -> None:
        model, slider = self.model, self.window.inspector.panel.sliders["strength"].slider
        if not slider.isEnabled() or slider.value() == percent:
            return
        slider.setValue(percent)
        if not model.now.keys:
            model.now = replace(model.now, strength=percent / 100)
        elif model.sought is None:
            model.set_key(percent / 100)
        else:
            model.key = percent / 100

    def move_stroke(self, step: int) -> None:
        slider = self.window.inspector.stroke.slider.slider
        if slider.isEnabled():
            slider.setValue(step)
            self.model.now = replace(self.model.now, stroke=step / 4)

    def toggle_key(self) -> None:
        model, panel = self.model, self.window.inspector.panel
        button, value, keys = panel.buttons["strength"], panel.sliders["strength"].value, dict(model.now.keys)
        if not button.isEnabled() or model.sought is not None:  # nothing is painted yet; or the value is not known
            return
        button.click()
        if model.number in keys:
            del keys[model.number]
            model.now = replace(model.now, keys=tuple(keys.items()))
        else:
            model.set_key(value)

    def seek(self, number: int) -> None:
        self.session.player.seek(Position(Fraction(number), "frame"))
        self.model.sought = number

    def undo(self, again: bool) -> None:
        model = self.model
        self.window.actions_["redo" if again else "undo"].trigger()
        pends = model.now != model.last
        if not again and (model.done or pends):
            model.remember()
            model.done -= 1
            model.go(model.steps[model.done][0])
        elif again and not pends and model.done < len(model.steps):
            model.done += 1
            model.go(model.steps[model.done - 1][1])

    def open(self, film: str) -> None:
        self.let_go()
        self.desk.open(film)
        model = self.model
        model.remember()  # as the former film, which may be the same, is closed
        model.of_films[model.now.film] = model.now.keys
        keys = model.of_films.get(film, ())
        model.now, model.last = (replace(each, film=film, keys=keys) for each in (model.now, model.last))
        model.number = 0
        self.held = self.desk.held()
        self.held.__enter__()

    def let_go(self) -> None:
        """Let the player carry out its commands."""
        desk, model = self.desk, self.model
        self.held.__exit__(None, None, None)
        desk.settle()
        desk.wait(lambda: not self.window.inspector.stroke.debounce.isActive(), "rest")
        desk.settle()
        if model.sought is not None:
            model.number, model.sought = model.sought, None
            if model.key is not None and model.now.keys:
                model.set_key(model.key)
            model.key = None
        if model.now.style == REFUSED:
            model.now = replace(model.now, style=model.loaded)
        model.loaded = model.now.style

    def rest(self) -> None:
        """Let the player carry out its commands, then wait a moment."""
        desk, model, window, engine = self.desk, self.model, self.window, self.session.player.engine
        self.let_go()
        window.history.debounce.timeout.emit()
        model.remember()
        self.is_chosen()
        assert not self.session.awaits_style
        assert engine.style_name == model.now.style
        assert engine.presenter.fitted.tracks == self.session.keys
        assert engine.presenter.guides.sizes.stroke == model.now.stroke
        assert engine.presenter.fitted.now.strength == model.now.strength
        assert self.session.shown_at.number == desk.number == model.number
        assert window.inspector.stroke.slider.value == model.now.stroke
        rows = [index.row() for index in window.inspector.gallery.tiles.selectedIndexes()]
        assert [window.inspector.gallery.names[row] for row in rows] == [model.now.style]
        self.held = desk.held()
        self.held.__enter__()

    def is_chosen(self) -> None:
        """Exports and saved looks are as chosen, whatever the player is at; and steps can be undone."""
        model, window = self.model, self.window
        film = str(CLIPS / model.now.film)
        spec, look = window.exporting.spec(film, "out.mp4"), window.inspector.looks.current()
        keys = [(int(key.at.value), key.value) for track in spec.keys for key in track.keys]
        now = model.now
        assert (spec.style.name, spec.look.strength, spec.sizes.stroke) == (now.style, now.strength, now.stroke)
        assert keys == list(now.keys)
        assert (look.style.name, look.sizes.stroke) == (model.now.style, model.now.stroke)
        history = window.history
        assert (history.done, len(history.steps)) == (model.done, len(model.steps))


@pytest.mark.slow
def test_what_is_chosen_is_what_was_asked_for_last(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.wait(lambda: len(desk.window.inspector.gallery.names) > 5, "the gallery")
    desk.wait_style("none")
    desk.window.history.debounce.setInterval(NEVER_MS)
    monkeypatch.setattr(ChoiceModel, "desk", desk, raising=False)
    # Films keep nothing, so that each example begins alike; tests/app/window/project has what they keep.
    monkeypatch.setattr(desk.window.project, "_take", lambda _, found: found.document.close())
    run_state_machine_as_test(
        ChoiceModel,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.generate],  # to make a failing sequence shorter takes minutes, with a window
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_a_value_whose_keys_are_undone_during_a_seek_gets_none(desk: Desk) -> None:
    desk.open("cfr.mp4")
    desk.window.session.use_style("ink")
    desk.wait_style("ink")
    panel, session = desk.window.inspector.panel, desk.window.session
    slider = panel.sliders["strength"].slider
    panel.buttons["strength"].click()
    assert panel.keys.has("strength")
    with desk.held():
        session.player.seek(Position(Fraction(4), "frame"))
        slider.setValue(0)
        desk.window.actions_["undo"].trigger()
        assert not panel.keys.has("strength")
    desk.settle()
    assert session.shown_at.number == 4
    assert not session.keys
