"""The float64 reference of the filter over time, on its own."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.stages.steady import reference
from tests.gpu.test_steady import texture

pytestmark = pytest.mark.unit


def painted(source: npt.NDArray[np.float64]) -> reference.Painted:
    """A picture that is its own painting."""
    return reference.Painted(source, source)


def test_motion_is_found() -> None:
    scene = np.moveaxis(texture(160, 120), -1, 0) / 255
    for y, x in ((0, 0), (3, -5), (-14, 9), (18, 18)):
        here, there = (painted(picture) for picture in (np.roll(scene, (-y, -x), (1, 2)), scene))
        vectors = reference.motion(reference.levels(here), reference.levels(there))
        np.testing.assert_array_equal(vectors[:, 2:-2, 2:-2], np.broadcast_to([[[y]], [[x]]], (2, 4, 6)))


def test_what_is_flat_does_not_move() -> None:
    flat = np.full((3, 64, 64), 0.5) + np.random.default_rng(3).normal(0, 0.002, (2, 3, 64, 64))
    assert not reference.motion(*(reference.levels(painted(picture)) for picture in flat)).any()


def test_weights_fall_from_half_the_limit_to_the_limit() -> None:
    own = np.zeros((3, 4, 4))
    for codes_apart, weight in ((0, 1.0), (6, 1.0), (9, 0.5), (12, 0.0), (99, 0.0)):
        near = own + np.array([0.2, 1.0, 0.0])[:, None, None] * codes_apart / 255
        found = reference.weights(own, near, np.zeros((2, 1, 1), np.int64), 0.5)
        np.testing.assert_allclose(found, weight, atol=1e-12)
    assert not reference.weights(own, own, np.zeros((2, 1, 1), np.int64), 0.0).any()


def test_a_block_goes_on_as_the_one_does_that_it_has_come_to() -> None:
    vectors = np.zeros((2, 3, 4), np.int64)
    vectors[:, 0, 0] = 9, 24  # its middle comes to the second row and the third column
    on = np.arange(24).reshape(2, 3, 4)
    expected = vectors + on
    expected[:, 0, 0] = vectors[:, 0, 0] + on[:, 1, 2]
    np.testing.assert_array_equal(reference.followed(vectors, on), expected)
    far = reference.followed(np.full((2, 3, 4), 99), on)
    np.testing.assert_array_equal(far, np.broadcast_to(99 + on[:, 2:, 3:], far.shape))


def test_blocks_are_sure_of_what_is_alike() -> None:
    noise = np.random.default_rng(4).integers(200, 800, (3, 64, 64))
    still = np.zeros((2, 4, 4), np.int64)
    assert reference.match_confidence(noise[0], noise[0], still).min() == 1.0
    assert reference.match_confidence(noise[0], noise[1], still).max() == 0.0
    half = (noise[0] + noise[1]) // 2
    assert 0.0 < reference.match_confidence(noise[0], half, still).mean() < 1.0
    flat = np.full((64, 64), 500)
    assert reference.match_confidence(flat, flat + 1, still).min() == 1.0


def test_blocks_that_move_apart_have_no_weight_between_them() -> None:
    sure, vectors = np.ones((2, 2)), np.zeros((2, 2, 2), np.int64)
    assert reference.between_blocks(sure, vectors, (30, 32)).min() == 1.0
    vectors[0, :, 1] = reference.TOGETHER_PX
    assert reference.between_blocks(sure, vectors, (30, 32)).min() == 1.0
    vectors[0, :, 1] += 1
    row = reference.between_blocks(sure, vectors, (30, 32))[3]
    np.testing.assert_allclose(row[[7, 8, 12, 15, 16, 24]], [1, 15 / 16, 7 / 16, 1 / 16, 1 / 16, 1], atol=1e-12)
