"""Training of `library/shot.start.npz`, the start of every shot's network.

One network learns the bundled paintings. They share all layers but the last; one more output returns the photograph,
from which shots start.

    python -m framebrush.models.training.shot_start --photos FOLDER [--seconds 75] [--device cuda]
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from framebrush.models import library
from framebrush.models.training import start
from framebrush.models.training.data import read_photos
from framebrush.models.training.export import stored
from framebrush.models.training.painter_network import SHAPES, STRIDE, Folded, freeze_norms
from framebrush.models.training.shot import GAIN, LIGHT, NOISE, RATE, ShotPainter

LEFT_OUT = "composition-vii"
SHORTER_PX, LONGEST_PX = 432, 648
"""Sides of the photographs, about the size at which films are painted."""

PATCH_PX, PATCHES, EDGE_PX = 96, 48, 8
WARM_UP, SETTLE = 100, 0.15


def pairs_of(photos: Sequence[Tensor], device: torch.device) -> list[Tensor]:
    """Return photographs (3, H, W) with paintings, (1 + paintings, 3, h, w) uint8."""
    painters = []
    for size, shape in SHAPES.items():
        path = library.FOLDER / f"{size}.onnx"
        for name, weights in zip(library.card_of(path).paintings, stored(path, shape), strict=True):
            if not name.startswith(LEFT_OUT):
                painters.append(Folded(shape, weights, device))
    found = []
    for photo in photos:
        scale = SHORTER_PX / min(photo.shape[1:])
        frame = functional.interpolate(photo[None].float(), scale_factor=scale, mode="bilinear", antialias=True)
        height, width = (min(side, LONGEST_PX) // STRIDE * STRIDE for side in frame.shape[2:])
        frame = frame[:, :, :height, :width].to(device) / 255
        with torch.no_grad():
            seen = [frame, *(painter(frame).clamp(0, 1) for painter in painters)]
        found.append((torch.cat(seen) * 255).round().byte())
    return found


def learn(pairs: Sequence[Tensor], seconds: float, *, patches: int = PATCHES) -> dict[str, Tensor]:
    """Train the start for `start.save`. pairs: from `pairs_of`."""
    device, paintings = pairs[0].device, len(pairs[0])
    torch.manual_seed(0)
    dice, painter = random.Random(0), ShotPainter(paintings=paintings).to(device).train()
    adam = torch.optim.Adam(painter.parameters(), RATE)
    begun_s, step, done = time.monotonic(), 0, 0.0
    inner = slice(EDGE_PX, -EDGE_PX)
    while done < 1.0:
        which = torch.tensor([dice.randrange(paintings) for _ in range(patches)])
        cut = [_patch(dice.choice(pairs), int(painting), dice) for painting in which]
        film, painted = (torch.stack(part).float() / 255 for part in zip(*cut, strict=True))
        gain = 1 + GAIN * (torch.rand(patches, 3, 1, 1, device=device) - 0.5)
        light = LIGHT * (torch.rand(patches, 1, 1, 1, device=device) - 0.5)
        film = film * gain + light + NOISE * torch.randn_like(film)
        painted = torch.where((which == 0).to(device)[:, None, None, None], film.clamp(0, 1), painted)
        adam.param_groups[0]["lr"] = (
            RATE * min(1.0, (step + 1) / WARM_UP) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(1.0, done))))
        )
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            every = painter(film).float().reshape(patches, paintings, 3, PATCH_PX, PATCH_PX)
        loss = (every[torch.arange(patches), which] - painted)[:, :, inner, inner].abs().mean()
        adam.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(painter.parameters(), 1.0)
        adam.step()
        step, done = step + 1, (time.monotonic() - begun_s) / seconds
        if done >= 1 - SETTLE:
            freeze_norms(painter)
    state = painter.state_dict()
    own = len(state["blocks.out.kernel.bias"]) // paintings  # the photograph's come first
    return {name: value[:own] if name.startswith("blocks.out.") else value for name, value in state.items()}


def _patch(pairs: Tensor, painting: int, dice: random.Random) -> tuple[Tensor, Tensor]:
    height, width = pairs.shape[2:]
    top, left = dice.randint(0, height - PATCH_PX), dice.randint(0, width - PATCH_PX)
    cut = pairs[:, :, top : top + PATCH_PX, left : left + PATCH_PX]
    cut = cut.flip(3) if dice.random() < 0.5 else cut
    return cut[0], cut[painting]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=75.0)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--out", type=Path, default=start.path("shot"))
    said = parser.parse_args()
    start.save(learn(pairs_of(read_photos(said.photos), torch.device(said.device)), said.seconds), said.out)


if __name__ == "__main__":
    main()
