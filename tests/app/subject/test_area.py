"""The area of a mask: of the film's alpha or of a file, inverted, grown, softened and turned as its film lies."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.frame import Frame, rgba8
from framebrush.models.soft_masks import MASK_SIDE
from framebrush.styles.specs import SOURCE_SIZE, SizeSpec
from framebrush.subject.area import EVERYWHERE, of_alpha, shaped

pytestmark = pytest.mark.unit

Codes = npt.NDArray[np.uint8]


def box() -> Codes:
    codes = np.zeros((MASK_SIDE, MASK_SIDE), np.uint8)
    codes[60:100, 40:80] = 255
    return codes


def of(asked: SizeSpec, size: tuple[int, int] = (320, 160)) -> Codes:
    made = shaped(box().tobytes(), size, *asked.mask_shape)
    return np.frombuffer(made, np.uint8).reshape(MASK_SIDE, MASK_SIDE)


def test_an_inverted_mask_exchanges_its_sides() -> None:
    np.testing.assert_array_equal(of(replace(SOURCE_SIZE, mask_invert=True)), 255 - box())


@pytest.mark.parametrize(("percent", "down", "across"), [(5.0, 8, 4), (-5.0, -8, -4)])
def test_a_mask_grows_by_as_many_pixels_each_way(percent: float, down: int, across: int) -> None:
    """Of a frame twice as wide as high, which has half as many samples a pixel across."""
    made = of(replace(SOURCE_SIZE, mask_grow=percent))
    wanted = np.zeros_like(made)
    wanted[60 - down : 100 + down, 40 - across : 80 + across] = 255
    np.testing.assert_array_equal(made, wanted)


def test_a_mask_grows_by_parts_of_a_sample() -> None:
    made = of(replace(SOURCE_SIZE, mask_grow=0.25))
    assert set(np.unique(made)) == {0, 20, 51, 102, 255}  # 0.4 of a sample down, 0.2 across
    np.testing.assert_array_equal(made[59, 45:75], 102)
    np.testing.assert_array_equal(made[65:95, 39], 51)


def test_a_softened_edge_is_as_wide_as_asked_and_stays_where_it_is() -> None:
    row = of(replace(SOURCE_SIZE, mask_soften=10.0))[80].astype(int)  # 8 samples across
    assert (np.diff(row[20:60]) >= 0).all()
    assert row[34] < 8
    assert row[45] > 247
    assert row[39] + row[40] == pytest.approx(255, abs=2)


def test_a_softened_edge_is_a_gaussian_of_a_quarter_of_its_width() -> None:
    row = of(replace(SOURCE_SIZE, mask_soften=10.0))[80].astype(float)  # 8 samples across: a deviation of 2
    wanted = [255 * (1 + math.erf((x - 39.5) / (2 * math.sqrt(2)))) / 2 for x in range(20, 56)]
    np.testing.assert_allclose(row[20:56], wanted, atol=1.5)


def test_a_mask_at_an_edge_grows_from_there_alone() -> None:
    codes = np.zeros((MASK_SIDE, MASK_SIDE), np.uint8)
    codes[-3:] = codes[:, -3:] = 255
    wanted = np.zeros_like(codes)
    wanted[-11:] = wanted[:, -7:] = 255
    made = shaped(codes.tobytes(), (320, 160), *replace(SOURCE_SIZE, mask_grow=5.0).mask_shape)
    np.testing.assert_array_equal(np.frombuffer(made, np.uint8).reshape(codes.shape), wanted)


def test_alpha_is_a_mask_and_a_film_without_is_all_inside() -> None:
    form = rgba8(320, 320)
    picture = np.zeros((320, 320, 4), np.uint8)
    alpha = np.repeat(np.repeat(box(), 2, 0), 2, 1)
    opaque = Frame(form, (picture,))
    assert of_alpha(opaque) == EVERYWHERE
    assert of_alpha(Frame(replace(form, alpha=True), (picture,), alpha)) == box().tobytes()
