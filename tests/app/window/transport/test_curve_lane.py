"""The curves of values with keyframes: where a value is at each time, also of a part of a film of ten hours."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framebrush.jobs.keyframes import NUMBERS, STYLE, Ease, Key, Track, range_of
from framebrush.media.video import Position
from framebrush.window.state.film_keyframes import KeysAt
from framebrush.window.transport.curve_lane import AROUND_PX, HEIGHT_PX, CurveLane, colour_of
from framebrush.window.transport.keyframe_strip import KeyframeStrip
from framebrush.window.transport.seekbar import SeekBar
from framebrush.window.widgets.theme import CONTRAST, DARK, LIGHT
from tests.app.window.conftest import Desk
from tests.app.window.hand import Hand
from tests.app.window.test_contrast import contrast

WIDTH, RATE = 416, Fraction(25)
TEN_HOURS_MS = 36_000_000


def track(of: str, *keys: tuple[int, float | str, Ease]) -> Track:
    return Track(of, tuple(Key(Position(Fraction(number), "frame"), value, ease) for number, value, ease in keys))


STRENGTH = track("strength", (20, 1.0, "linear"), (40, 0.0, "ease"), (60, 1.0, "hold"), (80, 0.4, "linear"))


@pytest.fixture
def bar(application: QApplication) -> SeekBar:
    return SeekBar()


def lane_of(bar: SeekBar, *tracks: Track, length_ms: int = 4000) -> CurveLane:
    bar.setRange(0, length_ms)
    bar.resize(WIDTH, 20)
    lane = CurveLane(bar)
    lane.resize(WIDTH, HEIGHT_PX)
    palette = QPalette()
    palette.setColor(QPalette.ColorRole.Window, QColor(DARK.window))
    lane.setPalette(palette)
    lane.show_film(RATE)
    lane.show_tracks(tracks, {name: name.capitalize() for name in NUMBERS})
    return lane


def seen(bar: SeekBar, lane: CurveLane, number: float) -> float:
    """Return the value at which the curve is drawn at a frame, by its pixels."""
    image = lane.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., :3]
    column = pixels[:, int(bar.x_of(round(1000 * number / RATE)))].astype(float)
    weight = np.abs(column - column[[0]]).sum(axis=1)
    assert weight.max() > 100, f"no curve at frame {number}"
    y = (weight * (np.arange(len(weight)) + 0.5)).sum() / weight.sum()
    return float(1 - (y - AROUND_PX) / (HEIGHT_PX - 2 * AROUND_PX))


@pytest.mark.unit
def test_the_curve_is_where_the_value_is(bar: SeekBar) -> None:
    """Level, even, slow at both ends, held, and level again; beside the jump and the dots."""
    lane = lane_of(bar, STRENGTH)
    for number in (5, 25, 30, 35, 44, 50, 56, 65, 74, 90):
        assert seen(bar, lane, number) == pytest.approx(STRENGTH.number(Fraction(number)), abs=0.05)


@pytest.mark.unit
def test_an_enlarged_part_is_where_the_value_is(bar: SeekBar) -> None:
    """Its keyframes are millions of pixels away."""
    eased = track("strength", (0, 0.0, "ease"), (900_000, 1.0, "linear"))
    lane = lane_of(bar, eased, length_ms=TEN_HOURS_MS)
    axis = bar.axis
    axis.zoom(1e9, TEN_HOURS_MS / 4)
    for share in (0.05, 0.5, 0.95):
        number = (axis.first_ms + share * axis.span_ms) * float(RATE) / 1000
        assert seen(bar, lane, number) == pytest.approx(eased.number(Fraction(round(number))), abs=0.05)
    for at, value in ((0, 0.3), (TEN_HOURS_MS, 0.7)):  # all keyframes after it, and before
        axis.scroll_to(at)
        lane.show_tracks([track("strength", (300_000, 0.3, "linear"), (400_000, 0.7, "linear"))], {"strength": ""})
        assert seen(bar, lane, (axis.first_ms + axis.span_ms / 2) / 40) == pytest.approx(value, abs=0.05)


@pytest.mark.unit
def test_a_drag_on_a_lane_seeks_until_its_end(bar: SeekBar) -> None:
    lane, sought = lane_of(bar, STRENGTH), list[int]()
    bar.sought.connect(sought.append)
    for at_ms, act in ((900, QTest.mousePress), (1500, QTest.mouseMove), (1500, QTest.mouseRelease)):
        button = () if act is QTest.mouseMove else (Qt.MouseButton.LeftButton,)
        act(lane, *button, pos=QPoint(round(bar.x_of(at_ms)), 5))
    assert not bar.isSliderDown()
    assert sought == pytest.approx([900, 1500], abs=10)


@pytest.mark.unit
def test_a_dragged_keyframe_takes_its_curve_along(bar: SeekBar) -> None:
    lane = lane_of(bar, STRENGTH)
    strip = KeyframeStrip(bar)
    strip.resize(WIDTH, strip.sizeHint().height())
    strip.dragged.connect(lane.show_dragged)
    strip.show_film(RATE, 100)
    strip.show_keys([KeysAt(number, {}, "linear") for number in (20, 40, 60, 80)], {})
    assert seen(bar, lane, 90) == pytest.approx(0.4, abs=0.05)
    at = QPoint(round(strip.x_of(80)), 8)
    QTest.mousePress(strip, Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseMove(strip, at + QPoint(60, 0))
    assert seen(bar, lane, 90) == pytest.approx(1.0, abs=0.05)  # held for longer
    QTest.mouseMove(strip, at)
    QTest.mouseRelease(strip, Qt.MouseButton.LeftButton, pos=at)
    assert seen(bar, lane, 90) == pytest.approx(0.4, abs=0.05)


@pytest.mark.unit
@pytest.mark.parametrize("theme", [DARK, LIGHT, CONTRAST], ids=["dark", "light", "contrast"])
def test_each_curve_has_a_colour_that_is_seen(theme: object) -> None:
    for ground in {getattr(theme, name) for name in ("window", "panel", "raised")}:
        colours = {name: colour_of(name, QColor(ground)) for name in NUMBERS}
        assert [name for name, each in colours.items() if contrast(each.name(), ground) < 3] == []
        hues = [each.hue() for each in colours.values()]
        assert min(min(abs(a - b), 360 - abs(a - b)) for a, b in combinations(hues, 2)) >= 10


@pytest.mark.unit
def test_values_are_said_and_shown_at_the_pointer(bar: SeekBar) -> None:
    low, high = map(float, range_of("exposure_ev"))
    lane = lane_of(
        bar, STRENGTH, track("exposure_ev", (0, low, "linear"), (50, high, "linear")), track(STYLE, (0, "ink", "hold"))
    )
    assert lane.accessibleDescription() == f"Strength 1 → 0 → 1 → 0.4, Exposure_ev {low:g} → {high:g}"
    words = lane.words_at(1200)  # frame 30
    assert words.startswith("0:00:01.200<br>")
    assert "Strength 0.5" in words
    assert words.count("●") == 2
    lane.show_film(None)
    assert (lane.accessibleDescription(), lane.words_at(1200)) == ("", "")


@pytest.mark.media
def test_a_key_beside_a_slider_has_a_curve_that_seeks(desk: Desk) -> None:
    hand, window = Hand(desk), desk.window
    window.resize(1100, 700)
    desk.open("cfr.mp4")
    curves, panel = window.transport.curves, window.inspector.panel
    before = window.transport.timeline.height()
    assert curves.accessibleDescription() == ""
    hand.click(panel.buttons["exposure_ev"])
    desk.wait(lambda: curves.accessibleDescription() == "Exposure 0", "the curve")
    assert window.transport.timeline.height() == before
    hand.click(curves, QPoint(curves.width() - 12, 5))
    desk.wait(lambda: window.session.shown_at.number == 29, "the last frame")
    panel.sliders["exposure_ev"].slider.setValue(panel.sliders["exposure_ev"].slider.maximum())
    high = range_of("exposure_ev")[1]
    desk.wait(lambda: curves.accessibleDescription() == f"Exposure 0 → {high:g}", "the rising curve")
    window.resize(1100, 420)
    desk.wait(lambda: not curves.isVisible(), "a low timeline")
