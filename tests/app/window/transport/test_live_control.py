"""Live sources in the window: camera dialog, transport, recording, and lost devices."""

from __future__ import annotations

import json
from pathlib import Path

import av
import pytest
from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from framebrush.media.live.camera_list import Camera, Devices
from framebrush.media.live.generated import DrawnCapture
from framebrush.media.reading.reader import Reader
from framebrush.media.video import InputError
from framebrush.window.transport.camera_dialog import CameraDialog
from framebrush.window.transport.live_control import new_recording
from tests.app.window.conftest import Desk

pytestmark = pytest.mark.media

CAMERA = "live:testsrc2=size=96x64:rate=25+sine"
FOUND = Devices(
    (Camera("Twin & Co", "/dev/video0"), Camera("Twin & Co", "/dev/video2"), Camera("USB: Camera", "/dev/video4")),
    ("Desk mic",),
)


def opened(desk: Desk, source: str = CAMERA) -> None:
    desk.window.opening.open(source)
    desk.wait(lambda: desk.window.session.opened is not None and desk.window.session.opened.live, "the source")
    desk.wait(lambda: desk.window.session.shown_at.number > 3, "playing")


def asked(desk: Desk) -> CameraDialog:
    desk.window.actions_["open-camera"].trigger()
    dialog = desk.window.findChild(CameraDialog)
    assert dialog is not None
    return dialog


@pytest.mark.slow
def test_the_transport_of_a_live_source_has_no_way_to_elsewhere(desk: Desk) -> None:
    opened(desk)
    transport, actions = desk.window.transport, desk.window.actions_
    assert transport.live.isVisible()
    assert transport.live.source.text() == CAMERA
    badge = transport.live.findChild(QLabel, "live")
    assert badge.height() < transport.live.height()
    assert not transport.bar.isVisible()
    assert not transport.speed.isVisible()
    for name in ("loop", "mark-in", "forward", "step-back", "export", "faster"):
        assert not actions[name].isEnabled(), name
    for name in ("play", "record", "screenshot", "close"):
        assert actions[name].isEnabled(), name
    desk.key("L")
    desk.key("R")
    number = desk.window.session.shown_at.number
    desk.wait(lambda: desk.window.session.shown_at.number > number, "playing on")
    desk.open("cfr.mp4")
    assert transport.bar.isVisible()
    assert not transport.live.isVisible()
    for name in ("loop", "mark-in", "forward", "step-back", "export", "faster"):
        assert actions[name].isEnabled(), name
    assert not actions["record"].isEnabled()
    desk.window.player.close_video()
    desk.wait(lambda: desk.window.session.opened is None, "closing")
    assert not actions["record"].isEnabled()


@pytest.mark.slow
def test_a_window_that_crashes_before_a_live_source_opens_it_without_seeking(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr("framebrush.base.supervision.tell", told.append)
    opened(desk)
    desk.wait(lambda: bool(told and told[-1]), "the place")
    assert (json.loads(told[-1])["source"], json.loads(told[-1])["number"]) == (CAMERA, 0)


def test_latency_is_among_the_statistics(desk: Desk) -> None:
    opened(desk)
    desk.window.actions_["statistics"].trigger()
    desk.wait(lambda: desk.window.overlays.statistics.measured is not None, "figures")
    text = desk.window.overlays.statistics.text()
    assert "latency" in text
    assert "cached" not in text


@pytest.mark.slow
def test_recording_from_the_button_to_the_file(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "videos"
    folder.mkdir()
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(folder))
    opened(desk)
    live, record = desk.window.transport.live, desk.window.actions_["record"]
    assert live.elapsed.text() == ""
    QTest.mouseClick(live.button, Qt.MouseButton.LeftButton)
    desk.wait(lambda: live.elapsed.text() == "0:01", "a second of recording")
    assert record.isChecked()
    assert record.text() == "Stop recording"
    desk.key("R", Qt.KeyboardModifier.ControlModifier)
    desk.wait(lambda: "Recorded as" in desk.window.notes.text, "the file")
    assert not record.isChecked()
    assert (record.text(), live.elapsed.text()) == ("Record", "")
    (made,) = folder.iterdir()
    assert made.name.startswith("Framebrush 20")
    with Reader(made) as reader:
        assert len(list(reader)) > 15
    with av.open(made) as written:
        assert len(written.streams.audio) == 1
    assert new_recording(folder) != made


@pytest.mark.slow
def test_closing_the_window_completes_the_recording(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(tmp_path))
    opened(desk)
    desk.window.actions_["record"].trigger()
    desk.wait(lambda: desk.window.transport.live.elapsed.text() != "", "the recording")
    desk.rest(0.3)
    desk.close()
    (made,) = tmp_path.glob("Framebrush*.mp4")
    with Reader(made) as reader:
        assert len(list(reader)) > 1


@pytest.mark.slow
def test_an_unplugged_camera_is_told_and_the_recording_kept(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(tmp_path))
    opened(desk)
    desk.window.actions_["record"].trigger()
    desk.wait(lambda: desk.window.transport.live.elapsed.text() != "", "the recording")
    desk.rest(0.2)

    def unplugged(_: object) -> None:
        raise InputError("USB: Camera was unplugged")

    monkeypatch.setattr(DrawnCapture, "read", unplugged)
    desk.wait(lambda: "Camera was unplugged" in desk.window.messages.text, "the reason")
    desk.window.messages.hide()
    desk.wait(lambda: "Recorded as" in desk.window.notes.text, "the file")
    desk.wait(lambda: not desk.window.actions_["play"].isChecked(), "the pause")
    assert not desk.window.actions_["record"].isChecked()
    (made,) = tmp_path.glob("Framebrush*.mp4")
    with Reader(made) as reader:
        assert len(list(reader)) > 1
    desk.window.actions_["play"].trigger()
    desk.wait(lambda: "Camera was unplugged" in desk.window.messages.text, "why it does not play")


@pytest.mark.slow
def test_the_dialog_looks_for_cameras_and_says_when_there_is_none(desk: Desk) -> None:
    dialog = asked(desk)
    assert not dialog.open_button.isEnabled()
    assert "Looking" in dialog.state.text()
    desk.wait(dialog.refresh_button.isEnabled, "the list")
    if not dialog.cameras.count():
        assert "No camera was found" in dialog.state.text()
    dialog.show_devices(Devices(problem="no permission to use /dev/video0"))
    assert "no permission" in dialog.state.text()
    QTest.mouseClick(dialog.refresh_button, Qt.MouseButton.LeftButton)
    assert "Looking" in dialog.state.text()
    dialog.reject()  # while it is still looking
    desk.rest(0.1)
    again = asked(desk)
    desk.wait(again.refresh_button.isEnabled, "the list")
    again.reject()


@pytest.mark.slow
def test_what_is_chosen_becomes_a_source(desk: Desk) -> None:
    dialog = asked(desk)
    desk.wait(dialog.refresh_button.isEnabled, "the list")
    dialog.show_devices(FOUND)
    assert dialog.state.isHidden()
    assert dialog.open_button.isEnabled()
    assert all(box.isVisible() for box in (dialog.cameras, dialog.microphones, dialog.sizes))
    found: list[str] = []
    dialog.chosen.disconnect()
    dialog.chosen.connect(found.append)
    dialog.open_chosen()
    dialog.cameras.setCurrentIndex(1)
    dialog.open_chosen()
    dialog.cameras.setCurrentIndex(2)
    dialog.microphones.setCurrentIndex(1)
    dialog.sizes.setCurrentIndex(2)
    dialog.open_chosen()
    assert found == ["camera:0", "camera:1", "camera:USB: Camera:size=1280x720+microphone:Desk mic"]


@pytest.mark.slow
def test_a_camera_that_went_away_is_told_and_the_video_stays_open(desk: Desk) -> None:
    desk.open("cfr.mp4")
    dialog = asked(desk)
    desk.wait(dialog.refresh_button.isEnabled, "the list")
    dialog.show_devices(Devices((Camera("no such camera", "/dev/video99"),)))
    dialog.open_button.click()
    desk.wait(lambda: "There is no camera" in desk.window.messages.text, "the message")
    assert desk.window.session.opened is not None
    assert desk.window.session.opened.info.name == "cfr.mp4"
