"""Settings in the menus."""

from __future__ import annotations

from collections.abc import Callable
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
        self._session, self._actions, self._messages = shared.session, shared.actions, shared.messages
        player = shared.session.player
        self._calls: dict[str, Callable[[Any], object]] = {
            "preview": player.set_preview,
            "precision": player.use_precision,
            "paint_ahead": player.paint_ahead,
            "renders_gb": lambda gigabytes: player.limit_renders(gigabytes * 10**9),
            "ten_bits": presentation.use_ten_bits,
            "theme": lambda _: self.apply_theme(),
            "language": lambda _: self._tell_language(),
        }
        for name, field in (("ten-bits", "ten_bits"), ("paint-ahead", "paint_ahead")):
            self._actions[name].setChecked(getattr(self._session.settings, field))
            self._actions[name].toggled.connect(partial(self.use, field))
        QApplication.styleHints().colorSchemeChanged.connect(self.apply_theme)

    def begin(self) -> None:
        """Send the settings to the player."""
        for name in ("paint_ahead", "preview", "precision"):
            self._calls[name](getattr(self._session.settings, name))

    def use(self, name: str, value: Any) -> None:  # noqa: ANN401 - any type of setting
        """Change a field of `Settings`."""
        setattr(self._session.settings, name, value)
        self._calls[name](value)

    def _tell_language(self) -> None:  # the window is made in one
        text = self.tr("The window has this language when it is opened again.")
        self._session.notified.emit(Notification(text))

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
