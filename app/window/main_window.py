"""The main window: the parts, what the person asks of the player, and what the player's events change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from framebrush.gpu.device import DeviceInfo
from framebrush.gpu.look import Look
from framebrush.jobs.spec import SOURCE_SIZE, SizeSpec
from framebrush.models.style import Precision
from framebrush.playback import events
from framebrush.playback.player import Player
from framebrush.playback.preview_quality import PreviewMode
from framebrush.styles import PLAIN
from framebrush.window import layout, theme
from framebrush.window.actions import Actions
from framebrush.window.awake import Awake
from framebrush.window.background import Background
from framebrush.window.bridge import Bridge, save_picture
from framebrush.window.colours import Colouring
from framebrush.window.connections import connect_parts
from framebrush.window.controls import KeysToFocus, signals_blocked
from framebrush.window.export_dialog import file_stem
from framebrush.window.export_panel import ExportPanel
from framebrush.window.export_queue import ExportJob
from framebrush.window.export_runner import ExportRunner
from framebrush.window.exporting import Exporting
from framebrush.window.files import Files, pictures_folder
from framebrush.window.full_screen import FullScreen
from framebrush.window.gallery import Gallery
from framebrush.window.live import Live
from framebrush.window.look_panel import LookPanel
from framebrush.window.looking import Looking
from framebrush.window.looks import Looks, looks_folder
from framebrush.window.menus import Menus
from framebrush.window.messages import MessageBar
from framebrush.window.neighbours import Neighbours
from framebrush.window.notifier import Notifier
from framebrush.window.overlay import Toast
from framebrush.window.own_styles import OwnStyles
from framebrush.window.settings import Settings
from framebrush.window.statistics import StatisticsOverlay
from framebrush.window.stroke import StrokePanel
from framebrush.window.subtitles import SubtitleControl, SubtitleOverlay
from framebrush.window.theme import Theme
from framebrush.window.transport import Transport
from framebrush.window.view import VideoView
from framebrush.window.volume import Volume

JOIN_S = 5.0  # the thread that is about to end may still be inside the signal, which must not lose its sender


class MainWindow(QMainWindow):
    """One video, one player, one queue of exports."""

    def __init__(
        self,
        settings: Settings,
        exports: ExportRunner,
        *,
        device: str = "",
        style: str = "",
        sizes: SizeSpec = SOURCE_SIZE,
    ) -> None:
        """device, style: for this time, instead of those remembered. sizes: of what is played and exported."""
        super().__init__()
        self.setWindowTitle("Framebrush")
        self.setAcceptDrops(True)
        self.settings, self.exports = settings, exports
        self.actions_ = Actions(self)
        self.bridge = Bridge(None, self)
        self.view = VideoView(self.bridge.box)
        self.messages = MessageBar(self.view)
        self.apply_theme()  # first: a button without its icon asks for the room of its text
        self.bridge.window_handle = self.view.window_handle
        self.bridge.ten_bits = settings.ten_bits
        self.transport = Transport(self.actions_)
        self.looks = Looks(self, looks_folder())
        self.gallery = Gallery(self.actions_, [self.looks.button])
        self.look_panel = LookPanel(self.actions_, replace(settings.look, split=None))
        self.stroke = StrokePanel(sizes if sizes != SOURCE_SIZE else SizeSpec(settings.stroke))
        self.style_asked = ""  # until it is in use
        self.export_panel = ExportPanel(exports, settings.output_folder)
        self.statistics, self.toast = StatisticsOverlay(self.view), Toast(self.view)
        self.notifier, self.neighbours, self.awake = Notifier(self), Neighbours(self), Awake(self)
        self.files, self.exporting = Files(self, settings), Exporting(self)
        self.own_styles = OwnStyles(self)
        self.colouring = Colouring(self)
        self.looking = Looking(self.view, self.actions_, self.toast)
        self.player = Player(self.bridge.post_event, self.bridge.make_surface, save_picture, sizes=self.stroke.sizes)
        self.style_in_use: events.StyleInUse | None = None
        self.marks = events.Marked(None, None)
        self.opened: events.Opened | None = None
        self.shown_at = events.Mark(0, 0.0)
        self.mix: tuple[float, ...] = ()
        self.precision: Precision = "auto"  # in which frames are painted now
        self._ended = False
        self.keys = KeysToFocus(self)
        titles = self.tr("Painting"), self.tr("Exports")
        self.side = layout.side_panel(self.gallery, (self.stroke, self.look_panel), self.export_panel, titles)
        self.columns = layout.columns(self.view, self.transport, self.side, self.width())
        self.setCentralWidget(self.columns)
        self._status = layout.StatusLine(self.statusBar())
        self.menus = Menus(self, self.actions_, settings)
        above = self.statistics, self.toast, self.messages
        self.subtitles = SubtitleControl(SubtitleOverlay(self.view, above), self.menus, self)
        self.full_screen = FullScreen(self, self.actions_, self.view, self.transport)
        self.live = Live(self)
        connect_parts(self)
        self.show_opened(None)
        if not self.restoreGeometry(settings.geometry):
            available = self.screen().availableGeometry()
            self.resize(layout.first_size(available.size()))
            self.move(layout.first_corner(available))
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowFullScreen)  # as it may have been closed
        self.columns.restoreState(settings.columns)
        self.own_styles.begin()  # before the player loads a style, so that the gallery does not wait for that
        asked = self.look_panel.colours.asked
        self.player.start(device or settings.device, style or settings.style, self.look_panel.look, asked)
        self.player.list_devices()
        self.player.set_preview(settings.preview)
        self.player.use_precision(settings.precision)
        Volume(self.transport, self.actions_, self.player, settings, self.toast)

    # Commands

    def open(self, source: str | Path, *, play: bool = True) -> None:
        """Open a video (a path, or what else `open_frame_source` takes) or a style file."""
        self.messages.clear_problem()
        if str(source).lower().endswith(".onnx"):
            self.open_style(Path(source))
        else:
            self.player.open(source, play=play)

    def ask_video(self) -> None:
        """Let the person choose a video."""
        path = self.files.video()
        if path is not None:
            self.open(path)

    def look_beside(self, by: int) -> None:
        """Open the next video of the folder, or the previous one."""
        self.neighbours.look(self.opened.info.path if self.opened else None, by)

    def open_style(self, path: Path) -> None:
        """Paint in the style of a network or a picture, which the gallery keeps a copy of once it is in use."""
        self.use_style(str(path))

    def use_style(self, name: str) -> None:
        """Paint in a style of this name, which may hold weights."""
        self.style_asked = name
        self.player.use_style(name)

    def use_sizes(self, sizes: SizeSpec) -> None:
        """Paint with another stroke, and remember it."""
        self.settings.stroke = sizes.stroke
        self.player.use_sizes(sizes)
        self.looks.history.touch()

    def use_preview(self, mode: PreviewMode) -> None:
        """How large frames are painted while playing."""
        self.settings.preview = mode
        self.player.set_preview(mode)

    def use_precision(self, precision: Precision) -> None:
        """What networks compute in on a graphics card."""
        self.settings.precision = precision
        self.player.use_precision(precision)

    def use_look(self, look: Look) -> None:
        """Show frames with this look and the weights in use."""
        self.view.set_split(None if self.looking.viewport.side_by_side else look.split)
        for name, on in (("split", look.split is not None), ("keep-colours", look.keep_colours)):
            with signals_blocked(self.actions_[name]):
                self.actions_[name].setChecked(on)
        self.stroke.show_painting(self.look_panel.paints)
        self.player.use_look(replace(look, mix=self.mix, split=1.0 if self.looking.holds else look.split))
        self.looks.history.touch()

    def screenshot(self) -> None:
        """Write the frame on the screen into the pictures' folder."""
        if self.opened is None:
            return
        self.player.screenshot(pictures_folder() / f"{file_stem(self.opened.info)}-{self.shown_at.number:06}.png")

    def open_dropped(self, paths: list[Path]) -> None:
        """Open the first of the files dropped on the picture."""
        self.open(paths[0])
        if len(paths) > 1:
            text = self.tr("Only one video can be open. Drop several videos on the Exports panel to paint them all.")
            self.messages.show_notification(events.Notification(text))

    def apply_theme(self) -> None:
        """Apply the theme of the settings."""
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        colours = theme.apply(app, self.settings.theme)
        self.actions_.draw(colours)
        self.messages.draw(colours)

    def use_theme(self, name: Theme) -> None:
        """Apply another theme and remember it."""
        self.settings.theme = name
        self.apply_theme()

    def use_device(self, info: DeviceInfo) -> None:
        """Paint on another device and remember it."""
        self.settings.device = info.name
        self.player.use_device(str(info.index))

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Ask where an export would be lost. Then let the player's thread end first, without blocking this one."""
        if self._ended:
            event.accept()
            return
        event.ignore()
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        if self.exporting.is_running and not app.isSavingSession():
            self.exporting.ask_quit(self.quit)
        else:
            self.quit()

    def quit(self) -> None:
        """End the player, and with it the window."""
        if self.isVisible():
            self.settings.geometry = self.saveGeometry()
            self.settings.columns = self.columns.saveState()
            self.settings.look = self.look_panel.look
        self.hide()
        self.statistics.hide()
        self.exports.stop()
        self.own_styles.close()
        self.player.quit()

    def event(self, event: QEvent) -> bool:
        """On a screen of another density the same size has other pixels. Qt sends that here, not to changeEvent."""
        done = super().event(event)
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.view.follow()
            self.gallery.draw()
        return done

    # Events

    def take(self, event: events.Event) -> None:
        """Handle an event of the player, in this thread."""
        match event:
            case events.Shown():
                self.shown_at = event.at
                self.transport.show_position(event.at)
                self.subtitles.show_at(event.at.time_s)
            case events.Statistics():
                self.statistics.show_measured(event)
            case events.Busy():
                self._status.busy.setText(self._busy_text(event.what))
                self.view.invitation.show_busy(self._busy_text("opening") if event.what == "opening" else "")
            case events.Opened():
                self.show_opened(event)
                if event.info.path is not None:
                    self.settings.add_recent(event.info.path)
                self.menus.show_recent(self.settings.recent)
                self._hint()
            case events.SizesInUse():
                self.view.show_lines(event.sizes.target[1])
                self.stroke.show_in_use(event.sizes, event.coarser)
                self.precision = event.precision
            case events.Recording():
                self.live.show_recording(event)
            case events.Closed():
                self.show_opened(None)
            case events.Playing():
                self.actions_["play"].setChecked(event.on)
                self.awake.show_playing(event.on)
            case events.Marked():
                self.marks = event
                self.transport.show_marks(event)
            case events.StyleInUse():
                self.style_in_use, self.mix, self.style_asked = event, event.mix, ""
                self.gallery.show_style(event)
                self.look_panel.show_style(event.card)
                self.stroke.show_style(event.card)
                self.settings.style = event.name
                self.colouring.show(event.colours)
                self.own_styles.keep_used(event.name)
                self.use_look(self.look_panel.look)
                self.looks.history.begin()
            case events.DeviceInUse():
                self._show_device(event)
            case events.DevicesFound():
                self.menus.show_devices(event.devices)
            case events.Saved():
                text = self.tr("Saved as {path}").format(path=event.path)
                self.messages.show_notification(events.Notification(text, path=event.path))
            case events.Notification():
                self.messages.show_notification(event)
            case events.Ended():
                self._ended = True
                self.player.join(JOIN_S)
                self.transport.popup.close_preview(wait=True)
                self.subtitles.close(wait=True)
                Background.end_all()
                self.close()
                self.deleteLater()

    def _hint(self) -> None:
        """Say once, with the first video, what there is."""
        if not self.settings.hinted and self.messages.isHidden():
            self.settings.hinted = True
            text = self.tr(
                "Choose a painting at the right. While B is held you see the source, D compares, the wheel zooms, and "
                "F1 lists all keys."
            )
            self.messages.show_notification(events.Notification(text, severity="hint"))

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
        for overlay in (self.subtitles.overlay, *self.subtitles.overlay.above):
            overlay.float_over(on_gpu)
        self.statistics.show_device(used)
        self._status.device.setText(used.info.name)
        self._status.device.setToolTip(used.note)
        self.menus.mark_device(used.info)
        self.view.follow()

    def show_opened(self, opened: events.Opened | None) -> None:
        info = opened.info if opened else None
        self.opened = opened
        self.setWindowTitle(f"{info.name} – Framebrush" if info else "Framebrush")
        self.setWindowFilePath(str(info.path) if info and info.path else "")
        if info is not None:
            self.view.setFocus()  # the control in focus may go, and Qt would move on to the next one, such as Loop
        self.actions_.enable_for_video(info is not None)
        sound, can_seek = (opened.sound, opened.can_seek) if opened else (False, True)
        self.transport.show_video(info, sound=sound, can_seek=can_seek)
        self.live.show_opened(opened)
        self.menus.show_tracks(opened.tracks if opened else ())
        self.look_panel.show_transfer(info.format.transfer if info else None)
        self.statistics.show_video(info)
        self.view.show_video(info)
        self.subtitles.show_opened(info)
        self.looking.reset()
        facts = f"{info.format.width} × {info.format.height}   {info.codec}" if info is not None else ""
        self._status.facts.setText(facts)

    # Small things

    @property
    def style_name(self) -> str:
        """The style and weights in use, as the command line takes them."""
        return self.style_in_use.full_name(self.mix) if self.style_in_use else PLAIN

    def blend(self, weights: tuple[float, ...]) -> None:
        """Use other weights of the paintings."""
        self.mix = weights
        self.settings.style = self.style_name
        self.use_look(self.look_panel.look)

    def show_native(self, on: bool) -> None:
        """The window for the GPU's swap chain was shown or hidden."""
        self.bridge.window_shown = on
        if on:
            self.player.attach()

    def show_finished(self, job: ExportJob) -> None:
        """An export is done."""
        text = self.tr("{name} is finished.").format(name=Path(job.spec.target).name)
        self.messages.show_notification(events.Notification(text, path=job.spec.target))
        self.notifier.say(text)

    def show_count(self, count: int) -> None:
        """Show how many exports are not over."""
        self.side.setTabText(1, self.tr("Exports ({count})").format(count=count) if count else self.tr("Exports"))

    def show_statistics(self, on: bool) -> None:
        """Show or hide the overlay on the video view."""
        self.statistics.setVisible(on)
        self.statistics.place()

    def show_ten_bits(self, on: bool) -> None:
        """Use 10 bits a colour for the display, or 8."""
        self.settings.ten_bits = self.bridge.ten_bits = on
        self.player.renew_surface()
