"""Networks whose convolutions have no padding, and whose results are therefore smaller than the frame: its edge is
extended by as much, so that the result is where the frame is and has its size.

A result that was enlarged back would be out of place by as much as was lost, and tiles would not meet.
"""

from __future__ import annotations

from collections.abc import Mapping

from onnx import ModelProto

from framebrush.models import graph as g
from framebrush.models.reading import canonical
from framebrush.models.reading.shape_evaluation import evaluated_shapes
from framebrush.models.style import SCALES

MOST_PX = 128
"""Of the result, times its scale, that a network may lose on each side: about what U-Nets without padding lose."""

FIXED_SHARE = 8
"""A network of one size may lose the eighth part of a side: what loses more is more likely to be no picture of its
frame."""

_SIDE = 40320
"""Of a frame that most strides up to 128 divide."""

Pair = tuple[int, int]
"""Pixels before and after."""

Size = tuple[int, int]

Lost = tuple[int, int]
"""Rows and columns of the result."""


def restore_size(model: ModelProto, stride: int, fixed_size: Size | None) -> tuple[Lost, Size | None]:
    """Make a network of `canonical.to_nchw` that loses rows and columns keep them, in place.

    stride: that the graph tells. fixed_size: (width, height) of a network that runs at no other. Returns what it lost,
    and the size of its input, which is smaller than the fixed one by what its edge is extended by.
    """
    found = _lost(model, fixed_size)
    if found is None:
        return (0, 0), fixed_size
    scale, lost = found
    rows, columns = (_pads(each, scale, 1 if fixed_size else stride) for each in lost)
    canonical.wrap(model, (rows, columns), (_cuts(rows, scale, lost[0]), _cuts(columns, scale, lost[1])))
    if fixed_size is None:
        return lost, None
    frame = model.graph.input[0]
    width, height = fixed_size[0] - sum(columns), fixed_size[1] - sum(rows)
    g.set_dims(frame, [*g.dims(frame)[:2], height, width])
    return lost, (width, height)


def _pads(lost: int, scale: int, stride: int) -> Pair:
    """Pixels before and after, in all a multiple of the stride, of which nothing is left of a result that loses so
    many."""
    before, after = -(-(lost // 2) // scale), -(-((lost + 1) // 2) // scale)
    return before, after + -(before + after) % stride


def _cuts(pads: Pair, scale: int, lost: int) -> Pair:
    """What is left of the pads in a result that loses so many rows or columns."""
    return scale * pads[0] - lost // 2, scale * pads[1] - (lost + 1) // 2


def _lost(model: ModelProto, fixed_size: Size | None) -> tuple[int, Lost] | None:
    """By how much the network enlarges, and how much it loses, the same at every size that the stride divides; None
    where it loses nothing."""
    if fixed_size:
        width, height = fixed_size
        found = _lost_at(model, height, width)
        fits = found is not None and all(
            lost * FIXED_SHARE <= found[0] * side for lost, side in zip(found[1], (height, width), strict=True)
        )
        return found if fits else None
    found = _lost_at(model, _SIDE, 2 * _SIDE)
    return found if found and found == _lost_at(model, 2 * _SIDE, _SIDE) else None


def _lost_at(model: ModelProto, height: int, width: int) -> tuple[int, Lost] | None:
    frame = model.graph.input[0]
    sizes: Mapping[str, g.Shape] = {frame.name: (1, int(g.dims(frame)[1]), height, width)}
    shape = evaluated_shapes(model, sizes).get(canonical.OUTPUT, ())
    if len(shape) != 4 or not min(shape):
        return None
    scale = -(-shape[2] // height)
    lost = scale * height - shape[2], scale * width - shape[3]
    if scale not in SCALES or min(lost) < 0 or not any(lost) or max(lost) > 2 * scale * MOST_PX:
        return None
    return scale, lost
