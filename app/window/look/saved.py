"""Saved looks: a menu of the user's looks, each a file that can be shared; and undo."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths, Qt
from PySide6.QtWidgets import QMenu, QMessageBox, QToolButton, QWidget

from framebrush.base.file_names import proper_name
from framebrush.gpu.stages.look import Look
from framebrush.jobs.saved_look import LookError, SavedLook
from framebrush.playback.events import Notification
from framebrush.styles.specs import SizeSpec, StyleSpec
from framebrush.window.actions import Actions
from framebrush.window.history import History, State
from framebrush.window.look.panel import LookPanel
from framebrush.window.look.stroke import StrokePanel
from framebrush.window.painted.keys import PaintedKeys
from framebrush.window.session import Session
from framebrush.window.widgets.controls import ask_name
from framebrush.window.widgets.files import Files


def looks_folder() -> Path:
    """The folder of saved looks."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)) / "looks"


class Looks(QObject):
    """Saves and applies everything that affects the picture's look: style, blend, look, stroke and colours."""

    def __init__(
        self,
        window: QWidget,
        actions: Actions,
        session: Session,
        files: Files,
        panel: LookPanel,
        stroke: StrokePanel,
        folder: Path,
    ) -> None:
        """window: parent of the dialogs. folder: of the saved looks; created when the first one is saved."""
        super().__init__(window)
        self._window, self._session, self._files, self._panel, self._stroke = window, session, files, panel, stroke
        self._folder, self._actions = folder, actions
        self.painted: PaintedKeys | None = None
        """Its frames are undone, too."""
        self.history = History(self, actions, self._state, self._return, lambda: not session.awaits_style)
        self.button = QToolButton()
        self.button.setText(self.tr("Looks"))
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.menu = QMenu(self.button)
        self.menu.aboutToShow.connect(self.fill)
        self.button.setMenu(self.menu)

    @property
    def saved(self) -> dict[str, Path]:
        """The files of the saved looks by name."""
        try:
            return {path.stem: path for path in sorted(self._folder.glob("*.json"))}
        except OSError:
            return {}

    def current(self) -> SavedLook:
        """The current look, or the one that was requested, with the values at the frame on the screen."""
        return self._with(self._panel.seen, self._stroke.seen)

    def _with(self, look: Look, sizes: SizeSpec) -> SavedLook:
        style = StyleSpec(self._session.chosen_style)
        return SavedLook.of(style, look, sizes, self._panel.colours.asked)

    def apply(self, wanted: SavedLook) -> None:
        """Apply a look, but keep the divider and the sizes of the result."""
        self._panel.take(wanted.look)
        self._stroke.take(wanted.sizes)
        self._use(wanted)

    def _use(self, wanted: SavedLook) -> None:
        """Use the style and the colours of a look."""
        now = self.current()
        if (wanted.style, wanted.colours) != (now.style, now.colours):  # some colours need their style
            self._session.use_style(wanted.style.name, wanted.colours)

    def _state(self) -> State:
        keys, painted = self._panel.keys, self.painted
        look = self._with(self._panel.look, self._stroke.sizes)
        return State(look, keys.film, keys.tracks, painted.arrangement if painted is not None else ())

    def _return(self, state: State) -> None:
        """Undo, or do again. Keys of another film stay out."""
        keys = self._panel.keys
        if state.film == keys.film:
            keys.take(state.keys)
            if self.painted is not None:
                self.painted.arrange(state.painted)
        self._panel.restore(state.look.look)
        self._stroke.restore(state.look.sizes)
        self._use(state.look)

    def fill(self) -> None:
        """Rebuild the menu."""
        self.menu.clear()
        for name, path in self.saved.items():
            self.menu.addAction(name.replace("&", "&&")).triggered.connect(partial(self._open, path))
        if self.saved:
            self.menu.addSeparator()
        self.menu.addAction(self._actions["compare-looks"])
        self.menu.addAction(self.tr("Save this look…")).triggered.connect(lambda: self._ask_name())
        self.menu.addAction(self.tr("Import a look…")).triggered.connect(lambda: self._import())
        parts = (
            (self.tr("Rename"), self._ask_rename),
            (self.tr("Share"), self._share),
            (self.tr("Remove"), self._remove),
        )
        for title, call in parts:
            part = self.menu.addMenu(title)
            part.setEnabled(bool(self.saved))
            for name, path in self.saved.items():
                part.addAction(name.replace("&", "&&")).triggered.connect(partial(call, path))

    def save(self, name: str) -> None:
        """Save the current look under a name; the user is asked before one of the same name is replaced."""
        file, look = proper_name(name), self.current()
        if file:
            path = self._folder / f"{file}.json"
            try:
                self._try(lambda: look.write(path, new=True))
            except FileExistsError:
                self._ask_replace(look, path)

    def _ask_replace(self, look: SavedLook, path: Path) -> None:
        text = self.tr("There is already a look {name}.").format(name=path.stem)
        box = QMessageBox(QMessageBox.Icon.Question, self.tr("Save this look"), text, parent=self._window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        replacing = box.addButton(self.tr("Replace"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        replacing.clicked.connect(lambda: self._try(lambda: look.write(path)))
        box.open()

    def read(self, name: str) -> SavedLook | None:
        """The saved look with this name; None if there is none, or its file is damaged."""
        path = self.saved.get(name)
        with suppress(LookError):
            return SavedLook.read(path) if path is not None else None
        return None

    def open(self, path: Path) -> None:
        """Apply the look in a file."""
        self._try(lambda: self.apply(SavedLook.read(path)))

    def _open(self, path: Path, _: bool = False) -> None:
        self.open(path)

    def _ask_name(self) -> None:
        ask_name(self._window, self.tr("Save this look"), self.tr("Name"), "", self.save)

    def _ask_rename(self, path: Path, _: bool = False) -> None:
        title = self.tr("Rename the look")
        ask_name(self._window, title, self.tr("Name"), path.stem, partial(self.rename, path))

    def rename(self, path: Path, text: str) -> None:
        """Give a saved look another name, unless another look has it."""
        name = proper_name(text)
        target = path.with_name(f"{name}.json")
        if not name or target == path:
            return
        try:
            if target.exists() and target.samefile(path):  # they differ in case alone
                path.replace(target)
            else:
                SavedLook.read(path).write(target, new=True)
                path.unlink()
        except FileExistsError:
            words = self.tr("There is already a look {name}.").format(name=name)
            self._session.notified.emit(Notification(words, severity="problem"))
        except (OSError, LookError) as error:
            words = self.tr("The look {name} cannot be renamed.").format(name=path.stem)
            self._session.notified.emit(Notification.of(words, error))

    def _import(self) -> None:
        path = self._files.saved_look()
        if path is not None:
            self._try(lambda: self._keep(path))

    def _keep(self, path: Path) -> None:
        """Apply a look and keep it, under another name where its own is taken by another look."""
        found = SavedLook.read(path)
        name = proper_name(path.stem) or "look"
        for number in count(1):
            kept = self._folder / f"{name if number == 1 else f'{name} {number}'}.json"
            if self._is_kept(found, kept):
                break
            with suppress(FileExistsError):
                found.write(kept, new=True)
                break
        if kept.stem != name:
            text = self.tr("There is already a look {name}; this one is kept as {other}.")
            self._session.notified.emit(Notification(text.format(name=name, other=kept.stem)))
        self.apply(found)

    @staticmethod
    def _is_kept(look: SavedLook, path: Path) -> bool:
        with suppress(LookError):
            return SavedLook.read(path) == look
        return False

    def _share(self, path: Path, _: bool = False) -> None:
        target = self._files.new_look(path.stem)
        if target is not None:
            self._try(lambda: SavedLook.read(path).write(target))

    def _remove(self, path: Path, _: bool = False) -> None:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            text = self.tr("The look {name} cannot be removed.").format(name=path.stem)
            self._session.notified.emit(Notification.of(text, error))

    def _try(self, call: Callable[[], None]) -> None:
        try:
            call()
        except LookError as error:
            self._session.notified.emit(Notification(str(error), severity="problem"))
