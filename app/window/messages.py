"""Messages above the picture."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, QTimer
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from framebrush.playback.events import Notification
from framebrush.window import icons
from framebrush.window.controls import plain
from framebrush.window.theme import SPACE, Colours

NOTE_MS = 6000
"""Notes hide after this time; problems stay."""


class MessageBar(QFrame):
    """Shows the last message."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("messages")
        self._notification = Notification("")
        self._text = plain()
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.details = QPushButton(self.tr("Details"))
        self.details.clicked.connect(self.show_details)
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
        layout.addWidget(self.details)
        layout.addWidget(self._close)
        self.hide()

    @property
    def text(self) -> str:
        """The message; empty while the bar is hidden."""
        return self._text.text() if self.isVisible() else ""

    def draw(self, colours: Colours) -> None:
        """Icons in a theme's colours."""
        self._close.setIcon(icons.icon("close", colours))

    def show_notification(self, notification: Notification) -> None:
        """Show a message."""
        self._notification = notification
        text = in_words(notification)
        self._text.setText(text)
        self.setAccessibleName(text)
        self.details.setVisible(bool(notification.details))
        self.setProperty("severity", notification.severity)
        self.style().unpolish(self)
        self.style().polish(self)
        self.show()
        self._timer.stop()
        if notification.severity == "note":
            self._timer.start(NOTE_MS)

    def show_details(self) -> None:
        DetailsDialog(self, self._text.text(), self._notification.details).open()


class DetailsDialog(QDialog):
    """The message with all that a bug report needs; made to be shown with `open`."""

    def __init__(self, parent: QWidget, text: str, details: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Details"))
        self.resize(680, 360)
        message = plain(text)
        message.setWordWrap(True)
        box = QPlainTextEdit(details)
        box.setReadOnly(True)
        box.setTabChangesFocus(True)
        box.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        box.setAccessibleName(self.tr("Technical details"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(self.tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QApplication.clipboard().setText(f"{text}\n\n{details}"))
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        layout.setSpacing(SPACE)
        for widget in (message, box, buttons):
            layout.addWidget(widget)


def in_words(notification: Notification) -> str:
    """A notification's text in the language of the application."""
    if not notification.template:
        return notification.text
    template = QCoreApplication.translate("Player", notification.template)
    return template.format(**notification.values) if notification.values else template
