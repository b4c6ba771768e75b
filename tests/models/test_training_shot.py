"""A shot's network: the trained and the running network agree, on the painters' kernels; crops of pairs match."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from framebrush.gpu.cuda.painter_launches import plan_launches
from framebrush.gpu.hlsl.painter_dispatches import TILES, conv_variant, plan_dispatches
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.painter import Painter, read_painter
from framebrush.models.reading.load import load_style
from framebrush.models.sample_picture import sample_picture
from framebrush.models.style import ModelCard
from framebrush.models.training import shot, start
from framebrush.models.training.export import to_onnx
from framebrush.models.training.painter_network import Folded
from framebrush.models.training.shot import SHAPE, Learner, Pairs, Patches, Places, ShotPainter, fitting
from framebrush.models.training.shot_start import learn, pairs_of
from tests import networks

pytestmark = pytest.mark.unit


@pytest.fixture(autouse=True)
def few_patches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(shot.PATCHES_PX, "cpu", (2, 96))


def with_statistics(seed: int) -> ShotPainter:
    """Return a network with random statistics in its normalisations."""
    torch.manual_seed(seed)
    painter = ShotPainter().eval()
    with torch.no_grad():
        for norm in painter.modules():
            if isinstance(norm, nn.BatchNorm2d):
                for values in (norm.running_mean, norm.bias):
                    assert values is not None
                    values.normal_(0, 0.3)
                for values in (norm.running_var, norm.weight):
                    assert values is not None
                    values.uniform_(0.5, 2.0)
    return painter


def waves(count: int = 1, height: int = 72, width: int = 96) -> torch.Tensor:
    rows, columns = np.mgrid[:height, :width]
    pictures = [[np.sin(rows / (5 + n) + columns / (7 + c)) for c in range(3)] for n in range(count)]
    return torch.tensor(np.array(pictures) * 0.4 + 0.5, dtype=torch.float32)


def test_what_is_exported_is_what_was_learnt_and_runs_on_the_painters_kernels() -> None:
    painters = [with_statistics(seed) for seed in (0, 1)]
    frame = waves()
    with torch.no_grad():
        expected = [painter(frame).numpy() for painter in painters]
        folded = Folded(SHAPE, painters[0].folded())(frame).numpy()
    assert np.abs(folded - expected[0]).max() < 1e-4
    model = to_onnx(SHAPE, [painter.folded() for painter in painters], ModelCard("film", "film", ("a", "b")))
    session = networks.session(model)
    for number, one in enumerate(expected):
        mix = np.eye(2, dtype=np.float32)[number : number + 1]
        (found,) = session.run(None, {"frame": frame.numpy(), "mix": mix})
        assert np.abs(found - one).max() < 0.02  # the weights of a file of several are stored in float16
    plan = read_painter(model.SerializeToString())
    assert plan is not None
    assert plan.mixed
    assert plan_launches(plan, (640, 360), 99 << 10) is not None
    assert variants(plan) <= variants(bundled())


def bundled() -> Painter:
    found = read_painter(load_style("realtime").model)
    assert found is not None
    return found


def variants(plan: Painter) -> set[Variant]:
    """The kernels of Direct3D 12 and WebGPU that run a network."""
    found = set()
    for tile in TILES.values():
        dispatches = plan_dispatches(plan, (640, 360), tile)
        assert dispatches is not None
        found |= {conv_variant(dispatches, number, "float32") for number in range(len(dispatches))}
    return found


def test_a_shot_begins_near_the_film_itself() -> None:
    frame = torch.from_numpy(sample_picture(128, 128))[None]
    painter = ShotPainter()
    painter.load_state_dict(start.load("shot"))
    with torch.no_grad():
        found = painter.eval()(frame)
    assert float((found - frame).abs().mean()) < 0.1  # of a network that has learnt nothing it is 0.5


def test_both_pictures_are_cut_in_the_same_place(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GAIN", "LIGHT", "NOISE"):
        monkeypatch.setattr(shot, name, 0.0)
    frames = torch.rand(3, 3, 112, 132)
    cut = cut_from(Pairs(frames, 1 - frames), 5)
    assert cut.film.shape == cut.painted.shape == (5, 3, 96, 96)
    assert torch.equal(cut.film, 1 - cut.painted)
    assert len({float(patch.sum()) for patch in cut.film}) == 5
    assert all(any(torch.equal(patch, one) for one in every_cut(frames)) for patch in (cut.film[0], cut.moved[0]))


def test_what_is_moved_shows_the_same_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GAIN", "LIGHT", "NOISE"):
        monkeypatch.setattr(shot, name, 0.0)
    for sides in ((112, 132), (96, 100), (96, 96), (8, 8)):
        frames = torch.rand(2, 3, *sides)
        cut = cut_from(Pairs(frames, frames), 9)
        moves = torch.stack((cut.down, cut.right))
        assert moves.shape == (2, 5, 1, 1)
        assert moves.min() >= 0
        assert moves.amax((1, 2, 3)).tolist() <= [min(7, side - 96) if side > 96 else 0 for side in sides]
        assert cut.unlike(cut.film, cut.moved) == 0
        assert cut.unlike(cut.film, 1 - cut.moved) > 0.1
    assert cut_from(Pairs(frames, frames), 1).moved.shape == (1, 3, 8, 8)


@pytest.mark.slow
def test_what_moves_is_painted_more_alike_than_if_it_were_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(shot.CALM_EVERY, "cpu", 1)
    frames = waves(height=136, width=136)
    painted = (frames > 0.5).float()  # edges that jump
    unlike = []
    for calm in (0.0, 3.0):
        monkeypatch.setattr(shot, "CALM", calm)
        learner = Learner(Pairs(frames, painted), start.load("shot"))
        for step in range(16):
            learner.learn(step / 16)
        cut = cut_from(learner.pairs, 6)
        with torch.no_grad():
            unlike.append(float(cut.unlike(learner.painter(cut.film), learner.painter(cut.moved))))
    assert unlike[1] < 0.9 * unlike[0]


def cut_from(pairs: Pairs, count: int) -> Patches:
    return pairs.patches(Places(pairs.painted, 96), torch.Generator().manual_seed(0), count)


def test_patches_come_from_lines_first_and_from_everywhere() -> None:
    painted = torch.full((2, 3, 200, 320), 0.4)
    painted[1, :, 150:, 250:] = torch.rand(50, 70)
    frame, top, left = (part.flatten() for part in Places(painted, 32).drawn(torch.Generator().manual_seed(0), 2000))
    lined = (frame == 1) & (top > 118) & (left > 218)
    assert 0.85 < float(lined.double().mean()) < 0.97
    assert {*frame[~lined].tolist()} == {0, 1}
    assert int(top.max()) <= 168
    assert int(left.max()) <= 288
    assert int(top[~lined].min()) < 60


def test_a_flat_painting_gives_patches_from_everywhere() -> None:
    _, top, left = Places(torch.full((1, 3, 200, 320), 0.4), 32).drawn(torch.Generator().manual_seed(0), 500)
    assert abs(float(top.double().mean()) - 84) < 12
    assert abs(float(left.double().mean()) - 144) < 20


def every_cut(frames: torch.Tensor) -> list[torch.Tensor]:
    return [frame[:, top : top + 96, left : left + 96] for frame in frames for top in range(17) for left in range(37)]


def test_the_films_light_is_varied_and_the_painting_stays() -> None:
    frames = torch.full((1, 3, 96, 96), 0.5)
    cut = cut_from(Pairs(frames, frames), 8)
    assert float(cut.painted.std()) == 0.0
    assert 0.005 < float(cut.film.mean((2, 3)).std()) < 0.05
    assert 0.005 < float(cut.film[0, 0].std()) < 0.02
    assert float((cut.film[:4].mean((2, 3)) - cut.moved.mean((2, 3))).abs().max()) < 0.001
    assert 0.005 < float((cut.film[0, 0] - cut.moved[0, 0]).std()) < 0.03


def test_frames_smaller_than_a_patch_are_learnt_from() -> None:
    frames = fitting([waves(height=20, width=30)[0]])
    assert frames.shape == (1, 3, 24, 32)
    assert torch.equal(frames[..., 30], frames[..., 29])
    assert np.isfinite(float(Learner(Pairs(frames, 1 - frames), None).learn(0.0)))


@pytest.mark.slow
def test_the_same_seed_learns_the_same_network_and_it_comes_nearer() -> None:
    film = waves(2)
    learners = [Learner(Pairs(film, 1 - film), start.load("shot"), seed=3) for _ in range(2)]
    losses = [[float(learner.learn(step / 12)) for step in range(12)] for learner in learners]
    assert losses[0] == losses[1]
    assert np.mean(losses[0][-3:]) < 0.8 * np.mean(losses[0][:3])
    assert torch.equal(learners[0].painted(film[0]), learners[1].painted(film[0]))


@pytest.mark.slow
def test_what_is_learnt_is_a_mean_of_the_last_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    film = waves(2)

    def biases(memory: float) -> list[torch.Tensor]:
        """Return a bias of the painter after each step of a learner that learns as the other does."""
        monkeypatch.setattr(shot, "MEMORY", memory)
        learner, seen = Learner(Pairs(film, 1 - film), start.load("shot"), seed=3), []
        for step in range(6):
            learner.learn(step / 6)
            seen.append(learner.painter.state_dict()["blocks.out.kernel.bias"].clone())
        return seen

    means, steps = biases(shot.MEMORY), biases(0.0)
    lowest, highest = torch.stack(steps).aminmax(dim=0)
    assert ((lowest <= means[-1]) & (means[-1] <= highest)).all()
    assert float((means[-1] - steps[-1]).abs().max()) > 1e-4


def test_a_state_is_kept_and_read(tmp_path: Path) -> None:
    painter = with_statistics(4)
    start.save(painter.state_dict(), tmp_path / "a.npz")
    other = ShotPainter().eval()
    other.load_state_dict(start.read(tmp_path / "a.npz"))
    with torch.no_grad():
        assert float((other(waves()) - painter(waves())).abs().max()) < 0.05
    (tmp_path / "b.npz").write_bytes((tmp_path / "a.npz").read_bytes()[:5000])
    with pytest.raises(ValueError, match=r"b.npz: is damaged"):
        start.read(tmp_path / "b.npz")


@pytest.mark.slow
def test_the_start_learns_many_paintings_and_is_that_of_the_photograph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("framebrush.models.training.shot_start.SHORTER_PX", 96)
    photo = (waves(height=128, width=144)[0] * 255).byte()
    pairs = pairs_of([photo], torch.device("cpu"))
    assert pairs[0].shape == (31, 3, 96, 104)  # of 32 bundled paintings one is left out, in both sizes
    assert float((pairs[0][0].float() - pairs[0][1].float()).abs().mean()) > 5
    state = learn(pairs, 1e-3, patches=2)
    ShotPainter().load_state_dict(state)
