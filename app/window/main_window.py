"""The main window."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QDialog, QMainWindow

from framebrush.base.worker_thread import JOIN_S
from framebrush.playback import events
from framebrush.playback.ahead.render_cache import RenderCache, memory_budget
from framebrush.playback.ahead.store import RenderStore
from framebrush.playback.player import Player
from framebrush.playback.reading.reading_process import ReadingProcess
from framebrush.styles import reference_pictures
from framebrush.styles.keys_folder import names_keys
from framebrush.styles.specs import SizeSpec
from framebrush.window import layout
from framebrush.window.connections import connect_keys, connect_playback, connect_timeline
from framebrush.window.exports.export_list import ExportPanel
from framebrush.window.exports.export_runner import ExportRunner
from framebrush.window.exports.exporting import Exporting
from framebrush.window.exports.tab import ExportTab
from framebrush.window.external_painting import Painting
from framebrush.window.file_opening import LOOK, NO_FILMS, TABLE, Opening
from framebrush.window.help import HelpSheet
from framebrush.window.inspector import Inspector
from framebrush.window.manual.window import show_page
from framebrush.window.overlays import Overlays
from framebrush.window.painted.mask_corrections import MaskStrokes
from framebrush.window.picture.bridge import Bridge, save_picture
from framebrush.window.picture.full_screen import FullScreen
from framebrush.window.picture.keep_awake import Awake
from framebrush.window.picture.notes import Notes
from framebrush.window.picture.picture_messages import MessageBar
from framebrush.window.picture.touch import Touch
from framebrush.window.picture.view import VideoView
from framebrush.window.preferences import Preferences
from framebrush.window.presentation import Presentation
from framebrush.window.project.history import History
from framebrush.window.project.keeper import ProjectKeeper
from framebrush.window.project.launch import Launch
from framebrush.window.project.restore_point import RestorePointReporter
from framebrush.window.recents import Recents
from framebrush.window.reports import Reports
from framebrush.window.shared import Shared
from framebrush.window.state.actions import Actions, key_text
from framebrush.window.state.menus import Menus
from framebrush.window.state.session import Session
from framebrush.window.state.window_settings import Settings
from framebrush.window.transport.bar import Transport
from framebrush.window.transport.delays import Delays
from framebrush.window.transport.live_control import Live
from framebrush.window.transport.markers import Markers
from framebrush.window.transport.playlist import Playlist
from framebrush.window.transport.seekbar import clock
from framebrush.window.transport.subtitle_control import SubtitleControl
from framebrush.window.transport.volume import Volume
from framebrush.window.widgets import theme
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.controls import KeysToFocus, accept_copy, application, look_files
from framebrush.window.widgets.file_dialogs import Files


def _player(bridge: Bridge, settings: Settings, sizes: SizeSpec, reading: ReadingProcess | None) -> Player:
    player = Player(
        bridge.post_event,
        bridge.make_surface,
        save_picture,
        sizes=sizes,
        renders=RenderCache(memory_budget()),
        store=RenderStore(settings.renders_folder, settings.renders_gb * 10**9),
        reading=reading,
    )
    if any(sizes.brush_pictures.values()):
        player.use_sizes(sizes)  # the player reads the sizes
    return player


class MainWindow(QMainWindow):
    """Window with one video, one player and one export queue."""

    def __init__(
        self,
        settings: Settings,
        exports: ExportRunner,
        launch: Launch = Launch(),  # noqa: B008 - it is frozen
        reading: ReadingProcess | None = None,
    ) -> None:
        """Create the window.

        Args:
            device, style, colours: for this session; default: remembered.
            reading: as for `Player`, which closes it.
            back_at: restores the position and look in `source` after a crash.
        """
        super().__init__()
        self.setWindowTitle("Framebrush")
        self.setAcceptDrops(True)
        self.settings, self.exports, self._ended = settings, exports, False
        exports.renders_folder = settings.renders_folder
        self.actions_, self.bridge = Actions(self), Bridge(None, self)
        self.view = VideoView(self.bridge.box)
        self.notes = Notes(self.view)
        self.messages = MessageBar(self.view, self.notes)
        colours = theme.prepare(application(), settings.theme)
        self.actions_.draw(colours)  # first, because a button without an icon needs room for its text
        self.messages.draw(colours)
        self.bridge.window, self.bridge.ten_bits = self.view.native_window, settings.ten_bits
        self.transport = Transport(self.actions_)
        self.transport.popup.reading = self.transport.film.reading = reference_pictures.elsewhere = reading
        if launch.style:  # asked for, and not to be overruled by a film's own
            settings.painted = launch.style if names_keys(launch.style) else ""
        choice = launch.choice(settings)
        self.player = _player(self.bridge, settings, choice.sizes, reading)
        self.session, self.files = Session(self.player, settings, choice, self), Files(self, settings)
        self.place = RestorePointReporter(self.session)
        shared = Shared(self.session, self.actions_, self.files, self.bridge, self.view, self.messages, self.notes)
        self.inspector = Inspector(self, shared, exports.queue.unfinished)
        self.export_panel = ExportPanel(exports, settings.output_folder)
        self.painting = Painting(self.session, self.actions_, self.transport, reading, self)
        self.mask_strokes = MaskStrokes(self.session, reading, self)
        self.history = History(self.session, self.actions_, self.painting.keys, self.mask_strokes)
        self.keys = KeysToFocus(self)
        titles = self.tr("Painting"), self.tr("Exports")
        self.side = layout.side_panel(self.inspector.gallery, self.inspector.panel, self.export_panel, titles)
        self.columns = layout.columns(self.view, self.transport, self.side, self.width())
        self.setCentralWidget(self.columns)
        theme.finish(application(), colours)
        self.menus = Menus(self, self.actions_, settings)
        tools = self.inspector.panel.subject.tools
        self.overlays = Overlays(shared, self.inspector.looks, self.mask_strokes, tools)
        self._add_parts(shared, launch, reading)
        self._connect_session()
        self._connect_view()
        self._connect_exports()
        self._connect_actions()
        self._begin(launch)

    def _add_parts(self, shared: Shared, launch: Launch, reading: ReadingProcess | None) -> None:
        session, actions, notes, panel = self.session, self.actions_, self.notes, self.inspector.panel
        lane = self.transport.subtitles
        self.subtitles = SubtitleControl(self.overlays.subtitles, lane, self.menus, session, reading)
        self.full_screen = FullScreen(self, actions, self.view, self.transport)
        self.awake, self.touch = Awake(self), Touch(self.view, session)
        self.markers = Markers(session, actions, self.transport.markers)
        self.playlist = Playlist(self.menus, session, notes)
        self.delays = Delays(actions, session, self.subtitles, notes)
        self.project = ProjectKeeper(session, self.history, self.delays, self.files, launch)
        exporting = self.session, self.exports, self.export_panel, self.files, self.project, self.menus
        self.exporting = Exporting(self, *exporting)
        self.live = Live(self, actions, session, self.transport)
        ExportTab(self.side, self.exports)
        Volume(self.transport, actions, self.player, self.settings, notes)
        openers = {TABLE: panel.colours.open_table, LOOK: self.inspector.looks.take}
        self.opening = Opening(shared, self.project, self.playlist, openers)
        self.recents = Recents(session, self.menus, self.view.invitation, self.inspector.gallery, reading)
        self.presentation = Presentation(shared, self.overlays)
        self.preferences = Preferences(shared, self.presentation)
        self.reports = Reports(self, shared, self.exports)
        self.status = layout.StatusLine(self.statusBar(), session, panel, self.menus.title_of)

    def _begin(self, launch: Launch) -> None:
        """Show the settings, open the source, start the player."""
        settings, source, back_at = self.settings, launch.source, launch.back_at
        self.inspector.show_choice()
        self.overlays.show_split()
        self.session.events.dispatch(events.Closed())
        layout.restore(self, self.columns, settings)
        self.inspector.own_styles.begin()  # before the player loads a style, which would delay the gallery
        is_film = not launch.begins_with(NO_FILMS)
        if source is not None and is_film:
            self.opening.open(source, play=back_at is None)  # before device and style, to be seen while they are opened
        if back_at is not None:
            go = partial(back_at.restore, self.session, self.inspector.keys)
            go()
            if back_at.project:  # the project is read first
                self.project.began.connect(go, Qt.ConnectionType.SingleShotConnection)
        self.session.begin()
        self.inspector.gallery.show_chosen(self.session.choice.style.name)  # the style is in use only later
        if source is not None and not is_film:
            self.opening.open(source)
        self.preferences.begin()
        self.player.list_devices()

    # Connections

    def _connect_session(self) -> None:
        session, menus, on = self.session, self.menus, self.session.events.on
        self.bridge.event_posted.connect(session.events.dispatch)
        session.film_changed.connect(self._show_opened)
        on(events.Statistics, self.overlays.statistics.show_measured)
        on(events.SizesInUse, lambda sizes: self.view.show_lines(sizes.sizes.target[1]))
        on(events.Playing, lambda playing: self.actions_["play"].setChecked(playing.on))
        on(events.Playing, lambda playing: self.awake.show_playing(playing.on))
        on(events.DeviceInUse, lambda used: menus.mark_device(used.info))
        on(events.DevicesFound, lambda found: menus.show_devices(found.devices))
        on(events.Ended, self._end)
        menus.setting_chosen.connect(self.preferences.use)
        menus.device_chosen.connect(self.preferences.use_device)
        menus.track_chosen.connect(self.player.use_track)
        menus.recent_chosen.connect(self.opening.open)
        menus.page_chosen.connect(partial(show_page, self))
        self.live.open_asked.connect(self.opening.open)
        self.inspector.restyled.connect(self.messages.clear_hint)
        self.inspector.film_tiles.painted.connect(self.recents.keep_painted)
        self.painting.styled.connect(self.history.follow_style)
        self.painting.offered.connect(self.inspector.gallery.show_painted)
        self.painting.learner.learnt.connect(self.inspector.film_tiles.renew)

    def _connect_view(self) -> None:
        view, touch = self.view, self.touch
        view.resized.connect(self.player.resize)
        view.double_clicked.connect(self.actions_["full-screen"].trigger)
        view.pointer_moved.connect(self.full_screen.show_transport)
        view.menu_asked.connect(self.menus.over_picture.popup)
        touch.tapped.connect(self.actions_["play"].trigger)
        touch.touched.connect(self.full_screen.show_transport)
        touch.sought.connect(self.transport.sought)
        touch.sought.connect(lambda ms: self.notes.say(clock(ms / 1000)))
        application().focusChanged.connect(self.keys.follow)

    def _connect_exports(self) -> None:
        exporting, project = self.exporting, self.project
        exporting.queued.connect(lambda: self.side.setCurrentWidget(self.export_panel))
        exporting.queued.connect(self.messages.clear_hint)
        project.file_changed.connect(self._show_title)
        project.file_changed.connect(self.recents.add_project)
        undo = key_text("Ctrl+Z")
        project.restored.connect(lambda: self.notes.say(self.tr("As you left it; {key} undoes").format(key=undo)))

    def _connect_actions(self) -> None:
        actions, exporting = self.actions_, self.exporting
        connect_keys(self, self.inspector.gallery, self.leave)
        connect_playback(actions, self.session, self.transport)
        connect_timeline(self.transport, self.session, self.inspector, self.mask_strokes)
        triggers: dict[str, Callable[[], Any]] = {
            "save-project": self.project.ask_name,
            "export": exporting.ask,
            "export-files": exporting.add_files,
            "export-list": lambda: exporting.add(self.playlist.paths),
            "export-reveal": exporting.ask_reveal,
            "quit": self.close,
            "go-to": self.ask_place,
            "find-setting": self.find_setting,
            "clear-renders": self.player.clear_renders,
            "about": self.show_about,
            "tour": self.show_tour,
            "help": lambda: HelpSheet(self, actions.groups).open(),
        }
        actions.connect_triggers(triggers)
        actions["panel"].setChecked(True)
        actions["panel"].toggled.connect(self.side.setVisible)
        for follow in (self.full_screen.turn, self.awake.show_full_screen):
            actions["full-screen"].toggled.connect(follow)

    # Commands

    def leave(self) -> None:
        """Leave the innermost mode: a tool, the tour or full screen."""
        if not self.overlays.leave():
            self.full_screen.leave()

    def ask_place(self) -> None:
        """Ask for a position, even if the transport is hidden."""
        self.full_screen.show_transport()
        self.transport.ask_place()

    def find_setting(self) -> None:
        self._show_inspector()
        self.inspector.panel.show_control(self.inspector.panel.search)

    def _show_inspector(self) -> None:
        self.actions_["panel"].setChecked(True)
        self.side.setCurrentIndex(0)

    def show_tour(self) -> None:
        """Show the tour, and remember that it was shown."""
        self.settings.toured = True
        self.full_screen.leave()
        self._show_inspector()
        opener = self.view.invitation.button
        self.overlays.tour.begin(
            opener if opener.isVisible() else self.menuBar(),
            *(self.inspector.gallery.tiles, self.inspector.stroke, self.transport, self.transport.export),
        )

    def show_about(self) -> None:
        from framebrush.window.about import About  # package metadata would take a tenth of the window's start-up time

        About(self).open()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        if look_files(event.mimeData()):  # of a look, that no part of the window took
            accept_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        looks = look_files(event.mimeData())
        if looks and accept_copy(event):
            self.opening.open(looks[0])

    def event(self, event: QEvent) -> bool:
        """Follow the screen's pixel density, which changeEvent misses."""
        done = super().event(event)
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.view.follow()
            self.inspector.gallery.draw()
        return done

    # The film

    def _show_title(self) -> None:
        project, opened = self.session.project, self.session.opened
        names = [project.name] if project is not None and opened is not None else []
        names += [opened.info.name] if opened is not None else []
        self.setWindowTitle(" – ".join([*names, "Framebrush"]))

    def _show_opened(self, opened: events.Opened | None) -> None:
        info = opened.info if opened else None
        self._show_title()
        self.setWindowFilePath(str(info.path) if info and info.path else "")
        if info is not None:
            self.view.setFocus()  # the focused control may disappear, and Qt would focus the next one, such as Loop
        self.actions_.show_opened(opened)
        self.transport.show_opened(opened)
        self.menus.show_tracks(opened.tracks if opened else (), self.transport.silence)
        self.overlays.statistics.show_video(info)
        self.view.show_video(info, opened.picture if opened else None)
        self.overlays.looking.reset()
        if info is None:
            self.view.invitation.take_focus()

    # The end

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        if self._ended:
            event.accept()
            return
        event.ignore()
        if self.exporting.is_running and not application().isSavingSession():
            self.exporting.ask_quit(self.quit)
        else:
            self.quit()

    def quit(self) -> None:
        """End the player, which then closes the window."""
        if self.isVisible():
            self.settings.geometry = self.saveGeometry()
            self.settings.columns = self.columns.saveState()
            self.session.save_settings()
        self.overlays.mask_brush.leave()
        for dialog in filter(QDialog.isVisible, self.findChildren(QDialog)):
            dialog.reject()  # which may run a trial
        self.hide()
        for overlay in self.overlays.subtitles.above:  # windows of their own do not hide with it
            overlay.hide()
        self.exports.stop()
        self.inspector.own_styles.close()
        self.inspector.style_keys.close()
        self._close_parts()
        self.player.quit()

    def _close_parts(self, *, wait: bool = False) -> None:
        for part in (
            *(self.project, self.place, self.subtitles, self.recents),
            *(self.inspector.film_tiles, self.inspector.brush_strips),
            *(self.painting, self.overlays),
        ):
            part.close(wait=wait)

    def _end(self, _: events.Ended) -> None:
        self._ended = True
        self.player.join(JOIN_S)
        for part_of_film in (self.transport.popup, self.transport.film):
            part_of_film.close_preview(wait=True)
        self._close_parts(wait=True)
        Background.end_all()
        self.close()
        self.deleteLater()
