"""Train a style in a separate process: PYTHON -P -m framebrush.window.training.training_worker.

The first line of stdin is JSON: {"spec": a `TrainingSpec`, "folder": where the style file, its preview and its
checkpoint are written}. Lines after it are "cancel", which saves a checkpoint, and "finish", which writes the style in
its current state; the end of stdin, which comes when the window dies, also cancels. On stdout: one JSON object per
line: the progress and the previews of `framebrush train`, {"message": a sentence}, and {"problem": why it failed}. Exit
statuses are those of the command line.

It needs neither Qt nor the window's own Python: PyTorch may be in another one.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from framebrush.base.priority import give_way
from framebrush.cli.train import as_shown, json_lines
from framebrush.window.training.spec import TrainingSpec

NICENESS = 10  # hours of work on all cores must not slow the window down


def write(**values: Any) -> None:  # noqa: ANN401 - any JSON value
    """Write a line for the window."""
    print(json.dumps(values), flush=True)


class Control:
    """The window's commands, read in a separate thread."""

    def __init__(self, lines: IO[str], enough: Callable[[], Exception]) -> None:
        """enough: creates the exception that `check` raises after "finish"."""
        self._asked, self._enough = "", enough
        threading.Thread(target=self._read, args=(lines,), name="control", daemon=True).start()

    def check(self) -> None:
        """To be called between steps: raises KeyboardInterrupt after "cancel", and the other exception after
        "finish"."""
        if self._asked == "cancel":
            raise KeyboardInterrupt
        if self._asked == "finish":
            raise self._enough()

    def _read(self, lines: IO[str]) -> None:
        for line in lines:
            if line.strip() in ("cancel", "finish"):
                self._asked = line.strip()
        if self._asked != "finish":
            self._asked = "cancel"


def learn(spec: TrainingSpec, folder: Path, lines: IO[str]) -> None:
    """Train the style. Raises ValueError for unusable input and failed writes, KeyboardInterrupt after "cancel", and
    ImportError without PyTorch."""
    from framebrush.models.training.cli import EnoughError, train
    from framebrush.models.training.trainer import Recipe

    control = Control(lines, EnoughError)
    recipe = Recipe(size=spec.size, steps=spec.steps, batch=spec.batch, stroke_px=spec.stroke_px)
    with json_lines(spec.steps) as (on_prepared, on_progress, on_preview):
        train(
            Path(spec.picture),
            Path(spec.photos),
            spec.out(folder),
            Path(spec.features),
            recipe,
            title=spec.name,
            overwrite=True,
            on_progress=on_progress,
            on_message=lambda sentence: write(message=sentence),
            on_prepared=on_prepared,
            on_preview=on_preview,
            finish=as_shown,
            check=control.check,
        )


def main() -> int:
    """Entry point of the process."""
    give_way(NICENESS)
    try:
        request = json.loads(sys.stdin.readline())
        learn(TrainingSpec.from_values(request["spec"]), Path(request["folder"]), sys.stdin)
    except (ValueError, ImportError) as error:
        write(problem=str(error))
        return 1
    except KeyboardInterrupt:
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
