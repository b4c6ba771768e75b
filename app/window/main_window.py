"""The main window: puts the parts together and passes wishes to the player and news to the parts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QStandardPaths, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QScrollArea,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.media.video import Position
from app.playback import events
from app.playback.player import Player
from app.playback.styles import PLAIN
from app.window import theme
from app.window.actions import Actions
from app.window.background import Background
from app.window.bridge import Bridge, save_picture
from app.window.controls import KeysToFocus, rule
from app.window.export_dialog import ExportDialog
from app.window.export_panel import ExportPanel
from app.window.export_runner import ExportRunner
from app.window.gallery import Gallery
from app.window.help import help_sheet
from app.window.look_panel import LookPanel
from app.window.menus import Menus
from app.window.messages import MessageBar
from app.window.settings import Settings
from app.window.shelf import Offer, offers
from app.window.statistics import StatisticsOverlay
from app.window.theme import SPACE
from app.window.transport import Transport
from app.window.view import VideoView
from gpu.device import DeviceInfo, list_devices
from gpu.look import Look

VIDEO_FILES = "*.mp4 *.mov *.m4v *.mkv *.webm *.avi *.ts *.m2ts *.mts *.mpg *.mpeg *.wmv *.flv *.ogv *.gif *.mxf"
PANEL_WIDTH = 316
HIDE_MS = 2500


class MainWindow(QMainWindow):
    """One video, one player, one queue of exports."""

    def __init__(self, settings: Settings, exports: ExportRunner, *, device: str = "", style: str = "") -> None:
        """device, style: for this time, instead of those remembered."""
        super().__init__()
        self.setWindowTitle("Framebrush")
        self.setAcceptDrops(True)
        self.settings, self.exports = settings, exports
        self.actions_ = Actions(self)
        self.bridge = Bridge(None)
        self.view = VideoView(self.bridge.box)
        self.bridge.window_handle = self.view.window_handle
        self.messages = MessageBar()
        self.transport = Transport(self.actions_)
        self.gallery = Gallery(self.actions_)
        self.look_panel = LookPanel(self.actions_, replace(settings.look, split=None))
        self.export_panel = ExportPanel(exports)
        self.statistics = StatisticsOverlay(self.view)
        self.player = Player(self.bridge.tell, self.bridge.make_surface, save_picture)
        self._style: events.StyleInUse | None = None
        self._marks = events.Marked(None, None)
        self._opened: events.Opened | None = None
        self._at = events.Mark(0, 0.0)
        self._mix: tuple[float, ...] = ()
        self._ended = False
        self._keys = KeysToFocus()
        self._build()
        self.menus = Menus(self)
        self._connect()
        self.dress()
        self._enable(None)
        if not self.restoreGeometry(settings.geometry):
            self.resize(1280, 800)
        self.player.start(device or settings.device, style or settings.style, self.look_panel.look)
        self.player.set_volume(0.0 if settings.muted else settings.volume)
        self._background = [
            Background(lambda own=settings.own_styles: offers(own), self._show_offers, self),  # type: ignore[misc]
            Background(list_devices, self._show_devices, self),
        ]

    # Wishes

    def open(self, path: Path, *, play: bool = True) -> None:
        """Open a video, or a style file."""
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
        own = self.settings.own_styles
        self._background.append(Background(lambda: offers(own), self._show_offers, self))
        self.player.use_style(str(path))

    def use_look(self, look: Look) -> None:
        """Show frames so, with the weights in use."""
        self.view.set_split(look.split)
        for name, on in (("split", look.split is not None), ("keep-colours", look.keep_colours)):
            self.actions_[name].blockSignals(True)
            self.actions_[name].setChecked(on)
            self.actions_[name].blockSignals(False)
        self.player.use_look(replace(look, mix=self._mix))

    def screenshot(self) -> None:
        """Write the frame on the screen into the pictures' folder, beside those before it."""
        if self._opened is None:
            return
        folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.PicturesLocation) or ".")
        stem = f"{self._opened.info.path.stem}-{self._at.number:06}"
        names = (folder / f"{stem}{tail}.png" for tail in ("", *(f"-{count}" for count in range(2, 1000))))
        folder.mkdir(parents=True, exist_ok=True)
        self.player.screenshot(next(path for path in names if not path.exists()))

    def ask_export(self) -> None:
        """Let the person say how to export what is open, and queue it."""
        if self._opened is None:
            return
        style = self._style.full_name(self._mix) if self._style else PLAIN
        device = self.settings.device
        dialog = ExportDialog(self, self._opened.info, style, self.look_panel.look, self._marks, device)
        dialog.queued.connect(self.exports.add)
        dialog.queued.connect(lambda _: self.side.setCurrentWidget(self.export_panel))
        dialog.open()

    def dress(self) -> None:
        """Put on the theme."""
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        colours = theme.apply(app, self.settings.theme)
        self.actions_.draw(colours)
        self.messages.draw(colours)
        self.export_panel.draw(colours)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Let the player's thread end first, without holding up this one."""
        if self._ended:
            event.accept()
            return
        event.ignore()
        if self.isVisible():
            self.settings.geometry = self.saveGeometry()
            self.settings.look = self.look_panel.look
        self.hide()
        self.statistics.hide()
        self.exports.stop()
        self.player.quit()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().changeEvent(event)
        if event.type() in (QEvent.Type.ScreenChangeInternal, QEvent.Type.DevicePixelRatioChange):
            self.view.follow()

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
            case events.Saved():
                self.messages.tell(events.Told(self.tr("Saved as {path}").format(path=event.path)))
            case events.Told():
                self.messages.tell(event)
            case events.Ended():
                self._ended = True
                for background in self._background:
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
        on_gpu = used.info.kind != "cpu"
        self.view.present_on_gpu(on_gpu)
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
            self.messages.hide()
            form = info.format
            self._facts.setText(f"{form.width} × {form.height}   {info.codec}")
        else:
            self._facts.setText("")

    def _show_offers(self, found: list[Offer]) -> None:
        self.gallery.fill(found)
        if self._style is not None:
            self.gallery.mark(self._style.name)

    def _show_devices(self, found: list[DeviceInfo]) -> None:
        self.menus.show_devices(found)

    # Building

    def _build(self) -> None:
        controls = QWidget()
        column = QVBoxLayout(controls)
        column.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        column.setSpacing(2 * SPACE)
        for widget in (self.gallery, rule(), self.look_panel):
            column.addWidget(widget)
        column.addStretch()
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(controls)
        self.side = QTabWidget()
        self.side.setObjectName("panel")
        self.side.setDocumentMode(True)
        self.side.setFixedWidth(PANEL_WIDTH)
        self.side.tabBar().setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.side.addTab(scroll, self.tr("Painting"))
        self.side.addTab(self.export_panel, self.tr("Exports"))
        middle = QWidget()
        rows = QVBoxLayout(middle)
        for widget, stretch in ((self.messages, 0), (self.view, 1), (self.transport, 0)):
            rows.addWidget(widget, stretch)
        whole = QWidget()
        columns = QHBoxLayout(whole)
        columns.addWidget(middle, 1)
        columns.addWidget(self.side)
        for layout in (rows, columns):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)
        self.setCentralWidget(whole)
        self._busy, self._facts, self._device = QLabel(), QLabel(), QLabel()
        bar = self.statusBar()
        bar.setSizeGripEnabled(False)
        bar.setContentsMargins(SPACE, 0, SPACE, 0)
        bar.addWidget(self._busy, 1)
        bar.addPermanentWidget(self._facts)
        bar.addPermanentWidget(self._device)

    def _connect(self) -> None:
        QApplication.instance().installEventFilter(self._keys)  # type: ignore[union-attr]
        self.bridge.event.connect(self.take)
        self.view.open_asked.connect(self.ask_video)
        self.view.dropped.connect(self.open)
        self.view.resized.connect(self.player.resize)
        self.view.split_moved.connect(self.look_panel.set_split)
        self.view.double_clicked.connect(self.actions_["full-screen"].trigger)
        self.view.pointer_moved.connect(self._show_transport)
        self.transport.sought.connect(lambda ms: self.player.seek(Position(Fraction(ms, 1000), "s")))
        self.transport.speed_chosen.connect(self.player.set_speed)
        self.transport.volume.setValue(round(100 * self.settings.volume))
        self.transport.volume_moved.connect(self._set_volume)
        self.gallery.chosen.connect(self.player.use_style)
        self.gallery.mixed.connect(self._blend)
        self.look_panel.changed.connect(self.use_look)
        self.exports.told.connect(self.messages.tell)
        self.exports.counted.connect(self._show_count)
        QApplication.styleHints().colorSchemeChanged.connect(self.dress)
        self._hiding = QTimer(self)
        self._hiding.setSingleShot(True)
        self._hiding.setInterval(HIDE_MS)
        self._hiding.timeout.connect(self._hide_transport)
        for slot in range(1, 10):
            key = QShortcut(QKeySequence(str(slot)), self)
            key.activated.connect(lambda slot=slot: self.gallery.choose_slot(slot))
        QShortcut(QKeySequence("Esc"), self).activated.connect(self._leave_full_screen)
        self._connect_actions()

    def _connect_actions(self) -> None:
        player = self.player

        def seek(frame: int) -> None:
            player.seek(Position(Fraction(frame), "frame"))

        calls: dict[str, Any] = {
            "open": self.ask_video,
            "open-style": self.ask_style,
            "export": self.ask_export,
            "screenshot": self.screenshot,
            "close": player.close_video,
            "quit": self.close,
            "play": player.play,
            "step-forward": lambda: player.step(1),
            "step-back": lambda: player.step(-1),
            "forward": lambda: player.skip(Fraction(5)),
            "back": lambda: player.skip(Fraction(-5)),
            "forward-fine": lambda: player.skip(Fraction(1)),
            "back-fine": lambda: player.skip(Fraction(-1)),
            "first": lambda: seek(0),
            "last": lambda: seek(1 << 31),
            "slower": lambda: self.transport.step_speed(-1),
            "faster": lambda: self.transport.step_speed(1),
            "normal-speed": lambda: self.transport.step_speed(0),
            "mark-in": lambda: player.mark(first=True),
            "mark-out": lambda: player.mark(first=False),
            "clear-marks": player.clear_marks,
            "no-style": lambda: player.use_style(PLAIN),
            "reset-look": self.look_panel.reset,
            "help": lambda: help_sheet(self, self.actions_.entries).open(),
        }
        for name, call in calls.items():
            if name == "play":
                self.actions_[name].triggered.connect(player.play)
            else:
                self.actions_[name].triggered.connect(lambda _=False, call=call: call())
        toggles: dict[str, Any] = {
            "loop": player.set_loop,
            "mute": self._mute,
            "split": self.look_panel.compare,
            "keep-colours": self.look_panel.keep_colours,
            "statistics": self._show_statistics,
            "full-screen": self._fill_screen,
            "panel": self.side.setVisible,
        }
        self.actions_["panel"].setChecked(True)
        self.actions_["mute"].setChecked(self.settings.muted)
        for name, call in toggles.items():
            self.actions_[name].toggled.connect(call)

    # Small things

    def _blend(self, weights: tuple[float, ...]) -> None:
        self._mix = weights
        self.use_look(self.look_panel.look)

    def _set_volume(self, volume: float) -> None:
        self.settings.volume = volume
        if not self.settings.muted:
            self.player.set_volume(volume)

    def _mute(self, on: bool) -> None:
        self.settings.muted = on
        self.player.set_volume(0.0 if on else self.settings.volume)

    def _show_count(self, count: int) -> None:
        self.side.setTabText(1, self.tr("Exports ({count})").format(count=count) if count else self.tr("Exports"))

    def _show_statistics(self, on: bool) -> None:
        self.statistics.setVisible(on)
        self.statistics.place()

    def _fill_screen(self, on: bool) -> None:
        self.setWindowState(Qt.WindowState.WindowFullScreen if on else Qt.WindowState.WindowNoState)
        for widget in (self.menuBar(), self.statusBar()):
            widget.setVisible(not on)
        self.side.setVisible(not on and self.actions_["panel"].isChecked())
        self.transport.setVisible(not on)

    def _leave_full_screen(self) -> None:
        if self.actions_["full-screen"].isChecked():
            self.actions_["full-screen"].setChecked(False)

    def _show_transport(self) -> None:
        if self.isFullScreen():
            self.transport.show()
            self._hiding.start()

    def _hide_transport(self) -> None:
        if not self.isFullScreen():
            return
        if self.transport.underMouse():
            self._hiding.start()
        else:
            self.transport.hide()
