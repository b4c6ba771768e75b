"""What brush, relief and a table of colours cost on the CPU beside the painter, in turns in one run.

    python benchmarks/brush.py [--size 640x360] [--style realtime] [--rounds 12]

A round paints some frames of the bundled film with each, one after the other, and gives processor and wall time of a
frame. Printed are medians of the rounds, and what brush and relief add over what the frame takes without them. On a
busy machine processor time is the one to believe.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from dataclasses import replace
from pathlib import Path

import av
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from framebrush.gpu.device import open_device
from framebrush.gpu.frame import Frame, rgba8
from framebrush.gpu.look import Look
from framebrush.models.load import load_style
from framebrush.models.table import COMMON_GRID, ColourTable

FILM = Path(__file__).resolve().parent.parent / "assets" / "clips" / "landscape.mp4"
TABLE = "table"
LOOKS = {
    "plain": Look(brush=0.0, relief=0.0, canvas=0.0, steady=0.0),
    TABLE: Look(brush=0.0, relief=0.0, canvas=0.0, steady=0.0),
    "brush": Look(brush=1.0, relief=0.0, canvas=0.0, steady=0.0),
    "brush, relief": Look(brush=1.0, relief=0.4, canvas=0.0, steady=0.0),
}
FRAMES = 4


def frames_of(path: Path, width: int, height: int) -> list[Frame]:
    """The first frames of a film, at this size."""
    with av.open(str(path)) as container:
        shown = (frame.reformat(width, height, "rgba") for frame in container.decode(video=0))
        return [
            Frame(rgba8(width, height), (np.ascontiguousarray(frame.to_ndarray()),))
            for _, frame in zip(range(FRAMES), shown, strict=False)
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="640x360")
    parser.add_argument("--style", default="realtime")
    parser.add_argument("--rounds", type=int, default=12)
    said = parser.parse_args()
    width, height = map(int, said.size.split("x"))
    frames, style = frames_of(FILM, width, height), load_style(said.style)
    coloured = replace(style, after=ColourTable.identity(COMMON_GRID))
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in LOOKS}
    size = frames[0].format
    with (
        open_device("cpu") as device,
        device.stylizer(style, size, size) as own,
        device.stylizer(coloured, size, size) as through_table,
    ):
        for number in range(said.rounds + 1):
            for name, look in LOOKS.items():
                stylizer = through_table if name == TABLE else own
                stylizer.look = look
                begun = time.process_time(), time.perf_counter()
                for frame in frames:
                    stylizer.fetch(stylizer.submit(frame))
                spent = time.process_time() - begun[0], time.perf_counter() - begun[1]
                if number:  # in the first one memory is taken and kernels are loaded
                    taken[name].append((1e3 * spent[0] / FRAMES, 1e3 * spent[1] / FRAMES))
    medians = {
        name: [statistics.median(times) for times in zip(*rounds, strict=True)] for name, rounds in taken.items()
    }
    plain = medians["plain"]
    for name, (processor, wall) in medians.items():
        more, longer = processor / plain[0] - 1.0, wall / plain[1] - 1.0
        print(
            f"{name:14} processor {processor:6.1f} ms, wall {wall:6.1f} ms; more than plain: {more:5.2f}, {longer:5.2f}"
        )


if __name__ == "__main__":
    main()
