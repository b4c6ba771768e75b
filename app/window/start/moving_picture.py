"""Moving picture of the start page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from av.video.reformatter import Colorspace
from PySide6.QtCore import QRect, Qt, QTimer
from PySide6.QtGui import QColor, QHideEvent, QImage, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from framebrush.base.prefetch import Prefetcher
from framebrush.media.reading.source import open_source
from framebrush.window.widgets.theme import STAGE

START = Path(__file__).parent / "start.mp4"
"""640x360, made by assets/make_start_film.py from the sample film, with its credits: see `framebrush.sample`."""

PERIOD_MS = 100
TIMES = 5
"""How often it is played. Then it rests, and takes no processor."""

VEIL = 60
"""Opacity of the dark veil over it, 0..255, before which words are read."""


class MovingPicture(QWidget):
    """Half-painted sample film, playing while visible."""

    def __init__(self) -> None:
        super().__init__()
        self._pictures = Prefetcher(_pictures(), depth=2, name="start film")  # opening it takes a quarter of a second
        self.destroyed.connect(self._pictures.close)
        self._picture: QImage | None = None
        self._is_over = False
        self.timer = QTimer(self, interval=PERIOD_MS)
        self.timer.timeout.connect(self._go_on)

    def _go_on(self) -> None:
        if not self._pictures.ready:
            return  # a slow disk must not hold the window up
        picture = next(self._pictures, None)
        if picture is None:
            self._is_over = True
            self.timer.stop()
        else:
            self._picture = picture
            self.update()

    def showEvent(self, _: QShowEvent) -> None:  # noqa: N802 - Qt's name
        if not self._is_over:
            self.timer.start()
            self._go_on()

    def hideEvent(self, _: QHideEvent) -> None:  # noqa: N802 - Qt's name
        self.timer.stop()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        if self._picture is None:
            painter.fillRect(self.rect(), QColor(STAGE))
            return
        size = self._picture.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatioByExpanding)
        place = QRect((self.width() - size.width()) // 2, (self.height() - size.height()) // 2, 0, 0)
        place.setSize(size)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(place, self._picture)
        veil = QColor(STAGE)
        veil.setAlpha(VEIL)
        painter.fillRect(self.rect(), veil)
        painter.fillRect(QRect(self.width() // 2 - 1, 0, 2, self.height()), QColor(255, 255, 255, 200))


def _pictures() -> Iterator[QImage]:
    for _ in range(TIMES):
        source = open_source(START, threads=1)
        try:
            for packet in (*source.packets(), None):
                for frame in source.decode(packet):
                    made = frame.reformat(format="bgra", src_colorspace=Colorspace.ITU709, threads=1)
                    [plane] = made.planes
                    form = QImage.Format.Format_RGB32
                    yield QImage(bytes(plane), made.width, made.height, plane.line_size, form).copy()
        finally:
            source.close()
