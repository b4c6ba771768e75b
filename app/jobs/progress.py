"""Progress of a job, as a bar or JSON lines."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO

from framebrush.base.text import count_of, data_size
from framebrush.jobs.transcode import OnProgress
from framebrush.jobs.transcode import Progress as State

if TYPE_CHECKING:
    from rich.console import Console

JSON_PERIOD_S = 0.5  # frames may come by hundreds a second


class ProgressStyle(StrEnum):
    """Style of progress. auto: a bar on terminals, else JSON lines."""

    AUTO = "auto"
    BAR = "bar"
    JSON = "json"
    NONE = "none"

    def on(self, console: Console) -> ProgressStyle:
        if self is not ProgressStyle.AUTO:
            return self
        return ProgressStyle.BAR if console.is_terminal else ProgressStyle.JSON


@contextmanager
def shown(style: ProgressStyle, console: Console, lines: TextIO) -> Iterator[OnProgress]:
    """Yield a callback that shows progress."""
    match style.on(console):
        case ProgressStyle.BAR:
            with _bar(console) as on_progress:
                yield on_progress
        case ProgressStyle.JSON:
            with json_lines(partial(print_line, lines)) as on_progress:
                yield on_progress
        case _:
            yield lambda _: None


@contextmanager
def _bar(console: Console) -> Iterator[OnProgress]:
    from rich.progress import BarColumn, Progress, SpinnerColumn, TaskProgressColumn, TextColumn  # for terminals only

    columns = (
        SpinnerColumn(),
        BarColumn(bar_width=None),
        TaskProgressColumn(),
        TextColumn("{task.fields[frames]}"),
        TextColumn("[cyan]{task.fields[fps]}"),
        TextColumn("[green]{task.fields[left]}"),
        TextColumn("{task.fields[size]}"),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("", total=None, frames="0 frames", fps="", left="", size="")

        def on_progress(state: State) -> None:
            done = f"{state.frames}/" if state.expected else ""
            frames = done + count_of(state.expected or state.frames, "frame")
            left = "" if state.remaining_s is None else f"{_clock(state.remaining_s)} left"
            bar.update(
                task,
                completed=state.frames,
                total=state.expected,
                frames=frames,
                fps=f"{state.fps:.1f} fps",
                left=left,
                size=data_size(state.size_bytes),
            )

        yield on_progress


def print_line(to: TextIO, values: dict[str, Any]) -> None:
    """Print a line of JSON at once."""
    to.write(f"{json.dumps(values)}\n")
    to.flush()


@contextmanager
def json_lines(say: Callable[[dict[str, Any]], object]) -> Iterator[OnProgress]:
    """Yield a callback that reports progress, twice a second."""
    last: State | None = None
    printed_at, begun = float("-inf"), False

    def write(state: State) -> None:
        line: dict[str, Any] = {
            "frame": state.frames,
            "frames": state.expected,
            "fps": round(state.fps, 2),
            "elapsed_s": round(state.elapsed_s, 3),
            "left_s": None if state.remaining_s is None else round(state.remaining_s, 1),
            "size_bytes": state.size_bytes,
        }
        if state.losses is not None:
            line["losses"] = [asdict(loss) for loss in state.losses]
        say(line)

    def on_progress(state: State) -> None:
        nonlocal last, printed_at, begun
        last = state
        begins = state.frames > 0 and not begun  # said at once, so that a short job shows its speed
        if begins or time.monotonic() - printed_at >= JSON_PERIOD_S:
            printed_at, begun = time.monotonic(), begun or begins
            write(state)
            last = None

    yield on_progress
    if last is not None:
        write(last)


def _clock(seconds: float) -> str:
    minutes, whole = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{whole:02}" if hours else f"{minutes}:{whole:02}"
