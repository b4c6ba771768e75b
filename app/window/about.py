"""Version and licences."""

from __future__ import annotations

from importlib.metadata import version

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from framebrush.licences.notices_process import notices_from_process
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import AROUND_SHEET_PX, faint, heading
from framebrush.window.widgets.theme import SPACE

PIECE = 10_000
"""Characters laid out at a time, because doing all of them at once would block the window."""


class About(QDialog):
    """Dialog with version and licences. Show it with `open`."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("About Framebrush"))
        self.resize(640, min(460, self.screen().availableGeometry().height() - AROUND_SHEET_PX))
        icon = QLabel(pixmap=QApplication.windowIcon().pixmap(48, 48))
        private = faint(self.tr("No telemetry: nothing that you open, paint or do leaves this computer."))
        self._licences = licences = QPlainTextEdit(readOnly=True)
        Background(notices_from_process, self._write, self)
        licences.setAccessibleName(self.tr("Licences"))
        licences.setPlaceholderText(self.tr("Reading the licences…"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        title, above = heading(f"Framebrush {version('framebrush')}"), QLabel(self.tr("Licences"))
        parts, around = (icon, title, private, above, licences, buttons), (3 * SPACE, 3 * SPACE, 3 * SPACE, 2 * SPACE)
        fill(QVBoxLayout(self), *parts, around=around, between=SPACE)

    def _write(self, text: str) -> None:
        end = QTextCursor(self._licences.document())
        end.movePosition(QTextCursor.MoveOperation.End)
        end.insertText(text[:PIECE])
        if len(text) > PIECE:
            QTimer.singleShot(0, self, lambda: self._write(text[PIECE:]))
