"""Thumbnail and time above the seek bar."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout

from framebrush.base.worker_thread import EndingWorkers
from framebrush.media.video import VideoInfo
from framebrush.playback.display.seek_preview import SeekPreview
from framebrush.playback.reading.reading_process import ReadingProcess
from framebrush.window.transport.seekbar import SeekBar, clock
from framebrush.window.widgets.box_layouts import above, fill
from framebrush.window.widgets.controls import plain
from framebrush.window.widgets.images import image_of_rgb
from framebrush.window.widgets.theme import SPACE


class SeekPopup(QFrame):
    """Follows the mouse on the bar; a window, to cover a swap chain."""

    came = Signal(float, object)  # seconds, and a picture (H, W, 3)

    def __init__(self, bar: SeekBar) -> None:
        super().__init__(bar, Qt.WindowType.ToolTip)
        self.setObjectName("popup")
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self._bar = bar
        self._preview: SeekPreview | None = None
        self.reading: ReadingProcess | None = None
        """As for `SeekPreview`."""
        self._ending = EndingWorkers()
        self._info: VideoInfo | None = None
        self._x = 0
        self.picture, self.time = QLabel(), plain()
        self.time.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        fill(QVBoxLayout(self), self.picture, self.time, around=SPACE // 2, between=SPACE // 4)
        bar.pointed.connect(self._point)
        bar.installEventFilter(self)
        self.came.connect(self._show)
        self.hide()

    def show_video(self, info: VideoInfo | None) -> None:
        """Follow a video's opening or closing; only seekable files have thumbnails."""
        self.close_preview()
        self.picture.clear()
        self._info = info
        self.hide()

    def close_preview(self, *, wait: bool = False) -> None:
        """End its decoder. wait: for all decoders, before deletion."""
        self._ending.end(self._preview, wait=wait)
        self._preview = None

    def _point(self, ms: int, x: int) -> None:
        if self._info is None:
            return
        self._x = x
        chapter = [each.title for each in self._info.chapters if 1000 * each.start_s <= ms]
        self.time.setText("\n".join(filter(None, (clock(ms / 1000), *chapter[-1:]))))
        if self._info.path is not None:
            if self._preview is None:
                self._preview = SeekPreview(self._info, self.came.emit, self.reading)
            self._preview.request((ms / 1000,))
        self._place()
        self.show()

    def _show(self, _: float, picture: npt.NDArray[np.uint8]) -> None:
        if self._preview is None:
            return
        self.picture.setPixmap(QPixmap.fromImage(image_of_rgb(picture)))
        self._place()

    def _place(self) -> None:
        """Move and resize in one step, or it might cover the mouse."""
        self.ensurePolished()
        size = self.sizeHint()
        self.setGeometry(above(self._bar, size, self._x - size.width() // 2))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() in (QEvent.Type.Leave, QEvent.Type.Hide):
            self.hide()
        return super().eventFilter(watched, event)
