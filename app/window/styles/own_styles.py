"""The user's own styles."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QFileSystemWatcher, QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from framebrush.base.file_names import proper_name
from framebrush.gpu.errors import DeviceError
from framebrush.jobs.spec import JobSpec
from framebrush.media.video import PLAIN_FILE, InputError
from framebrush.models.style import StyleError
from framebrush.playback.events import Notification, StyleAnswered, StyleInUse
from framebrush.styles.blends import parts_of
from framebrush.styles.keys_folder import is_keys
from framebrush.styles.reference_pictures import open_picture
from framebrush.styles.style_folder import FILES, PICTURES, SUFFIXES, StyleFolder, copy_whole
from framebrush.styles.style_names import PASSTHROUGH
from framebrush.window.state.session import Session
from framebrush.window.styles.catalog import Entry, catalog
from framebrush.window.styles.gallery import Gallery
from framebrush.window.styles.style_thumbnails import paint_missing
from framebrush.window.training.training_dialog import NewStyleDialog
from framebrush.window.training.training_runner import State, TrainingRunner
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.controls import ask_name, ask_whether
from framebrush.window.widgets.debounce import Debounce
from framebrush.window.widgets.file_dialogs import Files, Location, own_folder
from framebrush.window.widgets.numbers import percent

T = TypeVar("T")

SETTLING_MS = 200
"""How long the folder must be left alone before it is listed: a style and its picture come one after the other."""


class OwnStyles(QObject):
    """Own styles in the gallery, and their training."""

    moved = Signal(object, object)  # the path of an own style, and its new path; None: removed

    def __init__(
        self, window: QWidget, session: Session, gallery: Gallery, unfinished: Callable[[], list[JobSpec]], files: Files
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._gallery, self._files = window, session, gallery, files
        self._unfinished = unfinished
        data = session.settings.data_folder
        self.folder, self.training = StyleFolder(data / "styles"), TrainingRunner(data / "training")
        self.dialog: NewStyleDialog | None = None
        self._became: dict[str, str | None] = {}
        """The new paths of own styles that were renamed in this window; None: removed."""
        self._entries: list[Entry] = []
        self._closing = False
        self._watcher, self._settling = QFileSystemWatcher(self), Debounce(SETTLING_MS, self.find, self)
        self._watcher.directoryChanged.connect(lambda _: self._settling.start())
        gallery.learning.clicked.connect(self.make)
        gallery.dropped.connect(self.add_files)
        self.training.changed.connect(self._show_training)
        self.training.trained.connect(self._trained)
        self.training.notified.connect(session.notified)
        gallery.menu_asked.connect(self.show_menu)
        session.events.on(StyleInUse, lambda used: self._keep_used(used.name))
        session.events.on(StyleAnswered, lambda _: self._follow())

    def begin(self) -> None:
        """Fill the gallery, and look for an unfinished training."""
        with suppress(OSError):
            self.folder.path.mkdir(parents=True, exist_ok=True)  # a missing folder is not watched
        self.find()
        self.training.begin()

    def find(self) -> None:
        """Fill the gallery from the folder, and paint missing thumbnails."""
        self._watcher.addPaths([str(self.folder.path), str(self.folder.path / PICTURES)])
        Background(partial(catalog, self.folder), self._show, self)

    def make(self) -> None:
        """Show the dialog for a new style or the current training."""
        if self.dialog is None:
            settings = self._session.settings
            self.dialog = NewStyleDialog(self._window, self.training, settings, self.folder, self._film)
            self.dialog.destroyed.connect(self._dialog_gone)
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()

    def _film(self) -> str:
        opened = self._session.opened
        is_file = opened is not None and opened.info.path is not None and opened.info.opening == PLAIN_FILE
        return opened.info.source if opened is not None and is_file else ""

    def _keep_used(self, name: str) -> None:
        path = Path(name)
        if path.suffix.lower() in FILES and path not in self.folder and os.path.isfile(name):  # noqa: PTH113 - or a blend
            self.keep(path)

    def keep(self, path: Path) -> None:
        """Copy a file to the styles if it is valid."""
        problem = self.tr("{name} could not be added to your styles.").format(name=path.name)
        self._change(partial(_copied, self.folder, path), partial(self._kept, path), problem)

    def ask(self) -> None:
        """Ask for a network or picture as the style."""
        if path := self._files.style():
            self._session.use_style(str(path))

    def add_files(self, paths: list[Path]) -> None:
        """Add dropped files as styles, and use the first."""
        self._session.use_style(str(paths[0]))
        for path in paths[1:]:
            if not is_keys(str(path)):  # painted frames stay beside their film
                self.keep(path)

    def show_menu(self, path: Path, where: QPoint) -> None:
        """Show an own style's context menu. where: on the screen."""
        menu = QMenu(self._window)
        menu.setAccessibleName(path.stem)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Rename…")).triggered.connect(lambda: self.ask_name(path))
        menu.addAction(self.tr("Save as a file…")).triggered.connect(lambda: self.ask_share(path))
        menu.addAction(self.tr("Remove…")).triggered.connect(lambda: self.ask_remove(path))
        menu.popup(where)

    def ask_name(self, path: Path) -> None:
        """Ask for a style's new name."""
        if self._is_needed(path):
            return
        title = self.tr("Rename the style")
        ask_name(self._window, title, self.tr("Name"), path.stem, partial(self.rename, path))

    def rename(self, path: Path, text: str) -> None:
        """Rename a style."""
        name = proper_name(text)
        if name and name != path.stem:
            problem = self.tr("{name} cannot be renamed.").format(name=path.stem)
            self._change(partial(self.folder.rename, path, name), partial(self._moved, path), problem)

    def ask_share(self, path: Path) -> None:
        """Ask where to save a copy."""
        start = own_folder(Location.DocumentsLocation) / path.name
        ending = path.suffix.lower()
        kind = self.tr("Style networks ({patterns})") if ending == ".onnx" else self.tr("Pictures ({patterns})")
        patterns = kind.format(patterns=f"*{ending}")
        name, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save the style as a file"), str(start), patterns)
        if name:
            target = Path(name)
            if target.suffix.lower() == ending:
                self.share(path, target)
            else:  # a copy keeps its format, whatever the name; the dialog has not asked about that of this file
                self.share(path, target.with_name(f"{target.name}{ending}"), new=True)

    def share(self, path: Path, target: Path, *, new: bool = False) -> None:
        """Save a copy of a style. new: never replace a file."""
        work, problem = partial(copy_whole, path, target, new=new), self.tr("The style cannot be saved there.")
        self._change(work, lambda _: self._shared(target), problem)

    def ask_remove(self, path: Path) -> None:
        """Delete a style after asking the user."""
        if self._is_needed(path):
            return
        text = self.tr("Remove the style {name}?").format(name=path.stem)
        more = self.tr("Its file is deleted. A copy that was saved elsewhere stays.")
        title, do = self.tr("Remove a style"), self.tr("Remove")
        ask_whether(self._window, title, text, do, partial(self.remove, path), more)

    def remove(self, path: Path) -> None:
        """Delete a style; if chosen, continue without a style."""
        problem = self.tr("The style cannot be removed.")
        self._change(partial(self.folder.remove, path), partial(self._moved, path), problem)

    def _change(self, work: Callable[[], T], then: Callable[[T], None], problem: str) -> None:
        def tried() -> T | OSError | StyleError:
            try:
                return work()
            except (OSError, StyleError) as error:
                return error

        def done(result: T | OSError | StyleError) -> None:
            if isinstance(result, OSError | StyleError):
                self._session.notified.emit(Notification.of(problem, result))
            else:
                then(result)

        Background(tried, done, self, must_end=True)

    def _follow(self) -> None:
        chosen = self._session.choice.style.name
        for path in self._became.keys() & parts_of(chosen).keys():
            if not os.path.exists(path):  # noqa: PTH110 - a style of this name may have been added since
                became = self._became[path]
                self._session.use_style(PASSTHROUGH if became is None else chosen.replace(path, became))
                break  # this leads to an answer, and back to here

    def close(self) -> None:
        self._closing = True
        if self.dialog is not None:
            self.dialog.close()
        self.training.close()

    # Results, in the window's thread

    def _show(self, entries: list[Entry]) -> None:
        if entries == self._entries:  # at most a thumbnail is new; one that cannot be painted is not tried again
            self._gallery.draw()
            return
        self._entries = entries
        self._session.networks = frozenset(each for entry in entries for each in entry.networks)
        self._gallery.fill(entries)
        lacking = [entry.own.path for entry in entries if entry.own is not None]
        Background(partial(self._paint, lacking), self._repaint, self, must_end=True)

    def _paint(self, styles: list[Path]) -> bool:
        changed = False
        for style in styles:
            with suppress(StyleError, DeviceError, InputError, OSError):
                changed |= not self._closing and paint_missing(self.folder, style)
        return changed

    def _show_training(self) -> None:
        training, button = self.training, self._gallery.learning
        button.setVisible(training.state is not State.NONE)
        if training.spec is not None:
            share = percent(training.step / training.spec.steps)
            button.setText(
                share if training.state is not State.STOPPED else self.tr("{share}, stopped").format(share=share)
            )
            button.setToolTip(self.tr("Training the style {name}").format(name=training.spec.name))

    def _repaint(self, changed: bool) -> None:
        if changed:
            self._gallery.draw()

    def _kept(self, path: Path, own: Path) -> None:
        if self._session.choice.style.name == str(path):  # or the user has chosen another one while it was copied
            self._session.use_style(str(own))
        self.find()

    def _moved(self, path: Path, own: Path | None) -> None:
        self._became[str(path)] = None if own is None else str(own)
        self._follow()
        self.moved.emit(path, own)
        self.find()

    def _shared(self, target: Path) -> None:
        self._session.notified.emit(Notification(self.tr("Saved as {path}").format(path=target)))

    def _trained(self, out: Path) -> None:
        problem = self.tr("The style was trained but could not be added to your styles.")
        self._change(partial(self.folder.keep, out), self._taken, problem)

    def _taken(self, own: Path) -> None:
        self.training.clear()
        text = self.tr("The style {name} is trained; it is in the gallery.").format(name=own.stem)
        self._session.notified.emit(Notification(text))
        self._session.use_style(str(own))
        self.find()

    def _dialog_gone(self) -> None:
        self.dialog = None

    def _is_needed(self, path: Path) -> bool:
        names = {name for spec in self._unfinished() for name in (spec.style.name, *spec.colours.names)}
        needed = any(str(path) in parts_of(name) for name in names)
        if needed:
            text = self.tr("An unfinished export uses {name}.").format(name=path.stem)
            self._session.notified.emit(Notification(text, severity="problem"))
        return needed


def _copied(folder: StyleFolder, path: Path) -> Path:
    if path.suffix.lower() in SUFFIXES:
        open_picture(str(path))
    return folder.keep(path)
