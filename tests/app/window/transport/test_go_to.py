"""Typing a place in the film: by the key, by a click on the position, in every form."""

from __future__ import annotations

from pathlib import Path

import av
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.hand import Hand
from tests.app.window.test_layout import SMALLEST, check_room

pytestmark = pytest.mark.media


@pytest.fixture
def hand(desk: Desk) -> Hand:
    desk.open("cfr.mp4")  # 30 frames, 25 a second
    return Hand(desk)


def type_in(hand: Hand, text: str) -> None:
    """Type over the text of the open field, as keys of the keyboard."""
    popup = hand.desk.window.transport.go_to
    assert QApplication.activePopupWidget() is popup
    assert popup.field.selectedText() == popup.field.text()
    handle = popup.windowHandle()
    assert handle is not None
    for letter in text:
        QTest.keyClick(handle, letter)  # type: ignore[call-overload]
    assert popup.field.text() == text


def open_by_key(hand: Hand) -> None:
    hand.key("g", Qt.KeyboardModifier.ControlModifier)
    hand.desk.wait(hand.desk.window.transport.go_to.isVisible, "the field")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "said", "frame"),
    [
        ("0.4", "0:00:00.400", 10),
        ("0:00.8", "0:00:00.800", 20),
        ("0.5", "0:00:00.500", 12),  # between 0.48 and 0.52: what is on the screen then
        ("0.0396", "0:00:00.040", 1),  # as it is shown
        ("0.039", "0:00:00.039", 0),
        ("0:00:00.48", "0:00:00.480", 12),
        ("00:00:01:04", "Frame 29", 29),
        ("7f", "Frame 7", 7),
        ("99999999999999999999f", "Frame 2147483648", 29),
        ("99999999999999999999", None, 29),
    ],
)
def test_the_key_and_a_place(hand: Hand, text: str, said: str | None, frame: int) -> None:
    open_by_key(hand)
    type_in(hand, text)
    popup = hand.desk.window.transport.go_to
    assert said is None or popup.understood.text() == said
    hand.key(Qt.Key.Key_Return)
    hand.desk.wait_number(frame)
    assert not popup.isVisible()
    assert hand.desk.window.messages.text == ""


def test_a_click_on_the_frame_takes_its_number_alone(hand: Hand) -> None:
    window = hand.desk.window
    hand.click(window.transport.frame)
    hand.desk.wait(window.transport.go_to.isVisible, "the field")
    assert window.transport.go_to.field.text() == "0"
    type_in(hand, "17")
    hand.key(Qt.Key.Key_Return)
    hand.desk.wait_number(17)
    hand.desk.wait(lambda: window.session.shown_at.number == 17, "what the window knows of it")  # it may come later
    hand.click(window.transport.time)
    hand.desk.wait(window.transport.go_to.isVisible, "the field")
    assert window.transport.go_to.field.text() == "0:00:00.680"
    type_in(hand, "1")  # a second
    hand.key(Qt.Key.Key_Enter)
    hand.desk.wait_number(25)


def test_what_is_no_place_stays_to_be_corrected(hand: Hand) -> None:
    window = hand.desk.window
    popup = window.transport.go_to
    open_by_key(hand)
    type_in(hand, "nowhere")
    assert popup.understood.text() == "This is not a position in a film."
    hand.key(Qt.Key.Key_Return)
    assert popup.isVisible()
    popup.field.selectAll()
    type_in(hand, "00:00:00:25")  # of 25 frames a second: 00 to 24
    hand.key(Qt.Key.Key_Return)
    assert popup.isVisible()
    hand.key(Qt.Key.Key_Escape)
    hand.desk.wait(lambda: not popup.isVisible(), "the end of the field")
    hand.desk.wait_number(0)


def test_there_is_no_place_to_go_to_without_a_film(desk: Desk) -> None:
    transport = desk.window.transport
    assert not transport.time.isEnabled()
    assert not desk.window.actions_["go-to"].isEnabled()
    desk.open("cfr.mp4")
    assert transport.time.isEnabled()
    desk.window.player.close_video()
    desk.wait(lambda: desk.window.session.opened is None, "the end of the film")
    assert not transport.time.isEnabled()


def with_timecode(path: Path, timecode: str) -> Path:
    """Write the usual clip with another start timecode."""
    with av.open(str(CLIPS / "cfr.mp4")) as source, av.open(str(path), "w") as out:
        stream = out.add_stream_from_template(source.streams.video[0])
        stream.metadata["timecode"] = timecode
        for packet in source.demux(video=0):
            if packet.size:
                packet.stream = stream
                out.mux(packet)
    return path


@pytest.mark.slow
def test_the_film_s_own_timecode_is_shown_and_taken(desk: Desk, tmp_path: Path) -> None:
    hand, window, transport = Hand(desk), desk.window, desk.window.transport
    window.resize(1366, 768)
    desk.open("cfr.mp4")
    assert not transport.timecode.isVisible()
    desk.open(with_timecode(tmp_path / "film.mov", "10:00:00:20"))
    assert transport.timecode.isVisible()
    assert transport.timecode.text() == "10:00:00:20"
    for text, frame, shown in (("10:00:01:02", 7, "10:00:01:02"), ("00:00:00:11", 11, "10:00:01:06")):
        hand.click(transport.timecode)
        desk.wait(transport.go_to.isVisible, "the field")
        type_in(hand, text)
        assert transport.go_to.understood.text() == f"Frame {frame}"
        hand.key(Qt.Key.Key_Return)
        desk.wait_number(frame)
        desk.wait(lambda shown=shown: transport.timecode.text() == shown, "the timecode")
    window.resize(SMALLEST)
    desk.rest(0.2)
    check_room(desk, window)
    assert not transport.timecode.isVisible()
    desk.open("cfr.mp4")
    window.resize(1366, 768)
    desk.rest(0.2)
    assert not transport.timecode.isVisible()


@pytest.mark.slow
def test_in_full_screen_too(hand: Hand) -> None:
    window = hand.desk.window
    hand.key("f")
    hand.desk.wait(lambda: not window.transport.isVisible(), "nothing but the picture")
    open_by_key(hand)
    screen, popup = window.screen().availableGeometry(), window.transport.go_to
    assert screen.contains(popup.geometry())
    type_in(hand, "12f")
    hand.key(Qt.Key.Key_Return)
    hand.desk.wait_number(12)
    hand.key(Qt.Key.Key_Escape)
