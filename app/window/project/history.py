"""Undo and redo of the picture's settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject

from framebrush.window.painted.mask_corrections import MaskStrokes
from framebrush.window.painted.painted_frames import PaintedFrames
from framebrush.window.state.actions import Actions
from framebrush.window.state.current_settings import Choice
from framebrush.window.state.session import Session
from framebrush.window.widgets.debounce import Debounce

TOGETHER_MS = 400
"""Changes that follow each other faster are one step, such as dragging a slider."""

LIMIT = 200
"""The most steps that are kept; each holds two small records."""


class History(QObject):
    """Records each choice that persists for a moment."""

    def __init__(self, session: Session, actions: Actions, painted: PaintedFrames, corrections: MaskStrokes) -> None:
        super().__init__(session)
        self._session, self._painted, self._corrections = session, painted, corrections
        self._last: Choice | None = None
        self.steps: list[tuple[Choice, Choice]] = []
        """The choice before each step, and after it: another film has come in between, perhaps."""
        self.done = 0
        """How many of them are not undone."""
        self.debounce = Debounce(TOGETHER_MS, self._come_to_rest, self)
        self._undo, self._redo = actions["undo"], actions["redo"]
        self._undo.triggered.connect(self.undo)
        self._redo.triggered.connect(self.redo)
        self._enable()
        session.changed.connect(self._follow)
        session.loaded.connect(self._begin)
        painted.found.connect(lambda: self._adopt(lambda last, now: replace(last, painted=now.painted)))
        corrections.found.connect(lambda: self._adopt(Choice.corrected_as))

    def _begin(self) -> None:
        if self._last is None and not self._session.awaits_style:
            self._last = self._session.choice

    def begin_at(self, choice: Choice) -> None:
        """Let undo end at a choice, unless it ends earlier."""
        if self._last is None:
            self._last = choice

    def _follow(self, before: Choice, now: Choice) -> None:
        if self._last is None:
            return
        if now.film != before.film:  # each film has its own keyframes; opening a film is not undone
            self._remember(before)
            recipe = replace(self._last.recipe, keys=now.keys)
            self._last = replace(self._last, film=now.film, recipe=recipe, painted=now.painted, markers=now.markers)
            self._last = self._last.corrected_as(now)
        self.debounce.start()
        self._enable()

    def _come_to_rest(self) -> None:
        if self._session.awaits_style:  # the style may be refused, and a refusal is no step
            self.debounce.start()
        else:
            self._remember(self._session.choice)

    def _remember(self, now: Choice) -> None:
        self.debounce.stop()
        before = self._last
        if before is not None and now.back_at(before) != now:
            self._last = now
            self.steps[self.done :] = [(before, now)]
            del self.steps[:-LIMIT]
            self.done = len(self.steps)
            self._enable()

    def _enable(self) -> None:
        now = self._session.choice
        pends = self._last is not None and now.back_at(self._last) != now
        self._undo.setEnabled(pends or self.done > 0)
        self._redo.setEnabled(not pends and self.done < len(self.steps))

    def follow_style(self) -> None:
        """Adopt another film's style without an undo step."""
        self._adopt(lambda last, now: replace(last, recipe=replace(last.recipe, style=now.style)))

    def _adopt(self, adopted: Callable[[Choice, Choice], Choice]) -> None:
        if self._last is not None:
            self._last = adopted(self._last, self._session.choice)
            self._enable()

    def undo(self) -> None:
        self._record()
        if self.done:
            self.done -= 1
            self._go(self.steps[self.done][0])

    def redo(self) -> None:
        self._record()
        if self.done < len(self.steps):
            self.done += 1
            self._go(self.steps[self.done - 1][1])

    def _record(self) -> None:
        self._session.flush_pending()
        self._remember(self._session.choice)

    def _go(self, to: Choice) -> None:
        self._last = self._session.choice.back_at(to)
        self._painted.arrange(self._last.painted)
        self._corrections.keep(self._last.corrections)
        self._session.choose(self._last)
        self._enable()
