"""The constants that only kernels of HLSL have, by the names that these declare; those of CUDA, too, are in
gpu/stages/records.py."""

from __future__ import annotations

from framebrush.gpu.layouts import Layout, packed
from framebrush.gpu.stages.records import RECORDS
from framebrush.gpu.stages.strokes.passes import STROKE_AGREE, STROKE_CARRY, STROKE_DRAW, STROKE_FILM, STROKE_LEVELS

BLEND = packed(
    ("paintings", "<u4"),
    ("fours", "<u4"),  # of weights in a row
)
CONV = packed(
    ("in_size", "<u4", (2,)),  # of the input before it is padded by repeating its edge
    ("b_size", "<u4", (2,)),  # of the second input
    ("out_size", "<u4", (2,)),  # before the enlargement
    ("a_pieces", "<u4"),  # of 4 channels
    ("b_pieces", "<u4"),
    ("side", "<u4"),  # of the kernel
    ("pad", "<u4"),  # above and left
    ("crop", "<u4"),  # what is cut off the second input above and left
    ("first_weight", "<u4"),  # where the layer's biases and weights begin, in vectors of 4
    ("corner_pieces", "<u4"),  # of each of the four pixels that an output is enlarged to
    ("lowest", "<f4"),  # what is below becomes 0
)


def layout(name: str) -> Layout:
    """Of the constant buffer that a kernel declares by this name."""
    own = {
        "BLEND": BLEND,
        "CONV": CONV,
        "STROKE_AGREE": STROKE_AGREE,
        "STROKE_CARRY": STROKE_CARRY,
        "STROKE_DRAW": STROKE_DRAW,
        "STROKE_FILM": STROKE_FILM,
        "STROKE_LEVELS": STROKE_LEVELS,
    }
    found: Layout = own[name] if name in own else RECORDS[name]
    return found
