"""Desktop notifications."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from framebrush.window.widgets.debounce import Debounce

STAYS_MS = 10_000  # as long as Qt asks the desktop to show a message


class Notifier(QObject):
    """Sends desktop notifications unless the window is active."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._tray: QSystemTrayIcon | None = None
        self._rest = Debounce(STAYS_MS, self._hide, self)

    def say(self, text: str) -> None:
        """Notify, if supported, and demand attention for the window."""
        if self._window.isActiveWindow():
            return
        QApplication.alert(self._window)
        if not QSystemTrayIcon.isSystemTrayAvailable():
            return
        if self._tray is None:
            self._tray = QSystemTrayIcon(self._window.windowIcon(), self)
            for signal in (self._tray.messageClicked, self._tray.activated):
                signal.connect(lambda *_: self._window.activateWindow())
        self._tray.show()
        self._tray.showMessage(self._window.windowTitle(), text)
        self._rest.start()

    def _hide(self) -> None:
        if self._tray is not None:
            self._tray.hide()
