"""Process that learns from painted frames.

PYTHON -P -m framebrush.window.painted.learning_worker. It keeps PyTorch loaded, for quick previews. Orders (see
`base/child.py`); each replaces its predecessor:

- {"film": path}: the first order
- {"order": number, "learn": frame numbers}: learn their shots in this order; null for all
- {"order": number, "stop": true}

Reports:

- {"read": share of the film, during shot detection}
- {"shot", "shots", "step", "done", "loss"}: as in `Report`
- {"style": the updated style}
- {"message": text for the user}
- {"unrelated": number of a skipped frame, unlike its picture}
- {"over": number of the finished order, "problem": reason of a failure, "busy": true if another process learns}
- {"absent": why PyTorch cannot be used}; the process then ends

Imports no Qt: PyTorch may be installed in another Python.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from framebrush.base import parent
from framebrush.base.priority import give_way
from framebrush.base.remedy import cause_of
from framebrush.base.text import first_line
from framebrush.media.video import InputError, OutputError
from framebrush.models.training_needs import UNUSABLE
from framebrush.painted.extract import look_for_shots
from framebrush.painted.painted_folder import BusyFolderError, PaintedFolder
from framebrush.styles.training import as_shown, share_processors

if TYPE_CHECKING:
    from framebrush.painted.learn import Course, Report

NICENESS = 5  # above other programs' batch jobs: the user waits for the preview

TIME_S = {"cuda": 60.0, "cpu": 180.0}
"""Maximum seconds of learning per shot, by device type."""


class StopError(Exception):
    """Raised when the order was replaced or ended."""


class Orders:
    """Orders from the window; only the latest counts."""

    def __init__(self) -> None:
        self._orders: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        parent.listen(self._orders.put, lambda: self._orders.put(None))
        self.first = self._orders.get()

    def next(self) -> dict[str, Any] | None:
        """Wait for an order; None at the end."""
        order = self._orders.get()
        while not self._orders.empty():
            order = self._orders.get()
        return order

    def check(self) -> None:
        """Raise StopError if the order was replaced or ended."""
        if not self._orders.empty():
            raise StopError


class Searched:
    """Reports shot detection in hundredths, and can stop it."""

    def __init__(self, orders: Orders) -> None:
        self._orders, self._hundredths = orders, 0

    def __call__(self, number: int, count: int | None) -> None:
        self._orders.check()
        hundredths = 100 * number // count if count else 0
        if hundredths > self._hundredths:
            self._hundredths = hundredths
            parent.report({"read": min(1.0, hundredths / 100)})


def course() -> Course:
    """Return the training budget per shot."""
    from framebrush.models.training.cli import usable
    from framebrush.painted.learn import Course

    return Course(time_s=TIME_S.get(usable("").type, TIME_S["cpu"]))


def work(film: Path, order: dict[str, Any], orders: Orders) -> None:
    """Carry out an order."""
    from framebrush.painted.learn import learn

    folder = PaintedFolder.beside(film)

    def on_progress(state: Report) -> None:
        parent.report(asdict(state))

    said: dict[str, Any] = {"over": order["order"]}
    stack = ExitStack()
    try:
        if "learn" in order:
            stack.enter_context(folder.learning())
            look_for_shots(film, folder, on_read=Searched(orders))
            learn(
                film,
                folder,
                course(),
                only=order["learn"],
                say=lambda sentence: parent.report({"message": sentence}),
                on_progress=on_progress,
                on_preview=lambda _: parent.report({"style": str(folder.path)}),
                finish=as_shown,
                check=orders.check,
                on_unrelated=lambda error: parent.report({"unrelated": error.number}),
            )
    except StopError:
        pass
    except BusyFolderError:
        said["busy"] = True
    except (InputError, OutputError, ValueError) as error:
        said["problem"] = cause_of(error)
    finally:
        stack.close()
    parent.report(said)


def main() -> int:
    """Run the learning process."""
    give_way(NICENESS)
    share_processors()
    orders = Orders()
    if orders.first is None:
        return 0
    try:
        import_module("framebrush.painted.learn")  # while nobody waits for it
    except UNUSABLE as error:
        parent.report({"absent": first_line(error)})
        return 1
    for order in iter(orders.next, None):
        work(Path(orders.first["film"]), order, orders)
    return 0


if __name__ == "__main__":
    sys.exit(main())
