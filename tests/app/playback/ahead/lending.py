"""Render-cache processes shared between tests, as each starts slowly."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from framebrush.playback.ahead.ahead_process import PaintingProcess

SPARE: list[PaintingProcess] = []


class LentProcess:
    """A `PaintingProcess` that later tests reuse."""

    def __init__(self) -> None:
        self.process = SPARE.pop() if SPARE else PaintingProcess()
        self.asked: list[int] = []
        """Requested frames."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a PaintingProcess has
        return getattr(self.process, name)

    def frame(self, number: int, *rest: Any) -> Any:  # noqa: ANN401
        self.asked.append(number)
        return self.process.frame(number, *rest)

    def end(self) -> None:
        self.process.stop()

    def close(self) -> str:
        with suppress(RuntimeError):
            self.process.rest()
            SPARE.append(self.process)
        return ""
