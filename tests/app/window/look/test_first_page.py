"""The inspector at a first start: paintings and brushes, and one click to each further section."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from framebrush.base.option import Section
from framebrush.window.layout import PanelColumn
from tests.app.window.conftest import Desk
from tests.app.window.hand import Hand
from tests.app.window.test_layout import check_room

pytestmark = pytest.mark.media


def filled(folder: Path, size: tuple[int, int] = (1280, 800)) -> Desk:
    desk = Desk(folder, size=size, unfolded=False)
    desk.wait(lambda: len(desk.window.inspector.gallery.names) > 5, "the gallery")
    desk.rest(0.2)
    return desk


def open_sections(desk: Desk) -> set[str]:
    """Return the names of sections with visible rows."""
    panel = desk.window.inspector.panel
    return {name for name, each in zip(get_args(Section), panel.sections, strict=True) if each.isVisible()}


def test_sections_stand_in_order_and_open_by_mouse_and_keyboard(application: QApplication, tmp_path: Path) -> None:
    desk = filled(tmp_path)
    window, panel, hand = desk.window, desk.window.inspector.panel, Hand(desk)
    titles = [each.title for each in panel.sections]
    assert [each.text() for each in titles] == ["Style", "Brush", "Subject", "Colour", "Over time", "Light"]
    places = [each.mapTo(window.side, QPoint()).y() for each in titles]
    assert places == sorted(places)
    assert open_sections(desk) == {"style", "brush"}
    assert window.inspector.stroke.kinds.isVisible()
    hand.click(panel.colour.title)
    desk.rest(0.2)
    assert open_sections(desk) == {"style", "brush", "colour"}
    check_room(desk, window)
    panel.style_section.title.setFocus(Qt.FocusReason.TabFocusReason)
    hand.key(Qt.Key.Key_Space)
    desk.wait(lambda: not window.inspector.gallery.tiles.isVisible(), "the folded gallery")
    assert hand.button("new-style").isVisible()
    desk.close()


@pytest.mark.slow
def test_open_sections_and_advanced_rows_are_remembered(application: QApplication, tmp_path: Path) -> None:
    desk = filled(tmp_path)
    panel, hand = desk.window.inspector.panel, Hand(desk)
    canvas = panel.sliders["canvas"]
    assert not canvas.isVisible()
    hand.click(panel.folds["brush-advanced"])
    assert canvas.isVisible()
    hand.click(panel.light.title)
    hand.click(panel.style_section.title)
    desk.close()
    desk = filled(tmp_path)
    assert open_sections(desk) == {"brush", "light"}
    assert desk.window.inspector.panel.sliders["canvas"].isVisible()
    column = desk.window.side.findChild(PanelColumn)
    assert column is not None
    assert column.verticalScrollBar().value() == 0  # it begins at the top
    Hand(desk).click(desk.window.inspector.panel.light.title)
    desk.close()
    desk = filled(tmp_path)
    assert open_sections(desk) == {"brush"}
    desk.close()


@pytest.mark.slow
def test_a_look_is_chosen_by_a_click_and_every_tile_can_be_reached(application: QApplication, tmp_path: Path) -> None:
    """In the smallest window, too, in which the panel scrolls."""
    desk = filled(tmp_path, (667, 296))
    window, tiles = desk.window, desk.window.inspector.gallery.tiles
    desk.open("cfr.mp4")
    for name in ("ink", window.inspector.gallery.names[-1]):
        item = tiles.item(window.inspector.gallery.names.index(name))
        tiles.scrollToItem(item)
        Hand(desk).click(tiles.viewport(), tiles.visualItemRect(item).center())
        desk.wait_style(name)
    desk.close()
