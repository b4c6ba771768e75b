"""The main window: puts the parts together and passes wishes to the player and news to the parts."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QStandardPaths, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QMainWindow,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from framebrush.gpu.look import Look
from framebrush.playback import events
from framebrush.playback.player import Player
from framebrush.playback.styles import PLAIN
from framebrush.window import theme
from framebrush.window.actions import Actions
from framebrush.window.background import Background
from framebrush.window.bridge import Bridge, save_picture
from framebrush.window.connections import wire
from framebrush.window.controls import Column, KeysToFocus, rule, signals_blocked
from framebrush.window.export_dialog import ExportDialog, free_name
from framebrush.window.export_panel import ExportPanel
from framebrush.window.export_queue import ExportJob
from framebrush.window.export_runner import ExportRunner
from framebrush.window.full_screen import FullScreen
from framebrush.window.gallery import Gallery
from framebrush.window.look_json import look_values
from framebrush.window.look_panel import LookPanel
from framebrush.window.menus import Menus
from framebrush.window.messages import MessageBar
from framebrush.window.settings import Settings
from framebrush.window.statistics import StatisticsOverlay
from framebrush.window.style_catalog import Entry, catalog
from framebrush.window.theme import SPACE
from framebrush.window.transport import Transport
from framebrush.window.view import VideoView

VIDEO_FILES = "*.mp4 *.mov *.m4v *.mkv *.webm *.avi *.ts *.m2ts *.mts *.mpg *.mpeg *.wmv *.flv *.ogv *.gif *.mxf"
PANEL_WIDTH, WIDEST_PANEL, HANDLE_PX = 336, 520, 5
JOIN_S = 5.0  # it is about to end: it may still be inside the signal that says so, which must not lose its sender


class MainWindow(QMainWindow):
    """One video, one player, one queue of exports."""

    def __init__(self, settings: Settings, exports: ExportRunner, *, device: str = "", style: str = "") -> None:
        """device, style: for this time, instead of those remembered."""
        super().__init__()
        self.setWindowTitle("Framebrush")
        self.setAcceptDrops(True)
        self.settings, self.exports = settings, exports
        self.actions_ = Actions(self)
        self.messages = MessageBar()
        self.apply_theme()  # first: a button without its icon asks for the room of its text
        self.bridge = Bridge(None, self)
        self.view = VideoView(self.bridge.box)
        self.bridge.window_handle = self.view.window_handle
        self.bridge.ten_bits = settings.ten_bits
        self.transport = Transport(self.actions_)
        self.gallery = Gallery(self.actions_)
        self.look_panel = LookPanel(self.actions_, replace(settings.look, split=None))
        self.export_panel = ExportPanel(exports)
        self.statistics = StatisticsOverlay(self.view)
        self.player = Player(self.bridge.post_event, self.bridge.make_surface, save_picture)
        self._style: events.StyleInUse | None = None
        self._marks = events.Marked(None, None)
        self._opened: events.Opened | None = None
        self._at = events.Mark(0, 0.0)
        self._mix: tuple[float, ...] = ()
        self._ended = False
        self.keys = KeysToFocus(self)
        self._build()
        self.menus = Menus(self)
        self.full_screen = FullScreen(self)
        wire(self)
        self._enable(None)
        if not self.restoreGeometry(settings.geometry):
            self.resize(1280, 800)
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowFullScreen)  # as it may have been closed
        self.columns.restoreState(settings.columns)
        self.player.start(device or settings.device, style or settings.style, self.look_panel.look)
        self.player.list_devices()
        self.player.set_volume(0.0 if settings.muted else settings.volume)
        Background(partial(catalog, settings.own_styles), self._show_catalog, self)

    # Wishes

    def open(self, path: Path, *, play: bool = True) -> None:
        """Open a video, or a style file."""
        self.messages.hide()
        if path.suffix.lower() == ".onnx":
            self.open_style(path)
        else:
            self.player.open(path, play=play)

    def ask_video(self) -> None:
        """Let the person choose a video."""
        start = str(self.settings.recent[0].parent) if self.settings.recent else ""
        filters = self.tr("Videos ({patterns});;All files (*)").format(patterns=VIDEO_FILES)
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Open video"), start, filters)
        if name:
            self.open(Path(name))

    def ask_style(self) -> None:
        """Let the person choose a style file."""
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Open style file"), "", self.tr("Style networks (*.onnx)"))
        if name:
            self.open_style(Path(name))

    def open_style(self, path: Path) -> None:
        """Paint in the style of a file, which the gallery keeps."""
        self.settings.add_style(path)
        Background(partial(catalog, self.settings.own_styles), self._show_catalog, self)
        self.player.use_style(str(path))

    def use_look(self, look: Look) -> None:
        """Show frames so, with the weights in use."""
        self.view.set_split(look.split)
        for name, on in (("split", look.split is not None), ("keep-colours", look.keep_colours)):
            with signals_blocked(self.actions_[name]):
                self.actions_[name].setChecked(on)
        self.player.use_look(replace(look, mix=self._mix))

    def screenshot(self) -> None:
        """Write the frame on the screen into the pictures' folder, beside those before it."""
        if self._opened is None:
            return
        folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.PicturesLocation) or ".")
        self.player.screenshot(folder / f"{self._opened.info.path.stem}-{self._at.number:06}.png")

    def export_all(self, paths: list[Path]) -> None:
        """Queue videos, each whole, in the style and look in use."""
        for path in paths:
            target = free_name(path, self.exports.queue.targets)
            look = look_values(self.look_panel.look)
            self.exports.add(ExportJob(str(path), str(target), self._style_name, self.settings.device, look))

    def open_dropped(self, paths: list[Path]) -> None:
        """Open the first of the files dropped on the picture."""
        self.open(paths[0])
        if len(paths) > 1:
            text = self.tr("Only one video is open at a time. Drop several on the exports to paint them all.")
            self.messages.show_notification(events.Notification(text))

    def ask_export(self) -> None:
        """Let the person say how to export what is open, and queue it."""
        if self._opened is None:
            return
        look, taken = self.look_panel.look, self.exports.queue.targets
        dialog = ExportDialog(self, self._opened.info, self._style_name, look, self._marks, self.settings, taken)
        dialog.queued.connect(self.exports.add)
        dialog.queued.connect(lambda _: self.side.setCurrentWidget(self.export_panel))
        dialog.open()

    def apply_theme(self) -> None:
        """Put on the theme."""
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        colours = theme.apply(app, self.settings.theme)
        self.actions_.draw(colours)
        self.messages.draw(colours)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Let the player's thread end first, without holding up this one."""
        if self._ended:
            event.accept()
            return
        event.ignore()
        if self.isVisible():
            self.settings.geometry = self.saveGeometry()
            self.settings.columns = self.columns.saveState()
            self.settings.look = self.look_panel.look
        self.hide()
        self.statistics.hide()
        self.exports.stop()
        self.player.quit()

    def event(self, event: QEvent) -> bool:
        """On a screen of another density the same size has other pixels. Qt tells that here, not in changeEvent."""
        done = super().event(event)
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.view.follow()
            self.gallery.draw()
        return done

    # News

    def take(self, event: events.Event) -> None:
        """An event of the player, in this thread."""
        match event:
            case events.Shown():
                self._at = event.at
                self.transport.show_position(event.at)
            case events.Statistics():
                self.statistics.show_measured(event)
            case events.Busy():
                self._busy.setText(self._busy_text(event.what))
            case events.Opened():
                self._enable(event)
                self.settings.add_recent(event.info.path)
                self.menus.show_recent(self.settings.recent)
            case events.Closed():
                self._enable(None)
            case events.Playing():
                self.actions_["play"].setChecked(event.on)
            case events.Marked():
                self._marks = event
                self.transport.show_marks(event)
            case events.StyleInUse():
                self._style, self._mix = event, event.mix
                self.gallery.show_style(event)
                self.settings.style = event.name
                self.use_look(self.look_panel.look)
            case events.DeviceInUse():
                self._show_device(event)
            case events.DevicesFound():
                self.menus.show_devices(event.devices)
            case events.Saved():
                self.messages.show_notification(events.Notification(self.tr("Saved as {path}").format(path=event.path)))
            case events.Notification():
                self.messages.show_notification(event)
            case events.Ended():
                self._ended = True
                self.player.join(JOIN_S)
                for background in self.findChildren(Background):
                    background.wait()
                self.close()
                self.deleteLater()

    def _busy_text(self, what: str) -> str:
        return {
            "opening": self.tr("Opening…"),
            "seeking": self.tr("Seeking…"),
            "style": self.tr("Loading the style…"),
            "device": self.tr("Opening the device…"),
        }.get(what, "")

    def _show_device(self, used: events.DeviceInUse) -> None:
        on_gpu = used.info.shows_in_window
        self.view.present_on_gpu(on_gpu)
        self.actions_["ten-bits"].setEnabled(on_gpu)
        self.statistics.float_over(on_gpu)
        self.statistics.show_device(used)
        self._device.setText(used.info.name)
        self._device.setToolTip(used.note)
        self.menus.mark_device(used.info)
        self.view.follow()

    def _enable(self, opened: events.Opened | None) -> None:
        info = opened.info if opened else None
        self._opened = opened
        self.setWindowTitle(f"{info.path.name} – Framebrush" if info else "Framebrush")
        self.setWindowFilePath(str(info.path) if info else "")
        self.actions_.enable_for_video(info is not None)
        self.transport.show_video(info, sound=opened.sound if opened else False)
        self.look_panel.show_transfer(info.format.transfer if info else None)
        self.statistics.show_video(info)
        self.view.show_video(info)
        if info is not None:
            form = info.format
            self._facts.setText(f"{form.width} × {form.height}   {info.codec}")
        else:
            self._facts.setText("")

    def _show_catalog(self, found: list[Entry]) -> None:
        self.gallery.fill(found)
        if self._style is not None:
            self.gallery.mark(self._style.name)

    # Building

    def _build(self) -> None:
        controls = QWidget()
        column = QVBoxLayout(controls)
        column.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        column.setSpacing(2 * SPACE)
        for widget in (self.gallery, rule(), self.look_panel):
            column.addWidget(widget)
        column.addStretch(1)
        self.side = QTabWidget()
        self.side.setObjectName("panel")
        self.side.setDocumentMode(True)
        self.side.tabBar().setDrawBase(False)
        self.side.setMaximumWidth(WIDEST_PANEL)
        self.side.tabBar().setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.side.addTab(Column(controls), self.tr("Painting"))
        self.side.addTab(self.export_panel, self.tr("Exports"))
        middle = QWidget()
        rows = QVBoxLayout(middle)
        rows.addWidget(self.messages)
        rows.addWidget(self.view, 1)
        rows.addWidget(self.transport)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        self.columns = QSplitter()
        self.columns.setHandleWidth(HANDLE_PX)  # a style sheet's makes it -1, and the panel lies on the picture's edge
        self.columns.setChildrenCollapsible(False)
        for index, part in enumerate((middle, self.side)):
            self.columns.addWidget(part)
            self.columns.setStretchFactor(index, 1 - index)  # the picture gets what the window grows by
        self.columns.setSizes([self.width(), PANEL_WIDTH])
        self.setCentralWidget(self.columns)
        self._busy, self._facts, self._device = QLabel(), QLabel(), QLabel()
        bar = self.statusBar()
        bar.setSizeGripEnabled(False)
        bar.setContentsMargins(SPACE, 0, SPACE, 0)
        bar.addWidget(self._busy, 1)
        for label in (self._facts, self._device):
            label.setContentsMargins(2 * SPACE, 0, SPACE, 0)
        bar.addPermanentWidget(self._facts)
        bar.addPermanentWidget(self._device)

    # Small things

    @property
    def _style_name(self) -> str:
        """The style and weights in use, as the command line takes them."""
        return self._style.full_name(self._mix) if self._style else PLAIN

    def blend(self, weights: tuple[float, ...]) -> None:
        """The weights of the paintings."""
        self._mix = weights
        self.use_look(self.look_panel.look)

    def set_volume(self, volume: float) -> None:
        """Of the sound, 0..1; kept while it is muted."""
        self.settings.volume = volume
        if not self.settings.muted:
            self.player.set_volume(volume)

    def mute(self, on: bool) -> None:
        """Be silent, or not."""
        self.settings.muted = on
        self.player.set_volume(0.0 if on else self.settings.volume)

    def show_native(self, on: bool) -> None:
        """The GPU's own window is on the screen, or not."""
        self.bridge.window_shown = on
        if on:
            self.player.attach()

    def play_faster(self) -> None:
        """As L does it at a cutting desk: play at normal speed, and twice as fast each time again."""
        play = self.actions_["play"]
        self.transport.multiply_speed(2.0 if play.isChecked() else 0.0)
        play.setChecked(True)  # the player says so later than the key is pressed again
        self.player.play(True)

    def play_slower(self) -> None:
        """As J does it at a cutting desk, as far as it goes: half as fast each time; standing still, a frame back."""
        if self.actions_["play"].isChecked():
            self.transport.multiply_speed(0.5)
        else:
            self.player.step(-1)

    def show_count(self, count: int) -> None:
        """How many exports are not over."""
        self.side.setTabText(1, self.tr("Exports ({count})").format(count=count) if count else self.tr("Exports"))

    def show_statistics(self, on: bool) -> None:
        """The overlay, on or off."""
        self.statistics.setVisible(on)
        self.statistics.place()

    def show_ten_bits(self, on: bool) -> None:
        """Give the display 10 bits a colour, or 8."""
        self.settings.ten_bits = self.bridge.ten_bits = on
        self.player.renew_surface()
