"""Strokes as data: ids, and strokes that are cut along their paths."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.cpu.stages.strokes import RECORD
from framebrush.gpu.stages.strokes.drawn import DRAWN, ID_BITS, PRESSED, SLOT_BITS, cut, ids_of, with_bounds

pytestmark = pytest.mark.unit


def stroke(*points: tuple[float, float], width: float = 4.0) -> npt.NDArray[np.void]:
    """A stroke through points (x, y), with rubbish behind them as kernels leave it."""
    made = np.zeros(1, DRAWN)
    made["x"], made["y"] = np.nan, 1e30
    for axis, name in enumerate(("x", "y")):
        made[name][0, : len(points)] = [point[axis] for point in points]
    made["points"], made["half_width"], made["opacity"] = len(points), 0.5 * width, 1.0
    made["length"] = sum(np.hypot(*np.subtract(one, other)) for one, other in pairwise(points))
    return with_bounds(made)


def test_a_record_is_a_row_of_the_kernels() -> None:
    assert DRAWN.itemsize == 4 * RECORD


def test_ids_are_exact_beyond_32_bits() -> None:
    births, slots = np.array([0, 3, 1 << 26]), np.array([7, 0, (1 << SLOT_BITS) - 1])
    ids = ids_of(births, slots)
    assert ids.tolist() == [7, 3 << SLOT_BITS, (1 << 52) + (1 << SLOT_BITS) - 1]
    assert all(int(float(each)) == each for each in ids.tolist()), "a reader of JSON that has only doubles"


@pytest.mark.parametrize(("birth", "slot"), [(1 << (ID_BITS - SLOT_BITS), 0), (0, 1 << SLOT_BITS)])
def test_ids_that_readers_of_json_would_round_are_refused(birth: int, slot: int) -> None:
    with pytest.raises(ValueError, match="has no id of 53 bits"):
        ids_of(np.array([birth]), np.array([slot]))
    ids_of(np.array([max(0, birth - 1)]), np.array([max(0, slot - 1)]))


def test_a_cut_stroke_ends_at_its_share_of_the_way() -> None:
    whole = stroke((0.0, 0.0), (6.0, 0.0), (6.0, 4.0))
    [part] = cut(whole, np.array([0.8], np.float32))
    assert part["points"] == 3
    assert (part["x"][:3].tolist(), part["y"][:3].tolist()) == ([0.0, 6.0, 6.0], pytest.approx([0.0, 0.0, 2.0]))
    assert part["length"] == pytest.approx(8.0)
    assert (part["top"], part["bottom"]) == pytest.approx((-2.0, 4.0))
    [part] = cut(whole, np.array([0.3], np.float32))
    assert part["points"] == 2
    assert part["x"][:2].tolist() == pytest.approx([0.0, 3.0])


def test_a_stroke_grows_from_nothing_to_itself() -> None:
    whole = np.concatenate([stroke((1.0, 2.0), (9.0, 2.0), width=6.0)] * 4)
    parts = cut(whole, np.array([0.0, 0.1, 0.5, 1.0], np.float32))
    assert len(parts) == 3
    assert parts["length"].tolist() == pytest.approx([0.8, 4.0, 8.0])
    assert parts["half_width"].tolist() == pytest.approx([3.0 * np.sqrt(0.1 / PRESSED), 3.0, 3.0])
    assert parts[2].tobytes() == whole[3].tobytes()


def test_the_given_strokes_stay_as_they_are() -> None:
    whole = stroke((0.0, 0.0), (6.0, 0.0))
    before = whole.tobytes()
    cut(whole, np.array([0.5], np.float32))
    assert whole.tobytes() == before
