"""Lane of the film's styles over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from html import escape

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QLinearGradient, QPainter, QPaintEvent

from framebrush.jobs.keyframes import STYLE, Track
from framebrush.styles.blends import parts_of
from framebrush.styles.style_names import PASSTHROUGH
from framebrush.window.styles.catalog import Entry, picture_of, thumbnail, words_of_blend
from framebrush.window.transport.lane import ToldLane
from framebrush.window.transport.seekbar import SeekBar, clock
from framebrush.window.widgets.controls import shrink

HEIGHT_PX = 17
LEAST_SATURATION, VALUE = 90, 120
"""Of a block's colour, 0..255: white text is readable on it."""

MOST_SAID = 12
"""Most blocks in the description for screen readers."""


@dataclass(frozen=True, slots=True)
class Block:
    """Frames of one style.

    becomes: style at the end, if it changes until the next block.
    """

    number: int
    style: str
    becomes: str = ""


def blocks_of(tracks: Sequence[Track], style: str) -> list[Block]:
    """Return a film's blocks. style: used without keyframes."""
    for track in tracks:
        if track.of == STYLE:
            keys, found = track.keys, list[Block]()
            for index, key in enumerate(keys):
                number, name = int(key.at.value) if index else 0, str(key.value)
                following = str(keys[index + 1].value) if index + 1 < len(keys) else name
                becomes = "" if key.ease == "hold" or following == name else following
                if becomes and number < int(key.at.value):
                    found.append(Block(number, name))  # the first keyframe holds before it
                    number = int(key.at.value)
                if becomes or not found or (found[-1].style, found[-1].becomes) != (name, ""):
                    found.append(Block(number, name, becomes))
            return found
    return [Block(0, style)]


@cache
def colour_of(painting: str) -> QColor:
    """Return the mean colour of a style's thumbnail, weighted by saturation."""
    if painting == PASSTHROUGH:
        return QColor.fromHsv(0, 0, VALUE // 2)
    image = thumbnail(Entry(painting, painting, picture=picture_of(painting)), QSize(32, 18), 1.0)
    pixels = np.frombuffer(image.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint8)
    bgr = pixels.reshape(-1, 4)[:, :3].astype(np.float64)
    weights = np.ptp(bgr, axis=1) ** 2 + 1.0
    blue, green, red = (weights @ bgr / weights.sum()).round().astype(int)
    colour = QColor(int(red), int(green), int(blue))
    return QColor.fromHsv(max(0, colour.hue()), max(LEAST_SATURATION, colour.saturation()), VALUE)


class StyleLane(ToldLane):
    """Blocks in the colours of styles, with their names."""

    def __init__(self, bar: SeekBar) -> None:
        super().__init__(bar, HEIGHT_PX)
        self._rate: Fraction | None = None
        self.blocks: list[Block] = []
        self.setAccessibleName(self.tr("Styles"))
        shrink(self)

    def show_film(self, rate: Fraction | None) -> None:
        """Show a film's scale. rate: None for an empty lane."""
        self._rate = rate
        self._tell()

    def show_blocks(self, blocks: list[Block]) -> None:
        if blocks != self.blocks:
            self.blocks = blocks
            self._tell()

    def _tell(self) -> None:
        words = [f"{clock(self._ms(each.number) / 1000)} {self.name_of(each)}" for each in self.blocks[:MOST_SAID]]
        self.setAccessibleDescription(", ".join(words) if self._rate is not None else "")
        self.update()

    def name_of(self, block: Block) -> str:
        """Return the displayed name of a block's style."""
        names = filter(None, (block.style, block.becomes))
        return " → ".join(self.tr("No style") if name == PASSTHROUGH else words_of_blend(name) for name in names)

    def _ms(self, number: int) -> int:
        return round(1000 * number / self._rate) if self._rate else 0

    def _ends(self, index: int) -> tuple[int, int]:
        following = self.blocks[index + 1 : index + 2]
        end = self._ms(following[0].number) if following else self._bar.maximum()
        return self._ms(self.blocks[index].number), end

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if self._rate is None or self._bar.maximum() <= 0:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for index, block in enumerate(self.blocks):
            left, right = (self._bar.x_of(ms) for ms in self._ends(index))
            if right < 0 or left > self.width():
                continue
            place = QRectF(left + 0.5, 1, max(1.0, right - left - 1), self.height() - 2)
            ground = QLinearGradient(place.topLeft(), place.topRight())
            ground.setColorAt(0, colour_of(_main(block.style)))
            ground.setColorAt(1, colour_of(_main(block.becomes or block.style)))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawRoundedRect(place, 3, 3)
            room = place.intersected(QRectF(self.rect())).adjusted(5, 0, -5, 0)
            text = painter.fontMetrics().elidedText(self.name_of(block), Qt.TextElideMode.ElideRight, int(room.width()))
            if len(text) > 2:
                painter.setPen(Qt.GlobalColor.white)
                painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)

    def words_at(self, ms: int) -> str:
        here = [block for block in self.blocks if self._ms(block.number) <= ms]
        if self._rate is None or not here:
            return ""
        return f"{clock(self._ms(here[-1].number) / 1000)}<br>{escape(self.name_of(here[-1]))}"


def _main(style: str) -> str:
    parts = parts_of(style)
    return max(parts, key=lambda name: parts[name])
