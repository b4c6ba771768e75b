"""Rows and columns of widgets."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QBoxLayout, QLayout, QWidget

from framebrush.window.widgets.theme import SPACE

Box = TypeVar("Box", bound=QBoxLayout)


def fill(
    box: Box,
    *parts: QWidget | QLayout | None,
    around: int | tuple[int, int, int, int] | None = None,
    between: int | None = None,
    grows: QWidget | QLayout | None = None,
) -> Box:
    """Put parts into a row or a column, and return it.

    Args:
        parts: in their order; None is room that grows.
        around: the margins (left, top, right, bottom) or all four, in pixels; Qt's own by default.
        between: two parts, likewise.
        grows: the part that takes all the room that is left.
    """
    if around is not None:
        box.setContentsMargins(*((around,) * 4 if isinstance(around, int) else around))
    if between is not None:
        box.setSpacing(between)
    for part in parts:
        if part is None:
            box.addStretch()
        elif isinstance(part, QLayout):
            box.addLayout(part, int(part is grows))
        else:
            box.addWidget(part, int(part is grows))
    return box


def above(widget: QWidget, size: QSize, x: int = 0) -> QRect:
    """Return the screen position of a small window above a widget, clamped to the screen.

    Args:
        x: left edge in the widget.
    """
    corner, room = widget.mapToGlobal(QPoint(x, -size.height() - SPACE // 2)), widget.screen().availableGeometry()
    left = min(max(corner.x(), room.left()), room.right() - size.width())
    return QRect(QPoint(left, max(room.top(), corner.y())), size)
