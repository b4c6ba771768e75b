"""Tab of the exports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPalette, QPen, QPixmap
from PySide6.QtWidgets import QTabWidget

from framebrush.window.exports.export_queue import ExportJob, State
from framebrush.window.exports.export_runner import ExportRunner
from framebrush.window.widgets.numbers import percent

PX, LINE_PX = 16, 3
FULL = 360 * 16
"""A circle in Qt's units."""


def ring(share: float, palette: QPalette, ratio: float) -> QIcon:
    """Draw a ring filled clockwise. share: 0..1."""
    pixmap = QPixmap(QSize(PX, PX) * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    around = QRectF(0, 0, PX, PX).adjusted(LINE_PX / 2, LINE_PX / 2, -LINE_PX / 2, -LINE_PX / 2)
    painter.setPen(QPen(palette.mid().color(), LINE_PX))
    painter.drawEllipse(around)
    painter.setPen(QPen(palette.highlight().color(), LINE_PX, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
    painter.drawArc(around, FULL // 4, -round(share * FULL))
    painter.end()
    return QIcon(pixmap)


class ExportTab(QObject):
    """Shows the exports' number, and the progress as a ring."""

    def __init__(self, side: QTabWidget, exports: ExportRunner) -> None:
        super().__init__(side)
        self._side, self._exports = side, exports
        self._index, self._shown = side.count() - 1, ""
        side.setIconSize(QSize(PX, PX))
        exports.counted.connect(self._show_count)
        exports.progressed.connect(self._show_progress)

    def _show_count(self, count: int) -> None:
        text = self.tr("Exports ({count})").format(count=count) if count else self.tr("Exports")
        self._side.setTabText(self._index, text)
        if all(job.state is not State.RUNNING for job in self._exports.queue):
            self._show("", QIcon())

    def _show_progress(self, job: ExportJob, line: dict[str, Any]) -> None:
        if line.get("frames"):
            share = min(1.0, line["frame"] / line["frames"])
            words = f"{Path(job.spec.target).name}: {percent(share)}"
            if words != self._shown:
                self._show(words, ring(share, self._side.palette(), self._side.devicePixelRatioF()))

    def _show(self, words: str, icon: QIcon) -> None:
        self._shown = words
        self._side.setTabIcon(self._index, icon)
        self._side.setTabToolTip(self._index, words)
