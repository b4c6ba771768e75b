"""Detail that `--detail` recovers from a film under broad strokes, and the cost, side by side in one run.

    python benchmarks/detail.py FILM [FILM ...] [--style starry-night] [--stroke 4] [--count 12] [--device cpu]

likeness: correlation of the painting's fine luma with the source's (luma minus its mean over two strokes' square).
still: difference between neighbouring frames in 8-bit codes, where the source is still.
time: painting time relative to painting without detail; processor time on the CPU.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import sys
import time
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.frame import Frame, rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.stylizer import Ticket
from framebrush.models.training.evaluate import static_flicker
from framebrush.styles.style_names import OpenedStyle, open_style

DETAILS = (0.0, 0.5, 1.0)
Picture = NDArray[np.float32]


def film(path: str, count: int) -> list[Frame]:
    frames = []
    with av.open(path) as container:
        for picture in itertools.islice(container.decode(video=0), count):
            frame = rgba8(picture.width, picture.height).allocate()
            frame.planes[0][:] = picture.to_ndarray(format="rgba")
            frames.append(frame)
    return frames


def picture(frame: Frame) -> Picture:
    return np.moveaxis(frame.planes[0][..., :3], -1, 0).astype(np.float32) / np.float32(255)


def fine(shown: Picture, side: int) -> Picture:
    """Return luma minus its mean over a square."""
    luma = np.tensordot(np.array([0.2126, 0.7152, 0.0722], np.float32), shown, 1)
    padded = np.pad(luma, ((side // 2, (side - 1) // 2),) * 2, "edge")
    for axis in (0, 1):
        padded = np.mean([np.take(padded, range(k, k + luma.shape[axis]), axis) for k in range(side)], axis=0)
    return np.asarray(luma - padded, np.float32)


def measure(device: Device, style: OpenedStyle, frames: list[Frame], stroke: int, rounds: int) -> list[str]:
    """Return one line for each of DETAILS."""
    size, took = frames[0].format, {detail: list[float]() for detail in DETAILS}
    working = (round(size.width / stroke), round(size.height / stroke))
    sources, shown = [picture(frame) for frame in frames], {detail: list[Picture]() for detail in DETAILS}
    now = time.process_time if device.info.kind == "cpu" else time.perf_counter
    with device.stylizer(style.style, size, size, working=working) as stylizer:
        for round_, detail in itertools.product(range(rounds + 1), DETAILS):
            stylizer.look = Look(detail=detail, dither=False)
            begin, fetched = now(), list[Frame]()
            waiting = list[Ticket]()
            for frame in frames:
                if len(waiting) == stylizer.slots:
                    fetched.append(stylizer.fetch(waiting.pop(0)))
                waiting.append(stylizer.submit(frame))
            fetched += [stylizer.fetch(ticket) for ticket in waiting]
            if round_:
                took[detail].append(now() - begin)
            else:  # memory is allocated now
                shown[detail] = [picture(frame) for frame in fetched]
    lines = []
    for detail in DETAILS:
        pairs = [
            (fine(source, 2 * stroke).ravel(), fine(made, 2 * stroke).ravel())
            for source, made in zip(sources, shown[detail], strict=True)
        ]
        likeness = np.mean([np.corrcoef(*pair)[0, 1] for pair in pairs])
        still = 255 * static_flicker(sources, shown[detail])
        times = statistics.median(one / none for one, none in zip(took[detail], took[0.0], strict=True))
        lines.append(f"detail {detail:.1f}  likeness {likeness:.2f}  still {still:5.2f}  time {times:.2f}")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("films", nargs="+", metavar="FILM")
    parser.add_argument("--style", action="append")
    parser.add_argument("--stroke", type=int, action="append")
    parser.add_argument("--count", type=int, default=12, help="frames of a film")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--device", default="auto")
    said = parser.parse_args()
    with open_device(said.device) as device:
        for path, stroke, name in itertools.product(said.films, said.stroke or [4], said.style or ["starry-night"]):
            for line in measure(device, open_style(name), film(path, said.count), stroke, said.rounds):
                print(f"{Path(path).stem} stroke {stroke}  {name:16} {line}", flush=True)


if __name__ == "__main__":
    main()
