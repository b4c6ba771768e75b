"""Delays of audio and subtitles."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal

from framebrush.jobs.project import FARTHEST_MS
from framebrush.window.picture.notes import Notes
from framebrush.window.state.actions import Actions
from framebrush.window.state.session import Session
from framebrush.window.transport.subtitle_control import SubtitleControl
from framebrush.window.widgets.numbers import decimal

STEP_MS = 50


class Delays(QObject):
    """Delays of sound and subtitles, for playback only."""

    changed = Signal()  # by the person, or restored

    def __init__(self, actions: Actions, session: Session, subtitles: SubtitleControl, notes: Notes) -> None:
        super().__init__(subtitles)
        self._calls = {"sound": session.player.delay_sound, "subtitles": subtitles.delay}
        self._notes = notes
        self.ms: dict[str, int] = {}
        for what in self._calls:
            for name, step in (("later", STEP_MS), ("earlier", -STEP_MS)):
                actions[f"{what}-{name}"].triggered.connect(partial(self._delay, what, step))
        self._none = actions["no-delays"]
        self._none.triggered.connect(self._end)
        session.film_changed.connect(self._reset)

    def _reset(self) -> None:
        self.ms = dict.fromkeys(self._calls, 0)

    def use(self, ms: Mapping[str, int]) -> None:
        """Set the delays of a project."""
        for what, call in self._calls.items():
            if ms[what] != self.ms[what]:
                call(ms[what] / 1000)
        self.ms = dict(ms)
        self.changed.emit()

    def _delay(self, what: str, by_ms: int) -> None:
        delay_ms = self.ms[what] = min(FARTHEST_MS, max(-FARTHEST_MS, self.ms[what] + by_ms))
        self._calls[what](delay_ms / 1000)
        words = {
            "sound": self.tr("Audio delay: {seconds} s"),
            "subtitles": self.tr("Subtitle delay: {seconds} s"),
        }
        self._notes.say(words[what].format(seconds=decimal(delay_ms / 1000, 2, signed=True)))
        self.changed.emit()

    def _end(self) -> None:
        self._reset()
        for call in self._calls.values():
            call(0.0)
        self._notes.say(self._none.text())
        self.changed.emit()
