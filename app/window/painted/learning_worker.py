"""Learn from painted frames in a separate process: PYTHON -P -m framebrush.window.painted.learning_worker.

It stays, with PyTorch loaded, while a person paints, so that the first picture of what was painted comes at once.

The first line of stdin is JSON: {"film": its path}. Lines after it are orders, each in place of the one before:
{"order": its number, "learn": numbers of frames whose shots are to be learnt, in this order, null for all, "insist":
whether pictures that do not look like paintings of their frames are taken}, or {"order", "stop": true}. The end of
stdin, which comes when the window dies, ends it. Whatever ends it, the last networks stay, and learning goes on from
them. On stdout: one JSON object per line: {"read": the share of the film that was searched for shots}, {"shot",
"shots", "step", "done", "loss"} as `Report` has them, {"style": the style as it is now}, {"message": a sentence}, and
at the end of an order {"over": its number, "problem": why it failed, if it did, "unrelated": the number of the frame,
if that is why}. {"absent": why} says that PyTorch cannot be used, and ends it.

It needs neither Qt nor the window's own Python: PyTorch may be in another one.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from framebrush.base import child
from framebrush.base.priority import give_way
from framebrush.base.text import first_line
from framebrush.cli.train import as_shown, share_processors
from framebrush.media.video import InputError, OutputError
from framebrush.painted.extract import look_for_shots
from framebrush.painted.folder import KeysFolder

if TYPE_CHECKING:
    from framebrush.painted.learn import Course, Report

NICENESS = 5  # above other programs' batch jobs: a person waits for the picture

TIME_S = {"cuda": 60.0, "cpu": 180.0}
"""How long a shot is learnt, by the type of the device."""


def write(**values: Any) -> None:  # noqa: ANN401 - any JSON value
    """Write a line for the window."""
    print(json.dumps(values), flush=True)


class StopError(Exception):
    """Something else is asked for."""


class Orders:
    """What the window asks for: only the latest counts."""

    def __init__(self, lines: SimpleQueue[str]) -> None:
        """lines: an empty one is the end."""
        self._lines = lines

    def next(self) -> dict[str, Any] | None:
        """Wait for an order; None at the end."""
        line = self._lines.get()
        while not self._lines.empty():
            line = self._lines.get()
        return json.loads(line) if line else None

    def check(self) -> None:
        """To be called between steps: raises StopError where the work is over, or there is another order."""
        if not self._lines.empty():
            raise StopError


class Searched:
    """Reports how much of the film is searched for shots, by hundredths, and stops where that is asked."""

    def __init__(self, orders: Orders) -> None:
        self._orders, self._hundredths = orders, 0

    def __call__(self, number: int, count: int | None) -> None:
        self._orders.check()
        hundredths = 100 * number // count if count else 0
        if hundredths > self._hundredths:
            self._hundredths = hundredths
            write(read=min(1.0, hundredths / 100))


def course() -> Course:
    """How each shot is learnt."""
    from framebrush.models.training.cli import usable
    from framebrush.painted.learn import Course

    return Course(time_s=TIME_S.get(usable("").type, TIME_S["cpu"]))


def work(film: Path, order: dict[str, Any], orders: Orders) -> None:
    """Carry out an order."""
    from framebrush.painted.learn import UnrelatedError, learn

    folder = KeysFolder.beside(film)

    def on_progress(state: Report) -> None:
        write(**asdict(state))

    said: dict[str, Any] = {"over": order["order"]}
    try:
        if "learn" in order:
            look_for_shots(film, folder, on_read=Searched(orders))
            learn(
                film,
                folder,
                course(),
                only=order["learn"],
                insist=order["insist"],
                say=lambda sentence: write(message=sentence),
                on_progress=on_progress,
                on_preview=lambda _: write(style=str(folder.path)),
                finish=as_shown,
                check=orders.check,
            )
    except StopError:
        pass
    except UnrelatedError as error:
        said |= {"problem": str(error), "unrelated": error.number}
    except (InputError, OutputError, ValueError) as error:
        said["problem"] = str(error)
    write(**said)


def main() -> int:
    """Entry point of the process."""
    give_way(NICENESS)
    share_processors()
    lines = child.orders(lambda: lines.put(""))
    film, orders = Path(json.loads(lines.get())["film"]), Orders(lines)
    try:
        import_module("framebrush.painted.learn")  # now, while nobody waits for it
    except ImportError as error:
        write(absent=first_line(error))
        return 1
    for order in iter(orders.next, None):
        work(film, order, orders)
    return 0


if __name__ == "__main__":
    sys.exit(main())
