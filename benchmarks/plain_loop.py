"""A transcode with all features against a plain loop of PyAV, numpy and ONNX Runtime, on the CPU.

    python benchmarks/plain_loop.py [FILM] [--size 640x360] [--style starry-night] [--look style|plain]
        [--precision auto|int8] [--rounds 3]

plain loop: decodes, paints with the same network alone, and encodes with the same encoder and quality, in sequence.
transcode: `framebrush transcode` of the same film, with the style's strokes, relief and steadiness; without them for
`--look plain`, and with its network in 8 bits for `--precision int8`. Opening and the first frame are not counted. Both
run in turns; prints each one's minimum wall time and total processor time (for shared machines).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.painting import session  # noqa: E402
from framebrush.gpu.device import open_device  # noqa: E402
from framebrush.gpu.look import Look  # noqa: E402
from framebrush.jobs.recipe import Recipe  # noqa: E402
from framebrush.jobs.spec import JobSpec  # noqa: E402
from framebrush.jobs.transcode import Listener  # noqa: E402
from framebrush.jobs.workers.run import run_job  # noqa: E402
from framebrush.media.writing.output_plan import OutputOptions  # noqa: E402
from framebrush.models.style import Precision  # noqa: E402
from framebrush.styles.specs import SizeSpec, StyleSpec  # noqa: E402
from framebrush.styles.style_names import open_style  # noqa: E402

LOOKS = {"style": Look(), "plain": Look(brush=0.0, relief=0.0, canvas=0.0, steady=0.0)}
ENCODER = {"preset": "medium", "crf": "18"}


class Clock:
    """Wall and processor time per frame, in ms, from the first tick to the last."""

    def __init__(self) -> None:
        self._ticks: list[tuple[float, float]] = []

    def tick(self, *_: object) -> None:
        """Record a finished frame."""
        self._ticks.append((time.perf_counter(), time.process_time()))

    @property
    def cost(self) -> tuple[float, float]:
        """Return wall and processor ms per frame."""
        first, last = self._ticks[0], self._ticks[-1]
        wall, processor = (1e3 * (end - begin) / (len(self._ticks) - 1) for begin, end in zip(first, last, strict=True))
        return wall, processor


def make_film(source: Path, into: Path, size: tuple[int, int], frames: int) -> None:
    """Write a film's first frames, scaled, as H.264."""
    with av.open(str(source)) as opened, av.open(str(into), "w") as made:
        stream = made.add_stream("libx264", rate=Fraction(25), options={"preset": "fast", "crf": "20"})
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        for number, frame in enumerate(opened.decode(video=0)):
            if number == frames:
                break
            scaled = frame.reformat(*size, "yuv420p", interpolation="BICUBIC")
            scaled.pts, scaled.time_base = number, Fraction(1, 25)
            made.mux(stream.encode(scaled))
        made.mux(stream.encode(None))


def plain_loop(film: Path, into: Path, name: str) -> Clock:
    """Decode, paint with the network and encode in sequence; the network uses all processors."""
    style = open_style(name).style
    clock = Clock()
    with av.open(str(film)) as opened, av.open(str(into), "w") as made:
        source = opened.streams.video[0]
        source.thread_type = "AUTO"
        width, height = source.width, source.height
        network = session(style.fixed(width, height))
        mix = np.eye(1, len(style.card.paintings), dtype=np.float32)
        stream = made.add_stream("libx264", rate=source.average_rate, options=ENCODER)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for frame in opened.decode(source):
            rgb = frame.to_ndarray(format="rgb24").astype(np.float32).transpose(2, 0, 1)[None] / 255
            painted = network.run(["styled"], {"frame": np.ascontiguousarray(rgb), "mix": mix})[0][0].transpose(1, 2, 0)
            picture = np.ascontiguousarray((painted.clip(0, 1) * 255).round().astype(np.uint8))
            made.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
            clock.tick()
        made.mux(stream.encode(None))
        clock.tick()  # like the last frame of a transcode: all frames are written
    return clock


def transcode(film: Path, into: Path, name: str, look: Look, precision: Precision) -> Clock:
    """Transcode with a job."""
    clock = Clock()
    output = OutputOptions(codec="libx264", crf=18, preset="medium", overwrite=True)
    sizes = SizeSpec(stroke=1.0)
    recipe = Recipe(StyleSpec(name), look, sizes=sizes)
    spec = JobSpec(str(film), str(into), recipe, output=output, precision=precision, segments="off")
    with open_device("cpu") as device:
        run_job(spec, device, Listener(progress=clock.tick))
    clock.tick()
    return clock


def main() -> None:
    """Print the minimum of each, and the ratio of transcode to loop."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("film", nargs="?", type=Path, default=ROOT / "assets" / "clips" / "landscape.mp4")
    parser.add_argument("--size", default="640x360", metavar="WxH")
    parser.add_argument("--style", default="starry-night")
    parser.add_argument("--look", choices=tuple(LOOKS), default="style")
    parser.add_argument("--precision", choices=("auto", "int8"), default="auto")
    parser.add_argument("--frames", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    said = parser.parse_args()
    width, height = map(int, said.size.split("x"))
    loops, jobs = list[tuple[float, float]](), list[tuple[float, float]]()
    with tempfile.TemporaryDirectory(prefix="framebrush-plain-") as name:
        folder = Path(name)
        film = folder / "film.mp4"
        make_film(said.film, film, (width, height), said.frames)
        for _ in range(said.rounds):
            loops.append(plain_loop(film, folder / "loop.mp4", said.style).cost)
            jobs.append(transcode(film, folder / "job.mp4", said.style, LOOKS[said.look], said.precision).cost)
    for title, found in (("plain loop", loops), ("transcode", jobs)):
        wall, processor = (min(values) for values in zip(*found, strict=True))
        print(f"{title:10}  {1e3 / wall:6.1f} fps  {processor:6.1f} ms of processors a frame")
    ratios = (
        min(ours) / min(theirs) for ours, theirs in zip(zip(*loops, strict=True), zip(*jobs, strict=True), strict=True)
    )
    print("transcode relative to the loop: {:.2f} by the wall, {:.2f} by the processors' time".format(*ratios))


if __name__ == "__main__":
    main()
