"""Make the bundled styles anew: every painting of `recipes`, in both sizes, from one common network of each size.

    python -m framebrush.models.training.bundle --paintings FOLDER --photos FOLDER --features vgg16.npz --out FOLDER

The networks in `library` were made this way in three goes, realtime and quality: a common network (4,300 and 4,500
steps, steady_weight 120), each painting from there (5,200 and 4,200 steps, 150, two thirds of the style weights), then
2,900 and 2,400 steps at half the rate with the weights that stand in `recipes` and `trainer` now. Only in the last go
did the steadiness look at the frame's border.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import torch

from framebrush.models.style import ModelCard
from framebrush.models.training.data import Photos, read_painting
from framebrush.models.training.export import to_onnx, write
from framebrush.models.training.losses import Features
from framebrush.models.training.network import SHAPES, Painter
from framebrush.models.training.recipes import FINER, MARK, PAINTINGS, Painting
from framebrush.models.training.trainer import Recipe, Report, Trainer

TITLES = {"realtime": "Eight paintings, for real time", "quality": "Eight paintings, finer"}
SUFFIXES = {"realtime": "", "quality": FINER}


def bundle(size: str, paintings: Path, photos: Photos, features: Features, out: Path, recipe: Recipe) -> Path:
    """Learn all paintings in one size and write their file into the folder out. recipe: each painting puts its
    own size, style weight and share into it."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    def learn(painting: Painting, start: Painter | None) -> Painter:
        own = replace(recipe, size=size, style_weight=painting.styles[size], together=painting.together)
        picture = read_painting(paintings / painting.file, own.painting_px, MARK)
        trainer = Trainer(own, picture, photos, features, device)
        if start is not None:
            trainer.start_from(start.state_dict())
        trainer.run(lambda report: _say(f"{size} {painting.key}", report))
        assert isinstance(trainer.painter, Painter)
        return trainer.painter

    common = learn(PAINTINGS[0], None)
    weights = [learn(painting, common).folded() for painting in PAINTINGS]
    names = tuple(painting.key + SUFFIXES[size] for painting in PAINTINGS)
    source = "trained for Framebrush by models/training"
    card = ModelCard(size, TITLES[size], names, licence="MIT", source=source, speed=size)  # type: ignore[arg-type]
    path = out / f"{size}.onnx"
    write(to_onnx(SHAPES[size], weights, card), path)
    return path


def _say(name: str, report: Report) -> None:
    values = "  ".join(f"{key} {value:.4g}" for key, value in report.losses.items())
    print(f"{name} {report.step}/{report.steps}  {values}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("paintings", "photos", "features", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--size", choices=tuple(SHAPES), action="append")
    parser.add_argument("--steps", type=int, default=8000)
    said = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    photos, features = Photos(said.photos, device), Features.load(said.features)
    for size in said.size or SHAPES:
        recipe = Recipe(steps=said.steps)
        print(bundle(size, said.paintings, photos, features, said.out, recipe))


if __name__ == "__main__":
    main()
