"""Drawing of the keyframe strip: interpolation by a keyframe's shape and the line after it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtWidgets import QApplication

from framebrush.window.state.film_keyframes import KeysAt
from framebrush.window.transport.axis import MARGIN_PX
from framebrush.window.transport.keyframe_strip import KeyframeStrip
from framebrush.window.transport.seekbar import SeekBar

pytestmark = pytest.mark.unit

RED, BLUE, WHITE = (255, 0, 0), (0, 0, 255), (255, 255, 255)


@pytest.fixture
def drawn(application: QApplication) -> tuple[npt.NDArray[np.uint8], list[float]]:
    """(H, W, 3) R, G, B, keys red on white and lines blue, and where the keys are: even, slow, held, the last one."""
    bar = SeekBar()
    bar.setRange(0, 4000)  # milliseconds
    bar.resize(400, 20)
    strip = KeyframeStrip(bar)
    palette = QPalette()
    for role, colour in (("Highlight", RED), ("Mid", BLUE), ("Window", WHITE)):
        palette.setColor(QPalette.ColorRole[role], QColor(*colour))
    strip.setPalette(palette)
    strip.show_film(Fraction(25), 100)
    eases = ((10, "linear"), (40, "ease"), (70, "hold"), (95, "linear"))
    strip.show_keys([KeysAt(number, {"strength": 0.5}, ease) for number, ease in eases], {})  # type: ignore[arg-type]
    strip.resize(400, strip.sizeHint().height())
    image = strip.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., 2::-1].copy()
    return pixels, [strip.x_of(number) for number, _ in eases]


def test_the_shape_of_a_key_says_how_it_goes_on(drawn: tuple[npt.NDArray[np.uint8], list[float]]) -> None:
    pixels, places = drawn
    shares = []
    for x in places:
        around = pixels[:, round(x) - 7 : round(x) + 7].astype(int)
        red = (around[..., 0] > 200) & (around[..., 2] < 60)
        rows, columns = np.nonzero(red)
        assert abs(rows.mean() - 7.5) < 0.6
        assert abs(columns.mean() - 6.5) < 1.1
        shares.append(red.sum() / (np.ptp(rows) + 1) / (np.ptp(columns) + 1))  # of the least rectangle
    even, slow, held, last = shares
    assert even < slow < held == 1  # a diamond, a circle, a square
    assert last == pytest.approx(even, abs=0.1)


def test_the_line_to_the_next_key_is_broken_where_a_value_is_held(
    drawn: tuple[npt.NDArray[np.uint8], list[float]],
) -> None:
    pixels, places = drawn
    blue = (pixels[..., 2] > 200) & (pixels[..., 0] < 120)
    for index, whole in ((0, True), (1, True), (2, False)):
        between = blue[:, round(places[index]) + 8 : round(places[index + 1]) - 8]
        rows = np.nonzero(between.any(axis=1))[0]
        assert rows.size > 0
        assert set(rows) <= {7, 8}
        assert between.any(axis=0).all() == whole


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.126, "0.13"),
        (0.5, "0.5"),
        ("starry-night", "Starry night"),
        ("starry-night:1,great-wave:3", "Starry night 25% + Great wave 75%"),
    ],
)
def test_a_key_says_its_values(application: QApplication, value: float | str, said: str) -> None:
    strip = KeyframeStrip(SeekBar())
    strip.show_keys([KeysAt(3, {"of": value}, "linear")], {"of": "Of"})
    assert strip.words_of(3) == f"Of {said}"


def test_an_empty_lane_says_how_to_set_the_first_key_and_takes_no_focus(application: QApplication) -> None:
    bar = SeekBar()
    bar.setRange(0, 4000)
    bar.resize(400, 20)
    strip = KeyframeStrip(bar)
    strip.resize(400, strip.sizeHint().height())

    def is_empty() -> bool:
        image = strip.grab().toImage()
        ground = image.pixel(0, 0)
        return all(image.pixel(x, y) == ground for x in range(image.width()) for y in range(image.height()))

    assert is_empty()  # without a film
    strip.show_film(Fraction(25), 100)
    strip.show_keys([], {})
    assert not is_empty()
    assert "diamond" in strip.accessibleDescription()
    assert strip.focusPolicy() is Qt.FocusPolicy.NoFocus
    strip.show_keys([KeysAt(99, {"strength": 0.5}, "hold")], {})
    assert strip.focusPolicy() is Qt.FocusPolicy.TabFocus
    strip.show_film(None, None)
    assert strip.focusPolicy() is Qt.FocusPolicy.NoFocus


def test_a_hint_is_beside_the_line_of_the_first_frame(application: QApplication) -> None:
    bar = SeekBar()
    strip = KeyframeStrip(bar)
    strip.resize(400, strip.sizeHint().height())
    strip.show_film(Fraction(25), 100)
    image = strip.grab().toImage()
    drawn = {x for x in range(400) for y in range(image.height()) if image.pixel(x, y) != image.pixel(0, 0)}
    assert len(drawn) > 100
    assert min(drawn) > MARGIN_PX + 2
