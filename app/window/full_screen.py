"""The whole screen for the picture, and the way back to the window that was there before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from framebrush.window.main_window import MainWindow

HIDE_MS = 2500


class FullScreen(QObject):
    """Nothing but the picture, and the transport while the mouse moves."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._hiding = QTimer(self)
        self._hiding.setSingleShot(True)
        self._hiding.setInterval(HIDE_MS)
        self._hiding.timeout.connect(self._hide_transport)
        app = QApplication.instance()
        assert isinstance(app, QGuiApplication)
        for screen in app.screens():
            self._follow(screen)
        app.screenAdded.connect(self._follow)

    def turn(self, on: bool) -> None:
        """To full screen, or back into the window, which is maximised again if it was."""
        window, full = self._window, Qt.WindowState.WindowFullScreen
        window.setWindowState(window.windowState() | full if on else window.windowState() & ~full)
        for widget in (window.menuBar(), window.statusBar()):
            widget.setVisible(not on)
        window.side.setVisible(not on and window.actions_["panel"].isChecked())
        window.transport.setVisible(not on)

    def leave(self) -> None:
        """Back into a window."""
        self._window.actions_["full-screen"].setChecked(False)

    def show_transport(self) -> None:
        """For a while."""
        if self._window.isFullScreen():
            self._window.transport.show()
            self._hiding.start()

    def _follow(self, screen: QScreen) -> None:
        screen.geometryChanged.connect(self._fit)

    def _fit(self) -> None:
        """The screen has another resolution now: stay full on it, also where the system has cut the window to it, which
        ends its full-screen state."""
        if self._window.actions_["full-screen"].isChecked():
            self._window.setGeometry(self._window.screen().geometry())

    def _hide_transport(self) -> None:
        """Unless the mouse is on it."""
        if not self._window.isFullScreen():
            return
        if self._window.transport.underMouse():
            self._hiding.start()
        else:
            self._window.transport.hide()
