"""The window's live sources: opening a camera, and recording what is painted of it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from framebrush.media.camera_list import Devices, find_devices
from framebrush.playback import events
from framebrush.window.background import Background
from framebrush.window.camera_dialog import CameraDialog
from framebrush.window.controls import signals_blocked
from framebrush.window.files import Location, own_folder

if TYPE_CHECKING:
    from framebrush.window.main_window import MainWindow


class Live(QObject):
    """Connects the actions for cameras and recordings of a window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._dialog: CameraDialog | None = None
        self._record = window.actions_["record"]
        self._record.toggled.connect(self.record)
        window.actions_["open-camera"].triggered.connect(self.ask)

    def ask(self) -> None:
        """Let the person choose a camera."""
        if self._dialog is not None:
            self._dialog.raise_()
            return
        self._dialog = dialog = CameraDialog(self._window)
        dialog.chosen.connect(self._window.open)
        dialog.refreshed.connect(self._look)
        dialog.finished.connect(self._closed)
        dialog.refresh()
        dialog.open()

    def record(self, on: bool) -> None:
        """Begin a recording in the person's folder for videos, or end it."""
        self._window.player.record(new_recording(own_folder(Location.MoviesLocation)) if on else None)

    def show_opened(self, opened: events.Opened | None) -> None:
        """A source was opened or closed; None: closed."""
        live = opened is not None and opened.live
        self._window.actions_.enable_for_live(live)
        self._window.transport.show_live(opened.info.name if opened is not None and live else None)
        self.show_recording(events.Recording(False))

    def show_recording(self, recording: events.Recording) -> None:
        """A recording goes on, or has ended."""
        with signals_blocked(self._record):
            self._record.setChecked(recording.on)
        self._record.setText(self.tr("Stop recording") if recording.on else self.tr("Record"))
        self._window.transport.live.show_recording(recording)

    def _look(self) -> None:
        Background(find_devices, self._found, self._window)

    def _found(self, devices: Devices) -> None:
        if self._dialog is not None:
            self._dialog.show_devices(devices)

    def _closed(self) -> None:
        self._dialog = None


def new_recording(folder: Path) -> Path:
    """A free name for a recording that begins now."""
    stem = f"Framebrush {datetime.now():%Y-%m-%d %H.%M.%S}"
    names = (folder / f"{stem}{tail}.mp4" for tail in ("", *(f" ({number})" for number in range(2, 1000))))
    return next(path for path in names if not path.exists())
