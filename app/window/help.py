"""The dialog that lists the keys."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from framebrush.window.state.actions import Entry, key_text
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import Column, heading
from framebrush.window.widgets.theme import SPACE

MOST_CHARACTERS = 8


def _keys(entry: Entry) -> str:
    keys = "  ".join(map(key_text, entry.keys))
    return keys if len(keys) <= MOST_CHARACTERS else key_text(entry.keys[0])


class HelpSheet(QDialog):
    """All keys in groups. Show it with `open`."""

    def __init__(self, parent: QWidget, groups: Mapping[str, list[Entry]]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keys"))
        inside, buttons = QWidget(), QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        scroll = Column(inside)
        scroll.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # so that keys scroll it, as nothing in it takes any
        scroll.setAccessibleName(self.tr("Keys"))
        around = 3 * SPACE, 3 * SPACE, 3 * SPACE, 2 * SPACE
        fill(QVBoxLayout(self), scroll, buttons, around=around, between=2 * SPACE)
        columns = fill(QHBoxLayout(inside), around=(0, 0, SPACE, 0), between=5 * SPACE)
        listed = list(groups.items())
        for place in ((1, 4), (0, 2, 3)):  # playback has almost as many keys as the rest
            column = fill(QVBoxLayout(), between=SPACE)
            columns.addLayout(column)
            for index in place:
                self._add_group(column, *listed[index])
            column.addStretch()
        available = self.screen().availableGeometry()
        if scroll.minimumSizeHint().width() + 6 * SPACE > available.width():
            columns.setDirection(QBoxLayout.Direction.TopToBottom)
        height = inside.sizeHint().height() + buttons.sizeHint().height() + 7 * SPACE
        self.resize(self.minimumSizeHint().width(), min(height, available.height() - 5 * SPACE, parent.height()))

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
            grid.addWidget(QLabel(text), row, 0)
            label = QLabel(keys)
            label.setObjectName("faint")
            grid.addWidget(label, row, 1, alignment=Qt.AlignmentFlag.AlignRight)
        column.addSpacing(SPACE)
