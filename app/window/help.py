"""The dialog that lists the keys."""

from __future__ import annotations

from itertools import groupby

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from framebrush.window.actions import Entry, key_text
from framebrush.window.widgets.controls import heading
from framebrush.window.widgets.theme import SPACE

MOST_CHARACTERS = 8


def _keys(entry: Entry) -> str:
    """All keys of an action if they are short, else the first."""
    keys = "  ".join(map(key_text, entry.keys))
    return keys if len(keys) <= MOST_CHARACTERS else key_text(entry.keys[0])


class HelpSheet(QDialog):
    """All keys in groups. To be shown with `open`."""

    def __init__(self, parent: QWidget, entries: list[Entry]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keys"))
        layout = QVBoxLayout(self)
        scroll, inside = QScrollArea(), QWidget()
        layout.addWidget(scroll)
        scroll.setWidget(inside)  # first, because Qt restyles the content of a widget that gets a parent
        scroll.setWidgetResizable(True)
        columns = QHBoxLayout(inside)
        columns.setContentsMargins(0, 0, SPACE, 0)
        columns.setSpacing(5 * SPACE)
        groups = [(group, list(found)) for group, found in groupby(entries, lambda entry: entry.group)]
        for place in ((1, 4), (0, 2, 3)):  # playback has almost as many keys as the rest
            column = QVBoxLayout()
            columns.addLayout(column)
            column.setSpacing(SPACE)
            for index in place:
                self._add_group(column, *groups[index])
            column.addStretch()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setAccessibleName(self.tr("Keys"))
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 2 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(buttons)
        margins, needed, available = layout.contentsMargins(), inside.sizeHint(), self.screen().availableGeometry()
        bar = scroll.verticalScrollBar().sizeHint().width()
        around = bar + margins.left() + margins.right()
        if needed.width() + around > available.width():  # stack the columns
            columns.setDirection(QBoxLayout.Direction.TopToBottom)
            needed = inside.sizeHint()
        width = needed.width() + around
        height = needed.height() + buttons.sizeHint().height() + 3 * layout.spacing() + margins.top() + margins.bottom()
        self.setMinimumWidth(width)
        self.resize(width, min(height, available.height() - 5 * SPACE, parent.height()))

    def _add_group(self, column: QVBoxLayout, title: str, entries: list[Entry]) -> None:
        column.addWidget(heading(title))
        grid = QGridLayout()
        column.addLayout(grid)
        grid.setHorizontalSpacing(3 * SPACE)
        grid.setVerticalSpacing(SPACE // 2)
        rows = [(entry.text.rstrip("…"), _keys(entry)) for entry in entries if entry.keys]
        names = {entry.name for entry in entries}
        if "no-style" in names:
            rows.append((self.tr("Styles of the gallery"), "1 – 9"))
        if "full-screen" in names:
            rows.append((self.tr("Leave full screen"), key_text("Esc")))
        for row, (text, keys) in enumerate(rows):
            label = QLabel(keys)
            label.setObjectName("faint")
            grid.addWidget(QLabel(text), row, 0)
            grid.addWidget(label, row, 1, alignment=Qt.AlignmentFlag.AlignRight)
        column.addSpacing(SPACE)
