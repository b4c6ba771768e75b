"""Shared parts of training: previews, progress, threads."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from framebrush.models.training.trainer import Report

Shown = tuple[Callable[[float], None], Callable[["Report"], None], Callable[[Path], None]]
"""Callbacks for the prepared share of the training material, for progress, and for previews."""


def as_shown(painting: npt.NDArray[np.uint8], photo: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Finish a network's output (H, W, 3) with brush and relief."""
    import numpy as np

    from framebrush.gpu.cpu.stages.finishing import Finishing
    from framebrush.gpu.cpu.stages.strips import Workers
    from framebrush.gpu.look import Look
    from framebrush.gpu.sizes import Sizes
    from framebrush.gpu.stages.strokes import OIL, StrokeLayout
    from framebrush.models.style import PAINTED_BRUSH, PAINTED_RELIEF

    size = painting.shape[1], painting.shape[0]
    look = Look(brush=PAINTED_BRUSH, relief=PAINTED_RELIEF)
    sizes = Sizes.of(size, None, size)
    with closing(Workers()) as workers:
        planes = (np.ascontiguousarray(part.transpose(2, 0, 1)) for part in (painting, photo))
        picture, frame = (np.divide(part, 255, dtype=np.float32) for part in planes)
        shown = Finishing(sizes, StrokeLayout.of(OIL, sizes), workers).run(picture, frame, look, None, None)[0]
        return (255 * shown).round().astype(np.uint8).transpose(1, 2, 0)


def share_processors() -> None:
    """Let PyTorch's threads sleep, before PyTorch is loaded."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


@contextmanager
def json_lines(steps: int, say: Callable[[dict[str, Any]], object]) -> Iterator[Shown]:
    begin: tuple[float, int] | None = None
    hundredths = -1

    def on_prepared(share: float) -> None:
        nonlocal hundredths
        if int(100 * share) > hundredths:
            hundredths = int(100 * share)
            say({"prepared": hundredths / 100})

    def on_progress(state: Report) -> None:
        nonlocal begin
        now_s = time.monotonic()
        begin = begin or (now_s, state.step)
        elapsed_s, done = now_s - begin[0], state.step - begin[1]
        line = {
            "step": state.step,
            "steps": steps,
            "losses": {name: round(value, 6) for name, value in state.losses.items()},
            "left_s": round(elapsed_s / done * (steps - state.step), 1) if done else None,
        }
        say(line)

    def on_preview(path: Path) -> None:
        say({"preview": str(path)})

    yield on_prepared, on_progress, on_preview
