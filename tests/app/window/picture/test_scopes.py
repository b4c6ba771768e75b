"""Waveform and vectorscope: positions of standard colours, and the window's scopes for the current picture."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from PySide6.QtGui import QImage

from framebrush.window.picture import scopes
from framebrush.window.picture.scope_drawing import COLUMNS, GRID, LEVELS, SIDE, vectorscope, waveform
from tests.app.window.conftest import Desk
from tests.app.window.hand import Hand, pixels_of

pytestmark = pytest.mark.media


GRID_ROWS = [0, 32, 64, 96, 127]


def rows_of(drawn: np.ndarray, column: int, channel: int = 1) -> set[int]:
    """Where a waveform has samples."""
    return set(np.flatnonzero(drawn[:, column, channel] > GRID))


def test_a_ramp_is_a_diagonal() -> None:
    ramp = np.broadcast_to(np.arange(256, dtype=np.uint8)[None, :, None], (20, 256, 3))
    drawn = waveform(ramp)
    assert drawn.shape == (LEVELS, COLUMNS, 3)
    for level in range(256):
        assert rows_of(drawn, level) == {LEVELS - 1 - level // 2}
    assert np.array_equal(drawn[..., 0], drawn[..., 2])


def test_each_colour_has_its_own_trace() -> None:
    orange = np.broadcast_to(np.array([255, 128, 0], np.uint8), (9, 16, 3))
    drawn = waveform(orange)
    for channel, row in ((0, 0), (1, LEVELS // 2 - 1), (2, LEVELS - 1)):
        for column in (0, 100, COLUMNS - 1):  # without gaps, though the picture has 16 columns
            assert rows_of(drawn, column, channel) == {row}


@pytest.mark.parametrize(
    ("colour", "cb", "cr"),
    [
        ((191, 0, 0), -0.1146, 0.5),
        ((0, 191, 0), -0.3854, -0.4542),
        ((0, 0, 191), 0.5, -0.0458),
        ((191, 191, 0), -0.5, 0.0458),
        ((128, 128, 128), 0.0, 0.0),
    ],
)
def test_colours_lie_where_the_standard_has_them(colour: tuple[int, int, int], cb: float, cr: float) -> None:
    """BT.709's matrix of chroma, at 75 %."""
    picture = np.broadcast_to(np.array(colour, np.uint8), (9, 16, 3))
    drawn, empty = vectorscope(picture).astype(int), vectorscope(255 - 0 * picture).astype(int)
    changed = np.argwhere(np.abs(drawn - empty).max(axis=-1) > 60)
    at = SIDE * (0.5 - 0.75 * cr), SIDE * (0.5 + 0.75 * cb)
    if colour == (128, 128, 128):
        assert not len(changed)  # white is as grey as grey
        return
    assert np.abs(changed - at).max(axis=1).min() <= 1
    brightest = drawn[tuple(changed[np.abs(changed - at).max(axis=1).argmin()])]
    assert {np.argmax(brightest)} <= {index for index, value in enumerate(colour) if value}


def test_the_circle_of_hues_is_whole() -> None:
    lit = np.argwhere(vectorscope(np.zeros((9, 16, 3), np.uint8)).any(axis=-1)) - (SIDE - 1) / 2
    around = lit[np.abs(np.hypot(*lit.T) - (SIDE - 1) / 2) < 1]
    assert set(np.degrees(np.arctan2(*around.T)) // 5) == set(range(-36, 36))


def image(desk: Desk, index: int) -> np.ndarray:
    """Return a scope's picture (H, W, 3): 0 the waveform, 1 the vectorscope."""
    shown = desk.window.overlays.scopes.overlay.images[index].convertToFormat(QImage.Format.Format_RGBX8888)
    return np.frombuffer(shown.constBits(), np.uint8).reshape(shown.height(), shown.width(), 4)[..., :3].copy()


def wait_scopes(desk: Desk, before: np.ndarray | None = None) -> np.ndarray:
    """Until the waveform is another, and stands."""
    scopes = desk.window.overlays.scopes
    desk.wait(lambda: bool(scopes.overlay.images) and (before is None or not np.array_equal(image(desk, 0), before)))
    desk.rest(0.5)
    return image(desk, 0)


def names() -> list[str]:
    return [thread.name for thread in threading.enumerate()]


@pytest.mark.unit
def test_pictures_in_between_are_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scopes, "EVERY_S", 1000.0)
    drawn = threading.Semaphore(0)
    painter = scopes.ScopePainter(lambda *_: drawn.release())
    painter.request(np.zeros((8, 8, 3), np.uint8))
    assert drawn.acquire(timeout=60)
    painter.request(np.zeros((8, 8, 3), np.uint8))
    assert not drawn.acquire(timeout=0.05)
    painter.close()
    assert painter.join(60)  # at once


@pytest.mark.slow
def test_they_show_the_picture_on_the_screen_and_cost_nothing_when_off(desk: Desk) -> None:
    hand, window = Hand(desk), desk.window
    desk.open("landscape.mp4")
    assert "scopes" not in names()
    assert window.bridge.box.watch is None
    hand.key("w")
    first = wait_scopes(desk)
    picture = desk.wait_still()[..., 2::-1]
    rows = np.setdiff1d(np.arange(LEVELS), GRID_ROWS)
    lit = rows[first[rows].any(axis=(1, 2))]
    assert abs(lit.min() - (LEVELS - 1 - int(picture.max()) // 2)) <= 4
    assert abs(lit.max() - (LEVELS - 1 - int(picture.min()) // 2)) <= 4
    assert len(np.unique(pixels_of(window.overlays.scopes.overlay).reshape(-1, 3), axis=0)) > 100
    window.inspector.panel.sliders["exposure_ev"].moved.emit(-3.0)  # a paused picture
    dark = wait_scopes(desk, first)
    assert rows[dark[rows].any(axis=(1, 2))].min() > lit.min() + 20
    window.actions_["last"].trigger()
    wait_scopes(desk, dark)
    hand.key("w")
    assert not window.overlays.scopes.overlay.isVisible()
    assert window.bridge.box.watch is None
    desk.wait(lambda: "scopes" not in names(), "the end of the thread")


@pytest.mark.slow
def test_a_device_that_presents_is_asked_for_its_picture(desk: Desk) -> None:
    """Pictures of Direct3D 12 never reach the processor by themselves."""
    hand, window = Hand(desk), desk.window
    desk.open("landscape.mp4")
    hand.key("w")
    by_itself = wait_scopes(desk)
    hand.key("w")
    window.overlays.scopes.show_device(on_gpu=True)
    follow, window.view.follow = window.view.follow, lambda: None  # type: ignore[method-assign]
    hand.key("w")
    assert np.array_equal(wait_scopes(desk), by_itself)
    window.bridge.box.watch = None
    window.inspector.panel.sliders["exposure_ev"].moved.emit(-3.0)
    dark = wait_scopes(desk, by_itself)
    rows = np.setdiff1d(np.arange(LEVELS), GRID_ROWS)
    assert rows[dark[rows].any(axis=(1, 2))].min() > 20
    window.actions_["last"].trigger()
    wait_scopes(desk, dark)
    window.view.follow = follow  # type: ignore[method-assign]


@pytest.mark.slow
def test_they_are_at_the_right_above_and_smaller_in_a_small_view(desk: Desk) -> None:
    hand, window = Hand(desk), desk.window
    hand.key("w")
    assert not window.overlays.scopes.overlay.isVisible()  # there is no picture
    desk.open("cfr.mp4")
    wait_scopes(desk)
    for size in ((1280, 800), (960, 600)):
        window.resize(*size)
        desk.rest(0.2)
        overlay, view = window.overlays.scopes.overlay, window.view
        assert overlay.geometry().right() == view.width() - 9
        assert overlay.width() <= view.width() // 2 + 1
    window.player.close_video()
    desk.wait(lambda: not window.overlays.scopes.overlay.isVisible(), "the end of the film")


@pytest.mark.slow
def test_a_window_closes_with_them(desk: Desk) -> None:
    desk.open("landscape.mp4")
    desk.window.actions_["scopes"].trigger()
    desk.window.player.play(True)
    wait_scopes(desk)
    desk.close()
    assert "scopes" not in names()
