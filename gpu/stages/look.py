"""How a painted frame is shown: what a user changes while it plays. None of it needs a new stylizer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    from framebrush.models.style import ModelCard

LAMP_DEGREES = 135.0
"""The upper left, as in a studio."""


FACES = 0.6
"""Of a style that is painted with strokes: a face of The Starry Night is of The Starry Night, and still that person."""


BY_MASKS = ("faces", "film_inside", "film_outside")
"""The fields of a look that count where a frame has masks."""


class ToneMap(StrEnum):
    """How HDR light is brought into the 203 nits that the network and the output know."""

    BT2390 = "bt2390"  # Report ITU-R BT.2390, 5.4.1
    HABLE = "hable"


class ToneCurve(StrEnum):
    """What happens to light that the exposure lifts above white. The peak of the curve is max(1, 2^exposure_ev)."""

    CLIP = "clip"
    REINHARD = "reinhard"  # extended, white at the peak
    HABLE = "hable"  # normalised to the peak


class LookKeywords(TypedDict, total=False):
    """The fields of `Look` as keyword arguments, by the names that the command line has for them."""

    strength: float
    steady: float
    brush: float | None
    detail: float
    relief: float | None
    canvas: float | None
    lamp: float
    keep_colours: bool
    exposure: float
    tone_curve: ToneCurve | Literal["clip", "reinhard", "hable"]
    tone_map: ToneMap | Literal["bt2390", "hable"]
    split: float | None
    dither: bool
    faces: float | None
    film_inside: float
    film_outside: float


@dataclass(frozen=True, slots=True)
class Look:
    """strength: 0 (source) .. 1 (painted), mixed in encoded R'G'B'. keep_colours: luma of the painting, chroma of the
    source. exposure_ev: stops, -4..4, applied in linear light. split: share of the width, from the left, that shows
    the source untouched; None for no divider. dither: ordered dither before the output is rounded. mix: weights of the
    paintings of a file that holds several, summing to 1; empty for the style's own. steady: 0 (each frame alone) .. 1,
    how unlike a neighbouring frame's source may be for its painting to be mixed in (`gpu.stages.steady`), where a
    stylizer has a temporal window. brush: 0 (the network's own picture) .. 1 (strokes, `gpu.stages.strokes`). detail: 0
    (none) .. 1, how much fine luma of the source is added to the painting (`gpu.stages.detail`). relief, canvas: 0
    (none) .. 1, the height of the paint, and of the weave that shows where it is thin (`gpu.stages.relief`).
    lamp_degrees: 0..360, where the light on them comes from, counter-clockwise from the right. brush, relief, canvas
    and faces are those of the style's card where they are None.

    Where a frame has masks (`gpu.stages.masks`): faces: 0 (painted like all else) .. 1, how much of the film's form
    comes into faces before the strokes. film_inside, film_outside: 0..1, how much of the film's own colours comes into
    the area of a mask, and outside it, before the strokes.

    Order, the same on every device: mix the film in, clip the network's output to 0..1, steady, resize, strokes, add
    detail and clip, relief and canvas, mix by strength, keep colours, exposure and curve, split, dither,
    round.
    """

    strength: float = 1.0
    keep_colours: bool = False
    exposure_ev: float = 0.0
    tone_curve: ToneCurve = ToneCurve.CLIP
    tone_map: ToneMap = ToneMap.BT2390
    split: float | None = None
    dither: bool = True
    mix: tuple[float, ...] = ()
    steady: float = 0.5
    detail: float = 0.0
    brush: float | None = None
    relief: float | None = None
    canvas: float | None = None
    lamp_degrees: float = LAMP_DEGREES
    faces: float | None = None
    film_inside: float = 0.0
    film_outside: float = 0.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.strength <= 1.0:
            raise ValueError(f"strength {self.strength:g} is not between 0 and 1")
        if not -4.0 <= self.exposure_ev <= 4.0:
            raise ValueError(f"exposure {self.exposure_ev:g} is not between -4 and 4 stops")
        if self.split is not None and not 0.0 <= self.split <= 1.0:
            raise ValueError(f"split {self.split:g} is not between 0 and 1")
        shares = {"steadiness": self.steady, "detail": self.detail}
        shares |= {"film inside": self.film_inside, "film outside": self.film_outside}
        shares_of_cards = {"brush": self.brush, "relief": self.relief, "canvas": self.canvas, "faces": self.faces}
        for name, value in {**shares, **shares_of_cards}.items():
            if value is not None and not 0.0 <= value <= 1.0:
                raise ValueError(f"{name} {value:g} is not between 0 and 1")
        if not 0.0 <= self.lamp_degrees <= 360.0:
            raise ValueError(f"lamp {self.lamp_degrees:g} is not between 0 and 360 degrees")
        if self.mix and (min(self.mix) < 0.0 or abs(sum(self.mix) - 1.0) > 1e-3):
            raise ValueError(f"style weights {self.mix} do not sum to 1")

    @property
    def shows_source(self) -> bool:
        """Whether any of the source is visible, so that the output has to read it."""
        return self.strength < 1.0 or self.keep_colours or bool(self.split) or self.detail > 0.0

    @property
    def at_submit(self) -> tuple[object, ...]:
        """The values that count when a frame is submitted: a change of them needs the frame to be painted again."""
        return self.mix, self.tone_map, *(getattr(self, name) for name in BY_MASKS)

    @property
    def needs_area(self) -> bool:
        """Whether anything differs inside and outside the area of a mask."""
        return bool(self.film_inside or self.film_outside)

    @property
    def needs_masks(self) -> bool:
        """Whether masks of a frame change its picture."""
        return bool(self.faces) or self.needs_area

    @property
    def grades(self) -> bool:
        """Whether anything changes what was mixed of painting and source. At 0 stops only Hable's curve does."""
        return self.exposure_ev != 0.0 or self.tone_curve is ToneCurve.HABLE

    @property
    def raises(self) -> bool:
        """Whether the paint or the canvas has a height, which a lamp lights."""
        return bool(self.relief) or bool(self.canvas)

    def of(self, card: ModelCard) -> Look:
        """The look with what it leaves to the style's card."""
        return replace(
            self,
            brush=card.brush if self.brush is None else self.brush,
            relief=card.relief if self.relief is None else self.relief,
            canvas=card.canvas if self.canvas is None else self.canvas,
            steady=self.steady if card.paints else 0.0,
            faces=(FACES if card.brush else 0.0) if self.faces is None else self.faces,
        )
