"""Constants of CUDA kernels. Constants shared with HLSL: gpu/kernels/shared_records.py."""

from __future__ import annotations

from framebrush.gpu.kernels.shared_records import RECORDS
from framebrush.gpu.layouts import Layout, packed
from framebrush.gpu.stages.steady.passes import OF_CUDA
from framebrush.gpu.stages.strokes.cuda import DRAWING, LAYERS

BLEND = packed(
    ("paintings", "<u4"),
    ("weights", "<u4"),  # elements of a row
    ("biases", "<u4"),  # offset of the biases
)
CONV = packed(
    ("in_h", "<i4"),  # height of the input before padding
    ("in_w", "<i4"),
    ("b_w", "<i4"),  # width of the second input
    ("b_offset", "<i4"),  # rows and columns cropped from it above and left
    ("pad", "<i4"),  # padding above and left
    ("out_h", "<i4"),  # before upscaling
    ("out_w", "<i4"),
    ("tiles_x", "<i4"),
    ("tiles_y", "<i4"),
)
INK = packed(("size", "<i4", (2,)))  # width and height of both tensors

LAYOUTS: dict[str, Layout] = RECORDS | {
    "BLEND": BLEND,
    "CONV": CONV,
    "DRAWING": DRAWING,
    "INK": INK,
    "LAYERS": LAYERS,
    "STEADY": OF_CUDA,
}
"""Layouts of structs, by the names that CUDA kernels declare."""
