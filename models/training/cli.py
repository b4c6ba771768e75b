"""`framebrush train`: a painting and a folder of photographs to a style file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import torch

from framebrush.models.style import ModelCard
from framebrush.models.training.data import Photos, read_painting
from framebrush.models.training.export import to_onnx, write
from framebrush.models.training.losses import Features
from framebrush.models.training.network import SHAPES, Painter
from framebrush.models.training.trainer import Recipe, Report, Trainer

CHECKPOINT_STEPS = 500


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
) -> Path:
    """Learn a painting and write its style file. Returns out.

    style: a picture of the painting. photos: a folder of photographs. features: the weights that judge, see
    `losses.Features.load`. device: a PyTorch device; the first GPU, or else the CPU, where empty. A checkpoint lies
    beside out as long as training is not done; where there is one of the same recipe, training goes on from it.
    Raises ValueError, one sentence, for files that cannot be used, a checkpoint of another recipe, losses that are no
    longer finite and a GPU without room.
    """
    if recipe.size not in SHAPES:
        raise ValueError(f"size {recipe.size!r} is not one of {', '.join(SHAPES)}")
    if out.suffix.lower() != ".onnx":
        raise ValueError(f"{out}: a style file ends in .onnx")
    if not out.parent.is_dir():
        raise ValueError(f"{out.parent}: there is no such folder to write to")
    place = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    painting = read_painting(style, recipe.painting_px)
    trainer = Trainer(recipe, painting, Photos(photos, place), Features.load(features), place)
    checkpoint = out.with_suffix(".checkpoint")
    if checkpoint.exists():
        trainer.resume(checkpoint)
    try:
        while trainer.step < recipe.steps:
            trainer.run(report, trainer.step + CHECKPOINT_STEPS)
            trainer.save(checkpoint)
    except torch.OutOfMemoryError as error:
        raise ValueError(f"{place} has no room for {recipe.batch} crops a step; try a smaller --batch") from error
    painter = trainer.painter
    assert isinstance(painter, Painter)
    speed: Literal["realtime", "quality"] = "realtime" if recipe.size == "realtime" else "quality"
    name = out.stem
    card = ModelCard(name, title or name, (name,), licence=licence, source=f"trained from {style.name}", speed=speed)
    write(to_onnx(SHAPES[recipe.size], [painter.folded()], card), out)
    checkpoint.unlink(missing_ok=True)
    return out
