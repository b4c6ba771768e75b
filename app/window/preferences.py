"""Settings in the menus."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from framebrush.gpu.device import DeviceInfo
from framebrush.playback.events import Notification
from framebrush.window.presentation import Presentation
from framebrush.window.shared import Shared
from framebrush.window.widgets import theme
from framebrush.window.widgets.controls import application


class Preferences(QObject):
    """Applies and remembers settings."""

    def __init__(self, shared: Shared, presentation: Presentation) -> None:
        super().__init__(shared.session)
        self._session, self._actions = shared.session, shared.actions
        self._messages, self._presentation = shared.messages, presentation
        for name, field in (("ten-bits", "ten_bits"), ("paint-ahead", "paint_ahead")):
            self._actions[name].setChecked(getattr(self._session.settings, field))
            self._actions[name].toggled.connect(partial(self.use, field))
        QApplication.styleHints().colorSchemeChanged.connect(self.apply_theme)

    def begin(self) -> None:
        """Send the settings to the player."""
        settings, player = self._session.settings, self._session.player
        player.paint_ahead(settings.paint_ahead)
        player.set_preview(settings.preview)
        player.use_precision(settings.precision)

    def use(self, name: str, value: Any) -> None:  # noqa: ANN401 - any type of setting
        """Change a field of `Settings`."""
        player = self._session.player
        setattr(self._session.settings, name, value)
        match name:
            case "preview":
                player.set_preview(value)
            case "precision":
                player.use_precision(value)
            case "renders_gb":
                player.limit_renders(value * 10**9)
            case "paint_ahead":
                player.paint_ahead(value)
            case "theme":
                self.apply_theme()
            case "language":  # the window is made in one
                text = self.tr("The window has this language when it is opened again.")
                self._session.notified.emit(Notification(text))
            case "ten_bits":
                self._presentation.use_ten_bits(value)

    def use_device(self, info: DeviceInfo) -> None:
        """Paint on another device."""
        session = self._session
        session.settings.device = info.name
        session.choose(replace(session.choice, device=info.name))
        session.player.use_device(info.address)

    def apply_theme(self) -> None:
        """Apply the theme."""
        colours = theme.apply(application(), self._session.settings.theme)
        self._actions.draw(colours)
        self._messages.draw(colours)
