"""Keeps the screen on while a video plays in full screen."""

from __future__ import annotations

import sys
from contextlib import suppress

from PySide6.QtCore import QObject, Signal

SERVICE, PATH = "org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"


class Awake(QObject):
    """Inhibits the screen saver when needed. Does nothing on a desktop that does not support it."""

    changed = Signal(bool)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._playing = self._full = False
        self.held = False
        self._cookie: int | None = None

    def show_playing(self, on: bool) -> None:
        """Follow playback: a video plays, or is paused."""
        self._playing = on
        self._update()

    def show_full_screen(self, on: bool) -> None:
        """Follow full screen: entered, or left."""
        self._full = on
        self._update()

    def _update(self) -> None:
        wanted = self._playing and self._full
        if wanted != self.held:
            self.held = wanted
            if sys.platform == "win32":
                _hold_windows(wanted)
            elif sys.platform == "linux":
                self._hold_linux(wanted)
            self.changed.emit(wanted)

    def _hold_linux(self, on: bool) -> None:
        """Use the D-Bus interface that desktops have in common. A desktop that does not answer is ignored after a
        second."""
        with suppress(ImportError):
            from PySide6.QtDBus import QDBusConnection, QDBusInterface

            bus = QDBusConnection.sessionBus()
            if not bus.isConnected():
                return
            saver = QDBusInterface(SERVICE, PATH, SERVICE, bus)
            saver.setTimeout(1000)
            if on:
                arguments = saver.call("Inhibit", "Framebrush", self.tr("A video is playing.")).arguments()
                self._cookie = arguments[0] if arguments and isinstance(arguments[0], int) else None
            elif self._cookie is not None:
                from PySide6.QtDBus import QDBus

                saver.callWithArgumentList(QDBus.CallMode.NoBlock, "UnInhibit", [self._cookie])
                self._cookie = None


def _hold_windows(on: bool) -> None:
    """Set it for the window's thread; it is reset when that ends. Source: SetThreadExecutionState."""
    import ctypes

    continuous, system, display = 0x80000000, 0x1, 0x2
    ctypes.windll.kernel32.SetThreadExecutionState(continuous | (system | display if on else 0))  # type: ignore[attr-defined,unused-ignore]
