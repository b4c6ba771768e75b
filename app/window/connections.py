"""Connections of playback actions and other keys."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QMainWindow

from framebrush.media.video import Position
from framebrush.playback import events
from framebrush.styles.style_names import PASSTHROUGH
from framebrush.window.inspector import Inspector
from framebrush.window.painted.mask_corrections import MaskStrokes
from framebrush.window.state.actions import Actions
from framebrush.window.state.session import Session
from framebrush.window.styles.gallery import SLOTS, Gallery
from framebrush.window.transport.bar import Transport
from framebrush.window.transport.style_lane import blocks_of

LAST_FRAME = 1 << 31  # more than any film has: seeking behind the end goes to the last


def connect_playback(actions: Actions, session: Session, transport: Transport) -> None:
    """Connect actions that need only player and transport."""

    player, play = session.player, actions["play"]

    def seek(frame: int) -> None:
        player.seek(Position.of_frame(frame))

    def play_faster() -> None:
        """Play; if playing, double the speed."""
        transport.multiply_speed(2.0 if play.isChecked() else 0.0)
        play.setChecked(True)  # the key may be pressed again before the player's event arrives
        player.play(True)

    def play_slower() -> None:
        """Halve the speed, or step back while paused."""
        if play.isChecked():
            transport.multiply_speed(0.5)
        else:
            player.step(-1)

    def seek_chapter(*, later: bool) -> None:
        start = transport.chapter_beside(later)
        if start is not None:
            player.seek(Position(start, "s"))

    actions.connect_triggers(
        {
            "close": player.close_video,
            "next-chapter": lambda: seek_chapter(later=True),
            "previous-chapter": lambda: seek_chapter(later=False),
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
            "timeline-in": lambda: transport.timeline.zoom_step(1),
            "timeline-out": lambda: transport.timeline.zoom_step(-1),
            "timeline-whole": lambda: transport.timeline.zoom_step(0),
            "no-style": lambda: session.use_style(PASSTHROUGH),
        },
    )
    play.triggered.connect(lambda on: player.play(on))  # Qt passes the state only to callables with a parameter
    actions["loop"].toggled.connect(player.set_loop)
    transport.sought.connect(lambda ms: player.seek(Position(Fraction(ms, 1000), "s")))
    transport.place_asked.connect(lambda position: player.seek(position, on_screen=True))
    transport.speed_chosen.connect(player.set_speed)


def connect_timeline(transport: Transport, session: Session, inspector: Inspector, strokes: MaskStrokes) -> None:
    """Connect the timeline's lanes."""
    keys, strip, titles = inspector.keys, transport.strip, inspector.titles

    def show_choice() -> None:
        transport.styles.show_blocks(blocks_of(session.keys, session.choice.style.name))
        transport.masks.show_strokes([stroke.frame for stroke in session.choice.corrections])

    session.changed.connect(show_choice)
    session.loaded.connect(show_choice)
    show_choice()
    keys.changed.connect(lambda: strip.show_keys(keys.places, titles))
    keys.changed.connect(lambda: transport.curves.show_tracks(session.keys, titles))
    strip.moved.connect(keys.move)
    strip.removed.connect(keys.remove)
    strip.eased.connect(keys.ease)
    strip.copied.connect(keys.copy)
    strip.pasted.connect(keys.paste)
    transport.masks.removed.connect(strokes.remove)
    session.events.on(events.Shown, lambda shown: transport.show_position(shown.at))
    session.events.on(events.Ready, transport.show_ready)
    session.events.on(events.InOutChanged, transport.show_marks)


def connect_keys(window: QMainWindow, gallery: Gallery, leave_full_screen: Callable[[], None]) -> None:
    """Connect the keys 1 to 9 to styles, and Esc to leaving full screen."""
    for slot in range(1, SLOTS + 1):
        key = QShortcut(QKeySequence(str(slot)), window)
        key.activated.connect(lambda slot=slot: gallery.choose_slot(slot))
    QShortcut(QKeySequence("Esc"), window).activated.connect(leave_full_screen)
