"""Accuracy of a painted frame carried over its shot, against a known truth.

    python benchmarks/keys.py FILM --keys 0 --frames 0,22,45,89 --time 60 [--painting composition-vii] [--device cuda]

The truth is painted by a bundled network at stroke 1, without brush; `composition-vii` was not used to train the
initial weights. `--painting inked`: the frame in steps of turned colours with lines of ink. Prints for each frame PSNR
against the truth in dB, of the film and of the result, and the correlation of its edges with the truth's. --out: a
picture per frame with film, truth, result, and result with strokes. For more than two frames also rank correlations of
the error with the window's confidence distance and with distance in time. Needs framebrush[train].
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
from torch.nn import functional

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

TURNED, STEPS = (2, 0, 1), 6
"""Order of an inked frame's channels, and their steps above black."""
INK, FINE_PX, LEAST_SLOPE, SLOPES = (0.06, 0.05, 0.08), 0.6, 0.045, 0.03
"""Colour of ink; blur before its lines are found; slope of luma, 0..1 a pixel, at which they begin, and up to full ink.
"""
LUMA_SHARES = (0.2126, 0.7152, 0.0722)


def ranked(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Spearman's rank correlation."""
    return float(np.corrcoef([np.argsort(np.argsort(each)) for each in (one, other)])[0, 1])


def blurred(frames: torch.Tensor, deviation_px: float) -> torch.Tensor:
    reach = max(1, int(3 * deviation_px + 0.5))
    weights = torch.exp(-0.5 * (torch.arange(-reach, reach + 1) / deviation_px) ** 2)
    weights = (weights / weights.sum()).expand(frames.shape[1], 1, 1, -1)
    for turned in (weights, weights.transpose(2, 3)):
        edges = [side // 2 for side in turned.shape[:1:-1] for _ in (0, 1)]
        frames = functional.conv2d(functional.pad(frames, edges, mode="replicate"), turned, groups=frames.shape[1])
    return frames


def slopes(frames: torch.Tensor) -> torch.Tensor:
    """Return the Sobel slope of luma, (N, 1, H, W)."""
    luma = functional.pad(
        torch.einsum("nchw,c->nhw", frames, torch.tensor(LUMA_SHARES))[:, None], (1,) * 4, "replicate"
    )
    across = torch.tensor([[[[-1.0, 0, 1], [-2, 0, 2], [-1, 0, 1]]]]) / 4
    return torch.hypot(functional.conv2d(luma, across), functional.conv2d(luma, across.transpose(2, 3)))


def inked(picture: Picture) -> Picture:
    """Turn a frame's colours, flatten them and draw lines of ink."""
    frame = torch.from_numpy(picture.transpose(2, 0, 1)[None] / np.float32(255))
    flat = (blurred(frame, 1.0)[:, TURNED] * STEPS).round() / STEPS
    lines = ((slopes(blurred(frame, FINE_PX)) - LEAST_SLOPE) / SLOPES).clamp(0, 1)
    painted = torch.lerp(flat, torch.tensor(INK)[None, :, None, None], lines)
    shown: Picture = (painted[0].clamp(0, 1) * 255).round().byte().permute(1, 2, 0).numpy()
    return shown


def likeness_of_edges(one: Picture, other: Picture) -> float:
    """Return the correlation of two pictures' slopes of luma."""
    both = (slopes(torch.from_numpy(each.transpose(2, 0, 1)[None] / np.float32(255))) for each in (one, other))
    return float(np.corrcoef([each.flatten().numpy() for each in both])[0, 1])


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
        n: inked(each)
        if said.painting == "inked"
        else framebrush.paint(each, said.painting, device="cpu", stroke=1.0, brush=0, relief=0)
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
        edges = likeness_of_edges(picture, truth[number])
        print(f"frame {number}: film {apart:.1f}, learnt {left:.1f} dB, edges {edges:.2f}")
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
