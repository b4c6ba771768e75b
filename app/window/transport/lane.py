"""Base of the timeline's seeking lanes."""

from __future__ import annotations

from abc import abstractmethod

from PySide6.QtCore import QEvent
from PySide6.QtGui import QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip, QWidget

from framebrush.window.transport.seekbar import SeekBar


class Lane(QWidget):
    """Widget below a seek bar, equally wide, that seeks too."""

    def __init__(self, bar: SeekBar, height_px: int) -> None:
        super().__init__()
        self._bar = bar
        self.setFixedHeight(height_px)
        bar.axis.changed.connect(self.update)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._bar.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._bar.drag(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._bar.mouseReleaseEvent(event)


class ToldLane(Lane):
    """Lane with a tooltip for each time."""

    @abstractmethod
    def words_at(self, ms: int) -> str:
        """Return the tooltip, HTML; "" for none."""

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.words_at(self._bar.value_at(event.pos().x())), self)
            return True
        return super().event(event)
