"""The main window: its parts, the commands to the player, and the handling of the player's events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from framebrush.base.worker_thread import JOIN_S
from framebrush.gpu.device import DeviceInfo
from framebrush.gpu.stages.look import Look
from framebrush.jobs.look_keys import STROKE, STYLE
from framebrush.jobs.spec import JobSpec
from framebrush.models.style import Precision
from framebrush.playback import events
from framebrush.playback.ahead.cache import RenderCache, memory_budget
from framebrush.playback.ahead.store import RenderStore
from framebrush.playback.display.preview_quality import PreviewMode
from framebrush.playback.player import Player
from framebrush.playback.reading.process import ReadingProcess
from framebrush.styles import pictures
from framebrush.styles.names import default_style
from framebrush.styles.specs import SOURCE_SIZE, ColourSpec, SizeSpec, StyleSpec
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
from framebrush.window.painted.painting import Painting
from framebrush.window.picture.awake import Awake
from framebrush.window.picture.bridge import Bridge, save_picture
from framebrush.window.picture.full_screen import FullScreen
from framebrush.window.picture.looking import Looking
from framebrush.window.picture.overlay import BusyWord, Toast
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
from framebrush.window.styles.style_keys import StyleKeys
from framebrush.window.styles.trial import Trial
from framebrush.window.transport.bar import Transport
from framebrush.window.transport.delays import Delays
from framebrush.window.transport.live import Live
from framebrush.window.transport.neighbours import Neighbours
from framebrush.window.transport.playlist import Playlist, films_of
from framebrush.window.transport.seekbar import clock
from framebrush.window.transport.volume import Volume
from framebrush.window.widgets import theme
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.controls import KeysToFocus, signals_blocked
from framebrush.window.widgets.files import Files, pictures_folder
from framebrush.window.widgets.messages import MessageBar
from framebrush.window.widgets.notifier import Notifier
from framebrush.window.widgets.theme import Colours, Theme

NO_FILMS = NETWORK, TABLE = ".onnx", ".cube"


def _application() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app


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
        reading: ReadingProcess | None = None,
        source: str | None = None,
    ) -> None:
        """device, style: for this session, instead of the remembered ones. sizes: for playback and export. reading: as
        for `Player`, which closes it. source: opened first, as by `open`."""
        super().__init__()
        self.setWindowTitle("Framebrush")
        self.setAcceptDrops(True)
        self.settings, self.exports = settings, exports
        exports.renders_folder = settings.renders_folder
        self.actions_ = Actions(self)
        self.bridge = Bridge(None, self)
        self.view = VideoView(self.bridge.box)
        self.messages = MessageBar(self.view)
        prepared = theme.prepare(_application(), settings.theme)
        self._draw(prepared)  # first, because a button without an icon needs room for its text
        self.bridge.window = self.view.native_window
        self.bridge.ten_bits = settings.ten_bits
        self.transport = Transport(self.actions_)
        self.transport.popup.reading = reading
        pictures.decode_elsewhere = None if reading is None else reading.picture
        self.look_panel = LookPanel(self.actions_, replace(settings.look, split=None))
        stroke = sizes if sizes != SOURCE_SIZE else settings.strokes
        self.stroke = StrokePanel(stroke, self.look_panel.keys)
        self.player = Player(
            self.bridge.post_event,
            self.bridge.make_surface,
            save_picture,
            sizes=self.stroke.sizes,
            renders=RenderCache(memory_budget()),
            store=RenderStore(settings.renders_folder, settings.renders_gb * 10**9),
            reading=reading,
        )
        if stroke.brush_mark is not None:
            self.player.use_sizes(stroke)  # which reads it
        self.session, self.files = Session(self.player, settings, self), Files(self, settings)
        parts = self.session, self.files, self.look_panel, self.stroke
        self.looks = Looks(self, self.actions_, *parts, looks_folder())
        self.gallery = Gallery(self.actions_, [self.looks.button])
        self.export_panel = ExportPanel(exports, settings.output_folder)
        self.statistics, self.toast, self.busy = StatisticsOverlay(self.view), Toast(self.view), BusyWord(self.view)
        self.notifier, self.neighbours, self.awake = Notifier(self), Neighbours(self), Awake(self)
        self.exporting = Exporting(self, self.session, exports, self.export_panel, self.files, self.export_spec)
        self.film_tiles = FilmTiles(self.session, self.gallery, self.looks_in_use, self)
        self.trial = Trial(self.session, self.gallery, self.film_tiles, self.view)
        self.own_styles = OwnStyles(self, self.session, self.gallery, exports.queue, self.files)
        self.style_keys = StyleKeys(self.session, self.gallery, self.look_panel.keys, self.actions_, self.toast)
        self.painting = Painting(self.session, self.actions_, self.transport, reading, self)
        self.looks.painted = self.painting.keys
        self.colouring = Colouring(self, self.actions_, self.session, self.files, self.look_panel.colours)
        self.looking = Looking(self.view, self.actions_, self.toast)
        self.comparison = Comparison(self.view, self.actions_, self.session, self.looks, lambda: self.stroke.sizes)
        self.recent_pictures = RecentPictures(settings.recent_folder, self, reading)
        self.touch = Touch(self.view, self.session)
        self._ended = self._on_gpu = False
        self.keys = KeysToFocus(self)
        titles = self.tr("Painting"), self.tr("Exports")
        self.side = layout.side_panel(self.gallery, (self.stroke, self.look_panel), self.export_panel, titles)
        self.look_panel.expert.toggled.connect(self.show_expert)
        self.look_panel.expert.setChecked(settings.expert)
        self.gallery.show_large(not settings.expert)
        self.columns = layout.columns(self.view, self.transport, self.side, self.width())
        self.setCentralWidget(self.columns)
        theme.finish(_application(), prepared)
        self._status = layout.StatusLine(self.statusBar())
        self.menus = Menus(self, self.actions_, settings)
        self.scopes = Scopes(self.view, self.actions_, self.player, self.bridge.box, self.statistics)
        above = self.statistics, self.scopes.overlay, self.busy, self.toast, self.messages
        self.subtitles = SubtitleControl(SubtitleOverlay(self.view, above), self.menus, self, reading)
        self.full_screen = FullScreen(self, self.actions_, self.view, self.transport)
        self.playlist = Playlist(self.menus, self.toast)
        self.delays = Delays(self.actions_, self.player, self.subtitles, self.toast)
        self.live = Live(self, self.actions_, self.transport)
        self._connect_parts()
        self._connect_actions()
        self.show_opened(None)
        if not self.restoreGeometry(settings.geometry):
            available = self.screen().availableGeometry()
            self.resize(layout.first_size(available.size()))
            self.move(layout.first_corner(available))
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowFullScreen)  # as it may be restored
        self.columns.restoreState(settings.columns)
        self.own_styles.begin()  # before the player loads a style, which would delay the gallery
        is_film = source is not None and Path(source).suffix.lower() not in NO_FILMS
        if source is not None and is_film:
            self.open(source)  # before device and style, so that it is seen while they are opened
        self.session.begin(style or settings.style or default_style(), device or settings.device, self.look_panel.look)
        self.gallery.show_chosen(self.session.chosen_style)  # it is in use only later
        if source is not None and not is_film:
            self.open(source)
        self.player.paint_ahead(settings.paint_ahead)
        self.player.list_devices()
        self.player.set_preview(settings.preview)
        self.player.use_precision(settings.precision)
        Volume(self.transport, self.actions_, self.player, settings, self.toast)

    # Connections

    def _connect_parts(self) -> None:
        """Connect the signals of the parts."""
        view, player, look = self.view, self.player, self.look_panel
        self.bridge.event_posted.connect(self.take)
        self.session.notified.connect(self.messages.show_notification)
        self.session.style_chosen.connect(self.show_choice)
        self.session.style_chosen.connect(self.messages.clear_hint)
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
        self.style_keys.blended.connect(self.blend)
        self.own_styles.hinted.connect(self.toast.say)
        self.own_styles.moved.connect(look.colours.follow)
        self.stroke.changed.connect(self.use_sizes)
        look.brush_left.connect(self.stroke.leave_brush)
        self.stroke.kinds.mark_asked.connect(self._ask_mark)
        self.looking.changed.connect(player.look_at)
        keys, strip = look.keys, self.transport.strip
        keys.when_there = self.session.when_there
        keys.changed.connect(lambda: player.use_keys(keys.used))
        titles = {**look.titles, STROKE: self.stroke.slider.name.text()}
        keys.changed.connect(lambda: strip.show_keys(keys.places, titles))
        strip.moved.connect(keys.move)
        strip.removed.connect(keys.remove)
        strip.eased.connect(keys.ease)
        self.painting.keys.found.connect(self.looks.history.follow_painted)
        self.painting.keys.arranged.connect(self.looks.history.touch)
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
        self.live.feed_asked.connect(player.feed_camera)
        self.exporting.queued.connect(lambda: self.side.setCurrentWidget(self.export_panel))
        self.exporting.queued.connect(self.messages.clear_hint)
        self.exports.finished.connect(self.show_finished)
        self.exports.notified.connect(self.messages.show_notification)
        self.exports.counted.connect(self.show_count)
        self.messages.open_asked.connect(self.exports.open_file)
        self.neighbours.found.connect(self.open)
        self.playlist.asked.connect(player.open)
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
        menus.language_chosen.connect(self.use_language)
        QApplication.styleHints().colorSchemeChanged.connect(self.apply_theme)
        _application().focusChanged.connect(self.keys.follow)

    def _connect_actions(self) -> None:
        """Connect the actions."""
        actions, look = self.actions_, self.look_panel
        connect_keys(self, self.gallery, self.leave)
        connect_playback(actions, self.session, self.transport)
        triggers: dict[str, Callable[[], Any]] = {
            "open": self.ask_video,
            "new-style": self.own_styles.make,
            "open-style": self.own_styles.ask,
            "export": self.exporting.ask,
            "export-files": self.exporting.add_files,
            "export-list": lambda: self.exporting.add(self.playlist.paths),
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
        few = self.stroke.sizes.few_strokes
        at_first = {
            "panel": True,
            "ten-bits": settings.ten_bits,
            "paint-ahead": settings.paint_ahead,
            "few-strokes": few,
        }
        for name, checked in at_first.items():
            actions[name].setChecked(checked)
        toggles: dict[str, Callable[[bool], Any]] = {
            "split": look.compare,
            "keep-colours": look.keep_colours,
            "few-strokes": self.stroke.use_few,
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
        """Open a video (a path, or anything that `open_frame_source` takes), a style file or a colour table."""
        self.messages.clear_problem()
        ending = Path(source).suffix.lower()
        if ending == NETWORK:
            self.session.use_style(str(source))
        elif ending == TABLE:
            self.colouring.use_table(Path(source))
        else:
            self.player.open(source, play=play)

    def ask_video(self) -> None:
        """Let the user choose one or more videos."""
        paths = self.files.videos(self.tr("Open video"))
        if paths:
            self.open_dropped(paths)

    def clear_recent(self) -> None:
        """Clear the list of recent videos, and their thumbnails."""
        self.settings.clear_recent()
        self.show_recent()

    def show_recent(self) -> None:
        """Show the recent videos."""
        self.menus.show_recent(self.settings.recent)
        self.recent_pictures.look(self.settings.recent, self.view.invitation.show_recent)

    def look_beside(self, by: int) -> None:
        """Open the next or the previous video of the playlist or, if there is none, of the folder."""
        if not self.playlist.step(by):
            self.neighbours.look(self.session.opened.info.path if self.session.opened else None, by)

    def leave(self) -> None:
        """Leave the comparison of looks, or full screen."""
        if self.comparison.is_on:
            self.comparison.leave()
        else:
            self.full_screen.leave()

    def ask_place(self) -> None:
        """Let the user type a position to go to, even if the transport is hidden."""
        self.full_screen.show_transport()
        self.transport.ask_place()

    def use_sizes(self, sizes: SizeSpec) -> None:
        """Use another stroke or brush, and remember it."""
        self.settings.strokes = sizes
        with signals_blocked(self.actions_["few-strokes"]):
            self.actions_["few-strokes"].setChecked(sizes.few_strokes)
        self.player.use_sizes(sizes)
        self.film_tiles.touch()
        self.looks.history.touch()

    def _ask_mark(self) -> None:
        path = self.files.picture(self.tr("A picture of a brush's mark"))
        if path is not None:
            self.stroke.use_mark(str(path.absolute()))

    def use_preview(self, mode: PreviewMode) -> None:
        """Set the preview quality, and remember it."""
        self.settings.preview = mode
        self.player.set_preview(mode)

    def use_precision(self, precision: Precision) -> None:
        """Set the precision of networks on GPUs, and remember it."""
        self.settings.precision = precision
        self.player.use_precision(precision)

    def paint_ahead(self, on: bool) -> None:
        """Switch painting ahead on or off, and remember it."""
        self.settings.paint_ahead = on
        self.player.paint_ahead(on)

    def limit_renders(self, gigabytes: int) -> None:
        """Set how much disk space painted frames may take, and remember it."""
        self.settings.renders_gb = gigabytes
        self.player.limit_renders(gigabytes * 10**9)

    def show_expert(self, on: bool) -> None:
        """Show all settings of the look, with small tiles, or large tiles alone; and remember it."""
        self.settings.expert = on
        self.gallery.show_large(not on)

    def use_look(self, look: Look) -> None:
        """Show frames with this look and the current weights."""
        self.view.set_split(None if self.looking.viewport.side_by_side else look.split)
        for name, on in (("split", look.split is not None), ("keep-colours", look.keep_colours)):
            with signals_blocked(self.actions_[name]):
                self.actions_[name].setChecked(on)
        self.stroke.show_painting(self.look_panel.paints, brushed=self.look_panel.brushes)
        self._status.seen.show_painting(self.look_panel.paints)
        mix = () if self.session.awaits_style else self.session.mix  # a style that is still to come has its own
        self.player.use_look(replace(look, mix=mix, split=1.0 if self.looking.holds else look.split))
        self.film_tiles.touch()
        self.comparison.touch()
        self.scopes.touch()
        self.looks.history.touch()

    def looks_in_use(self) -> tuple[Look, SizeSpec, ColourSpec]:
        """The settings other than the style that the film is painted with."""
        return self.look_panel.seen, self.stroke.seen, self.look_panel.colours.asked

    def screenshot(self) -> None:
        """Save the frame on the screen to the pictures folder."""
        folder = pictures_folder()
        self.player.screenshot(lambda info, number: folder / f"{file_stem(info)}-{number:06}.png")

    def export_spec(self, source: str, target: str) -> JobSpec:
        """An export of a whole video in the current style and look."""
        return JobSpec(
            source,
            target,
            StyleSpec(self.session.chosen_style),
            replace(self.look_panel.look, split=None),
            sizes=self.stroke.sizes,
            device=self.menus.export_devices or self.settings.device,
            precision=self.session.precision,
            colours=self.look_panel.colours.asked,
            keys=self.look_panel.keys.used if source == self.look_panel.keys.film else (),
        )

    def open_dropped(self, paths: list[Path]) -> None:
        """Open files dropped on the picture; several videos become a playlist."""
        films = films_of(paths)
        if len(films) > 1:
            self.messages.clear_problem()
            self.playlist.begin(films)
        else:
            self.open(films[0])

    def apply_theme(self) -> None:
        """Apply the theme from the settings."""
        self._draw(theme.apply(_application(), self.settings.theme))

    def _draw(self, colours: Colours) -> None:
        self.actions_.draw(colours)
        self.messages.draw(colours)

    def use_language(self, language: str) -> None:
        """Remember the language of the window, which is made in one."""
        self.settings.language = language
        self.session.notified.emit(
            events.Notification(self.tr("The window has this language when it is opened again."))
        )

    def use_theme(self, name: Theme) -> None:
        """Apply another theme and remember it."""
        self.settings.theme = name
        self.apply_theme()

    def use_device(self, info: DeviceInfo) -> None:
        """Paint on another device and remember it."""
        self.settings.device = info.name
        self.player.use_device(info.address)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Ask first if an export would be lost. Then let the player's thread end, without blocking this one."""
        if self._ended:
            event.accept()
            return
        event.ignore()
        if self.exporting.is_running and not _application().isSavingSession():
            self.exporting.ask_quit(self.quit)
        else:
            self.quit()

    def quit(self) -> None:
        """End the player, which then closes the window."""
        if self.isVisible():
            self.settings.geometry = self.saveGeometry()
            self.settings.columns = self.columns.saveState()
            self.settings.look = self.look_panel.look
        self.hide()
        self.statistics.hide()
        self.exports.stop()
        self.own_styles.close()
        self.film_tiles.close()
        self.style_keys.close()
        self.painting.close()
        self.comparison.close()
        self.scopes.close()
        self.player.quit()

    def event(self, event: QEvent) -> bool:
        """Follow a change of the screen's pixel density, which Qt reports here and not to changeEvent."""
        done = super().event(event)
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.view.follow()
            self.gallery.draw()
        return done

    # Events

    def take(self, event: events.Event) -> None:
        """Handle an event of the player in the window's thread."""
        match event:
            case events.Shown():
                self.session.shown_at = event.at
                self.transport.show_position(event.at)
                self.look_panel.show_place(event.at.number)
                self.stroke.show_here()
                self.painting.show_at(event.at.number)
                if self.look_panel.keys.has(STYLE):
                    self.style_keys.show()
                self._status.seen.show_frame(event.exported)
                self.subtitles.show_at(event.at.time_s)
                self.film_tiles.touch()
                self.comparison.touch()
                self.scopes.touch()
            case events.Moved():
                self.session.arrive(event)
            case events.Ready():
                self.transport.show_ready(event)
            case events.Statistics():
                self.statistics.show_measured(event)
            case events.Busy():
                is_invited = event.what == "opening" and self.session.opened is None
                is_renewed = event.what == "style" and self.session.renews_style
                self.busy.say("" if is_invited or is_renewed else self._busy_text(event.what))
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
            case events.MarkRefused():
                self.stroke.use_mark(event.stays)
            case events.Recording():
                self.live.show_recording(event)
            case events.CameraFeeding():
                self.live.show_feeding(on=event.on)
            case events.Refused():
                self.playlist.show_refused(event.source)
            case events.PlayedOut():
                self.playlist.step(1)
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
                self.session.style_in_use, self.session.mix = event, event.mix
                self._choose_view()
                self.look_panel.show_style(event.card)
                self.stroke.show_style(event.card)
                self.settings.style = event.name
                self.own_styles.keep_used(event.name)
                self.use_look(self.look_panel.look)
                if self.session.is_chosen(event):
                    self.show_style(event)
            case events.StyleAnswered():
                used = self.session.style_in_use
                if self.session.is_answered(event) and used is not None:
                    # The gallery shows what is in use as it was asked for, and its sliders may have been moved since.
                    if (event.name, event.colours) != (used.name, used.colours):
                        self.gallery.show_style(used)
                    self._show_in_use(used)
                    self.looks.history.begin()
                self.own_styles.follow()
            case events.Tried():
                self.trial.take(event)
            case events.DeviceInUse():
                self._show_device(event)
            case events.NotPresented():
                self.statistics.show_way(event.reason)
                self._present_on_gpu(False)
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
                self.painting.close(wait=True)
                self.comparison.close(wait=True)
                self.scopes.close(wait=True)
                Background.end_all()
                self.close()
                self.deleteLater()

    def _hint(self) -> None:
        """Show a hint with the first video, once."""
        if not self.settings.hinted and self.messages.isHidden():
            self.settings.hinted = True
            text = self.tr(
                "Choose a painting on the right. Hold B to see the source; D compares, the wheel zooms, and "
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
        self._present_on_gpu(self.bridge.presents(used.info))
        self.film_tiles.use_device(used.info)
        self.statistics.show_device(used, self.bridge.unable.get(used.info, ""))
        self._status.device.setText(used.info.name)
        self._status.device.setToolTip(used.note)
        self.menus.mark_device(used.info)
        self.view.follow()

    def _present_on_gpu(self, on: bool) -> None:
        """Follow whether the device presents to its own window."""
        self._on_gpu = on
        self._choose_view()
        self.actions_["ten-bits"].setEnabled(on)
        for overlay in (self.subtitles.overlay, *self.subtitles.overlay.above):
            overlay.float_over(on)
        self.scopes.show_device(on_gpu=on)

    def _choose_view(self) -> None:
        """Show the swap chain once there is a style to paint in: until then, it would be black over the film."""
        self.view.present_on_gpu(self._on_gpu and self.session.style_in_use is not None)

    def _silence_of(self, opened: events.Opened | None) -> str:
        """Why a video is not heard; empty where it is, or where none is expected to be."""
        if opened is None or opened.sound or opened.live:
            return ""
        if opened.lacks_output:
            return self.tr("There is no sound output: connect one, and open the video again.")
        return self.tr("This video has no sound.")

    def show_opened(self, opened: events.Opened | None) -> None:
        info = opened.info if opened else None
        self.session.opened = opened
        self.session.stay()
        self.comparison.leave()
        self.setWindowTitle(f"{info.name} – Framebrush" if info else "Framebrush")
        self.setWindowFilePath(str(info.path) if info and info.path else "")
        if info is not None:
            self.view.setFocus()  # the focused control may disappear, and Qt would focus the next one, such as Loop
        self.actions_.enable_for_video(info is not None)
        self.actions_.enable_for_chapters(info is not None and bool(info.chapters))
        sound, can_seek = (opened.sound, opened.can_seek) if opened else (False, True)
        self.transport.show_video(info, sound=sound, can_seek=can_seek)
        silence = self._silence_of(opened)
        self.transport.show_silence(silence)
        self.live.show_opened(opened)
        film = info.source if info is not None and can_seek and info.rate else ""

        def change_film() -> None:
            self.look_panel.keys.show_film(film)
            self.painting.show_opened(info if film else None)

        self.looks.history.change_film(change_film)
        self.look_panel.show_look(self.look_panel.look)
        self.stroke.show_here()
        self.style_keys.show()
        self.menus.show_tracks(opened.tracks if opened else (), silence)
        self.look_panel.show_transfer(info.format.transfer if info else None)
        self.statistics.show_video(info)
        self.view.show_video(info, opened.picture if opened else None)
        self.scopes.show_opened(info)
        self.subtitles.show_opened(info)
        self.delays.show_opened(opened)
        self.playlist.show_opened(info)
        self.film_tiles.show_opened()
        self.looking.reset()
        facts = f"{info.format.width} × {info.format.height}   {info.codec}" if info is not None else ""
        self._status.facts.setText(facts)
        if info is None:
            self.show_recent()
            self._status.seen.show_sizes(None)

    # Other slots

    def show_choice(self) -> None:
        """Show which style and colours are chosen, though they are not in use yet."""
        self._status.seen.show_awaited(True)
        self.gallery.show_chosen(self.session.chosen_style)
        self.colouring.show_chosen()
        self.look_panel.keys.show_paintings(self.session.paintings)
        self.style_keys.show()

    def show_style(self, used: events.StyleInUse) -> None:
        """Show the style in use, which is the one that was chosen, or stays because that was refused."""
        self.gallery.show_style(used)
        self._show_in_use(used)

    def _show_in_use(self, used: events.StyleInUse) -> None:
        self._status.seen.show_awaited(self.session.awaits_style)
        self.colouring.show(used)
        self.look_panel.keys.show_paintings(self.session.paintings)
        self.style_keys.show()

    def blend(self, weights: tuple[float, ...]) -> None:
        """Use other weights for the paintings."""
        self.session.blend(weights)
        self.settings.style = self.session.chosen_style
        self.use_look(self.look_panel.look)

    def show_about(self) -> None:
        """Show the About dialog."""
        from framebrush.window.about import About  # package metadata would take a tenth of the window's start-up time

        About(self).open()

    def show_native(self, on: bool) -> None:
        """Handle showing or hiding of the window for the GPU's swap chain."""
        self.bridge.window_shown = on
        if on:
            self.player.attach()

    def show_finished(self, job: ExportJob) -> None:
        """Report a finished export."""
        text = self.tr("{name} is finished.").format(name=Path(job.spec.target).name)
        self.messages.show_notification(events.Notification(text, path=job.spec.target))
        self.notifier.say(text)

    def show_count(self, count: int) -> None:
        """Show how many exports have not ended."""
        self.side.setTabText(1, self.tr("Exports ({count})").format(count=count) if count else self.tr("Exports"))

    def show_statistics(self, on: bool) -> None:
        """Show or hide the overlay on the video view."""
        self.statistics.setVisible(on)
        self.statistics.place()

    def show_ten_bits(self, on: bool) -> None:
        """Use 10 or 8 bits per colour for the display."""
        self.settings.ten_bits = self.bridge.ten_bits = on
        self.player.renew_surface()
