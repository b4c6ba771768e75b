"""Lane with curves of keyframed values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip

from framebrush.jobs.keyframes import NUMBERS, Ease, Track, eased, range_of
from framebrush.window.transport.lane import ToldLane
from framebrush.window.transport.seekbar import SeekBar, clock
from framebrush.window.widgets.numbers import shortest

HEIGHT_PX, AROUND_PX = 28, 3.5

GOLDEN_DEGREES = 137.5
"""Between hues, so that neighbours differ most."""

SATURATION, ON_DARK, ON_LIGHT = 0.65, 0.68, 0.34
"""Saturation and lightness of a curve on a dark and on a light ground."""

MOST_SAID = 12
"""Most values of a curve that screen readers say."""


def colour_of(name: str, ground: QColor) -> QColor:
    hue = NUMBERS.index(name) * GOLDEN_DEGREES % 360 / 360
    return QColor.fromHslF(hue, SATURATION, ON_DARK if ground.lightnessF() < 0.5 else ON_LIGHT)


_Key = tuple[float, float, Ease]
"""Time of a keyframe in milliseconds, value, and interpolation to the next."""


def _bezier(key: _Key, following: _Key, begin: float, end: float) -> list[tuple[float, float]]:
    at, value, ease = key
    length, change, third = following[0] - at, following[1] - value, (end - begin) / 3

    def point(ms: float, ahead: float) -> tuple[float, float]:
        share = (ms - at) / length
        slope = {"linear": 1.0, "ease": 6.0 * share * (1.0 - share), "hold": 0.0}[ease]
        return ms + ahead, value + change * (eased(share, ease) + slope * ahead / length)

    return [point(begin, 0.0), point(begin, third), point(end, -third), point(end, 0.0)]


class CurveLane(ToldLane):
    """Curves of values over their whole ranges."""

    def __init__(self, bar: SeekBar) -> None:
        super().__init__(bar, HEIGHT_PX)
        self._rate: Fraction | None = None
        self._tracks: tuple[Track, ...] = ()
        self._names: Mapping[str, str] = {}
        self._dragged: tuple[int, int] = (0, 0)
        self.setAccessibleName(self.tr("Curves of the keyframes"))

    def show_film(self, rate: Fraction | None) -> None:
        self._rate = rate
        self._tell()

    def show_tracks(self, tracks: Sequence[Track], names: Mapping[str, str]) -> None:
        self._tracks = tuple(track for track in tracks if track.of in NUMBERS)
        self._names, self._dragged = names, (0, 0)
        self._tell()

    def show_dragged(self, number: int, to: int) -> None:
        self._dragged = number, to
        self.update()

    def _tell(self) -> None:
        words = []
        for track in self._tracks if self._rate is not None else ():
            values = " → ".join(shortest(round(value, 2)) for value in track.numbers[:MOST_SAID])
            words.append(f"{self._names.get(track.of, track.of)} {values}")
        self.setAccessibleDescription(", ".join(words))
        self.update()

    def _keys(self, track: Track) -> list[_Key]:
        number, to = self._dragged
        found = {int(key.at.value): (value, key.ease) for key, value in zip(track.keys, track.numbers, strict=True)}
        if number in found:
            found[to] = found.pop(number)
        return [(self._ms(at), *found[at]) for at in sorted(found)]

    def _ms(self, number: int) -> float:
        return float(1000 * number / self._rate) if self._rate else 0.0

    def _point(self, track: Track, ms: float, value: float) -> QPointF:
        low, high = range_of(track.of)
        height = self.height() - 2 * AROUND_PX
        return QPointF(self._bar.axis.x_of(ms, self.width()), AROUND_PX + (high - value) / (high - low) * height)

    def _curve(self, track: Track) -> QPainterPath:
        axis = self._bar.axis
        first, last = axis.first_ms, axis.first_ms + axis.span_ms
        keys = self._keys(track)
        (begin, first_value, _), (end, last_value, _) = keys[0], keys[-1]
        path = QPainterPath(self._point(track, min(begin, first), first_value))
        path.lineTo(self._point(track, min(begin, last), first_value))
        for key, following in pairwise(keys):
            if following[0] >= first and key[0] <= last:
                ends = max(key[0], first), min(following[0], last)
                start, *others = (self._point(track, *each) for each in _bezier(key, following, *ends))
                path.lineTo(start)
                path.cubicTo(*others)
        if end < last:
            path.lineTo(self._point(track, end, last_value))
            path.lineTo(self._point(track, last, last_value))
        return path

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if self._rate is None or self._bar.maximum() <= 0:
            return
        painter, ground = QPainter(self), self.palette().window().color()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for track in self._tracks:
            colour = colour_of(track.of, ground)
            painter.setPen(QPen(colour, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(self._curve(track))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            for ms, value, _ in self._keys(track):
                painter.drawEllipse(self._point(track, ms, value), 2.5, 2.5)

    def words_at(self, ms: int) -> str:
        """Return the values at a time as HTML with coloured dots."""
        if self._rate is None or not self._tracks:
            return ""
        ground = QToolTip.palette().toolTipBase().color()
        lines = [clock(ms / 1000)]
        for track in self._tracks:
            value = track.number(Fraction(round(ms * self._rate / 1000)))
            dot = f'<span style="color:{colour_of(track.of, ground).name()}">●</span>'
            lines.append(f"{dot} {self._names.get(track.of, track.of)} {shortest(round(value, 2))}")
        return "<br>".join(lines)
