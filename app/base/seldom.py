"""Rare reports."""

from __future__ import annotations

import math
from time import monotonic


class Seldom:
    """Timer, due once a period."""

    def __init__(self, period_s: float) -> None:
        self._period_s, self._last_s = period_s, -math.inf

    def due(self) -> bool:
        now_s = monotonic()
        if now_s < self._last_s + self._period_s:
            return False
        self._last_s = now_s
        return True
