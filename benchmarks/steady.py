"""Cost of `--steady`: whole transcodes with and without it, in turns.

    python benchmarks/steady.py FILM [FILM ...] [--stroke 1] [--size 640x360] [--style starry-night] [--device cpu]

processor: time of all cores, relevant where encoder and network share them. wall: until the file is complete. Both are
minima (the machine may be busy), counted from the first frame on, relative to the transcode without it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.look import Look
from framebrush.jobs.prepare import open_job_style
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener
from framebrush.jobs.workers.run import run_job
from framebrush.media.video import TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import SizeSpec, StyleSpec
from framebrush.styles.style_names import OpenedStyle


def cost(spec: JobSpec, device: Device, style: OpenedStyle) -> tuple[float, float]:
    """Return processor and wall seconds."""
    begin = list[tuple[float, float]]()

    def note(_: object) -> None:
        begin.append((time.process_time(), time.perf_counter()))

    run_job(spec, device, Listener(progress=note), style=style)
    processor, wall = begin[0]
    return time.process_time() - processor, time.perf_counter() - wall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("films", nargs="+", metavar="FILM")
    parser.add_argument("--steady", type=float, default=0.5)
    parser.add_argument("--stroke", default="auto")
    parser.add_argument("--size", help="of the result, and so of what is painted with a stroke of 1")
    parser.add_argument("--style", default="starry-night")
    parser.add_argument("--frames", type=int, default=96)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--device", default="cpu")
    said = parser.parse_args()
    with open_device(said.device) as device, tempfile.TemporaryDirectory() as folder:
        for film in said.films:
            stroke = said.stroke if said.stroke == "auto" else float(said.stroke)
            spec = JobSpec(
                film,
                str(Path(folder) / "out.mp4"),
                Recipe(StyleSpec(said.style), sizes=SizeSpec(stroke, said.size)),
                range=TimeRange(frames=said.frames),
                output=OutputOptions(overwrite=True),
                segments="off",
            )
            style = open_job_style(spec, lambda _: None)
            looks = [
                replace(spec, recipe=replace(spec.recipe, look=Look(steady=steady))) for steady in (0.0, said.steady)
            ]
            cost(looks[1], device, style)  # warm-up: memory, clocks
            costs = [[cost(look, device, style) for look in looks] for _ in range(said.rounds)]
            plain, steadied = (list(zip(*column, strict=True)) for column in zip(*costs, strict=True))
            processor, wall = (min(ours) / min(theirs) for ours, theirs in zip(steadied, plain, strict=True))
            print(f"{Path(film).stem}  processor {processor:.3f}  wall {wall:.3f}", flush=True)


if __name__ == "__main__":
    main()
