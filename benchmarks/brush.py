"""Cost of brush, relief and a colour table in addition to the painter, in turns in one run.

    python benchmarks/brush.py [--device cpu] [--size 640x360] [--style realtime] [--rounds 12] [--frames 4]

Each round paints frames of the bundled film with each look, all slots in flight, and measures processor and wall time
per frame. Prints medians over the rounds, and the increase over the plain frame. "a table a frame" is a dissolve: a
new blended table for every frame, uploaded to the device. Trust processor time on a busy CPU, and wall time on a
graphics card, with some hundred frames per round.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import deque
from dataclasses import replace
from pathlib import Path
from typing import Any

import av
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from framebrush.gpu.device import open_device
from framebrush.gpu.frame import Frame, rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.stylizer import Stylizer, Ticket
from framebrush.models.colours.colour_table import COMMON_GRID, ColourTable, mix
from framebrush.models.reading.load import load_style

FILM = Path(__file__).resolve().parent.parent / "assets" / "clips" / "landscape.mp4"
PLAIN = Look(brush=0.0, relief=0.0, canvas=0.0, steady=0.0)
TABLE, DISSOLVE = "table", "a table a frame"
LOOKS = {
    "plain": PLAIN,
    TABLE: PLAIN,
    DISSOLVE: PLAIN,
    "brush": Look(brush=1.0, relief=0.0, canvas=0.0, steady=0.0),
    "brush, relief": Look(brush=1.0, relief=0.4, canvas=0.0, steady=0.0),
}
SHOWN = 4
"""Frames of the film, used in a loop."""


def frames_of(path: Path, width: int, height: int) -> list[Frame]:
    """Return the first frames of a film at this size."""
    with av.open(str(path)) as container:
        shown = (frame.reformat(width, height, "rgba") for frame in container.decode(video=0))
        return [
            Frame(rgba8(width, height), (np.ascontiguousarray(frame.to_ndarray()),))
            for _, frame in zip(range(SHOWN), shown, strict=False)
        ]


def paint(stylizer: Stylizer[Any], frames: list[Frame], count: int, tables: list[ColourTable]) -> None:
    """Paint frames. tables: two colour tables to blend for each frame; empty to keep the stylizer's own."""
    in_flight: deque[Ticket] = deque()
    for number in range(count):
        if len(in_flight) == stylizer.slots:
            stylizer.fetch(in_flight.popleft())
        if tables:
            share = (number + 1) / (count + 1)
            assert stylizer.use_table(mix(tables, (1 - share, share)))
        in_flight.append(stylizer.submit(frames[number % len(frames)]))
    for ticket in in_flight:
        stylizer.fetch(ticket)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="640x360")
    parser.add_argument("--style", default="realtime")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--frames", type=int, default=4, help="in a round")
    said = parser.parse_args()
    width, height = map(int, said.size.split("x"))
    frames, style = frames_of(FILM, width, height), load_style(said.style)
    tables = [ColourTable(ColourTable.identity(COMMON_GRID).grid ** power) for power in (0.8, 1.2)]
    coloured = replace(style, after=tables[0])
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in LOOKS}
    size = frames[0].format
    with (
        open_device(said.device) as device,
        device.stylizer(style, size, size) as own,
        device.stylizer(coloured, size, size) as through_table,
    ):
        for number in range(said.rounds + 1):
            for name, look in LOOKS.items():
                stylizer = through_table if name in (TABLE, DISSOLVE) else own
                stylizer.look = look
                begun = time.process_time(), time.perf_counter()
                paint(stylizer, frames, said.frames, tables if name == DISSOLVE else [])
                spent = time.process_time() - begun[0], time.perf_counter() - begun[1]
                if number:  # the first round allocates memory and loads kernels
                    taken[name].append((1e3 * spent[0] / said.frames, 1e3 * spent[1] / said.frames))
    medians = {
        name: [statistics.median(times) for times in zip(*rounds, strict=True)] for name, rounds in taken.items()
    }
    plain = medians["plain"]
    for name, (processor, wall) in medians.items():
        more, longer = processor / plain[0] - 1.0, wall / plain[1] - 1.0
        print(
            f"{name:15} processor {processor:7.2f} ms, wall {wall:7.3f} ms; "
            f"more than plain: {processor - plain[0]:6.2f}, {wall - plain[1]:6.3f} ms, {more:5.2f}, {longer:5.2f}"
        )


if __name__ == "__main__":
    main()
