"""The main window: its parts, and the player's commands and events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QImage
from PySide6.QtWidgets import QApplication, QMainWindow

from framebrush.base.file_names import PROJECT_SUFFIX
from framebrush.base.worker_thread import JOIN_S
from framebrush.gpu.device import DeviceInfo
from framebrush.jobs.keyframes import STROKE
from framebrush.jobs.look_file import SUFFIX as LOOK_SUFFIX
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.playback import events
from framebrush.playback.ahead.cache import RenderCache, memory_budget
from framebrush.playback.ahead.store import RenderStore
from framebrush.playback.player import Player
from framebrush.playback.reading.reading_process import ReadingProcess
from framebrush.styles import pictures
from framebrush.styles.keys_folder import is_keys, names_keys
from framebrush.styles.names import PASSTHROUGH, default_style
from framebrush.styles.specs import SOURCE_SIZE, ColourSpec, SizeSpec, StyleSpec
from framebrush.window import layout
from framebrush.window.actions import Actions, key_text
from framebrush.window.choice import Choice
from framebrush.window.connections import connect_keys, connect_playback, connect_triggers
from framebrush.window.exports.exporting import Exporting
from framebrush.window.exports.panel import ExportPanel
from framebrush.window.exports.queue import ExportJob
from framebrush.window.exports.runner import ExportRunner
from framebrush.window.exports.tab import ExportTab
from framebrush.window.exports.targets import file_stem
from framebrush.window.help import HelpSheet
from framebrush.window.history import History
from framebrush.window.look.brush_strips import BrushStrips
from framebrush.window.look.compare import Comparison
from framebrush.window.look.film_keyframes import FilmKeyframes
from framebrush.window.look.panel import LookPanel
from framebrush.window.look.saved import Looks, looks_folder
from framebrush.window.look.stroke import StrokePanel
from framebrush.window.manual_window import show_page
from framebrush.window.menus import Menus
from framebrush.window.painted.mask_strokes import MaskStrokes
from framebrush.window.painted.painting import Painting
from framebrush.window.picture.bridge import Bridge, save_picture
from framebrush.window.picture.full_screen import FullScreen
from framebrush.window.picture.keep_awake import Awake
from framebrush.window.picture.mask_brush import MaskBrush
from framebrush.window.picture.messages import MessageBar
from framebrush.window.picture.notes import Notes
from framebrush.window.picture.reveal import RevealBar, RevealOverlay, Watching
from framebrush.window.picture.scopes import Scopes
from framebrush.window.picture.statistics import StatisticsOverlay
from framebrush.window.picture.subtitles import SubtitleControl, SubtitleOverlay
from framebrush.window.picture.touch import Touch
from framebrush.window.picture.veil import Veil, VeilOverlay
from framebrush.window.picture.view import VideoView
from framebrush.window.picture.viewport import ViewControls
from framebrush.window.project.keeper import ProjectKeeper
from framebrush.window.restore_point import RestorePoint, RestorePointReporter
from framebrush.window.session import Session
from framebrush.window.settings import Settings
from framebrush.window.start.recent_pictures import RecentPictures
from framebrush.window.styles.film_tiles import FilmTiles
from framebrush.window.styles.gallery import Gallery
from framebrush.window.styles.own_styles import OwnStyles
from framebrush.window.styles.style_keyframes import StyleKeyframes
from framebrush.window.styles.trial import Trial
from framebrush.window.tour import Tour
from framebrush.window.transport.bar import Transport
from framebrush.window.transport.delays import Delays
from framebrush.window.transport.live import Live
from framebrush.window.transport.markers import Markers
from framebrush.window.transport.neighbours import neighbour
from framebrush.window.transport.playlist import Playlist, films_of
from framebrush.window.transport.seekbar import clock
from framebrush.window.transport.style_lane import blocks_of
from framebrush.window.transport.volume import Volume
from framebrush.window.widgets import theme
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.controls import KeysToFocus, accept_copy, look_files, pasted_files, signals_blocked
from framebrush.window.widgets.files import Files, pictures_folder
from framebrush.window.widgets.notifier import Notifier
from framebrush.window.widgets.theme import Colours

NO_FILMS = NETWORK, TABLE, LOOK = ".onnx", ".cube", LOOK_SUFFIX


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
        colours: ColourSpec | None = None,
        reading: ReadingProcess | None = None,
        source: str | None = None,
        back_at: RestorePoint | None = None,
    ) -> None:
        """Create the window.

        Args:
            device, style, colours: for this session; default: remembered.
            sizes: for playback and export.
            reading: as for `Player`, which closes it.
            source: opened first, as by `open`.
            back_at: restores the position and look in `source` after a crash.
        """
        super().__init__()
        self.setWindowTitle("Framebrush")
        self.setAcceptDrops(True)
        self.settings, self.exports = settings, exports
        exports.renders_folder = settings.renders_folder
        self.actions_ = Actions(self)
        self.bridge = Bridge(None, self)
        self.view = VideoView(self.bridge.box)
        self.notes = Notes(self.view)
        self.messages = MessageBar(self.view, self.notes)
        prepared = theme.prepare(_application(), settings.theme)
        self._draw(prepared)  # first, because a button without an icon needs room for its text
        self.bridge.window = self.view.native_window
        self.bridge.ten_bits = settings.ten_bits
        self.transport = Transport(self.actions_)
        self.transport.popup.reading = self.transport.film.reading = reading
        pictures.elsewhere = reading
        stroke = sizes if sizes != SOURCE_SIZE else settings.strokes
        self.player = Player(
            self.bridge.post_event,
            self.bridge.make_surface,
            save_picture,
            sizes=stroke,
            renders=RenderCache(memory_budget()),
            store=RenderStore(settings.renders_folder, settings.renders_gb * 10**9),
            reading=reading,
        )
        if any(stroke.brush_pictures.values()):
            self.player.use_sizes(stroke)  # which reads them
        if style:  # asked for, and not to be overruled by a film's own
            settings.painted = style if names_keys(style) else ""
        recipe = Recipe(
            StyleSpec(style or settings.style or default_style()),
            settings.look if back_at is None else back_at.choice.look,
            stroke,
            settings.colours if colours is None else colours,
        )
        choice = Choice(recipe=recipe, device=device or settings.device)
        self.session, self.files = Session(self.player, settings, choice, self), Files(self, settings)
        self.place = RestorePointReporter(self.session)
        keys = FilmKeyframes(self.session)
        self.stroke = StrokePanel(self.session, keys)
        self.look_panel = LookPanel(self.actions_, self.session, keys, self.files, self.stroke)
        self.looks = Looks(self, self.actions_, self.session, self.files, self.look_panel, looks_folder())
        self.gallery = Gallery(self.actions_, self.look_panel.style_section, [self.looks.button])
        self.export_panel = ExportPanel(exports, settings.output_folder)
        self.statistics, self.tour = StatisticsOverlay(self.view), Tour(self.view)
        self.notifier, self.awake = Notifier(self), Awake(self)
        self.exporting = Exporting(self, self.session, exports, self.export_panel, self.files, self.export_spec)
        self.film_tiles = FilmTiles(self.session, self.gallery, self)
        self.brush_strips = BrushStrips(self.session, self.stroke.kinds, self)
        self.trial = Trial(self.session, self.gallery, self.film_tiles, self.view)
        self.own_styles = OwnStyles(self, self.session, self.gallery, exports.queue.unfinished, self.files)
        self.style_keys = StyleKeyframes(self.session, self.gallery, keys, self.actions_, self.notes)
        self.painting = Painting(self.session, self.actions_, self.transport, reading, self)
        self.mask_strokes = MaskStrokes(self.session, reading, self)
        self.markers = Markers(self.session, self.actions_, self.transport.markers)
        self.history = History(self.session, self.actions_, self.painting.keys.arrange, self.mask_strokes.keep)
        self.looking = ViewControls(self.view, self.actions_, self.notes)
        self.comparison = Comparison(self.view, self.actions_, self.session, self.looks)
        self.recent_pictures = RecentPictures(settings.recent_folder, self, reading)
        self.touch = Touch(self.view, self.session)
        self._ended = self._on_gpu = False
        self.keys = KeysToFocus(self)
        titles = self.tr("Painting"), self.tr("Exports")
        self.side = layout.side_panel(self.gallery, self.look_panel, self.export_panel, titles)
        ExportTab(self.side, exports)
        self.columns = layout.columns(self.view, self.transport, self.side, self.width())
        self.setCentralWidget(self.columns)
        theme.finish(_application(), prepared)
        self._status = layout.StatusLine(self.statusBar())
        self.menus = Menus(self, self.actions_, settings)
        self.scopes = Scopes(self.view, self.actions_, self.session, self.bridge.box, self.statistics)
        bar = RevealBar(self.view, self.actions_, self.messages)
        self.notes.lie_above(self.messages, bar)
        above = self.statistics, self.scopes.overlay, self.notes, bar, self.messages, self.tour
        overlay, lane = SubtitleOverlay(self.view, above), self.transport.subtitles
        self.subtitles = SubtitleControl(overlay, lane, self.menus, self.session, reading)
        veil_below = self.subtitles.overlay, *above
        self.veil = Veil(VeilOverlay(self.view, veil_below), self.session, self.looking, self.notes)
        self.mask_brush = MaskBrush(
            *(self.view, self.actions_, self.session, self.mask_strokes),
            *(self.look_panel.subject.tools, self.veil, self.notes),
        )
        reveal = RevealOverlay(self.view, veil_below), bar, self.actions_, self.session, self.looking
        self.watching = Watching(*reveal, self.view, self.bridge.box)
        self.full_screen = FullScreen(self, self.actions_, self.view, self.transport)
        self.playlist = Playlist(self.menus, self.session, self.notes)
        self.delays = Delays(self.actions_, self.session, self.subtitles, self.notes)

        def asked(project: Recipe) -> Recipe:
            return replace(
                project,
                style=recipe.style if style else project.style,
                sizes=sizes if sizes != SOURCE_SIZE else project.sizes,
                colours=project.colours if colours is None else colours,
            )

        parts = self.session, self.history, self.delays, self.files, self._open_film
        self.project = ProjectKeeper(*parts, asked if source is not None else None, follows=back_at is not None)
        self._closed_with_it = (
            self.project,
            self.place,
            *(self.subtitles, self.film_tiles, self.brush_strips, self.recent_pictures),
            *(self.painting, self.comparison, self.scopes, self.watching),
        )
        self._connect_player()
        self.live = Live(self, self.actions_, self.session, self.transport)
        self._connect_parts()
        self._connect_actions()
        self._show_choice()
        self.session.dispatch_event(events.Closed())
        if not self.restoreGeometry(settings.geometry):
            available = self.screen().availableGeometry()
            self.resize(layout.first_size(available.size()))
            self.move(layout.first_corner(available))
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowFullScreen)  # as it may be restored
        self.columns.restoreState(settings.columns)
        self.own_styles.begin()  # before the player loads a style, which would delay the gallery
        is_film = source is not None and Path(source).suffix.lower() not in NO_FILMS
        if source is not None and is_film:
            self.open(source, play=back_at is None)  # before device and style, to be seen while they are opened
            if back_at is not None:
                back_at.restore(self.player, keys)
                if back_at.project:  # which is read first
                    go = partial(back_at.restore, self.player, keys)
                    self.project.began.connect(go, Qt.ConnectionType.SingleShotConnection)
        self.session.begin()
        self.gallery.show_chosen(choice.style.name)  # it is in use only later
        if source is not None and not is_film:
            self.open(source)
        self.player.paint_ahead(settings.paint_ahead)
        self.player.list_devices()
        self.player.set_preview(settings.preview)
        self.player.use_precision(settings.precision)
        Volume(self.transport, self.actions_, self.player, settings, self.notes)

    # Connections

    def _connect_parts(self) -> None:
        view, player, look, session = self.view, self.player, self.look_panel, self.session
        session.notified.connect(self.messages.show_notification)
        session.withdrawn.connect(self.messages.withdraw)
        session.changed.connect(self._follow_choice)
        session.loaded.connect(self._show_choice)
        session.refused.connect(self._show_refused)
        session.looked.connect(self._show_seen)
        view.open_asked.connect(self.ask_video)
        view.dropped.connect(self.open_dropped)
        view.style_dropped.connect(self.own_styles.add_files)
        view.style_offered.connect(self.own_styles.offer)
        view.resized.connect(player.resize)
        view.native_shown.connect(self.show_native)
        view.split_moved.connect(look.set_split)
        view.double_clicked.connect(self.actions_["full-screen"].trigger)
        view.pointer_moved.connect(self.full_screen.show_transport)
        self.touch.tapped.connect(self.actions_["play"].trigger)
        self.touch.touched.connect(self.full_screen.show_transport)
        self.touch.sought.connect(self.transport.sought)
        self.touch.sought.connect(lambda ms: self.notes.say(clock(ms / 1000)))
        view.menu_asked.connect(self.menus.show_over_picture)
        self.own_styles.hinted.connect(self.notes.say)
        self.own_styles.moved.connect(look.colours.follow)
        self.stroke.kinds.mark_asked.connect(
            partial(self._ask_picture, "brush_mark", self.tr("A picture of a brush tip"))
        )
        look.search.parts = look.style_section, look
        look.search.left.connect(view.setFocus)
        look.subject.masked.connect(lambda mask: session.use(mask=mask))
        look.subject.mask_asked.connect(partial(self._ask_picture, "mask", self.tr("A mask")))
        self.looking.changed.connect(player.look_at)
        keys, strip = look.keys, self.transport.strip
        titles = {**look.titles, STROKE: self.stroke.slider.name.text()}
        keys.changed.connect(lambda: strip.show_keys(keys.places, titles))
        keys.changed.connect(lambda: self.transport.curves.show_tracks(session.keys, titles))
        self.transport.masks.removed.connect(self.mask_strokes.remove)
        strip.moved.connect(keys.move)
        strip.removed.connect(keys.remove)
        strip.eased.connect(keys.ease)
        strip.copied.connect(keys.copy)
        strip.pasted.connect(keys.paste)
        painted = self.painting.keys
        for arranged in (painted.found, painted.arranged):
            arranged.connect(lambda: session.choose(replace(session.choice, painted=painted.arrangement)))
        painted.found.connect(self.history.follow_painted)
        self.mask_strokes.found.connect(self.history.follow_corrections)
        self.painting.styled.connect(self.history.follow_style)
        self.painting.offered.connect(self.gallery.show_painted)
        self.painting.learner.learnt.connect(self.film_tiles.renew)
        self.film_tiles.painted.connect(self._keep_painted)
        self.looking.held.connect(session.hold)
        self.actions_["side-by-side"].toggled.connect(lambda _: self._show_choice())
        self.comparison.turned.connect(self.subtitles.overlay.follow)
        self.comparison.turned.connect(lambda on: self.watching.leave() if on else None)
        self.actions_["reveal"].toggled.connect(lambda on: self.comparison.leave() if on else None)
        for name, title in look.folds.items():
            title.setChecked(name in self.settings.sections)
            title.toggled.connect(partial(self.settings.unfold, name))
        self.live.open_asked.connect(self.open)
        self.exporting.queued.connect(lambda: self.side.setCurrentWidget(self.export_panel))
        self.exporting.queued.connect(self.messages.clear_hint)
        self.exporting.former = lambda: self.project.export
        self.exporting.set_up.connect(self.project.take_export)
        self.project.file_changed.connect(self._show_file)
        undo = key_text("Ctrl+Z")
        self.project.restored.connect(lambda: self.notes.say(self.tr("As you left it; {key} undoes").format(key=undo)))
        self.exports.finished.connect(self.show_finished)
        self.exports.notified.connect(self.messages.show_notification)
        self.messages.open_asked.connect(self.exports.open_file)
        menus = self.menus
        menus.setting_chosen.connect(self.use)
        menus.track_chosen.connect(player.use_track)
        menus.recent_chosen.connect(self.open)
        menus.recent_cleared.connect(self.clear_recent)
        menus.page_chosen.connect(partial(show_page, self))
        view.invitation.chosen.connect(self.open)
        menus.device_chosen.connect(self.use_device)
        QApplication.styleHints().colorSchemeChanged.connect(self.apply_theme)
        _application().focusChanged.connect(self.keys.follow)

    def _connect_actions(self) -> None:
        actions, look = self.actions_, self.look_panel
        connect_keys(self, self.gallery, self.leave)
        connect_playback(actions, self.session, self.transport)
        triggers: dict[str, Callable[[], Any]] = {
            "open": self.ask_video,
            "paste-path": self.open_copied,
            "save-project": self.project.ask_name,
            "new-style": self.own_styles.make,
            "open-style": self.own_styles.ask,
            "export": self.exporting.ask,
            "export-files": self.exporting.add_files,
            "export-list": lambda: self.exporting.add(self.playlist.paths),
            "export-reveal": self.exporting.ask_reveal,
            "screenshot": self.screenshot,
            "copy-frame": lambda: self.player.lend_whole(self.bridge.copy_picture),
            "quit": self.close,
            "go-to": self.ask_place,
            "find-setting": self.find_setting,
            "clear-renders": self.player.clear_renders,
            "reset-look": look.reset,
            "about": self.show_about,
            "next-file": lambda: self.look_beside(1),
            "previous-file": lambda: self.look_beside(-1),
            "tour": self.show_tour,
            "help": lambda: HelpSheet(self, actions.entries).open(),
        }
        connect_triggers(actions, triggers)
        settings = self.settings
        at_first = {"panel": True, "ten-bits": settings.ten_bits, "paint-ahead": settings.paint_ahead}
        for name, checked in at_first.items():
            actions[name].setChecked(checked)
        toggles: dict[str, Callable[[bool], Any]] = {
            "split": look.compare,
            "map-sizes": partial(self._use_map, "brush_sizes", self.tr("A map of the brush's sizes")),
            "map-directions": partial(self._use_map, "brush_directions", self.tr("A map of the brush's directions")),
            "statistics": self.statistics.setVisible,
            "full-screen": self.full_screen.turn,
            "panel": self.side.setVisible,
            "ten-bits": partial(self.use, "ten_bits"),
            "paint-ahead": partial(self.use, "paint_ahead"),
        }
        for name, call in toggles.items():
            actions[name].toggled.connect(call)
        for name, field in actions.options.items():
            actions[name].toggled.connect(lambda on, field=field: self.session.use(**{field: on}))
        actions["full-screen"].toggled.connect(self.awake.show_full_screen)

    # Commands

    def open(self, source: str | Path, *, play: bool = True) -> None:
        """Open a video path, another source of `open_frame_source`, or another supported file.

        Those are a project, style, folder of painted frames, colour table or look file.
        """
        self.messages.clear_problem()
        ending = Path(source).suffix.lower()
        if ending == NETWORK or is_keys(str(source)):
            self.session.use_style(str(source))
        elif ending == TABLE:
            self.look_panel.colours.open_table(Path(source))
        elif ending == PROJECT_SUFFIX:
            self.project.open(Path(source), play=play)
        elif ending == LOOK:
            self.looks.take(Path(source))
        else:
            self.project.open_other()
            self._open_film(str(source), play)

    def _open_film(self, source: str, play: bool) -> None:
        self.view.setFocus()  # until it is open, too: Space would toggle what Qt has focused, such as Loop
        self.player.open(source, play=play)

    def ask_video(self) -> None:
        """Let the user choose one or more videos."""
        paths = self.files.videos(self.tr("Open video"))
        if paths:
            self.open_dropped(paths)

    def open_copied(self) -> None:
        """Open copied files, or paths in copied text."""
        paths = pasted_files(QApplication.clipboard().mimeData())
        if paths:
            self.open_dropped(paths)
        else:
            self.notes.say(self.tr("No file or whole path was copied"))

    def clear_recent(self) -> None:
        """Clear the recent videos and their thumbnails."""
        self.settings.clear_recent()
        self.show_recent()

    def show_recent(self) -> None:
        self.menus.show_recent(self.settings.recent)
        self.recent_pictures.look(self.settings.recent, self.view.invitation.show_recent)

    def look_beside(self, by: int) -> None:
        """Open the playlist's, or else the folder's, next or previous video."""
        path = self.session.opened.info.path if self.session.opened is not None else None
        if not self.playlist.step(by) and path is not None:
            Background(partial(neighbour, path, by), self._open_neighbour, self)

    def _open_neighbour(self, path: Path | None) -> None:
        if path is not None:
            self.open(path)

    def leave(self) -> None:
        """End the tour, the mask's brush, the comparison of looks, the time-lapse, or full screen."""
        if self.tour.isVisible():
            self.tour.end()
        elif self.mask_brush.is_on:
            self.mask_brush.leave()
        elif self.comparison.is_on:
            self.comparison.leave()
        elif self.watching.is_on:
            self.watching.leave()
        else:
            self.full_screen.leave()

    def ask_place(self) -> None:
        """Let the user type a position, even if the transport is hidden."""
        self.full_screen.show_transport()
        self.transport.ask_place()

    def find_setting(self) -> None:
        self.actions_["panel"].setChecked(True)
        self.side.setCurrentIndex(0)
        self.look_panel.show_control(self.look_panel.search)

    def _ask_picture(self, name: str, title: str) -> None:
        """Let the user choose a brush picture or map. name: field of `SizeSpec`."""
        path = self.files.brush(title) if name == "brush_mark" else self.files.map(title)
        if path is None:
            self._show_choice()
        else:
            self.session.use(**{name: str(path.absolute())})

    def _use_map(self, name: str, title: str, on: bool) -> None:
        if on:
            self._ask_picture(name, title)
        else:
            self.session.use(**{name: None})

    def use(self, name: str, value: Any) -> None:  # noqa: ANN401 - any type of setting
        """Apply and remember a field of `Settings`."""
        setattr(self.settings, name, value)
        match name:
            case "preview":
                self.player.set_preview(value)
            case "precision":
                self.player.use_precision(value)
            case "renders_gb":
                self.player.limit_renders(value * 10**9)
            case "paint_ahead":
                self.player.paint_ahead(value)
            case "theme":
                self.apply_theme()
            case "language":  # the window is made in one
                text = self.tr("The window has this language when it is opened again.")
                self.session.notified.emit(events.Notification(text))
            case "ten_bits":
                self.bridge.ten_bits = value
                self.player.renew_surface()

    def screenshot(self) -> None:
        """Save the current frame to the pictures folder."""
        folder = pictures_folder()
        self.player.screenshot(lambda info, number: folder / f"{file_stem(info)}-{number:06}.png")

    def _take_copied(self, image: QImage) -> None:
        QApplication.clipboard().setImage(image)
        size = f"{image.width()} × {image.height()}"
        self.notes.say(self.tr("Copied: {size}").format(size=size))

    def export_spec(self, source: str, target: str) -> JobSpec:
        """Return an export of a whole video with current settings."""
        spec = self.session.job(source, target)
        return replace(spec, device=self.menus.export_devices or spec.device)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        if look_files(event.mimeData()):  # of a look, that no part of the window took
            accept_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        looks = look_files(event.mimeData())
        if looks and accept_copy(event):
            self.open(looks[0])

    def open_dropped(self, paths: list[Path]) -> None:
        """Open dropped files; several videos become a playlist."""
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

    def use_device(self, info: DeviceInfo) -> None:
        """Paint on another device and remember it."""
        self.settings.device = info.name
        self.session.choose(replace(self.session.choice, device=info.name))
        self.player.use_device(info.address)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Ask if an export would be lost, then let the player's thread end, without blocking."""
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
            self.session.save_settings()
        self.mask_brush.leave()
        self.hide()
        for overlay in self.subtitles.overlay.above:  # windows of their own do not hide with it
            overlay.hide()
        self.exports.stop()
        self.own_styles.close()
        self.style_keys.close()
        for part in self._closed_with_it:
            part.close()
        self.player.quit()

    def event(self, event: QEvent) -> bool:
        """Follow the screen's pixel density, which Qt does not report to changeEvent."""
        done = super().event(event)
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.view.follow()
            self.gallery.draw()
        return done

    # The player's events

    def _connect_player(self) -> None:
        on, view, transport = self.session.on, self.view, self.transport
        self.bridge.event_posted.connect(self.session.dispatch_event)
        self.bridge.copied.connect(self._take_copied)
        self.session.film_changed.connect(self._show_opened)
        on(events.Shown, lambda shown: transport.show_position(shown.at))
        on(events.Ready, transport.show_ready)
        on(events.InOutChanged, transport.show_marks)
        on(events.Statistics, self.statistics.show_measured)
        on(events.Busy, self._show_busy)
        on(events.Opened, self._remember_opened)
        on(events.SizesInUse, lambda sizes: view.show_lines(sizes.sizes.target[1]))
        on(events.Playing, lambda playing: self.actions_["play"].setChecked(playing.on))
        on(events.Playing, lambda playing: self.awake.show_playing(playing.on))
        on(events.StyleInUse, self._show_style)
        on(events.DeviceInUse, self._show_device)
        on(events.NotPresented, self._show_not_presented)
        on(events.DevicesFound, lambda found: self.menus.show_devices(found.devices))
        on(events.Saved, self._show_saved)
        on(events.Notification, self.messages.show_notification)
        on(events.Ended, self._end)

    def _remember_opened(self, opened: events.Opened) -> None:
        if opened.info.path is not None:
            entry = self.session.project or opened.info.path
            self.settings.add_recent(entry)
            self.recent_pictures.make(opened.info, entry)
        self.menus.show_recent(self.settings.recent)
        self._hint()

    def _show_file(self) -> None:
        self._show_title()
        if self.session.project is not None:
            self.settings.add_recent(self.session.project)
            self.menus.show_recent(self.settings.recent)

    def _keep_painted(self, style: str, painted: QImage) -> None:
        opened, chosen = self.session.opened, self.session.choice.style.name
        entry = self.session.project or (opened.info.path if opened is not None else None)
        is_chosen = style == self.gallery.tile_of(chosen) != PASSTHROUGH
        if entry is not None and is_chosen and entry.absolute() in self.settings.recent:
            self.recent_pictures.keep(entry, painted)

    def _show_title(self) -> None:
        project, opened = self.session.project, self.session.opened
        names = [project.name] if project is not None and opened is not None else []
        names += [opened.info.name] if opened is not None else []
        self.setWindowTitle(" – ".join([*names, "Framebrush"]))

    def _show_saved(self, saved: events.Saved) -> None:
        text = self.tr("Saved as {path}").format(path=saved.path)
        self.messages.show_notification(events.Notification(text, path=saved.path))

    def _end(self, _: events.Ended) -> None:
        """Close the window after the player ended, waiting for all threads."""
        self._ended = True
        self.player.join(JOIN_S)
        for part_of_film in (self.transport.popup, self.transport.film):
            part_of_film.close_preview(wait=True)
        for part in self._closed_with_it:
            part.close(wait=True)
        Background.end_all()
        self.close()
        self.deleteLater()

    def _hint(self) -> None:
        if not self.settings.hinted and self.messages.isHidden():
            self.settings.hinted = True
            text = self.tr(
                "Choose a painting on the right. Hold B to see the source; D compares, the wheel zooms, and "
                "F1 lists all keys."
            )
            self.messages.show_notification(events.Notification(text, severity="hint"))

    def _show_busy(self, busy: events.Busy) -> None:
        text = {
            "opening": self.tr("Opening…"),
            "seeking": self.tr("Seeking…"),
            "style": self.tr("Loading the style…"),
            "device": self.tr("Opening the device…"),
        }.get(busy.what, "")
        session, opens = self.session, busy.what == "opening"
        is_renewed = busy.what == "style" and session.awaits_style and session.uses_chosen
        self.notes.show_busy("" if (opens and session.opened is None) or is_renewed else text)
        self.view.invitation.show_busy(text if opens else "")

    def _show_device(self, used: events.DeviceInUse) -> None:
        self._present_on_gpu(self.bridge.presents(used.info))
        self.statistics.show_device(used, self.bridge.unable.get(used.info, ""))
        self._status.device.setText(self.menus.title_of(used.info))
        self._status.device.setToolTip(used.note)
        self.menus.mark_device(used.info)
        self.view.follow()

    def _show_not_presented(self, event: events.NotPresented) -> None:
        self.statistics.show_way(event.reason)
        self._present_on_gpu(False)

    def _present_on_gpu(self, on: bool) -> None:
        self._on_gpu = on
        self._choose_view()
        self.actions_["ten-bits"].setEnabled(on)
        covers = self.watching.overlay, self.veil.overlay, self.subtitles.overlay
        for overlay in (*covers, *self.subtitles.overlay.above):
            overlay.float_over(on)
        self.scopes.show_device(on_gpu=on)

    def _choose_view(self) -> None:
        """Show the swap chain once there is a style to paint in.

        Until then, it would be black over the film.
        """
        self.view.present_on_gpu(self._on_gpu and self.session.style_in_use is not None)

    def _silence_of(self, opened: events.Opened | None) -> str:
        if opened is None or opened.sound or opened.live:
            return ""
        if opened.lacks_output:
            return self.tr("There is no sound output: connect one, and open the video again.")
        return self.tr("This video has no sound.")

    def _show_opened(self, opened: events.Opened | None) -> None:
        info = opened.info if opened else None
        self._show_title()
        self.setWindowFilePath(str(info.path) if info and info.path else "")
        if info is not None:
            self.view.setFocus()  # the focused control may disappear, and Qt would focus the next one, such as Loop
        self.actions_.show_opened(opened)
        silence = self._silence_of(opened)
        self.transport.show_opened(opened, silence)
        self.menus.show_tracks(opened.tracks if opened else (), silence)
        self.statistics.show_video(info)
        self.view.show_video(info, opened.picture if opened else None)
        self.looking.reset()
        facts = f"{info.format.width} × {info.format.height}   {info.codec}" if info is not None else ""
        self._status.facts.setText(facts)
        self._show_seen()
        if info is None:
            self.show_recent()
            self.view.invitation.take_focus()

    # Other slots

    def _follow_choice(self, before: Choice, now: Choice) -> None:
        is_other = (now.style, now.colours) != (before.style, before.colours) or now == before
        if is_other and self.session.awaits_style:
            self.gallery.show_chosen(now.style.name)
            self.style_keys.show()
            self.messages.clear_hint()
        self._show_choice()

    def _show_choice(self) -> None:
        """Show the current settings outside their own controls: in view, actions and status."""
        session, panel = self.session, self.look_panel
        look, sizes, values = session.choice.look, session.choice.sizes, session.choice.recipe.values
        self.transport.styles.show_blocks(blocks_of(session.keys, session.choice.style.name))
        self.transport.masks.show_strokes([stroke.frame for stroke in session.choice.corrections])
        self.view.set_split(None if self.looking.viewport.side_by_side else look.split)
        chosen = {
            "split": look.compares,
            **{name: values[field] for name, field in self.actions_.options.items()},
            "map-sizes": sizes.brush_sizes is not None,
            "map-directions": sizes.brush_directions is not None,
        }
        for name, on in chosen.items():
            with signals_blocked(self.actions_[name]):
                self.actions_[name].setChecked(on)
        self.stroke.show_painting(panel.paints, brushed=panel.brushes)
        self._show_seen()

    def _show_seen(self) -> None:
        self._status.seen.show_state(self.session, paints=self.look_panel.paints)

    def _show_style(self, used: events.StyleInUse) -> None:
        self._choose_view()
        if self.session.uses_chosen:
            self.gallery.show_style(used)
            self.style_keys.show()

    def _show_refused(self) -> None:
        if self.session.style_in_use is not None:
            self.gallery.show_style(self.session.style_in_use)
            self.gallery.show_weights(self.session.mix)
            self.style_keys.show()

    def show_tour(self) -> None:
        """Explain the parts of the window in bubbles, and remember that it was done."""
        self.settings.toured = True
        self.full_screen.leave()
        self.actions_["panel"].setChecked(True)
        self.side.setCurrentIndex(0)
        opener = self.view.invitation.button
        self.tour.begin(
            opener if opener.isVisible() else self.menuBar(),
            *(self.gallery.tiles, self.stroke, self.transport, self.transport.export),
        )

    def show_about(self) -> None:
        from framebrush.window.about import About  # package metadata would take a tenth of the window's start-up time

        About(self).open()

    def show_native(self, on: bool) -> None:
        """Handle showing or hiding of the window for the GPU's swap chain."""
        self.bridge.window_shown = on
        if on:
            self.player.attach()

    def show_finished(self, job: ExportJob) -> None:
        text = self.tr("{name} is finished.").format(name=Path(job.spec.target).name)
        self.messages.show_notification(events.Notification(text, path=job.spec.target))
        self.notifier.say(text)
