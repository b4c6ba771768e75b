"""An hour at the desk in one test: what editors do with every program, on a film as they have it, in one go."""

from __future__ import annotations

import io
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from PySide6.QtCore import Qt

from framebrush.jobs.saved_look import LookFolder
from framebrush.window.exports.export_queue import State
from framebrush.window.state.film_keyframes import KeysAt
from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.hand import Hand
from tests.app.window.look.test_compare import compare
from tests.app.window.styles.test_style_keys import choose, styles
from tests.app.window.transport.test_go_to import open_by_key, type_in
from tests.app.window.transport.test_key_strip import button_of, go, keys, step
from tests.app.window.transport.test_playlist import drop, listed

pytestmark = [pytest.mark.media, pytest.mark.slow]

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
RATE, SHOT, SHOTS = 24, 240, 18
"""Frames a second, frames of a shot, shots: three minutes."""


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """640x360, a cut every ten seconds, a tone, and a subtitle in each minute. Three shots are encoded, and their
    packets repeated."""
    path = tmp_path_factory.mktemp("session") / "three minutes.mkv"
    text = "".join(f"{n + 1}\n00:0{n}:10,000 --> 00:0{n}:50,000\nminute {n}\n\n" for n in range(3))
    with av.open(str(path), "w") as container, av.open(io.BytesIO(text.encode()), "r", format="srt") as lines:
        options = {"preset": "ultrafast", "crf": "30", "g": str(SHOT), "bf": "0"}
        picture = container.add_stream("libx264", rate=RATE, options=options)
        assert isinstance(picture, av.VideoStream)
        picture.width, picture.height, picture.pix_fmt = 640, 360, "yuv420p"
        sound = container.add_stream("pcm_s16le", rate=8000, layout="mono")
        words = container.add_stream_from_template(lines.streams[0])
        shots = [_shot(picture, number) for number in range(3)]
        for packet in lines.demux():
            if packet.size:
                packet.stream = words
                container.mux(packet)
        tone = (3000 * np.sin(np.arange(8000) * 0.3)).astype(np.int16)
        for shot in range(SHOTS):
            for number, data in enumerate(shots[shot % 3]):
                packet = av.Packet(data)
                packet.stream, packet.time_base = picture, Fraction(1, RATE)
                packet.pts = packet.dts = shot * SHOT + number
                packet.duration, packet.is_keyframe = 1, number == 0
                container.mux(packet)
            for second in range(10 * shot, 10 * shot + 10):
                frame = av.AudioFrame.from_ndarray(tone[None], "s16", "mono")
                frame.sample_rate, frame.pts, frame.time_base = 8000, 8000 * second, Fraction(1, 8000)
                container.mux(sound.encode(frame))
    return path


def _shot(stream: av.VideoStream, number: int) -> list[bytes]:
    """Ten seconds of a bar that crosses a ground of one shade."""
    encoder = av.CodecContext.create("libx264", "w")
    assert isinstance(encoder, av.VideoCodecContext)
    encoder.width, encoder.height, encoder.pix_fmt = stream.width, stream.height, "yuv420p"
    encoder.time_base, encoder.framerate, encoder.options = (
        Fraction(1, RATE),
        Fraction(RATE),
        stream.codec_context.options,
    )
    found = []
    for at in range(SHOT):
        luma = np.full((360 * 3 // 2, 640), 128, np.uint8)
        luma[:360] = (50, 120, 200)[number]
        luma[60:300, 2 * at : 2 * at + 40] = (220, 30, 90)[number]
        frame = av.VideoFrame.from_ndarray(luma, "yuv420p")
        frame.pts, frame.time_base = at, Fraction(1, RATE)
        found += [bytes(packet) for packet in encoder.encode(frame)]
    return found + [bytes(packet) for packet in encoder.encode(None)]


@pytest.fixture
def hand(tmp_path: Path, application: object, film: Path) -> Iterator[Hand]:
    desk = Desk(tmp_path, style="udnie", size=(1366, 760))
    desk.wait_style("udnie")
    desk.open(film)
    yield Hand(desk)
    desk.close()
    desk.wait(lambda: desk.exports.is_idle, "the exports' process")


def to(hand: Hand, place: str, frame: int) -> None:
    """Type a place and wait for its frame."""
    open_by_key(hand)
    type_in(hand, place)
    hand.key(Qt.Key.Key_Return)
    hand.desk.wait(lambda: hand.desk.window.session.shown_at.number == frame, place)
    hand.desk.settle()


def strip_keys(desk: Desk) -> list[KeysAt]:
    return desk.window.transport.strip.keys


@pytest.mark.long
def test_an_hour_at_the_desk(hand: Hand, tmp_path: Path) -> None:
    desk, window = hand.desk, hand.desk.window
    session, transport, play = window.session, window.transport, window.actions_["play"]
    window.inspector.looks.folder = LookFolder(tmp_path / "looks")

    # To and fro: J, K, L, steps, timecode.
    hand.key("l")
    desk.wait(lambda: session.shown_at.number > 2, "playing")
    hand.key("l")
    assert transport.speed.currentData() == 2.0
    hand.key("j")
    assert transport.speed.currentData() == 1.0
    hand.key("k")
    desk.wait(lambda: not play.isChecked(), "the pause")
    to(hand, "00:01:02:03", 62 * RATE + 3)
    hand.key(Qt.Key.Key_Period)
    desk.wait(lambda: session.shown_at.number == 62 * RATE + 4, "a step")
    hand.key("j")
    desk.wait(lambda: session.shown_at.number == 62 * RATE + 3, "a step back")

    # A range, marked with I and O.
    hand.key("i", SHIFT)
    to(hand, "1:03", 63 * RATE)
    hand.key("o", SHIFT)
    desk.wait(lambda: session.choice.range.first is not None and session.choice.range.last is not None, "the marks")
    assert session.choice.range.first is not None
    assert session.choice.range.last is not None
    assert (session.choice.range.first.number, session.choice.range.last.number) == (62 * RATE + 3, 63 * RATE)

    # A style for each of two shots.
    hand.key("k", CTRL)
    go(desk, 6 * SHOT + 20)
    choose(desk, "scream")
    desk.wait(lambda: 6 * SHOT in styles(desk), "the shot")
    step(desk)
    go(desk, 7 * SHOT + 100)
    choose(desk, "dusk")
    desk.wait(lambda: styles(desk).get(7 * SHOT) == ("dusk", "hold"), "the next shot")
    step(desk)
    each_shot = {6 * SHOT: ("scream", "hold"), 7 * SHOT: ("dusk", "hold"), 8 * SHOT: ("udnie", "hold")}
    assert styles(desk) == {0: ("udnie", "hold"), **each_shot}

    # Keys of the strength, one of them moved by the keyboard.
    hand.click(button_of(desk, "strength"))
    step(desk)
    go(desk, 7 * SHOT + 150)
    window.inspector.panel.sliders["strength"].slider.setFocus(Qt.FocusReason.TabFocusReason)
    hand.key(Qt.Key.Key_Home)
    step(desk)
    fade = {7 * SHOT + 100: (1.0, "linear"), 7 * SHOT + 150: (0.0, "linear")}
    assert keys(desk) == fade
    transport.strip.setFocus(Qt.FocusReason.TabFocusReason)
    hand.key(Qt.Key.Key_Right, CTRL)
    desk.wait(lambda: 7 * SHOT + 151 in keys(desk), "the key that is moved")
    step(desk)

    # Two looks beside each other, one of them saved.
    window.inspector.looks.save("evening")
    assert len(compare(hand, 2)) == 2
    hand.key(Qt.Key.Key_Escape)
    desk.wait(lambda: not window.overlays.comparison.page.isVisible(), "the end of the comparison")

    # Back through all of it, and forth.
    for _ in range(12):
        hand.key("z", CTRL)
        desk.settle()
    assert (styles(desk), keys(desk)) == ({}, {})
    for _ in range(12):
        hand.key("y", CTRL)
        desk.settle()
    assert styles(desk) == {0: ("udnie", "hold"), **each_shot}
    assert keys(desk) == {7 * SHOT + 100: (1.0, "linear"), 7 * SHOT + 151: (0.0, "linear")}

    # Five films dropped: a list, which is exported; the window is closed in the middle.
    films = [tmp_path / f"{number}.mp4" for number in range(5)]
    for path in films:
        path.write_bytes((CLIPS / "cfr.mp4").read_bytes())
    drop(desk, films)
    desk.wait(lambda: len(listed(desk)) == 5, "the list")
    hand.key("0")
    desk.wait_style("none")
    window.actions_["export-list"].trigger()
    desk.wait(lambda: len(desk.exports.queue.jobs) == 5, "the exports")
    desk.wait(lambda: any(job.state is State.DONE for job in desk.exports.queue), "the first result")
    done = sum(job.state is State.DONE for job in desk.exports.queue)
    window.close()
    desk.wait(lambda: window.exporting.question is not None or desk.gone, "the question")
    if not desk.gone:  # the exports were quicker
        question = window.exporting.question
        assert question is not None
        stop = next(each for each in question.buttons() if each.text() == "Stop it and quit")
        hand.click(stop)
    desk.wait(lambda: desk.gone, "the end of the window")
    desk.wait(lambda: desk.exports.is_idle, "the exports' process")

    # The next day.
    again = Desk(tmp_path, size=(1366, 760))
    again.exports.begin()
    states = [job.state for job in again.exports.queue]
    assert states.count(State.DONE) >= done
    again.wait(lambda: len(again.window.view.invitation.recent) > 1, "what was opened last")
    assert films[0] in again.settings.recent
    for job in again.exports.queue:
        if job.state is State.INTERRUPTED:
            again.exports.again(job)
    again.wait(lambda: all(job.is_over for job in again.exports.queue), "the rest")
    assert [(job.state, job.message) for job in again.exports.queue] == [(State.DONE, "")] * 5
    again.close()
    again.wait(lambda: again.exports.is_idle, "the exports' process")
