"""The painter's float64 reference against ONNX Runtime."""

from __future__ import annotations

import numpy as np
import pytest

from framebrush.gpu.painter import read_painter
from framebrush.gpu.painter_reference import computed
from framebrush.models.library import bundled
from framebrush.models.reading.load import load_style
from tests import networks

pytestmark = pytest.mark.parity


@pytest.mark.parametrize("name", ["realtime", "quality"])
def test_the_reference_computes_the_network(name: str) -> None:
    style, size = load_style(bundled()[name]), (48, 32)
    model = style.fixed(*size)
    painter = read_painter(model)
    assert painter is not None
    frame = np.random.default_rng(1).uniform(0, 1, (3, size[1], size[0]))
    mix = np.zeros(len(style.card.paintings))
    mix[0], mix[-1] = 0.4, 0.6
    inputs = {"frame": frame[None].astype(np.float32), "mix": mix[None].astype(np.float32)}
    want = np.asarray(networks.session(model).run(None, inputs)[0])[0]
    np.testing.assert_allclose(computed(painter, frame, mix.tolist()), want, rtol=0, atol=5e-6)
