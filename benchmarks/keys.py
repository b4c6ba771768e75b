"""Accuracy of a painted frame carried over its shot, against a known truth: frames painted by a bundled network.

    python benchmarks/keys.py FILM --keys 0 --frames 0,22,45,89 --time 60 [--painting composition-vii] [--device cuda]

The truth is painted at stroke 1, without brush; `composition-vii` was not used to train the initial weights. Prints
PSNR against the truth in dB for each frame: of the film, and of the trained result. --out: a picture per frame with
film, truth, result, and result with strokes. For more than two frames also rank correlations of the error with the
window's confidence distance, and with distance in time. Needs framebrush[train].
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import framebrush
from benchmarks.painting import psnr
from framebrush.jobs.still import encoded
from framebrush.models.training import start
from framebrush.models.training.painter_network import STRIDE
from framebrush.models.training.shot import Learner, Pairs, fitting
from framebrush.painted.confidence import distances
from framebrush.painted.extract import frames_of
from framebrush.styles.training import as_shown

Picture = npt.NDArray[np.uint8]


def ranked(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Spearman's rank correlation."""
    return float(np.corrcoef([np.argsort(np.argsort(each)) for each in (one, other)])[0, 1])


def stacked(pictures: list[Picture], device: str) -> torch.Tensor:
    """Stack pictures as (N, 3, H, W) in 0..1."""
    return fitting([torch.from_numpy(each.transpose(2, 0, 1) / np.float32(255)) for each in pictures]).to(device)


def main() -> None:
    """Train and print the errors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("film", type=Path)
    parser.add_argument("--keys", default="0")
    parser.add_argument("--frames", default="0,22,45,89")
    parser.add_argument("--time", type=float, default=60.0)
    parser.add_argument("--painting", default="composition-vii")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--from-nothing", action="store_true", help="not from the common start")
    parser.add_argument("--out", type=Path)
    said = parser.parse_args()
    keys, numbers = ([int(number) for number in text.split(",")] for text in (said.keys, said.frames))
    with frames_of(said.film) as shown:
        film = {}
        for number in {*keys, *numbers}:
            height, width = (side // STRIDE * STRIDE for side in shown.rgb(number).shape[:2])
            film[number] = shown.rgb(number)[:height, :width]
    truth = {
        n: framebrush.paint(each, said.painting, device="cpu", stroke=1.0, brush=0, relief=0)
        for n, each in film.items()
    }
    pairs = Pairs(*(stacked([of[number] for number in keys], said.device) for of in (film, truth)))
    learner = Learner(pairs, None if said.from_nothing else start.load("shot"))
    begun_s, done = time.monotonic(), 0.0
    while done < 1.0:
        learner.learn(done)
        done = (time.monotonic() - begun_s) / said.time
    print(
        f"{learner.step} steps in {time.monotonic() - begun_s:.0f} s on {said.device}, {time.process_time():.0f} s of "
        "the processor"
    )
    errors = []
    for number in numbers:
        found = learner.painted(stacked([film[number]], said.device)[0])
        picture = (found * 255).round().byte().permute(1, 2, 0).cpu().numpy()
        apart, left = (psnr(each, truth[number], 255.0) for each in (film[number], picture))
        errors.append(-left)
        print(f"frame {number}: film {apart:.1f}, learnt {left:.1f} dB")
        if said.out is not None:
            row = np.concatenate([film[number], truth[number], picture, as_shown(picture, film[number])], axis=1)
            with suppress(FileExistsError):
                said.out.mkdir()
            (said.out / f"{said.film.stem}-{number:06d}.png").write_bytes(encoded(row, "png", "rgb24"))
    measured = dict(distances(said.film, keys, min(numbers), max(numbers) + 1))
    both = [(measured[number], error) for number, error in zip(numbers, errors, strict=True) if number in measured]
    if len(both) > 2:
        in_time = [min(abs(number - key) for key in keys) for number in numbers if number in measured]
        far, wrong = (list(each) for each in zip(*both, strict=True))
        print(f"{len(both)} frames: confidence {ranked(far, wrong):.2f}, time {ranked(in_time, wrong):.2f}")


if __name__ == "__main__":
    main()
