"""The window as a person uses it: keys and mouse in, pixels out."""

from __future__ import annotations

import gc
import shutil
import threading
import time
import weakref
from pathlib import Path

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QDialog,
    QPlainTextEdit,
    QScrollBar,
)

from framebrush.gpu.reference.device import list_devices
from framebrush.playback import events
from framebrush.window.main_window import MainWindow
from tests.app.window.conftest import CLIPS, Desk

pytestmark = pytest.mark.media

SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.mark.slow
def test_the_right_frame_is_on_the_screen(desk: Desk) -> None:
    desk.open("cfr.mp4")
    desk.wait_number(0)
    last = desk.window.session.opened.info.frame_count - 1  # type: ignore[union-attr, operator]
    for key, number in ((".", 1), (".", 2), (",", 1), (Qt.Key.Key_End, last), (",", last - 1), (Qt.Key.Key_Home, 0)):
        desk.key(key)
        desk.wait_number(number)
    desk.window.resize(700, 520)
    desk.wait_number(0)
    desk.key("d")
    desk.wait(lambda: desk.window.session.choice.look.split is not None)
    desk.wait_number(0)


@pytest.mark.slow
def test_a_picture_that_comes_before_the_window_knows_the_video_is_not_lost(desk: Desk) -> None:
    desk.window.opening.open(CLIPS / "cfr.mp4", play=False)
    time.sleep(0.5)  # the window is busy while the player opens the video and shows its first frame
    desk.wait(lambda: desk.window.view.painted.image is not None, "the first frame")
    desk.wait_number(0)


def test_the_bar_seeks(desk: Desk) -> None:
    desk.open("cfr.mp4")
    bar = desk.window.transport.bar
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=QPoint(bar.width() // 2, bar.height() // 2))
    info = desk.window.session.opened.info  # type: ignore[union-attr]
    expected = bar.value() / 1000 * float(info.rate)  # type: ignore[arg-type]
    desk.wait(lambda: desk.number is not None and abs(desk.number - expected) <= 1, "the middle")


@pytest.mark.slow
def test_the_wheel_seeks(desk: Desk) -> None:
    desk.open("landscape.mp4")
    bar = desk.window.transport.bar
    for turn, frame in ((120, 24), (120, 48), (-120, 24)):
        where = QPointF(bar.rect().center())
        none = Qt.KeyboardModifier.NoModifier
        wheel = QWheelEvent(
            where,
            QPointF(bar.mapToGlobal(bar.rect().center())),
            QPoint(),
            QPoint(0, turn),
            Qt.MouseButton.NoButton,
            none,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(bar, wheel)
        desk.wait(lambda frame=frame: desk.window.session.shown_at.number == frame, f"frame {frame}")


@pytest.mark.slow
@pytest.mark.parametrize("clip", ["rotated.mp4", "anamorphic.mp4", "odd.mp4", "grey.mkv"])
def test_upright_and_in_the_right_shape(desk: Desk, clip: str) -> None:
    desk.open(clip)
    desk.wait_number(0)
    info = desk.window.session.opened.info  # type: ignore[union-attr]
    place = desk.window.view.painted.place
    assert place is not None
    wanted = info.format.width * float(info.sample_aspect) / info.format.height
    shown = place.width / place.height
    assert shown == pytest.approx(1 / wanted if info.rotation_degrees % 180 else wanted, rel=1e-6)
    assert place.x == pytest.approx(0) or place.y == pytest.approx(0)


@pytest.mark.slow
def test_a_paused_picture_follows_style_and_look(desk: Desk) -> None:
    desk.open("cfr.mp4")
    desk.wait(lambda: len(desk.window.inspector.gallery.names) >= 2, "the gallery")
    plain = desk.picture()
    desk.key("1")
    desk.wait(lambda: np.abs(desk.picture().astype(int) - plain).mean() > 2, "the painting")
    assert desk.number == 0
    slider = desk.window.inspector.panel.sliders["strength"].slider
    slider.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(slider, Qt.Key.Key_Home)  # to 0: and not to the first frame
    desk.wait(lambda: np.abs(desk.picture().astype(int) - plain).max() <= 1, "the source")
    desk.key("0")
    desk.wait_style("none")
    assert not desk.window.inspector.gallery.blend.button.isVisible()  # it paints nothing to blend


@pytest.mark.slow
def test_paintings_blend_and_become_finer(desk: Desk) -> None:
    desk.open("cfr.mp4")
    gallery, window = desk.window.inspector.gallery, desk.window
    desk.wait(lambda: "starry-night" in gallery.names, "the gallery")
    desk.key(str(gallery.names.index("starry-night")))
    desk.wait_style("starry-night")
    desk.rest(0.3)
    first = desk.picture()
    loaded = window.player.engine.presenter.pipeline
    desk.key(str(gallery.names.index("great-wave")))
    desk.wait_style("great-wave")
    desk.wait(lambda: np.abs(desk.picture().astype(int) - first).mean() > 2, "another picture")
    assert window.player.engine.presenter.pipeline is loaded  # the same network: only the weights changed
    second = desk.picture()
    gallery.blend.sliders[0].slider.setValue(100)
    desk.wait(lambda: np.abs(desk.picture().astype(int) - second).mean() > 1, "the blend")
    assert window.session.style_in_use is not None
    assert window.session.style_in_use.full_name(window.session.mix) == "starry-night:0.500,great-wave:0.500"
    assert gallery.tiles.currentRow() == -1  # no tile says what is shown
    assert [slider.value_label.text() for slider in gallery.blend.sliders[:2]] == ["50%", "50%"]
    assert desk.settings.style == "starry-night:0.500,great-wave:0.500"
    gallery.finer.setChecked(True)
    desk.wait_style("starry-night-fine:0.500,great-wave-fine:0.500")
    assert gallery.finer.isChecked()
    gallery.finer.setChecked(False)
    desk.wait_style("starry-night:0.500,great-wave:0.500")
    gallery.blend.sliders[0].slider.setValue(0)
    assert gallery.tiles.currentRow() == gallery.names.index("great-wave")
    gallery.blend.sliders[1].slider.setValue(0)  # the last one stays
    assert (gallery.blend.sliders[1].value, gallery.blend.sliders[1].value_label.text()) == (0.01, "100%")
    assert window.session.choice.style.name == "great-wave:1.000"
    QTest.mouseClick(
        gallery.tiles.viewport(),
        Qt.MouseButton.LeftButton,
        pos=gallery.tiles.visualItemRect(gallery.tiles.item(gallery.names.index("starry-night"))).center(),
    )
    desk.wait_style("starry-night")
    gallery.finer.setChecked(True)
    desk.wait_style("starry-night-fine")
    assert gallery.tiles.currentRow() == gallery.names.index("starry-night")


def test_the_divider_is_dragged(desk: Desk) -> None:
    desk.open("cfr.mp4")
    desk.key("d")
    view, place = desk.window.view, desk.window.view.painted.place
    assert place is not None
    desk.wait(lambda: view.painted.split is not None)
    x, upper = round(place.x + place.width * 0.5), round(place.y + place.height / 4)
    drawn = view.painted.grab().toImage()
    levels = [drawn.pixelColor(x + by, upper).lightness() for by in range(-9, 10)]
    assert max(levels[8:11]) > max(levels[0], levels[-1]) + 20
    middle = round(place.y + place.height / 2)
    begin, end = round(place.x + place.width * 0.5), round(place.x + place.width * 0.25)
    QTest.mousePress(view.painted, Qt.MouseButton.LeftButton, pos=QPoint(begin, middle))
    QTest.mouseMove(view.painted, QPoint(end, middle))
    QTest.mouseRelease(view.painted, Qt.MouseButton.LeftButton, pos=QPoint(end, middle))
    desk.wait(lambda: abs((desk.window.session.choice.look.split or 0) - 0.25) < 0.02, "the divider")
    assert desk.window.inspector.panel.divider.value() == pytest.approx(25, abs=2)


@pytest.mark.slow
def test_space_plays_and_pauses(desk: Desk) -> None:
    desk.open("cfr.mp4")
    desk.key(Qt.Key.Key_Space)
    desk.wait(lambda: desk.window.actions_["play"].isChecked(), "playing")
    desk.wait(lambda: (desk.number or 0) >= 3, "frame 3")
    desk.key(Qt.Key.Key_Space)
    desk.wait(lambda: not desk.window.player.engine.playing, "the pause")  # the button is quicker than the player
    desk.rest(0.1)
    desk.wait_number(desk.window.session.shown_at.number)


def test_marks_loop_and_speed(desk: Desk) -> None:
    desk.open("cfr.mp4")
    desk.key("i", SHIFT)
    desk.key(".")
    desk.wait_number(1)
    desk.key("o", SHIFT)
    desk.wait(lambda: desk.window.session.choice.range.last is not None, "the marks")
    assert desk.window.transport.bar._marks[0] == 0
    desk.key("]")
    assert desk.window.transport.speed.currentText() == "1.25×"
    desk.key(Qt.Key.Key_Backspace)
    assert desk.window.transport.speed.currentText() == "1×"


def test_another_device_is_chosen(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no other device here that shows pictures: the player is asked."""
    window, (other,), asked = desk.window, list_devices(), list[str]()
    monkeypatch.setattr(window.player, "use_device", asked.append)
    window.menus.device_chosen.emit(other)
    assert asked == [other.address]
    assert (desk.settings.device, window.session.choice.device) == (other.name, other.name)


def test_the_status_bar_says_which_device_paints_and_why(desk: Desk) -> None:
    (reference,), label = list_devices(), desk.window.status.device
    desk.window.session.events.dispatch(events.DeviceInUse(reference, "there is no GPU"))
    assert reference.name in label.text()
    assert label.toolTip() == "there is no GPU"


@pytest.mark.slow
def test_j_k_and_l_as_at_a_cutting_desk(desk: Desk) -> None:
    desk.open("landscape.mp4")
    engine, transport = desk.window.player.engine, desk.window.transport

    def check(key: str, speed: float, *, playing: bool) -> None:
        desk.key(key)
        assert transport.speed.currentData() == speed
        desk.wait(lambda: engine.playing == playing and engine.speed == speed, f"the player after {key}")

    check("l", 1.0, playing=True)
    check("l", 2.0, playing=True)
    check("l", 4.0, playing=True)
    check("l", 4.0, playing=True)
    for speed in (2.0, 1.0, 0.5, 0.25, 0.1, 0.1):
        check("j", speed, playing=True)
    check("k", 0.1, playing=False)
    check("k", 0.1, playing=False)
    desk.wait(lambda: not desk.window.actions_["play"].isChecked(), "the button")
    desk.key("l")  # twice before the player has answered
    desk.key("l")
    assert transport.speed.currentData() == 2.0
    desk.wait(lambda: engine.playing, "playing")
    check("k", 2.0, playing=False)
    desk.wait(lambda: not desk.window.actions_["play"].isChecked(), "the button")
    desk.key(Qt.Key.Key_End)
    desk.wait(lambda: desk.window.session.shown_at.number > 10, "the end")
    last = desk.window.session.shown_at.number
    for back in (1, 2):
        desk.key("j")
        desk.wait(lambda back=back: desk.window.session.shown_at.number == last - back, "a frame back")
    desk.key("r")
    assert desk.window.actions_["loop"].isChecked()
    desk.key("c")
    assert desk.window.session.choice.look.keep_colours


@pytest.mark.slow
@pytest.mark.parametrize("content", [b"", b"no video at all" * 100])
def test_a_bad_file_is_told_with_details(desk: Desk, tmp_path: Path, content: bytes) -> None:
    bad = tmp_path / "bad.mp4"
    bad.write_bytes(content)
    desk.open("cfr.mp4")
    desk.window.opening.open(bad)
    desk.wait(lambda: "bad.mp4" in desk.window.messages.text, "the message")
    desk.wait_number(0)  # of the one that is open
    QTest.mouseClick(desk.window.messages.details, Qt.MouseButton.LeftButton)
    details = desk.window.messages.findChild(QPlainTextEdit)
    assert details is not None
    assert "InputError" in details.toPlainText()
    desk.open("cfr.mp4")
    desk.wait_number(0)
    assert desk.window.messages.text == ""


def test_screenshots_do_not_overwrite(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from framebrush.window.widgets import file_dialogs

    monkeypatch.setattr(file_dialogs.QStandardPaths, "writableLocation", lambda _: str(tmp_path / "pictures"))
    desk.open("anamorphic.mp4")
    for count in (1, 2):
        desk.key("s")
        desk.wait(lambda count=count: len(list((tmp_path / "pictures").glob("*.png"))) == count, "the file")
    desk.open(shutil.copy(CLIPS / "cfr.mp4", tmp_path / f"{'x' * 251}.mp4"))
    desk.key("s")
    desk.wait(lambda: len(list((tmp_path / "pictures").glob("x*.png"))) == 1, "the file with a name that is cut")


def test_keys_sheet_and_statistics(desk: Desk) -> None:
    desk.key(Qt.Key.Key_F1)
    desk.wait(lambda: bool(desk.window.findChildren(QDialog)), "the sheet")
    for dialog in desk.window.findChildren(QDialog):
        dialog.reject()
    desk.open("cfr.mp4")
    desk.window.activateWindow()
    desk.wait(desk.window.isActiveWindow, "the window")
    desk.key("i")
    desk.key(Qt.Key.Key_Space)
    desk.wait(lambda: "dropped" in desk.window.overlays.statistics.text(), "the figures")
    assert "0.00 per frame" in desk.window.overlays.statistics.text()


def test_full_screen_and_back(desk: Desk) -> None:
    desk.open("cfr.mp4")
    desk.key("f")
    desk.wait(lambda: not desk.window.side.isVisible(), "full screen")
    assert not desk.window.transport.isVisible()
    desk.wait_number(0)
    desk.key(Qt.Key.Key_Escape)
    desk.wait(lambda: desk.window.side.isVisible(), "the window")


@pytest.mark.slow
def test_minimised_and_back(desk: Desk) -> None:
    desk.open("cfr.mp4")
    desk.window.showMinimized()
    desk.wait(desk.window.isMinimized, "the window to go")
    desk.window.player.step(1)
    desk.rest(0.2)
    desk.window.showNormal()
    desk.wait_number(1)


def test_every_control_is_named_and_reached_with_tab(desk: Desk) -> None:
    desk.open("cfr.mp4")
    kinds = (QAbstractButton, QAbstractSlider, QComboBox, QAbstractItemView)
    controls = [
        control
        for kind in kinds
        for control in desk.window.findChildren(kind)
        if control.isVisible() and control.isEnabled() and not isinstance(control, QScrollBar)
    ]
    assert len(controls) > 15
    for control in controls:
        if control.objectName().startswith("qt_") or "ScrollButton" in control.objectName():
            continue
        name = control.accessibleName() or (control.text() if isinstance(control, QAbstractButton) else "")
        assert name, f"{control} has no name"
        assert control.focusPolicy() & Qt.FocusPolicy.TabFocus, f"{name} is out of Tab's reach"


@pytest.mark.slow
def test_themes_and_settings_are_remembered(desk: Desk) -> None:
    for theme, dark in (("contrast", True), ("light", False), ("dark", True)):
        desk.settings.theme = theme  # type: ignore[assignment]
        desk.window.preferences.apply_theme()
        assert (desk.window.palette().window().color().lightness() < 128) == dark
    desk.window.inspector.panel.sliders["strength"].slider.setValue(40)
    desk.close()
    assert desk.settings.look.strength == pytest.approx(0.4)


def test_messages_of_the_player_reach_the_window(desk: Desk) -> None:
    desk.window.bridge.post_event(events.Notification("The graphics device was lost.", "removed", "problem"))
    desk.wait(lambda: "lost" in desk.window.messages.text, "the message")


@pytest.mark.slow
def test_the_collector_finds_no_object_of_qt_to_end(application: QApplication, tmp_path: Path) -> None:
    """It may run in the player's thread, where no object of the window's may end: each has an owner in Qt."""

    def loose() -> set[QObject]:
        things = [thing for thing in gc.get_objects() if isinstance(thing, QObject)]
        return {thing for thing in things if shiboken6.isValid(thing) and shiboken6.ownedByPython(thing)}

    gc.collect()
    before = loose()
    desk = Desk(tmp_path)
    desk.open("cfr.mp4")
    desk.wait(lambda: len(desk.window.inspector.gallery.names) > 5, "the gallery")
    desk.window.actions_["help"].trigger()
    desk.window.exporting.ask()
    for dialog in desk.window.findChildren(QDialog):
        dialog.reject()
    while_open = loose() - before - {desk.window}
    desk.close()
    assert while_open == set()
    assert loose() - before == set()


def test_the_players_thread_has_ended_before_its_window_goes(desk: Desk) -> None:
    """It is still inside the signal with which it says farewell when the window hears that."""
    alive: list[bool] = []
    thread = desk.window.player.thread
    desk.window.destroyed.connect(lambda: alive.append(thread.is_alive()))
    tell = desk.window.player._emit

    def slowly(event: events.Event) -> None:
        tell(event)
        if isinstance(event, events.Ended):
            time.sleep(0.2)

    desk.window.player._emit = slowly
    desk.close()
    assert alive == [False]


@pytest.mark.slow
def test_many_windows_leave_nothing(application: QApplication, tmp_path: Path) -> None:
    threads = set(threading.enumerate())
    windows: list[weakref.ref[MainWindow]] = []
    for cycle in range(12):
        desk = Desk(tmp_path, style="ink" if cycle % 3 == 0 else "none")
        windows.append(weakref.ref(desk.window))
        if cycle % 2:
            desk.window.opening.open(CLIPS / "cfr.mp4")  # and closed while it opens or plays
            desk.rest(0.05 * (cycle % 5))
        desk.close()
        del desk
    gc.collect()
    assert set(threading.enumerate()) <= threads
    assert [window() for window in windows] == [None] * 12
