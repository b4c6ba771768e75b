"""Neighbours of frames in time, and the order in which motion is searched."""

from __future__ import annotations

import pytest

from framebrush.gpu.stages.steady import offsets
from framebrush.gpu.temporal_window import TemporalWindow

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("window", "alone", "frames"),
    [
        (TemporalWindow(), True, 3),
        (TemporalWindow(before=4), False, 7),
        (TemporalWindow(after=1), False, 5),
        (TemporalWindow(2, 3), False, 11),
    ],
)
def test_a_window_needs_memory_for_its_neighbours(window: TemporalWindow, alone: bool, frames: int) -> None:
    assert (window.alone, window.frames(3)) == (alone, frames)


@pytest.mark.parametrize(("before", "after"), [(-1, 0), (0, -1), (-1, 3)])
def test_a_window_has_no_negative_neighbours(before: int, after: int) -> None:
    with pytest.raises(ValueError, match=f"a window of {before} frames before and {after} after cannot be"):
        TemporalWindow(before, after)


def test_short_vectors_are_searched_first() -> None:
    near = [(0, 0), (-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)]
    assert offsets(1) == near
    assert len(offsets(3)) == 49
    assert offsets(3)[:5] == near[:5]
    assert set(offsets(3)[-4:]) == {(-3, -3), (-3, 3), (3, -3), (3, 3)}
