"""Position of the picture in a window."""

from __future__ import annotations

import pytest

from framebrush.gpu.hlsl.window_surface import fit

pytestmark = pytest.mark.unit


def test_fit_keeps_the_shape() -> None:
    assert fit((1920, 1080), (1280, 1024)) == (0, 152, 1280, 720)
    assert fit((1920, 1080), (3000, 720)) == (860, 0, 1280, 720)
    assert fit((720, 576), (1024, 576), 64 / 45) == (0, 0, 1024, 576)
    assert fit((10000, 1), (50, 50)) == (0, 24, 50, 1)
