"""Constants of kernels: one record for NumPy, HLSL and CUDA.

`CONSTANTS(NAME)` in a kernel becomes the constant buffer or struct:

    >>> layout = packed(("size", "<u4", (2,)), ("weights", "<f4", (2, 4)))
    >>> print(hlsl(layout))
    cbuffer Constants : register(b0) {
      uint2 size;
      float4 weights[2];
    };
    >>> print(cuda("Stroke", layout))
    struct Stroke {
      uint size[2];
      uint skipped8[2];
      float weights[2][4];
    };
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Layout: TypeAlias = np.dtype[np.void]
Field: TypeAlias = tuple[str, str] | tuple[str, str, tuple[int, ...]]
"""Name, NumPy type, and the shape (n,) of a vector or (n, 4) of rows."""

Record: TypeAlias = npt.NDArray[Any]
"""Values of a record, shape ()."""

NUMBERS = {"<f4": "float", "<u4": "uint", "<i4": "int", "<f8": "double"}
ROW_BYTES = 16  # of a constant buffer: no value crosses a row

Rows = ("<f4", (3, 4))
Pair = ("<f4", (2,))
Pixels = ("<u4", (2,))
Four = ("<f4", (4,))
DECLARATION = re.compile(r"^CONSTANTS\((\w+)\)$", re.M)


def packed(*fields: Field) -> Layout:
    """Lay out an HLSL constant buffer in rows of 16 bytes.

    No vector crosses a row; arrays begin one.
    """
    names, formats, offsets, end = [], [], [], 0
    for name, number, *shapes in fields:
        shape = shapes[0] if shapes else ()
        kind = np.dtype((number, shape))
        if end % ROW_BYTES + kind.itemsize > ROW_BYTES or len(shape) > 1:
            end = -(-end // ROW_BYTES) * ROW_BYTES
        names.append(name)
        formats.append(kind)
        offsets.append(end)
        end += kind.itemsize
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": end})


def hlsl(layout: Layout) -> str:
    """Declare the constant buffer b0 with these fields."""
    lines = []
    for name, number, shape, _ in _fields(layout):
        vector = str(shape[-1]) if shape else ""
        lines.append(f"  {number}{vector} {name}{f'[{shape[0]}]' if len(shape) > 1 else ''};")
    return "\n".join(["cbuffer Constants : register(b0) {", *lines, "};"])


def cuda(name: str, layout: Layout) -> str:
    """Declare the struct with these fields and named padding."""
    lines, end = [], 0
    for field, number, shape, offset in _fields(layout):
        if offset > end:
            lines.append(f"  uint skipped{end}[{(offset - end) // 4}];")
        lines.append(f"  {number} {field}{''.join(f'[{count}]' for count in shape)};")
        end = offset + layout[field].itemsize
    return "\n".join([f"struct {name} {{", *lines, "};"])


def declared(text: str, declaration: Callable[[str], str]) -> str:
    """Replace a text's `CONSTANTS(NAME)` lines by declarations."""
    return DECLARATION.sub(lambda found: declaration(found[1]), text)


def _fields(layout: Layout) -> list[tuple[str, str, tuple[int, ...], int]]:
    assert layout.fields is not None
    return [
        (name, NUMBERS[kind.base.str], kind.shape, int(offset)) for name, (kind, offset, *_) in layout.fields.items()
    ]
