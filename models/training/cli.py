"""`framebrush train`: a painting and a folder of photographs to a style file."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import torch
from PIL import Image

from framebrush.models.style import ModelCard
from framebrush.models.training import start
from framebrush.models.training.data import Material, is_grey, read_painting, read_photos
from framebrush.models.training.export import to_onnx, write
from framebrush.models.training.losses import Features
from framebrush.models.training.network import SHAPES, Painter
from framebrush.models.training.trainer import Recipe, Report, Trainer

CHECKPOINT_STEPS = 500
PREVIEW_S = 20.0
PREVIEW_PX = 640  # the longer side


def train(
    style: Path,
    photos: Path,
    out: Path,
    features: Path,
    recipe: Recipe,
    *,
    title: str = "",
    licence: str = "",
    device: str = "",
    report: Callable[[Report], None] = lambda _: None,
    say: Callable[[str], None] = lambda _: None,
) -> Path:
    """Learn a painting, from the common network of its size, and write its style file. Returns out.

    style: a picture of the painting. photos: a folder of photographs. features: the weights that judge, see
    `losses.Features.load`. device: a PyTorch device; the first GPU, or else the CPU, where empty. say: takes remarks
    for a person. Every PREVIEW_S seconds, out with .preview.png for .onnx shows the first photograph as it is painted
    now. A checkpoint lies beside out as long as training is not done; where there is one of the same recipe, training
    goes on from it. Raises ValueError, one sentence, for files that cannot be used, a checkpoint of another recipe,
    losses that are no longer finite and a GPU without room.
    """
    if recipe.size not in SHAPES:
        raise ValueError(f"size {recipe.size!r} is not one of {', '.join(SHAPES)}")
    if out.suffix.lower() != ".onnx":
        raise ValueError(f"{out}: a style file ends in .onnx")
    if not out.parent.is_dir():
        raise ValueError(f"{out.parent}: there is no such folder to write to")
    place = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    painting = read_painting(style, recipe.painting_px)
    if is_grey(painting):
        say(f"{style}: shows no colour; what is painted with it will be grey")
    judge, checkpoint = Features.load(features), out.with_suffix(".checkpoint")
    try:
        material = Material.of(photos, recipe.squares_px, place)
        trainer = Trainer(recipe, painting, material, judge, place)
        trainer.start_from(start.load(recipe.size))
        if checkpoint.exists():
            trainer.resume(checkpoint)
        preview = _Preview(trainer, photos, out.with_suffix(".preview.png"))
        while trainer.step < recipe.steps:
            trainer.run(report, trainer.step + CHECKPOINT_STEPS, preview)
            trainer.save(checkpoint)
    except torch.OutOfMemoryError as error:
        raise ValueError(f"{place} has no room for {recipe.batch} crops a step; try a smaller --batch") from error
    preview.write()
    painter = trainer.painter
    assert isinstance(painter, Painter)
    speed: Literal["realtime", "quality"] = "realtime" if recipe.size == "realtime" else "quality"
    name = out.stem
    card = ModelCard(name, title or name, (name,), licence=licence, source=f"trained from {style.name}", speed=speed)
    write(to_onnx(SHAPES[recipe.size], [painter.folded()], card), out)
    checkpoint.unlink(missing_ok=True)
    return out


class _Preview:
    """The first photograph as the painter paints it, in a file written anew every PREVIEW_S seconds."""

    def __init__(self, trainer: Trainer, photos: Path, path: Path) -> None:
        self._trainer, self._path, self._written = trainer, path, time.monotonic()
        self._photo = read_photos(photos, PREVIEW_PX)[0]

    def __call__(self) -> None:
        if time.monotonic() - self._written >= PREVIEW_S:
            self.write()
            self._written = time.monotonic()

    def write(self) -> None:
        """Written beside its goal and moved: whoever looks meets whole pictures only."""
        part = self._path.with_name(self._path.name + ".part")
        Image.fromarray(self._trainer.preview(self._photo).permute(1, 2, 0).numpy()).save(part, format="PNG")
        part.replace(self._path)
