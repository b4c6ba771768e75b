"""A few steps of training on a CPU, with random features in place of trained ones: it learns, and it repeats."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch
from PIL import Image

from framebrush.models.load import load_style
from framebrush.models.style import ModelCard
from framebrush.models.training import losses
from framebrush.models.training.bundle import bundle
from framebrush.models.training.cli import train
from framebrush.models.training.data import Photos, read_painting
from framebrush.models.training.export import as_stored, blended, to_onnx
from framebrush.models.training.network import SHAPES, Folded, Painter, Shape, layers, radius_px
from framebrush.models.training.recipes import PAINTINGS
from framebrush.models.training.trainer import Recipe, Report, Trainer

pytestmark = pytest.mark.unit

SMALL = Recipe(crop_px=64, batch=2, steps=6, painting_px=128)


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A painting of strokes, two photographs, and features that were never trained."""
    folder = tmp_path_factory.mktemp("material")
    dice = np.random.default_rng(0)
    rows, columns = np.mgrid[:160, :200]
    strokes = np.stack([128 + 100 * np.sin(rows / 3 + columns / n) for n in (5, 9, 14)], -1)
    Image.fromarray(strokes.astype(np.uint8)).save(folder / "painting.png")
    (folder / "photos").mkdir()
    for name in ("a.png", "b.jpg"):
        small = Image.fromarray(dice.integers(0, 256, (12, 15, 3), dtype=np.uint8))
        small.resize((300, 240), Image.Resampling.BICUBIC).save(folder / "photos" / name)
    torch.manual_seed(0)
    arrays = {}
    for name, conv in losses.Features().convs.items():
        arrays[f"{name}.kernel"] = conv.weight.permute(2, 3, 1, 0).numpy()
        arrays[f"{name}.bias"] = conv.bias.numpy()
    np.savez(folder / "random.npz", **arrays)
    return folder


def trainer(material: Path, recipe: Recipe = SMALL) -> Trainer:
    cpu = torch.device("cpu")
    painting = read_painting(material / "painting.png", recipe.painting_px)
    return Trainer(
        recipe, painting, Photos(material / "photos", cpu), losses.Features.load(material / "random.npz"), cpu
    )


def settled(size: str, seed: int) -> Painter:
    """A painter whose normalisation has seen something, so that folding it is no identity."""
    torch.manual_seed(seed)
    painter = Painter(SHAPES[size])
    for module in painter.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.normal_(0, 0.3)
            module.running_var.uniform_(0.5, 2.0)
    return painter.eval()


def picture(height: int, width: int) -> np.ndarray:
    return np.random.default_rng(1).random((1, 3, height, width), dtype=np.float32)


def run(model: bytes, frame: np.ndarray, mix: tuple[float, ...] = ()) -> np.ndarray:
    feed = {"frame": frame} | ({"mix": np.array([mix], np.float32)} if mix else {})
    return onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"]).run(None, feed)[0]


def test_the_painting_is_learnt(material: Path) -> None:
    """After forty steps the same photographs come out closer to the painting than before the first."""
    learner = trainer(material, Recipe(crop_px=64, batch=2, steps=40, painting_px=128, style_weight=10.0))
    features = losses.Features.load(material / "random.npz")
    target = losses.Target(features, read_painting(material / "painting.png", 128))
    photos = Photos(material / "photos", torch.device("cpu")).cut(4, 96, random.Random(5))

    def style() -> float:
        with torch.no_grad():
            return float(losses.content_and_style(features, target, learner.painter(photos), photos, 0.7)[1])

    learner.painter.eval()
    before = style()
    learner.run(lambda _: None)
    assert style() < 0.7 * before


def test_a_person_gets_a_style_file(material: Path, tmp_path: Path) -> None:
    steps: list[int] = []
    files = [material / "painting.png", material / "photos", tmp_path / "mine.onnx", material / "random.npz"]
    out = train(*files, SMALL, report=lambda r: steps.append(r.step))
    assert steps == [SMALL.steps]
    style = load_style(out)
    assert (style.card.stride, style.card.radius_px, style.card.speed) == (8, 76, "realtime")
    assert run(style.model, picture(48, 64)).shape == (1, 3, 48, 64)
    assert not list(tmp_path.glob("*.checkpoint"))


def test_all_paintings_go_into_one_file(material: Path, tmp_path: Path) -> None:
    paintings = tmp_path / "paintings"
    paintings.mkdir()
    for painting in PAINTINGS:
        Image.open(material / "painting.png").convert("RGB").save(paintings / painting.file)
    photos = Photos(material / "photos", torch.device("cpu"))
    features = losses.Features.load(material / "random.npz")
    recipe = Recipe(crop_px=64, batch=1, steps=1, painting_px=128)
    style = load_style(bundle("realtime", paintings, photos, features, tmp_path, recipe))
    assert style.card.paintings == tuple(painting.key for painting in PAINTINGS)
    mix = tuple(np.eye(8)[5])
    assert run(style.model, picture(48, 64), mix).shape == (1, 3, 48, 64)


def test_the_same_seed_gives_the_same_network_also_across_an_interruption(material: Path, tmp_path: Path) -> None:
    whole, first, second = trainer(material), trainer(material), trainer(material)
    whole.run(lambda _: None)
    first.run(lambda _: None, until=3)
    first.save(tmp_path / "half.checkpoint")
    second.resume(tmp_path / "half.checkpoint")
    second.run(lambda _: None)
    for name, (kernel, bias) in whole.painter.folded().items():
        assert np.array_equal(kernel, second.painter.folded()[name][0])
        assert np.array_equal(bias, second.painter.folded()[name][1])


def test_a_training_that_falls_apart_is_said(material: Path) -> None:
    wild = trainer(material, replace(SMALL, rate=1e30))
    with pytest.raises(ValueError, match=r"fell apart \(content is not finite at step 6\); try another --seed"):
        wild.run(lambda _: None)


def test_a_gpu_without_room_is_said(material: Path, tmp_path: Path) -> None:
    """No GPU is there to be filled: the error that PyTorch would raise comes from the report."""

    def full(_: Report) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    files = material / "painting.png", material / "photos", tmp_path / "s.onnx", material / "random.npz"
    with pytest.raises(ValueError, match="cpu has no room for 2 crops a step; try a smaller --batch"):
        train(*files, SMALL, device="cpu", report=full)


def test_checkpoint_of_another_recipe(material: Path, tmp_path: Path) -> None:
    trainer(material).save(tmp_path / "c")
    with pytest.raises(ValueError, match="another recipe"):
        trainer(material, Recipe(crop_px=64, batch=2, steps=7, painting_px=128)).resume(tmp_path / "c")
    (tmp_path / "c").write_bytes(b"no checkpoint")
    with pytest.raises(ValueError, match="is not a checkpoint"):
        trainer(material).resume(tmp_path / "c")


@pytest.mark.parametrize("size", SHAPES)
def test_folding_and_export_change_nothing(size: str) -> None:
    painter = settled(size, 0)
    frame = picture(64, 88)
    with torch.no_grad():
        trained = painter(torch.from_numpy(frame)).numpy()
    weights = painter.folded()
    card = ModelCard("one", "One", ("one",))
    assert np.abs(Folded(SHAPES[size], weights)(torch.from_numpy(frame)).numpy() - trained).max() < 1e-4
    assert np.abs(run(to_onnx(SHAPES[size], [weights], card).SerializeToString(), frame) - trained).max() < 1e-4


@pytest.mark.parametrize(("precision", "tolerance"), [("float32", 1e-4), ("float16", 1e-2)])
def test_a_blend_is_the_mean_of_the_networks(precision: str, tolerance: float) -> None:
    shape = SHAPES["realtime"]
    pair = [settled("realtime", seed).folded() for seed in (0, 1)]
    card = ModelCard("pair", "Pair", ("a", "b"), precision=precision)  # type: ignore[arg-type]
    frame = picture(64, 72)
    painted = run(to_onnx(shape, pair, card).SerializeToString(), frame.astype(precision), (0.25, 0.75)).astype(
        np.float32
    )
    mean = Folded(shape, blended([as_stored(weights) for weights in pair], {0: 0.25, 1: 0.75}))
    assert np.abs(painted - mean(torch.from_numpy(frame)).numpy()).max() < tolerance


@pytest.mark.parametrize("size", SHAPES)
def test_radius_holds_and_is_tight(size: str) -> None:
    """A changed pixel is seen no farther than the radius says, and somewhere as far as a cell less."""
    shape = SHAPES[size]
    table = layers(shape)
    ones = {
        n: (np.ones((la.outputs, la.inputs, 3, 3), np.float32) / (9 * la.inputs), np.zeros(la.outputs, np.float32))
        for n, la in table.items()
    }
    network = Folded(shape, ones)
    side, reach = 256, 0
    for place in range(120, 128):
        frame = torch.zeros(1, 3, side, side)
        frame[..., place, place] = 1.0
        hit = network(frame)[0, 0].nonzero()[:, 0]
        reach = max(reach, place - int(hit.min()), int(hit.max()) - place)
    assert radius_px(shape) - 8 <= reach <= radius_px(shape)


def test_grid_loss_tells_a_grid_from_strokes() -> None:
    rows, columns = torch.meshgrid(torch.arange(128.0), torch.arange(128.0), indexing="ij")
    strokes = 0.5 + 0.2 * torch.sin(rows / 2.3 + columns / 3.1)
    grid = 0.5 + 0.2 * torch.sign(torch.sin((columns + 0.5) * torch.pi / 2))
    assert losses.grid(grid.expand(1, 3, -1, -1)) > 20 * losses.grid(strokes.expand(1, 3, -1, -1))


def test_steady_follows_the_motion() -> None:
    whole = torch.rand(1, 3, 64, 64)
    moved = whole[:, :, 3:43, 5:45]
    assert losses.steady(moved, moved.clone()) == 0
    assert losses.steady(moved, whole[:, :, 4:44, 5:45]) > 0.01


def bad(folder: Path, name: str, content: bytes) -> Path:
    (folder / name).write_bytes(content)
    return folder / name


def test_bad_input_is_said_in_a_sentence(material: Path, tmp_path: Path) -> None:
    good = [material / "painting.png", material / "photos", tmp_path / "o.onnx", material / "random.npz"]
    tiny = tmp_path / "tiny.png"
    Image.new("RGB", (60, 200)).save(tiny)
    (tmp_path / "empty").mkdir()
    (tmp_path / "rotten").mkdir()
    bad(tmp_path / "rotten", "x.jpg", b"\xff\xd8 no picture")
    cases = [
        (0, tmp_path / "none.png", "there is no such file"),
        (0, bad(tmp_path, "text.png", b"text"), "cannot be read as a picture"),
        (0, bad(tmp_path, "half.png", (material / "painting.png").read_bytes()[:300]), "cannot be read as a picture"),
        (0, tiny, "60x200 is too small to learn from"),
        (1, tmp_path / "nowhere", "there is no such folder of photographs"),
        (1, tmp_path / "empty", "holds no photographs"),
        (1, tmp_path / "rotten", "cannot be read as a picture"),
        (2, tmp_path / "o.bin", "ends in .onnx"),
        (2, tmp_path / "nowhere" / "o.onnx", "no such folder to write to"),
        (3, bad(tmp_path, "w.npz", b"text"), "is not a file of VGG16 features"),
    ]
    for place, path, reason in cases:
        files = list(good)
        files[place] = path
        with pytest.raises(ValueError, match=reason):
            train(*files, SMALL)
    with pytest.raises(ValueError, match="not one of"):
        Recipe(size="huge")
    with pytest.raises(ValueError, match="not a multiple of 8"):
        Recipe(crop_px=70)


def test_shapes_fit_eight_to_a_file() -> None:
    for shape in SHAPES.values():
        assert isinstance(shape, Shape)
        weights = sum(9 * layer.inputs * layer.outputs + layer.outputs for layer in layers(shape).values())
        assert 8 * 2 * weights < 8_000_000
