"""Training of the bundled styles: `recipes` in both sizes, from each size's common network.

    python -m framebrush.models.training.bundle --paintings FOLDER --photos FOLDER --features vgg16.npz --out FOLDER

With `--painting KEY` (repeatable) only these are learnt; others are copied from `library`.

On H200s, the common networks learnt The Starry Night in 6,200 (realtime) and 6,100 steps (quality), a third of them in
batches of eight, the rest with fixed style weights of 15 and 20. Each painting took about 4,300 steps from there.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import torch

from framebrush.models import library
from framebrush.models.style import PAINTED_BRUSH, PAINTED_RELIEF, ModelCard
from framebrush.models.training import start
from framebrush.models.training.contrast import with_contrast
from framebrush.models.training.data import Material, read_painting, read_photos
from framebrush.models.training.export import stored, to_onnx, write
from framebrush.models.training.painter_network import SHAPES, PainterModule, Weights
from framebrush.models.training.recipes import FINER, PAINTINGS, Painting
from framebrush.models.training.trainer import Recipe, Report, Trainer
from framebrush.models.training.training_losses import Features

FLOAT16_CODES = {"realtime": 0.3, "quality": 0.3}
"""`ModelCard.float16_codes` from `benchmarks/float16.py`, rounded up."""

TITLES = {"realtime": "Sixteen paintings, for real time", "quality": "Sixteen paintings, finer"}
SUFFIXES = {"realtime": "", "quality": FINER}


def bundle(
    size: str,
    paintings: Path,
    material: Material,
    features: Features,
    out: Path,
    recipe: Recipe,
    keys: Collection[str] = (),
) -> Path:
    """Train paintings in one size, all or `keys`, and write the file of all."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    common = start.load(size)

    def learn(painting: Painting) -> Weights:
        chosen = painting.at(size)
        own = replace(
            recipe,
            size=size,
            together=painting.together,
            content=chosen.content,
            stroke_px=chosen.stroke_px,
        )
        picture = read_painting(paintings / painting.file, own.painting_px, painting.crop)
        trainer = Trainer(own, picture, material, features, device)
        trainer.start_from(common)
        trainer.run(lambda report: _print(f"{size} {painting.key}", report))
        assert isinstance(trainer.painter, PainterModule)
        return with_contrast(trainer.painter.folded(), painting.luma_gain, painting.luma_mean)

    if not keys:
        return write_bundle(size, [learn(painting) for painting in PAINTINGS], out)
    kept = stored(library.FOLDER / f"{size}.onnx", SHAPES[size])
    pairs = zip(PAINTINGS, kept, strict=True)
    return write_bundle(size, [learn(painting) if painting.key in keys else own for painting, own in pairs], out)


def write_bundle(size: str, weights: list[Weights], out: Path) -> Path:
    """Write a size's file. weights: ordered like PAINTINGS."""
    names = tuple(painting.key + SUFFIXES[size] for painting in PAINTINGS)
    card = ModelCard(
        size,
        TITLES[size],
        names,
        licence="MIT",
        source="trained for Framebrush by models/training",
        speed=size,  # type: ignore[arg-type]
        float16_codes=FLOAT16_CODES[size],
        brush=PAINTED_BRUSH,
        relief=PAINTED_RELIEF,
    )
    path = out / f"{size}.onnx"
    write(to_onnx(SHAPES[size], weights, card), path)
    return path


def _print(name: str, report: Report) -> None:
    values = "  ".join(f"{key} {value:.4g}" for key, value in report.losses.items())
    print(f"{name} {report.step}/{report.steps}  {values}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("paintings", "photos", "features", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--size", choices=tuple(SHAPES), action="append")
    parser.add_argument("--painting", choices=[painting.key for painting in PAINTINGS], action="append", default=[])
    parser.add_argument("--steps", type=int, default=4300)
    said = parser.parse_args()
    if not said.out.is_dir():
        parser.error(f"{said.out}: there is no such folder to write to")
    learnt = [painting.file for painting in PAINTINGS if not said.painting or painting.key in said.painting]
    missing = [file for file in learnt if not (said.paintings / file).is_file()]
    if missing:
        parser.error(f"{said.paintings}: does not hold {', '.join(missing)}")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        recipe, features = Recipe(steps=said.steps), Features.load(said.features)
        material = Material.of(read_photos(said.photos), recipe.squares_px, device)
        for size in said.size or SHAPES:
            print(bundle(size, said.paintings, material, features, said.out, recipe, said.painting))
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
