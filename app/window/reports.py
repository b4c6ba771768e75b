"""Messages about the player's work and finished exports."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QMainWindow

from framebrush.playback import events
from framebrush.window.exports.export_queue import ExportJob
from framebrush.window.exports.export_runner import ExportRunner
from framebrush.window.exports.targets import file_stem
from framebrush.window.shared import Shared
from framebrush.window.widgets.file_dialogs import pictures_folder
from framebrush.window.widgets.notifier import Notifier


class Reports(QObject):
    """Messages about saved frames, finished exports and the player's work."""

    def __init__(self, window: QMainWindow, shared: Shared, exports: ExportRunner) -> None:
        super().__init__(window)
        self._session, self._messages, self._notes = shared.session, shared.messages, shared.notes
        self._invitation, self._notifier = shared.view.invitation, Notifier(window)
        messages = self._messages
        for notified in (shared.session.notified, exports.notified):
            notified.connect(messages.show_notification)
        for withdrawn in (shared.session.withdrawn, exports.withdrawn):
            withdrawn.connect(messages.withdraw)
        shared.bridge.copied.connect(self._show_copied)
        exports.finished.connect(self._show_finished)
        messages.open_asked.connect(exports.open_file)
        player = shared.session.player
        calls = {"screenshot": self._screenshot, "copy-frame": lambda: player.lend_whole(shared.bridge.copy_picture)}
        shared.actions.connect_triggers(calls)
        on = shared.session.events.on
        on(events.Busy, self._show_busy)
        on(events.Opened, lambda _: self._hint())
        on(events.Saved, self._show_saved)
        on(events.Notification, messages.show_notification)

    def _screenshot(self) -> None:
        folder = pictures_folder()
        self._session.player.screenshot(lambda info, number: folder / f"{file_stem(info)}-{number:06}.png")

    def _show_saved(self, saved: events.Saved) -> None:
        text = self.tr("Saved as {path}").format(path=saved.path)
        self._messages.show_notification(events.Notification(text, path=saved.path))

    def _show_copied(self, image: QImage) -> None:
        QApplication.clipboard().setImage(image)
        size = f"{image.width()} × {image.height()}"
        self._notes.say(self.tr("Copied: {size}").format(size=size))

    def _show_finished(self, job: ExportJob) -> None:
        text = self.tr("{name} is finished.").format(name=Path(job.spec.target).name)
        self._messages.show_notification(events.Notification(text, path=job.spec.target))
        self._notifier.say(text)

    def _hint(self) -> None:
        settings = self._session.settings
        if not settings.hinted and self._messages.isHidden():
            settings.hinted = True
            text = self.tr(
                "Choose a painting on the right. Hold B to see the source; D compares, the wheel zooms, and "
                "F1 lists all keys."
            )
            self._messages.show_notification(events.Notification(text, severity="hint"))

    def _show_busy(self, busy: events.Busy) -> None:
        text = {
            "opening": self.tr("Opening…"),
            "seeking": self.tr("Seeking…"),
            "style": self.tr("Loading the style…"),
            "device": self.tr("Opening the device…"),
        }.get(busy.what, "")
        session, opens = self._session, busy.what == "opening"
        is_renewed = busy.what == "style" and session.awaits_style and session.uses_chosen
        self._notes.show_busy("" if (opens and session.opened is None) or is_renewed else text)
        self._invitation.show_busy(text if opens else "")
