"""Which wish goes where: the signals of the window's parts and its actions."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication

from framebrush.media.video import Position
from framebrush.playback.styles import PLAIN
from framebrush.window.help import HelpSheet

if TYPE_CHECKING:
    from framebrush.window.main_window import MainWindow


def wire(window: MainWindow) -> None:
    """Connect everything."""
    window.bridge.news.connect(window.take)
    window.view.open_asked.connect(window.ask_video)
    window.view.dropped.connect(window.open_dropped)
    window.export_panel.dropped.connect(window.export_all)
    window.view.resized.connect(window.player.resize)
    window.view.native_shown.connect(window.show_native)
    window.view.split_moved.connect(window.look_panel.set_split)
    window.view.double_clicked.connect(window.actions_["full-screen"].trigger)
    window.view.pointer_moved.connect(window.full_screen.show_transport)
    window.transport.sought.connect(lambda ms: window.player.seek(Position(Fraction(ms, 1000), "s")))
    window.transport.speed_chosen.connect(window.player.set_speed)
    window.transport.volume.setValue(round(100 * window.settings.volume))
    window.transport.volume_moved.connect(window.set_volume)
    window.gallery.chosen.connect(window.player.use_style)
    window.gallery.mixed.connect(window.blend)
    window.look_panel.changed.connect(window.use_look)
    window.exports.told.connect(window.messages.show_notification)
    window.exports.counted.connect(window.show_count)
    QApplication.styleHints().colorSchemeChanged.connect(window.apply_theme)
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app.focusChanged.connect(window.keys.follow)
    for slot in range(1, 10):
        key = QShortcut(QKeySequence(str(slot)), window)
        key.activated.connect(lambda slot=slot: window.gallery.choose_slot(slot))
    QShortcut(QKeySequence("Esc"), window).activated.connect(window.full_screen.leave)
    _wire_actions(window)


def _wire_actions(window: MainWindow) -> None:
    player = window.player

    def seek(frame: int) -> None:
        player.seek(Position(Fraction(frame), "frame"))

    calls: dict[str, Any] = {
        "open": window.ask_video,
        "open-style": window.ask_style,
        "export": window.ask_export,
        "screenshot": window.screenshot,
        "close": player.close_video,
        "quit": window.close,
        "play-slower": window.play_slower,
        "pause": lambda: player.play(False),
        "play-faster": window.play_faster,
        "step-forward": lambda: player.step(1),
        "step-back": lambda: player.step(-1),
        "forward": lambda: player.skip(Fraction(5)),
        "back": lambda: player.skip(Fraction(-5)),
        "forward-fine": lambda: player.skip(Fraction(1)),
        "back-fine": lambda: player.skip(Fraction(-1)),
        "first": lambda: seek(0),
        "last": lambda: seek(1 << 31),
        "slower": lambda: window.transport.step_speed(-1),
        "faster": lambda: window.transport.step_speed(1),
        "normal-speed": lambda: window.transport.step_speed(0),
        "mark-in": lambda: player.mark(first=True),
        "mark-out": lambda: player.mark(first=False),
        "clear-marks": player.clear_marks,
        "no-style": lambda: player.use_style(PLAIN),
        "reset-look": window.look_panel.reset,
        "help": lambda: HelpSheet(window, window.actions_.entries).open(),
    }
    for name, call in calls.items():
        window.actions_[name].triggered.connect(lambda _=False, call=call: call())
    window.actions_["play"].triggered.connect(player.play)  # with whether it is to play
    toggles: dict[str, Any] = {
        "loop": player.set_loop,
        "mute": window.mute,
        "split": window.look_panel.compare,
        "keep-colours": window.look_panel.keep_colours,
        "statistics": window.show_statistics,
        "full-screen": window.full_screen.turn,
        "panel": window.side.setVisible,
        "ten-bits": window.show_ten_bits,
    }
    window.actions_["panel"].setChecked(True)
    window.actions_["mute"].setChecked(window.settings.muted)
    window.actions_["ten-bits"].setChecked(window.settings.ten_bits)
    for name, call in toggles.items():
        window.actions_[name].toggled.connect(call)
