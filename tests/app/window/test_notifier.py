"""Desktop notifications, with an icon that a desktop without a tray never shows."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from framebrush.window.widgets import notifier
from framebrush.window.widgets.notifier import Notifier

pytestmark = pytest.mark.unit


class Window(QWidget):
    """Window that counts how often it is brought to the front."""

    fronts = 0

    def activateWindow(self) -> None:  # noqa: N802 - Qt's name
        self.fronts += 1


def test_the_icon_leaves_with_its_message_and_brings_the_window(
    application: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)
    monkeypatch.setattr(notifier, "STAYS_MS", 20)
    told, alerted = list[tuple[str, ...]](), list[QWidget]()
    monkeypatch.setattr(QSystemTrayIcon, "showMessage", lambda _, *words: told.append(words))
    monkeypatch.setattr(QApplication, "alert", alerted.append)
    window = Window()
    window.setWindowTitle("film.mp4 – Framebrush")
    says = Notifier(window)
    for _ in range(2):
        says.say("The export is done")
        (tray,) = says.findChildren(QSystemTrayIcon)
        assert tray.isVisible()
        QTest.qWait(200)
        assert not tray.isVisible()
    assert told == [("film.mp4 – Framebrush", "The export is done")] * 2
    assert alerted == [window] * 2  # its entry in the task bar
    tray.messageClicked.emit()
    assert window.fronts == 1
    tray.activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
    assert window.fronts == 2


def test_no_icon_without_a_tray_or_for_an_active_window(
    application: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = Window()
    says = Notifier(window)
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: False)
    says.say("The export is done")
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)
    monkeypatch.setattr(window, "isActiveWindow", lambda: True)
    says.say("The export is done")
    assert says.findChildren(QSystemTrayIcon) == []
