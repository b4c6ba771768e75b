"""Touch, pen and mouse on the picture, with Qt's mouse events synthesized from touch."""

from __future__ import annotations

from fractions import Fraction

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QInputDevice, QMouseEvent, QPointingDevice, QPointingDeviceUniqueId
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framebrush.media.video import Position
from tests.app.window.conftest import Desk
from tests.app.window.hand import Hand

pytestmark = pytest.mark.media

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


class Finger:
    """On a screen."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.device = desk, QTest.createTouchDevice()

    def stroke(self, *places: QPoint) -> None:
        """Down at the first place of the view, along the others, and up at the last."""
        window, view = self.desk.window.windowHandle(), self.desk.window.view
        first, *others = (view.mapTo(self.desk.window, place) for place in places)
        QTest.touchEvent(window, self.device).press(0, first).commit()
        for place in others:
            QTest.touchEvent(window, self.device).move(0, place).commit()
        QTest.touchEvent(window, self.device).release(0, (others or [first])[-1]).commit()
        QApplication.processEvents()


@pytest.fixture
def finger(desk: Desk) -> Finger:
    desk.open("cfr.mp4")  # 1.2 s
    return Finger(desk)


def plays(desk: Desk, on: bool) -> None:
    desk.wait(lambda: desk.window.player.engine.playing is on and desk.window.actions_["play"].isChecked() is on)


@pytest.mark.slow
def test_a_tap_plays_and_pauses(finger: Finger) -> None:
    desk = finger.desk
    desk.window.actions_["loop"].trigger()
    middle = desk.window.view.rect().center()
    finger.stroke(middle)
    plays(desk, True)
    desk.rest(0.6)  # else it is a double tap
    finger.stroke(middle, middle + QPoint(3, 2))  # fingers are not still
    plays(desk, False)


@pytest.mark.slow
def test_two_taps_are_the_full_screen_and_change_nothing_else(finger: Finger) -> None:
    desk, middle = finger.desk, finger.desk.window.view.rect().center()
    finger.stroke(middle)
    finger.stroke(middle)
    assert desk.window.actions_["full-screen"].isChecked()
    desk.rest(0.2)
    plays(desk, False)
    desk.rest(0.6)
    desk.window.transport.hide()
    finger.stroke(middle)
    assert desk.window.transport.isVisible()  # for the next command
    plays(desk, True)


@pytest.mark.slow
def test_a_finger_that_moves_sideways_seeks(finger: Finger) -> None:
    desk, view = finger.desk, finger.desk.window.view
    left = QPoint(view.width() // 4, view.height() // 2)
    finger.stroke(left, left + QPoint(view.width() // 4, 4), left + QPoint(view.width() // 2, 9))
    desk.wait(lambda: abs(desk.window.session.shown_at.number - 15) <= 1, "the middle")
    assert desk.window.notes.word in ("0:00:00.599", "0:00:00.600", "0:00:00.601")
    finger.stroke(left + QPoint(view.width() // 2, 0), left + QPoint(0, 0), QPoint(1, left.y()))
    desk.wait_number(0)
    plays(desk, False)
    finger.stroke(left, left + QPoint(5, 100))  # not sideways: nothing
    desk.rest(0.2)
    desk.wait_number(0)
    plays(desk, False)


@pytest.mark.slow
def test_an_enlarged_picture_and_the_divider_are_moved_as_with_a_mouse(finger: Finger) -> None:
    desk, window, view = finger.desk, finger.desk.window, finger.desk.window.view
    middle = view.rect().center()
    window.transport.sought.emit(600)
    desk.wait_number(15)
    window.overlays.looking.zoom_to(8.0)
    before = window.overlays.looking.viewport.centre
    finger.stroke(middle, middle - QPoint(60, 0))
    assert window.overlays.looking.viewport.centre[0] > before[0]
    window.overlays.looking.reset()
    window.inspector.panel.set_split(0.5)
    desk.rest(0.6)
    finger.stroke(middle, middle - QPoint(60, 0), middle - QPoint(120, 0))
    split = window.session.choice.look.split
    assert split is not None
    assert split < 0.45
    desk.rest(0.2)
    assert window.session.shown_at.number == 15
    plays(desk, False)


@pytest.mark.slow
def test_a_pen_taps_and_a_mouse_does_not(finger: Finger) -> None:
    desk, view = finger.desk, finger.desk.window.view
    Hand(desk).click(view)
    desk.rest(0.6)
    plays(desk, False)
    pen = QPointingDevice(
        "pen",
        7,
        QInputDevice.DeviceType.Stylus,
        QPointingDevice.PointerType.Pen,
        QInputDevice.Capability.Position,
        1,
        1,
        "",
        QPointingDeviceUniqueId(),
    )

    def send(kind: QEvent.Type, where: QPoint) -> None:
        at, held = QPointF(where), LEFT if kind is not QEvent.Type.MouseButtonRelease else Qt.MouseButton.NoButton
        everywhere = QPointF(view.painted.mapToGlobal(where))
        QApplication.sendEvent(view.painted, QMouseEvent(kind, at, at, everywhere, LEFT, held, NONE, pen))

    middle = view.rect().center()
    for kind, where in (
        (QEvent.Type.MouseButtonPress, middle),
        (QEvent.Type.MouseMove, middle + QPoint(99, 0)),  # a pen does not seek
        (QEvent.Type.MouseButtonRelease, middle + QPoint(99, 0)),
    ):
        send(kind, where)
    desk.rest(0.2)
    desk.wait_number(0)
    plays(desk, False)
    send(QEvent.Type.MouseButtonPress, middle)
    send(QEvent.Type.MouseButtonRelease, middle)
    plays(desk, True)


def height(desk: Desk) -> float:
    """Return the height at which the picture is shown."""
    place = desk.window.view.place_in(desk.window.overlays.looking.viewport)
    assert place is not None
    return place.height


@pytest.mark.parametrize("grows", [True, False])
def test_two_fingers_zoom_and_neither_seek_nor_play(finger: Finger, grows: bool) -> None:
    desk = finger.desk
    desk.window.player.seek(Position(Fraction(12), "frame"))
    desk.wait(lambda: desk.window.session.shown_at.number == 12)
    window, view, before = desk.window.windowHandle(), desk.window.view, height(desk)
    middle = view.mapTo(desk.window, view.rect().center())
    apart = range(90, 190, 10) if grows else range(180, 80, -10)  # within the limits of the zoom
    places = [(middle - QPoint(by, 0), middle + QPoint(by, 0)) for by in apart]
    QTest.touchEvent(window, finger.device).press(0, places[0][0]).commit()
    QApplication.processEvents()
    QTest.touchEvent(window, finger.device).move(0, places[0][0] + QPoint(2, 1)).commit()
    desk.rest(0.1)
    QTest.touchEvent(window, finger.device).stationary(0).press(1, places[0][1]).commit()
    for one, other in places[1:]:
        QTest.touchEvent(window, finger.device).move(0, one).move(1, other).commit()
        QApplication.processEvents()
    QTest.touchEvent(window, finger.device).release(0, places[-1][0]).release(1, places[-1][1]).commit()
    desk.rest(0.2)
    assert height(desk) == pytest.approx(before * apart[-1] / apart[0], rel=0.15)
    assert desk.window.overlays.looking.viewport.centre == pytest.approx((0.5, 0.5), abs=0.02)
    assert desk.window.session.shown_at.number == 12
    plays(desk, False)
    assert not desk.window.actions_["full-screen"].isChecked()
