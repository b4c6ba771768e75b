"""Button that sets or removes a keyframe."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractButton

SIZE = QSize(12, 18)
"""Narrow, for small screens."""


def diamond(x: float, y: float, radius: float) -> QPolygonF:
    """Return the diamond shape of a keyframe."""
    return QPolygonF([QPointF(x, y - radius), QPointF(x + radius, y), QPointF(x, y + radius), QPointF(x - radius, y)])


class KeyframeButton(QAbstractButton):
    """Diamond button: filled at a keyframe, coloured if any exists."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._has = self._here = False
        self.setAccessibleName(self.tr("Key for {name}").format(name=self._title))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFixedSize(SIZE)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._say()

    def show_keys(self, *, has: bool, here: bool) -> None:
        if (has, here) != (self._has, self._here):
            self._has, self._here = has, here
            self._say()
            self.update()

    def _say(self) -> None:
        here, has = self._here, self._has
        state = self.tr("Set at this frame") if here else self.tr("Changes over time") if has else self.tr("No keys")
        self.setAccessibleDescription(state)
        if here:
            self.setToolTip(self.tr("Remove the key of {name} at this frame").format(name=self._title))
        else:
            self.setToolTip(self.tr("Set a key of {name} at this frame: it changes over time").format(name=self._title))

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter, palette = QPainter(self), self.palette()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        accent, line = palette.highlight().color(), palette.placeholderText().color()
        colour = accent if self.isEnabled() and (self._has or self.underMouse()) else line
        painter.setPen(QPen(colour, 1.4))
        painter.setBrush(colour if self._here else Qt.BrushStyle.NoBrush)
        painter.drawPolygon(diamond(self.width() / 2, self.height() / 2, 4.5))
        if self.hasFocus():
            painter.setPen(QPen(accent, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 4, 4)
