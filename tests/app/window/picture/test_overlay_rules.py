"""Overlays by themselves: place, mouse and focus, and as windows over a swap chain."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from framebrush.window.picture.overlay import Cover, Overlay

pytestmark = pytest.mark.unit

KINDS = [(False, False), (True, False), (True, True)]


@pytest.fixture
def view(application: QApplication) -> Iterator[QWidget]:
    window = QWidget()
    window.resize(400, 300)
    made = QWidget(window)
    made.setGeometry(20, 10, 300, 200)
    window.show()
    yield made
    shiboken6.delete(window)


class Sheet(Overlay):
    """Overlay of one size."""

    def wanted_size(self) -> QSize:
        return QSize(50, 30)


@pytest.mark.parametrize(("mouse", "focus"), KINDS)
def test_an_overlay_takes_only_what_it_says_as_widget_and_as_window(view: QWidget, mouse: bool, focus: bool) -> None:
    overlay, attribute, kind = Overlay(view, takes_mouse=mouse, takes_focus=focus), Qt.WidgetAttribute, Qt.WindowType
    assert overlay.isHidden()
    assert overlay.testAttribute(attribute.WA_TransparentForMouseEvents) != mouse
    assert overlay.testAttribute(attribute.WA_ShowWithoutActivating) != focus
    for shown in (False, True):
        overlay.setVisible(shown)
        overlay.float_over(True)
        assert (overlay.isWindow(), overlay.isVisible()) == (True, shown)
        assert bool(overlay.windowFlags() & kind.WindowDoesNotAcceptFocus) != focus
        assert bool(overlay.windowFlags() & kind.WindowTransparentForInput) != mouse
        assert overlay.windowFlags() & kind.FramelessWindowHint
        assert overlay.windowType() == kind.Tool
        assert overlay.testAttribute(attribute.WA_TranslucentBackground)
        overlay.float_over(False)
        assert (overlay.isWindow(), overlay.isVisible()) == (False, shown)
        for name in (attribute.WA_TranslucentBackground, attribute.WA_NoSystemBackground):
            assert not overlay.testAttribute(name)


def test_an_overlay_takes_nothing_unless_told_and_waits_until_it_is_needed(application: QApplication) -> None:
    window = QWidget()
    overlay = Overlay(window)
    window.show()
    assert not overlay.isVisible()
    window.hide()
    assert overlay.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    assert overlay.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)


def test_an_overlay_lies_in_a_corner_of_the_view_and_follows_it(view: QWidget) -> None:
    overlay, window = Sheet(view), view.window()
    corner = overlay.corner()
    assert corner.x() == corner.y() > 0
    overlay.show()
    assert (overlay.pos(), overlay.size()) == (corner, QSize(50, 30))
    QWidget(view)
    overlay.place()
    assert view.children()[-1] is overlay  # above all else
    overlay.resize(9, 9)
    view.resize(301, 200)
    assert overlay.size() == QSize(50, 30)
    overlay.float_over(True)
    assert overlay.pos() == view.mapToGlobal(corner)
    window.move(window.pos() + QPoint(31, 17))
    assert overlay.pos() == view.mapToGlobal(corner)
    overlay.hide()
    before = overlay.pos()
    window.move(window.pos() + QPoint(5, 5))
    assert overlay.pos() == before  # it is placed when it is shown
    overlay.show()
    assert overlay.pos() == view.mapToGlobal(corner) != before
    overlay.float_over(False)
    overlay.move(0, 0)
    window.move(window.pos() + QPoint(5, 5))
    assert overlay.pos() == QPoint()  # the view has not moved in its window


def test_a_window_over_the_view_is_minimized_with_it(view: QWidget) -> None:
    shown, hidden, window = Sheet(view), Sheet(view), view.window()
    for overlay in (shown, hidden):
        overlay.float_over(True)
    shown.show()
    for _ in range(2):
        window.showMinimized()
        assert (shown.isVisible(), hidden.isVisible()) == (False, False)
        window.showNormal()
        assert (shown.isVisible(), hidden.isVisible()) == (True, False)
    shown.hide()
    window.showMaximized()
    assert not shown.isVisible()


class Drawn(Sheet):
    """Overlay that draws one dot, elsewhere each time."""

    at = 0

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = self.painter()
        painter.fillRect(self.at, 0, 1, 1, Qt.GlobalColor.red)
        painter.end()


def test_a_window_over_the_view_keeps_nothing_of_its_former_picture(view: QWidget) -> None:
    overlay = Drawn(view)
    overlay.float_over(True)
    overlay.show()
    for at in (3, 7):
        overlay.at = at
        image = overlay.grab().toImage()
        assert [x for x in range(50) if image.pixelColor(x, 0).red() > 200] == [at]
        assert image.pixelColor(20, 20).alpha() == 0


def test_a_cover_is_as_large_as_the_view_and_below_the_others(view: QWidget) -> None:
    above = [Sheet(view), Sheet(view)]
    cover = Cover(view, above)
    above[0].show()
    cover.show()
    assert cover.geometry() == view.rect()
    children = view.children()
    assert children.index(cover) < children.index(above[0])
    assert children.index(above[1]) < children.index(cover)  # hidden: it is raised when it is shown
    view.resize(120, 90)
    assert cover.size() == QSize(120, 90)
