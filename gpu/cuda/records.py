"""The constants that only kernels of CUDA have; those of HLSL, too, are in gpu/stages/records.py."""

from __future__ import annotations

from framebrush.gpu.layouts import Layout, packed
from framebrush.gpu.stages.records import RECORDS
from framebrush.gpu.stages.relief import LIGHTING
from framebrush.gpu.stages.steady.passes import OF_CUDA

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
LAYERS = packed(
    ("size", "<i4", (2,)),  # of the target, as strokes have it
    ("working", "<i4", (2,)),  # of the film
    ("padded", "<i4", (2,)),  # of the planes of the network's input
    ("painted", "<i4", (2,)),  # of the planes of the painting
    ("blocks", "<i4", (2,)),  # columns and rows of the film's motion
    ("tiles", "<i4", (2,)),  # columns and rows of the picture
    ("place", "<u4"),  # of the frame in the film
    ("count", "<i4"),  # of layers
    ("cells", "<i4"),  # of all of them
    ("filled_cells", "<i4"),  # of those that fill gaps, which are the first
    ("needs", "<i4"),  # samples of all planes of needs
    ("room", "<u4"),  # for strokes that are drawn
    ("list_room", "<u4"),  # and for tiles that they touch
    ("tensor_level", "<i4"),  # whose derivatives are taken
    ("direction_level", "<i4"),  # that directions are read from
    ("around_level", "<i4"),  # and by which a stroke remembers how light it is around it
    ("jitter", "<f4"),  # how far colours of strokes lie from those of their places
    ("edge", "<f4"),  # how much the colour may change along a stroke
    ("tensor_ups", "<i4", (3,)),  # levels from the tensor's one to those that are kept
    ("tensor_first", "<i4", (3,)),  # where these begin
    ("level_first", "<i4", (4, 4)),  # where each level of the pyramid begins, by its number
    ("places", "<i4", (8, 4)),  # of each layer the first cell, the first stroke, how many cells, strokes of a cell
    ("grids", "<i4", (8, 4)),  # columns, rows, side of a cell, steps of a path
    ("levels", "<i4", (8, 4)),  # that of colours, that of needs, where needs begin, the finer one of their two levels
    ("forms", "<f4", (8, 4)),  # width and length, 1 / need, how far outside of the picture it is seen
    ("rooms", "<u4", (8, 4)),  # how many tiles a stroke touches at most
)
DRAWING = packed(
    ("size", "<i4", (2,)),  # of the picture
    ("painted", "<i4", (2,)),  # of the planes of the painting
    ("corner_cells", "<i4", (2,)),  # columns and rows of what is left as it is
    ("corner_step", "<f4", (2,)),  # of them, from pixel to pixel
    ("ground_level", "<i4"),  # of the pyramid, under all strokes
    ("ground_first", "<i4"),  # where it begins
    ("wet", "<f4"),  # how much of the painting shows in a stroke
    ("hairs", "<f4", (2,)),  # of each pixel across a stroke the place of its hairs, at its beginning and at its end
    ("streaks", "<f4", (4,)),  # the same of broad and fine streaks, across and along
    ("soft", "<f4"),  # 1 / how far its ends fade out
    ("rim", "<f4"),  # and its sides
    ("low", "<f4"),  # 1 / half the width from which on its body is in full
    ("brush", "<f4"),  # how much of the strokes is mixed in
    ("detail", "<f4"),  # and of the source's fine luma
)
PAINT = packed(
    ("size", "<u4", (2,)),  # of the picture
    ("painted_size", "<u4", (2,)),  # of the planes of the painting
    ("cells", "<u4", (2,)),  # columns and rows of cells
    ("detail", "<f4"),  # how much of the source's fine luma is added
    ("gauss", "<f4", (9, 4)),  # of a Gaussian over cells, and zeros behind it
)
RELIEF = packed(
    ("size", "<u4", (2,)),  # of the picture
    ("cells", "<u4", (2,)),  # columns and rows of cells
    ("corner_cells", "<i4", (2,)),  # columns and rows of what the brush leaves as it is
    ("corner_step", "<f4", (2,)),  # of them, from pixel to pixel
    *LIGHTING,
    ("brush", "<f4"),  # how much of the painting strokes replace
)


def layout(name: str) -> Layout:
    """Of the struct that a kernel declares by this name."""
    own = {
        "BLEND": BLEND,
        "CONV": CONV,
        "DRAWING": DRAWING,
        "INK": INK,
        "LAYERS": LAYERS,
        "PAINT": PAINT,
        "RELIEF": RELIEF,
        "STEADY": OF_CUDA,
    }
    found: Layout = own[name] if name in own else RECORDS[name]
    return found
