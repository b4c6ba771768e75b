"""Problems and hints at the lower edge of the picture."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFontDatabase
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
from framebrush.window.picture.notes import Notes, OpenButton, announce
from framebrush.window.picture.overlay import Overlay
from framebrush.window.widgets import icons
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import plain
from framebrush.window.widgets.theme import DARK, SPACE, Colours

MARGIN_PX, WIDEST_PX = SPACE, 900


class MessageBar(Overlay):
    """Latest problem or hint, until it is dismissed."""

    open_asked = Signal(object)  # a path

    def __init__(self, view: QWidget, notes: Notes) -> None:
        super().__init__(view, takes_mouse=True)
        self.setObjectName("messages")
        self._notes, self._notification = notes, Notification("")
        self._colours = DARK
        self._text = plain(wraps=True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.details = QPushButton(self.tr("Details"))
        self.details.clicked.connect(self.show_details)
        self.open = OpenButton()
        self.open.asked.connect(self.open_asked)
        notes.open_asked.connect(self.open_asked)
        self._close = QToolButton()
        self._close.setToolTip(self.tr("Dismiss"))
        self._close.setAccessibleName(self.tr("Dismiss the message"))
        self._close.clicked.connect(self.hide)
        parts, around = (self._text, self.open, self.details, self._close), (2 * SPACE, SPACE, SPACE, SPACE)
        fill(QHBoxLayout(self), *parts, around=around, grows=self._text)

    @property
    def text(self) -> str:
        return self._text.text() if self.isVisible() else ""

    def draw(self, colours: Colours) -> None:
        self._close.setIcon(icons.icon("close", colours))
        self._colours = colours
        self._notes.draw(colours)
        self._mark()

    def _mark(self) -> None:
        colours = self._colours
        colour = colours.problem if self._notification.severity == "problem" else colours.accent
        # Python must not hold a reference to the application's style, which Qt recreates for each theme.
        self.setStyleSheet(f"#messages {{ border-left: 3px solid {colour}; }}")

    def show_notification(self, notification: Notification) -> None:
        """Show a message. Notes wait until a problem is dismissed."""
        text = in_words(notification)
        if notification.severity == "note":
            self._notes.show_note(text, notification.path)
            return
        self._notification = notification
        self._text.setText(text)
        self.setAccessibleName(text)
        self.details.setVisible(bool(notification.details))
        self.open.show_path(notification.path)
        self._mark()
        self.place()
        self.show()
        announce(self, text, is_problem=notification.severity == "problem")

    def withdraw(self, text: str) -> None:
        """Hide a message, if it is shown."""
        if self.text == text:
            self.hide()

    def clear_problem(self) -> None:
        """Hide a problem that is resolved."""
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
    """Message with details for a bug report. Show it with `open`."""

    def __init__(self, parent: QWidget, text: str, details: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Details"))
        self.resize(680, 360)
        message = plain(text, wraps=True)
        box = QPlainTextEdit(details, readOnly=True)
        box.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        box.setAccessibleName(self.tr("Technical details"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(self.tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QApplication.clipboard().setText(f"{text}\n\n{details}"))
        buttons.rejected.connect(self.reject)
        fill(QVBoxLayout(self), message, box, buttons, around=2 * SPACE, between=SPACE)


def in_words(notification: Notification) -> str:
    """Return a notification's text in the user's language."""
    words = as_sentence(notification.text)  # it may be an error's
    if notification.template:
        template = QCoreApplication.translate("Player", notification.template)
        words = template.format(**notification.values) if notification.values else template
    return with_advice(words, notification.advice)


def with_advice(words: str, advice: str) -> str:
    return f"{words.rstrip('.')}. {QCoreApplication.translate('Player', advice)}" if advice else words
