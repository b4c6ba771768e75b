"""Drawing of flags, dots and diamonds at frames."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QColor, QImage, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from framebrush.jobs.project import Marker
from framebrush.window.transport.marker_strip import FLAG_PX, MarkerStrip, MaskStrip
from framebrush.window.transport.seekbar import SeekBar
from framebrush.window.widgets.keyframe_button import SIZE, KeyframeButton

pytestmark = pytest.mark.unit

RED, BLUE, WHITE, GREEN = (255, 0, 0), (0, 0, 255), (255, 255, 255), (0, 255, 0)


def palette() -> QPalette:
    made = QPalette()
    roles = {"Highlight": RED, "WindowText": BLUE, "Window": WHITE, "PlaceholderText": GREEN}
    for role, colour in roles.items():
        made.setColor(QPalette.ColorRole[role], QColor(*colour))
    return made


def pixels(widget: QWidget) -> npt.NDArray[np.int64]:
    """Return the drawn pixels: (H, W, 3) R'G'B'."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    found = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    return found[..., 2::-1].astype(np.int64)


def near(drawn: npt.NDArray[np.int64], colour: tuple[int, int, int]) -> npt.NDArray[np.bool_]:
    """Return where pixels have a colour."""
    return np.abs(drawn - colour).max(axis=-1) < 90


@pytest.fixture
def bar(application: QApplication) -> SeekBar:
    made = SeekBar()
    made.setRange(0, 4000)
    made.resize(416, 20)
    return made


def test_a_marker_is_a_flag_on_a_line_with_its_name(bar: SeekBar) -> None:
    strip = MarkerStrip(bar, QAction("Marker", bar))
    strip.setPalette(palette())
    strip.resize(416, strip.sizeHint().height())
    strip.show_film(Fraction(25), 100)
    hint = pixels(strip)
    assert near(hint, GREEN).any()  # how the first one is set
    strip.show_markers(
        [Marker(10, "Mill"), Marker(50, "A very long name of a marker, which does not fit"), Marker(60, "")]
    )
    drawn = pixels(strip)
    red, blue = near(drawn, RED), near(drawn, BLUE)
    for number in (10, 50, 60):
        x = round(strip.x_of(number))
        assert red[2:-1, x - 1 : x + 1].any(axis=1).all()  # the line
        assert (red[5, x + 3], red[-3, x + 3]) == (True, False)  # the flag is above
        assert not red[:, x + FLAG_PX + 1].any()
    first, second, third = (round(strip.x_of(number)) for number in (10, 50, 60))
    assert blue[:, first + FLAG_PX + 2 : first + 60].any()
    assert not blue[:, first + 80 : second].any()
    assert blue[:, second + FLAG_PX + 2 : third].any()  # shortened
    assert not blue[:, third:].any()
    assert not blue[:, :first].any()


def test_corrected_masks_are_dots_with_the_number_of_their_strokes(bar: SeekBar) -> None:
    strip = MaskStrip(bar, QAction("Brush", bar))
    strip.setPalette(palette())
    strip.resize(416, strip.sizeHint().height())
    strip.show_film(Fraction(25), 100)
    strip.show_strokes([40, 10, 40])
    assert list(strip.places) == [10, 40]
    assert ["1" in strip.words_of(10), "2" in strip.words_of(40)] == [True, True]
    red = near(pixels(strip), RED)
    rows, columns = np.nonzero(red)
    middles = {round(strip.x_of(number)) for number in (10, 40)}
    assert {min(middles, key=lambda middle: abs(middle - column)) for column in columns} == middles
    for middle in middles:
        mine = np.abs(columns - middle) < 20
        assert 6 <= np.ptp(columns[mine]) + 1 <= 8
        assert 6 <= np.ptp(rows[mine]) + 1 <= 8
        assert abs(rows[mine].mean() - (strip.height() - 1) / 2) < 1
    assert not MaskStrip.movable


def test_a_key_s_diamond_is_filled_here_and_coloured_where_there_are_any(application: QApplication) -> None:
    window = QWidget()
    button = KeyframeButton("Strength")
    button.setParent(window)
    button.setPalette(palette())
    window.show()
    assert button.accessibleDescription() == "No keys"
    assert button.size() == SIZE
    assert button.focusPolicy() == Qt.FocusPolicy.TabFocus
    middle = SIZE.height() // 2, SIZE.width() // 2
    for has, here, enabled, line, filled in (
        (False, False, True, GREEN, False),
        (True, False, True, RED, False),
        (True, True, True, RED, True),
        (True, True, False, GREEN, True),
    ):
        button.show_keys(has=has, here=here)
        button.setEnabled(enabled)
        drawn = pixels(button)
        assert near(drawn, line).any()
        assert not near(drawn, RED if line == GREEN else GREEN).any()
        assert near(drawn, line)[middle] == filled
        rows, columns = np.nonzero(near(drawn, line))
        assert 7 <= np.ptp(rows) <= 12
        assert 7 <= np.ptp(columns) <= 12
    button.setEnabled(True)
    button.show_keys(has=False, here=False)
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    button.clearFocus()
    before = pixels(button)
    button.setFocus()
    ring = (pixels(button) != before).any(axis=-1)
    high, wide = SIZE.height() // 2, SIZE.width() // 2
    edges = ring[high, 0], ring[high, -1], ring[0, wide], ring[-1, wide]
    assert (*edges, ring[high, wide], ring[high, 3]) == (True, True, True, True, False, False)
    window.hide()
