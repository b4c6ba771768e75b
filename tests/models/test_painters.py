"""The bundled networks: each painting its own, tiles exact, blends between."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
from numpy.typing import NDArray

from framebrush.models.colours.luma import LUMA
from framebrush.models.reading.load import load_style
from framebrush.models.style import Style
from tests import networks

pytestmark = pytest.mark.unit
Picture = NDArray[np.float32]


@pytest.fixture(scope="module", params=["realtime", "quality"])
def style(request: pytest.FixtureRequest) -> Style:
    return load_style(request.param)


@pytest.fixture(scope="module")
def network(style: Style) -> onnxruntime.InferenceSession:
    return networks.session(style.model)


def scene(height: int, width: int) -> Picture:
    """Soft shapes and some noise, (1, 3, H, W)."""
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    waves = [0.5 + 0.4 * np.sin(rows / (9 + 4 * n) + columns / (17 - 3 * n)) for n in range(3)]
    noise = np.random.default_rng(0).normal(0, 0.02, (3, height, width))
    return np.clip(np.stack(waves) + noise, 0, 1)[None].astype(np.float32)


def paint(network: onnxruntime.InferenceSession, frame: Picture, mix: Picture) -> Picture:
    painted = network.run(None, {"frame": np.ascontiguousarray(frame), "mix": mix[None]})[0]
    return np.asarray(painted.clip(0, 1))


@pytest.mark.slow
def test_sixteen_paintings_differ(style: Style, network: onnxruntime.InferenceSession) -> None:
    """In mean colour or in how much they vary: by 4 codes at the least between any two."""
    rows = np.eye(len(style.card.paintings), dtype=np.float32)
    assert len(rows) == 16
    frame = scene(96, 128)
    painted = [paint(network, frame, row) for row in rows]
    looks = [np.concatenate([p.mean((0, 2, 3)), p.std((0, 2, 3))]) for p in painted]
    for n, look in enumerate(looks):
        assert painted[n].std() > 0.05
        for other in looks[:n]:
            assert np.abs(look - other).max() > 4 / 255


def test_a_blend_lies_between(style: Style, network: onnxruntime.InferenceSession) -> None:
    first, last = np.eye(16, dtype=np.float32)[[0, 3]]
    frame = scene(64, 64)
    colours = [paint(network, frame, (1 - t) * first + t * last).mean((0, 2, 3)) for t in (0.0, 0.25, 0.5, 0.75, 1.0)]
    steps = np.abs(np.diff(colours, axis=0)).max(1)
    assert steps.max() < np.abs(colours[-1] - colours[0]).max()


@pytest.mark.parametrize("painting", [0, 3])
def test_tiles_are_exact(style: Style, network: onnxruntime.InferenceSession, painting: int) -> None:
    """With the card's radius for overlap the seam is none, to float rounding; with a quarter of it there is one."""
    mix = np.eye(16, dtype=np.float32)[painting]
    frame = scene(64, 512)
    whole = paint(network, frame, mix)

    def seam(overlap: int) -> float:
        left = paint(network, frame[..., : 256 + overlap], mix)[..., :256]
        right = paint(network, frame[..., 256 - overlap :], mix)[..., overlap:]
        return float(np.abs(np.concatenate([left, right], 3) - whole).max())

    assert style.card.radius_px is not None
    assert seam(-(-style.card.radius_px // 8) * 8) < 1e-4
    assert seam(16) > 1e-3


@pytest.mark.slow
def test_the_border_is_no_frame(style: Style, network: onnxruntime.InferenceSession) -> None:
    """The outermost rows are as bright and as lively as where the picture goes on beyond them, for every painting."""
    large = scene(384, 384)
    for row in np.eye(16, dtype=np.float32):
        whole = paint(network, large, row)[..., 64:-64, 64:-64]
        alone = paint(network, large[..., 64:-64, 64:-64], row)
        within, edge = (np.concatenate([p[..., :8, :], p[..., -8:, :]], 2) for p in (whole, alone))
        assert abs(edge.mean() - within.mean()) < 0.03
        assert 0.75 < edge.std() / within.std() < 1.33


@pytest.mark.slow
def test_things_do_not_drown_in_any_painting(style: Style, network: onnxruntime.InferenceSession) -> None:
    """Each painting keeps at least half of a photograph's range of luma; two misty and two dark ones kept 0.24 to 0.44
    before `models/training/contrast.py`. A ramp has no forms, and keeps less: those four 0.25 to 0.48 before."""
    grey = np.linspace(0.05, 0.95, 128, dtype=np.float32)
    frame = np.broadcast_to(grey, (1, 3, 96, 128))
    for name, row in zip(style.card.paintings, np.eye(16, dtype=np.float32), strict=True):
        luma = np.tensordot(LUMA, paint(network, frame, row)[0, :, 16:-16], 1).mean(0)
        assert np.ptp(np.percentile(luma, [5, 95])) / np.ptp(np.percentile(grey, [5, 95])) > 0.33, name
