"""Measurements of the bundled styles, one command each; compared styles run side by side.

    python benchmarks/styles.py speed
    python benchmarks/styles.py tiles --photos FOLDER
    python benchmarks/styles.py contrast --photos FOLDER
    python benchmarks/styles.py weave --clip FILM --clip FILM --stroke 1 --stroke 2
    python benchmarks/styles.py flicker --clip FILM --stroke 1 --steady 0.5
    python benchmarks/styles.py losses --photos FOLDER --paintings FOLDER --features NPZ --stroke 1 --stroke 2
    python benchmarks/styles.py train --photos FOLDER --paintings FOLDER --features NPZ --rival great-wave=FILE.pt

`--style` measures other .onnx files instead of the bundled ones. `--rival PAINTING=FILE` adds a third-party network
for a painting: an .onnx file, or the output of `train`, the classic network of Johnson et al. 2016 trained by our
recipe without steadiness. `speed` uses that network with random weights. `--stroke N` paints at 1/N of the size.
`flicker` needs opencv-python-headless for optical flow, `losses` and `train` framebrush[train].
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.painting import SIZES, Picture, film, painter, painters, photos, smaller
from benchmarks.speed import speed
from framebrush.gpu.cpu.stages.steady import Painted, Steadier
from framebrush.gpu.cpu.stages.strips import Workers
from framebrush.gpu.temporal_window import CENTRED
from framebrush.models.colours.luma import LUMA
from framebrush.models.reading.load import load_style
from framebrush.models.training.recipes import FINER, PAINTINGS


def tiles(pictures: Iterable[Picture]) -> None:
    """Print the maximum difference, in 8-bit codes, between two overlapping tiles and the whole frame."""
    for size in SIZES:
        style = load_style(size)
        overlap = -(-(style.card.radius_px or 0) // style.card.stride) * style.card.stride
        worst = 0.0
        for painting in range(len(style.card.paintings)):
            paint = painter(style, painting)
            for picture in pictures:
                whole = paint(picture)
                middle = whole.shape[2] // 2 // style.card.stride * style.card.stride
                left = paint(picture[:, :, : middle + overlap])[:, :, :middle]
                right = paint(picture[:, :, middle - overlap :])[:, :, overlap:]
                joined = np.concatenate([left, right], 2)[:, :, : whole.shape[2]]
                worst = max(worst, float(np.abs(np.clip(joined, 0, 1) - np.clip(whole, 0, 1)).max()))
        print(f"{size:10} tiles differ by {worst * 255:.4f} codes at most")


def contrast(pictures: list[Picture], styles: list[str], rivals: dict[str, Path]) -> None:
    """Print the share of a photograph's range of luma that each painting keeps: the mean, and the least.

    Luma is averaged over 4x4 pixels; its range is between the 5th and the 95th of 100 parts.
    """

    def range_of(picture: Picture) -> float:
        luma = np.tensordot(LUMA, smaller(np.clip(picture, 0, 1), 4), 1)
        low, high = np.percentile(luma, [5, 95])
        return float(high - low)

    for name, paint in painters(styles, rivals):
        shares = [range_of(paint(picture)) / range_of(picture) for picture in pictures]
        print(f"{name:28} keeps {np.mean(shares):.2f} of the range of luma, {min(shares):.2f} at the least", flush=True)


def train(folder: Path, rivals: dict[str, Path], features_file: Path, paintings: Path, steps: int) -> None:
    """Train the classic network with our recipe, without our losses for steadiness and against grids."""
    import torch

    from framebrush.models.training.data import Material, read_painting, read_photos
    from framebrush.models.training.trainer import CLASSIC, Recipe, Trainer
    from framebrush.models.training.training_losses import Features

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    recipe = Recipe(CLASSIC, steady_weight=0, grid_weight=0, rate=1e-3, settle=0, steps=steps)
    material, features = Material.of(read_photos(folder), recipe.squares_px, device), Features.load(features_file)
    for painting in PAINTINGS:
        if painting.key not in rivals:
            continue
        own = replace(recipe, together=painting.together, content=painting.content, stroke_px=painting.stroke_px)
        picture = read_painting(paintings / painting.file, own.painting_px, painting.crop)
        trainer = Trainer(own, picture, material, features, device)
        trainer.run(lambda state: print(f"{state.step}/{state.steps} style {state.losses['style']:.3f}", flush=True))
        torch.save(trainer.painter.state_dict(), rivals[painting.key])


def weave(clips: list[Path], strokes: list[int], styles: list[str], rivals: dict[str, Path], count: int) -> None:
    """Print the strength of weave patterns in painted frames, by `evaluate.weave`."""
    from framebrush.models.training.evaluate import weave as measure

    for stroke in strokes:
        frames = [frame for clip in clips for frame in film(clip, stroke, count, 30)]
        print(f"stroke {stroke}: the source {np.mean([measure(frame) for frame in frames]):.3f}")
        for name, paint in painters(styles, rivals):
            values = [measure(np.clip(paint(frame), 0, 1)) for frame in frames]
            print(f"stroke {stroke}  {name:28} weave {np.mean(values):.3f}", flush=True)


def steadied(frames: list[Picture], painted: list[Picture], strength: float) -> list[Picture]:
    """Return a film's paintings after the temporal filter, by the CPU device's kernel."""
    width, height = frames[0].shape[2], frames[0].shape[1]
    kept, results = list[Painted](), list[Picture]()
    with closing(Workers()) as workers:
        steadier = Steadier((width, height), painted[0].shape[1] // height, workers)
        for frame, painting in zip(frames, painted, strict=True):
            kept.append(steadier.allocate())
            steadier.add_frame(frame, painting, kept[-1])
        for n, own in enumerate(kept):
            before, after = kept[max(0, n - CENTRED.before) : n][::-1], kept[n + 1 : n + 1 + CENTRED.after]
            results.append(np.empty_like(own.clean))
            steadier.run(own, before, after, strength, results[-1])
    return results


def sharpness(painted: list[Picture]) -> float:
    """Return the mean difference of neighbouring pixels in codes, which a temporal filter must not blur away."""
    steps = [np.abs(np.diff(picture, axis=axis)).mean() for picture in painted for axis in (1, 2)]
    return float(np.mean(steps)) * 255


def flicker(
    clips: list[Path],
    strokes: list[int],
    styles: list[str],
    rivals: dict[str, Path],
    count: int,
    strengths: list[float],
) -> None:
    """Print differences between neighbouring frames (still pixels; along motion) and between pixels, in 8-bit codes.

    With and without the temporal filter; frames without neighbours are skipped.
    """
    import cv2  # type: ignore[import-not-found,unused-ignore]

    from framebrush.models.training.evaluate import Flow, moving_flicker, static_flicker

    search: Any = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
    for clip, stroke in itertools.product(clips, strokes):
        frames = film(clip, stroke, count, 1)
        greys = [(np.tensordot([0.299, 0.587, 0.114], frame, 1) * 255).astype(np.uint8) for frame in frames]

        def flow(first: int, second: int, greys: list[NDArray[np.uint8]] = greys) -> Flow:
            return np.asarray(search.calc(greys[first], greys[second], None))

        motions = {pair: flow(*pair) for n in range(len(frames) - 1) for pair in ((n, n + 1), (n + 1, n))}

        def known(first: int, second: int, motions: dict[tuple[int, int], Flow] = motions) -> Flow:
            return motions[first, second]

        source: tuple[str, Callable[[Picture], Picture]] = ("the source", lambda picture: picture)
        for name, paint in itertools.chain([source], painters(styles, rivals)):
            plain = [np.clip(paint(frame), 0, 1) for frame in frames]
            for strength in (0.0, *strengths):
                painted = steadied(frames, plain, strength) if strength else plain
                inner = slice(CENTRED.before, len(frames) - CENTRED.after)

                def within(first: int, second: int) -> Flow:
                    return known(first + CENTRED.before, second + CENTRED.before)

                still = static_flicker(frames[inner], painted[inner]) * 255
                moving = moving_flicker(painted[inner], within) * 255
                words = f"still {still:5.2f}  moving {moving:5.2f}  pixel to pixel {sharpness(painted[inner]):5.2f}"
                print(f"{clip.stem} stroke {stroke}  {name:28} steady {strength:.2f}  {words}", flush=True)


def losses(
    pictures: list[Picture],
    strokes: list[int],
    styles: list[str],
    rivals: dict[str, Path],
    features_file: Path,
    paintings: Path,
) -> None:
    """Print content and style loss at the strokes' working sizes."""
    import torch

    from framebrush.models.training import training_losses as perceptual
    from framebrush.models.training.data import read_painting
    from framebrush.models.training.trainer import Recipe

    features = perceptual.Features.load(features_file)
    recipes = {painting.key: painting for painting in PAINTINGS}
    targets: dict[str, perceptual.Target] = {}
    for name, paint in painters(styles, rivals):
        key = name.removeprefix("rival ").rpartition("/")[2].removesuffix(FINER)
        if key not in recipes:
            continue
        if key not in targets:
            shown = read_painting(paintings / recipes[key].file, Recipe().painting_px, recipes[key].crop)
            targets[key] = perceptual.Target(features, shown)
        for stroke in strokes:
            found = []
            for picture in pictures:
                frame = smaller(picture, stroke)
                painted = torch.from_numpy(np.clip(paint(frame), 0, 1).astype(np.float32))[None]
                with torch.no_grad():
                    pair = perceptual.content_and_style(
                        features, targets[key], painted, torch.from_numpy(frame)[None], 0.0
                    )
                found.append([float(value) for value in pair])
            content, brushwork = np.mean(found, 0)
            print(f"stroke {stroke}  {name:28} content {content:.3f}  style {brushwork:.3f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figure", choices=("speed", "tiles", "contrast", "train", "weave", "flicker", "losses"))
    parser.add_argument("--photos", type=Path, help="photographs; except for `train`, ones never trained on")
    parser.add_argument("--clip", type=Path, action="append", default=[], help="a film")
    parser.add_argument("--count", type=int, default=8, help="how many photographs, or frames of a film")
    parser.add_argument(
        "--stroke", type=int, action="append", help="the source is this many times as large; 1 if left out"
    )
    parser.add_argument("--style", action="append", help="a bundled file's name or an .onnx file")
    parser.add_argument("--rival", action="append", default=[], metavar="PAINTING=FILE", help="a third-party network")
    parser.add_argument("--steady", type=float, action="append", help="a strength of the filter over time, besides 0")
    parser.add_argument("--steps", type=int, default=5700, help="how long to train the classic network")
    parser.add_argument("--features", type=Path, help="VGG16 weights, see models/training/training_losses.py")
    parser.add_argument("--paintings", type=Path, help="the folder of the paintings learnt from")
    said = parser.parse_args()
    rivals = {name: Path(file) for name, _, file in (text.partition("=") for text in said.rival)}
    styles, strokes = said.style or list(SIZES), said.stroke or [1]
    needs = {
        "speed": [],
        "tiles": ["photos"],
        "contrast": ["photos"],
        "train": ["photos", "paintings", "features"],
        "weave": ["clip"],
        "flicker": ["clip"],
        "losses": ["photos", "paintings", "features"],
    }
    for name in needs[said.figure]:
        if not getattr(said, name):
            parser.error(f"--{name} is missing")
    match said.figure:
        case "speed":
            speed()
        case "tiles":
            tiles(photos(said.photos, said.count))
        case "contrast":
            contrast(photos(said.photos, said.count), styles, rivals)
        case "train":
            train(said.photos, rivals, said.features, said.paintings, said.steps)
        case "weave":
            weave(said.clip, strokes, styles, rivals, said.count)
        case "flicker":
            flicker(said.clip, strokes, styles, rivals, said.count, said.steady or [])
        case "losses":
            losses(photos(said.photos, said.count), strokes, styles, rivals, said.features, said.paintings)


if __name__ == "__main__":
    main()
