"""Menu of the user's saved looks."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths, Qt
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from framebrush.base.file_names import proper_name
from framebrush.base.remedy import cause_of
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.saved_look import LookError, LookFolder, read_look, write_look
from framebrush.playback.events import Notification
from framebrush.window.look.look_panel import LookPanel
from framebrush.window.state.actions import Actions
from framebrush.window.state.session import Session
from framebrush.window.widgets.controls import ask_name, ask_whether
from framebrush.window.widgets.file_dialogs import Files


def looks_folder() -> Path:
    """Return the folder of saved looks."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)) / "looks"


class Looks(QObject):
    """Saves and applies recipes as looks."""

    def __init__(
        self, window: QWidget, actions: Actions, session: Session, files: Files, panel: LookPanel, folder: Path
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._files, self._panel = window, session, files, panel
        self.folder, self._actions = LookFolder(folder), actions
        self.button = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setText(self.tr("Looks"))
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.menu = QMenu(self.button)
        self.menu.aboutToShow.connect(self.fill)
        self._parts = {
            QMenu(self.tr("Rename"), self.menu): self._ask_rename,
            QMenu(self.tr("Share"), self.menu): self.share,
            QMenu(self.tr("Remove"), self.menu): self.remove,
        }
        self.button.setMenu(self.menu)

    @property
    def saved(self) -> dict[str, Path]:
        """Return the saved looks' files by name."""
        return {path.stem: path for path in sorted(self.folder.files())}

    def current(self) -> Recipe:
        """Return the look, with its values at the current frame."""
        return self._session.at_current_frame.recipe.of_any_film

    def apply(self, wanted: Recipe) -> None:
        """Apply a look, except divider and size. Values with keyframes get one."""
        self._panel.set_keys(wanted)
        self._session.choose(self._session.choice.in_look(wanted))

    def fill(self) -> None:
        self.menu.clear()
        for name, path in self.saved.items():
            self.menu.addAction(name.replace("&", "&&")).triggered.connect(lambda _, path=path: self.open(path))
        if self.saved:
            self.menu.addSeparator()
        self.menu.addAction(self._actions["compare-looks"])
        self.menu.addAction(self.tr("Save this look…")).triggered.connect(lambda: self._ask_name())
        self.menu.addAction(self.tr("Import a look…")).triggered.connect(lambda: self.import_look())
        for part, call in self._parts.items():
            part.clear()
            self.menu.addMenu(part)
            part.setEnabled(bool(self.saved))
            for name, path in self.saved.items():
                action = part.addAction(name.replace("&", "&&"))
                action.triggered.connect(lambda _, call=call, path=path: call(path))

    def save(self, name: str) -> None:
        """Save the current look, asking before it replaces another."""
        file, look = proper_name(name), self.current()
        if file:
            try:
                self._try(lambda: self.folder.save(look, file))
            except FileExistsError as error:
                self._ask_replace(look, Path(error.filename))

    def _ask_replace(self, look: Recipe, path: Path) -> None:
        text = self.tr("There is already a look {name}.").format(name=path.stem)
        title, replaced = self.tr("Save this look"), partial(self._try, partial(write_look, look, path))
        ask_whether(self._window, title, text, self.tr("Replace"), replaced)

    def read(self, name: str) -> Recipe | None:
        """Return a saved look; None if missing or damaged."""
        path = self.saved.get(name)
        with suppress(LookError):
            return read_look(path) if path is not None else None
        return None

    def open(self, path: Path) -> None:
        """Apply the look in a file."""
        self._try(lambda: self.apply(read_look(path)))

    def _ask_name(self) -> None:
        ask_name(self._window, self.tr("Save this look"), self.tr("Name"), "", self.save)

    def _ask_rename(self, path: Path) -> None:
        title = self.tr("Rename the look")
        ask_name(self._window, title, self.tr("Name"), path.stem, partial(self.rename, path))

    def rename(self, path: Path, text: str) -> None:
        """Rename a saved look, unless the name is taken."""
        name = proper_name(text)
        if not name or name == path.stem:
            return
        try:
            self.folder.rename(path, name)
        except FileExistsError:
            words = self.tr("There is already a look {name}.").format(name=name)
            self._session.notified.emit(Notification(words, severity="problem"))
        except OSError as error:
            words = self.tr("The look {name} cannot be renamed.").format(name=path.stem)
            self._session.notified.emit(Notification.of(words, error))

    def take(self, path: Path) -> None:
        """Apply a look's file, and copy it to the user's."""
        self._try(lambda: self._keep(path))

    def import_look(self) -> None:
        """Ask for a look's file, apply and copy it."""
        if path := self._files.saved_look():
            self.take(path)

    def _keep(self, path: Path) -> None:
        found = read_look(path)
        name = proper_name(path.stem) or "look"
        kept = self.folder.keep(found, name)
        if kept.stem != name:
            text = self.tr("There is already a look {name}; this one is kept as {other}.")
            self._session.notified.emit(Notification(text.format(name=name, other=kept.stem)))
        self.apply(found)

    def share(self, path: Path) -> None:
        """Ask where to save a copy of a look."""
        if target := self._files.new_look(path.stem):
            self._try(lambda: self._write(path, target))

    def _write(self, path: Path, target: Path) -> None:
        for note in write_look(read_look(path), target):
            self._session.notified.emit(Notification(note))

    def remove(self, path: Path) -> None:
        """Delete a saved look."""
        try:
            self.folder.remove(path)
        except OSError as error:
            text = self.tr("The look {name} cannot be removed.").format(name=path.stem)
            self._session.notified.emit(Notification.of(text, error))

    def _try(self, call: Callable[[], object]) -> None:
        try:
            call()
        except (LookError, OSError) as error:
            if isinstance(error, FileExistsError):
                raise
            self._session.notified.emit(Notification(cause_of(error), severity="problem"))
