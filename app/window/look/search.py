"""Search field for settings of the inspector."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QStringListModel, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QComboBox, QCompleter, QLineEdit, QToolButton, QWidget

from framebrush.window.widgets.controls import Disclosure, LabelledSlider
from framebrush.window.widgets.keyframe_button import KeyframeButton

MOST_LETTERS = 60


class Setting(NamedTuple):
    """Control with searchable words in lower case."""

    title: str
    words: str
    control: QWidget


def settings_in(part: QWidget) -> list[Setting]:
    """Return a part's usable controls, also of collapsed sections."""
    found = []
    for widget in part.findChildren(QWidget):
        choices: list[str] = []
        control = widget
        if isinstance(widget, LabelledSlider):
            title, control = widget.name.text(), widget.slider
        elif isinstance(widget, QComboBox):
            title = widget.accessibleName()
            choices = [widget.itemText(row) for row in range(widget.count())]
        elif isinstance(widget, QAbstractButton) and not isinstance(widget, KeyframeButton | Disclosure):
            title = widget.text() or widget.accessibleName()
        else:
            continue
        if title and not widget.isHidden():
            words = title, control.toolTip(), control.accessibleDescription(), *choices
            found.append(Setting(title, "\n".join(words).casefold(), control))
    return found


class SettingSearch(QLineEdit):
    """Lists settings that contain all typed words."""

    found = Signal(QWidget)  # the control of the chosen setting
    left = Signal()

    parts: Sequence[QWidget] = ()
    """Parts of the panel with settings."""

    def __init__(self) -> None:
        super().__init__(maxLength=MOST_LETTERS, clearButtonEnabled=True)
        self.setPlaceholderText(self.tr("Find (/)"))
        self.setAccessibleName(self.tr("Find a setting"))
        clear = self.findChild(QToolButton)
        assert clear is not None
        clear.setAccessibleName(self.tr("Clear"))
        self.settings: list[Setting] = []
        """The listed ones, best first."""
        self._titles = QStringListModel(self)
        completer = QCompleter(self._titles, self)
        completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        popup = completer.popup()
        assert popup is not None
        self.list = popup
        self.list.setAccessibleName(self.tr("Settings with these words"))
        self.setCompleter(completer)
        self.textEdited.connect(self._list)
        self.returnPressed.connect(lambda: self._choose(0))
        chosen = completer.activated[QModelIndex]  # type: ignore[index]  # not the overload with the text
        chosen.connect(lambda index: self._choose(index.row()))

    def _list(self, text: str) -> None:
        typed = text.casefold().split()
        there = [setting for part in self.parts for setting in settings_in(part)]
        matching = [each for each in there if typed and all(word in each.words for word in typed)]
        self.settings = sorted(matching, key=lambda each: not all(word in each.title.casefold() for word in typed))
        self._titles.setStringList([each.title for each in self.settings])

    def _choose(self, row: int) -> None:
        if row < len(self.settings):
            control = self.settings[row].control
            self.settings = []
            self.list.hide()
            QTimer.singleShot(0, self, self.clear)  # after the completer has put the title there
            self.found.emit(control)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()  # else it leaves full screen
            if event.type() == QEvent.Type.KeyPress:
                self.clear()
                self.left.emit()
            return True
        return super().event(event)
