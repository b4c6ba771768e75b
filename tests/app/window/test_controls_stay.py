"""No control moves under the mouse: neither by the first mark of a film, nor by a style that is added."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QWidget

from tests.app.painted.films import two_shots
from tests.app.window.conftest import Desk
from tests.app.window.hand import Hand
from tests.app.window.painted.test_painting import CTRL, keys_of
from tests.app.window.styles.test_own_pictures import drag, picture

pytestmark = pytest.mark.media


@pytest.fixture
def desk(application: QApplication, tmp_path: Path) -> Desk:
    """A window in the real-time network, on a film of two shots."""
    desk = Desk(tmp_path, style="starry-night")
    desk.open(two_shots(tmp_path / "film.mp4"))
    desk.wait(lambda: len(desk.window.inspector.gallery.names) > 5, "the gallery")
    desk.wait_style("starry-night")
    desk.rest(0.2)
    return desk


def place_of(widget: QWidget) -> QRect:
    """The place of a widget in its window."""
    return QRect(widget.mapTo(widget.window(), QPoint()), widget.size())


@pytest.mark.slow
def test_first_marks_leave_the_seek_bar_where_it_is(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: True)
    window, transport, hand = desk.window, desk.window.transport, Hand(desk)
    controls = (transport.bar, transport.timeline, transport.time, hand.button("play"), hand.button("full-screen"))
    before = [place_of(each) for each in controls]

    def stay(what: str) -> None:
        desk.rest(0.2)
        assert [place_of(each) for each in controls] == before, what

    window.actions_["shot-styles"].setChecked(True)
    window.inspector.gallery.choose_slot(window.inspector.gallery.names.index("scream"))
    desk.wait(lambda: bool(transport.strip.places), "the style of the shot")
    stay("the style of a shot")
    window.actions_["style-everywhere"].trigger()
    desk.wait(lambda: not transport.strip.places, "no keys")
    stay("a style for all shots")
    window.inspector.panel.keys.set("strength", 0.5)
    desk.wait(lambda: bool(transport.strip.places), "the keyframe")
    stay("a keyframe")
    desk.key("m")
    desk.wait(lambda: bool(transport.markers.places), "the marker")
    stay("a marker")
    desk.key("p", CTRL)
    desk.wait(lambda: bool(transport.painted.places), "the frame to be painted")
    stay("an extracted frame")
    key = keys_of(desk).keys[0]
    picture(key.path)
    desk.wait(lambda: keys_of(desk).painted == [0] and transport.learn.isVisible(), "the painted frame")
    stay("a painted frame")
    window.painting.learner.end()
    desk.wait(lambda: window.painting.learner.is_idle, "the end of learning")
    stay("the end of learning")
    desk.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "unfolded"),
    [((1366, 768), True), ((1366, 768), False), ((900, 420), True), ((1500, 1300), True)],
)
def test_a_dropped_picture_leaves_the_gallery_as_high(
    application: QApplication, tmp_path: Path, size: tuple[int, int], unfolded: bool
) -> None:
    desk = Desk(tmp_path, size=size, unfolded=unfolded)
    gallery, tiles = desk.window.inspector.gallery, desk.window.inspector.gallery.tiles
    desk.wait(lambda: len(gallery.names) > 5, "the gallery")
    desk.open("cfr.mp4")
    height, top, bundled = tiles.height(), place_of(tiles).top(), len(gallery.names)
    assert height >= 2 * tiles.gridSize().height()
    pictures = [picture(tmp_path / f"own {number}.png", 40 * number) for number in range(4)]
    drag(gallery, pictures)
    desk.wait(lambda: len(gallery.names) == bundled + len(pictures), "the tiles")
    desk.wait(lambda: gallery.names[tiles.currentRow()] == desk.window.session.choice.style.name, "its style")
    desk.rest(0.2)
    assert (tiles.height(), place_of(tiles).top()) == (height, top)
    assert tiles.viewport().rect().contains(tiles.visualItemRect(tiles.currentItem()))
    desk.close()
