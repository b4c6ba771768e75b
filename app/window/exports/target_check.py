"""Questions before an export's file is written."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Container as Collection
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from framebrush.base.files import place_of
from framebrush.window.exports.targets import free_like, is_begun, is_free, is_same, why_not

NAME_PX = 240
"""The maximum length of a file name on a button."""


class TargetCheck(QObject):
    """Accepts a file to write, perhaps after a question."""

    accepted = Signal(object, bool)  # the file, and whether it replaces an existing one

    def __init__(self, dialog: QWidget, source: Path | None, taken: Callable[[], Collection[str]]) -> None:
        super().__init__(dialog)
        self._dialog, self._source, self._taken = dialog, source, taken

    def check(self, target: Path, problem: str) -> None:
        """Accept a file, ask, or show the problem."""
        if not problem and (unusable := why_not(target)):
            problem = self.tr("This name cannot be used ({reason}).").format(reason=unusable)
        elif not problem and not target.parent.is_dir():
            problem = self.tr("There is no folder {folder}.").format(folder=target.parent)
        if problem:
            self._box(QMessageBox.Icon.Warning, problem).open()
        elif not is_free(target, self._taken()):
            self._ask(target)
        else:
            self.accepted.emit(target, False)

    def _ask(self, target: Path) -> None:
        refusal = self._refusal(target)
        text = refusal or self.tr("{name} already exists.")
        box = self._box(QMessageBox.Icon.Question, text.format(name=target.name))
        free = free_like(target, self._taken())
        shown = self._dialog.fontMetrics().elidedText(free.name, Qt.TextElideMode.ElideMiddle, NAME_PX)
        text = self.tr("Save as {name}").format(name=shown.replace("&", "&&"))
        other = box.addButton(text, QMessageBox.ButtonRole.AcceptRole)
        other.clicked.connect(lambda: self.check(free, ""))  # another program may have made it meanwhile
        if not refusal:
            box.setInformativeText(self.tr("The old file stays until the new one is complete."))
            replacing = box.addButton(self.tr("Replace"), QMessageBox.ButtonRole.DestructiveRole)
            replacing.clicked.connect(lambda: self._replace(target))
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(other)
        box.open()

    def _refusal(self, target: Path) -> str:
        if place_of(target) in self._taken():
            return self.tr("Another export is writing {name}.")
        if target.is_dir():
            return self.tr("{name} is a folder.")
        if is_same(target, self._source):
            return self.tr("{name} is the video being painted.")
        return self.tr("Another export of {name} is not finished; it is kept.") if is_begun(target) else ""

    def _replace(self, target: Path) -> None:
        if self._refusal(target):
            self._ask(target)
        else:
            self.accepted.emit(target, True)

    def _box(self, icon: QMessageBox.Icon, text: str) -> QMessageBox:
        box = QMessageBox(icon, self.tr("Export"), text, parent=self._dialog)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setTextFormat(Qt.TextFormat.PlainText)
        return box
