"""The person's own styles in the window: learnt, taken from files, named, given on and removed."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QInputDialog, QLineEdit, QMenu, QMessageBox, QWidget

from framebrush.base.file_names import proper_name
from framebrush.gpu.errors import DeviceError
from framebrush.media.video import InputError
from framebrush.models.style import StyleError
from framebrush.playback.events import Notification
from framebrush.styles.folder import FILES, SUFFIXES, StyleFolder, copy_whole
from framebrush.styles.names import PLAIN
from framebrush.styles.pictures import open_picture
from framebrush.window.exports.queue import ExportQueue
from framebrush.window.session import Session
from framebrush.window.styles.catalog import Entry, catalog, parts_of
from framebrush.window.styles.gallery import Gallery
from framebrush.window.styles.thumbnails import paint_missing
from framebrush.window.training.dialog import NewStyleDialog
from framebrush.window.training.runner import State, TrainingRunner
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.files import Files, Location, own_folder
from framebrush.window.widgets.numbers import percent

Done = Path | OSError | StyleError
"""Of work with files: the style's path, or why it was not done."""


class OwnStyles(QObject):
    """The gallery's own part, and the training that adds to it."""

    hinted = Signal(str)  # a word for who drags a file
    moved = Signal(object, object)  # the path of an own style, and where it is now; None: removed

    def __init__(self, window: QWidget, session: Session, gallery: Gallery, queue: ExportQueue, files: Files) -> None:
        """window: of the dialogs. queue: exports that may need a style which is to be removed."""
        super().__init__(window)
        self._window, self._session, self._gallery, self._queue, self._files = window, session, gallery, queue, files
        data = session.settings.data_folder
        self.folder, self.training = StyleFolder(data / "styles"), TrainingRunner(data / "training")
        self.dialog: NewStyleDialog | None = None
        self._closing = False
        gallery.learning.clicked.connect(self.make)
        gallery.dropped.connect(self.take)
        self.training.changed.connect(self._show_training)
        self.training.learnt.connect(self._learnt)
        self.training.notified.connect(session.notified)
        gallery.menu_asked.connect(self.show_menu)

    def begin(self) -> None:
        """Fill the gallery, and look for a training that did not end."""
        self.find()
        self.training.begin()

    def find(self) -> None:
        """Fill the gallery with what is there now, and paint the pictures that are missing."""
        Background(partial(catalog, self.folder), self._show, self)

    def make(self) -> None:
        """Show the dialog for a new style, or how the one is going that is learnt."""
        if self.dialog is None:
            self.dialog = NewStyleDialog(self._window, self.training, self._session.settings, self.folder)
            self.dialog.destroyed.connect(self._dialog_gone)
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()

    def keep_used(self, name: str) -> None:
        """A style is in use: a file that is not in the folder is copied, so that it stays whatever becomes of it."""
        path = Path(name)
        if path.suffix.lower() in FILES and path not in self.folder and os.path.isfile(name):  # noqa: PTH113 - or a blend
            self.keep(path)

    def keep(self, path: Path) -> None:
        """Put a copy of a file among the styles, once it is seen to be one."""
        Background(partial(_tried, partial(_copied, self.folder, path)), partial(self._kept, path), self)

    def ask(self) -> None:
        """Let the person choose a network or a picture as the style."""
        path = self._files.style()
        if path is not None:
            self._session.use_style(str(path))

    def offer(self) -> None:
        """Say that what is dragged over the picture need not be opened as a video."""
        self.hinted.emit(self.tr("With Ctrl held: as the style"))

    def take(self, paths: list[Path]) -> None:
        """Files were dropped as styles: the first is painted in at once, and all stay."""
        self._session.use_style(str(paths[0]))
        for path in paths[1:]:
            self.keep(path)

    def show_menu(self, path: Path, where: QPoint) -> None:
        """What can be done with an own style. where: on the screen."""
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Rename…")).triggered.connect(lambda: self.ask_name(path))
        menu.addAction(self.tr("Save as a file…")).triggered.connect(lambda: self.ask_share(path))
        menu.addAction(self.tr("Remove…")).triggered.connect(lambda: self.ask_remove(path))
        menu.popup(where)

    def ask_name(self, path: Path) -> None:
        """Let the person give a style another name."""
        if self._is_needed(path):
            return
        dialog = QInputDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Rename the style"))
        dialog.setLabelText(self.tr("Name"))
        dialog.setTextEchoMode(QLineEdit.EchoMode.Normal)
        dialog.setTextValue(path.stem)
        dialog.textValueSelected.connect(partial(self.rename, path))
        dialog.open()

    def rename(self, path: Path, text: str) -> None:
        """Give a style another name."""
        name = proper_name(text)
        if name and name != path.stem:
            Background(partial(_tried, partial(self.folder.rename, path, name)), partial(self._moved, path), self)

    def ask_share(self, path: Path) -> None:
        """Let the person choose where a copy of a style goes."""
        start = own_folder(Location.DocumentsLocation) / path.name
        ending = path.suffix.lower()
        kind = self.tr("Style networks ({patterns})") if ending == ".onnx" else self.tr("Pictures ({patterns})")
        patterns = kind.format(patterns=f"*{ending}")
        name, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save the style as a file"), str(start), patterns)
        if name:
            target = Path(name)  # a copy: what is in it stays what it is
            self.share(path, target if target.suffix.lower() == ending else target.with_name(f"{target.name}{ending}"))

    def share(self, path: Path, target: Path) -> None:
        """Write a copy of a style for somebody else."""

        def copied() -> Path:
            copy_whole(path, target)
            return target

        Background(partial(_tried, copied), self._shared, self)

    def ask_remove(self, path: Path) -> None:
        """Delete a style once the person has agreed."""
        if self._is_needed(path):
            return
        text = self.tr("Remove the style {name}?").format(name=path.stem)
        box = QMessageBox(QMessageBox.Icon.Question, self.tr("Remove a style"), text, parent=self._window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setInformativeText(self.tr("Its file is deleted. A copy that was saved elsewhere stays."))
        remove = box.addButton(self.tr("Remove"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        remove.clicked.connect(lambda: self.remove(path))
        box.open()

    def remove(self, path: Path) -> None:
        """Delete a style; what is painted with it goes on without one."""

        def removed() -> Path:
            self.folder.remove(path)
            return path

        if self._session.paints_with(path):
            self._session.use_style(PLAIN)
        self.moved.emit(path, None)
        Background(partial(_tried, removed), self._removed, self)

    def close(self) -> None:
        """The window closes."""
        self._closing = True
        if self.dialog is not None:
            self.dialog.close()
        self.training.close()

    # What follows in the window's thread

    def _show(self, entries: list[Entry]) -> None:
        self._gallery.fill(entries)
        lacking = [entry.own.path for entry in entries if entry.own is not None]
        Background(partial(self._paint, lacking), self._repaint, self)

    def _paint(self, styles: list[Path]) -> bool:
        """Paint the pictures that are missing; whether there were any. A style that fails keeps the picture it has."""
        changed = False
        for style in styles:
            with suppress(StyleError, DeviceError, InputError, OSError):
                changed |= not self._closing and paint_missing(self.folder, style)
        return changed

    def _show_training(self) -> None:
        """How far it is, beside the heading of the gallery; a click shows more."""
        training, button = self.training, self._gallery.learning
        button.setVisible(training.state is not State.NONE)
        if training.spec is not None:
            share = percent(training.step / training.spec.steps)
            button.setText(
                share if training.state is not State.STOPPED else self.tr("{share}, stopped").format(share=share)
            )
            button.setToolTip(self.tr("Learning the style {name}").format(name=training.spec.name))

    def _repaint(self, changed: bool) -> None:
        if changed:
            self._gallery.draw()

    def _kept(self, path: Path, own: Done) -> None:
        if isinstance(own, Exception):
            self._say(self.tr("{name} cannot be kept among your styles.").format(name=path.name), own)
            return
        used = self._session.style_in_use
        if used is not None and used.name == str(path):
            self._session.use_style(str(own))
        self.find()

    def _moved(self, path: Path, own: Done) -> None:
        if isinstance(own, Exception):
            self._say(self.tr("{name} cannot be renamed.").format(name=path.stem), own)
            return
        used = self._session.style_in_use
        if used is not None and self._session.paints_with(path):
            self._session.use_style(used.name.replace(str(path), str(own)))
        self.moved.emit(path, own)
        self.find()

    def _shared(self, target: Done) -> None:
        if isinstance(target, Exception):
            self._say(self.tr("The style cannot be saved there."), target)
        else:
            self._session.notified.emit(Notification(self.tr("Saved as {path}").format(path=target)))

    def _removed(self, path: Done) -> None:
        if isinstance(path, Exception):
            self._say(self.tr("The style cannot be removed."), path)
        self.find()

    def _learnt(self, out: Path) -> None:
        Background(partial(_tried, partial(self.folder.keep, out)), self._taken, self)

    def _taken(self, own: Done) -> None:
        if isinstance(own, Exception):
            self._say(self.tr("The style was learnt and cannot be put among your styles."), own)
            return
        self.training.clear()
        text = self.tr("The style {name} is learnt; it is in the gallery.").format(name=own.stem)
        self._session.notified.emit(Notification(text))
        self._session.use_style(str(own))
        self.find()

    def _dialog_gone(self) -> None:
        self.dialog = None

    def _is_needed(self, path: Path) -> bool:
        """Whether an export that is still to come, or may go on, paints with a style, which is then said."""
        specs = [job.spec for job in self._queue if job.can_go_on]
        needed = any(
            str(path) in {*parts_of(spec.style.name), spec.colours.palette, spec.colours.palette_from} for spec in specs
        )
        if needed:
            text = self.tr("An export that is not done yet paints with {name}.").format(name=path.stem)
            self._session.notified.emit(Notification(text, severity="problem"))
        return needed

    def _say(self, text: str, error: OSError | StyleError) -> None:
        self._session.notified.emit(Notification.of(text, error))


def _tried(work: Callable[[], Path]) -> Done:
    try:
        return work()
    except (OSError, StyleError) as error:
        return error


def _copied(folder: StyleFolder, path: Path) -> Path:
    """The copy of a file in the folder. Raises OSError, and StyleError for a picture that cannot be read."""
    if path.suffix.lower() in SUFFIXES:
        open_picture(str(path))
    return folder.keep(path)
