"""Chapters: on the seek bar, above it, and from one to the next."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from framebrush.media.reading.chapters import LONGEST_TITLE, MOST, read_chapters
from framebrush.media.video import Chapter
from tests.app.window.conftest import Desk
from tests.app.window.hand import Hand, pixels_of

pytestmark = pytest.mark.media

SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.mark.parametrize("clip", ["extras.mkv", "extras.mp4"])
def test_from_one_to_the_next_and_back(desk: Desk, clip: str) -> None:
    hand, window = Hand(desk), desk.window
    desk.open(clip)
    assert window.transport.chapters == (Chapter(Fraction(0), "Begin"), Chapter(Fraction(3, 5), "End"))
    begin = desk.number
    hand.key(Qt.Key.Key_PageDown, SHIFT)
    desk.wait(lambda: window.session.shown_at.time_s > 0.5, "the next chapter")
    there = window.session.shown_at.number
    assert there == round(0.6 * window.session.opened.info.rate)  # type: ignore[union-attr, operator]
    hand.key(Qt.Key.Key_PageDown, SHIFT)  # there is none
    desk.settle()
    assert window.session.shown_at.number == there
    hand.key(Qt.Key.Key_PageUp, SHIFT)
    desk.wait_number(begin or 0)


def test_they_are_seen_on_the_bar_and_named_above_it(desk: Desk) -> None:
    window, bar = desk.window, desk.window.transport.bar
    desk.open("extras.mkv")
    here, beside = round(bar.x_of(600)), round(bar.x_of(600)) - 6
    seen = pixels_of(bar).astype(int)
    ratio = seen.shape[1] / bar.width()
    columns = [seen[:, round(ratio * x)] for x in (here, beside)]
    assert np.abs(columns[0] - columns[1]).max() > 60
    Hand(desk).move(bar, QPoint(here + 9, bar.height() // 2))
    desk.wait(lambda: window.transport.popup.isVisible(), "the popup")
    assert window.transport.popup.time.text().endswith("\nEnd")
    desk.open("cfr.mp4")
    assert window.transport.chapters == ()
    assert not window.actions_["next-chapter"].isEnabled()


def test_what_a_hostile_file_says_is_bounded() -> None:
    base = Fraction(1, 1000)
    said = [
        {"id": 0, "start": 9000, "end": 0, "time_base": base, "metadata": {"title": "a\nb\x1b<b>" + "x" * 999}},
        {"id": 1, "start": -(2**62), "end": 1, "time_base": base, "metadata": {}},
        {"id": 2, "start": 1, "end": 2, "time_base": Fraction(0), "metadata": {}},
    ]
    first, second = read_chapters(said, Fraction(2))  # type: ignore[arg-type]
    assert first == Chapter(Fraction(0), "")
    assert second.start_s == 7
    assert second.title.startswith("a b\N{REPLACEMENT CHARACTER}<b>x")
    assert len(second.title) == LONGEST_TITLE
    assert len(read_chapters(said[:1] * 5000, Fraction(0))) == MOST  # type: ignore[arg-type]
