"""Requested style, sizes, strokes, mask and colours."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, Self

from framebrush.base.option import Option, check_ranges
from framebrush.base.translators import QT_TRANSLATE_NOOP
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import MAX_STROKE, MIN_STROKE, Size, Sizes, plan_sizes
from framebrush.models.brushes import kind_named
from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.style import ModelCard

MIN_SIDE_PX, MAX_SIDE_PX = 16, 16384  # results are no larger than inputs may be: see media/reading/open.py
MAX_FACTOR = 16.0

_PIXELS = re.compile(r"(\d{1,5})x(\d{1,5})", re.ASCII)
_FACTOR = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)x", re.ASCII)


@dataclass(frozen=True, slots=True)
class StyleSpec:
    """Requested style, named as for `--style`."""

    name: str
    preprocessing: PreprocessingOverrides = field(default_factory=PreprocessingOverrides)

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("the style has no name")


BRUSH_PICTURES = {
    "brush_mark": "a brush tip",
    "brush_sizes": "a map of sizes",
    "brush_directions": "a map of directions",
    "mask": "a mask",
}
"""Fields of `SizeSpec` with paths of pictures or films, and their content."""

STROKE_FILES = {**BRUSH_PICTURES, "mask_corrections": "corrections of masks"}
"""Fields of `SizeSpec` with paths of any files, and their content."""

ALPHA, SUBJECT, FAR = "alpha", "subject", "far"
"""Names of masks: the film's own alpha, whatever stands out in its frames, and what is far from the lens."""

FILM = "film"
"""Value of `--palette` for the film's own colours."""

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
        brush_sizes, brush_directions: pictures or films; numbered as "sizes/%05d.png".
        mask: picture, film or one of NAMED_MASKS, for `*_inside`; None for people.
        mask_grow, mask_soften: percent of the shorter side.
    """

    stroke: Annotated[
        float | Literal["auto"],
        Option(
            "Make brush strokes N times as large: the network runs at 1/N of the size; auto: at 540 lines.",
            "size",
            "sizes",
            "0.2",
            range=(MIN_STROKE, MAX_STROKE),
            metavar="N|auto",
            keyframes=True,
            remembered=True,
        ),
    ] = "auto"
    size: Annotated[
        str | None,
        Option(
            "Size of the result, in pixels or as a multiple of the source.",
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
            "Scale the result down until neither side exceeds N pixels.",
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
            "Kind of brush: see `framebrush brushes`.",
            "brush",
            "strokes",
            "0.3",
            metavar="NAME",
            default="from the style",
            remembered=True,
            summary="{brush}",
        ),
    ] = None
    brush_mark: Annotated[
        str | None,
        Option(
            "Brush tip of your own: a stroke is this picture, drawn from left to right along its path.",
            "brush",
            "strokes",
            "0.3",
            metavar="PICTURE",
            default="hairs",
            file=True,
            remembered=True,
            summary=QT_TRANSLATE_NOOP("Options", "brush {name}"),
        ),
    ] = None
    few_strokes: Annotated[
        bool,
        Option(
            "Leave out the finest strokes, for slow devices.",
            "brush",
            "strokes",
            "0.3",
            off="all-strokes",
            remembered=True,
            summary=QT_TRANSLATE_NOOP("Options", "fewer strokes"),
        ),
    ] = False
    brush_sizes: Annotated[
        str | None,
        Option(
            "Map of stroke sizes, a picture or video: fine where it is black, broad where it is white.",
            "brush",
            "strokes",
            "0.3",
            metavar="MAP",
            default="by the film",
            file=True,
            summary=QT_TRANSLATE_NOOP("Options", "sizes by {name}"),
        ),
    ] = None
    brush_directions: Annotated[
        str | None,
        Option(
            "Map of stroke directions: red points across, green up; along the shapes of a grey map.",
            "brush",
            "strokes",
            "0.3",
            metavar="MAP",
            default="by the film",
            file=True,
            summary=QT_TRANSLATE_NOOP("Options", "directions by {name}"),
        ),
    ] = None
    mask: Annotated[
        str | None,
        Option(
            "Mask of inside and outside: a picture or video, white inside; subject (whatever stands out); "
            "far (the background); or alpha (the film's alpha channel).",
            "subject",
            "strokes",
            "0.3",
            metavar="MASK|subject|far|alpha",
            default="people",
            file=True,
            accepts="npt.NDArray[Any]",
            summary=QT_TRANSLATE_NOOP("Options", "mask {name}"),
        ),
    ] = None
    mask_invert: Annotated[
        bool, Option("Swap the inside and the outside of the mask.", "subject", "strokes", "0.3")
    ] = False
    mask_grow: Annotated[
        float,
        Option(
            "Grow the mask by this share of the frame's shorter side, or shrink it below 0.",
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
    mask_corrections: Annotated[
        str | None,
        Option(
            "Corrections of the mask and of faces, painted in the window: its FILM.keys/mask.json.",
            "subject",
            "strokes",
            "0.3",
            metavar="FILE",
            file=True,
        ),
    ] = None

    def __post_init__(self) -> None:
        check_ranges(self)
        if self.size is not None:
            _check_size(self.size)
        if self.brush_kind is not None:
            kind_named(self.brush_kind)  # raises for an unknown name
        for name, what in STROKE_FILES.items():
            if getattr(self, name) == "":
                of = what if name.startswith("mask") else f"the picture of {what}"
                raise ValueError(f"the name of {of} is empty")

    @property
    def brush_pictures(self) -> dict[str, Any]:
        """Return the fields with file paths, for `replace`."""
        return {name: getattr(self, name) for name in STROKE_FILES}

    def with_pictures(self, moved: Callable[[str], str | None]) -> Self:
        """Return a copy with paths mapped by a function."""
        pictures: dict[str, Any] = {
            name: path if path is None or (name == "mask" and path in NAMED_MASKS) else moved(path)
            for name, path in self.brush_pictures.items()
        }
        return replace(self, **pictures)

    def planned(self, source: Size, card: ModelCard) -> Sizes:
        """Return the sizes of a film in a style. Raises ValueError."""
        return plan_sizes(source, card, stroke=self.stroke, size=self.target, max_size=self.max_size)

    def sized_as(self, other: SizeSpec) -> Self:
        """Return a copy with another's result size."""
        return replace(self, size=other.size, max_size=other.max_size)

    def sized_by(self, other: SizeSpec) -> Self:
        """Return a copy with another's result size, if any."""
        return self.sized(other.size)

    def sized(self, size: str | None) -> Self:
        """Return a copy with a result size, unless None."""
        return self if size is None else self.sized_as(SizeSpec(size=size))

    @property
    def resizes(self) -> bool:
        return self.size is not None or self.max_size is not None

    @property
    def plain(self) -> SizeSpec:
        """Return the sizes with the style's brush, without maps and mask."""
        return SizeSpec(self.stroke, few_strokes=self.few_strokes).in_film_of(self)

    def with_area_for(self, look: Look) -> Self:
        """Return a copy with a mask, by default the subject, if a look needs one."""
        return self if look.needs_area else replace(self, mask=self.mask or SUBJECT)

    def used_by(self, look: Look) -> Self:
        """Return a copy, without the mask if the look needs none."""
        return self if look.needs_area else replace(self, mask=None)

    @property
    def by_alpha(self) -> bool:
        """Return whether the mask is the film's alpha."""
        return self.mask == ALPHA

    @property
    def by_figures(self) -> bool:
        """Return whether the mask is people, or the most salient object."""
        return self.mask in (None, SUBJECT)

    @property
    def of_any_film(self) -> Self:
        """Return a copy without result size and mask corrections."""
        return replace(self, size=None, max_size=None, mask_corrections=None)

    def in_film_of(self, other: SizeSpec) -> Self:
        """Return a copy with another's result size and corrections."""
        return replace(self, size=other.size, max_size=other.max_size, mask_corrections=other.mask_corrections)

    @property
    def without_masks(self) -> Self:
        """Return the sizes without maps and masks."""
        bare = replace(self, mask=None, mask_corrections=None, brush_sizes=None, brush_directions=None)
        return replace(bare, mask_invert=False, mask_grow=0.0, mask_soften=0.0)

    @property
    def mask_shape(self) -> tuple[bool, float, float]:
        """Return changes of the mask: inverted, grown, softened."""
        return self.mask_invert, self.mask_grow, self.mask_soften

    @property
    def target(self) -> Size | float | None:
        """Return `size` as width and height, or a factor."""
        if self.size is None:
            return None
        if match := _PIXELS.fullmatch(self.size):
            return int(match[1]), int(match[2])
        return float(self.size.removesuffix("x"))


SOURCE_SIZE = SizeSpec()


@dataclass(frozen=True, slots=True)
class ColourSpec:
    """Requested colours and second style.

    Attributes:
        second: as for `--style`; a look says where.
        palette: picture or frame such as "film.mp4@12.5"; "film" for the film's own.
        palette_from: picture or frame representing the film.
    """

    palette: Annotated[
        str | None,
        Option(
            "Take the painting's palette from a picture, or from the film itself (film).",
            "colours",
            "finishing",
            "0.3",
            metavar="PICTURE|film",
            file=True,
            summary=QT_TRANSLATE_NOOP("Options", "colours of {picture}"),
            summary_of=((FILM, QT_TRANSLATE_NOOP("Options", "film's palette")),),
        ),
    ] = None
    palette_from: Annotated[
        str | None,
        Option(
            "Picture or frame (film.mp4@12.5) that stands for the whole film when the palette is fitted.",
            "colours",
            "finishing",
            "0.3",
            metavar="PICTURE",
            default="each shot",
            file=True,
            summary=QT_TRANSLATE_NOOP("Options", "fitted to {picture}"),
        ),
    ] = None
    lut: Annotated[
        str | None,
        Option(
            "Colour table (LUT) for the film or for the painting.",
            "colours",
            "finishing",
            "0.3",
            metavar="FILE.cube",
            file=True,
            summary=QT_TRANSLATE_NOOP("Options", "table {name}"),
        ),
    ] = None
    lut_first: Annotated[
        bool,
        Option(
            "Apply the LUT to the film (first) or to the painting (last).", "colours", "network", "0.3", off="lut-last"
        ),
    ] = False
    second: Annotated[
        str | None,
        Option(
            "Second style, for the inside or the outside of the mask.",
            "subject",
            "network",
            "0.3",
            metavar="STYLE",
            file=True,
            summary=QT_TRANSLATE_NOOP("Options", "second style {styles}"),
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.second == "":
            raise ValueError("the second style has no name")
        if "" in (self.palette, self.palette_from, self.lut):
            raise ValueError("the name of a picture or a colour table is empty")

    @property
    def names(self) -> tuple[str, ...]:
        """Return names of pictures, tables and styles."""
        return tuple(filter(None, (self.palette, self.palette_from, self.lut, self.second)))

    def has_second_of(self, other: ColourSpec) -> bool:
        """Return whether there is a second style, equal to another's."""
        return self.second is not None and self.second == other.second

    def with_names(self, moved: Callable[[str], str | None]) -> Self:
        """Return a copy with names mapped by a function."""
        names = self.palette, self.palette_from, self.lut, self.second
        palette, palette_from, lut, second = (name and moved(name) for name in names)
        return replace(self, palette=palette, palette_from=palette_from, lut=lut, second=second)

    def used_by(self, look: Look) -> Self:
        """Return a copy without unneeded palette or second style."""
        used = self if look.needs_second else replace(self, second=None)
        return replace(used, palette=None) if look.keep_colours else used


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
