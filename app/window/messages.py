"""What a person should read, above the picture, until it is put away."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.playback.events import Told
from app.window import icons
from app.window.theme import SPACE, Colours

NOTE_MS = 6000
"""Notes go by themselves; problems stay."""


class MessageBar(QFrame):
    """One message at a time; the last one wins."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("messages")
        self._told = Told("")
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._details = QPushButton(self.tr("Details"))
        self._details.clicked.connect(self._show_details)
        self._close = QToolButton()
        self._close.setToolTip(self.tr("Dismiss"))
        self._close.setAccessibleName(self.tr("Dismiss the message"))
        self._close.clicked.connect(self.hide)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.hide)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, SPACE, SPACE, SPACE)
        layout.addWidget(self._text, 1)
        layout.addWidget(self._details)
        layout.addWidget(self._close)
        self.hide()

    @property
    def text(self) -> str:
        """What it says; empty while it is put away."""
        return self._told.text if self.isVisible() else ""

    def draw(self, colours: Colours) -> None:
        """Icons in a theme's colours."""
        self._close.setIcon(icons.icon("close", colours))

    def tell(self, told: Told) -> None:
        """Show a message."""
        self._told = told
        self._text.setText(told.text)
        self.setAccessibleName(told.text)
        self._details.setVisible(bool(told.details))
        self.setProperty("severity", told.severity)
        self.style().unpolish(self)
        self.style().polish(self)
        self.show()
        self._timer.stop()
        if told.severity == "note":
            self._timer.start(NOTE_MS)

    def _show_details(self) -> None:
        details_dialog(self, self._told).open()


def details_dialog(parent: QWidget, told: Told) -> QDialog:
    """The message with all that a bug report needs; made to be shown with `open`."""
    dialog = QDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(dialog.tr("Details"))
    dialog.resize(680, 360)
    text = QLabel(told.text)
    text.setWordWrap(True)
    box = QPlainTextEdit(told.details)
    box.setReadOnly(True)
    box.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    box.setAccessibleName(dialog.tr("Technical details"))
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
    layout.setSpacing(SPACE)
    for widget in (text, box, buttons):
        layout.addWidget(widget)
    return dialog
