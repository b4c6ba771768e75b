"""The menu bar."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from framebrush.gpu.device import DeviceInfo
from framebrush.window.theme import Theme

if TYPE_CHECKING:
    from framebrush.window.main_window import MainWindow


class Menus(QObject):
    """Menus made of the window's actions, and those whose content changes: recent files, devices, themes."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        file = self._menu(self.tr("&File"), "open")
        self._recent = file.addMenu(self.tr("Open recent"))
        self._add(file, "open-style", "", "export", "screenshot", "", "close", "quit")
        self._menu(
            self.tr("&Playback"),
            *("play", "step-forward", "step-back", "", "forward", "back", "forward-fine", "back-fine", "first", "last"),
            *("", "slower", "faster", "normal-speed", "", "mark-in", "mark-out", "clear-marks", "loop", "", "mute"),
        )
        self._menu(self.tr("P&icture"), "no-style", "open-style", "", "split", "keep-colours", "reset-look")
        view = self._menu(self.tr("&View"), "full-screen", "panel", "statistics", "", "ten-bits")
        self._add_themes(view.addMenu(self.tr("Theme")))
        self._devices = window.menuBar().addMenu(self.tr("&Device"))
        self._device_group = QActionGroup(self)
        self._in_use: DeviceInfo | None = None
        self._menu(self.tr("&Help"), "help")
        self.show_recent(window.settings.recent)

    def show_recent(self, paths: list[Path]) -> None:
        """The videos opened lately."""
        self._recent.clear()
        self._recent.setEnabled(bool(paths))
        for path in paths:
            action = self._recent.addAction(path.name.replace("&", "&&"))
            action.setStatusTip(str(path))
            action.triggered.connect(lambda _=False, path=path: self._window.open(path))

    def show_devices(self, found: tuple[DeviceInfo, ...]) -> None:
        """What can paint here."""
        self._devices.clear()
        for info in found:
            text = self.tr("{name} (software)").format(name=info.name) if info.software else info.name
            action = self._devices.addAction(text.replace("&", "&&"))
            action.setCheckable(True)
            action.setData(info)
            action.triggered.connect(lambda _=False, info=info: self._choose(info))
            self._device_group.addAction(action)
        if self._in_use is not None:
            self.mark_device(self._in_use)

    def mark_device(self, used: DeviceInfo) -> None:
        """The device that paints."""
        self._in_use = used
        for action in self._device_group.actions():
            info: DeviceInfo = action.data()
            action.setChecked((info.kind, info.name, info.luid) == (used.kind, used.name, used.luid))

    def _choose(self, info: DeviceInfo) -> None:
        self._window.settings.device = info.name
        self._window.player.use_device(str(info.index))

    def _add_themes(self, menu: QMenu) -> None:
        group = QActionGroup(self)
        settings = self._window.settings
        themes: dict[Theme, str] = {
            "system": self.tr("As the system"),
            "dark": self.tr("Dark"),
            "light": self.tr("Light"),
        }
        for name, text in themes.items():
            action: QAction = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(settings.theme == name)
            action.triggered.connect(lambda _=False, name=name: self._dress(name))
            group.addAction(action)

    def _dress(self, name: Theme) -> None:
        self._window.settings.theme = name
        self._window.apply_theme()

    def _menu(self, title: str, *names: str) -> QMenu:
        menu = self._window.menuBar().addMenu(title)
        self._add(menu, *names)
        return menu

    def _add(self, menu: QMenu, *names: str) -> None:
        for name in names:
            if not name:
                menu.addSeparator()
            else:
                menu.addAction(self._window.actions_[name])
