"""The chosen style, large."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QImage, QPainter, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import FileName, faint
from framebrush.window.widgets.theme import SPACE

LARGE = QSize(140, 80)


class ChosenStyle(QWidget):
    """Picture, name and origin of a style or blend. Stateless."""

    def __init__(self) -> None:
        super().__init__()
        self.picture, self.title, self.origin = QLabel(), FileName("", ""), faint()
        self.title.setObjectName("heading")
        texts = fill(QVBoxLayout(), self.title, self.origin, None, around=0, between=SPACE // 4)
        fill(QHBoxLayout(self), self.picture, texts, around=0, between=SPACE + SPACE // 2, grows=texts)
        self.setFixedHeight(LARGE.height())

    def show_style(self, title: str, origin: str, parts: Sequence[tuple[QImage, float]]) -> None:
        """Show a style. parts: pictures, and their shares."""
        self.title.setText(title)
        self.title.setToolTip(title)
        self.origin.setText(origin)
        self.picture.setAccessibleName(title)
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(LARGE * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(self.palette().base().color())
        painter, left = QPainter(pixmap), 0.0
        for picture, share in parts:
            place = QRectF(left * LARGE.width(), 0.0, share * LARGE.width(), LARGE.height())
            painter.setClipRect(place)
            painter.drawImage(QPointF(), picture)
            left += share
        painter.end()
        self.picture.setPixmap(pixmap)
