"""Training of a style file for `framebrush train`."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt
import torch
from PIL import Image
from torch import Tensor
from torch.nn import functional

from framebrush.base.files import whole_file
from framebrush.base.remedy import ImpossibleError
from framebrush.base.text import count_of, first_line
from framebrush.models.float16 import difference
from framebrush.models.style import PAINTED_BRUSH, PAINTED_RELIEF, ModelCard
from framebrush.models.training import start
from framebrush.models.training.data import Material, from_jpeg, is_grey, read_painting, to_jpeg
from framebrush.models.training.export import to_onnx, write
from framebrush.models.training.painter_network import SHAPES, PainterModule
from framebrush.models.training.trainer import Recipe, Report, Trainer, cropped, read_checkpoint
from framebrush.models.training.training_losses import Features

FIRST_S, KEPT_S = 5.0, 20.0
"""Seconds before the first preview and checkpoint, and between later ones: the most that a kill loses."""

PREVIEW_PX = 640  # longer side

Finish = Callable[[npt.NDArray[np.uint8], npt.NDArray[np.uint8]], npt.NDArray[np.uint8]]
"""Function from a painted picture (H, W, 3) in codes and the photograph to a picture of the same size."""


class EnoughError(Exception):
    """Raised by `check` to stop and write the style."""


@dataclass(frozen=True, slots=True)
class Training:
    """Style file to train.

    style: the painting. photos: reads photographs (3, H, W) uint8, the first previewed; unused with a checkpoint.
    device: PyTorch's; by default the first GPU, else the CPU.
    """

    style: Path
    photos: Callable[[], Sequence[Tensor]]
    out: Path
    features: Path
    recipe: Recipe
    title: str = ""
    licence: str = ""
    device: str = ""
    overwrite: bool = False


@dataclass(frozen=True, slots=True)
class Watcher:
    """Callbacks of a training.

    on_prepared: receives the prepared share, 0..1. finish: changes the previewed painting to its final look. check:
    called after every step; an exception leaves a checkpoint, EnoughError writes the style.
    """

    on_progress: Callable[[Report], None] = lambda _: None
    on_message: Callable[[str], None] = lambda _: None
    on_prepared: Callable[[float], None] = lambda _: None
    on_preview: Callable[[Path], None] = lambda _: None
    finish: Finish = lambda painting, photo: painting
    check: Callable[[], None] = lambda: None


NOBODY = Watcher()


def train(training: Training, watcher: Watcher = NOBODY) -> None:
    """Train a painting; write the style file. Raises ValueError."""
    recipe, out = training.recipe, training.out
    if recipe.size not in SHAPES:
        raise ValueError(f"size {recipe.size!r} is not one of {', '.join(SHAPES)}")
    if out.suffix.lower() != ".onnx":
        raise ValueError(f"{out}: a style file ends in .onnx")
    if not out.parent.is_dir():
        raise ValueError(f"{out.parent}: there is no such folder to write to")
    if out.exists() and not training.overwrite:
        raise ValueError(f"{out} exists; add -y to replace it, or choose another name")
    place = usable(training.device)
    painting = read_painting(training.style, recipe.painting_px)
    if is_grey(painting):
        watcher.on_message(f"{training.style}: shows no colour; what is painted with it will be grey")
    checkpoint = out.with_suffix(".checkpoint")
    state = read_checkpoint(checkpoint, recipe, painting, place) if checkpoint.exists() else None
    judge = Features.load(training.features)
    jpegs = list(state.get("photographs", ())) if state is not None else []  # absent in checkpoints of version 0.2
    jpegs = jpegs or [to_jpeg(photo.permute(1, 2, 0).numpy()) for photo in training.photos()]
    pictures = [from_jpeg(jpeg) for jpeg in jpegs]

    def prepared(share: float) -> None:
        watcher.on_prepared(share)
        watcher.check()

    watcher.on_message(f"training on {place} with {len(pictures)} photographs and compressed clips made of them")
    try:
        with ThreadPoolExecutor(1) as pool:
            awake = pool.submit(judge.wake, place, recipe.squares_px) if place.type == "cuda" else None
            material = Material.of(pictures, recipe.squares_px, place, prepared)
            if awake:
                awake.result()
        trainer = Trainer(recipe, painting, material, judge, place)
        trainer.start_from(start.load(recipe.size))
        files = checkpoint, out.with_suffix(".preview.png")
        kept = _Kept(trainer, *files, jpegs, pictures[0], watcher)
        if state is not None:
            try:
                trainer.resume(state)
            except ValueError as error:
                raise ValueError(f"{checkpoint}: {error}") from error
            watcher.on_message(f"resuming at step {trainer.step}")
        with suppress(EnoughError):
            trainer.run(watcher.on_progress, check=kept.check)
        trainer.painter.eval()
        kept.show()
        _write(trainer, training, kept.photo)
        checkpoint.unlink(missing_ok=True)
    except RuntimeError as error:
        if not is_memory_short(error):
            raise
        less = f"--batch {recipe.batch // 2}" if recipe.batch > 1 else "--torch-device cpu"
        raise ImpossibleError(
            f"{place} has no room for {count_of(recipe.batch, 'crop')} a step; close other programs that use it",
            do=f"or try {less}",
        ) from error


def is_memory_short(error: RuntimeError) -> bool:
    """Return whether memory was full."""
    return isinstance(error, torch.OutOfMemoryError) or "DefaultCPUAllocator" in str(error)


def usable(device: str) -> torch.device:
    """Return a device by name, "" for the best. Raises ValueError."""
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    try:
        place = torch.device(device)
        torch.zeros(1, device=place).item()
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise ValueError(f"{device}: PyTorch cannot use this device ({first_line(error)}); try cpu") from None
    return place


def _write(trainer: Trainer, training: Training, photo: Tensor) -> None:
    painter, size, out = trainer.painter, training.recipe.size, training.out
    assert isinstance(painter, PainterModule)
    speed: Literal["realtime", "quality"] = "realtime" if size == "realtime" else "quality"
    card = ModelCard(
        out.stem,
        training.title or out.stem,
        (out.stem,),
        licence=training.licence,
        source=f"trained from {training.style.name}",
        speed=speed,
        brush=PAINTED_BRUSH,
        relief=PAINTED_RELIEF,
    )
    weights, frame = [painter.folded()], (cropped(photo)[None].float() / 255).numpy()
    codes = difference(to_onnx(SHAPES[size], weights, card).SerializeToString(), frame)
    write(to_onnx(SHAPES[size], weights, replace(card, float16_codes=math.ceil(10 * codes) / 10)), out)


class _Kept:
    def __init__(
        self,
        trainer: Trainer,
        checkpoint: Path,
        preview: Path,
        photographs: Sequence[Tensor],
        photo: Tensor,
        watcher: Watcher,
    ) -> None:
        scale = min(1.0, PREVIEW_PX / max(photo.shape[1:]))
        shown = functional.interpolate(photo[None].float(), scale_factor=scale, mode="bilinear", antialias=True)[0]
        self.photo = shown.round().to(torch.uint8)
        self._trainer, self._watcher = trainer, watcher
        self._checkpoint, self._preview, self._due_s = checkpoint, preview, time.monotonic() + FIRST_S
        self._photographs = photographs

    def check(self) -> None:
        if time.monotonic() >= self._due_s:
            self._due_s = time.monotonic() + KEPT_S
            self.show()
            self._trainer.save(self._checkpoint, self._photographs)
        try:
            self._watcher.check()
        except BaseException:
            self._trainer.save(self._checkpoint, self._photographs)
            raise

    def show(self) -> None:
        shown = self._trainer.preview(self.photo), cropped(self.photo)
        painting, photo = (part.permute(1, 2, 0).numpy() for part in shown)
        with whole_file(self._preview) as part:
            Image.fromarray(self._watcher.finish(painting, photo)).save(part, format="PNG")
        self._watcher.on_preview(self._preview)
