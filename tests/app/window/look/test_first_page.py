"""The panel of somebody who has not asked for all settings: looks, large, and the way to the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from framebrush.window.styles.catalog import LARGE, THUMBNAIL
from tests.app.window.conftest import Desk
from tests.app.window.hand import Hand
from tests.app.window.test_layout import check_room

pytestmark = pytest.mark.media


def filled(folder: Path, size: tuple[int, int] = (1280, 800)) -> Desk:
    desk = Desk(folder, size=size, expert=False)
    desk.wait(lambda: len(desk.window.gallery.names) > 5, "the gallery")
    desk.rest(0.2)
    return desk


def shown(desk: Desk) -> QSize:
    """The size of a tile's picture, which is sharp."""
    tiles = desk.window.gallery.tiles
    picture = tiles.item(1).icon().pixmap(tiles.iconSize(), desk.window.devicePixelRatioF())
    assert picture.size() == tiles.iconSize() * desk.window.devicePixelRatioF()
    return tiles.iconSize()


@pytest.mark.slow
def test_looks_come_first_and_everything_is_a_click_away_and_remembered(
    application: QApplication, tmp_path: Path
) -> None:
    desk = filled(tmp_path)
    window, tiles = desk.window, desk.window.gallery.tiles
    assert not window.look_panel.sliders["strength"].isVisible()
    assert window.stroke.kinds.isVisible()
    assert shown(desk) == LARGE
    first, second, third = (tiles.visualItemRect(tiles.item(row)) for row in range(3))
    assert first.top() == second.top() < third.top()  # two beside each other
    check_room(desk, window)
    Hand(desk).click(window.look_panel.expert)
    desk.rest(0.2)
    assert window.look_panel.sliders["strength"].isVisible()
    assert shown(desk) == THUMBNAIL
    check_room(desk, window)
    desk.close()
    desk = filled(tmp_path)
    assert desk.window.look_panel.sliders["strength"].isVisible()
    Hand(desk).click(desk.window.look_panel.expert)
    assert shown(desk) == LARGE
    desk.close()
    desk = filled(tmp_path)
    assert not desk.window.look_panel.sliders["strength"].isVisible()
    desk.close()


def test_a_look_is_chosen_by_a_click_and_every_tile_can_be_reached(application: QApplication, tmp_path: Path) -> None:
    """In the smallest window, too, in which the panel scrolls."""
    desk = filled(tmp_path, (667, 296))
    window, tiles = desk.window, desk.window.gallery.tiles
    desk.open("cfr.mp4")
    for name in ("ink", window.gallery.names[-1]):
        item = tiles.item(window.gallery.names.index(name))
        tiles.scrollToItem(item)
        Hand(desk).click(tiles.viewport(), tiles.visualItemRect(item).center())
        desk.wait_style(name)
    desk.close()
