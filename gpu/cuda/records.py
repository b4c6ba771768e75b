"""The constants that only kernels of CUDA have; those of both GPUs are in gpu/stages/constants.py."""

from __future__ import annotations

from framebrush.gpu.layouts import Layout, packed
from framebrush.gpu.stages import constants

BLEND = packed(
    ("paintings", "<u4"),
    ("weights", "<u4"),  # of a row
    ("biases", "<u4"),  # behind them
)
CONV = packed(
    ("in_h", "<i4"),  # of the input before it is padded by repeating its edge
    ("in_w", "<i4"),
    ("b_w", "<i4"),  # width of the second input
    ("b_offset", "<i4"),  # and what is cut off it above and left
    ("pad", "<i4"),  # above and left
    ("out_h", "<i4"),  # before the enlargement
    ("out_w", "<i4"),
    ("tiles_x", "<i4"),
    ("tiles_y", "<i4"),
)
INK = packed(("size", "<i4", (2,)))  # width and height of both tensors
STEADY = packed(
    ("width", "<i4"),  # of the working size
    ("height", "<i4"),
    ("padded_width", "<i4"),  # of the network's input
    ("padded_height", "<i4"),
    ("styled_width", "<i4"),  # of the planes of its output
    ("styled_height", "<i4"),
    ("scale", "<i4"),  # sides of its output over those of its input
    ("count", "<i4"),  # of neighbours: those before the frame, then those after it, the nearest first
    ("before", "<i4"),  # of those before it
    ("limit", "<f4"),  # T of gpu/stages/steady, in codes
)
WAY = packed(
    ("factor", "<f8", (2,)),  # y and x: pixels of the picture over those of the working size
    ("columns", "<i4"),  # of blocks
    ("rows", "<i4"),
    ("ages", "<i4", (2,)),  # frames since each way began
    ("first_way", "<f4"),  # the weight of the first one
    ("block_px", "<i4"),
)


def layout(name: str) -> Layout:
    """Of the struct that a kernel declares by this name."""
    own = {"BLEND": BLEND, "CONV": CONV, "INK": INK, "STEADY": STEADY, "WAY": WAY}
    found: Layout = own[name] if name in own else getattr(constants, name)
    return found
