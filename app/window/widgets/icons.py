"""Icons: outlines on a 24x24 grid."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from framebrush.window.widgets.theme import Colours

SIZES_PX = (16, 20, 24, 32, 48)

FILLED = {
    "play": "M7 4.5v15l12-7.5z",
    "pause": "M6.5 5h4v14h-4zM13.5 5h4v14h-4z",
    "step-back": "M5 5h2.5v14H5zM19 5v14L9.5 12z",
    "record": "M12 5.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z",
    "stop": "M6.5 6.5h11v11h-11z",
    "step-forward": "M16.5 5H19v14h-2.5zM5 5v14l9.5-7z",
}
OUTLINED = {
    "mark-in": "M10 5H6v14h4M12 12h8M16 8.5L12 12l4 3.5",
    "mark-out": "M14 5h4v14h-4M12 12H4M8 8.5L12 12l-4 3.5",
    "loop": "M17 4l3 3-3 3M20 7H8a4 4 0 0 0-4 4v1M7 20l-3-3 3-3M4 17h12a4 4 0 0 0 4-4v-1",
    "sound": "M4 10v4h3.5l4.5 4V6L7.5 10zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
    "mute": "M4 10v4h3.5l4.5 4V6L7.5 10zM16 9.5l5 5M21 9.5l-5 5",
    "full-screen": "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
    "camera": "M4 8h4l1.5-2.5h5L16 8h4v11H4zM12 16.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4z",
    "open": "M3.5 18.5v-13h6l2 2.5h9v10.5z",
    "export": "M12 15V4M8 8l4-4 4 4M5 13v6.5h14V13",
    "split": "M12 3v18M4 6h5M4 18h5M4 6v12M15 6h5v12h-5",
    "panel": "M4 5h16v14H4zM14.5 5v14M17 9h.5M17 12h.5",
    "close": "M6.5 6.5l11 11M17.5 6.5l-11 11",
    "add": "M12 5v14M5 12h14",
    "brush": "M20 4c-4.5 1.5-9 6-10.5 9.5l1.5 1.5c3.5-1.5 8-6 9-11zM9 14c-4 0-3 4.5-5 5.5 3.5 1.5 7 .5 7-4",
    "paint-frame": "M12 5H4v14h16v-6M20.5 3c-4 1.3-7.5 4.8-8.5 7.5l1.5 1.5c2.7-1 6.2-4.5 7-9zM11 13c-2 0-2 2-3 3h4v-3",
    "erase": "M9 19h10.5M4.5 14.5l8-9.5 6.5 5.5L12 19H8.5z",
    "reset": "M5 12a7 7 0 1 0 2.2-5.1M5 4v4h4",
    "film": "M4 5h16v14H4zM8 5v14M16 5v14M4 9.7h4M4 14.3h4M16 9.7h4M16 14.3h4",
}


def picture(name: str, colour: str, size_px: int, *, thin: bool = False) -> QPixmap:
    """Draw an icon in one colour. Raises KeyError."""
    return QPixmap.fromImage(_coloured(name, colour, size_px, thin))


@cache
def _coloured(name: str, colour: str, size_px: int, thin: bool) -> QImage:
    image = _shape(name, size_px, thin).copy()
    painter = QPainter(image)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(image.rect(), QColor(colour))
    painter.end()
    return image


@cache
def _shape(name: str, size_px: int, thin: bool) -> QImage:
    """Draw an icon in black; cached."""
    if name in FILLED:
        drawing = f'<path d="{FILLED[name]}"/>'
    else:
        width = 0.8 if thin else 1.7
        drawing = (
            f'<path fill="none" stroke="black" stroke-width="{width}" stroke-linecap="round" '
            f'stroke-linejoin="round" d="{OUTLINED[name]}"/>'
        )
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{drawing}</svg>'
    image = QImage(size_px, size_px, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, size_px, size_px))
    painter.end()
    return image


def icon(name: str, colours: Colours, *, checkable: bool = False, on: str | None = None) -> QIcon:
    """Return a button's icon; checked, in the accent colour or drawn as `on`."""
    made = QIcon()
    for size in SIZES_PX:
        made.addPixmap(picture(name, colours.text, size), QIcon.Mode.Normal, QIcon.State.Off)
        made.addPixmap(picture(name, colours.faint, size), QIcon.Mode.Disabled, QIcon.State.Off)
        if checkable:
            colour = colours.text if on else colours.accent
            made.addPixmap(picture(on or name, colour, size), QIcon.Mode.Normal, QIcon.State.On)
    return made
