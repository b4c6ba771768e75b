"""Estimate of the export dialog against the export: size and time, as ratios of one run.

    QT_QPA_PLATFORM=offscreen python benchmarks/estimate.py VIDEO... [--style oil] [--brush 1] [--codec h264]
                                                            [--size 480x270] [--frames 250] [--device cpu]

1.00 is exact; above, the estimate is too large. Both times are without loading.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from PySide6.QtCore import QCoreApplication  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from framebrush.gpu.look import Look  # noqa: E402
from framebrush.jobs.recipe import Recipe  # noqa: E402
from framebrush.jobs.spec import JobSpec  # noqa: E402
from framebrush.media.containers import CONTAINERS  # noqa: E402
from framebrush.media.reading.reader import Reader  # noqa: E402
from framebrush.media.video import Position, TimeRange  # noqa: E402
from framebrush.media.writing.expected_size import expected_size  # noqa: E402
from framebrush.media.writing.output_plan import OutputOptions  # noqa: E402
from framebrush.styles.specs import SizeSpec, StyleSpec  # noqa: E402
from framebrush.window.exports.export_queue import ExportJob, ExportQueue, State  # noqa: E402
from framebrush.window.exports.export_runner import ExportRunner  # noqa: E402
from framebrush.window.exports.trial_export import Part, Trial, frames_of  # noqa: E402


def wait(until: Callable[[], bool]) -> None:
    while not until():
        QCoreApplication.processEvents()
        time.sleep(0.005)


def compare(spec: JobSpec, folder: Path) -> tuple[float, float]:
    """Return the estimate's size and time, as multiples of the export's."""
    with Reader(Path(spec.source)) as reader:
        info = reader.info
    trial = Trial(info)
    trial.measure(spec, 0)
    attempt = trial.attempt
    assert attempt is not None
    wait(lambda: all(part.size is not None or part.job.state is State.FAILED for part in attempt.parts))
    sizes = [part.size for part in attempt.parts if part.size is not None]
    total = frames_of(info, spec.range)
    assert total is not None
    size = expected_size(sizes, total, CONTAINERS[Path(spec.target).suffix])
    trial.end()
    runner, whole = ExportRunner(ExportQueue(folder / "whole.json")), Part(ExportJob(spec))
    runner.progressed.connect(lambda _, line: whole.report(int(line["frame"]), float(line["elapsed_s"])))
    runner.add(whole.job)
    wait(lambda: whole.job.is_over)
    assert whole.job.state is State.DONE, whole.job.message
    frames, seconds = whole.loaded
    return size / whole.job.size_bytes, frames / seconds / attempt.fps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("videos", nargs="+")
    parser.add_argument("--style", default="none")
    parser.add_argument("--brush", type=float)
    parser.add_argument("--codec", default="h264")
    parser.add_argument("--size")
    parser.add_argument("--frames", type=int)
    parser.add_argument("--device", default="cpu")
    given = parser.parse_args()
    QApplication([])
    look = Look() if given.brush is None else Look(brush=given.brush)
    end = None if given.frames is None else Position.of_frame(given.frames)
    print(f"{'video':30} {'size':>6} {'time':>6}")
    for video in given.videos:
        with tempfile.TemporaryDirectory() as folder:
            spec = JobSpec(
                video,
                str(Path(folder) / "whole.mkv"),
                Recipe(StyleSpec(given.style), look, SizeSpec(size=given.size)),
                range=TimeRange(end=end),
                output=OutputOptions(given.codec),
                device=given.device,
            )
            size, took = compare(spec, Path(folder))
        print(f"{Path(video).name[:30]:30} {size:6.2f} {took:6.2f}", flush=True)


if __name__ == "__main__":
    main()
