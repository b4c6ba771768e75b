"""Descriptions of a stage's GPU passes."""

from __future__ import annotations

import numpy as np
import pytest

from framebrush.gpu.passes import Buffer, Constant, ElementType, FromFrame, Part, Pass, Tensor, side_by_side

pytestmark = pytest.mark.unit

A, B, C, D = (Buffer(name, "float32", 4) for name in "ABCD")
RECORD = np.zeros(())


def step(reads: tuple[Buffer | FromFrame | Part, ...], *writes: Buffer | Part) -> Pass:
    return Pass("kernel", reads, writes, (4, 1), RECORD)


@pytest.mark.parametrize(
    ("element", "size_bytes"),
    [("float32", 4), ("float16x4", 8), ("unorm16x4", 8), ("uint8", 1), ("int32x2", 8), ("int16", 2), ("struct48", 48)],
)
def test_an_element_says_how_large_it_is(element: str, size_bytes: int) -> None:
    assert ElementType.of(element).size_bytes == size_bytes


@pytest.mark.parametrize("element", ["", "float", "float24", "float32x3", "double64", "struct", "float32 "])
def test_an_element_that_says_nothing_is_refused(element: str) -> None:
    with pytest.raises(ValueError, match="is no element"):
        ElementType.of(element)


def test_buffers_are_whole_words() -> None:
    assert Buffer("halves", "float16", 3).size_bytes == 8
    assert Tensor.of("picture", (3, 2), "float16").size_bytes == 2 * 3 * 6


def test_the_same_name_and_kind_are_the_same_memory() -> None:
    assert Constant("table", "float32", lambda: np.zeros(1)) == Constant("table", "float32", lambda: np.ones(1))
    assert Buffer("A", "float32", 4) == A
    assert len({A, Buffer("A", "float32", 5), Buffer("A", "float32", 4, kept=True)}) == 3


def grouped(*passes: Pass) -> list[int]:
    return [len(group) for group in side_by_side(passes)]


def test_passes_that_do_not_depend_on_each_other_run_side_by_side() -> None:
    assert grouped(step((A,), B), step((A,), C), step((B, C), D)) == [2, 1]


def test_passes_that_depend_on_each_other_follow_each_other() -> None:
    assert grouped(step((A,), B), step((B,), C)) == [1, 1], "it reads what was written"
    assert grouped(step((A,), B), step((C,), A)) == [1, 1], "it writes what is read"
    assert grouped(step((A,), B), step((C,), B)) == [1, 1], "it writes what was written"
    assert grouped(step((A,), B), step((A,), C), step((C,), D)) == [2, 1]
    assert grouped(step((A,), B), step((C,), D), step((), A)) == [2, 1], "not only of the pass before"


def test_what_another_frame_keeps_is_other_memory() -> None:
    kept = Buffer("state", "float32", 4, kept=True)
    assert grouped(step((FromFrame(kept),), kept), step((FromFrame(kept),), B)) == [2]
    assert grouped(step((FromFrame(kept),), kept), step((kept,), B)) == [1, 1]


def test_parts_of_a_buffer_depend_on_each_other() -> None:
    assert grouped(step((A,), Part(B, 0, 2)), step((Part(B, 2, 2),), C)) == [1, 1]


def test_a_pass_that_clears_waits() -> None:
    clearing = Pass("kernel", (A,), (B,), (4, 1), RECORD, clears=(B,))
    assert grouped(step((A,), C), clearing, step((A,), D)) == [1, 2]
