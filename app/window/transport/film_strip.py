"""Lane of thumbnails along the film."""

from __future__ import annotations

import math
from bisect import bisect_left, insort

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QResizeEvent

from framebrush.base.worker_thread import EndingWorkers
from framebrush.media.video import VideoInfo
from framebrush.playback.display.seek_preview import SeekPreview
from framebrush.playback.reading.reading_process import ReadingProcess
from framebrush.window.styles.catalog import filling
from framebrush.window.transport.axis import MARGIN_PX
from framebrush.window.transport.lane import Lane
from framebrush.window.transport.seekbar import SeekBar
from framebrush.window.widgets.debounce import Debounce
from framebrush.window.widgets.images import image_of_rgb
from framebrush.window.widgets.theme import STAGE

HEIGHT_PX = 36
WIDEST, NARROWEST = 2.4, 0.5
"""Shapes of a thumbnail, as width by height, beyond which it is cropped."""

REST_MS = 200
"""Rest of zoom and scroll before thumbnails are made, so that playing has the decoder to itself."""

KEPT = 1000
"""Thumbnails of a film, which take 10 MB."""

FINER = 4
"""Times are rounded to this part of a thumbnail's duration at least, so that zoomed lanes share thumbnails."""


class FilmStrip(Lane):
    """Thumbnails of the visible span, made on demand."""

    came = Signal(object, float, object)  # the film's facts, seconds, and a picture (H, W, 3)

    def __init__(self, bar: SeekBar) -> None:
        super().__init__(bar, HEIGHT_PX)
        self.reading: ReadingProcess | None = None
        """As for `SeekPreview`."""
        self._info: VideoInfo | None = None
        self._preview: SeekPreview | None = None
        self._ending = EndingWorkers()
        self._times: list[int] = []  # of the pictures, in order
        self.pictures: dict[int, QImage] = {}
        """By time, in milliseconds."""
        self._width_px = HEIGHT_PX
        self.rest = Debounce(REST_MS, self._ask, self)
        """Until the missing thumbnails are asked for."""
        self.setAccessibleName(self.tr("Film strip"))
        self.came.connect(self._take)
        bar.axis.changed.connect(self._follow)

    def show_video(self, info: VideoInfo | None) -> None:
        """Follow a video's opening or closing; None without thumbnails."""
        self.close_preview()
        self._info = info if info is not None and info.path is not None else None
        self._times.clear()
        self.pictures.clear()
        if self._info is not None:
            self._width_px = round(min(WIDEST, max(NARROWEST, self._info.shape)) * HEIGHT_PX)
        self._follow()

    def close_preview(self, *, wait: bool = False) -> None:
        """End its decoder. wait: for all decoders, before deletion."""
        self.rest.stop()
        self._ending.end(self._preview, wait=wait)
        self._preview = None

    @property
    def slots(self) -> list[tuple[float, int]]:
        """Return position and milliseconds of each visible thumbnail."""
        axis = self._bar.axis
        step = axis.ms_of(self._width_px, self.width())
        if self._info is None or step <= 0:
            return []
        finest = max(1.0, 2.0 ** math.floor(math.log2(step / FINER)))
        first, last = math.floor(axis.first_ms / step), math.ceil((axis.first_ms + axis.span_ms) / step)
        times = (index * step for index in range(first, last))
        return [(axis.x_of(time, self.width()), round(round(time / finest) * finest)) for time in times]

    def resizeEvent(self, _: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        self._follow()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        lane = self.rect().adjusted(MARGIN_PX, 1, -MARGIN_PX, -1)
        painter.fillRect(lane, QColor(STAGE))
        painter.setClipRect(lane)
        ratio = self.devicePixelRatioF()
        for x, time in self.slots:
            picture = self._nearest(time)
            if picture is not None:
                target = QRectF(x, 0, self._width_px, HEIGHT_PX)
                exact = round(self._width_px * ratio) == picture.width()
                painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not exact)
                painter.drawImage(target, picture)

    def _nearest(self, time: int) -> QImage | None:
        place = bisect_left(self._times, time)
        near = min(self._times[max(0, place - 1) : place + 1], key=lambda each: abs(each - time), default=None)
        return None if near is None else self.pictures[near]

    def _follow(self) -> None:
        if self._info is not None and self.isVisible():
            self.rest.start()
        self.update()

    def _ask(self) -> None:
        missing = tuple(dict.fromkeys(time / 1000 for _, time in self.slots if time not in self.pictures))
        if self._info is None or not self.isVisible() or not (missing or self._preview):
            return
        if self._preview is None:
            info = self._info
            self._preview = SeekPreview(info, lambda *came: self.came.emit(info, *came), self.reading)
        self._preview.request(missing or None)

    def _take(self, info: VideoInfo, time_s: float, picture: npt.NDArray[np.uint8]) -> None:
        time = round(1000 * time_s)
        if info is not self._info or time in self.pictures:
            return
        size = QSize(self._width_px, HEIGHT_PX) * self.devicePixelRatioF()
        self.pictures[time] = filling(image_of_rgb(picture), size)
        insort(self._times, time)
        if len(self._times) > KEPT:
            middle = self._bar.axis.first_ms + self._bar.axis.span_ms / 2
            del self.pictures[self._times.pop(0 if middle - self._times[0] > self._times[-1] - middle else -1)]
        self.update()
