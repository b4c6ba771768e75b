"""Short messages in the lower left corner of the picture, which fade."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, QPoint, QPropertyAnimation, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QEnterEvent, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsOpacityEffect,
    QHBoxLayout,
    QPushButton,
    QStyle,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from framebrush.window.picture.overlay import Overlay
from framebrush.window.picture.view import VideoView
from framebrush.window.widgets import icons
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import plain
from framebrush.window.widgets.debounce import Debounce
from framebrush.window.widgets.theme import DARK, SPACE, Colours

NOTE_MS, WORD_MS, FADE_MS = 6000, 2500, 300
BUSY_MS = 250
"""Delay before the player's operation is shown; shorter operations would make it flicker."""
WIDEST_PX, MOST_NOTES, FRAME_PX = 380, 4, 1


def announce(source: QObject, text: str, *, is_problem: bool = False) -> None:
    """Let screen readers say a text; a problem at once."""
    event = QAccessibleAnnouncementEvent(source, text)
    if is_problem:
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
    QAccessible.updateAccessibility(event)


class OpenButton(QPushButton):
    """Opens a file or shows a folder."""

    asked = Signal(object)  # a path

    def __init__(self) -> None:
        super().__init__()
        self.clicked.connect(lambda: self.asked.emit(Path(self._path)))
        self.show_path("")

    def show_path(self, path: str) -> None:
        self._path = path
        self.setVisible(bool(path))
        self.setText(self.tr("Show in folder") if path and Path(path).is_dir() else self.tr("Open"))


class Card(QFrame):
    """One message."""

    gone = Signal()

    def __init__(self, lasts_ms: int, *buttons: QWidget) -> None:
        """buttons: with any, pointer or focus keep the card."""
        super().__init__()
        self.setObjectName("note")
        self._label, self._buttons = plain(wraps=True), buttons
        fill(QHBoxLayout(self), self._label, *buttons, around=(2 * SPACE, SPACE, SPACE, SPACE), between=SPACE // 2)
        self.effect = QGraphicsOpacityEffect(self)
        self.setGraphicsEffect(self.effect)
        self.fading = QPropertyAnimation(self.effect, b"opacity", self)
        self.fading.setStartValue(1.0)
        self.fading.setEndValue(0.0)
        self.fading.finished.connect(self.leave)
        self.timer = Debounce(lasts_ms, self._end, self)
        self._appear()
        self.hide()

    @property
    def text(self) -> str:
        return "" if self.isHidden() else self._label.text()

    def say(self, text: str, *, stays: bool = False) -> None:
        self._label.setText(text)
        self.setAccessibleName(text)
        self._appear()
        self.show()
        if not stays:
            self.timer.start()
        announce(self, text)

    def fade(self) -> None:
        self.timer.start()

    def leave(self) -> None:
        is_there = not self.isHidden()
        self._appear()
        self.hide()
        if is_there:
            self.gone.emit()

    def fit(self, width: int) -> None:
        # Qt shows the buttons of a new card later, and counts them only then
        put_away = Qt.WidgetAttribute.WA_WState_ExplicitShowHide
        shown = [button for button in self._buttons if not (button.isHidden() and button.testAttribute(put_away))]
        beside = 3 * SPACE + 2 * FRAME_PX + sum(button.sizeHint().width() + SPACE // 2 for button in shown)
        room = width - beside
        natural = self._label.fontMetrics().boundingRect(QRect(0, 0, 10**6, 10**6), 0, self._label.text()).width() + 2
        self._label.setFixedWidth(max(1, min(natural, room)))
        self._label.setFixedHeight(self._label.heightForWidth(self._label.width()))
        self.setFixedWidth(self._label.width() + beside)

    def _appear(self) -> None:
        self.timer.stop()
        self.fading.stop()
        self.effect.setEnabled(False)

    def _end(self) -> None:
        focus = self.window().focusWidget()
        if self._buttons and (self.underMouse() or (focus is not None and self.isAncestorOf(focus))):
            self.timer.start()
            return
        animated = self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, self) > 0
        self.effect.setEnabled(True)
        self.fading.setDuration(FADE_MS if animated else 0)
        self.fading.start()

    def enterEvent(self, _: QEnterEvent) -> None:  # noqa: N802 - Qt's name
        if self._buttons and self.fading.state() == QPropertyAnimation.State.Running:
            self._appear()
            self.timer.start()


class Note(Card):
    """Notification with its file."""

    def __init__(self, colours: Colours) -> None:
        self.open, self.dismiss = OpenButton(), QToolButton()
        super().__init__(NOTE_MS, self.open, self.dismiss)
        self.dismiss.setToolTip(self.tr("Dismiss"))
        self.dismiss.setAccessibleName(self.tr("Dismiss the message"))
        self.dismiss.clicked.connect(self.leave)
        self.draw(colours)

    def draw(self, colours: Colours) -> None:
        self.dismiss.setIcon(icons.icon("close", colours))


class Notes(Overlay):
    """Column of notifications, above a word for changes and one for loading."""

    open_asked = Signal(object)  # a path

    def __init__(self, view: VideoView) -> None:
        super().__init__(view, takes_mouse=True)
        self._pages, self._colours = view.pages, DARK
        self._below: tuple[Overlay, ...] = ()
        self._notes: list[Note] = []
        self._word, self._busy = Card(WORD_MS), Card(0)
        self._busy_since = Debounce(BUSY_MS, self._show_busy, self)
        self._loads = ""
        for card in (self._word, self._busy):
            card.gone.connect(self._arrange)
        self._column = fill(QVBoxLayout(self), self._word, self._busy, around=0, between=SPACE // 2)
        for card in (self._word, self._busy):
            self._column.setAlignment(card, Qt.AlignmentFlag.AlignLeft)

    @property
    def text(self) -> str:
        """Notifications in view, a line each."""
        return "\n".join(note.text for note in self._notes)

    @property
    def word(self) -> str:
        return self._word.text

    @property
    def busy(self) -> str:
        return self._busy.text

    def lie_above(self, *below: Overlay) -> None:
        """Keep clear of overlays at the lower edge."""
        self._below = below
        for other in below:
            other.installEventFilter(self)

    def draw(self, colours: Colours) -> None:
        self._colours = colours
        for note in self._notes:
            note.draw(colours)

    def show_note(self, text: str, path: str) -> None:
        """Show a notification. path: file to open, or empty."""
        for former in [note for note in self._notes if note.text == text] or self._notes[: 1 - MOST_NOTES]:
            former.leave()
        note = Note(self._colours)
        note.open.show_path(path)
        note.open.asked.connect(self.open_asked)
        note.gone.connect(partial(self._remove, note))
        self._column.insertWidget(len(self._notes), note, alignment=Qt.AlignmentFlag.AlignLeft)
        self._notes.append(note)
        note.say(text)
        self._arrange()

    def say(self, text: str, *, stays: bool = False) -> None:
        """Replace the word. stays: until `fade` or the next."""
        self._word.say(text, stays=stays)
        self._arrange()

    def fade(self) -> None:
        self._word.fade()

    def show_busy(self, text: str) -> None:
        """Follow the player; empty when it is idle."""
        self._loads = text
        if not text:
            self._busy_since.stop()
            self._busy.leave()
        elif self.busy:
            self._show_busy()
        elif not self._busy_since.isActive():
            self._busy_since.start()

    def _show_busy(self) -> None:
        self._busy.say(self._loads, stays=True)
        self._arrange()

    def _remove(self, note: Note) -> None:
        self._notes.remove(note)
        self._column.removeWidget(note)
        note.deleteLater()
        self._arrange()

    def _arrange(self) -> None:
        self.setVisible(bool(self._notes or self.word or self.busy))
        if self.isVisible():
            self.place()

    def place(self) -> None:
        super().place()
        if len(self._notes) > 1 and self.corner().y() == 0:  # a small view has no room for all
            self._notes[0].leave()

    def wanted_size(self) -> QSize:
        for card in (*self._notes, self._word, self._busy):
            if not card.isHidden():
                card.fit(min(WIDEST_PX, self._view.width() - 2 * SPACE))
        self._column.activate()
        return self.sizeHint()

    def corner(self) -> QPoint:
        edges = [other.corner().y() for other in self._below if other.isVisible()]
        return QPoint(SPACE, max(0, min([*edges, self._view.height()]) - self.height() - SPACE))

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        self.painter().end()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """Let the picture zoom."""
        place = self._view.mapFromGlobal(event.globalPosition())
        parts = event.pixelDelta(), event.angleDelta(), event.buttons(), event.modifiers()
        turned = QWheelEvent(place, event.globalPosition(), *parts, event.phase(), event.inverted())
        for page in self._pages:
            if page.isVisible():
                QCoreApplication.sendEvent(page, turned)
