"""Styles whose statistics are those of each shot: which one paints a frame."""

from __future__ import annotations

import base64
import binascii
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from framebrush.models.style import Style, StyleError


@dataclass(frozen=True, slots=True)
class Shot:
    """first: the number of its first frame. statistics: those of `models.shot_statistics.measure`, float32 in little
    endian, in base64, so that JSON keeps each bit."""

    first: int
    statistics: str

    @classmethod
    def of(cls, first: int, row: npt.NDArray[np.float32]) -> Self:
        """From the statistics in numbers."""
        return cls(first, base64.b64encode(row.astype("<f4").tobytes()).decode())

    @property
    def row(self) -> npt.NDArray[np.float32]:
        """The statistics in numbers. Raises StyleError where they are damaged."""
        try:
            return np.frombuffer(base64.b64decode(self.statistics, validate=True), "<f4").astype(np.float32)
        except (binascii.Error, ValueError) as error:
            raise StyleError(f"the statistics of the shot at frame {self.first} are damaged") from error


class ShotStyles:
    """One style for each shot of a video."""

    def __init__(self, style: Style, shots: Sequence[Shot]) -> None:
        """shots: in order, at least one."""
        self._style, self._shots = style, shots
        self._firsts = [shot.first for shot in shots]
        self._made: tuple[int, Style] | None = None

    def shot_of(self, number: int) -> int:
        """The shot that a frame is in; frames before the first belong to it."""
        return max(0, bisect_right(self._firsts, number) - 1)

    def style(self, shot: int) -> Style:
        """The style of a shot. Raises StyleError."""
        if self._made is None or self._made[0] != shot:
            from framebrush.models.shot_statistics import folded

            self._made = shot, folded(self._style, self._shots[shot].row)
        return self._made[1]
