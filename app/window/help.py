"""The sheet of keys."""

from __future__ import annotations

from itertools import groupby

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.window.actions import Entry
from app.window.controls import heading
from app.window.theme import SPACE


def help_sheet(parent: QWidget, entries: list[Entry]) -> QDialog:
    """All keys in groups; made to be shown with `open`."""
    dialog = QDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(dialog.tr("Keys"))
    columns = QHBoxLayout()
    columns.setSpacing(5 * SPACE)
    groups = [(group, list(found)) for group, found in groupby(entries, lambda entry: entry.group)]
    for place in (("1",), ("0", "2", "3", "4")):
        column = QVBoxLayout()
        column.setSpacing(SPACE)
        for index in place:
            if int(index) < len(groups):
                _add_group(dialog, column, *groups[int(index)])
        column.addStretch()
        columns.addLayout(column)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 2 * SPACE)
    layout.setSpacing(2 * SPACE)
    layout.addLayout(columns)
    layout.addWidget(buttons)
    return dialog


def _add_group(dialog: QDialog, column: QVBoxLayout, title: str, entries: list[Entry]) -> None:
    column.addWidget(heading(title))
    grid = QGridLayout()
    grid.setHorizontalSpacing(3 * SPACE)
    grid.setVerticalSpacing(SPACE // 2)
    rows = [(entry.text.rstrip("…"), entry.keys) for entry in entries if entry.keys]
    if any(entry.name == "no-style" for entry in entries):
        rows.append((dialog.tr("Styles of the gallery"), ("1 – 9",)))
    if any(entry.name == "full-screen" for entry in entries):
        rows.append((dialog.tr("Leave full screen"), ("Esc",)))
    for row, (text, keys) in enumerate(rows):
        label = QLabel(_written(keys))
        label.setObjectName("faint")
        grid.addWidget(QLabel(text), row, 0)
        grid.addWidget(label, row, 1, alignment=Qt.AlignmentFlag.AlignRight)
    column.addLayout(grid)
    column.addSpacing(SPACE)


def _written(keys: tuple[str, ...]) -> str:
    native = QKeySequence.SequenceFormat.NativeText
    return "  ".join(key if "–" in key else QKeySequence(key).toString(native) for key in keys)
