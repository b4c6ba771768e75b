"""Processes that paint ahead for one test after the other, since each takes more than a second to start."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from framebrush.playback.ahead.process import PaintingProcess

SPARE: list[PaintingProcess] = []


class LentProcess:
    """A `PaintingProcess` that the next one may use afterwards."""

    def __init__(self) -> None:
        self.process = SPARE.pop() if SPARE else PaintingProcess()
        self.asked: list[int] = []
        """The frames that were requested."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a PaintingProcess has
        return getattr(self.process, name)

    def frame(self, number: int, *rest: Any) -> Any:  # noqa: ANN401
        """As in `PaintingProcess`."""
        self.asked.append(number)
        return self.process.frame(number, *rest)

    def end(self) -> None:
        """As in `PaintingProcess`, but the process stays."""
        self.process.stop()

    def close(self) -> str:
        """As in `PaintingProcess`, but the process stays."""
        with suppress(RuntimeError):
            self.process.rest()
            SPARE.append(self.process)
        return ""
