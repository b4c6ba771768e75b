"""One description of constants, and what NumPy, HLSL and CUDA make of it."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

from framebrush.gpu import layouts
from framebrush.gpu.layouts import Field, cuda, declared, hlsl, packed

pytestmark = pytest.mark.unit

SIZE: Field = ("size", "<u4", (2,))
GAIN: Field = ("gain", "<f4")
ROWS: Field = ("rows", "<f4", (3, 4))
REST: Field = ("rest", "<f4", (2,))


def test_the_example_is_right() -> None:
    result = doctest.testmod(layouts)
    assert result.attempted
    assert not result.failed


def test_a_changed_field_shows_in_all_three() -> None:
    before, after = packed(SIZE, GAIN, REST, ROWS), packed(SIZE, GAIN, ("shift", "<i4", (2,)), REST, ROWS)
    assert [before.fields[name][1] for name in ("rest", "rows")] == [16, 32]
    assert [after.fields[name][1] for name in ("shift", "rest", "rows")] == [16, 24, 32]
    assert "int2 shift;" in hlsl(after)
    assert "int shift[2];" in cuda("Any", after)
    for text in (hlsl(before), cuda("Any", before)):
        assert "shift" not in text


def test_skipped_bytes_are_zeros() -> None:
    record = np.zeros((), packed(GAIN, ROWS))
    record["gain"], record["rows"] = 2.0, 1.0
    assert np.frombuffer(record.tobytes(), np.float32).tolist() == [2.0, 0.0, 0.0, 0.0, *[1.0] * 12]


def test_a_line_of_a_kernel_becomes_the_declaration() -> None:
    text = declared("// a\nCONSTANTS(OUTPUT)\nfloat CONSTANTS(x);\n", str.lower)
    assert text == "// a\noutput\nfloat CONSTANTS(x);\n"
