"""Limit of the rate of reports."""

from __future__ import annotations

import math
from time import monotonic


class Seldom:
    """Timer that is due at most once a period, and at first."""

    def __init__(self, period_s: float) -> None:
        self._period_s, self._last_s = period_s, -math.inf

    def due(self) -> bool:
        """Return whether a period has passed, and begin another."""
        now_s = monotonic()
        if now_s < self._last_s + self._period_s:
            return False
        self._last_s = now_s
        return True
