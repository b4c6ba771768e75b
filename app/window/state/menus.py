"""The menu bar."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMainWindow, QMenu, QToolButton

from framebrush.gpu.device import DeviceInfo
from framebrush.media.reading.subtitle_tracks import SubtitleTrack
from framebrush.models.style import Precision
from framebrush.playback.ahead.render_cache import memory_budget
from framebrush.playback.display.preview_quality import PreviewMode
from framebrush.playback.reading.decoded_cache import CACHE_BYTES
from framebrush.window.manual.pages import PAGES, title_of
from framebrush.window.state.actions import Actions
from framebrush.window.state.window_settings import LANGUAGES, RENDERS_GB, Settings
from framebrush.window.widgets.numbers import data_size
from framebrush.window.widgets.theme import Theme


class Menus(QObject):
    """Menu bar, with dynamic menus: recent files, devices, themes."""

    recent_chosen = Signal(object)  # a path
    recent_cleared = Signal()
    device_chosen = Signal(object)  # a DeviceInfo
    setting_chosen = Signal(str, object)  # a field of `Settings`, and its value
    film_chosen = Signal(int)  # in the playlist
    track_chosen = Signal(int)
    subtitles_chosen = Signal(object)  # a number, or None for no subtitles
    page_chosen = Signal(str)  # of the documentation

    def __init__(self, window: QMainWindow, actions: Actions, settings: Settings) -> None:
        super().__init__(window)
        self._bar, self._actions = window.menuBar(), actions
        self._add_file()
        self._add_playback()
        self._add_picture()
        self._add_view(settings)
        self._add_device(settings)
        self._add_help()
        self.over_picture = self._make_over_picture()
        self.show_recent(settings.recent)
        self._bar.setAccessibleName(self.tr("Menu bar"))
        more = self._bar.findChild(QToolButton, "qt_menubar_ext_button")  # has the menus without room
        if isinstance(more, QToolButton):
            more.setAccessibleName(self.tr("More menus"))
        for menu in window.findChildren(QMenu):
            button = menu.parent()
            name = button.accessibleName() or button.text() if isinstance(button, QToolButton) else menu.title()
            menu.setAccessibleName(name.replace("&", ""))

    def _add_file(self) -> None:
        file = self._menu(self.tr("&File"), "open")
        self.recent_menu = file.addMenu(self.tr("Open recent"))
        self._add(file, "paste-path", "open-camera", "open-style", "", "save-project", "")
        self._add(file, "export", "export-files", "export-list", "export-reveal", "screenshot", "copy-frame", "")
        self._add(file, "previous-file", "next-file", "", "close", "quit")

    def _add_playback(self) -> None:
        play = self._menu(self.tr("&Playback"), "play", "step-forward", "step-back", "", "go-to")
        go = play.addMenu(self.tr("Go"))
        self._add(go, "forward", "back", "forward-fine", "back-fine", "first", "last", "")
        self._add(go, "next-chapter", "previous-chapter", "", "next-marker", "previous-marker")
        speed = play.addMenu(self.tr("Speed"))
        self._add(speed, "play-slower", "pause", "play-faster", "", "slower", "faster", "normal-speed")
        self._add(play, "", "mark-in", "mark-out", "clear-marks", "loop", "marker", "", "record", "virtual-camera", "")
        self._add(play.addMenu(self.tr("Volume")), "louder", "quieter", "mute")
        self.films = play.addMenu(self.tr("Playlist"))
        self.tracks = play.addMenu(self.tr("Audio track"))
        self.subtitles = play.addMenu(self.tr("Subtitles"))
        delays = play.addMenu(self.tr("Delay"))
        self._add(delays, "sound-earlier", "sound-later", "", "subtitles-earlier", "subtitles-later", "", "no-delays")
        self.show_films((), 0)
        self.show_tracks(())
        self.show_subtitles((), None)

    def _add_picture(self) -> None:
        picture = self._menu(self.tr("P&icture"), "undo", "redo", "", "no-style", "new-style", "open-style", "")
        self._add(picture, "paint-frame", "paint-another", "learn", "", "shot-styles", "style-everywhere", "")
        self._add(picture, "split", "side-by-side", "compare-looks", "reveal", "")
        mask = picture.addMenu(self.tr("Mask"))
        self._add(mask, "mask-brush", "mask-remove", "mask-larger", "mask-smaller", "", "mask-clear")
        self._add(picture, "", "map-sizes", "map-directions", "few-strokes", "")
        self._add(picture, "keep-colours", "palette", "fit-colours", "open-table", "save-colours", "")
        self._add(picture, "find-setting", "reset-look")

    def _add_view(self, settings: Settings) -> None:
        view = self._menu(self.tr("&View"), "zoom-actual", "zoom-in", "zoom-out", "loupe", "pixels", "")
        timeline = view.addMenu(self.tr("Timeline"))
        self._add(timeline, "timeline-in", "timeline-out", "timeline-whole")
        self._add(view, "full-screen", "panel", "statistics", "scopes", "", "ten-bits")
        self._add_setting(view.addMenu(self.tr("Playback quality")), settings, "preview")
        renders = view.addMenu(self.tr("Frames painted ahead"))
        self._add(renders, "paint-ahead", "")
        self._add_setting(renders, settings, "renders_gb")
        text = self.tr("Memory: up to {painted} painted, {read} unpainted")
        sizes = {"painted": data_size(memory_budget()), "read": data_size(CACHE_BYTES)}
        renders.addSeparator()
        renders.addAction(text.format(**sizes)).setEnabled(False)
        self._add(renders, "", "clear-renders")
        self._add_setting(view.addMenu(self.tr("Theme")), settings, "theme")
        self._add_setting(view.addMenu(self.tr("Language")), settings, "language")

    def _add_device(self, settings: Settings) -> None:
        self._devices = self._bar.addMenu(self.tr("&Device"))
        self.precisions = QMenu(self.tr("Precision"), self._bar)
        self._add_setting(self.precisions, settings, "precision")
        self._device_group = QActionGroup(self)
        self.in_use: DeviceInfo | None = None
        self._found: tuple[DeviceInfo, ...] = ()
        text = self.tr("Export on all graphics cards")
        self.all_cards = QAction(text, self, checkable=True, checked=settings.all_cards)
        self.all_cards.toggled.connect(partial(setattr, settings, "all_cards"))

    def _add_help(self) -> None:
        help_ = self._menu(self.tr("&Help"), "help", "tour")
        self.pages = help_.addMenu(self.tr("Documentation"))
        self.pages.aboutToShow.connect(self._show_pages)  # reading them would delay the window
        self._add(help_, "", "about")

    def _show_pages(self) -> None:
        if self.pages.isEmpty():
            for page in PAGES:
                action = self.pages.addAction(title_of(page))
                action.triggered.connect(lambda _, page=page: self.page_chosen.emit(page))

    def show_recent(self, paths: list[Path]) -> None:
        self.recent_menu.clear()
        self.recent_menu.setEnabled(bool(paths))
        for path in paths:
            action = self.recent_menu.addAction(path.name.replace("&", "&&"))
            action.setStatusTip(str(path))
            action.triggered.connect(lambda _, path=path: self.recent_chosen.emit(path))
        self.recent_menu.addSeparator()
        self.recent_menu.addAction(self.tr("Clear this list")).triggered.connect(lambda: self.recent_cleared.emit())

    def show_tracks(self, names: tuple[str, ...], silence: str = "") -> None:
        """Show audio tracks. silence: why there are none."""
        self._show_numbered(self.tracks, names, 0, self.track_chosen.emit)
        if silence:
            self.tracks.addAction(silence).setEnabled(False)
            self.tracks.setEnabled(True)

    def show_films(self, paths: Sequence[Path], current: int) -> None:
        """Show the playlist, marking the open video."""
        self._actions["export-list"].setEnabled(len(paths) > 1)
        self._show_numbered(self.films, [path.name for path in paths], current, self.film_chosen.emit)

    def _show_numbered(self, menu: QMenu, names: Sequence[str], current: int, chosen: Callable[[int], object]) -> None:
        _empty(menu)
        menu.setEnabled(len(names) > 1)
        texts = {number: f"{number + 1}  {name}".replace("&", "&&") for number, name in enumerate(names)}
        self._add_choices(menu, texts, current, chosen)

    def show_subtitles(self, tracks: Sequence[SubtitleTrack], chosen: int | None) -> None:
        """Show all subtitle tracks, even unsupported ones."""
        _empty(self.subtitles)
        self.subtitles.setEnabled(bool(tracks))
        texts: dict[int | None, str] = {None: self.tr("None")}
        for number, track in enumerate(tracks):
            name = f"{number + 1}  {track.name}".replace("&", "&&")
            texts[number] = name if track.shown else self.tr("{name} (cannot be shown)").format(name=name)
        self._add_choices(self.subtitles, texts, chosen, self.subtitles_chosen.emit)
        for action, track in zip(self.subtitles.actions()[1:], tracks, strict=True):
            action.setEnabled(track.shown)

    def title_of(self, info: DeviceInfo) -> str:
        """Return a device's name, with its kind unless a graphics card."""
        if info.software:
            return self.tr("{name} (software)").format(name=info.name)
        return self.tr("{name} (processor)").format(name=info.name) if info.on_processor else info.name

    def show_devices(self, found: tuple[DeviceInfo, ...]) -> None:
        """Show the devices that can paint."""
        self._found = found
        self._devices.clear()
        for info in found:
            action = self._devices.addAction(self.title_of(info).replace("&", "&&"))
            action.setCheckable(True)
            action.setData(info)
            action.triggered.connect(lambda _, info=info: self.device_chosen.emit(info))
            self._device_group.addAction(action)
        self._devices.addSeparator()
        self._devices.addAction(self.all_cards)
        self._devices.addAction(self.precisions.menuAction())
        if self.in_use is not None:
            self.mark_device(self.in_use)

    @property
    def _cards(self) -> list[DeviceInfo]:
        """Return graphics cards of the current device's kind; another kind may repeat them."""
        kind = self.in_use.kind if self.in_use else ""
        return [info for info in self._found if info.kind == kind and not info.software]

    @property
    def export_devices(self) -> str:
        """Return a distributed export's devices, as in `JobSpec.device`, or ""."""
        several = self.all_cards.isChecked() and len(self._cards) > 1
        return ",".join(info.address for info in self._cards) if several else ""

    def mark_device(self, used: DeviceInfo) -> None:
        """Mark the current device."""
        self.in_use = used
        for action in self._device_group.actions():
            info: DeviceInfo = action.data()
            action.setChecked((info.kind, info.name, info.luid) == (used.kind, used.name, used.luid))
        self.all_cards.setVisible(len(self._cards) > 1)
        for action in self.precisions.actions():
            action.setEnabled(action.data() in used.precisions)

    def _make_over_picture(self) -> QMenu:
        menu = QMenu(self.tr("P&icture"), self._bar)
        self._add(menu, "play", "", "zoom-actual", "loupe", "split", "side-by-side", "reveal", "")
        self._add(menu, "screenshot", "copy-frame", "export", "", "previous-file", "next-file", "")
        self._add(menu, "statistics", "full-screen")
        for tracks in (self.tracks, self.subtitles):
            menu.addAction(tracks.menuAction())  # addMenu would delete it together with this menu
        return menu

    def _add_setting(self, menu: QMenu, settings: Settings, name: str) -> None:
        titles = self._titles[name]
        self._add_choices(menu, titles, getattr(settings, name), partial(self.setting_chosen.emit, name))

    @property
    def _titles(self) -> dict[str, dict[Any, str]]:
        automatic, as_system = self.tr("Automatic"), self.tr("Same as system")
        previews: dict[PreviewMode, str] = {
            "auto": automatic,
            "full": self.tr("Full"),
            "half": self.tr("Half"),
            "quarter": self.tr("Quarter"),
        }
        precisions: dict[Precision, str] = {
            "auto": automatic,
            "float32": self.tr("32 bits"),
            "float16": self.tr("16 bits, faster on most cards"),
            "int8": self.tr("8 bits, faster on newer processors"),
        }
        themes: dict[Theme, str] = {
            "system": as_system,
            "dark": self.tr("Dark"),
            "light": self.tr("Light"),
            "contrast": self.tr("High contrast"),
        }
        keep, none = self.tr("Keep up to {number} GB on disk"), self.tr("Keep none on disk")
        return {
            "preview": previews,
            "precision": precisions,
            "theme": themes,
            "language": {"": as_system, **LANGUAGES},
            "renders_gb": {number: keep.format(number=number) if number else none for number in RENDERS_GB},
        }

    def _add_choices(
        self, menu: QMenu, choices: Mapping[Any, str], in_use: object, chosen: Callable[[Any], object]
    ) -> None:
        group = QActionGroup(menu)
        for name, text in choices.items():
            action: QAction = menu.addAction(text)
            action.setCheckable(True)
            action.setData(name)
            action.setChecked(in_use == name)
            action.triggered.connect(lambda _, name=name: chosen(name))
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


def _empty(menu: QMenu) -> None:
    menu.clear()
    for group in menu.findChildren(QActionGroup):
        group.deleteLater()
