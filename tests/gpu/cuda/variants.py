"""Compiled variants of all kernels."""

from __future__ import annotations

from functools import cache
from itertools import product

from framebrush.gpu.cuda.engines import conv_variant
from framebrush.gpu.cuda.painter_launches import plan_launches
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.painter import read_painter
from framebrush.gpu.stages.cells import LEAST_SCALE, MOST_SCALE, Cells
from framebrush.gpu.stages.relief import broad_weights
from framebrush.gpu.stages.relief.cuda import COVERED, THICK
from framebrush.gpu.stages.steady.passes import DEFINES
from framebrush.gpu.stages.strokes import AGREEMENT_STEPS
from framebrush.gpu.stages.strokes import cuda as strokes
from framebrush.gpu.stages.table import APART
from framebrush.models.library import bundled
from framebrush.models.reading.load import load_style

ELEMENTS = [("ELEMENT", "0"), ("ELEMENT", "1")]
PLAIN = ((), (("PLAIN", "1"),))
PLANAR = (("PLANAR", "1"),)
PLANES = ((), PLANAR, (*PLANAR, ("FULL_Y", "1")), (*PLANAR, ("FULL_X", "1"), ("FULL_Y", "1")))
SAMPLES = [("SAMPLE", "uint8"), ("SAMPLE", "uint16")]


def relief_variants(paint: Cells) -> list[Variant]:
    """Return variants of kernels that depend on the stroke width."""
    cell, radius = ("CELL_PX", str(paint.cell_px)), ("RADIUS", str(len(broad_weights(paint)) // 2))
    return [
        Variant("relief_cells", (cell,)),
        *(Variant("relief_smooth", (*thick, radius)) for thick in ((), (THICK,))),
        *(Variant("relief_height", (cell, *covered)) for covered in ((), (COVERED,))),
    ]


def stroke_variants() -> list[Variant]:
    def one(name: str, *more: tuple[str, str]) -> Variant:
        return Variant(f"stroke_{name}", (*strokes.DEFINES, *more))

    names = ["motion", "settle", "fill", "need", "tensor", "direction", "look"]
    names += ["pick", "trace", "cut", "count", "offsets", "list"]
    return [
        *(one(name) for name in names),
        *(one("cells", ("UNDER", under), ("SIDE", side)) for under, side in (("1", "4"), ("4", "2"))),
        *(one("agree", ("STEP", str(step))) for step in AGREEMENT_STEPS),
        one("carry"),
        one("carry", ("FIRST", "1")),
        *(one(name, element) for name, element in product(("film", "draw"), ELEMENTS)),
        one("draw", strokes.MARKED, ELEMENTS[1]),
        one("draw", strokes.REVEALED, ELEMENTS[0]),
        one("draw", strokes.MARKED, strokes.REVEALED, ELEMENTS[1]),
        *(
            one("first_level", ("FILM", film), ("LEVELS", str(strokes.FUSED_LEVELS)), element)
            for film, element in product("01", ELEMENTS)
        ),
        one("next_level", ("LEVEL", str(strokes.FUSED_LEVELS + 1))),
    ]


@cache
def variants() -> tuple[Variant, ...]:
    """Return kernels by each define's values."""
    made = [
        Variant(
            "planes_to_tensor",
            (
                ("LAYOUT", str(layout)),
                ("TRANSFER", str(transfer)),
                *resized,
                SAMPLES[(layout + transfer) % 2],
                ELEMENTS[layout % 2],
            ),
        )
        for layout, transfer, resized in product(range(5), range(3), ((), (("RESIZED", "1"),)))
    ]
    # HDR in blocks compiles for seconds: one layout and element each, and none comes last, which every
    # compute capability gets.
    for transfer, layout in ((2, 1), (1, 2), (0, 1), (0, 2)):
        for element in ELEMENTS if transfer == 0 else [ELEMENTS[layout % 2]]:
            defines = ("LAYOUT", str(layout)), ("TRANSFER", str(transfer)), SAMPLES[transfer % 2], element
            made.append(Variant("planes_to_tensor", (*defines, ("CHROMA_420", "1"))))
    for transfer, blocks in (("1", ()), ("2", (("CHROMA_420", "1"),))):  # HDR output
        defines = ("LAYOUT", "1"), ("TRANSFER", transfer), SAMPLES[1], ELEMENTS[len(blocks)], ("KEPT", "1")
        made.append(Variant("planes_to_tensor", (*defines, *blocks)))
    for number, (transfer, planar) in enumerate(product("12", ((), PLANES[-1]))):
        element = ELEMENTS[(number + number // 2) % 2]  # every pair of values occurs
        defines = ("PAINTED", element[1]), element, SAMPLES[1], ("TRANSFER", transfer)
        made.append(Variant("tensor_to_yuv", (*defines, *planar)))
    for bits, sample, element in (("16", SAMPLES[1], ELEMENTS[0]), ("32", ("SAMPLE", "float"), ELEMENTS[1])):
        floating = ("FLOATING", bits)
        made.append(Variant("planes_to_tensor", (("LAYOUT", "3"), ("TRANSFER", "0"), floating, sample, element)))
        made.append(Variant("tensor_to_yuv", (("PAINTED", element[1]), element, sample, *PLANES[-1], floating)))
    made += [Variant("resample", (("AXIS", axis), element)) for axis, element in product("01", ELEMENTS)]
    made += [Variant(name, (element,)) for name in ("copy_window", "detail_moments", "detail") for element in ELEMENTS]
    made += [Variant("table", (*apart, element)) for element, apart in product(ELEMENTS, ((), APART))]
    for painted, element, plain in product("012", ELEMENTS, PLAIN):
        made.append(Variant("tensor_to_rgba", (("PAINTED", painted), element, *plain)))
    # Elements and samples only change types: each pair of values of two defines occurs.
    for number, (painted, plain, planes) in enumerate(product("012", PLAIN, PLANES)):
        types = ELEMENTS[(number + number // 4) % 2], SAMPLES[(number // 2 + number // 8) % 2]
        made.append(Variant("tensor_to_yuv", (("PAINTED", painted), types[0], *plain, types[1], *planes)))
    made += [Variant("blend"), *(Variant("ink", (element,)) for element in ELEMENTS)]
    for name, element in product(("source", "cells", "motion", "follow", "mix"), ELEMENTS):
        made.append(Variant(f"steady_{name}", (*DEFINES, element)))
    made += [Variant("relief_begin", (element,)) for element in ELEMENTS]
    made += [Variant("corner_cells", (*strokes.CORNER_CELL, element)) for element in ELEMENTS]
    made.append(Variant("corner_share"))
    made += [Variant(name, (element,)) for name in ("mask_share", "film_mixed", "source_laid") for element in ELEMENTS]
    made += [Variant("photo_mixed", (("PAINTED", kind), element)) for kind, element in product("012", ELEMENTS)]
    for scale in (LEAST_SCALE, 0.74, MOST_SCALE):
        made += relief_variants(Cells(scale))
    made += [*stroke_variants(), Variant("relief_light")]
    for path in bundled().values():
        painter = read_painter(load_style(path).model)
        launches = plan_launches(painter, (640, 360), 64 << 10) if painter else None
        for number in range(len(launches or ())):
            assert launches is not None
            made.append(conv_variant(launches, number, ELEMENTS[number % 2]))
    return tuple(dict.fromkeys(made))
