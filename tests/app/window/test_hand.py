"""Sequences of user input over two films of different shape: pixels and texts match the state at each step."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QCursor, QHelpEvent
from PySide6.QtWidgets import (
    QAbstractSlider,
    QApplication,
    QComboBox,
    QMenu,
    QPlainTextEdit,
    QScrollArea,
    QScrollBar,
    QSlider,
    QToolButton,
    QToolTip,
    QWidget,
)

from framebrush.window.about import About
from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.exports.export_queue import State
from framebrush.window.picture.notes import Note
from framebrush.window.widgets.controls import LabelledSlider, column_of
from framebrush.window.widgets.theme import DARK, LIGHT, Theme
from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.hand import Hand, Pixels, farthest, pixels_of

pytestmark = pytest.mark.media

CONTROL, RIGHT = Qt.KeyboardModifier.ControlModifier, Qt.MouseButton.RightButton
WIDE, HIGH = "extras.mkv", "rotated.mp4"  # of 160x96, with subtitles; the same turned, without


@pytest.fixture
def theme(request: pytest.FixtureRequest) -> Theme:
    """Dark, where a test does not look at both."""
    return getattr(request, "param", "dark")  # type: ignore[no-any-return]


in_both_themes = pytest.mark.parametrize("theme", ["dark", "light"], indirect=True)


@pytest.fixture(autouse=True)
def unhurt(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An exception in a slot is only printed; here it fails."""
    errors: list[object] = []
    monkeypatch.setattr(sys, "excepthook", lambda *error: errors.append(error))
    yield
    assert errors == []


@pytest.fixture
def hand(application: QApplication, tmp_path: Path, theme: Theme) -> Iterator[Hand]:
    desk = Desk(tmp_path)
    desk.window.preferences.use("theme", theme)
    videos = tmp_path / "videos"
    videos.mkdir()
    for name, clip in (("1-wide.mkv", WIDE), ("2-high.mp4", HIGH)):
        shutil.copy(CLIPS / clip, videos / name)
    desk.wait(lambda: len(desk.window.inspector.gallery.names) > 5, "the gallery")
    desk.open(videos / "1-wide.mkv")
    yield Hand(desk)
    desk.close()
    desk.wait(lambda: desk.exports.is_idle, "the exports' process")


def accent(theme: Theme) -> Pixels:
    colour = (LIGHT if theme == "light" else DARK).accent
    return np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)], np.uint8)


def shape(desk: Desk) -> float:
    """Of the picture that is seen, width by height: from what differs from the stage around it."""
    view = pixels_of(desk.window.view)
    lit = (np.abs(view.astype(int) - view[0, 0]) > 2).any(axis=2)
    width, height = (np.flatnonzero(lit.any(axis=axis))[[0, -1]] @ (-1, 1) + 1 for axis in (0, 1))
    return float(width / height)


def next_file(hand: Hand, name: str) -> None:
    desk = hand.desk
    hand.key(Qt.Key.Key_PageDown)
    desk.wait(lambda: name in desk.window.windowTitle() and desk.window.view.painted.image is not None, name)
    hand.key("k")
    hand.key(Qt.Key.Key_Home)
    desk.wait_number(0)
    desk.rest(0.2)


def menu_over(hand: Hand, at: QPoint) -> dict[str, QAction]:
    """Right-click the picture; return its menu's entries by text."""
    hand.click(hand.desk.window.view.painted, at, RIGHT)
    hand.desk.wait(lambda: isinstance(QApplication.activePopupWidget(), QMenu), "the menu")
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return {action.text(): action for action in menu.actions()}


@pytest.mark.slow
def test_a_right_click_does_not_touch_the_next_file(hand: Hand) -> None:
    desk, window = hand.desk, hand.desk.window
    assert shape(desk) == pytest.approx(160 / 96, rel=0.02)
    desk.wait(lambda: len(window.subtitles.tracks) == 1, "the subtitles")
    for x in (100, 200):  # two clicks at one place would be a double click
        entries = menu_over(hand, QPoint(x, 100))
        assert entries["Subtitles"].isEnabled()
        hand.key(Qt.Key.Key_Escape)
        desk.wait(lambda: QApplication.activePopupWidget() is None, "its end")
        desk.rest(0.05)
    next_file(hand, "2-high.mp4")
    assert shape(desk) == pytest.approx(96 / 160, rel=0.02)
    entries = menu_over(hand, QPoint(150, 100))
    assert not entries["Subtitles"].isEnabled()
    hand.choose(entries["Compare with the source"])
    assert window.actions_["split"].isChecked()


@pytest.mark.slow
def test_the_left_button_alone_double_clicks(hand: Hand) -> None:
    for button, full in ((Qt.MouseButton.MiddleButton, False), (Qt.MouseButton.LeftButton, True)):
        hand.double_click(hand.desk.window.view.painted, QPoint(50, 50), button)
        hand.desk.rest(0.1)
        assert hand.desk.window.actions_["full-screen"].isChecked() is full
        hand.key(Qt.Key.Key_Escape)


@in_both_themes
@pytest.mark.slow
def test_each_toggle_shows_its_state(hand: Hand, theme: Theme) -> None:
    desk, wanted = hand.desk, accent(theme)

    def shows_accent(seen: Pixels) -> bool:
        return bool((np.abs(seen.astype(int) - wanted).max(axis=2) < 24).any())

    for name in ("loop", "split", "panel", "mute", "full-screen"):
        button, action = hand.button(name), desk.window.actions_[name]
        first = action.isChecked()

        def look(button: QWidget = button) -> Pixels:
            hand.leave()
            desk.rest(0.05)
            desk.wait(button.isVisible, "the button")
            return pixels_of(button, button.rect().adjusted(3, 3, -3, -3))

        seen = {first: look()}
        hand.click(button)
        assert action.isChecked() is not first, name
        if name == "full-screen":
            desk.window.full_screen.show_transport()
        seen[not first] = look()
        assert farthest(seen[True], seen[False]) > 60, f"both states of {name} look alike"
        if name != "mute":  # which is drawn as another icon
            assert (shows_accent(seen[True]), shows_accent(seen[False])) == (True, False), name
        hand.click(button)
        assert action.isChecked() is first, name
        assert farthest(look(), seen[first]) < 16, name


@pytest.mark.slow
def test_tab_through_everything_changes_nothing(hand: Hand) -> None:
    """Blend and picture stay, though the focus was in the gallery."""
    desk, window = hand.desk, hand.desk.window
    gallery = window.inspector.gallery
    hand.key(str(gallery.names.index("great-wave")))
    desk.wait_style("great-wave")
    hand.click(gallery.blend.button)
    slider = gallery.blend.sliders[0].slider
    hand.click(slider, QPoint(slider.width() - 4, slider.height() // 2))
    desk.wait(lambda: window.session.mix[0] > 0, "the blend")
    before = desk.wait_still()
    name = window.session.choice.style.name
    assert gallery.tiles.currentRow() == -1
    reached = set()
    for modifier in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier):
        for _ in range(60):
            hand.key(Qt.Key.Key_Tab, modifier)
            reached.add(QApplication.focusWidget())
    assert gallery.tiles in reached
    desk.rest(0.3)
    assert window.session.choice.style.name == name
    assert not window.session.awaits_style
    assert gallery.tiles.currentRow() == -1
    assert farthest(desk.picture()[..., :3], before[..., :3]) <= 1
    gallery.tiles.setFocus(Qt.FocusReason.TabFocusReason)
    hand.key(Qt.Key.Key_Down)  # from a blend, into the tiles
    desk.rest(0.3)
    assert window.session.choice.style.name == name
    hand.key(Qt.Key.Key_Return)
    desk.wait(lambda: window.session.choice.style.name != name, "a style")


@pytest.mark.slow
def test_tiles_that_move_under_a_resting_pointer_are_not_pointed_at(hand: Hand) -> None:
    """Nobody would be told when the pointer leaves them."""
    desk, tiles, tried = hand.desk, hand.desk.window.inspector.gallery.tiles, list[str | None]()
    desk.window.inspector.gallery.tried.connect(tried.append)
    first = tiles.visualItemRect(tiles.item(0)).center()
    desk.window.resize(1100, 720)
    desk.wait(lambda: tiles.verticalScrollBar().maximum() > 0, "more tiles than are seen")
    QCursor.setPos(tiles.viewport().mapToGlobal(first))
    hand.move(tiles.viewport(), first)
    desk.wait(lambda: tried == ["none"], "the first tile")
    tiles.verticalScrollBar().setValue(tiles.verticalScrollBar().maximum())
    desk.rest(0.2)
    assert tried == ["none"]
    hand.move(tiles.viewport(), first + QPoint(1, 0))
    desk.wait(lambda: len(tried) == 2, "the tile that is there now")
    hand.leave()
    desk.wait(lambda: tried[2:] == [None], "the style in use")


@pytest.mark.slow
def test_the_wheel_scrolls_the_panel_and_changes_nothing(hand: Hand) -> None:
    """Until a control has the focus."""
    desk, window = hand.desk, hand.desk.window
    desk.window.resize(900, 520)
    hand.click(window.inspector.panel.buttons["exposure_ev"])
    desk.rest(0.1)
    column = window.side.widget(0)
    assert isinstance(column, QScrollArea)
    bar, controls = column.verticalScrollBar(), column.findChildren(QAbstractSlider) + column.findChildren(QComboBox)
    controls = [each for each in controls if each.isVisible() and each.isEnabled() and not isinstance(each, QScrollBar)]

    def state() -> list[object]:
        values = [each.currentIndex() if isinstance(each, QComboBox) else each.value() for each in controls]
        return [values, window.session.choice.look, window.session.choice.keys, window.session.choice.colours]

    before, kinds = state(), {type(each).__name__ for each in controls}
    assert kinds >= {"Slider", "QComboBox", "OptionBox"}
    for control in controls:
        for notches in (-1, 1):
            bar.setValue(control.mapTo(column.widget(), QPoint()).y() - column.height() // 2)
            place = bar.value()
            hand.turn(control, notches=notches)
            assert state() == before, control.accessibleName()
            assert bar.value() != place or place in (bar.minimum(), bar.maximum())
    exposure = window.inspector.panel.sliders["exposure_ev"].slider
    column.ensureWidgetVisible(exposure)
    exposure.setFocus(Qt.FocusReason.TabFocusReason)
    hand.turn(exposure)
    assert exposure.value() < 0


@pytest.mark.slow
def test_from_the_first_click_to_the_last(hand: Hand) -> None:
    """A right click, a style, a blend and undo in each of two files, then an export, and the end."""
    desk, window, gallery = hand.desk, hand.desk.window, hand.desk.window.inspector.gallery

    def wait_seen(wanted: Pixels, what: str) -> None:
        desk.wait(lambda: farthest(desk.picture()[..., :3], wanted) == 0, what)

    def painted(before: Pixels) -> Pixels:
        desk.wait(lambda: farthest(desk.picture()[..., :3], before) > 40, "another picture")
        return desk.wait_still()[..., :3]  # what follows is another change for undo

    for name in ("1-wide.mkv", "2-high.mp4"):
        if name not in window.windowTitle():
            next_file(hand, name)
        plain = desk.picture()[..., :3]
        menu_over(hand, QPoint(100, 100))
        hand.key(Qt.Key.Key_Escape)
        tile = gallery.tiles.item(gallery.names.index("starry-night"))
        hand.click(gallery.tiles.viewport(), gallery.tiles.visualItemRect(tile).center())
        desk.wait_style("starry-night")
        one = painted(plain)
        if not gallery.blend.button.isChecked():
            hand.click(gallery.blend.button)
        slider = gallery.blend.sliders[1].slider
        desk.wait(slider.isVisible, "the sliders")
        desk.rest(0.1)
        hand.click(slider, QPoint(slider.width() - 4, slider.height() // 2))
        blend = painted(one)
        assert [each.value_label.text() for each in gallery.blend.sliders[:2]] == ["50%", "50%"]
        hand.key("z", CONTROL)
        wait_seen(one, "the painting of before")
        hand.key("y", CONTROL)
        wait_seen(blend, "the blend again")
        if name == "2-high.mp4":
            export(hand)
        hand.key("0")
        desk.wait_style("none")
        wait_seen(plain, "the source")
    hand.key("q", CONTROL)
    desk.wait(lambda: desk.gone, "the end of the window")


def export(hand: Hand) -> None:
    """Export the open film by keys alone, and close the message about it."""
    desk, window, exports = hand.desk, hand.desk.window, hand.desk.exports.queue
    hand.key("e", CONTROL)
    dialog = window.findChildren(ExportDialog)[-1]
    desk.wait(lambda: dialog.isActiveWindow() and dialog.quality.encoder is not None, "the dialog")
    assert "2-high.mp4   ·   Starry night 50% + Great wave 50%" in dialog.summary
    hand.key(Qt.Key.Key_Return)
    desk.wait(lambda: bool(exports.jobs) and exports.jobs[0].is_over, "the export")
    assert exports.jobs[0].state is State.DONE, exports.jobs[0].message
    with av.open(exports.jobs[0].spec.target) as result:
        assert next(result.decode(video=0)).rotation == 90
    assert "2-high-painted.mp4" in window.notes.text
    (note,) = window.notes.findChildren(Note)
    hand.click(note.dismiss)
    hand.click(window.side.tabBar(), window.side.tabBar().tabRect(0).center())


@pytest.mark.slow
def test_a_slider_comes_to_where_it_is_clicked_and_is_dragged_on(hand: Hand) -> None:
    panel = hand.desk.window.inspector.panel
    hand.desk.window.resize(1280, 900)
    hand.key("1")
    hand.desk.wait(panel.sliders["strength"].isEnabled, "a style")
    for slider, least in ((panel.sliders["strength"].slider, 0), (hand.desk.window.transport.volume, 0)):
        slider.setEnabled(True)  # the volume, where no sound can be heard
        width, y = slider.width(), slider.height() // 2
        for share in (0.3, 0.8):
            hand.click(slider, QPoint(round(share * width), y))
            assert slider.value() == pytest.approx(100 * share, abs=8)
        hand.drag(slider, QPoint(round(0.5 * width), y), QPoint(2, y))
        assert slider.value() == least
    hand.click(panel.sliders["detail"].slider, QPoint(panel.sliders["detail"].slider.width() // 2, 10), RIGHT)
    assert panel.sliders["detail"].value == 0


@in_both_themes
@pytest.mark.slow
def test_what_does_nothing_without_a_style_waits_for_one(hand: Hand) -> None:
    desk, window = hand.desk, hand.desk.window
    panel = window.inspector.panel
    window.resize(1280, 900)
    painting = [
        panel.sliders["strength"],
        panel.sliders["steady"],
        panel.sliders["detail"],
        window.inspector.stroke.slider,
    ]
    column = column_of(panel)
    assert column is not None
    for key, on in (("0", False), ("1", True), ("0", False)):
        hand.key(key)
        desk.wait(
            lambda on=on: (
                window.session.style_in_use is not None and (window.session.style_in_use.name != "none") is on
            ),
            key,
        )
        hand.leave()
        desk.rest(0.05)
        assert [each.slider.isEnabled() for each in painting] == [on] * 4
        for each in painting:
            column.ensureWidgetVisible(each)
            before = pixels_of(each.slider)
            hand.click(each.slider, QPoint(each.slider.width() // 3, each.slider.height() // 2))
            hand.leave()
            desk.rest(0.3)
            assert (farthest(pixels_of(each.slider), before) > 16) is on
        assert panel.sliders["exposure_ev"].slider.isEnabled()


@pytest.mark.slow
def test_every_slider_says_what_it_does(hand: Hand) -> None:
    hand.key("1")
    hand.desk.wait_style("starry-night")
    hand.click(hand.desk.window.inspector.gallery.blend.button)
    hand.key("e", CONTROL)
    sliders = hand.desk.window.findChildren(QSlider)
    assert len(sliders) > 20
    for slider in sliders:
        assert len(slider.toolTip()) > 5, slider.accessibleName()
    QApplication.sendEvent(
        sliders[0], QHelpEvent(QEvent.Type.ToolTip, QPoint(5, 5), sliders[0].mapToGlobal(QPoint(5, 5)))
    )
    hand.desk.wait(lambda: QToolTip.text() == sliders[0].toolTip(), "its words")
    hand.desk.window.findChildren(ExportDialog)[-1].reject()


@pytest.mark.slow
def test_rows_begin_at_one_place(hand: Hand) -> None:
    """Sliders and boxes of the look, in pixels: where their left ends are drawn. The mask brush's is behind buttons."""
    column = hand.desk.window.side.widget(0)
    sliders = [each.slider for each in column.findChildren(LabelledSlider)]
    boxes = column.findChildren(QComboBox)
    begin = [each for each in (*sliders, *boxes) if each.isVisible() and each.accessibleName() != "Brush size"]
    assert len(begin) > 12
    assert len({each.mapTo(column, QPoint()).x() for each in begin}) == 1


@pytest.mark.slow
def test_the_focus_is_not_on_loop_while_a_video_is_opened(hand: Hand) -> None:
    """A space, pressed too early, would turn it on."""
    desk, window = hand.desk, hand.desk.window
    hand.key("w", CONTROL)
    desk.wait(lambda: window.session.opened is None, "the end of the video")
    window.view.invitation.button.setFocus(Qt.FocusReason.TabFocusReason)
    window.opening.open(CLIPS / HIGH, play=False)
    desk.wait(
        lambda: "Opening" in window.view.invitation.text.text() or window.session.opened is not None, "the opening"
    )
    assert QApplication.focusWidget() is window.view
    hand.key(Qt.Key.Key_Space)
    desk.rest(0.1)
    assert not window.actions_["loop"].isChecked()


@in_both_themes
@pytest.mark.slow
def test_about_says_that_it_reads_until_there_are_licences(hand: Hand) -> None:
    hand.desk.window.actions_["about"].trigger()
    (about,) = hand.desk.window.findChildren(About)
    box = about.findChild(QPlainTextEdit)
    assert box is not None
    assert (box.toPlainText(), box.placeholderText()) == ("", "Reading the licences…")
    hand.desk.rest(0.02)
    empty = QPlainTextEdit()
    empty.resize(box.size())
    assert farthest(pixels_of(box), pixels_of(empty)) > 60
    hand.desk.wait(lambda: len(box.toPlainText()) > 1000, "the licences")
    about.reject()


SPARED = ("step-back", "step-forward", "mark-in", "mark-out", "split", "loop", "screenshot", "paint-frame")


@pytest.mark.slow
def test_what_a_narrow_window_has_no_room_for_is_in_a_menu(hand: Hand) -> None:
    desk, transport = hand.desk, hand.desk.window.transport
    desk.open("cfr.mp4")
    desk.window.resize(1200, 600)
    desk.wait(lambda: not transport.more.isVisible(), "room")
    desk.window.resize(desk.window.minimumSizeHint())
    desk.rest(0.1)
    assert not [name for name in SPARED if any(each.isVisible() for each in buttons(desk, name))]
    assert not any(each.isVisible() for each in (transport.volume, transport.speed, transport.frame))
    always = ("play", "mute", "panel", "full-screen", "export")
    assert all(each.visibleRegion().boundingRect() == each.rect() for name in always for each in buttons(desk, name))
    names = []

    def choose() -> None:
        """In the event loop of the menu."""
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        names.extend(action.objectName() for action in menu.actions())
        hand.choose(desk.window.actions_["split"])

    QTimer.singleShot(0, choose)
    hand.click(transport.more)
    assert sorted(names) == sorted([*SPARED, "louder", "quieter", "slower", "faster", "normal-speed", "go-to"])
    assert desk.window.session.choice.look.split is not None
    desk.window.resize(1200, 600)
    desk.wait(lambda: not transport.more.isVisible(), "room")
    assert all(each.isVisible() for name in SPARED for each in buttons(desk, name))
    assert all(each.isVisible() for each in (transport.volume, transport.speed, transport.frame, transport.length))


def buttons(desk: Desk, name: str) -> list[QToolButton]:
    """Return an action's buttons under the picture."""
    action = desk.window.actions_[name]
    return [each for each in desk.window.transport.findChildren(QToolButton) if each.defaultAction() is action]
