"""Switching to full screen and back."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QScreen
from PySide6.QtWidgets import QMainWindow, QWidget

from framebrush.window.state.actions import Actions
from framebrush.window.widgets.controls import application
from framebrush.window.widgets.debounce import Debounce

HIDE_MS = 2500


class FullScreen(QObject):
    """Full screen: the picture alone, and the transport while the mouse moves."""

    def __init__(self, window: QMainWindow, actions: Actions, view: QWidget, transport: QWidget) -> None:
        super().__init__(window)
        self._window, self._actions, self._view, self._transport = window, actions, view, transport
        self._had_panel = True
        self.hiding = Debounce(HIDE_MS, self._hide_transport, self)
        for screen in application().screens():
            self._follow(screen)
        application().screenAdded.connect(self._follow)

    def turn(self, on: bool) -> None:
        """Switch to full screen or back."""
        window, full = self._window, Qt.WindowState.WindowFullScreen
        window.setWindowState(window.windowState() | full if on else window.windowState() & ~full)
        for widget in (window.menuBar(), window.statusBar()):
            widget.setVisible(not on)
        panel = self._actions["panel"]  # can be shown in full screen too
        if on:
            self._had_panel = panel.isChecked()
        panel.setChecked(not on and self._had_panel)
        self._transport.setVisible(not on)
        self._view.unsetCursor()
        if on:
            self.hiding.start()

    def leave(self) -> None:
        """Return to the window."""
        self._actions["full-screen"].setChecked(False)

    def show_transport(self) -> None:
        """Show the transport for HIDE_MS."""
        if self._window.isFullScreen():
            self._transport.show()
            self._view.unsetCursor()
            self.hiding.start()

    def _follow(self, screen: QScreen) -> None:
        screen.geometryChanged.connect(self._fit)

    def _fit(self) -> None:
        if self._actions["full-screen"].isChecked():
            self._window.setGeometry(self._window.screen().geometry())

    def _hide_transport(self) -> None:
        if not self._window.isFullScreen():
            return
        if self._transport.underMouse():
            self.hiding.start()
        else:
            self._transport.hide()
            self._view.setCursor(Qt.CursorShape.BlankCursor)
