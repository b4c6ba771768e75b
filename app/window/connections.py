"""What the playback actions and the keys without an action do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QMainWindow

from framebrush.media.video import Position
from framebrush.playback.player import Player
from framebrush.styles import PLAIN
from framebrush.window.actions import Actions
from framebrush.window.gallery import SLOTS, Gallery
from framebrush.window.help import HelpSheet
from framebrush.window.transport import Transport

if TYPE_CHECKING:
    from framebrush.window.main_window import MainWindow

LAST_FRAME = 1 << 31


def connect_parts(window: MainWindow) -> None:
    """Connect the signals of a window's parts and its actions."""

    def show_about() -> None:
        from framebrush.window.about import About  # the metadata of packages take a tenth of the window's start

        About(window).open()

    actions, player, exports, look = window.actions_, window.player, window.exports, window.look_panel
    window.bridge.event_posted.connect(window.take)
    window.view.open_asked.connect(window.ask_video)
    window.view.dropped.connect(window.open_dropped)
    for dropped in (window.view.style_dropped, window.gallery.dropped):
        dropped.connect(window.own_styles.take)
    window.view.style_offered.connect(window.own_styles.offer)
    window.view.resized.connect(player.resize)
    window.view.native_shown.connect(window.show_native)
    window.view.split_moved.connect(look.set_split)
    window.view.double_clicked.connect(actions["full-screen"].trigger)
    window.view.pointer_moved.connect(window.full_screen.show_transport)
    window.gallery.chosen.connect(window.use_style)
    window.stroke.changed.connect(window.use_sizes)
    window.menus.preview_chosen.connect(window.use_preview)
    window.menus.precision_chosen.connect(window.use_precision)
    window.gallery.mixed.connect(window.blend)
    window.looking.changed.connect(player.look_at)
    for changed in (window.looking.held, actions["side-by-side"].toggled):
        changed.connect(lambda _: window.use_look(look.look))
    look.changed.connect(window.use_look)
    look.brushwork.title.setChecked(window.settings.brushwork)
    look.brushwork.title.toggled.connect(window.settings.show_brushwork)
    window.export_panel.dropped.connect(window.exporting.add)
    panel = window.export_panel
    panel.files_asked.connect(window.exporting.add_files)
    panel.folder_asked.connect(window.exporting.add_folder)
    panel.target_asked.connect(window.exporting.choose_folder)
    panel.beside_asked.connect(window.exporting.beside_the_videos)
    window.messages.open_asked.connect(exports.open_file)
    exports.finished.connect(window.show_finished)
    exports.notified.connect(window.messages.show_notification)
    exports.counted.connect(window.show_count)
    window.neighbours.found.connect(window.open)
    window.menus.track_chosen.connect(player.use_track)
    window.view.menu_asked.connect(window.menus.show_over_picture)
    window.menus.recent_chosen.connect(window.open)
    window.menus.device_chosen.connect(window.use_device)
    window.menus.theme_chosen.connect(window.use_theme)
    QApplication.styleHints().colorSchemeChanged.connect(window.apply_theme)
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app.focusChanged.connect(window.keys.follow)
    connect_keys(window, window.gallery, window.full_screen.leave)
    connect_playback(actions, player, window.transport)
    triggers: dict[str, Callable[[], Any]] = {
        "open": window.ask_video,
        "new-style": window.own_styles.make,
        "open-style": window.own_styles.ask,
        "export": window.exporting.ask,
        "screenshot": window.screenshot,
        "quit": window.close,
        "reset-look": look.reset,
        "about": show_about,
        "next-file": lambda: window.look_beside(1),
        "previous-file": lambda: window.look_beside(-1),
        "help": lambda: HelpSheet(window, actions.entries).open(),
    }
    connect_triggers(actions, triggers)
    for name, checked in (("panel", True), ("ten-bits", window.settings.ten_bits)):
        actions[name].setChecked(checked)
    toggles: dict[str, Callable[[bool], Any]] = {
        "split": look.compare,
        "keep-colours": look.keep_colours,
        "statistics": window.show_statistics,
        "full-screen": window.full_screen.turn,
        "panel": window.side.setVisible,
        "ten-bits": window.show_ten_bits,
    }
    for name, call in toggles.items():
        actions[name].toggled.connect(call)
    actions["full-screen"].toggled.connect(window.awake.show_full_screen)


def connect_triggers(actions: Actions, calls: Mapping[str, Callable[[], Any]]) -> None:
    """Call these when the actions of their names are triggered."""
    for name, call in calls.items():
        actions[name].triggered.connect(lambda _=False, call=call: call())


def connect_playback(actions: Actions, player: Player, transport: Transport) -> None:
    """The actions that need the player and the transport alone."""

    play = actions["play"]

    def seek(frame: int) -> None:
        player.seek(Position(Fraction(frame), "frame"))

    def play_faster() -> None:
        """L as in video editors: play at normal speed, and twice as fast each time again."""
        transport.multiply_speed(2.0 if play.isChecked() else 0.0)
        play.setChecked(True)  # the key may be pressed again before the player's event arrives
        player.play(True)

    def play_slower() -> None:
        """J as in video editors, without reverse playback: half as fast each time; paused, one frame back."""
        if play.isChecked():
            transport.multiply_speed(0.5)
        else:
            player.step(-1)

    connect_triggers(
        actions,
        {
            "close": player.close_video,
            "play-slower": play_slower,
            "play-faster": play_faster,
            "pause": lambda: player.play(False),
            "step-forward": lambda: player.step(1),
            "step-back": lambda: player.step(-1),
            "forward": lambda: player.skip(Fraction(5)),
            "back": lambda: player.skip(Fraction(-5)),
            "forward-fine": lambda: player.skip(Fraction(1)),
            "back-fine": lambda: player.skip(Fraction(-1)),
            "first": lambda: seek(0),
            "last": lambda: seek(LAST_FRAME),
            "slower": lambda: transport.step_speed(-1),
            "faster": lambda: transport.step_speed(1),
            "normal-speed": lambda: transport.step_speed(0),
            "mark-in": lambda: player.mark(first=True),
            "mark-out": lambda: player.mark(first=False),
            "clear-marks": player.clear_marks,
            "no-style": lambda: player.use_style(PLAIN),
        },
    )
    play.triggered.connect(player.play)  # with whether it is to play
    actions["loop"].toggled.connect(player.set_loop)
    transport.sought.connect(lambda ms: player.seek(Position(Fraction(ms, 1000), "s")))
    transport.speed_chosen.connect(player.set_speed)


def connect_keys(window: QMainWindow, gallery: Gallery, leave_full_screen: Callable[[], None]) -> None:
    """The keys 1 to 9 choose styles, Esc leaves the full screen."""
    for slot in range(1, SLOTS + 1):
        key = QShortcut(QKeySequence(str(slot)), window)
        key.activated.connect(lambda slot=slot: gallery.choose_slot(slot))
    QShortcut(QKeySequence("Esc"), window).activated.connect(leave_full_screen)
