"""Bubbles of the tour by themselves: where they lie, where their tips point, and what takes the focus."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from framebrush.window.tour import TIP_PX, Tour

pytestmark = pytest.mark.unit

VIEW = QRect(100, 50, 800, 500)


@dataclass
class Made:
    """A window with a view, parts around and in it, and the tour on the view."""

    window: QWidget
    view: QWidget
    parts: dict[str, QPushButton]
    tour: Tour


@pytest.fixture
def made(application: QApplication) -> Iterator[Made]:
    sheet = application.styleSheet()
    application.setStyleSheet("")  # of a window of another test, which would replace the colours
    window = QWidget()
    window.resize(1200, 800)
    palette = window.palette()
    palette.setColor(QPalette.ColorRole.Highlight, QColor("red"))
    palette.setColor(QPalette.ColorRole.Base, QColor("blue"))
    window.setPalette(palette)
    view = QWidget(window)
    view.setGeometry(VIEW)
    view.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    places = {
        "inside": QRect(500, 250, 100, 20),
        "right": QRect(1000, 300, 100, 40),
        "below": QRect(400, 600, 60, 40),
        "above": QRect(120, 10, 60, 20),
        "corner": QRect(1000, 700, 40, 40),
    }
    parts = {name: QPushButton(window) for name in places}
    for name, place in places.items():
        parts[name].setGeometry(place)
    tour = Tour(view)
    window.show()
    window.activateWindow()
    QTest.qWaitForWindowActive(window)
    yield Made(window, view, parts, tour)
    shiboken6.delete(window)
    application.setStyleSheet(sheet)


@pytest.mark.parametrize("name", ["inside", "right", "below", "above", "corner"])
def test_a_bubble_lies_in_the_view_nearest_to_its_part_and_points_at_it(made: Made, name: str) -> None:
    tour, part = made.tour, made.parts[name]
    tour.begin(part)
    place, there = tour.geometry(), part.geometry().translated(-VIEW.topLeft())
    right, bottom = VIEW.width() - place.width(), VIEW.height() - place.height()
    middle = there.center() - QPoint(place.width() // 2, place.height() // 2)
    assert (
        place.topLeft()
        == {
            "inside": QPoint(middle.x(), there.bottom()),
            "right": QPoint(right, middle.y()),
            "below": QPoint(middle.x(), bottom),
            "above": QPoint(0, 0),
            "corner": QPoint(right, bottom),
        }[name]
    )
    image = tour.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    red = (pixels[..., 2] > 200) & (pixels[..., 0] < 60)
    margins = {
        "right": red[:, -TIP_PX:],
        "below": red[-TIP_PX:],
        "above": red[:TIP_PX],
        "left": red[:, :TIP_PX],
    }
    side = {"inside": "above", "corner": "right"}.get(name, name)
    assert {each for each, margin in margins.items() if margin.any()} == {side}
    rows, columns = np.nonzero(margins[side])
    if name in ("right", "corner"):
        expected = min(max(there.center().y() - place.y(), 4 * TIP_PX), place.height() - 4 * TIP_PX)
        assert abs(rows.mean() - expected) < 2
    else:
        expected = min(max(there.center().x() - place.x(), 4 * TIP_PX), place.width() - 4 * TIP_PX)
        assert abs(columns.mean() - expected) < 2
    assert (pixels[image.height() // 2, 2 * TIP_PX, 0], pixels[TIP_PX + 1, image.width() // 4, 2]) == (255, 255)


def test_it_goes_on_and_back_and_ends_after_the_last(made: Made) -> None:
    tour, (first, second) = made.tour, list(made.parts.values())[:2]
    assert tour.title == ""
    tour.begin(first, second)
    seen = list[tuple[str, str, bool]]()
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down):
        assert tour.next.hasFocus()
        assert tour.accessibleName() == tour.next.accessibleDescription()
        assert tour.accessibleName().startswith(f"{tour.title}. ")
        seen.append((tour.title, tour.next.text(), tour.back.isEnabled()))
        QTest.keyClick(tour.next, key)
    opens, chooses = ("Open a film", "Next", False), ("Choose a painting", "Done", True)
    assert seen == [opens, opens, chooses, opens]
    QTest.keyClick(tour.next, Qt.Key.Key_Return)
    assert tour.title == ""
    for key, button in ((Qt.Key.Key_Escape, tour.next), (Qt.Key.Key_Return, tour.skip)):
        tour.begin(first, second)
        QTest.keyClick(button, key)
        assert tour.title == ""


def test_the_focus_returns_to_where_it_was(made: Made) -> None:
    tour, first, other = made.tour, made.parts["inside"], made.parts["below"]
    first.setFocus()
    tour.begin(first)
    tour.begin(first, other)  # chosen again in the menu
    tour.skip.click()
    assert first.hasFocus()
    tour.begin(first)
    first.hide()
    tour.end()
    assert made.view.hasFocus()
    tour.begin(other)
    other.setFocus()
    tour.end()
    assert other.hasFocus()
