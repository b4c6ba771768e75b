"""The look of a painted frame: settings that can change during playback."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from framebrush.base.option import Option, check_ranges

if TYPE_CHECKING:
    from framebrush.models.style import ModelCard

LAMP_DEGREES = 135.0
"""The upper left, as in a studio."""


FACES = 0.6
"""Of a style that is painted with strokes: a face of The Starry Night is of The Starry Night, and still that person."""


BY_MASKS = ("faces", "focus", "film_inside", "film_outside", "photo_inside", "photo_outside")
"""The fields of a look that count where a frame has masks."""


class ToneMap(StrEnum):
    """Mapping of HDR light into 203 nits."""

    BT2390 = "bt2390"  # Report ITU-R BT.2390, 5.4.1
    HABLE = "hable"


class ToneCurve(StrEnum):
    """Treatment of light above white. The curve's peak is max(1, 2^exposure_ev)."""

    CLIP = "clip"
    REINHARD = "reinhard"  # extended, white at the peak
    HABLE = "hable"  # normalised to the peak


_FROM_STYLE = "from the style"


@dataclass(frozen=True, slots=True)
class Look:
    """Look of a frame.

    All shares are 0..1; brush, relief, canvas and faces of None are the style card's.

    Order on every device: mix the film in, clip to 0..1, steady, resize, strokes, detail, relief and canvas, mix by
    strength and photo, keep colours, exposure and curve, split, dither, round.

    Attributes:
        strength: 0 (source) .. 1 (painted), mixed in encoded R'G'B'.
        keep_colours: luma of the painting, chroma of the source.
        exposure_ev: stops, -4..4, in linear light.
        split: share of the width, from the left, that shows the source.
        mix: weights of the file's paintings, sum 1; empty for the style's.
        steady: how unlike a neighbour may be (`gpu.stages.steady`).
        brush: 0 (the network's picture) .. 1 (strokes).
        detail: share of the source's fine luma.
        relief, canvas: height of paint, and of the weave where it is thin.
        lamp_degrees: 0..360, direction of light, counter-clockwise from the right.
        faces: share of the film's form in faces.
        focus: how much finer strokes are inside a mask's area, and broader outside.
        film_inside, film_outside: share of the film's colours inside and outside a mask, before the strokes.
        photo_inside, photo_outside: share that stays a photograph.
    """

    strength: Annotated[
        float, Option("0 is the source, 1 the painting.", "look", "finishing", "0.2", range=(0, 1), keyframes=True)
    ] = 1.0
    keep_colours: Annotated[
        bool, Option("Keep the film's colours, pixel by pixel: only luma is painted.", "colours", "finishing", "0.2")
    ] = False
    exposure_ev: Annotated[
        float,
        Option(
            "Brighten or darken, in stops.",
            "look",
            "finishing",
            "0.2",
            range=(-4, 4),
            unit="stops",
            keyframes=True,
            name="exposure",
        ),
    ] = 0.0
    tone_curve: Annotated[ToneCurve, Option("How values above white are handled.", "look", "finishing", "0.2")] = (
        ToneCurve.CLIP
    )
    tone_map: Annotated[ToneMap, Option("How HDR video is mapped to SDR.", "look", "network", "0.2")] = ToneMap.BT2390
    split: Annotated[
        float | None,
        Option(
            "Show the source left of this share of the width.", "look", "nothing", "0.2", range=(0, 1), keyframes=True
        ),
    ] = None
    dither: Annotated[bool, Option("Dither before rounding to the output's bits.", "look", "finishing", "0.2")] = True
    mix: tuple[float, ...] = ()
    steady: Annotated[
        float,
        Option(
            "Blend with neighbouring frames where the source matches; 0: off.",
            "look",
            "strokes",
            "0.2",
            range=(0, 1),
            keyframes=True,
        ),
    ] = 0.5
    detail: Annotated[
        float,
        Option(
            "Bring back the source's fine luma detail over broad strokes.",
            "look",
            "finishing",
            "0.2",
            range=(0, 1),
            keyframes=True,
        ),
    ] = 0.0
    brush: Annotated[
        float | None,
        Option(
            "Turn the painting into brush strokes.",
            "brush",
            "strokes",
            "0.3",
            range=(0, 1),
            keyframes=True,
            default=_FROM_STYLE,
        ),
    ] = None
    relief: Annotated[
        float | None,
        Option(
            "Thickness of the paint.", "brush", "finishing", "0.3", range=(0, 1), keyframes=True, default=_FROM_STYLE
        ),
    ] = None
    canvas: Annotated[
        float | None,
        Option(
            "Canvas weave that shows where the paint is thin.",
            "brush",
            "finishing",
            "0.3",
            range=(0, 1),
            keyframes=True,
            default=_FROM_STYLE,
        ),
    ] = None
    lamp_degrees: Annotated[
        float,
        Option(
            "Where the light comes from; 90 is above.",
            "brush",
            "finishing",
            "0.3",
            range=(0, 360),
            unit="degrees",
            keyframes=True,
            name="lamp",
        ),
    ] = LAMP_DEGREES
    faces: Annotated[
        float | None,
        Option(
            "How much of a person's face comes through the painting; 0: painted like all else.",
            "subject",
            "strokes",
            "0.3",
            range=(0, 1),
            keyframes=True,
            default=_FROM_STYLE,
        ),
    ] = None
    focus: Annotated[
        float,
        Option(
            "Fine strokes on the mask's inside, people by default, and broad ones around it.",
            "subject",
            "strokes",
            "0.3",
            range=(0, 1),
            keyframes=True,
        ),
    ] = 0.0
    film_inside: Annotated[
        float,
        Option(
            "The inside of the mask, people by default, in its own colours, painted.",
            "subject",
            "strokes",
            "0.3",
            range=(0, 1),
            keyframes=True,
        ),
    ] = 0.0
    film_outside: Annotated[
        float,
        Option(
            "The outside of the mask in its own colours, painted.",
            "subject",
            "strokes",
            "0.3",
            range=(0, 1),
            keyframes=True,
        ),
    ] = 0.0
    photo_inside: Annotated[
        float,
        Option(
            "The inside of the mask, people by default, left as a photograph.",
            "subject",
            "finishing",
            "0.3",
            range=(0, 1),
            keyframes=True,
        ),
    ] = 0.0
    photo_outside: Annotated[
        float,
        Option(
            "The outside of the mask left as a photograph.",
            "subject",
            "finishing",
            "0.3",
            range=(0, 1),
            keyframes=True,
        ),
    ] = 0.0

    def __post_init__(self) -> None:
        check_ranges(self)
        if self.mix and (min(self.mix) < 0.0 or abs(sum(self.mix) - 1.0) > 1e-3):
            raise ValueError(f"style weights {self.mix} do not sum to 1")

    @property
    def shows_source(self) -> bool:
        """Return whether any of the source is visible."""
        return (
            self.strength < 1.0 or self.keep_colours or bool(self.split) or self.detail > 0.0 or self.leaves_photograph
        )

    @property
    def leaves_photograph(self) -> bool:
        """Return whether a part stays a photograph."""
        return bool(self.photo_inside or self.photo_outside)

    @property
    def at_submit(self) -> tuple[object, ...]:
        """Return the values whose change needs repainting."""
        return self.mix, self.tone_map, *(getattr(self, name) for name in BY_MASKS)

    @property
    def needs_area(self) -> bool:
        """Return whether inside and outside of a mask differ."""
        return bool(self.film_inside or self.film_outside or self.focus) or self.leaves_photograph

    @property
    def outside(self) -> bool:
        """Return whether anything applies outside the area."""
        return bool(self.film_outside or self.photo_outside)

    @property
    def needs_masks(self) -> bool:
        """Return whether masks change a frame's picture."""
        return bool(self.faces) or self.needs_area

    @property
    def grades(self) -> bool:
        """Return whether the mix of painting and source is changed."""
        return self.exposure_ev != 0.0 or self.tone_curve is ToneCurve.HABLE

    @property
    def raises(self) -> bool:
        """Return whether paint or canvas has height."""
        return bool(self.relief) or bool(self.canvas)

    def of(self, card: ModelCard) -> Look:
        """Return the look with defaults from the style's card."""
        return replace(
            self,
            brush=card.brush if self.brush is None else self.brush,
            relief=card.relief if self.relief is None else self.relief,
            canvas=card.canvas if self.canvas is None else self.canvas,
            steady=self.steady if card.paints else 0.0,
            faces=(FACES if card.brush else 0.0) if self.faces is None else self.faces,
        )
