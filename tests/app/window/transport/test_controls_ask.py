"""Controls of the transport: what each asks of the player, shows and remembers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QPoint, QStandardPaths, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QToolTip, QVBoxLayout, QWidget

from framebrush.jobs.project import FARTHEST_MS
from framebrush.media.video import Position
from framebrush.playback import events
from framebrush.window.picture.bridge import PictureBox
from framebrush.window.picture.mask_tools import MaskTools
from framebrush.window.picture.notes import Notes
from framebrush.window.picture.subtitle_overlay import SubtitleOverlay
from framebrush.window.picture.view import VideoView
from framebrush.window.state.actions import Actions
from framebrush.window.state.menus import Menus
from framebrush.window.state.session import Session
from framebrush.window.transport.bar import Transport
from framebrush.window.transport.delays import Delays
from framebrush.window.transport.lane import ToldLane
from framebrush.window.transport.live_control import Live, new_recording
from framebrush.window.transport.markers import Markers
from framebrush.window.transport.seekbar import SeekBar
from framebrush.window.transport.subtitle_control import SubtitleControl
from framebrush.window.transport.volume import Volume
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.theme import DARK

pytestmark = pytest.mark.unit

Asked = list[tuple[object, ...]]


@dataclass
class Parts:
    """Parts of a window that controls are connected to."""

    window: QMainWindow
    actions: Actions
    transport: Transport
    notes: Notes
    view: VideoView

    def do(self, *names: str) -> None:
        for name in names:
            self.actions[name].trigger()


@pytest.fixture
def parts(application: QApplication) -> Iterator[Parts]:
    window = QMainWindow()
    actions, view = Actions(window), VideoView(PictureBox(window))
    transport = Transport(actions)
    page = QWidget()
    fill(QVBoxLayout(page), view, transport)
    window.setCentralWidget(page)
    window.show()
    yield Parts(window, actions, transport, Notes(view), view)
    shiboken6.delete(window)


def test_the_volume_is_remembered_and_muted_apart(session: Session, parts: Parts, asked: Asked) -> None:
    settings, slider = session.settings, parts.transport.volume
    settings.volume, settings.muted = 0.7, True
    Volume(parts.transport, parts.actions, session.player, settings, parts.notes)
    assert (slider.value(), parts.actions["mute"].isChecked()) == (70, True)
    assert asked == [("set_volume", 0.0)]
    parts.do("mute")
    assert not settings.muted
    slider.setValue(60)
    assert settings.volume == 0.6
    assert asked[1:] == [("set_volume", 0.7), ("set_volume", 0.6)]
    parts.do("mute")
    assert (settings.muted, asked[-1]) == (True, ("set_volume", 0.0))
    parts.do("louder")  # unmutes
    louder = slider.value()
    assert louder > 60
    assert (settings.muted, parts.notes.word) == (False, f"Volume {louder}%")
    assert asked[-1] == ("set_volume", louder / 100)
    parts.do("mute", "quieter")
    assert (settings.muted, slider.value(), parts.notes.word) == (False, 60, "Volume 60%")
    parts.do(*["louder"] * 20)
    assert (settings.volume, parts.notes.word) == (1.0, "Volume 100%")


@pytest.fixture
def marked(session: Session, parts: Parts) -> Markers:
    made = Markers(session, parts.actions, parts.transport.markers)
    parts.transport.markers.show_film(None, None)
    session.choose(replace(session.choice, film="a.mp4"))
    return made


def go(session: Session, number: int) -> None:
    session.events.dispatch(events.Shown(events.InOutPoint(number, number / 25)))


def names(session: Session) -> dict[int, str]:
    return {each.number: each.name for each in session.choice.markers}


def test_markers_are_numbered_and_gone_between(session: Session, parts: Parts, marked: Markers, asked: Asked) -> None:
    for number in (20, 10, 30):
        go(session, number)
        parts.do("marker")
    assert list(names(session).items()) == [(10, "Marker 2"), (20, "Marker 1"), (30, "Marker 3")]
    for here, later, earlier in ((5, 10, None), (10, 20, None), (15, 20, 10), (20, 30, 10), (30, None, 20)):
        for action, wanted in (("next-marker", later), ("previous-marker", earlier)):
            asked.clear()
            go(session, here)
            parts.do(action)
            assert asked == ([] if wanted is None else [("seek", Position.of_frame(wanted))]), (here, action)


def test_a_marker_is_named_moved_and_removed_in_its_lane(session: Session, parts: Parts, marked: Markers) -> None:
    strip = parts.transport.markers
    for number in (10, 20):
        go(session, number)
        parts.do("marker")
    parts.do("marker")  # again: its name
    assert (strip.naming.isVisible(), strip.naming.field.text()) == (True, "Marker 2")
    strip.naming.field.setText(" the storm ")
    QTest.keyClick(strip.naming.field, Qt.Key.Key_Return)
    assert names(session) == {10: "Marker 1", 20: "the storm"}
    assert strip.words_of(20) == "the storm"
    strip.named.emit(10, "")
    strip.named.emit(11, "nowhere")
    assert names(session) == {10: "Marker 1", 20: "the storm"}
    go(session, 5)
    parts.do("marker")
    assert names(session)[5] == "Marker 2"  # which is free again
    strip.moved.emit(5, 10)  # in place of another
    assert names(session) == {10: "Marker 2", 20: "the storm"}
    strip.removed.emit(20)
    assert names(session) == {10: "Marker 2"}
    session.choose(replace(session.choice, film=""))
    go(session, 7)
    parts.do("marker")  # as with a camera
    assert list(names(session)) == [10]


def test_the_mask_s_brush_has_a_size_and_keys_while_it_is_on(parts: Parts) -> None:
    tools, on = MaskTools(parts.actions), parts.actions["mask-brush"]
    slider, keys = tools.diameter.slider, ("mask-remove", "mask-larger", "mask-smaller")
    assert tools.diameter.value_label.text() == "10%"
    assert tools.diameter.name.isHidden()
    for checked, enabled in ((True, True), (True, False), (False, True), (False, False)):
        on.setChecked(checked)
        on.setEnabled(enabled)
        is_on = checked and enabled
        assert [tools.diameter.isEnabled(), *(parts.actions[key].isEnabled() for key in keys)] == [is_on] * 4
    on.setEnabled(True)
    on.setChecked(True)
    for action, before, after in (
        ("mask-larger", 10, 13),
        ("mask-smaller", 13, 10),
        ("mask-larger", 1, 2),  # by one at least
        ("mask-smaller", 2, 1),
        ("mask-smaller", 1, 1),
        ("mask-larger", 50, 50),
    ):
        slider.setValue(before)
        parts.do(action)
        assert slider.value() == after, (action, before)


@pytest.fixture
def delays(session: Session, parts: Parts) -> Delays:
    menus = Menus(parts.window, parts.actions, session.settings)
    subtitles = SubtitleControl(SubtitleOverlay(parts.view, ()), parts.transport.subtitles, menus, session)
    return Delays(parts.actions, session, subtitles, parts.notes)


def test_delays_are_asked_for_where_they_change(session: Session, parts: Parts, delays: Delays, asked: Asked) -> None:
    changes = list[dict[str, int]]()
    delays.changed.connect(lambda: changes.append(dict(delays.ms)))
    session.film_changed.emit(None)
    assert delays.ms == {"sound": 0, "subtitles": 0}
    subtitles = delays.parent()
    assert isinstance(subtitles, SubtitleControl)
    delays.use({"sound": 250, "subtitles": 0})  # of a project
    delays.use({"sound": 250, "subtitles": -100})
    assert (asked, subtitles.delay_s) == ([("delay_sound", 0.25)], -0.1)
    for action in ("sound-later", "subtitles-earlier"):
        parts.actions[action].setEnabled(True)
        parts.do(action)
    assert asked[1:] == [("delay_sound", delays.ms["sound"] / 1000)]
    assert delays.ms["sound"] > 250
    assert (delays.ms["subtitles"] < -100, subtitles.delay_s) == (True, delays.ms["subtitles"] / 1000)
    assert parts.notes.word == f"Subtitle delay: {subtitles.delay_s:.2f} s"
    delays.use({"sound": FARTHEST_MS, "subtitles": 0})
    parts.do("sound-later")
    assert asked[-1] == ("delay_sound", FARTHEST_MS / 1000)
    parts.actions["no-delays"].setEnabled(True)
    parts.do("no-delays")
    assert (asked[-1], subtitles.delay_s) == (("delay_sound", 0.0), 0.0)
    assert changes[-1] == {"sound": 0, "subtitles": 0}
    assert len(changes) == 7


def test_a_live_source_s_buttons_follow_the_player(
    session: Session, parts: Parts, asked: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(tmp_path))
    Live(parts.window, parts.actions, session, parts.transport)
    record, feed, live = parts.actions["record"], parts.actions["virtual-camera"], parts.transport.live
    for action in (record, feed):
        action.setEnabled(True)
        action.trigger()
    (_, target), *rest = asked
    assert isinstance(target, Path)
    assert target.parent == tmp_path
    assert rest == [("feed_camera", True)]
    asked.clear()
    session.events.dispatch(events.Recording(True, 61.2))
    session.events.dispatch(events.CameraFeeding(True))
    assert (record.isChecked(), record.text(), live.elapsed.text()) == (True, "Stop recording", "1:01")
    assert feed.isChecked()
    session.film_changed.emit(None)
    assert (record.isChecked(), record.text(), live.elapsed.text()) == (False, "Record", "")
    assert not feed.isChecked()
    assert asked == []  # the player knows
    session.events.dispatch(events.Recording(True))
    record.trigger()
    assert asked == [("record", None)]


def test_a_recording_has_a_name_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Noon:
        """A clock that stands still."""

        @staticmethod
        def now() -> Noon:
            return Noon()

        def __format__(self, _: str) -> str:
            return "noon"

    monkeypatch.setattr("framebrush.window.transport.live_control.datetime", Noon)
    made = list[str]()
    for _ in range(3):
        path = new_recording(tmp_path)
        path.touch()
        made.append(path.name)
    assert made == ["Framebrush noon.mp4", "Framebrush noon (2).mp4", "Framebrush noon (3).mp4"]


def test_the_bar_of_a_live_source_is_narrow_without_words(application: QApplication, parts: Parts) -> None:
    live, page = parts.transport.live, QWidget()
    words, icons = Qt.ToolButtonStyle.ToolButtonTextBesideIcon, Qt.ToolButtonStyle.ToolButtonIconOnly
    parts.actions.draw(DARK)  # a button without an icon keeps its words
    fill(QVBoxLayout(page), live, around=0)
    live.show_source("camera:A very long name of a camera")
    assert live.source.toolTip() == live.source.text() == "camera:A very long name of a camera"
    live.show()
    page.show()
    least = page.minimumSizeHint()
    for width, style in ((1000, words), (least.width(), icons), (1000, words)):
        page.resize(width, 30)
        application.processEvents()
        assert page.width() == width
        assert [button.toolButtonStyle() for button in (live.button, live.feed)] == [style, style]
        assert abs(live.minimumSizeHint().width() - least.width()) < 30
        assert live.minimumSizeHint().height() == least.height()
    shiboken6.delete(page)


class Seconds(ToldLane):
    """Lane that tells the time below the pointer."""

    def words_at(self, ms: int) -> str:
        return f"{ms / 1000:g} s"


def test_a_lane_seeks_as_the_bar_above_it_does_and_says_its_times(application: QApplication) -> None:
    page, bar, sought = QWidget(), SeekBar(), list[int]()
    lane = Seconds(bar, 20)
    fill(QVBoxLayout(page), bar, lane, None, around=0, between=0)
    bar.setRange(0, 10_000)
    bar.sought.connect(sought.append)
    page.resize(400, 100)
    page.show()
    assert (lane.width(), lane.height()) == (400, 20)
    left, right = QPoint(100, 5), QPoint(300, 5)
    QTest.mousePress(lane, Qt.MouseButton.LeftButton, pos=left)
    QTest.mouseMove(lane, right)
    assert bar.isSliderDown()
    QTest.mouseRelease(lane, Qt.MouseButton.LeftButton, pos=right)
    assert not bar.isSliderDown()
    assert sought == [bar.value_at(100), bar.value_at(300)]
    page.setToolTip("the page")
    for kind, said in (
        (QHelpEvent.Type.WhatsThis, ""),
        (QHelpEvent.Type.ToolTip, f"{bar.value_at(300) / 1000:g} s"),
    ):
        application.sendEvent(lane, QHelpEvent(kind, right, lane.mapToGlobal(right)))
        assert QToolTip.text() == said
    QToolTip.hideText()
    shiboken6.delete(page)
