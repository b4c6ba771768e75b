"""The menu bar."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMainWindow, QMenu

from framebrush.gpu.device import DeviceInfo
from framebrush.window.actions import Actions
from framebrush.window.theme import Theme


class Menus(QObject):
    """Menus made of the window's actions, and those whose content changes: recent files, devices, themes."""

    recent_chosen = Signal(object)  # a path
    device_chosen = Signal(object)  # a DeviceInfo
    theme_chosen = Signal(str)

    def __init__(self, window: QMainWindow, actions: Actions, recent: list[Path], theme: Theme) -> None:
        """recent: videos opened last. theme: the one in use."""
        super().__init__(window)
        self._bar, self._actions = window.menuBar(), actions
        file = self._menu(self.tr("&File"), "open")
        self.recent_menu = file.addMenu(self.tr("Open recent"))
        self._add(file, "open-style", "", "export", "screenshot", "", "close", "quit")
        play = self._menu(self.tr("&Playback"), "play", "step-forward", "step-back", "")
        self._add(play, "forward", "back", "forward-fine", "back-fine", "first", "last", "")
        self._add(play, "slower", "faster", "normal-speed", "", "mark-in", "mark-out", "clear-marks", "loop", "")
        self._add(play, "louder", "quieter", "mute")
        picture = self._menu(
            self.tr("P&icture"), "no-style", "new-style", "open-style", "", "split", "side-by-side", ""
        )
        self._add(picture, "keep-colours", "reset-look")
        view = self._menu(self.tr("&View"), "zoom-actual", "zoom-in", "zoom-out", "loupe", "pixels", "")
        self._add(view, "full-screen", "panel", "statistics", "", "ten-bits")
        self._add_themes(view.addMenu(self.tr("Theme")), theme)
        self._devices = self._bar.addMenu(self.tr("&Device"))
        self._device_group = QActionGroup(self)
        self._in_use: DeviceInfo | None = None
        self._menu(self.tr("&Help"), "help")
        self.show_recent(recent)

    def show_recent(self, paths: list[Path]) -> None:
        """Show the videos opened last."""
        self.recent_menu.clear()
        self.recent_menu.setEnabled(bool(paths))
        for path in paths:
            action = self.recent_menu.addAction(path.name.replace("&", "&&"))
            action.setStatusTip(str(path))
            action.triggered.connect(lambda _=False, path=path: self.recent_chosen.emit(path))

    def show_devices(self, found: tuple[DeviceInfo, ...]) -> None:
        """Show the devices that can paint."""
        self._devices.clear()
        for info in found:
            text = self.tr("{name} (software)").format(name=info.name) if info.software else info.name
            action = self._devices.addAction(text.replace("&", "&&"))
            action.setCheckable(True)
            action.setData(info)
            action.triggered.connect(lambda _=False, info=info: self.device_chosen.emit(info))
            self._device_group.addAction(action)
        if self._in_use is not None:
            self.mark_device(self._in_use)

    def mark_device(self, used: DeviceInfo) -> None:
        """Check the device that paints."""
        self._in_use = used
        for action in self._device_group.actions():
            info: DeviceInfo = action.data()
            action.setChecked((info.kind, info.name, info.luid) == (used.kind, used.name, used.luid))

    def _add_themes(self, menu: QMenu, in_use: Theme) -> None:
        group = QActionGroup(self)
        themes: dict[Theme, str] = {
            "system": self.tr("As the system"),
            "dark": self.tr("Dark"),
            "light": self.tr("Light"),
        }
        for name, text in themes.items():
            action: QAction = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(in_use == name)
            action.triggered.connect(lambda _=False, name=name: self.theme_chosen.emit(name))
            group.addAction(action)

    def _menu(self, title: str, *names: str) -> QMenu:
        menu = self._bar.addMenu(title)
        self._add(menu, *names)
        return menu

    def _add(self, menu: QMenu, *names: str) -> None:
        for name in names:
            if not name:
                menu.addSeparator()
            else:
                menu.addAction(self._actions[name])
