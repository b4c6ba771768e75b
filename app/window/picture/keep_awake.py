"""Keeps the screen on during full-screen playback."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QProcess

if TYPE_CHECKING:
    from PySide6.QtDBus import QDBusMessage, QDBusPendingCallWatcher

SERVICE, PATH = "org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"


class Awake(QObject):
    """Inhibits the screen saver when needed, if supported."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._playing = self._full = False
        self.held = False
        self._cookies: list[int] = []  # each answer to a request, to be given back
        self._caffeinate = QProcess(self)  # of macOS: the screen stays on while it runs

    def show_playing(self, on: bool) -> None:
        self._playing = on
        self._update()

    def show_full_screen(self, on: bool) -> None:
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
            elif sys.platform == "darwin":
                self._hold_mac(wanted)

    def _hold_linux(self, on: bool) -> None:
        with suppress(ImportError):
            from PySide6.QtDBus import QDBusConnection, QDBusPendingCallWatcher

            bus = QDBusConnection.sessionBus()
            if not bus.isConnected():
                return
            if on:
                call = _message("Inhibit", "Framebrush", self.tr("A video is playing."))
                QDBusPendingCallWatcher(bus.asyncCall(call), self).finished.connect(self._take_cookie)
            else:
                self._release()

    def _hold_mac(self, on: bool) -> None:
        if on:
            self._caffeinate.start("caffeinate", ["-d", "-w", str(os.getpid())])
        else:
            self._caffeinate.kill()

    def _take_cookie(self, answer: QDBusPendingCallWatcher) -> None:
        arguments = answer.reply().arguments()
        if arguments and isinstance(arguments[0], int):
            self._cookies.append(arguments[0])
        answer.deleteLater()
        if not self.held:  # any more
            self._release()

    def _release(self) -> None:
        from PySide6.QtDBus import QDBusConnection

        while self._cookies:
            QDBusConnection.sessionBus().asyncCall(_message("UnInhibit", self._cookies.pop()))


def _message(method: str, *arguments: object) -> QDBusMessage:
    from PySide6.QtDBus import QDBusMessage

    message = QDBusMessage.createMethodCall(SERVICE, PATH, SERVICE, method)
    message.setArguments(arguments)
    return message


def _hold_windows(on: bool) -> None:
    import ctypes

    continuous, system, display = 0x80000000, 0x1, 0x2
    ctypes.windll.kernel32.SetThreadExecutionState(continuous | (system | display if on else 0))  # type: ignore[attr-defined,unused-ignore]
