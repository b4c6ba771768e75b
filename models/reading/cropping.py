"""Padding for networks that lose rows and columns."""

from __future__ import annotations

from collections.abc import Mapping

from onnx import ModelProto

from framebrush.models import onnx_graph as g
from framebrush.models.reading import canonical
from framebrush.models.reading.shape_evaluation import evaluated_shapes
from framebrush.models.style import SCALES

MOST_PX = 128
"""Most pixels of the result, times its scale, that a network may lose on each side: as U-Nets without padding."""

FIXED_SHARE = 8
"""Largest share of a side that a network of fixed size may lose (one eighth): others hardly return a picture of the
frame."""

_SIDE = 40320
"""Side of a frame that most strides up to 128 divide."""

Size = tuple[int, int]

Lost = tuple[int, int]
"""Rows and columns of the result."""


def restore_size(model: ModelProto, stride: int, fixed_size: Size | None) -> tuple[Lost, Size | None]:
    """Pad a network that loses rows and columns, in place.

    Returns the loss, and the input's size for fixed_size.
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


def _pads(lost: int, scale: int, stride: int) -> canonical.Pair:
    before, after = -(-(lost // 2) // scale), -(-((lost + 1) // 2) // scale)
    return before, after + -(before + after) % stride


def _cuts(pads: canonical.Pair, scale: int, lost: int) -> canonical.Pair:
    return scale * pads[0] - lost // 2, scale * pads[1] - (lost + 1) // 2


def _lost(model: ModelProto, fixed_size: Size | None) -> tuple[int, Lost] | None:
    """Return scale and loss, if equal at all sizes."""
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
