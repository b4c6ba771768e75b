"""A few steps of training on a CPU, with random features in place of trained ones: it learns, and it repeats."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image, ImageOps

from framebrush.models.colours import oklab
from framebrush.models.reading.load import load_style
from framebrush.models.training import bundle as bundling
from framebrush.models.training import cli, compressed, data, start, training_losses
from framebrush.models.training import trainer as trainer_module
from framebrush.models.training.data import Light, Material, is_grey, read_painting, read_photos
from framebrush.models.training.recipes import PAINTINGS, Crop
from framebrush.models.training.trainer import BALANCE_STEPS, Recipe, Report, Trainer, read_checkpoint
from tests.media import profiles
from tests.models.test_painter_network import picture, run
from tests.untrained import narrow, save_features

pytestmark = pytest.mark.unit

SMALL = Recipe(crop_px=128, batch=1, steps=4, stroke_px=4)
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A painting of strokes, eight photographs, and features that were never trained."""
    folder = tmp_path_factory.mktemp("material")
    dice = np.random.default_rng(0)
    rows, columns = np.mgrid[:256, :300]
    strokes = np.stack([128 + 100 * np.sin(rows / 3 + columns / n) for n in (5, 9, 14)], -1)
    Image.fromarray(strokes.astype(np.uint8)).save(folder / "painting.png")
    (folder / "photos").mkdir()
    for name in ("a.png", *(f"{n}.jpg" for n in range(7))):
        small = Image.fromarray(dice.integers(0, 256, (12, 15, 3), dtype=np.uint8))
        small.resize((360, 280), Image.Resampling.BICUBIC).save(folder / "photos" / name)
    save_features(folder / "random.npz")
    return folder


Files = tuple[Path, Callable[[], list[torch.Tensor]], Path, Path]


def files_of(material: Path, out: Path) -> Files:
    """Return the first arguments of `cli.Training`."""
    return material / "painting.png", partial(read_photos, material / "photos"), out, material / "random.npz"


def trainer(material: Path, recipe: Recipe = SMALL) -> Trainer:
    painting = read_painting(material / "painting.png", recipe.painting_px)
    features = training_losses.Features.load(material / "random.npz")
    return Trainer(recipe, painting, squares(material), features, CPU)


@cache
def squares(material: Path) -> Material:
    return Material.of(read_photos(material / "photos"), SMALL.squares_px, CPU)


@pytest.fixture(autouse=True, scope="module")
def few_clips() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(data, "CLIPS_A_PHOTO", 1)
        narrow(patch)
        yield


@pytest.mark.slow
def test_the_painting_is_learnt(material: Path) -> None:
    """After three steps from the common network photographs come out closer to the painting than before the first."""
    learner = trainer(material, replace(SMALL, steps=3, style_weight=10.0, rate=1e-3))
    learner.start_from(start.load("realtime"))
    features = training_losses.Features.load(material / "random.npz")
    target = training_losses.Target(features, read_painting(material / "painting.png", SMALL.painting_px))
    photos = squares(material).squares(2, 160, random.Random(5))

    def style() -> float:
        with torch.no_grad():
            return float(training_losses.content_and_style(features, target, learner.painter(photos), photos, 0.7)[1])

    learner.painter.eval()
    before = style()
    learner.run(lambda _: None)
    assert style() < 0.9 * before


@pytest.mark.slow
def test_a_person_gets_a_style_file(material: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []
    files = files_of(material, tmp_path / "mine.onnx")
    monkeypatch.setattr(cli, "FIRST_S", 0.0)
    monkeypatch.setattr(cli, "KEPT_S", 0.0)
    previews: list[np.ndarray] = []

    def report(state: Report) -> None:
        steps.append(state.step)

    def look(path: Path) -> None:
        assert path == tmp_path / "mine.preview.png"
        previews.append(np.array(Image.open(path)))

    remarks: list[str] = []
    shares: list[float] = []
    cli.train(
        cli.Training(*files, SMALL),
        cli.Watcher(
            on_progress=report,
            on_message=remarks.append,
            on_prepared=shares.append,
            on_preview=look,
            finish=lambda painting, photo: painting | 128 if painting.shape == photo.shape else painting,
        ),
    )
    assert shares == [n / 8 for n in range(1, 9)]
    assert steps[-1] == SMALL.steps
    assert len(previews) == SMALL.steps + 1
    style = load_style(tmp_path / "mine.onnx")
    assert style.card.float16_codes is not None
    assert 0 < style.card.float16_codes < 10
    assert (style.card.stride, style.card.radius_px, style.card.speed) == (8, 77, "realtime")
    assert run(style.model, picture(48, 64)).shape == (1, 3, 48, 64)
    assert {path.name for path in tmp_path.iterdir()} == {"mine.onnx", "mine.preview.png"}
    assert previews[0].shape == (280, 360, 3)
    assert previews[0].min() >= 128
    assert previews[0].std() > 5
    assert remarks == ["training on cpu with 8 photographs and compressed clips made of them"]
    with pytest.raises(ValueError, match=r"mine\.onnx exists; add -y to replace it, or choose another name"):
        cli.train(cli.Training(*files, SMALL))


class _EnoughError(Exception):
    pass


def gone() -> list[torch.Tensor]:
    """Fail as photographs that are not there any more."""
    raise ValueError("there is no such folder of photographs")


@pytest.fixture(scope="module")
def in_one_go(material: Path, few_clips: None, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The style file of a training that nobody stops."""
    out = tmp_path_factory.mktemp("whole") / "mine.onnx"
    cli.train(cli.Training(*files_of(material, out), SMALL))
    return out.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("after", [0, 1, 3])
def test_training_that_is_stopped_goes_on_to_the_same_network(
    material: Path, in_one_go: bytes, tmp_path: Path, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped after one or three steps, or while the material is made, which leaves nothing to go on from. Before the
    first preview is due, however slow this machine is. The photographs are gone when it goes on."""
    files = files_of(material, tmp_path / "mine.onnx")
    steps: list[int] = []
    monkeypatch.setattr(trainer_module, "REPORT_S", 0.0)
    monkeypatch.setattr(cli, "FIRST_S", 3600.0)

    def check() -> None:
        if len(steps) == after:
            raise _EnoughError

    with pytest.raises(_EnoughError):
        cli.train(cli.Training(*files, SMALL), cli.Watcher(lambda state: steps.append(state.step), check=check))
    assert steps == list(range(1, after + 1))
    assert {path.name for path in tmp_path.iterdir()} == ({"mine.checkpoint"} if after else set())
    remarks: list[str] = []
    painting, photos, *others = files
    photos = gone if after else photos
    cli.train(
        cli.Training(painting, photos, *others, SMALL),
        cli.Watcher(lambda state: steps.append(state.step), remarks.append),
    )
    assert steps == list(range(1, SMALL.steps + 1))
    assert remarks[1:] == ([f"resuming at step {after}"] if after else [])
    assert (tmp_path / "mine.onnx").read_bytes() == in_one_go


@pytest.mark.slow
def test_training_begun_on_another_device_goes_on(material: Path, tmp_path: Path) -> None:
    """A card's generator has a state of 16 bytes, and its weights are channels_last."""
    begun = trainer(material)
    begun.run(lambda _: None)
    begun.save(tmp_path / "c")
    painting = read_painting(material / "painting.png", SMALL.painting_px)
    state = read_checkpoint(tmp_path / "c", SMALL, painting, CPU)
    state["noise"], state["step"] = torch.zeros(16, dtype=torch.uint8), 1
    for kept in state["adam"]["state"].values():
        for name in ("exp_avg", "exp_avg_sq"):
            if kept[name].dim() == 4:
                kept[name] = kept[name].contiguous(memory_format=torch.channels_last)
    resumed = trainer(material)
    resumed.resume(state)
    resumed.save(tmp_path / "c")
    moments = read_checkpoint(tmp_path / "c", SMALL, painting, CPU)["adam"]["state"].values()
    assert all(value.is_contiguous() for kept in moments for value in kept.values())
    steps: list[int] = []
    resumed.run(lambda report: steps.append(report.step))
    assert steps[-1] == SMALL.steps


@pytest.mark.slow
def test_all_paintings_go_into_one_file(material: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paintings = tmp_path / "paintings"
    paintings.mkdir()
    for painting in PAINTINGS:
        Image.open(material / "painting.png").convert("RGB").resize((340, 290)).save(paintings / painting.file)
    features = training_losses.Features.load(material / "random.npz")
    recipe = replace(SMALL, steps=1)
    two = tuple(replace(painting, stroke_px=SMALL.stroke_px) for painting in PAINTINGS[2:4])
    monkeypatch.setattr(bundling, "PAINTINGS", two)
    style = load_style(bundling.bundle("realtime", paintings, squares(material), features, tmp_path, recipe))
    assert style.card.paintings == ("scream", "composition-vii")
    mix = (0.0, 1.0)
    assert run(style.model, picture(48, 64), mix).shape == (1, 3, 48, 64)


@pytest.mark.slow
def test_a_training_that_falls_apart_is_said(material: Path) -> None:
    wild = trainer(material, replace(SMALL, rate=1e30))
    with pytest.raises(ValueError, match=r"fell apart \(content is not finite at step \d\); try another --seed"):
        wild.run(lambda _: None)


def full_gpu(_: Report) -> None:
    """Raise the error that PyTorch would raise on a full GPU."""
    raise torch.OutOfMemoryError("CUDA out of memory")


def full_memory(_: Report) -> None:
    torch.empty(1 << 60, dtype=torch.uint8)


@pytest.mark.slow
@pytest.mark.parametrize("full", [full_gpu, full_memory])
def test_too_little_memory_is_said(full: Callable[[Report], None], material: Path, tmp_path: Path) -> None:
    files = files_of(material, tmp_path / "s.onnx")
    with pytest.raises(ValueError, match=r"cpu has no room for 1 crop a step; .*; or try --torch-device cpu"):
        cli.train(cli.Training(*files, replace(SMALL, steps=1), device="cpu"), cli.Watcher(full))
    with pytest.raises(ValueError, match=r"cpu has no room for 4 crops a step; .*; or try --batch 2"):
        cli.train(cli.Training(*files, replace(SMALL, steps=1, batch=4), device="cpu"), cli.Watcher(full))


@pytest.mark.slow
def test_checkpoint_of_another_recipe(material: Path, tmp_path: Path) -> None:
    trainer(material).save(tmp_path / "c")
    painting = read_painting(material / "painting.png", SMALL.painting_px)
    assert read_checkpoint(tmp_path / "c", SMALL, painting, CPU)["step"] == 0
    with pytest.raises(ValueError, match=r"other settings \(steps\); remove it to start again"):
        read_checkpoint(tmp_path / "c", replace(SMALL, steps=7), painting, CPU)
    with pytest.raises(ValueError, match=r"other settings \(painting\); remove it to start again"):
        read_checkpoint(tmp_path / "c", SMALL, painting + 0.1, CPU)
    torch.save({"recipe": set}, tmp_path / "code")
    whole = torch.load(tmp_path / "c", weights_only=True)
    for name, photographs in (("text", ["text"]), ("noise", [torch.zeros(99, dtype=torch.uint8)])):
        torch.save(whole | {"photographs": photographs}, tmp_path / name)
    del whole["photographs"]  # as version 0.2 wrote it
    torch.save(whole, tmp_path / "c")
    assert read_checkpoint(tmp_path / "c", SMALL, painting, CPU)["photographs"] == []
    damaged = [(tmp_path / name).read_bytes() for name in ("code", "text", "noise")]
    for content in (b"no checkpoint", (tmp_path / "c").read_bytes()[:999], *damaged):
        (tmp_path / "c").write_bytes(content)
        with pytest.raises(ValueError, match=r"c: is damaged, or not a checkpoint; remove it to start again$"):
            read_checkpoint(tmp_path / "c", SMALL, painting, CPU)


def test_the_checkpoint_is_looked_at_before_anything_is_prepared(material: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.checkpoint").write_bytes(b"no checkpoint")
    prepared: list[float] = []
    files = files_of(material, tmp_path / "mine.onnx")
    with pytest.raises(ValueError, match=r"mine\.checkpoint: is damaged, or not a checkpoint"):
        cli.train(cli.Training(*files, SMALL), cli.Watcher(on_prepared=prepared.append))
    assert not prepared
    assert [path.name for path in tmp_path.iterdir()] == ["mine.checkpoint"]


@pytest.mark.slow
def test_a_tint_is_no_style(material: Path) -> None:
    """A painting of little contrast: its mean colour alone is as far from its style as its strokes are strong."""
    features = training_losses.Features.load(material / "random.npz")
    painting = 0.4 + 0.05 * (read_painting(material / "painting.png", 256) - 0.5)
    tint = painting.mean((2, 3), keepdim=True).expand_as(painting)
    target = training_losses.Target(features, painting)

    def style(picture: torch.Tensor) -> float:
        return float(target.style(1, features(picture), 0.0))

    assert style(painting) < 1e-6
    assert style(painting[..., 8:, 24:]) < 0.2
    assert style(tint) > 2.5  # of three layers, whose covariances are all missed


def test_statistics_of_pictures_together_are_those_of_one_picture(material: Path) -> None:
    features = training_losses.Features.load(material / "random.npz")
    painting = read_painting(material / "painting.png", 256)
    halves = [features(part) for part in (painting[..., :144], painting[..., 112:256])]
    found = [torch.cat(pair) for pair in zip(*halves, strict=True)]
    joined = [torch.cat((*pair,), 3) for pair in zip(*halves, strict=True)]
    target = training_losses.Target(features, painting.flip(2))
    assert float(target.style(1, found, 1.0)) == pytest.approx(float(target.style(1, joined, 1.0)), rel=1e-3)


def test_grid_loss_tells_a_grid_from_strokes() -> None:
    rows, columns = torch.meshgrid(torch.arange(128.0), torch.arange(128.0), indexing="ij")
    strokes = 0.5 + 0.2 * torch.sin(rows / 2.3 + columns / 3.1)
    grid = 0.5 + 0.2 * torch.sign(torch.sin((columns + 0.5) * torch.pi / 2))
    assert training_losses.grid(grid.expand(1, 3, -1, -1)) > 20 * training_losses.grid(strokes.expand(1, 3, -1, -1))


def test_steady_follows_the_motion() -> None:
    whole = torch.rand(1, 3, 64, 64)
    moved = whole[:, :, 3:43, 5:45]
    assert training_losses.steady(moved, moved.clone()) == 0
    assert training_losses.steady(moved, whole[:, :, 4:44, 5:45]) > 0.01


def bad(folder: Path, name: str, content: bytes) -> Path:
    (folder / name).write_bytes(content)
    return folder / name


def test_bad_input_is_said_in_a_sentence(material: Path, tmp_path: Path) -> None:
    good = files_of(material, tmp_path / "o.onnx")
    tiny = tmp_path / "tiny.png"
    Image.new("RGB", (60, 200)).save(tiny)
    (tmp_path / "empty").mkdir()
    (tmp_path / "two").mkdir()
    for name in ("a.png", "0.jpg"):
        shutil.copy(material / "photos" / name, tmp_path / "two")
    painting = Image.open(material / "painting.png")
    framed = ImageOps.expand(painting, 12, "white")
    framed.save(tmp_path / "framed.png")
    ImageOps.expand(painting, (0, 0, 9, 0), "black").save(tmp_path / "right.png")
    holes = painting.convert("RGBA")
    holes.putalpha(Image.linear_gradient("L").resize(holes.size))
    holes.save(tmp_path / "holes.png")
    (tmp_path / "rotten").mkdir()
    for n in range(8):
        bad(tmp_path / "rotten", f"{n}.jpg", b"\xff\xd8 no picture")
    cases = [
        (0, tmp_path / "none.png", "there is no such file"),
        (0, bad(tmp_path, "text.png", b"text"), "cannot be read as a picture"),
        (0, bad(tmp_path, "half.png", (material / "painting.png").read_bytes()[:300]), "cannot be read as a picture"),
        (0, tiny, "60x200 is too small to learn from; give at least 256 px"),
        (0, tmp_path / "framed.png", "has a border of one colour at the top; cut it off"),
        (0, tmp_path / "right.png", "has a border of one colour at the right; cut it off"),
        (0, tmp_path / "holes.png", "is transparent in places"),
        (1, tmp_path / "nowhere", "there is no such folder of photographs"),
        (1, tmp_path / "empty", "holds 0 photographs"),
        (1, tmp_path / "two", "holds 2 photographs .*; give at least 8"),
        (1, tmp_path / "rotten", "cannot be read as a picture"),
        (2, tmp_path / "o.bin", "ends in .onnx"),
        (2, tmp_path / "nowhere" / "o.onnx", "no such folder to write to"),
        (3, tmp_path / "none.npz", "none.npz: cannot be read: No such file or directory$"),
        (3, bad(tmp_path, "w.npz", b"text"), "w.npz: is not a file of VGG16 features; give torchvision's vgg16_[^ ]*$"),
    ]
    for place, path, reason in cases:
        painting, photos, out, features = good
        photos = partial(read_photos, path) if place == 1 else photos
        painting, out, features = (path if place == n else own for n, own in ((0, painting), (2, out), (3, features)))
        with pytest.raises(ValueError, match=reason):
            cli.train(cli.Training(painting, photos, out, features, SMALL))
    with pytest.raises(ValueError, match="not one of"):
        Recipe(size="huge")
    with pytest.raises(ValueError, match="not a multiple of 8"):
        Recipe(crop_px=130)
    with pytest.raises(ValueError, match="strokes of 2 px cannot be learnt; give 4 to 32"):
        Recipe(stroke_px=2)


@pytest.mark.slow
def test_a_grey_painting_is_said(material: Path, tmp_path: Path) -> None:
    Image.open(material / "painting.png").convert("L").save(tmp_path / "grey.png")
    remarks: list[str] = []
    _, *others = files_of(material, tmp_path / "g.onnx")
    training = cli.Training(tmp_path / "grey.png", *others, replace(SMALL, steps=1))
    cli.train(training, cli.Watcher(on_message=remarks.append))
    assert remarks[0] == f"{tmp_path / 'grey.png'}: shows no colour; what is painted with it will be grey"
    assert not is_grey(read_painting(material / "painting.png", 256))


@pytest.mark.parametrize("kind", ["p3.png", "clear.png", "damaged.png", "inks.tif"])
def test_a_painting_has_the_colours_of_its_profile(tmp_path: Path, kind: str) -> None:
    path = tmp_path / kind
    if kind == "inks.tif":
        amounts = np.repeat(np.array([[(200, 20, 10, 0), (10, 180, 60, 20)]], np.uint8), 48, 0)
        Image.fromarray(amounts, "CMYK").save(path, icc_profile=profiles.inks())
        right = oklab.from_light(profiles.light_of_inks(amounts[0] / 255).astype(np.float32)) * 255
    else:
        opaque = np.full((*profiles.PICTURE.shape[:2], 1), 255, np.uint8)
        rgb = np.dstack([profiles.PICTURE, opaque]) if kind == "clear.png" else profiles.PICTURE
        profiles.write(path, b"damaged" if kind == "damaged.png" else profiles.matrix(profiles.P3), rgb)
        right = np.array(profiles.PATCHES) if kind == "damaged.png" else profiles.wanted(profiles.P3)
    found = data.read_picture(path).numpy()[:, 24].T
    assert np.abs(found[:: len(found) // len(right)] - right).max() <= 6


def test_a_crop_takes_the_border_away(material: Path, tmp_path: Path) -> None:
    framed = ImageOps.expand(Image.open(material / "painting.png"), 20, "white")
    framed.save(tmp_path / "framed.png")
    crop = Crop(*(20 / side for side in (framed.width, framed.height) * 2))
    assert (
        read_painting(tmp_path / "framed.png", 256, crop).shape == read_painting(material / "painting.png", 256).shape
    )


def test_compressed_clips_move_as_said(material: Path) -> None:
    """Another frame's window shows the square's corner; with reversed motion it does not."""
    photo = torch.from_numpy(np.array(Image.open(material / "photos" / "a.png"))).permute(2, 0, 1)
    side = 128 + compressed.SPARE_PX
    for encoder in compressed.ENCODERS:
        for halved in (False, True):
            plan = compressed.Plan(side, 1.0, (2, -2), 0.004, halved, encoder, 20, 1)
            turned = replace(plan, move=(-2, 2))
            frames = compressed.decode(compressed.encode(photo, plan), plan)
            assert frames.shape == (compressed.FRAMES, 3, side, side)
            differences = []
            for how in (plan, turned):
                square, window = compressed.Clips([frames], [how], CPU).pair(128, 64, 30, 34, random.Random(0))
                differences.append(float((square[:, 30:94, 34:98].float() - window.float()).abs().mean()))
            assert 0 < differences[0] < 6
            assert differences[1] > 2 * differences[0]


@pytest.mark.slow
def test_a_pair_is_lit_alike(material: Path) -> None:
    dice, noise = random.Random(1), torch.Generator().manual_seed(1)
    square, window = squares(material).pairs(4, 256, 128, (60, 66), dice, noise)
    assert (square.shape, window.shape) == ((4, 3, 256, 256), (4, 3, 128, 128))
    difference = (square[:, :, 60:188, 66:194] - window).abs().mean((1, 2, 3))
    assert float(difference.max()) < 0.08
    assert float(difference.min()) > 0
    light = Light(2, CPU, dice)
    assert torch.equal(light.on(square[:2]), light.on(square[:2]))


def test_the_style_weight_keeps_the_content(material: Path, tmp_path: Path) -> None:
    """It rises while the photographs are left too much of themselves, and falls where too little is left."""

    def weight(content: float, settle: float) -> float:
        """Return the style weight after a last step, with photographs left that much of themselves in those before."""
        recipe = replace(SMALL, content=1.4, steps=BALANCE_STEPS, settle=settle)
        learner = trainer(material, recipe)
        learner.save(path)
        painting = read_painting(material / "painting.png", recipe.painting_px)
        state = read_checkpoint(path, recipe, painting, CPU)
        state["step"] = BALANCE_STEPS - 1
        state["balance"] = state["balance"][0], torch.tensor(content * (BALANCE_STEPS - 1))
        learner.resume(state)
        learner.run(lambda _: None)
        learner.save(path)
        return float(read_checkpoint(path, recipe, painting, CPU)["balance"][0])

    path = tmp_path / "checkpoint"
    assert weight(1.9, 0.0) < SMALL.style_weight < weight(1.1, 0.0)
    assert weight(1.9, 0.5) == SMALL.style_weight
