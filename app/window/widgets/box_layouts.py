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
    """Put parts into a row or column, and return it.

    Args:
        parts: in order; None for a stretch.
        around: margins (left, top, right, bottom) or all four, in pixels; default: Qt's.
        between: spacing in pixels; default: Qt's.
        grows: part that takes the remaining room.
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
    """Return a window's place above a widget, on the screen. x: left edge."""
    corner, room = widget.mapToGlobal(QPoint(x, -size.height() - SPACE // 2)), widget.screen().availableGeometry()
    left = min(max(corner.x(), room.left()), room.right() - size.width())
    return QRect(QPoint(left, max(room.top(), corner.y())), size)
