"""Pictures for networks: sizes, and pixels that are kept."""

from __future__ import annotations

import numpy as np
import pytest

from framebrush.analysis.to_rgb import nearest, opaque, small
from framebrush.gpu.sizes import Size

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("size", "reduced"),
    [
        ((1920, 1080), (960, 540)),
        ((1080, 1920), (540, 960)),
        ((540, 700), (540, 700)),
        ((541, 541), (540, 540)),
        ((320, 180), (320, 180)),
        ((3000, 1), (3000, 1)),
    ],
)
def test_the_shorter_side_is_bounded(size: Size, reduced: Size) -> None:
    assert small(size, 540) == reduced


def test_nearest_pixels_are_those_at_equal_steps() -> None:
    picture = np.arange(6 * 9 * 3, dtype=np.uint8).reshape(6, 9, 3)
    np.testing.assert_array_equal(nearest(picture, (3, 2)), picture[::3, ::3])
    np.testing.assert_array_equal(nearest(picture[..., 0], (4, 6)), picture[:, [0, 2, 4, 6], 0])
    np.testing.assert_array_equal(nearest(picture, (9, 6)), picture)


def test_a_picture_becomes_an_opaque_frame() -> None:
    picture = np.arange(2 * 5 * 3, dtype=np.uint8).reshape(2, 5, 3)
    (rgba,) = opaque(picture).planes
    np.testing.assert_array_equal(rgba[..., :3], picture)
    assert (rgba.shape, rgba[..., 3].min()) == ((2, 5, 4), 255)
