"""Constants of HLSL kernels. Constants shared with CUDA: gpu/kernels/shared_records.py."""

from __future__ import annotations

from framebrush.gpu.kernels.shared_records import RECORDS
from framebrush.gpu.layouts import Layout, packed
from framebrush.gpu.stages.strokes.passes import STROKE_AGREE, STROKE_CARRY, STROKE_DRAW, STROKE_FILM, STROKE_LEVELS
from framebrush.gpu.stages.tensor_to_planes import LIT_OUTPUT

BLEND = packed(
    ("paintings", "<u4"),
    ("fours", "<u4"),  # vectors of 4 weights in a row
)
CONV = packed(
    ("in_size", "<u4", (2,)),  # size of the input before padding
    ("b_size", "<u4", (2,)),  # size of the second input
    ("out_size", "<u4", (2,)),  # size before upscaling
    ("a_pieces", "<u4"),  # pieces of 4 channels
    ("b_pieces", "<u4"),
    ("side", "<u4"),  # side of the kernel
    ("pad", "<u4"),  # padding above and left
    ("crop", "<u4"),  # rows and columns cropped from the second input above and left
    ("first_weight", "<u4"),  # offset of the layer's biases and weights, in vectors of 4
    ("corner_pieces", "<u4"),  # pieces for each of the four pixels of an upscaled output
    ("lowest", "<f4"),  # smaller values become 0
)

LAYOUTS: dict[str, Layout] = RECORDS | {
    "BLEND": BLEND,
    "CONV": CONV,
    "LIT_OUTPUT": LIT_OUTPUT,
    "STROKE_AGREE": STROKE_AGREE,
    "STROKE_CARRY": STROKE_CARRY,
    "STROKE_DRAW": STROKE_DRAW,
    "STROKE_FILM": STROKE_FILM,
    "STROKE_LEVELS": STROKE_LEVELS,
}
"""Layouts of constant buffers, by the names that HLSL kernels declare."""
