"""Paint under a lamp, and canvas where it is thin: what they are, and the constants that every device computes with.

A painting gets a height: that of its strokes (`gpu.stages.strokes`), and where they leave it as it is, paint lies
thick where it is lighter than its surroundings. A lamp at the upper left lights that height in linear light, diffusely
and with a gleam (A. Hertzmann, "Fast Paint Texture", 2002). Where the picture is flat, paint is thin, and the weave of
a canvas shows through. No statistics of the frame are used. `gpu.stages.relief.reference` computes it in float64.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from framebrush.gpu.colour import Array
from framebrush.gpu.layouts import Field, Record, packed
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.cells import Cells, gaussian
from framebrush.gpu.stages.look import Look

BROAD_REACH = 9.0
"""Standard deviation of the surroundings that a pixel's luma is compared with, in pixels at scale 1."""

MOST_RADIUS = 14
"""In cells, of the Gaussian of those surroundings: what a GPU's group takes of them goes into 16 KiB."""

BODY_LUMA, BODY_MOST = 0.12, 2.5
"""The difference of luma 0..1 that counts as one, and what it is limited to."""

BODY_SHARE = 0.6
"""Of luma in the height."""

THICK_LUMA, THIN = 0.06, 0.25
"""The deviation of luma from which on paint is thick, and how thick it is at least."""

HEIGHT = 0.42
"""Of thick paint at relief 1, in pixels at scale 1."""

STROKE_HEIGHT = 1.1
"""Of a height of 1 of strokes at relief 1, in pixels where hairs are as wide as in a brush's table."""

WEAVE_HEIGHT, WEAVE_COVER = 0.35, 0.8
"""Of the canvas at canvas 1, in pixels of its pitch at 1080 lines; and how much of it thick paint hides."""

WEAVE_LINES = 270.0
"""Lines of the picture over the canvas's pitch: a thread has the same size on the screen, whatever the resolution."""

LEAST_PITCH_PX = 3.0
"""Finer threads alias: those of 2 pixels are level, those of 1.3 are a checkerboard of other ones."""

WEAVE_PITCH_PX = 4.0
"""The pitch at 1080 lines."""

LAMP_HEIGHT = 0.9
"""How high the lamp stands for each 1 that it is away to the side."""

GLEAM, GLEAM_POWER = 0.15, 60.0
"""How bright a gleam is in linear light at relief 1, and how narrow: a whole number below 64, as the CPU multiplies."""


@lru_cache(maxsize=16)
def broad_weights(strokes: Cells) -> Array:
    """(2 r + 1,): the Gaussian of a pixel's surroundings, along rows and columns of cells, for 2.5 deviations."""
    deviation = BROAD_REACH * strokes.scale / strokes.cell_px
    return gaussian(deviation, min(MOST_RADIUS, math.ceil(2.5 * deviation)))


def weave_pitch_px(size: Size) -> float:
    """From thread to thread in a target of this size (width, height): whole pixels, for threads that begin elsewhere in
    each pixel beat with them."""
    return max(LEAST_PITCH_PX, math.floor(min(size) / WEAVE_LINES + 0.5))


@dataclass(frozen=True, slots=True)
class Lamp:
    """The unit vectors to the lamp, and half-way between it and the eye; x to the right, y downwards, z to the eye."""

    light: tuple[float, float, float]
    half: tuple[float, float, float]

    @classmethod
    def at(cls, degrees: float) -> Lamp:
        """A lamp in that direction."""
        angle = math.radians(degrees)
        light = np.array([math.cos(angle), -math.sin(angle), LAMP_HEIGHT])
        light /= np.linalg.norm(light)
        half = light + np.array([0.0, 0.0, 1.0])
        half /= np.linalg.norm(half)
        return cls(tuple(light.tolist()), tuple(half.tolist()))


def weave(size: tuple[int, ...], pitch_px: float) -> Array:
    """(H, W), 0..1: a plain weave; each thread is a half wave that rises over one thread and dives under the next. It
    is highest and lowest in the middle of the threads that it crosses."""
    v, u = ((np.arange(length) + 0.5) / pitch_px for length in size)
    v = v[:, None]
    warp = np.sin(np.pi * (u - np.floor(u))) * (0.6 + 0.4 * np.sin(np.pi * (v + np.floor(u))))
    weft = np.sin(np.pi * (v - np.floor(v))) * (0.6 + 0.4 * np.sin(np.pi * (u + np.floor(v) + 1.0)))
    highest: Array = np.maximum(warp, weft)
    return highest


LIGHTING: tuple[Field, ...] = (
    ("light", "<f4", (4,)),  # the direction to the lamp
    ("half_way", "<f4", (4,)),  # and half-way between it and the eye
    ("body_most", "<f4"),  # what differences of luma are limited to
    ("thin", "<f4"),  # how thick paint is at least
    ("height", "<f4"),  # of thick paint where its body is one, in pixels
    ("stroke_height", "<f4"),  # of strokes where theirs is one
    ("weave", "<f4"),  # of the canvas
    ("cover", "<f4"),  # how much of the canvas thick paint hides
    ("gleam", "<f4"),  # how bright a gleam is
    ("gleam_power", "<f4"),  # how narrow
    ("gleam_rest", "<f4"),  # and what it is where the paint is level
)
"""What paint and its light are made with, on every device: `gpu/kernels/relief.h` has it, and what is made of it."""

RELIEF = packed(
    *LIGHTING,
    ("gauss", "<f4", (9, 4)),  # of a Gaussian over cells, and zeros behind it
    ("size", "<u4", (2,)),  # of the picture
    ("painted_size", "<u4", (2,)),  # of the planes of the painting
    ("cells", "<u4", (2,)),  # columns and rows of cells
    ("corner_cells", "<u4", (2,)),  # columns and rows of what the brush leaves as it is
    ("corner_step", "<f4", (2,)),  # of them, from pixel to pixel
    ("cell_px", "<u4"),  # a side of a cell
    ("body_luma", "<f4"),  # the difference of luma that counts as one
    ("thick_luma", "<f4"),  # the deviation from which on paint is thick
    ("pitch_px", "<f4"),  # from thread to thread of the canvas
    ("detail", "<f4"),  # how much of the source's fine luma is added
    ("brush", "<f4"),  # how much of the painting strokes replace
)


def relief_record(size: Size, painted_size: Size, strokes: Cells, look: Look, stroke_px: float) -> Record:
    """Constants of the kernels of relief and canvas, but for corners, which some devices take elsewhere. size: (width,
    height) of the picture. painted_size: of the planes of the painting. stroke_px: height of strokes at relief 1, in
    pixels."""
    record, weights, lamp, pitch = (
        np.zeros((), RELIEF),
        broad_weights(strokes),
        Lamp.at(look.lamp_degrees),
        weave_pitch_px(size),
    )
    relief = look.relief or 0.0
    record["light"][:3], record["half_way"][:3] = lamp.light, lamp.half
    record["body_luma"], record["body_most"] = BODY_LUMA, BODY_MOST
    record["thick_luma"], record["thin"] = THICK_LUMA, THIN
    record["height"], record["stroke_height"] = relief * HEIGHT * strokes.scale * BODY_SHARE, relief * stroke_px
    record["weave"], record["cover"] = (look.canvas or 0.0) * WEAVE_HEIGHT * pitch / WEAVE_PITCH_PX, WEAVE_COVER
    record["gleam"], record["gleam_power"], record["gleam_rest"] = (
        GLEAM * relief,
        GLEAM_POWER,
        lamp.half[2] ** GLEAM_POWER,
    )
    record["pitch_px"], record["size"], record["painted_size"] = pitch, size, painted_size
    record["cells"], record["cell_px"] = strokes.cells(*size), strokes.cell_px
    record["detail"], record["brush"] = look.detail, look.brush or 0.0
    record["gauss"].reshape(-1)[: len(weights)] = weights
    return record
