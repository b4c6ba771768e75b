"""The options of a recipe as keywords.

`python tools/options.py` makes this file of their declarations.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal, TypedDict

import numpy.typing as npt

from framebrush.gpu.stages.look import ToneCurve, ToneMap


class RecipeOptions(TypedDict, total=False):
    """Keywords of a recipe; each option's help and range are in docs/options.md."""

    strength: float
    keep_colours: bool
    exposure: float
    tone_curve: ToneCurve | Literal["clip", "reinhard", "hable"]
    tone_map: ToneMap | Literal["bt2390", "hable"]
    saturation: float
    split: float | None
    dither: bool
    steady: float
    detail: float
    brush: float | None
    relief: float | None
    canvas: float | None
    lamp: float
    faces: float | None
    focus: float
    film_inside: float
    film_outside: float
    photo_inside: float
    photo_outside: float
    second_inside: float
    second_outside: float
    stroke: float | Literal["auto"]
    size: str | tuple[int, int] | None
    max_size: int | None
    brush_kind: str | None
    brush_mark: str | os.PathLike[str] | None
    few_strokes: bool
    brush_sizes: str | os.PathLike[str] | None
    brush_directions: str | os.PathLike[str] | None
    mask: str | os.PathLike[str] | npt.NDArray[Any] | None
    mask_invert: bool
    mask_grow: float
    mask_soften: float
    mask_corrections: str | os.PathLike[str] | None
    palette: str | os.PathLike[str] | None
    palette_from: str | os.PathLike[str] | None
    lut: str | os.PathLike[str] | None
    lut_first: bool
    second: str | os.PathLike[str] | None
    net_layout: Literal["nchw", "nhwc"] | None
    net_order: Literal["rgb", "bgr"] | None
    net_input: Literal["unit", "signed", "byte", "imagenet", "caffe"] | None
    net_output: Literal["unit", "signed", "byte", "imagenet", "caffe"] | None
    net_result: str | None
    net_value: Sequence[str]
