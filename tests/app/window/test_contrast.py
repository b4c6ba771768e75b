"""Text can be read: at least 4.5 to 1 against its ground, in both themes, as WCAG 2 measures it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from framebrush.playback import events
from framebrush.window.widgets import icons, theme
from framebrush.window.widgets.theme import CONTRAST, DARK, LIGHT, STAGE, Colours
from tests.app.window.conftest import Desk

ENOUGH, MORE, LINES = 4.5, 7.0, 3.0
"""WCAG 2.2: 1.4.3 and 1.4.6 for text, 1.4.11 for what is not."""


def luminance(colour: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Relative luminance of sRGB, (..., 3) in 0..1. Source: WCAG 2.2, definition of relative luminance."""
    light = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    return light @ np.array([0.2126, 0.7152, 0.0722])


def contrast(first: str, second: str) -> float:
    levels = [luminance(np.array([int(text[i : i + 2], 16) / 255 for i in (1, 3, 5)])) for text in (first, second)]
    return float((max(levels) + 0.05) / (min(levels) + 0.05))


def test_the_measure_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.unit
@pytest.mark.parametrize(
    ("c", "least"), [(DARK, ENOUGH), (LIGHT, ENOUGH), (CONTRAST, MORE)], ids=["dark", "light", "contrast"]
)
def test_every_text_colour_on_every_ground(c: Colours, least: float) -> None:
    grounds = {"window": c.window, "panel": c.panel, "raised": c.raised}
    pairs = [(text, ground) for text in ("text", "faint") for ground in grounds]
    found = {(text, ground): contrast(getattr(c, text), grounds[ground]) for text, ground in pairs}
    found["text", "hover"] = contrast(c.text, c.hover)
    found["on_accent", "accent"] = contrast(c.on_accent, c.accent)
    found["problem", "raised"] = contrast(c.problem, c.raised)
    assert {pair: ratio for pair, ratio in found.items() if ratio < least} == {}


@pytest.mark.unit
def test_high_contrast_has_lines_that_are_seen() -> None:
    """Frames of controls, grooves and the focus stand out."""
    seen = [(CONTRAST.line, CONTRAST.window), (CONTRAST.accent, CONTRAST.window), (CONTRAST.accent, CONTRAST.line)]
    assert [pair for pair in seen if contrast(*pair) < LINES] == []


@pytest.mark.unit
def test_the_texts_on_the_stage() -> None:
    assert contrast("#c9cacc", STAGE) >= ENOUGH
    assert contrast("#8b8d92", STAGE) >= ENOUGH
    assert contrast("#f0f0ee", "#0c0c0d") >= ENOUGH


def drawn_contrast(widget: QWidget) -> float:
    """Between the ground of a widget, its most frequent colour, and the pixel farthest from it: its letters."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGBX8888)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(-1, 4)[:, :3]
    colours, counts = np.unique(pixels, axis=0, return_counts=True)
    levels = luminance(colours / 255)
    ground = levels[counts.argmax()]
    return float(max((max(level, ground) + 0.05) / (min(level, ground) + 0.05) for level in levels))


@pytest.mark.slow
@pytest.mark.media
@pytest.mark.parametrize("name", ["dark", "light", "contrast"])
def test_what_is_drawn_can_be_read(desk: Desk, name: theme.Theme) -> None:
    """Labels and buttons of the open window, also disabled ones, as they come out of the style sheet."""
    desk.window.preferences.use("theme", name)
    desk.open("cfr.mp4")
    desk.wait(lambda: len(desk.window.inspector.gallery.names) > 5, "the gallery")
    desk.window.messages.show_notification(events.Notification("A message.", "x", "problem"))
    desk.window.exporting.ask()
    desk.rest(0.5)
    texts: list[QLabel | QPushButton] = []
    for kind in (QLabel, QPushButton):
        texts += [widget for widget in desk.window.findChildren(kind) if widget.isVisible() and widget.text()]
    assert len(texts) > 15
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    poor = {widget.text(): round(drawn_contrast(widget), 2) for widget in texts if drawn_contrast(widget) < ENOUGH}
    assert poor == {}
    disabled = app.palette().color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.WindowText)
    assert disabled != app.palette().windowText().color()
    for dialog in desk.window.findChildren(QWidget):
        if dialog.isWindow() and dialog.isVisible() and dialog is not desk.window:
            dialog.close()


@pytest.mark.parametrize("name", icons.OUTLINED)
def test_lines_of_icons_are_opaque_at_every_size(application: QApplication, name: str) -> None:
    made = icons.icon(name, DARK)
    for size in icons.SIZES_PX:
        image = made.pixmap(QSize(size, size), 1.0).toImage().convertToFormat(QImage.Format.Format_RGBA8888)
        assert np.frombuffer(image.constBits(), np.uint8).reshape(-1, 4)[:, 3].max() > 240


@pytest.mark.slow
def test_a_desktop_that_becomes_light_lights_the_window(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert desk.window.palette().window().color() == QColor(DARK.window)
    monkeypatch.setattr(theme, "colours", lambda _: LIGHT)  # no desktop is here
    QApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert desk.window.palette().window().color() == QColor(LIGHT.window)


def test_a_desktop_that_does_not_say_is_dark(application: QApplication) -> None:
    assert application.styleHints().colorScheme() is Qt.ColorScheme.Unknown
    assert theme.colours("system") is DARK
