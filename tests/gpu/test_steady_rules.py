"""Rules of the temporal filter: windows, and the exact limits."""

from __future__ import annotations

import numpy as np
import pytest

from framebrush.gpu.look import Look
from framebrush.gpu.stages import steady
from framebrush.gpu.stages.steady import reference
from framebrush.gpu.temporal_window import CENTRED, NO_WINDOW, PAST_ONE, PAST_ONLY, TemporalWindow, window_of

pytestmark = pytest.mark.unit


def test_a_window_counts_the_frames_that_need_memory() -> None:
    assert TemporalWindow() == NO_WINDOW == TemporalWindow(before=0, after=0)
    assert NO_WINDOW.alone
    assert not TemporalWindow(before=1).alone
    assert not TemporalWindow(after=1).alone
    assert NO_WINDOW.frames(3) == 3
    assert TemporalWindow(before=3, after=20).frames(100) == 100 + 20 + 3 + 20


@pytest.mark.parametrize(("before", "after"), [(-1, 0), (0, -1), (-1, 2)])
def test_a_window_of_less_than_nothing_is_refused(before: int, after: int) -> None:
    with pytest.raises(ValueError, match=rf"^a window of {before} frames before and {after} after cannot be$"):
        TemporalWindow(before, after)


def test_the_window_follows_from_the_look() -> None:
    for live in (False, True):
        assert window_of(Look(steady=0.0), live=live) == NO_WINDOW
    assert window_of(Look(steady=0.1)) == CENTRED == TemporalWindow(before=2, after=2)
    assert window_of(Look(steady=0.1), live=True) == PAST_ONLY == TemporalWindow(before=4, after=0)
    assert TemporalWindow(before=1, after=0) == PAST_ONE


def test_a_search_tries_the_shortest_first() -> None:
    assert steady.offsets(0) == [(0, 0)]
    assert steady.offsets(1) == [(0, 0), (-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)]
    assert len(set(steady.offsets(4))) == 81


def test_the_squares_of_the_searches_fit_the_block_and_16_bits() -> None:
    assert steady.SAMPLES * steady.CELL_PX == 2 * steady.BLOCK_PX == 32
    assert steady.BLOCK_PX == 2 * steady.SAMPLES
    white = reference.levels(reference.Painted(np.ones((3, 1, 1)), np.ones((3, 1, 1))))
    assert steady.SAMPLES**2 * int(white[0, 0]) == 65280
    assert reference.sixteenths(np.ones((3, 1, 1))).max() == 16 * 255


def test_motion_is_searched_as_far_as_18_px() -> None:
    scene = np.random.default_rng(1).integers(0, 1020, (28, 28)).repeat(4, axis=0).repeat(4, axis=1)
    for far, found in ((16, True), (18, True), (19, False), (20, False)):
        vectors = reference.motion(scene, np.roll(scene, far, axis=1))[:, 2:-2, 2:-2]
        assert bool((vectors == [[[0]], [[far]]]).all()) is found


def test_a_block_moves_where_that_is_better_by_more_than_both_biases() -> None:
    """A slope of 9 moves by one pixel: standing still costs 9 a sample, 576; moving two codes a sample, 512, and a
    step, 64."""
    slope = 9 * np.arange(64)[None].repeat(64, axis=0)
    near = slope - 9
    assert not reference.motion(slope, near)[:, 1:3, 1:3].any()
    near[16, 16] -= 1  # standing still costs one more
    np.testing.assert_array_equal(reference.motion(slope, near)[:, 1, 1], (0, 1))


def test_what_is_flat_varies_by_a_code_and_a_half_a_sample() -> None:
    """In quarters of a code: of a variation of 384, a quarter may differ, and a half may not."""
    flat, still = np.full((16, 16), 500), np.zeros((2, 1, 1), np.int64)
    for apart, sure in ((1, 1.0), (2, 2 / 3), (3, 0.0)):
        np.testing.assert_allclose(reference.match_confidence(flat, flat + apart, still), sure, atol=1e-12)


def test_blocks_move_together_up_to_two_pixels_apart() -> None:
    sure, vectors = np.ones((1, 2)), np.zeros((2, 1, 2), np.int64)
    vectors[:, 0, 1] = 1, -1
    assert reference.between_blocks(sure, vectors, (16, 32)).min() == 1.0
    vectors[:, 0, 1] = 1, -2
    assert reference.between_blocks(sure, vectors, (16, 32)).min() < 0.1
