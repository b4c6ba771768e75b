"""Constants of paint and light."""

from __future__ import annotations

from framebrush.gpu.layouts import Field, packed

LIGHTING: tuple[Field, ...] = (
    ("light", "<f4", (4,)),  # vector to the lamp
    ("half_way", "<f4", (4,)),  # vector half-way between lamp and viewer
    ("body_most", "<f4"),  # limit of the body
    ("thin", "<f4"),  # least thickness
    ("height", "<f4"),  # of thick paint with body 1, in pixels
    ("stroke_height", "<f4"),  # of strokes with height 1
    ("weave", "<f4"),  # height of the canvas
    ("cover", "<f4"),  # share of the canvas that thick paint hides
    ("gleam", "<f4"),  # brightness of highlights
    ("gleam_power", "<f4"),  # exponent of highlights
    ("gleam_rest", "<f4"),  # highlight of level paint
)
"""Constants of paint and light for every device; `gpu/kernels/relief.h` declares them."""

LIT: tuple[Field, ...] = (
    *LIGHTING,
    ("pitch_px", "<f4"),  # canvas pitch
    ("cell_px", "<u4"),  # side of a cell
    ("body_luma", "<f4"),  # difference of luma for a body of 1
    ("cells", "<u4", (2,)),  # columns and rows of cells
    ("corner_cells", "<u4", (2,)),  # columns and rows of corner cells
    ("corner_step", "<f4", (2,)),  # corner cells per pixel
    ("brush", "<f4"),  # share of strokes in the painting
)

RELIEF = packed(
    *LIT,
    ("gauss", "<f4", (9, 4)),  # Gaussian over cells, padded with zeros
    ("size", "<u4", (2,)),  # of the picture
    ("painted_size", "<u4", (2,)),  # of the painting's planes
    ("thick_luma", "<f4"),  # deviation from which paint is thick
    ("detail", "<f4"),  # share of the source's fine luma
)
