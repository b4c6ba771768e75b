"""Simulated mouse and keyboard, with pixels as output."""

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
    """Return a widget's drawn pixels: (H, W, 3) uint8 R'G'B', physical."""
    place = part or widget.rect()
    place = QRect(widget.mapTo(widget.window(), place.topLeft()), place.size())
    image = widget.window().grab(place).toImage().convertToFormat(QImage.Format.Format_RGBX8888)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., :3].copy()


def farthest(first: Pixels, second: Pixels) -> int:
    """Return two pictures' largest difference in codes; 255 for different sizes."""
    return int(np.abs(first.astype(int) - second).max()) if first.shape == second.shape else 255


class Hand:
    """Mouse and keyboard of a window; events pass Qt's native window."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def key(self, key: Qt.Key | str, modifier: Qt.KeyboardModifier = NONE) -> None:
        if QGuiApplication.focusWindow() is None:  # a window manager would restore it after a menu or a dialog
            self._window(self.desk.window).requestActivate()
            self.desk.wait(lambda: QGuiApplication.focusWindow() is not None, "the focus")
        popup = QApplication.activePopupWidget()
        window = popup.windowHandle() if popup is not None else QGuiApplication.focusWindow()
        assert window is not None
        QTest.keyClick(window, key if isinstance(key, Qt.Key) else Qt.Key(ord(key.upper())), modifier)

    def click(self, widget: QWidget, at: QPoint | None = None, button: Qt.MouseButton = LEFT) -> None:
        """Click a widget, by default its middle."""
        window = self._window(widget)
        QTest.mouseClick(window, button, NONE, self._in(widget, at))

    def double_click(self, widget: QWidget, at: QPoint, button: Qt.MouseButton = LEFT) -> None:
        QTest.mouseDClick(self._window(widget), button, NONE, self._in(widget, at))

    def drag(self, widget: QWidget, start: QPoint, end: QPoint) -> None:
        window, begin, goal = self._window(widget), self._in(widget, start), self._in(widget, end)
        QTest.mousePress(window, LEFT, NONE, begin)
        for step in (1, 2, 3):
            QTest.mouseMove(window, begin + (goal - begin) * step / 3)
        QTest.mouseRelease(window, LEFT, NONE, goal)

    def move(self, widget: QWidget, at: QPoint) -> None:
        QTest.mouseMove(self._window(widget), self._in(widget, at))

    def turn(self, widget: QWidget, at: QPoint | None = None, notches: int = -1) -> None:
        """Turn the wheel over a widget; below 0 towards the user."""
        place = widget.mapTo(widget.window(), at if at is not None else widget.rect().center())
        QTest.wheelEvent(self._window(widget), QPointF(place), QPoint(0, 120 * notches))

    def leave(self) -> None:
        QTest.mouseMove(self._window(self.desk.window), QPoint(1, 1))

    def choose(self, action: QAction) -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        self.click(menu, menu.actionGeometry(action).center())

    def button(self, name: str) -> QToolButton:
        """Return an action's visible button."""
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
        at = at if at is not None else widget.rect().center()
        area = widget.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        if area is not None and area.isAncestorOf(widget):
            place = widget.mapTo(area.widget(), at)
            area.ensureVisible(place.x(), place.y())
        return widget.mapTo(widget.window(), at)
