"""Requested style, sizes, strokes, mask and colours: fields of jobs and saved looks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, Self

from framebrush.base.option import Option, check_ranges
from framebrush.gpu.sizes import MAX_STROKE, MIN_STROKE, Size
from framebrush.models.brushes import kind_named
from framebrush.models.preprocessing import PreprocessingOverrides

MIN_SIDE_PX, MAX_SIDE_PX = 16, 16384  # results are no larger than inputs may be: see media/reading/open.py
MAX_FACTOR = 16.0

_PIXELS = re.compile(r"(\d{1,5})x(\d{1,5})", re.ASCII)
_FACTOR = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)x", re.ASCII)


@dataclass(frozen=True, slots=True)
class StyleSpec:
    """Requested style.

    Attributes:
        name: as for `--style`.
        preprocessing: overrides for a third-party network.
    """

    name: str
    preprocessing: PreprocessingOverrides = field(default_factory=PreprocessingOverrides)

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("the style has no name")


BRUSH_PICTURES = {
    "brush_mark": "a brush's mark",
    "brush_sizes": "a map of sizes",
    "brush_directions": "a map of directions",
    "mask": "a mask",
}
"""Fields of `SizeSpec` with paths of pictures or films, and their content."""

ALPHA, SUBJECT, FAR = "alpha", "subject", "far"
"""Names of masks: the film's own alpha, whatever stands out in its frames, and what is far from the lens."""

NAMED_MASKS = ALPHA, SUBJECT, FAR

MOST_GROWN, MOST_SOFTENED = 20.0, 20.0
"""Limits of growing and softening, in percent of a frame's shorter side."""


@dataclass(frozen=True, slots=True)
class SizeSpec:
    """Requested sizes (see `gpu.sizes.plan_sizes`), strokes and mask.

    Attributes:
        stroke: divisor from source to network input; "auto" reduces to `gpu.sizes.AUTO_LINES`.
        size: of the result, "WxH" or "Nx".
        max_size: longest side in pixels.
        brush_kind: of `models.brushes.PRESETS`.
        brush_mark: picture of the brush tip; None for bristles.
        few_strokes: skip the finest strokes.
        brush_sizes, brush_directions: pictures or films; numbered as "sizes/%05d.png".
        mask: picture, film or one of NAMED_MASKS: the area of `*_inside` in a look; None for people.
        mask_grow, mask_soften: percent of the frame's shorter side.
    """

    stroke: Annotated[
        float | Literal["auto"],
        Option(
            "Brush strokes N times as large: the network gets 1/N of the size; auto: 540 lines.",
            "size",
            "sizes",
            "0.2",
            range=(MIN_STROKE, MAX_STROKE),
            metavar="N|auto",
            keyframes=True,
        ),
    ] = "auto"
    size: Annotated[
        str | None,
        Option(
            "Size of the result: pixels, or times the source.",
            "size",
            "sizes",
            "0.2",
            metavar="WxH|Nx",
            accepts="tuple[int, int]",
        ),
    ] = None
    max_size: Annotated[
        int | None,
        Option(
            "Scale the result down to at most N pixels a side.",
            "size",
            "sizes",
            "0.2",
            range=(MIN_SIDE_PX, MAX_SIDE_PX),
            unit="pixels",
            metavar="N",
        ),
    ] = None
    brush_kind: Annotated[
        str | None,
        Option(
            "What the brush is: see `framebrush brushes`.",
            "brush",
            "strokes",
            "0.3",
            metavar="NAME",
            default="from the style",
        ),
    ] = None
    brush_mark: Annotated[
        str | None,
        Option(
            "The tip of a brush of your own: strokes are this picture, from its left to its right.",
            "brush",
            "strokes",
            "0.3",
            metavar="PICTURE",
            default="hairs",
            file=True,
        ),
    ] = None
    few_strokes: Annotated[
        bool, Option("Leave out the finest strokes, for a slow device.", "brush", "strokes", "0.3", off="all-strokes")
    ] = False
    brush_sizes: Annotated[
        str | None,
        Option(
            "A map of sizes, a picture or a video: fine strokes where it is black, broad ones where it is white.",
            "brush",
            "strokes",
            "0.3",
            metavar="MAP",
            default="by the film",
            file=True,
        ),
    ] = None
    brush_directions: Annotated[
        str | None,
        Option(
            "A map of directions: red is across and green is up, or strokes follow the forms of a grey one.",
            "brush",
            "strokes",
            "0.3",
            metavar="MAP",
            default="by the film",
            file=True,
        ),
    ] = None
    mask: Annotated[
        str | None,
        Option(
            "The area of inside and outside: a picture or a video, white inside; subject, whatever stands out; far, "
            "what is far away; or alpha, the film's own.",
            "subject",
            "strokes",
            "0.3",
            metavar="MASK|subject|far|alpha",
            default="people",
            file=True,
            accepts="npt.NDArray[Any]",
        ),
    ] = None
    mask_invert: Annotated[
        bool, Option("Exchange the inside and the outside of the mask.", "subject", "strokes", "0.3")
    ] = False
    mask_grow: Annotated[
        float,
        Option(
            "Grow the mask by this share of the frame's shorter side; below 0 it shrinks.",
            "subject",
            "strokes",
            "0.3",
            range=(-MOST_GROWN, MOST_GROWN),
            unit="percent",
        ),
    ] = 0.0
    mask_soften: Annotated[
        float,
        Option(
            "Soften the mask's edge over this share of the frame's shorter side.",
            "subject",
            "strokes",
            "0.3",
            range=(0, MOST_SOFTENED),
            unit="percent",
        ),
    ] = 0.0

    def __post_init__(self) -> None:
        check_ranges(self)
        if self.size is not None:
            _check_size(self.size)
        if self.brush_kind is not None:
            kind_named(self.brush_kind)  # raises for an unknown name
        for name, what in BRUSH_PICTURES.items():
            if getattr(self, name) == "":
                of = "a mask" if name == "mask" else f"the picture of {what}"
                raise ValueError(f"the name of {of} is empty")

    @property
    def brush_pictures(self) -> dict[str, Any]:
        """Return the fields with paths of pictures, as arguments of `replace`."""
        return {name: getattr(self, name) for name in BRUSH_PICTURES}

    def with_pictures(self, moved: Callable[[str], str | None]) -> Self:
        """Return a copy with mapped picture paths."""
        pictures: dict[str, Any] = {
            name: path if path is None or (name == "mask" and path in NAMED_MASKS) else moved(path)
            for name, path in self.brush_pictures.items()
        }
        return replace(self, **pictures)

    @property
    def mask_shape(self) -> tuple[bool, float, float]:
        """Mask changes: inverted, grown, softened."""
        return self.mask_invert, self.mask_grow, self.mask_soften

    @property
    def target(self) -> Size | float | None:
        """`size` as numbers: width and height, or a factor."""
        if self.size is None:
            return None
        if match := _PIXELS.fullmatch(self.size):
            return int(match[1]), int(match[2])
        return float(self.size.removesuffix("x"))


SOURCE_SIZE = SizeSpec()


@dataclass(frozen=True, slots=True)
class ColourSpec:
    """Requested colours, in addition to the style's.

    Attributes:
        palette: picture or frame such as "film.mp4@12.5"; "film" for the film's own.
        palette_from: picture or frame that represents the film.
        lut: a `.cube` file.
        lut_first: apply it before the style.
    """

    palette: Annotated[
        str | None,
        Option(
            "Where the painting's colours come from: a picture, or film for the film's own palette.",
            "colours",
            "finishing",
            "0.3",
            metavar="PICTURE|film",
            file=True,
        ),
    ] = None
    palette_from: Annotated[
        str | None,
        Option(
            "A picture, or a frame such as film.mp4@12.5, that represents the film when the palette is fitted.",
            "colours",
            "finishing",
            "0.3",
            metavar="PICTURE",
            default="each shot",
            file=True,
        ),
    ] = None
    lut: Annotated[
        str | None,
        Option(
            "A colour table (LUT), for the film or for the painting.",
            "colours",
            "finishing",
            "0.3",
            metavar="FILE.cube",
            file=True,
        ),
    ] = None
    lut_first: Annotated[
        bool, Option("Apply it to the film, or to the painting.", "colours", "network", "0.3", off="lut-last")
    ] = False

    def __post_init__(self) -> None:
        if "" in (self.palette, self.palette_from, self.lut):
            raise ValueError("the name of a picture or a colour table is empty")

    def with_names(self, moved: Callable[[str], str]) -> Self:
        """Return a copy with mapped file names."""
        palette, palette_from, lut = (name and moved(name) for name in (self.palette, self.palette_from, self.lut))
        return replace(self, palette=palette, palette_from=palette_from, lut=lut)


OWN_COLOURS = ColourSpec()


def _check_size(text: str) -> None:
    if match := _PIXELS.fullmatch(text):
        if all(MIN_SIDE_PX <= int(side) <= MAX_SIDE_PX for side in match.groups()):
            return
        raise ValueError(f"a size of {text} is not between {MIN_SIDE_PX} and {MAX_SIDE_PX} pixels a side")
    if match := _FACTOR.fullmatch(text):
        if 0 < float(match[1]) <= MAX_FACTOR:
            return
        raise ValueError(f"a size of {text} is not above 0x and at most {MAX_FACTOR:g}x")
    raise ValueError(f"'{text[:40]}' is not a size: give WxH in pixels, such as 1920x1080, or a factor such as 2x")
