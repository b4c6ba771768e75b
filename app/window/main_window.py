"""The main window: the parts, what the person asks of the player, and what the player's events change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from framebrush.gpu.device import DeviceInfo
from framebrush.gpu.stages.look import Look
from framebrush.jobs.spec import SOURCE_SIZE, ColourSpec, JobSpec, SizeSpec, StyleSpec
from framebrush.models.style import Precision
from framebrush.playback import events
from framebrush.playback.ahead.cache import RenderCache, memory_budget
from framebrush.playback.ahead.store import RenderStore
from framebrush.playback.display.preview_quality import PreviewMode
from framebrush.playback.player import Player
from framebrush.window import layout
from framebrush.window.actions import Actions
from framebrush.window.connections import connect_keys, connect_playback, connect_triggers
from framebrush.window.exports.dialog import file_stem
from framebrush.window.exports.exporting import Exporting
from framebrush.window.exports.panel import ExportPanel
from framebrush.window.exports.queue import ExportJob
from framebrush.window.exports.runner import ExportRunner
from framebrush.window.help import HelpSheet
from framebrush.window.look.colours import Colouring
from framebrush.window.look.compare import Comparison
from framebrush.window.look.panel import LookPanel
from framebrush.window.look.saved import Looks, looks_folder
from framebrush.window.look.stroke import StrokePanel
from framebrush.window.menus import Menus
from framebrush.window.picture.awake import Awake
from framebrush.window.picture.bridge import Bridge, save_picture
from framebrush.window.picture.full_screen import FullScreen
from framebrush.window.picture.looking import Looking
from framebrush.window.picture.overlay import Toast
from framebrush.window.picture.scopes import Scopes
from framebrush.window.picture.statistics import StatisticsOverlay
from framebrush.window.picture.subtitles import SubtitleControl, SubtitleOverlay
from framebrush.window.picture.touch import Touch
from framebrush.window.picture.view import VideoView
from framebrush.window.session import Session
from framebrush.window.settings import Settings
from framebrush.window.start.recent_pictures import RecentPictures
from framebrush.window.styles.film_tiles import FilmTiles
from framebrush.window.styles.gallery import Gallery
from framebrush.window.styles.own_styles import OwnStyles
from framebrush.window.styles.trial import Trial
from framebrush.window.transport.bar import Transport
from framebrush.window.transport.delays import Delays
from framebrush.window.transport.live import Live
from framebrush.window.transport.neighbours import Neighbours
from framebrush.window.transport.play_list import PlayList, films_of
from framebrush.window.transport.seekbar import clock
from framebrush.window.transport.volume import Volume
from framebrush.window.widgets import theme
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.controls import KeysToFocus, signals_blocked
from framebrush.window.widgets.files import Files, pictures_folder
from framebrush.window.widgets.messages import MessageBar
from framebrush.window.widgets.notifier import Notifier
from framebrush.window.widgets.theme import Theme

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
        exports.renders_folder = settings.renders_folder
        self.actions_ = Actions(self)
        self.bridge = Bridge(None, self)
        self.view = VideoView(self.bridge.box)
        self.messages = MessageBar(self.view)
        self.apply_theme()  # first: a button without its icon asks for the room of its text
        self.bridge.window_handle = self.view.window_handle
        self.bridge.ten_bits = settings.ten_bits
        self.transport = Transport(self.actions_)
        self.look_panel = LookPanel(self.actions_, replace(settings.look, split=None))
        self.stroke = StrokePanel(sizes if sizes != SOURCE_SIZE else SizeSpec(settings.stroke))
        self.player = Player(
            self.bridge.post_event,
            self.bridge.make_surface,
            save_picture,
            sizes=self.stroke.sizes,
            renders=RenderCache(memory_budget()),
            store=RenderStore(settings.renders_folder, settings.renders_gb * 10**9),
        )
        self.session, self.files = Session(self.player, settings, self), Files(self, settings)
        parts = self.session, self.files, self.look_panel, self.stroke
        self.looks = Looks(self, self.actions_, *parts, looks_folder())
        self.gallery = Gallery(self.actions_, [self.looks.button])
        self.export_panel = ExportPanel(exports, settings.output_folder)
        self.statistics, self.toast = StatisticsOverlay(self.view), Toast(self.view)
        self.notifier, self.neighbours, self.awake = Notifier(self), Neighbours(self), Awake(self)
        self.exporting = Exporting(self, self.session, exports, self.export_panel, self.files, self.export_spec)
        self.film_tiles = FilmTiles(self.session, self.gallery, self.looks_in_use, self)
        self.trial = Trial(self.session, self.gallery, self.film_tiles, self.view)
        self.own_styles = OwnStyles(self, self.session, self.gallery, exports.queue, self.files)
        self.colouring = Colouring(self, self.actions_, self.session, self.files, self.look_panel.colours)
        self.looking = Looking(self.view, self.actions_, self.toast)
        self.comparison = Comparison(self.view, self.actions_, self.session, self.looks, lambda: self.stroke.sizes)
        self.recent_pictures = RecentPictures(settings.recent_folder, self)
        self.touch = Touch(self.view, self.session)
        self._ended = False
        self.keys = KeysToFocus(self)
        titles = self.tr("Painting"), self.tr("Exports")
        self.side = layout.side_panel(self.gallery, (self.stroke, self.look_panel), self.export_panel, titles)
        self.columns = layout.columns(self.view, self.transport, self.side, self.width())
        self.setCentralWidget(self.columns)
        self._status = layout.StatusLine(self.statusBar())
        self.menus = Menus(self, self.actions_, settings)
        self.scopes = Scopes(self.view, self.actions_, self.player, self.bridge.box, self.statistics)
        above = self.statistics, self.scopes.overlay, self.toast, self.messages
        self.subtitles = SubtitleControl(SubtitleOverlay(self.view, above), self.menus, self)
        self.full_screen = FullScreen(self, self.actions_, self.view, self.transport)
        self.play_list = PlayList(self.menus, self.toast)
        self.delays = Delays(self.actions_, self.player, self.subtitles, self.toast)
        self.live = Live(self, self.actions_, self.transport)
        self._connect_parts()
        self._connect_actions()
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
        self.player.paint_ahead(settings.paint_ahead)
        self.player.list_devices()
        self.player.set_preview(settings.preview)
        self.player.use_precision(settings.precision)
        Volume(self.transport, self.actions_, self.player, settings, self.toast)

    # Connections

    def _connect_parts(self) -> None:
        """What the signals of the parts do."""
        view, player, look = self.view, self.player, self.look_panel
        self.bridge.event_posted.connect(self.take)
        self.session.notified.connect(self.messages.show_notification)
        view.open_asked.connect(self.ask_video)
        view.dropped.connect(self.open_dropped)
        view.style_dropped.connect(self.own_styles.take)
        view.style_offered.connect(self.own_styles.offer)
        view.resized.connect(player.resize)
        view.native_shown.connect(self.show_native)
        view.split_moved.connect(look.set_split)
        view.double_clicked.connect(self.actions_["full-screen"].trigger)
        view.pointer_moved.connect(self.full_screen.show_transport)
        self.touch.tapped.connect(self.actions_["play"].trigger)
        self.touch.touched.connect(self.full_screen.show_transport)
        self.touch.sought.connect(self.transport.sought)
        self.touch.sought.connect(lambda ms: self.toast.say(clock(ms / 1000)))
        view.menu_asked.connect(self.menus.show_over_picture)
        self.gallery.chosen.connect(self.session.use_style)
        self.gallery.mixed.connect(self.blend)
        self.own_styles.hinted.connect(self.toast.say)
        self.own_styles.moved.connect(look.colours.follow)
        self.stroke.changed.connect(self.use_sizes)
        self.looking.changed.connect(player.look_at)
        for changed in (self.looking.held, self.actions_["side-by-side"].toggled):
            changed.connect(lambda _: self.use_look(look.look))
        look.changed.connect(self.use_look)
        look.colours.changed.connect(self.looks.history.touch)
        look.colours.changed.connect(self.film_tiles.touch)
        self.comparison.turned.connect(self.subtitles.overlay.follow)
        look.brushwork.title.setChecked(self.settings.brushwork)
        look.brushwork.title.toggled.connect(self.settings.show_brushwork)
        self.live.open_asked.connect(self.open)
        self.live.record_asked.connect(player.record)
        self.exporting.queued.connect(lambda: self.side.setCurrentWidget(self.export_panel))
        self.exports.finished.connect(self.show_finished)
        self.exports.notified.connect(self.messages.show_notification)
        self.exports.counted.connect(self.show_count)
        self.messages.open_asked.connect(self.exports.open_file)
        self.neighbours.found.connect(self.open)
        self.play_list.asked.connect(player.open)
        menus = self.menus
        menus.preview_chosen.connect(self.use_preview)
        menus.precision_chosen.connect(self.use_precision)
        menus.renders_chosen.connect(self.limit_renders)
        menus.track_chosen.connect(player.use_track)
        menus.recent_chosen.connect(self.open)
        menus.recent_cleared.connect(self.clear_recent)
        view.invitation.chosen.connect(self.open)
        menus.device_chosen.connect(self.use_device)
        menus.theme_chosen.connect(self.use_theme)
        QApplication.styleHints().colorSchemeChanged.connect(self.apply_theme)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self.keys.follow)

    def _connect_actions(self) -> None:
        """What the actions do."""
        actions, look = self.actions_, self.look_panel
        connect_keys(self, self.gallery, self.leave)
        connect_playback(actions, self.session, self.transport)
        triggers: dict[str, Callable[[], Any]] = {
            "open": self.ask_video,
            "new-style": self.own_styles.make,
            "open-style": self.own_styles.ask,
            "export": self.exporting.ask,
            "export-files": self.exporting.add_files,
            "export-list": lambda: self.exporting.add(self.play_list.paths),
            "screenshot": self.screenshot,
            "quit": self.close,
            "go-to": self.ask_place,
            "clear-renders": self.player.clear_renders,
            "reset-look": look.reset,
            "about": self.show_about,
            "next-file": lambda: self.look_beside(1),
            "previous-file": lambda: self.look_beside(-1),
            "help": lambda: HelpSheet(self, actions.entries).open(),
        }
        connect_triggers(actions, triggers)
        settings = self.settings
        at_first = {"panel": True, "ten-bits": settings.ten_bits, "paint-ahead": settings.paint_ahead}
        for name, checked in at_first.items():
            actions[name].setChecked(checked)
        toggles: dict[str, Callable[[bool], Any]] = {
            "split": look.compare,
            "keep-colours": look.keep_colours,
            "statistics": self.show_statistics,
            "full-screen": self.full_screen.turn,
            "panel": self.side.setVisible,
            "ten-bits": self.show_ten_bits,
            "paint-ahead": self.paint_ahead,
        }
        for name, call in toggles.items():
            actions[name].toggled.connect(call)
        actions["full-screen"].toggled.connect(self.awake.show_full_screen)

    # Commands

    def open(self, source: str | Path, *, play: bool = True) -> None:
        """Open a video (a path, or what else `open_frame_source` takes), a style file or a table of colours."""
        self.messages.clear_problem()
        ending = Path(source).suffix.lower()
        if ending == ".onnx":
            self.session.use_style(str(source))
        elif ending == ".cube":
            self.colouring.use_table(Path(source))
        else:
            self.player.open(source, play=play)

    def ask_video(self) -> None:
        """Let the person choose a video, or several."""
        paths = self.files.videos(self.tr("Open video"))
        if paths:
            self.open_dropped(paths)

    def clear_recent(self) -> None:
        """Forget the videos opened last, and their pictures."""
        self.settings.clear_recent()
        self.show_recent()

    def show_recent(self) -> None:
        """Offer the videos opened last."""
        self.menus.show_recent(self.settings.recent)
        self.recent_pictures.look(self.settings.recent, self.view.invitation.show_recent)

    def look_beside(self, by: int) -> None:
        """Open the next video of the play list, or the previous one; without a list, of the folder."""
        if not self.play_list.step(by):
            self.neighbours.look(self.session.opened.info.path if self.session.opened else None, by)

    def leave(self) -> None:
        """Back to the film from looks that are compared, or into a window from the full screen."""
        if self.comparison.is_on:
            self.comparison.leave()
        else:
            self.full_screen.leave()

    def ask_place(self) -> None:
        """Let the person type where in the film to go, also where the transport is hidden."""
        self.full_screen.show_transport()
        self.transport.ask_place()

    def use_sizes(self, sizes: SizeSpec) -> None:
        """Paint with another stroke, and remember it."""
        self.settings.stroke = sizes.stroke
        self.player.use_sizes(sizes)
        self.film_tiles.touch()
        self.looks.history.touch()

    def use_preview(self, mode: PreviewMode) -> None:
        """How large frames are painted while playing."""
        self.settings.preview = mode
        self.player.set_preview(mode)

    def use_precision(self, precision: Precision) -> None:
        """What networks compute in on a graphics card."""
        self.settings.precision = precision
        self.player.use_precision(precision)

    def paint_ahead(self, on: bool) -> None:
        """Whether frames are painted ahead."""
        self.settings.paint_ahead = on
        self.player.paint_ahead(on)

    def limit_renders(self, gigabytes: int) -> None:
        """How much of the disk painted frames may take."""
        self.settings.renders_gb = gigabytes
        self.player.limit_renders(gigabytes * 10**9)

    def use_look(self, look: Look) -> None:
        """Show frames with this look and the weights in use."""
        self.view.set_split(None if self.looking.viewport.side_by_side else look.split)
        for name, on in (("split", look.split is not None), ("keep-colours", look.keep_colours)):
            with signals_blocked(self.actions_[name]):
                self.actions_[name].setChecked(on)
        self.stroke.show_painting(self.look_panel.paints)
        self._status.seen.show_painting(self.look_panel.paints)
        self.player.use_look(replace(look, mix=self.session.mix, split=1.0 if self.looking.holds else look.split))
        self.film_tiles.touch()
        self.comparison.touch()
        self.scopes.touch()
        self.looks.history.touch()

    def looks_in_use(self) -> tuple[Look, SizeSpec, ColourSpec]:
        """What the film is painted with beside its style."""
        return self.look_panel.look, self.stroke.sizes, self.look_panel.colours.asked

    def screenshot(self) -> None:
        """Write the frame on the screen into the pictures' folder."""
        opened = self.session.opened
        if opened is not None:
            name = f"{file_stem(opened.info)}-{self.session.shown_at.number:06}.png"
            self.player.screenshot(pictures_folder() / name)

    def export_spec(self, source: str, target: str) -> JobSpec:
        """An export of a whole video in the style and look in use."""
        return JobSpec(
            source,
            target,
            StyleSpec(self.session.style_name),
            replace(self.look_panel.look, split=None),
            sizes=self.stroke.sizes,
            device=self.menus.export_devices or self.settings.device,
            precision=self.session.precision,
            colours=self.look_panel.colours.asked,
        )

    def open_dropped(self, paths: list[Path]) -> None:
        """Open the files dropped on the picture: several videos one after the other."""
        films = films_of(paths)
        if len(films) > 1:
            self.messages.clear_problem()
            self.play_list.begin(films)
        else:
            self.open(films[0])

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
        self.film_tiles.close()
        self.comparison.close()
        self.scopes.close()
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
                self.session.shown_at = event.at
                self.transport.show_position(event.at)
                self._status.seen.show_frame(event.exported)
                self.subtitles.show_at(event.at.time_s)
                self.film_tiles.touch()
                self.comparison.touch()
                self.scopes.touch()
            case events.Ready():
                self.transport.show_ready(event)
            case events.Statistics():
                self.statistics.show_measured(event)
            case events.Busy():
                self._status.busy.setText(self._busy_text(event.what))
                self.view.invitation.show_busy(self._busy_text("opening") if event.what == "opening" else "")
            case events.Opened():
                self.show_opened(event)
                if event.info.path is not None:
                    self.settings.add_recent(event.info.path)
                    self.recent_pictures.make(event.info)
                self.menus.show_recent(self.settings.recent)
                self._hint()
            case events.SizesInUse():
                self.view.show_lines(event.sizes.target[1])
                self.stroke.show_whole(event.whole)
                self._status.seen.show_sizes(event)
                self.session.precision = event.precision
            case events.Recording():
                self.live.show_recording(event)
            case events.Refused():
                self.play_list.show_refused(event.source)
            case events.PlayedOut():
                self.play_list.step(1)
            case events.Closed():
                self.show_opened(None)
            case events.Playing():
                self.actions_["play"].setChecked(event.on)
                self.awake.show_playing(event.on)
                self.film_tiles.show_playing(event.on)
                self.comparison.show_playing(event.on)
            case events.Marked():
                self.session.marks = event
                self.transport.show_marks(event)
            case events.StyleInUse():
                self.session.style_in_use, self.session.mix, self.session.style_asked = event, event.mix, ""
                self.gallery.show_style(event)
                self.look_panel.show_style(event.card)
                self.stroke.show_style(event.card)
                self.settings.style = event.name
                self.colouring.show(event)
                self.own_styles.keep_used(event.name)
                self.use_look(self.look_panel.look)
                self.looks.history.begin()
            case events.Tried():
                self.trial.take(event)
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
                self.film_tiles.close(wait=True)
                self.recent_pictures.close(wait=True)
                self.comparison.close(wait=True)
                self.scopes.close(wait=True)
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
        self.scopes.show_device(on_gpu=on_gpu)

    def show_opened(self, opened: events.Opened | None) -> None:
        info = opened.info if opened else None
        self.session.opened = opened
        self.comparison.leave()
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
        self.scopes.show_opened(info)
        self.subtitles.show_opened(info)
        self.delays.show_opened(opened)
        self.play_list.show_opened(info)
        self.film_tiles.show_opened()
        self.looking.reset()
        facts = f"{info.format.width} × {info.format.height}   {info.codec}" if info is not None else ""
        self._status.facts.setText(facts)
        if info is None:
            self.show_recent()
            self._status.seen.show_sizes(None)

    # Small things

    def blend(self, weights: tuple[float, ...]) -> None:
        """Use other weights of the paintings."""
        self.session.mix = weights
        self.settings.style = self.session.style_name
        self.use_look(self.look_panel.look)

    def show_about(self) -> None:
        """Say what this program is."""
        from framebrush.window.about import About  # the metadata of packages take a tenth of the window's start

        About(self).open()

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
