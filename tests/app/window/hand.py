"""A hand at the window: what it does reaches the program as events of the system do, and what it sees are pixels."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QAction, QGuiApplication, QImage, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QScrollArea, QToolButton, QWidget

from tests.app.window.conftest import Desk

NONE, LEFT = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
Pixels = npt.NDArray[np.uint8]


def pixels_of(widget: QWidget, part: QRect | None = None) -> Pixels:
    """What a widget, or a part of it, looks like in its window: (H, W, 3) uint8 R'G'B', in physical pixels."""
    place = part or widget.rect()
    place = QRect(widget.mapTo(widget.window(), place.topLeft()), place.size())
    image = widget.window().grab(place).toImage().convertToFormat(QImage.Format.Format_RGBX8888)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., :3].copy()


def farthest(first: Pixels, second: Pixels) -> int:
    """The largest difference of two pictures, in codes; 255 where their sizes differ."""
    return int(np.abs(first.astype(int) - second).max()) if first.shape == second.shape else 255


class Hand:
    """Mouse and keys. Events go to the window of the system, not to a widget: Qt finds the widget, the shortcut and the
    menu of a right click as it does for a person."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def key(self, key: Qt.Key | str, modifier: Qt.KeyboardModifier = NONE) -> None:
        """Press a key where the focus is."""
        if QGuiApplication.focusWindow() is None:  # a window manager comes back to it from a menu or a dialog
            self._window(self.desk.window).requestActivate()
            self.desk.wait(lambda: QGuiApplication.focusWindow() is not None, "the focus")
        popup = QApplication.activePopupWidget()
        window = popup.windowHandle() if popup is not None else QGuiApplication.focusWindow()
        assert window is not None
        QTest.keyClick(window, key if isinstance(key, Qt.Key) else Qt.Key(ord(key.upper())), modifier)

    def click(self, widget: QWidget, at: QPoint | None = None, button: Qt.MouseButton = LEFT) -> None:
        """Click on a widget, in its middle where no place is given."""
        window = self._window(widget)
        QTest.mouseClick(window, button, NONE, self._in(widget, at))

    def double_click(self, widget: QWidget, at: QPoint, button: Qt.MouseButton = LEFT) -> None:
        """Click twice at one place."""
        QTest.mouseDClick(self._window(widget), button, NONE, self._in(widget, at))

    def drag(self, widget: QWidget, start: QPoint, end: QPoint) -> None:
        """Press at one place of a widget, move, and let go at another."""
        window, begin, goal = self._window(widget), self._in(widget, start), self._in(widget, end)
        QTest.mousePress(window, LEFT, NONE, begin)
        for step in (1, 2, 3):
            QTest.mouseMove(window, begin + (goal - begin) * step / 3)
        QTest.mouseRelease(window, LEFT, NONE, goal)

    def move(self, widget: QWidget, at: QPoint) -> None:
        """Take the pointer to a place of a widget."""
        QTest.mouseMove(self._window(widget), self._in(widget, at))

    def turn(self, widget: QWidget, at: QPoint | None = None, notches: int = -1) -> None:
        """Turn the wheel over a widget, as it lies; towards the person where notches are negative."""
        place = widget.mapTo(widget.window(), at if at is not None else widget.rect().center())
        QTest.wheelEvent(self._window(widget), QPointF(place), QPoint(0, 120 * notches))

    def leave(self) -> None:
        """Take the pointer away, so that nothing looks as it does under it."""
        QTest.mouseMove(self._window(self.desk.window), QPoint(1, 1))

    def choose(self, action: QAction) -> None:
        """Click an entry of the menu that is open."""
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        self.click(menu, menu.actionGeometry(action).center())

    def button(self, name: str) -> QToolButton:
        """The button of an action that is seen."""
        action = self.desk.window.actions_[name]
        buttons = [each for each in self.desk.window.findChildren(QToolButton) if each.defaultAction() is action]
        return next(each for each in buttons if each.isVisible())

    @staticmethod
    def _window(widget: QWidget) -> QWindow:
        handle = widget.window().windowHandle()
        assert handle is not None
        return handle

    @staticmethod
    def _in(widget: QWidget, at: QPoint | None) -> QPoint:
        """A place of a widget in its window; what scrolls is scrolled until it is seen."""
        at = at if at is not None else widget.rect().center()
        area = widget.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        if area is not None and area.isAncestorOf(widget):
            place = widget.mapTo(area.widget(), at)
            area.ensureVisible(place.x(), place.y())
        return widget.mapTo(widget.window(), at)
