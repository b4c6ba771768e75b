"""What this program is, of which version, and under which licences."""

from __future__ import annotations

from importlib.metadata import version

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from framebrush.licences import notices
from framebrush.window.controls import faint, heading
from framebrush.window.theme import SPACE


class About(QDialog):
    """Made to be shown with `open`."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("About Framebrush"))
        self.resize(640, 460)
        icon = QLabel()
        icon.setPixmap(QApplication.windowIcon().pixmap(48, 48))
        private = faint(self.tr("No telemetry: nothing that you open, paint or do leaves this computer."))
        licences = QPlainTextEdit(notices())
        licences.setReadOnly(True)
        licences.setTabChangesFocus(True)
        licences.setAccessibleName(self.tr("Licences"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 2 * SPACE)
        layout.setSpacing(SPACE)
        title = heading(f"Framebrush {version('framebrush')}")
        for widget in (icon, title, private, QLabel(self.tr("Licences")), licences, buttons):
            layout.addWidget(widget)
