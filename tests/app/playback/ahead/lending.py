"""Render-cache processes shared between tests, since each takes more than a second to start."""

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
        """Forward to the process and record the request."""
        self.asked.append(number)
        return self.process.frame(number, *rest)

    def end(self) -> None:
        """Stop work but keep the process."""
        self.process.stop()

    def close(self) -> str:
        """Stop work but keep the process."""
        with suppress(RuntimeError):
            self.process.rest()
            SPARE.append(self.process)
        return ""
