"""Small parts that many panels use: timers, numbers, images, layouts, icons, themes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import QCoreApplication, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from framebrush.window.widgets import icons, theme
from framebrush.window.widgets.box_layouts import above, fill
from framebrush.window.widgets.debounce import Debounce
from framebrush.window.widgets.images import fitted, image_of_rgb, save_whole
from framebrush.window.widgets.numbers import data_size, decimal, percent, percents, shortest, whole
from framebrush.window.widgets.theme import CONTRAST, DARK, LIGHT, SPACE, Colours, Theme
from tests.app.window.conftest import speaking

pytestmark = pytest.mark.unit


def test_a_debounced_call_is_made_once_after_the_last_restart(application: QApplication) -> None:
    owner, calls = QObject(), list[float]()
    rest = Debounce(40, lambda: calls.append(time.monotonic()), owner)
    rest.start()
    time.sleep(0.025)
    rest.start()
    last_s = time.monotonic()
    while time.monotonic() < last_s + 0.13:
        QCoreApplication.processEvents()
    (call,) = calls
    assert call - last_s >= 0.03


@pytest.mark.parametrize(
    ("write", "expected"),
    [
        (lambda: decimal(1.26), "1.3"),
        (lambda: decimal(1.256, 2), "1.26"),
        (lambda: decimal(0.5, signed=True), "+0.5"),
        (lambda: decimal(0.0, signed=True), "0.0"),
        (lambda: decimal(-0.5, signed=True), "-0.5"),
        (lambda: shortest(12.345), "12.3"),
        (lambda: shortest(24.0), "24"),
        (lambda: percent(0.0), "0%"),
        (lambda: percent(0.5), "50%"),
        (lambda: percent(1.0), "100%"),
        (lambda: data_size(1_540_000), "1.5 MB"),
        (lambda: whole(12_345), "12,345"),
    ],
)
def test_numbers_are_written_for_people(application: QApplication, write: Callable[[], str], expected: str) -> None:
    with speaking(application, "en_US"):
        assert write() == expected


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ((1,), "100"),
        ((1, 1, 1), "34 33 33"),
        ((2, 1), "67 33"),
        ((0.5, 1.5), "25 75"),
        ((60.4, 20.3, 19.3), "61 20 19"),  # where most is cut off
    ],
)
def test_shares_of_a_blend_sum_to_a_hundred(weights: tuple[float, ...], expected: str) -> None:
    assert percents(weights) == [f"{share}%" for share in expected.split()]


@pytest.mark.parametrize("channels", [3, 4])
def test_an_image_has_the_pixels_of_its_array(channels: int) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (3, 5, channels), np.uint8)
    image = image_of_rgb(pixels[:, ::-1][:, ::-1])
    assert image.hasAlphaChannel() == (channels == 4)
    colours = [[image.pixelColor(x, y) for x in range(5)] for y in range(3)]
    found = [[(c.red(), c.green(), c.blue(), c.alpha())[:channels] for c in row] for row in colours]
    assert np.array_equal(found, pixels)


def test_an_image_is_fitted_into_points_with_pixels_of_the_screen(application: QApplication) -> None:
    image = QImage(40, 20, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    made = fitted(image, QSize(10, 10), 2.0)
    assert (made.size(), made.deviceIndependentSize().toSize()) == (QSize(20, 10), QSize(10, 5))


def test_an_image_is_saved_whole_in_the_format_of_its_name(tmp_path: Path) -> None:
    image = image_of_rgb(np.random.default_rng(1).integers(0, 256, (64, 64, 3), np.uint8))
    small, usual, best = (tmp_path / f"{name}.jpg" for name in ("small", "usual", "best"))
    for target, quality in ((small, 0), (best, 100)):
        save_whole(image, target, quality)
    save_whole(image, usual)
    sizes = [path.stat().st_size for path in (small, usual, best)]
    assert sizes == sorted(set(sizes))
    png = tmp_path / "picture.png"
    png.write_bytes(b"another")
    with pytest.raises(FileExistsError):
        save_whole(image, png, new=True)
    assert png.read_bytes() == b"another"
    save_whole(image, png)
    assert QImage(str(png)) == image.convertToFormat(QImage(str(png)).format())
    with pytest.raises(OSError, match=r"picture\.film could not be encoded"):
        save_whole(image, tmp_path / "picture.film")
    assert len([*tmp_path.iterdir()]) == 4


def test_a_row_has_its_parts_in_order_and_one_grows(application: QApplication) -> None:
    first, last, inner = QWidget(), QWidget(), QVBoxLayout()
    row = fill(QHBoxLayout(), first, None, inner, last, around=3, between=5, grows=last)
    items = [row.itemAt(index) for index in range(row.count())]
    assert [items[0].widget(), items[2].layout(), items[3].widget()] == [first, inner, last]
    assert items[1].spacerItem() is not None
    assert [row.stretch(index) for index in (0, 2, 3)] == [0, 0, 1]
    margins = row.contentsMargins()
    assert (margins.left(), margins.top(), margins.right(), margins.bottom(), row.spacing()) == (3, 3, 3, 3, 5)
    column = fill(QVBoxLayout(), fill(QHBoxLayout(), grows=None), row, around=(1, 2, 3, 4), grows=row)
    assert [column.stretch(index) for index in range(2)] == [0, 1]
    usual = QVBoxLayout()
    assert (column.spacing(), column.contentsMargins().bottom()) == (usual.spacing(), 4)


def test_a_popup_is_above_its_widget_and_on_the_screen(application: QApplication) -> None:
    widget = QWidget()
    room = widget.screen().availableGeometry()
    size, middle = QSize(100, 40), room.center()
    widget.setGeometry(QRect(middle, QSize(30, 20)))
    assert above(widget, size) == QRect(middle - QPoint(0, 40 + SPACE // 2), size)
    assert above(widget, size, 12).left() == middle.x() + 12
    widget.move(room.topRight() - QPoint(5, 0))
    place = above(widget, size)
    assert room.contains(place)
    assert (place.top(), place.left()) == (room.top(), room.right() - 100)
    widget.move(room.bottomLeft() - QPoint(50, 0))
    assert above(widget, size).left() == room.left()


def opacity(drawn: QPixmap) -> npt.NDArray[np.uint8]:
    image = drawn.toImage().convertToFormat(QImage.Format.Format_RGBA8888)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., 3].copy()


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0, 3.0])
def test_an_icon_is_drawn_for_each_scale_of_the_desktop(application: QApplication, ratio: float) -> None:
    """None is enlarged or reduced, which would blur it."""
    size, normal, disabled = QSize(16, 16), QIcon.Mode.Normal, QIcon.Mode.Disabled
    off, on = QIcon.State.Off, QIcon.State.On

    def same(made: QIcon, mode: QIcon.Mode, state: QIcon.State, name: str, colour: str) -> bool:
        wanted = icons.picture(name, colour, round(16 * ratio)).toImage()
        return made.pixmap(size, ratio, mode, state).toImage() == wanted

    assert same(icons.icon("loop", DARK), normal, off, "loop", DARK.text)
    assert same(icons.icon("loop", DARK), disabled, off, "loop", DARK.faint)
    assert same(icons.icon("loop", DARK), normal, on, "loop", DARK.text)
    assert same(icons.icon("loop", DARK, checkable=True), normal, on, "loop", DARK.accent)
    assert same(icons.icon("play", DARK, checkable=True, on="pause"), normal, on, "pause", DARK.text)
    assert same(icons.icon("play", DARK, checkable=True, on="pause"), normal, off, "play", DARK.text)


def test_an_icon_has_lines_or_areas_of_its_colour_on_nothing(application: QApplication) -> None:
    scale = 10
    usual, thin = (opacity(icons.picture("add", "#ff0000", 24 * scale, thin=thin)) for thin in (False, True))
    for drawn, least, most in ((usual, 1.5, 2.0), (thin, 0.7, 0.9)):
        assert least * scale <= (drawn[:, 8 * scale] > 127).sum() <= most * scale  # a line from left to right
        assert np.array_equal(drawn, drawn[::-1])
        assert np.array_equal(drawn, drawn[:, ::-1])
        assert drawn[0, 0] == 0
    assert np.array_equal(opacity(icons.picture("add", "#ff0000", 24 * scale)), usual)
    assert icons.picture("add", "#ff0000", 24).toImage().pixelColor(12, 12).red() == 255
    play = opacity(icons.picture("play", "#ff0000", 24 * scale))
    assert play[12 * scale, 12 * scale] == 255  # its inside


@pytest.mark.parametrize(
    ("chosen", "is_light", "wants_contrast", "expected"),
    [
        ("system", False, False, DARK),
        ("system", True, False, LIGHT),
        ("system", True, True, CONTRAST),
        ("dark", True, True, DARK),
        ("light", False, True, LIGHT),
        ("contrast", True, False, CONTRAST),
    ],
)
def test_only_the_system_s_theme_follows_the_desktop(
    monkeypatch: pytest.MonkeyPatch, chosen: Theme, is_light: bool, wants_contrast: bool, expected: Colours
) -> None:
    """A desktop without either setting is dark."""
    preference = Qt.ContrastPreference.HighContrast if wants_contrast else Qt.ContrastPreference.NoPreference
    hints = SimpleNamespace(
        colorScheme=lambda: Qt.ColorScheme.Light if is_light else Qt.ColorScheme.Dark,
        accessibility=lambda: SimpleNamespace(contrastPreference=lambda: preference),
    )
    monkeypatch.setattr(QApplication, "styleHints", lambda: hints)
    assert theme.colours(chosen) is expected


@pytest.fixture
def in_another_style(application: QApplication) -> Iterator[QApplication]:
    palette, had = application.palette(), application.property("fusion")
    application.setStyleSheet("")
    application.setStyle("Windows")
    application.setProperty("fusion", None)
    yield application
    application.setStyle("Fusion")
    application.setProperty("fusion", had)
    application.setStyleSheet("")
    application.setPalette(palette)


def test_every_desktop_has_the_same_style(in_another_style: QApplication) -> None:
    app = in_another_style
    assert app.style().name() == "windows"
    app.setStyleSheet("* { color: red }")
    assert theme.prepare(app, "light") is LIGHT
    assert (app.style().name(), app.styleSheet()) == ("fusion", "")
    assert app.palette().windowText().color().name() == LIGHT.text
    theme.finish(app, LIGHT)
    assert LIGHT.accent in app.styleSheet()
