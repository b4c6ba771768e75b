"""Learning a style from frames of films, beside photographs; VGG16's weights in half and in single precision.

    python benchmarks/learning.py features --single vgg16.npz --photos FOLDER --paintings FOLDER
    python benchmarks/learning.py pack --photos FOLDER --film FILM --show FOLDER --paintings FOLDER --out out/learning
    python benchmarks/learning.py sheet --material out/learning --steps 2000 --out sheet.png

`features` compares losses, gradients and a short training. `pack` lays paintings, reduced photographs, frames as
`framebrush train --photos FILM` chooses them, and frames of the bundled film into folders, for a machine without films.
`sheet` learns each painting from each folder, prints the losses on the shown pictures, which were never trained on, and
writes them as painted by the networks, without brush. Without PyAV its clips are noisy but not compressed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import torch
from PIL import Image
from torch import Tensor
from torch.nn import functional

try:
    import av  # noqa: F401
except ModuleNotFoundError:
    for name in ("av", "av.video", "av.video.stream"):
        sys.modules[name] = ModuleType(name)
    sys.modules["av.video.stream"].VideoStream = object  # type: ignore[attr-defined]
from framebrush.models.training import compressed, start, training_losses
from framebrush.models.training.data import Material, read_painting, read_photos, read_picture
from framebrush.models.training.recipes import PAINTINGS
from framebrush.models.training.trainer import Recipe, Trainer, cropped

PACKED_PX, SHOWN_PX, PAINTING_PX = 800, 512, 1200
USUAL = ("starry-night", "scream")
SETS = ("photographs", "film", "sample")


def device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def material_of(photos: Sequence[Tensor], recipe: Recipe) -> Material:
    """Make training material, with clips that are not compressed where PyAV is missing."""
    if "av" in sys.modules and hasattr(sys.modules["av"], "open"):
        return Material.of(photos, recipe.squares_px, device())
    dice, side = random.Random(0), recipe.squares_px + compressed.SPARE_PX
    plans = [replace(compressed.plan(side, dice), move=(0, 0), halved=False) for _ in photos]
    noise = np.random.default_rng(0)
    clips = []
    for photo, plan in zip(photos, plans, strict=True):
        canvas = compressed._canvas(photo, plan.zoom, side, side, noise)
        frames = [canvas + noise.normal(0, 255 * plan.noise, canvas.shape) for _ in range(compressed.FRAMES)]
        clips.append(compressed.enlarged(np.stack(frames).clip(0, 255).round().astype(np.uint8), plan))
    return Material(photos, compressed.Clips(clips, plans, device()), device())


def target_of(folder: Path, key: str, recipe: Recipe) -> tuple[Recipe, Tensor]:
    """Return a bundled painting's recipe and picture."""
    chosen = next(each for each in PAINTINGS if each.key == key)
    own = replace(recipe, content=chosen.content, stroke_px=chosen.stroke_px, together=chosen.together)
    return own, read_painting(folder / chosen.file, own.painting_px, chosen.crop)


def trained(
    recipe: Recipe, painting: Tensor, material: Material, features: training_losses.Features
) -> tuple[Trainer, float]:
    """Train from the common network; return the trainer and the seconds."""
    trainer = Trainer(recipe, painting, material, features, device())
    trainer.start_from(start.load(recipe.size))
    begun_s = time.perf_counter()
    trainer.run(lambda state: print(state.step, {k: round(v, 4) for k, v in state.losses.items()}, flush=True))
    return trainer, time.perf_counter() - begun_s


def judged(
    trainer: Trainer, features: training_losses.Features, painting: Tensor, shown: Sequence[Tensor]
) -> tuple[float, float]:
    """Return mean content and style loss of painted pictures."""
    target = training_losses.Target(features, painting.to(device()))
    found = []
    with torch.no_grad():
        for photo in shown:
            pair = [x[None].to(device()).float() / 255 for x in (trainer.preview(photo), cropped(photo))]
            found.append([float(x) for x in training_losses.content_and_style(features, target, pair[0], pair[1], 0.0)])
    content, style = np.mean(found, 0)
    return float(content), float(style)


def sheet(material: Path, paintings: Sequence[str], recipe: Recipe, out: Path) -> None:
    """Learn paintings from each folder of `pack`, and write painted pictures beside each other."""
    features = training_losses.Features.load().to(device())
    shown = [read_picture(path, SHOWN_PX) for path in sorted((material / "shown").iterdir())]
    columns: list[list[Tensor]] = [[cropped(photo) for photo in shown]]
    sets = {name: read_photos(material / name) for name in SETS}
    for key in paintings:
        own, painting = target_of(material / "paintings", key, recipe)
        for name, photos in sets.items():
            begun_s = time.perf_counter()
            prepared = material_of(photos, recipe)
            ready_s = time.perf_counter() - begun_s
            trainer, seconds = trained(own, painting, prepared, features)
            content, style = judged(trainer, features, painting, shown)
            print(
                f"{key} from {len(photos)} {name}: content {content:.3f}, style {style:.3f} on {len(shown)} other "
                f"pictures; {ready_s:.0f} s to prepare, {seconds:.0f} s for {recipe.steps} steps",
                flush=True,
            )
            columns.append([trainer.preview(photo) for photo in shown])
    rows = [torch.cat(row, 2) for row in zip(*columns, strict=True)]
    widest = max(row.shape[2] for row in rows)
    rows = [functional.pad(row, (0, widest - row.shape[2])) for row in rows]  # upright pictures are narrower
    Image.fromarray(torch.cat(rows, 1).permute(1, 2, 0).numpy()).save(out)
    print(f"{out}: as they are; then per painting from {', '.join(SETS)}")


def pack(photos: Path, films: Sequence[Path], shown: Path, paintings: Path, out: Path) -> None:
    """Write folders of small pictures for `sheet`."""
    from framebrush.painted.photographs import photographs

    folders = {
        "photographs": read_photos(photos, PACKED_PX),
        "film": photographs(films),
        "sample": photographs(),
        "shown": [read_picture(path, PACKED_PX) for path in sorted(shown.iterdir()) if path.is_file()],
    }
    for name, pictures in folders.items():
        (out / name).mkdir(parents=True, exist_ok=True)
        for number, picture in enumerate(pictures):
            small = Image.fromarray(picture.permute(1, 2, 0).numpy())
            small.thumbnail((PACKED_PX, PACKED_PX), Image.Resampling.LANCZOS)
            small.save(out / name / f"{number:02}.jpg", quality=88)
        print(f"{out / name}: {len(pictures)} pictures")
    (out / "paintings").mkdir(exist_ok=True)
    for each in PAINTINGS:
        if each.key in USUAL:
            small = Image.open(paintings / each.file).convert("RGB")
            small.thumbnail((PAINTING_PX, PAINTING_PX), Image.Resampling.LANCZOS)
            small.save(out / "paintings" / each.file, quality=92)


def compare(single: Path, photos: Path, folder: Path, paintings: Sequence[str], recipe: Recipe) -> None:
    """Print differences of losses, gradients and a short training between half and single precision."""
    judges = {
        "single": training_losses.Features.load(single).to(device()),
        "half": training_losses.Features.load().to(device()),
    }
    pictures = read_photos(photos)
    shown = [cropped(picture[:, :256, :256]) for picture in pictures[:4]]
    for key in paintings:
        own, painting = target_of(folder, key, recipe)
        found: dict[str, list[tuple[float, float, Tensor]]] = {}
        for name, features in judges.items():
            target = training_losses.Target(features, painting.to(device()))
            for photo in shown:
                frame = photo[None].to(device()).float() / 255
                made = (frame * 0.8 + 0.1).flip(3).requires_grad_()
                content, style = training_losses.content_and_style(features, target, made, frame, 0.7)
                torch.autograd.backward(content + recipe.style_weight * style)
                assert made.grad is not None
                found.setdefault(name, []).append((float(content), float(style), made.grad.flatten()))
        for n, (one, other) in enumerate(zip(found["single"], found["half"], strict=True)):
            apart = float((one[2] - other[2]).norm() / one[2].norm())
            print(
                f"{key}, picture {n}: content {one[0]:.5f} and {other[0]:.5f}, style {one[1]:.5f} and "
                f"{other[1]:.5f}; gradients apart by {apart:.2e} of their length",
                flush=True,
            )
        prepared, previews = material_of(pictures[:8], recipe), []
        for name, features in judges.items():
            trainer, seconds = trained(own, painting, prepared, features)
            values = judged(trainer, judges["single"], painting, shown)
            print(
                f"{key} learnt by {name}: content {values[0]:.4f}, style {values[1]:.4f}; {seconds:.0f} s", flush=True
            )
            previews.append(torch.stack([trainer.preview(photo) for photo in shown]).float())
        print(f"{key}: painted pictures are {float((previews[0] - previews[1]).abs().mean()):.3f} codes apart")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figure", choices=("features", "pack", "sheet"))
    parser.add_argument("--single", type=Path, help="VGG16's weights in single precision")
    parser.add_argument("--photos", type=Path, help="a folder of photographs")
    parser.add_argument("--film", type=Path, action="append", default=[])
    parser.add_argument("--show", type=Path, help="a folder of pictures to paint")
    parser.add_argument("--material", type=Path, help="the folder that `pack` has written")
    parser.add_argument("--painting", action="append", help="these two if left out: starry-night, scream")
    parser.add_argument("--paintings", type=Path, help="the folder of the paintings learnt from")
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--crop", type=int, default=256, help="side of the squares in pixels")
    parser.add_argument("--out", type=Path)
    said = parser.parse_args()
    needs = {
        "features": ("single", "photos", "paintings"),
        "pack": ("photos", "film", "show", "paintings", "out"),
        "sheet": ("material", "out"),
    }
    for name in needs[said.figure]:
        if not getattr(said, name):
            parser.error(f"--{name} is missing")
    recipe = Recipe(steps=said.steps, batch=said.batch, crop_px=said.crop)
    paintings = said.painting or USUAL
    match said.figure:
        case "features":
            compare(said.single, said.photos, said.paintings, paintings, recipe)
        case "pack":
            pack(said.photos, said.film, said.show, said.paintings, said.out)
        case "sheet":
            sheet(said.material, paintings, recipe, said.out)


if __name__ == "__main__":
    main()
