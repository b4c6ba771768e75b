"""Process that trains a style.

PYTHON -P -m framebrush.window.training.training_worker. Orders (see `base/child.py`): {"spec": a `TrainingSpec`,
"folder": for style file, preview and checkpoint}, and optionally "finish", which writes the style as it stands; the end
of orders saves a checkpoint. Reports: progress and previews of `framebrush train`, {"message": text}, and {"problem":
reason of a failure}. Exit statuses are the command line's.

Imports no Qt: PyTorch may be installed in another Python.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from framebrush.base import parent
from framebrush.base.json_values import from_values
from framebrush.base.priority import give_way
from framebrush.base.remedy import cause_of
from framebrush.gpu.errors import DeviceError
from framebrush.media.media_errors import InputError, OutputError
from framebrush.models.training_needs import UNUSABLE
from framebrush.styles.training import as_shown, json_lines
from framebrush.window.training.training_spec import TrainingSpec

NICENESS = 10  # hours of work on all cores must not slow the window down


class Control:
    """Orders from the window."""

    def __init__(self) -> None:
        self.requests: SimpleQueue[Any] = SimpleQueue()
        """What to train; None if nothing was ordered."""
        self._finish = self._ended = False
        parent.listen(self._take, self._end)

    def check(self, enough: Callable[[], Exception]) -> None:
        """Raise KeyboardInterrupt at the end of orders, or `enough()` after "finish"."""
        if self._finish:
            raise enough()
        if self._ended:
            raise KeyboardInterrupt

    def _take(self, order: object) -> None:
        if order == "finish":
            self._finish = True
        else:
            self.requests.put(order)

    def _end(self) -> None:
        self._ended = True
        self.requests.put(None)


def learn(spec: TrainingSpec, folder: Path, check: Callable[[Callable[[], Exception]], None]) -> None:
    """Train the style. check: called between steps, as `Control.check`.

    Raises ValueError for unusable input, OutputError, UNUSABLE errors without PyTorch.
    """
    from framebrush.media.disk import disk_errors
    from framebrush.models.training.cli import EnoughError, Training, Watcher, train
    from framebrush.models.training.trainer import Recipe
    from framebrush.models.training.training_losses import SHIPPED
    from framebrush.painted.photographs import photographs

    def say(sentence: str) -> None:
        parent.report({"message": sentence})

    def stop_or_go_on() -> None:
        check(EnoughError)

    sources = [Path(text) for text in (spec.photos or spec.film,) if text]
    training = Training(
        Path(spec.picture),
        partial(photographs, sources, say, stop_or_go_on),
        spec.out(folder),
        Path(spec.features) if spec.features else SHIPPED,
        Recipe(size=spec.size, steps=spec.steps, batch=spec.batch, stroke_px=spec.stroke_px),
        spec.name,
        overwrite=True,
    )
    failed = f"writing to {folder} failed"
    with disk_errors(folder, failed), json_lines(spec.steps, parent.report) as (on_prepared, on_progress, on_preview):
        train(training, Watcher(on_progress, say, on_prepared, on_preview, as_shown, stop_or_go_on))


def main() -> int:
    """Run the training process."""
    give_way(NICENESS)
    control = Control()
    try:
        request = control.requests.get()
        if request is None:
            return 4
        learn(from_values(TrainingSpec, request["spec"], "training"), Path(request["folder"]), control.check)
    except (ValueError, InputError, OutputError, DeviceError, *UNUSABLE) as error:
        parent.report({"problem": cause_of(error)})
        return 1
    except KeyboardInterrupt:
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
