"""Live sources of the window."""

from __future__ import annotations

from datetime import datetime
from itertools import chain, count
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from framebrush.playback import events
from framebrush.window.state.actions import Actions
from framebrush.window.state.session import Session
from framebrush.window.transport.bar import Transport
from framebrush.window.transport.camera_dialog import CameraDialog
from framebrush.window.widgets.file_dialogs import Location, own_folder


class Live(QObject):
    """Connects actions for cameras, recordings and the virtual camera."""

    open_asked = Signal(str)  # a source, as for `open_frame_source`

    def __init__(self, window: QWidget, actions: Actions, session: Session, transport: Transport) -> None:
        super().__init__(window)
        self._window, self._player, self._transport = window, session.player, transport
        self._record = actions["record"]
        self._record.triggered.connect(self.record)
        self._feed = actions["virtual-camera"]
        self._feed.triggered.connect(lambda on: session.player.feed_camera(on))
        actions["open-camera"].triggered.connect(self.ask)
        session.film_changed.connect(self._reset)
        session.events.on(events.Recording, self._show_recording)
        session.events.on(events.CameraFeeding, self._show_feeding)

    def ask(self) -> None:
        """Let the user choose a camera."""
        dialog = CameraDialog(self._window)
        dialog.chosen.connect(self.open_asked)
        dialog.open()

    def record(self, on: bool) -> None:
        """Start a recording in the user's folder for videos, or end it."""
        self._player.record(new_recording(own_folder(Location.MoviesLocation)) if on else None)

    def _reset(self) -> None:
        self._show_recording(events.Recording(False))
        self._show_feeding(events.CameraFeeding(False))

    def _show_feeding(self, feeding: events.CameraFeeding) -> None:
        self._feed.setChecked(feeding.on)

    def _show_recording(self, recording: events.Recording) -> None:
        self._record.setChecked(recording.on)
        self._record.setText(self.tr("Stop recording") if recording.on else self.tr("Record"))
        self._transport.live.show_recording(recording)


def new_recording(folder: Path) -> Path:
    """Return an unused file name with the time."""
    stem = f"Framebrush {datetime.now():%Y-%m-%d %H.%M.%S}"
    names = (folder / f"{stem}{tail}.mp4" for tail in chain([""], (f" ({number})" for number in count(2))))
    return next(path for path in names if not path.exists())
