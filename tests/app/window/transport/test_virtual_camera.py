"""The window's virtual camera, with the backend of tests/media/live/test_virtual_camera.py as its driver."""

from __future__ import annotations

import threading
from queue import Queue
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from assets.make_clips import CLIPS
from framebrush.media.reading.reader import Reader
from framebrush.playback import events
from framebrush.playback.camera_feed import CameraFeed
from tests.app.window.conftest import Desk
from tests.app.window.transport.test_live_control import opened
from tests.media.live.test_virtual_camera import Driver, driver

__all__ = ["driver"]  # a fixture

pytestmark = pytest.mark.media


@pytest.mark.slow
def test_the_picture_goes_to_it_and_stops(desk: Desk, driver: type[Driver]) -> None:
    opened(desk)
    action = desk.window.actions_["virtual-camera"]
    QTest.mouseClick(desk.window.transport.live.feed, Qt.MouseButton.LeftButton)
    desk.wait(lambda: "in the camera sink" in desk.window.notes.text, "its name")
    desk.wait(lambda: len(driver.opened[0].pictures) > 3, "pictures")
    assert action.isChecked()
    first = driver.opened[0]
    assert (first.kind, first.shape, first.fps) == ("NV12", (64, 96), 25.0)
    assert np.std(first.pictures[-1][: 64 * 96]) > 5
    desk.key("V", Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    desk.wait(lambda: first.closed == 1, "the end")
    desk.wait(lambda: not action.isChecked(), "the button")
    action.trigger()
    desk.wait(lambda: len(driver.opened) == 2 and bool(driver.opened[1].pictures), "the camera again")
    desk.open("cfr.mp4")  # another source
    desk.wait(lambda: driver.opened[1].closed == 1, "the end")
    desk.wait(lambda: not action.isChecked() and not action.isEnabled(), "the button")


@pytest.mark.slow
def test_off_and_on_again_at_once_waits_for_the_camera_and_stays_on(
    desk: Desk, driver: type[Driver], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The driver has one camera, and takes its time to release it."""
    released = threading.Event()
    begin, close = driver.__init__, driver.close

    def begin_alone(self: Driver, **asked: Any) -> None:  # noqa: ANN401
        if any(not camera.closed for camera in driver.opened):
            raise RuntimeError("in use")
        begin(self, **asked)

    def close_late(self: Driver) -> None:
        assert released.wait(60)
        close(self)

    monkeypatch.setattr(driver, "__init__", begin_alone)
    monkeypatch.setattr(driver, "close", close_late)
    opened(desk)
    action = desk.window.actions_["virtual-camera"]
    action.trigger()
    desk.wait(lambda: bool(driver.opened) and bool(driver.opened[0].pictures), "pictures")
    action.trigger()
    action.trigger()
    desk.settle()
    released.set()
    desk.wait(lambda: len(driver.opened) == 2 and bool(driver.opened[1].pictures), "the camera again")
    desk.wait(action.isChecked, "the button")
    assert "in use" not in desk.window.messages.text
    action.trigger()
    desk.wait(lambda: driver.opened[1].closed == 1, "the end")


def test_one_that_fails_says_why_and_the_film_goes_on(desk: Desk, driver: type[Driver]) -> None:
    driver.fails_at = 0
    opened(desk)
    desk.window.actions_["virtual-camera"].trigger()
    desk.wait(lambda: "failed: sink takes no more pictures (no space" in desk.window.messages.text, "the reason")
    desk.wait(lambda: not desk.window.actions_["virtual-camera"].isChecked(), "the button")
    number = desk.window.session.shown_at.number
    desk.wait(lambda: desk.window.session.shown_at.number > number, "playing on")


@pytest.mark.parametrize(("size", "shape"), [((33, 25), (24, 32)), ((2, 7), (6, 2)), ((1, 1), (2, 2))])
def test_its_sides_are_even(driver: type[Driver], size: tuple[int, int], shape: tuple[int, int]) -> None:
    said = Queue[object]()
    with Reader(CLIPS / "bframes.mp4") as film:
        feed = CameraFeed(film.info, size, said.put)
    assert said.get(timeout=10) == events.CameraFeeding(True)
    assert isinstance(said.get(timeout=10), events.Notification)  # the camera is open
    assert feed.running
    feed.close()
    assert feed.join(10)
    assert said.get_nowait() == events.CameraFeeding(False)
    assert [camera.shape for camera in driver.opened] == [shape]
