"""The player against a model, over random sequences of commands."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from queue import Empty
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test
from hypothesis.strategies import booleans, integers, just, lists, one_of, sampled_from, tuples

from framebrush.gpu.look import Look
from framebrush.gpu.surface import Viewport
from framebrush.media.video import Position
from framebrush.playback import events
from tests.app.playback.conftest import CLIPS, WAIT_S, Watched

pytestmark = pytest.mark.media

EXAMPLES, STEPS = 25, 10
FILMS, FRAMES = ("cfr.mp4", "bframes.mp4"), 30
MISSING, REFUSED = "missing.mp4", "missing.onnx"
PLAYED = -1
"""Stands for a frame that is not known, as the film has played."""

ORDERS = one_of(
    tuples(just("open"), sampled_from(FILMS), booleans()),
    *(MOVE := (tuples(just("seek"), integers(0, 30)), tuples(just("step"), integers(-5, 5).filter(bool)))),
    tuples(just("move"), lists(one_of(*MOVE), min_size=3, max_size=5)),
    tuples(just("play"), booleans()),
    tuples(just("use_style"), sampled_from(["none", "ink", REFUSED])),
    tuples(just("point_at_a_style"), sampled_from(["ink", REFUSED])),
    tuples(just("use_look"), sampled_from([0.0, 0.5, 1.0])),
    *(tuples(just(name)) for name in ("open_what_is_missing", "close", "play_and_pause_at_once", "mark")),
)

ADDING = ("step", "move", "use_style", "point_at_a_style", "use_look")
"""What may come between steps that add up."""


@dataclass
class Expected:
    """film: "" where none is open. first: the mark, None for none. is_paused: else it plays, or has come to its end."""

    film: str = ""
    number: int = 0
    is_paused: bool = True
    style: str = "none"
    strength: float = 1.0
    first: int | None = None


class PlayerModel(RuleBasedStateMachine):
    """Model of the player. The player is held while commands pile up and merge.

    One rule gives all commands: of several rules, hypothesis leaves some out of each sequence.
    """

    def __init__(self) -> None:
        super().__init__()
        self.expected, self.watched = Expected(), Watched()
        self.player = self.watched.player
        self.player.start("cpu", "none", Look())
        self.hold()
        self.open(FILMS[0], False)
        self.compare()

    @rule(orders=lists(ORDERS, min_size=1, max_size=6))
    def give(self, orders: list[tuple[Any, ...]]) -> None:
        if not self.expected.film:
            self.open(FILMS[0], False)
            self.compare()
        self.order(orders)
        self.compare()

    def order(self, orders: list[tuple[Any, ...]]) -> None:
        for name, *arguments in orders:
            if name not in ADDING:
                self.stepped = None
            getattr(self, name)(*arguments)

    def hold(self) -> None:
        self.held, self.opens, self.styles = self.watched.held(), False, False
        self.stepped: tuple[int, int] | None = None  # from which frame the steps that add up go, and how far
        self.held.__enter__()

    def teardown(self) -> None:
        try:
            self.compare()
        finally:
            self.held.__exit__(None, None, None)
            self.player.quit()
            assert self.player.join(WAIT_S)

    def open(self, film: str, play: bool) -> None:
        self.player.open(CLIPS / film, play=play)
        self.expected.film, self.expected.first, self.opens = film, None, True
        self.expected.number, self.expected.is_paused = PLAYED if play else 0, not play

    def open_what_is_missing(self) -> None:
        if self.opens:  # of two in a row, the first one is never opened
            return
        self.player.open(CLIPS / MISSING)
        self.expected.is_paused, self.opens = True, True

    def close(self) -> None:
        self.player.close_video()
        self.expected.film, self.expected.number, self.expected.is_paused, self.expected.first = "", 0, True, None

    def seek(self, number: int) -> None:
        self.player.seek(Position(Fraction(number), "frame"))
        if self.expected.film and self.expected.is_paused:
            self.expected.number = min(number, FRAMES - 1)

    def step(self, by: int) -> None:
        self.player.step(by)
        self.expected.is_paused = True
        if self.expected.film and self.expected.number != PLAYED:
            base, total = self.stepped or (self.expected.number, 0)
            self.stepped = base, total + by
            self.expected.number = min(FRAMES - 1, max(0, base + total + by))

    def move(self, moves: list[tuple[Any, ...]]) -> None:
        self.order(moves)

    def play(self, on: bool) -> None:
        self.player.play(on)
        if on and self.expected.film:
            self.expected.number, self.expected.is_paused = PLAYED, False
        else:
            self.expected.is_paused = True

    def play_and_pause_at_once(self) -> None:
        self.play(True)
        self.play(False)

    def use_style(self, style: str) -> None:
        if style == REFUSED and self.styles:  # it overtakes the former one, which is never in use
            return
        self.styles = True
        self.player.use_style(style)
        if style != REFUSED:
            self.expected.style = style

    def point_at_a_style(self, style: str) -> None:
        self.player.try_style(style)
        self.player.try_style(None)

    def use_look(self, strength: float) -> None:
        self.player.use_look(Look(strength=strength))
        self.player.look_at(Viewport())
        self.expected.strength = strength

    def mark(self) -> None:
        self.player.mark(first=True)
        if self.expected.film:
            self.expected.first = self.expected.number

    def compare(self) -> None:
        """Compare the events, the player's state and the picture with the model."""
        expected, engine, watched = self.expected, self.player.engine, self.watched
        self.held.__exit__(None, None, None)
        self.hold()
        with suppress(Empty):
            while True:
                watched.seen.append(watched.events.get_nowait())
        told = {type(event): event for event in watched.seen}
        answered, used = told[events.StyleAnswered], told[events.StyleInUse]
        assert isinstance(answered, events.StyleAnswered)
        assert isinstance(used, events.StyleInUse)
        assert (answered.number, used.name) == (self.player.last_style, expected.style)
        assert engine.presenter.fitted.now.strength == expected.strength
        assert not engine.is_trying
        opened = [event for event in watched.seen if isinstance(event, events.Opened | events.Closed)][-1:]
        assert [event.info.name for event in opened if isinstance(event, events.Opened)] == [expected.film] * bool(
            expected.film
        )
        marked = told.get(events.InOutChanged, events.InOutChanged(None, None))
        assert isinstance(marked, events.InOutChanged)
        assert (marked.first.number if marked.first else None) == expected.first or expected.first == PLAYED
        if events.Moved in told or self.player.last_move:
            moved = told[events.Moved]
            assert isinstance(moved, events.Moved)
            assert moved.number == self.player.last_move
        if expected.is_paused:
            assert not engine.playing
            assert not any(event.on for event in [told.get(events.Playing)] if isinstance(event, events.Playing))
        if expected.film and expected.is_paused:
            shown = told[events.Shown]
            assert isinstance(shown, events.Shown)
            expected.number = shown.at.number if expected.number == PLAYED else expected.number
            assert (watched.number, shown.at.number) == (expected.number, expected.number)


@pytest.mark.slow
def test_what_is_shown_is_what_was_asked_for_last() -> None:
    run_state_machine_as_test(
        PlayerModel,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.generate],  # to make a failing sequence shorter takes minutes
            suppress_health_check=list(HealthCheck),
        ),
    )
