"""The constants that only kernels of HLSL have; those of CUDA, too, are in gpu/stages/records.py."""

from __future__ import annotations

from framebrush.gpu.layouts import Layout, packed
from framebrush.gpu.stages.records import RECORDS
from framebrush.gpu.stages.relief import LIGHTING

LEVELS = 14
"""That the table of a pyramid has room for."""

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
STROKE_FILM = packed(
    ("size", "<u4", (2,)),  # of the picture before the network
    ("padded", "<u4", (2,)),  # of the planes of the network's input
)
STROKE_CARRY = packed(
    ("size", "<u4", (2,)),  # of the picture before the network
    ("target", "<u4", (2,)),  # of the painting
    ("cell_count", "<u4"),  # of all layers
    ("filled_count", "<u4"),  # of those whose gaps are filled
    ("layer_count", "<u4"),
    ("place", "<u4"),  # of the frame in the film
)
STROKE_AGREE = packed(
    ("size", "<u4", (2,)),  # of the picture before the network
    ("change", "<u4"),  # of a block's motion that is tried along each axis, in UNITS
)
STROKE_LEVELS = packed(
    ("levels", "<u4", (LEVELS, 4)),  # of the painting's pyramid: where each lies, columns, rows, whether it is wanted
    ("last", "<u4"),  # that is there
)
STROKE_DRAW = packed(
    ("levels", "<u4", (LEVELS, 4)),  # as above
    ("tensors", "<u4", (5, 4)),  # the same of the structure tensor
    ("size", "<u4", (2,)),  # of the painting
    ("painted_size", "<u4", (2,)),  # of its planes
    ("film", "<u4", (2,)),  # of the picture before the network
    ("film_padded", "<u4", (2,)),  # of the planes of the network's input
    ("film_step", "<f4", (2,)),  # of it, from pixel to pixel
    ("tiles", "<u4", (2,)),  # columns and rows
    ("corner_cells", "<u4", (2,)),  # columns and rows of what is left as it is
    ("corner_step", "<f4", (2,)),  # of them, from pixel to pixel
    ("rest", "<f4", (2,)),  # the tensor that is added everywhere
    ("cell_count", "<u4"),  # of all layers
    ("layer_count", "<u4"),
    ("need_count", "<u4"),  # samples of what is needed of all layers
    ("place", "<u4"),  # of the frame in the film
    ("most_records", "<u4"),  # strokes that there is room for
    ("most_pairs", "<u4"),  # and tiles that they touch
    ("tensor_level", "<u4"),  # of the painting's pyramid, whose derivatives tell directions
    ("near_level", "<u4"),  # above it, of the tensor that counts most
    ("ground_level", "<u4"),  # of the painting's pyramid, what lies under all strokes
    ("around_level", "<u4"),  # and by which a stroke remembers how light it is around it
    ("jitter", "<f4"),  # how far the colour of a stroke lies from its place's
    ("edge", "<f4"),  # how much the colour may change along one
    ("wet", "<f4"),  # how much of the painting's own colour shows in one
    ("per_hair", "<f4"),  # 1 / the scale of hairs and ends, in pixels
    ("brush", "<f4"),  # how much of the strokes is mixed in
    ("detail", "<f4"),  # and of the source's fine luma
)
RELIEF = packed(
    ("size", "<u4", (2,)),  # of the picture
    ("painted_size", "<u4", (2,)),  # of the planes of the painting
    ("cells", "<u4", (2,)),  # columns and rows of cells
    ("cell_px", "<u4"),  # a side of a cell
    ("detail", "<f4"),  # how much of the source's fine luma is added
    ("gauss", "<f4", (9, 4)),  # of a Gaussian over cells, and zeros behind it
    *LIGHTING,
    ("thick_luma", "<f4"),  # the deviation from which on paint is thick
    ("thin", "<f4"),  # how thick it is at least
)


def layout(name: str) -> Layout:
    """Of the constant buffer that a kernel declares by this name."""
    found: Layout = globals().get(name) or RECORDS[name]
    return found
