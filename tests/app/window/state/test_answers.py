"""State of the window that follows the player's answers: waiting calls, and the frame on the screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Sizes
from framebrush.media.video import Position
from framebrush.playback.events import (
    Event,
    InOutPoint,
    LookAnswered,
    Moved,
    Playing,
    Shown,
    SizesInUse,
    StyleAnswered,
)
from framebrush.window.layout import PreviewBadge
from framebrush.window.state.session import Session

pytestmark = pytest.mark.unit

HERE = InOutPoint(3, 0.12)
WHOLE = Sizes((640, 360), (640, 360), (640, 360), (640, 360), 10.0)
REDUCED = replace(WHOLE, working=(320, 180))


def test_calls_wait_for_the_frame_of_the_latest_seek(session: Session) -> None:
    calls, seeks, events = list[str](), session.seeks, session.events

    def note(word: str) -> Callable[[], None]:
        return lambda: calls.append(word)

    seeks.when_there(note("at once"))
    assert calls == ["at once"]
    for number in (5, 9):
        session.player.seek(Position.of_frame(number))
    for word, kind in (("a", "mark"), ("b", None), ("c", None), ("d", "mark"), ("e", "key")):
        seeks.when_there(note(word), kind)
    events.dispatch(Moved(1))
    assert calls == ["at once"]  # the second seek is pending
    events.dispatch(Moved(2))
    assert calls == ["at once", "b", "c", "d", "e"]  # the latest of a kind, in the order in which they were asked for
    session.player.seek(Position.of_frame(1))
    seeks.when_there(note("cancelled"))
    seeks.cancel()
    events.dispatch(Moved(3))
    seeks.when_there(note("there"))
    assert calls[5:] == ["there"]


def ask(session: Session) -> int:
    session.player.use_look(Look(), ())
    assert not session.shown.is_up_to_date
    return session.player.last_look


def test_a_frame_has_a_look_once_it_is_shown_with_it(session: Session) -> None:
    shown, events, changes = session.shown, session.events, list[bool]()
    shown.changed.connect(lambda: changes.append(shown.is_up_to_date))
    assert (shown.is_up_to_date, shown.is_export, shown.sizes, shown.precision) == (True, False, None, "auto")
    events.dispatch(Shown(HERE))
    assert shown.is_up_to_date
    events.dispatch(LookAnswered(ask(session), playing=False))
    assert shown.is_up_to_date
    ends: list[Event] = [Shown(HERE, exported=True), Playing(False)]
    for end in ends:
        events.dispatch(LookAnswered(ask(session), playing=True))
        events.dispatch(Playing(True))
        assert not shown.is_up_to_date  # the answer is about the next frame
        events.dispatch(end)
        assert shown.is_up_to_date
    assert shown.is_export
    assert changes == [True] * 4
    events.dispatch(SizesInUse(REDUCED, WHOLE, "float16"))
    assert shown.sizes == SizesInUse(REDUCED, WHOLE, "float16")
    assert (shown.precision, len(changes)) == ("float16", 5)


@pytest.mark.parametrize(
    ("paints", "exported", "sizes", "former", "expected"),
    [
        (True, False, SizesInUse(WHOLE, WHOLE), "", "Preview at full size"),
        (True, False, SizesInUse(REDUCED, WHOLE), "", "Preview at 320 × 180"),
        (True, True, SizesInUse(REDUCED, WHOLE), "", "As exported"),
        (True, True, SizesInUse(REDUCED, WHOLE), "look", ""),
        (True, False, SizesInUse(REDUCED, WHOLE), "look", "Preview at 320 × 180"),
        (True, False, SizesInUse(REDUCED, WHOLE), "style", ""),
        (True, True, SizesInUse(REDUCED, WHOLE), "style", ""),
        (False, False, SizesInUse(REDUCED, WHOLE), "", ""),
        (True, False, None, "", ""),
    ],
)
def test_the_badge_says_what_the_frame_is(
    session: Session, paints: bool, exported: bool, sizes: SizesInUse | None, former: str, expected: str
) -> None:
    """former: outdated part of the frame's settings, "style", "look" or ""."""
    badge, events = PreviewBadge(), session.events
    if sizes is not None:
        events.dispatch(sizes)
    session.use_style("ink")
    if former != "style":
        events.dispatch(StyleAnswered(1))
    if former == "look":
        ask(session)
    events.dispatch(Shown(HERE, exported))
    badge.show_state(session, paints=paints)
    assert badge.text() == expected
    assert bool(badge.toolTip()) == bool(expected)
