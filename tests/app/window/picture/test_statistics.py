"""The statistics overlay: figures of device, film and playback."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from PySide6.QtGui import QFontMetrics, QImage
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from framebrush.gpu.device import DeviceInfo
from framebrush.media.reading.reader import Reader
from framebrush.playback import events
from framebrush.window.picture.statistics import StatisticsOverlay
from framebrush.window.widgets.theme import apply
from tests.app.window.conftest import CLIPS

pytestmark = pytest.mark.unit

FIGURES = events.Statistics({"decode": 1.5, "network": 22.25}, 24.5, 320, 7, 1.25, 90)

ROWS = """
shown        24.5 fps   320
dropped         7
read back    1.25 per frame

decode       1.50 ms
network     22.25 ms

"""


@pytest.fixture
def dark_on_light(application: QApplication) -> Iterator[None]:
    palette = application.palette()
    apply(application, "light")
    yield
    application.setStyleSheet("")
    application.setPalette(palette)


@pytest.fixture
def overlay(application: QApplication) -> Iterator[StatisticsOverlay]:
    view = QWidget()
    yield StatisticsOverlay(view)
    view.deleteLater()


def test_a_row_for_each_figure_in_columns(overlay: StatisticsOverlay) -> None:
    overlay.show_measured(FIGURES)
    assert overlay.text() == f"{ROWS}cached         90"
    assert overlay.size() == overlay.wanted_size()
    overlay.show_measured(replace(FIGURES, latency_ms=31.5))
    assert overlay.text() == f"{ROWS}latency      31.5 ms"


@pytest.mark.usefixtures("dark_on_light")
def test_its_columns_are_light_on_dark_above_any_film(overlay: StatisticsOverlay) -> None:
    overlay.show_measured(FIGURES)
    grey = overlay.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    shades = np.frombuffer(grey.constBits(), np.uint8).reshape(grey.height(), -1)[:, : grey.width()]
    assert np.median(shades) < 64
    assert shades.max() > 200
    ink = np.argwhere(shades > 128)
    assert ink.min() >= overlay.corner().x()  # as much room around the words as around the overlay
    label = overlay.findChild(QLabel)
    assert label is not None
    advance = QFontMetrics(label.font()).horizontalAdvance
    assert advance("iiii") == advance("WWWW")
    assert overlay.accessibleName() == "Statistics"


def test_device_way_and_film_above_and_no_figures_without_a_film(overlay: StatisticsOverlay) -> None:
    overlay.show_device(events.DeviceInUse(DeviceInfo(0, "cpu", "A processor"), ""), "")
    assert overlay.text() == "A processor"
    overlay.show_way("it has no queue for it")
    assert overlay.text() == "A processor\nit has no queue for it"
    with Reader(CLIPS / "cfr.mp4") as reader:
        info = reader.info
    overlay.show_video(info)
    size = f"{info.format.width}x{info.format.height}"
    first = ["A processor", "it has no queue for it"]
    assert overlay.text().split("\n") == [*first, f"{size} 25 fps {info.codec} {info.pix_fmt}"]
    overlay.show_video(replace(info, rate=Fraction(30000, 1001), format=replace(info.format, transfer="pq")))
    assert overlay.text().split("\n")[2] == f"{size} 29.97 fps {info.codec} {info.pix_fmt} PQ"
    overlay.show_video(replace(info, rate=None))
    assert overlay.text().split("\n")[2] == f"{size} {info.codec} {info.pix_fmt}"
    overlay.show_measured(FIGURES)
    assert overlay.text().endswith(f"{info.pix_fmt}\n{ROWS}cached         90")
    overlay.show_video(None)
    assert overlay.text().split("\n") == first
    overlay.show_device(events.DeviceInUse(DeviceInfo(0, "cuda", "A GPU"), ""), "")
    assert overlay.text() == "A GPU"
