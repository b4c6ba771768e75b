"""The delays of audio and subtitles relative to the picture: keys and menu."""

from __future__ import annotations

from PySide6.QtCore import QObject

from framebrush.playback import events
from framebrush.window.actions import Actions
from framebrush.window.picture.overlay import Toast
from framebrush.window.picture.subtitles import SubtitleControl
from framebrush.window.session import Session
from framebrush.window.widgets.numbers import decimal

STEP_MS = 50
FARTHEST_MS = 60_000


class Delays(QObject):
    """The delays last until another video is opened, and do not affect exports: they compensate for a file or
    loudspeaker with a delay."""

    def __init__(self, actions: Actions, session: Session, subtitles: SubtitleControl, toast: Toast) -> None:
        super().__init__(subtitles)
        self._actions, self._player, self._subtitles, self._toast = actions, session.player, subtitles, toast
        self.sound_ms = self.subtitles_ms = 0
        for name, step in (("later", STEP_MS), ("earlier", -STEP_MS)):
            actions[f"sound-{name}"].triggered.connect(lambda _=False, step=step: self._delay_sound(step))
            actions[f"subtitles-{name}"].triggered.connect(lambda _=False, step=step: self._delay_subtitles(step))
        actions["no-delays"].triggered.connect(lambda _=False: self._end())
        session.film_changed.connect(self.show_opened)

    def show_opened(self, opened: events.Opened | None) -> None:
        """Reset the delays when a video is opened or closed."""
        self.sound_ms = self.subtitles_ms = 0
        file = opened is not None and not opened.live
        for name in ("later", "earlier"):
            self._actions[f"sound-{name}"].setEnabled(file and opened is not None and opened.sound)
            self._actions[f"subtitles-{name}"].setEnabled(file)
        self._actions["no-delays"].setEnabled(file)

    def _delay_sound(self, by_ms: int) -> None:
        self.sound_ms = _within(self.sound_ms + by_ms)
        self._player.delay_sound(self.sound_ms / 1000)
        self._toast.say(self.tr("Audio delay: {seconds} s").format(seconds=_seconds(self.sound_ms)))

    def _delay_subtitles(self, by_ms: int) -> None:
        self.subtitles_ms = _within(self.subtitles_ms + by_ms)
        self._subtitles.delay(self.subtitles_ms / 1000)
        self._toast.say(self.tr("Subtitle delay: {seconds} s").format(seconds=_seconds(self.subtitles_ms)))

    def _end(self) -> None:
        self.sound_ms = self.subtitles_ms = 0
        self._player.delay_sound(0.0)
        self._subtitles.delay(0.0)
        self._toast.say(self._actions["no-delays"].text())


def _within(delay_ms: int) -> int:
    return min(FARTHEST_MS, max(-FARTHEST_MS, delay_ms))


def _seconds(delay_ms: int) -> str:
    return decimal(delay_ms / 1000, 2, signed=True)
