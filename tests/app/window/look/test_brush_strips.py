"""The brushes' tiles: strips of the frame on the screen, in the chosen style."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import pytest
from PySide6.QtGui import QImage

from framebrush.media.video import Position
from framebrush.models.brushes import PRESETS
from framebrush.window.look.brush_kinds import PICTURES
from framebrush.window.look.brush_strips import SHAPE
from framebrush.window.styles import film_tiles
from tests.app.window.conftest import Desk
from tests.app.window.hand import Hand

pytestmark = pytest.mark.media

REST_MS, PAUSE_S = 100, 1.0


@pytest.fixture(autouse=True)
def strips_are_painted(no_tile_is_painted: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film_tiles, "REST_MS", REST_MS)


def pictures(desk: Desk) -> list[QImage]:
    return [button.picture for button in desk.window.inspector.stroke.kinds.buttons.values()]


def bundled() -> list[QImage]:
    return [QImage(str(PICTURES / f"{name}.jpg")) for name in PRESETS]


def wait_new(desk: Desk, before: list[QImage]) -> list[QImage]:
    """Wait until all tiles show something else; return it."""
    desk.wait(lambda: all(new != old for new, old in zip(pictures(desk), before, strict=True)), "the strips")
    return pictures(desk)


@pytest.fixture
def hand(desk: Desk) -> Hand:
    """A paused film in oil, with the strips; the gallery is folded."""
    desk.window.inspector.panel.folds["style"].setChecked(False)
    desk.window.session.use_style("oil")
    desk.wait_style("oil")
    desk.open("cfr.mp4")
    wait_new(desk, bundled())
    return Hand(desk)


def at_once(desk: Desk, there: Callable[[], bool]) -> bool:
    """Return whether `there()` holds a moment after the picture is still, without a request."""
    desk.settle()
    requests: list[object] = []
    painter = desk.window.inspector.brush_strips._painter
    real = painter.request
    painter.request = lambda request: (requests.append(request), real(request))[1]  # type: ignore[method-assign]
    desk.rest(PAUSE_S)
    painter.request = real  # type: ignore[method-assign]
    return there() and not any(requests)


@pytest.mark.slow
def test_each_brush_paints_this_frame_in_this_style(hand: Hand) -> None:
    desk = hand.desk
    oil = pictures(desk)
    assert all(one != other for one, other in pairwise(oil))
    assert all(strip.width() == SHAPE * strip.height() for strip in oil)
    desk.window.session.use_style("great-wave")
    wave = wait_new(desk, oil)
    desk.window.player.seek(Position(Fraction(20), "frame"))
    wait_new(desk, wave)
    desk.window.actions_["close"].trigger()
    desk.wait(lambda: pictures(desk) == bundled(), "the bundled pictures")


@pytest.mark.slow
def test_strips_of_before_are_kept_and_a_brush_changes_none(hand: Hand) -> None:
    desk, oil = hand.desk, pictures(hand.desk)
    desk.window.session.use_style("great-wave")
    wait_new(desk, oil)
    desk.window.session.use_style("oil")
    desk.wait_style("oil")
    assert at_once(desk, lambda: pictures(desk) == oil)
    hand.click(desk.window.inspector.stroke.kinds.buttons["palette-knife"])
    assert at_once(desk, lambda: pictures(desk) == oil)


@pytest.mark.slow
def test_nothing_is_painted_in_a_folded_section_or_while_a_film_plays(hand: Hand) -> None:
    desk, oil = hand.desk, pictures(hand.desk)
    fold = desk.window.inspector.panel.folds["brush"]
    hand.click(fold)
    desk.wait(lambda: not desk.window.inspector.stroke.kinds.isVisible(), "the fold")
    desk.window.player.seek(Position(Fraction(20), "frame"))
    assert at_once(desk, lambda: pictures(desk) == oil)
    hand.click(fold)
    later = wait_new(desk, oil)
    desk.window.player.seek(Position(Fraction(0), "frame"))
    desk.settle()
    desk.window.actions_["loop"].trigger()
    desk.window.player.play(True)
    desk.wait(lambda: desk.window.actions_["play"].isChecked(), "the play")
    assert at_once(desk, lambda: pictures(desk) in (oil, later))
    desk.window.player.play(False)


@pytest.mark.slow
def test_the_tiles_of_the_gallery_come_too(hand: Hand) -> None:
    """Both ask for the same frame at the same moment."""
    desk, gallery = hand.desk, hand.desk.window.inspector.gallery
    hand.click(desk.window.inspector.panel.folds["style"])
    desk.wait(lambda: gallery.of_film("oil") is not None, "the gallery's tile")
    tile, strips = gallery.of_film("oil"), pictures(desk)
    desk.window.player.seek(Position(Fraction(20), "frame"))
    wait_new(desk, strips)
    desk.wait(lambda: gallery.of_film("oil") != tile, "the gallery's next tile")
