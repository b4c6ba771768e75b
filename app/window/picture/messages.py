"""Messages at the lower edge of the picture."""

from __future__ import annotations

from collections import deque
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontDatabase, QHideEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from framebrush.base.text import as_sentence
from framebrush.playback.events import Notification
from framebrush.window.picture.overlay import Overlay
from framebrush.window.widgets import icons
from framebrush.window.widgets.controls import plain
from framebrush.window.widgets.debounce import Debounce
from framebrush.window.widgets.layouts import fill
from framebrush.window.widgets.theme import DARK, SPACE, Colours

NOTE_MS = 6000
"""Notes are hidden after this time; problems stay."""

MARGIN_PX, WIDEST_PX = SPACE, 900
MOST_WAITING = 3


class MessageBar(Overlay):
    """Shows the latest message."""

    open_asked = Signal(object)  # a path

    def __init__(self, view: QWidget) -> None:
        super().__init__(view, takes_mouse=True)
        self.setObjectName("messages")
        self._notification = Notification("")
        self._colours = DARK
        self._waiting: deque[Notification] = deque(maxlen=MOST_WAITING)
        self._text = plain()
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.details = QPushButton(self.tr("Details"))
        self.details.clicked.connect(self.show_details)
        self.open = QPushButton(self.tr("Open"))
        self.open.clicked.connect(lambda: self.open_asked.emit(Path(self._notification.path)))
        self._close = QToolButton()
        self._close.setToolTip(self.tr("Dismiss"))
        self._close.setAccessibleName(self.tr("Dismiss the message"))
        self._close.clicked.connect(self.hide)
        self._timer = Debounce(NOTE_MS, self.hide, self)
        parts, around = (self._text, self.open, self.details, self._close), (2 * SPACE, SPACE, SPACE, SPACE)
        fill(QHBoxLayout(self), *parts, around=around, grows=self._text)

    @property
    def text(self) -> str:
        """The message; empty while the bar is hidden."""
        return self._text.text() if self.isVisible() else ""

    def draw(self, colours: Colours) -> None:
        self._close.setIcon(icons.icon("close", colours))
        self._colours = colours
        self._mark()

    def _mark(self) -> None:
        colours = self._colours
        colour = colours.problem if self._notification.severity == "problem" else colours.accent
        # Python must not hold a reference to the application's style, which Qt recreates for each theme.
        self.setStyleSheet(f"#messages {{ border-left: 3px solid {colour}; }}")

    def show_notification(self, notification: Notification) -> None:
        """Show a message.

        A problem stays until it is dismissed; notes are queued after it, also one that it replaces, as both may come at
        the same moment.
        """
        severities = self._notification.severity, notification.severity
        if self.isVisible() and severities == ("problem", "note"):
            self._waiting.append(notification)
            return
        if self.isVisible() and severities == ("note", "problem"):
            self._waiting.appendleft(self._notification)
        self._notification = notification
        text = in_words(notification)
        self._text.setText(text)
        self.setAccessibleName(text)
        self.details.setVisible(bool(notification.details))
        self.open.setVisible(bool(notification.path))
        is_folder = bool(notification.path) and Path(notification.path).is_dir()
        self.open.setText(self.tr("Show in folder") if is_folder else self.tr("Open"))
        self._mark()
        self.place()
        self.show()
        self._timer.stop()
        if notification.severity == "note":
            self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        super().hideEvent(event)
        QTimer.singleShot(0, self, self._show_next)

    def _show_next(self) -> None:
        if self._waiting and not self.isVisible():
            self.show_notification(self._waiting.popleft())

    def withdraw(self, text: str) -> None:
        """Hide a message that is true no longer, if it is shown."""
        if self.text == text:
            self.hide()

    def clear_problem(self) -> None:
        """Hide a problem that is resolved. Notes disappear by themselves."""
        if self._notification.severity == "problem":
            self.hide()

    def clear_hint(self) -> None:
        """Hide a hint that was followed."""
        if self._notification.severity == "hint":
            self.hide()

    def wanted_size(self) -> QSize:
        width = min(WIDEST_PX, self._view.width() - 2 * MARGIN_PX)
        layout = self.layout()
        return QSize(width, layout.totalHeightForWidth(width) if layout is not None else self.sizeHint().height())

    def corner(self) -> QPoint:
        size, view = self.wanted_size(), self._view
        return QPoint((view.width() - size.width()) // 2, view.height() - size.height() - MARGIN_PX)

    def show_details(self) -> None:
        DetailsDialog(self, self._text.text(), self._notification.details).open()


class DetailsDialog(QDialog):
    """The message with everything that a bug report needs. To be shown with `open`."""

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
        fill(QVBoxLayout(self), message, box, buttons, around=2 * SPACE, between=SPACE)


def in_words(notification: Notification) -> str:
    """A notification's text in the language of the application."""
    if not notification.template:
        return as_sentence(notification.text)  # which may be an error's
    template = QCoreApplication.translate("Player", notification.template)
    return template.format(**notification.values) if notification.values else template
