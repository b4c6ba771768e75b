"""The painters' networks in PyTorch and as files: folding, blends, receptive field, limits."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional

from framebrush.models.style import ModelCard
from framebrush.models.training import start
from framebrush.models.training.export import to_onnx
from framebrush.models.training.painter_network import (
    LOW_PASS,
    SHAPES,
    Folded,
    PainterModule,
    Shape,
    conv_enlarged,
    radius_px,
)
from tests import networks

pytestmark = pytest.mark.unit


def settled(size: str, seed: int) -> PainterModule:
    """Return a painter with random statistics, so that folding them is no identity."""
    torch.manual_seed(seed)
    painter = PainterModule(SHAPES[size])
    for module in painter.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.normal_(0, 0.3)
            module.running_var.uniform_(0.5, 2.0)
    return painter.eval()


def picture(height: int, width: int) -> np.ndarray:
    return np.random.default_rng(1).random((1, 3, height, width), dtype=np.float32)


def run(model: bytes, frame: np.ndarray, mix: tuple[float, ...] = ()) -> np.ndarray:
    feed = {"frame": frame} | ({"mix": np.array([mix], np.float32)} if mix else {})
    return networks.session(model).run(None, feed)[0]


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

    def blended(name: str, part: int) -> np.ndarray:
        stored = (weights[name][part].astype(np.float16).astype(np.float32) for weights in pair)
        return sum(share * each for share, each in zip((0.25, 0.75), stored, strict=True))

    mean = Folded(shape, {name: (blended(name, 0), blended(name, 1)) for name in pair[0]})
    assert np.abs(painted - mean(torch.from_numpy(frame)).numpy()).max() < tolerance


@pytest.mark.parametrize("size", SHAPES)
def test_radius_holds_and_is_tight(size: str) -> None:
    """A changed pixel is seen no farther than the radius says, and somewhere as far as a cell less."""
    shape = SHAPES[size]
    weights = PainterModule(shape).folded()
    ones = {name: (np.full_like(kernel, 1 / kernel[0].size), 0 * bias) for name, (kernel, bias) in weights.items()}
    network = Folded(shape, ones)
    side, reach = 256, 0
    for place in range(120, 128):
        frame = torch.zeros(1, 3, side, side)
        frame[..., place, place] = 1.0
        hit = network(frame)[0, 0].nonzero()[:, 0]
        reach = max(reach, place - int(hit.min()), int(hit.max()) - place)
    assert radius_px(shape) - 8 <= reach <= radius_px(shape)


def test_shapes_fit_sixteen_to_a_file() -> None:
    for shape in SHAPES.values():
        assert isinstance(shape, Shape)
        weights = sum(kernel.size + bias.size for kernel, bias in PainterModule(shape).folded().values())
        assert 16 * 2 * weights < 16 << 20


def test_an_enlarging_layer_is_bilinear_and_then_a_convolution() -> None:
    """The file's convolution and pixel shuffle equal it up to rounding, on either layout."""
    x, kernel = torch.rand(1, 5, 12, 14), torch.rand(7, 5, 3, 3)
    large = functional.interpolate(x, scale_factor=2, mode="bilinear")
    wanted = functional.conv2d(large, kernel)[:, :, 1:-1, 1:-1]  # the outermost saw the end of x
    for layout in (torch.contiguous_format, torch.channels_last):
        assert torch.allclose(conv_enlarged(x.contiguous(memory_format=layout), kernel), wanted, atol=1e-5)


@pytest.mark.parametrize("size", SHAPES)
def test_a_flat_frame_is_painted_flat(size: str) -> None:
    """No grid: whatever the weights, one colour everywhere becomes one colour everywhere."""
    painter = settled(size, 3)
    with torch.no_grad():
        painted = painter(torch.full((1, 3, 96, 96), 0.4))
    assert float((painted.amax((2, 3)) - painted.amin((2, 3))).max()) < 1e-5


def test_the_low_pass_is_in_the_first_kernel() -> None:
    """Pixels that alternate do not reach the network at all."""
    painter = settled("realtime", 0)
    flat = torch.full((1, 3, 64, 64), 0.5)
    rows = torch.arange(64)
    checks = flat + 0.4 * (1 - 2 * ((rows[:, None] + rows) % 2))
    difference = (Folded(painter.shape, painter.folded())(checks) - Folded(painter.shape, painter.folded())(flat)).abs()
    assert sum(LOW_PASS) == 1
    assert float(difference[..., 24:-24, 24:-24].max()) < 1e-3


@pytest.mark.parametrize("size", SHAPES)
def test_the_common_network_is_a_start(size: str) -> None:
    painter = PainterModule(SHAPES[size])
    painter.load_state_dict(start.load(size))
    assert start.path(size).stat().st_size < 1 << 20
    with torch.no_grad():
        painted = painter.eval()(torch.from_numpy(picture(64, 64)))
    assert 0.02 < float(painted.std()) < 0.5
