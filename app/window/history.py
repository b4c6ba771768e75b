"""Undo and redo for everything that affects the look of the picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QUndoCommand, QUndoStack

from framebrush.jobs.look_keys import Track
from framebrush.jobs.saved_look import SavedLook
from framebrush.window.actions import Actions

TOGETHER_MS = 400
"""Changes that follow each other faster are one step, such as dragging a slider."""

LIMIT = 200


@dataclass(frozen=True, slots=True)
class State:
    """film: which one the keys are of. painted: its painted frames, and by which names their pictures are known."""

    look: SavedLook
    film: str = ""
    keys: tuple[Track, ...] = ()
    painted: tuple[tuple[int, str], ...] = ()


@dataclass
class _Change(QUndoCommand):
    """A change from one state to another."""

    before: State
    after: State
    apply: Callable[[State], None]

    def __post_init__(self) -> None:
        super().__init__()
        self._done = True  # QUndoStack calls redo on push

    def redo(self) -> None:
        if not self._done:
            self.apply(self.after)
        self._done = False

    def undo(self) -> None:
        self.apply(self.before)


class History(QObject):
    """Watches the state and records each one that persists for a moment."""

    def __init__(
        self,
        parent: QObject,
        actions: Actions,
        read: Callable[[], State],
        apply: Callable[[State], None],
        is_settled: Callable[[], bool],
    ) -> None:
        """read: returns the current state. apply: changes to another one. is_settled: whether what was chosen is in
        use; it may be refused in part, which is no step of its own."""
        super().__init__(parent)
        self._read, self._apply, self._is_settled = read, apply, is_settled
        self._state: State | None = None
        self.stack = QUndoStack(self)
        self.stack.setUndoLimit(LIMIT)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(TOGETHER_MS)
        self._rest.timeout.connect(self._come_to_rest)
        for name, step in (("undo", self._undo), ("redo", self._redo)):
            actions[name].triggered.connect(lambda _=False, step=step: step())
            actions[name].setEnabled(False)
        self.stack.canUndoChanged.connect(actions["undo"].setEnabled)
        self.stack.canRedoChanged.connect(actions["redo"].setEnabled)

    def begin(self) -> None:
        """Make the current state the one at which undo ends."""
        if self._state is None:
            self._state = self._read()

    def change_film(self, change: Callable[[], None]) -> None:
        """Let another film have its own keys, which is nothing that is undone."""
        self._remember()
        change()
        self._follow_film()

    def touch(self) -> None:
        """To be called when something may have changed."""
        if self._state is not None:
            self._rest.start()

    def _come_to_rest(self) -> None:
        if self._is_settled():
            self._remember()
        else:
            self._rest.start()

    def _remember(self) -> None:
        self._rest.stop()
        before, now = self._state, self._read()
        if before is not None and now != before:
            self._state = now
            self.stack.push(_Change(before, now, self._go))

    def follow_painted(self) -> None:
        """Have the painted frames as they were found, which is nothing that is undone."""
        if self._state is not None:
            self._state = replace(self._state, painted=self._read().painted)

    def _follow_film(self) -> None:
        if self._state is not None:
            now = self._read()
            self._state = replace(self._state, film=now.film, keys=now.keys, painted=now.painted)

    def _undo(self) -> None:
        self._remember()  # a change that is not recorded yet
        self.stack.undo()

    def _redo(self) -> None:
        self._remember()
        self.stack.redo()

    def _go(self, state: State) -> None:
        self._state = state
        self._apply(state)
        self._follow_film()  # which may be another one by now
