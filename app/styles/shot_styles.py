"""Style of each shot, by its statistics or colours."""

from __future__ import annotations

import base64
import binascii
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from framebrush.models.colours.colour_table import ColourTable, mix
from framebrush.models.colours.oklab import Floats
from framebrush.models.style import Style, StyleError
from framebrush.styles.palettes import Palette


@dataclass(frozen=True, slots=True)
class Shot:
    """Style data of a shot.

    Attributes:
        dissolve: frames that also show the previous shot.
        statistics, second: from `models.shot_statistics.measure` of the style and of its second one, little-endian
            float32 in base64; "" without.
        colours, own: (N, 3) R'G'B' bytes in base64, of styled shot and source.
    """

    first: int
    statistics: str = ""
    colours: str = ""
    own: str = ""
    dissolve: int = 0
    second: str = ""

    @classmethod
    def of(
        cls,
        first: int,
        row: npt.NDArray[np.float32] | None = None,
        colours: Floats | None = None,
        own: Floats | None = None,
        dissolve: int = 0,
        second: npt.NDArray[np.float32] | None = None,
    ) -> Self:
        return cls(first, _numbers(row), _text(colours), _text(own), dissolve, _numbers(second))

    @property
    def row(self) -> npt.NDArray[np.float32]:
        """Decode the statistics. Raises StyleError if damaged."""
        return self._read(self.statistics, "<f4").astype(np.float32)

    @property
    def second_row(self) -> npt.NDArray[np.float32]:
        """Decode the second style's statistics. Raises StyleError if damaged."""
        return self._read(self.second, "<f4").astype(np.float32)

    @property
    def film(self) -> Floats:
        """Decode `colours`, 0..1. Raises StyleError if damaged."""
        return self._colours(self.colours)

    @property
    def source(self) -> Floats:
        """Decode `own`, 0..1. Raises StyleError if damaged."""
        return self._colours(self.own)

    def _colours(self, text: str) -> Floats:
        values = self._read(text, "<u1")
        if not len(values) or len(values) % 3:
            raise StyleError(f"the colours of the shot at frame {self.first} are damaged")
        return values.reshape(-1, 3).astype(np.float32) / np.float32(255)

    def _read(self, text: str, kind: str) -> npt.NDArray[np.generic]:
        try:
            return np.frombuffer(base64.b64decode(text, validate=True), kind)
        except (binascii.Error, ValueError) as error:
            raise StyleError(f"the statistics of the shot at frame {self.first} are damaged") from error


class ShotStyles:
    """One style per shot; dissolves have interpolated colour tables."""

    def __init__(self, style: Style, shots: Sequence[Shot], palette: Palette | None = None) -> None:
        self._style, self._shots, self._palette = style, shots, palette
        self._firsts = [shot.first for shot in shots]
        self._made: dict[int, Style] = {}  # most recent styles, in order of creation

    def shot_of(self, number: int) -> int:
        """Return a frame's shot; a dissolve belongs to the new one."""
        return max(0, bisect_right(self._firsts, number) - 1)

    def cut_before(self, number: int) -> int:
        """Return the last cut's shot up to a frame."""
        shot = self.shot_of(number)
        while shot and self._shots[shot].dissolve:
            shot -= 1
        return shot

    def style(self, shot: int) -> Style:
        """Return the style of a shot. Raises StyleError."""
        if shot not in self._made:
            while len(self._made) > 1:  # a dissolve needs two
                del self._made[next(iter(self._made))]
            self._made[shot] = self._make(self._shots[shot])
        return self._made[shot]

    def table(self, number: int) -> ColourTable | None:
        """Return the colour table of a frame. Raises StyleError."""
        shot = self.shot_of(number)
        place, dissolve = number - self._firsts[shot], self._shots[shot].dissolve
        if shot == 0 or place >= dissolve:
            return self.style(shot).after
        former, own = (self.style(each).after for each in (shot - 1, shot))
        if former is None or own is None:
            return own
        share = (place + 1) / (dissolve + 1)
        return mix((former, own), (1 - share, share))

    def _make(self, shot: Shot) -> Style:
        style = self._style
        if shot.statistics or shot.second:
            from framebrush.models.shot_statistics import folded

            style = folded(style, shot.row) if shot.statistics else style
            if shot.second and style.second is not None:
                style = replace(style, second=folded(style.second, shot.second_row))
        if self._palette is not None:
            style = self._palette.coloured(style, shot.film, shot.source if self._palette.is_films else None)
        return style


def _numbers(row: npt.NDArray[np.float32] | None) -> str:
    return "" if row is None else base64.b64encode(row.astype("<f4").tobytes()).decode()


def _text(colours: Floats | None) -> str:
    if colours is None:
        return ""
    return base64.b64encode(np.rint(colours * 255).clip(0, 255).astype(np.uint8).tobytes()).decode()
