"""The gallery's tiles: which are taken by mouse and keys."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framebrush.window.styles.gallery import Tiles
from framebrush.window.widgets.controls import signals_blocked

pytestmark = pytest.mark.unit


@pytest.fixture
def tiles(application: QApplication) -> Iterator[Tiles]:
    made = Tiles()
    made.addItems(["first", "second", "third"])
    made.resize(200, 300)
    made.show()
    yield made
    shiboken6.delete(made)


def test_a_click_takes_a_tile_and_beside_them_nothing(tiles: Tiles) -> None:
    taken, place = list[int](), tiles.viewport()
    tiles.taken.connect(taken.append)
    middles = [tiles.visualItemRect(tiles.item(row)).center() for row in range(3)]
    for at in (middles[2], middles[0], QPoint(100, 290)):
        QTest.mouseClick(place, Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseClick(place, Qt.MouseButton.RightButton, pos=middles[1])
    assert taken == [2, 0]


def test_enter_and_space_take_the_current_tile(tiles: Tiles) -> None:
    taken = list[int]()
    tiles.taken.connect(taken.append)
    QTest.keyClick(tiles, Qt.Key.Key_Return)  # none is current
    for row, key in ((0, Qt.Key.Key_Return), (1, Qt.Key.Key_Space), (2, Qt.Key.Key_Enter)):
        with signals_blocked(tiles):
            tiles.setCurrentRow(row)
        QTest.keyClick(tiles, key)
    assert taken == [0, 1, 2]


def test_a_tile_is_pointed_at_once_until_the_pointer_leaves(tiles: Tiles) -> None:
    pointed, place = list[int](), tiles.viewport()
    tiles.pointed.connect(pointed.append)
    first, second = (tiles.visualItemRect(tiles.item(row)).center() for row in range(2))
    for at in (first, first + QPoint(2, 0), second, QPoint(100, 290)):
        QTest.mouseMove(place, at)
    assert pointed == [0, 1, -1]
