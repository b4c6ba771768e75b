"""The constants that only kernels of Direct3D 12 have; those of both GPUs are in gpu/stages/constants.py."""

from __future__ import annotations

from framebrush.gpu.layouts import Layout, packed
from framebrush.gpu.stages import constants

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
    own = {"BLEND": BLEND, "CONV": CONV}
    found: Layout = own[name] if name in own else getattr(constants, name)
    return found
