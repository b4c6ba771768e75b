"""Base of the timeline's seeking lanes."""

from __future__ import annotations

from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from framebrush.window.transport.seekbar import SeekBar


class Lane(QWidget):
    """Widget below a seek bar, equally wide, that seeks like it."""

    def __init__(self, bar: SeekBar, height_px: int) -> None:
        super().__init__()
        self._bar = bar
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(height_px)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._bar.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._bar.drag(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._bar.release(event)
