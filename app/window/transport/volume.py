"""Volume control."""

from __future__ import annotations

from PySide6.QtCore import QObject

from framebrush.playback.player import Player
from framebrush.window.picture.notes import Notes
from framebrush.window.state.actions import Actions
from framebrush.window.state.window_settings import Settings
from framebrush.window.transport.bar import Transport
from framebrush.window.widgets.numbers import percent

STEP_PERCENT = 5


class Volume(QObject):
    """Sets, shows and remembers the player's volume."""

    def __init__(
        self, transport: Transport, actions: Actions, player: Player, settings: Settings, notes: Notes
    ) -> None:
        super().__init__(transport)
        self._slider, self._mute, self._player = transport.volume, actions["mute"], player
        self._settings, self._notes = settings, notes
        self._slider.setValue(round(100 * settings.volume))
        self._mute.setChecked(settings.muted)
        self._slider.valueChanged.connect(self._set)
        self._mute.toggled.connect(self._silence)
        actions["louder"].triggered.connect(lambda: self._step(STEP_PERCENT))
        actions["quieter"].triggered.connect(lambda: self._step(-STEP_PERCENT))
        self._apply()

    def _step(self, by: int) -> None:
        self._mute.setChecked(False)
        self._slider.setValue(self._slider.value() + by)
        self._notes.say(self.tr("Volume {share}").format(share=percent(self._slider.value() / 100)))

    def _set(self, volume_percent: int) -> None:
        self._settings.volume = volume_percent / 100
        self._apply()

    def _silence(self, on: bool) -> None:
        self._settings.muted = on
        self._apply()

    def _apply(self) -> None:
        self._player.set_volume(0.0 if self._settings.muted else self._settings.volume)
