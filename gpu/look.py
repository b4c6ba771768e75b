"""Look of a painted frame: settings that playback can change."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated

from framebrush.base.option import Option, Row, check_ranges
from framebrush.base.remedy import ImpossibleError
from framebrush.base.translators import QT_TRANSLATE_NOOP
from framebrush.gpu.unfinished import Unfinished

if TYPE_CHECKING:
    from framebrush.models.style import ModelCard

LAMP_DEGREES = 135.0
"""The upper left, as in a studio."""

FACES = 0.6
"""Default of `faces` for styles with strokes: faces are painted in the style, and people stay recognisable."""

SECOND = ("second_inside", "second_outside")
"""The fields of a look that count with a second style."""

BY_MASKS = (
    "faces",
    "focus",
    "film_inside",
    "film_outside",
    "photo_inside",
    "photo_outside",
    *SECOND,
)
"""The fields of a look that count where a frame has masks."""


class ToneMap(StrEnum):
    """Mapping of HDR light into 203 nits."""

    BT2390 = "bt2390"  # Report ITU-R BT.2390, 5.4.1
    HABLE = "hable"


class ToneCurve(StrEnum):
    """Treatment of light above white; the peak is max(1, 2^exposure_ev)."""

    CLIP = "clip"
    REINHARD = "reinhard"  # extended, white at the peak
    HABLE = "hable"  # normalised to the peak


_FROM_STYLE, _TITLE_AND_SHARE = "from the style", "{title} {percent}"


def strokeless() -> ImpossibleError:
    """Return the error for readers of strokes."""
    return ImpossibleError("this look has no strokes", do="give --brush a value above 0")


@dataclass(frozen=True, slots=True)
class Look:
    """Look of a frame; shares are 0..1.

    The style card's brush, relief, canvas and faces replace None. Order on every device: mix the second style and the
    film in, clip to 0..1, steady, resize, strokes, detail, relief and canvas, mix by strength and photo, keep colours,
    saturation, exposure and curve, split, dither, round.

    Attributes:
        strength: mixes encoded R'G'B'.
        keep_colours: luma of the painting, Cb and Cr of the source.
        exposure_ev: stops, in linear light.
        saturation: 0 (grey) .. 1 (unchanged) .. 2.
        mix: weights of the file's paintings, sum 1; empty for the style's.
        steady: tolerated difference of a neighbour.
        lamp_degrees: counter-clockwise from the right.
        film_inside, film_outside, second_inside, second_outside: shares inside and outside a mask, before the strokes.
        photo_inside, photo_outside: shares that stay a photograph.
        part: of an unfinished painting; None for the whole.
    """

    strength: Annotated[
        float,
        Option(
            "Share of the painting: 0 is the source, 1 the painting.",
            "look",
            "finishing",
            "0.2",
            range=(0, 1),
            keyframes=True,
            row=Row(
                "style",
                QT_TRANSLATE_NOOP("Options", "Strength"),
                QT_TRANSLATE_NOOP("Options", "Blends the painting with the source; 100% shows only the painting"),
            ),
            summary="{percent}",
        ),
    ] = 1.0
    keep_colours: Annotated[
        bool,
        Option(
            "Keep the colour of every pixel of the film; only luma is painted.",
            "colours",
            "finishing",
            "0.2",
            summary=QT_TRANSLATE_NOOP("Options", "film's colours, pixel by pixel"),
        ),
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
            row=Row(
                "light",
                QT_TRANSLATE_NOOP("Options", "Exposure"),
                QT_TRANSLATE_NOOP("Options", "Brighter or darker: one stop doubles or halves the light"),
            ),
            summary=QT_TRANSLATE_NOOP("Options", "{number} stops"),
        ),
    ] = 0.0
    tone_curve: Annotated[
        ToneCurve,
        Option(
            "Treatment of values above white.",
            "look",
            "finishing",
            "0.2",
            row=Row(
                "light",
                QT_TRANSLATE_NOOP("Options", "Highlights"),
                QT_TRANSLATE_NOOP(
                    "Options", "What becomes of parts that are brighter than white: cut off, or compressed"
                ),
                words=(QT_TRANSLATE_NOOP("Options", "Clip"), "Reinhard", "Hable"),
            ),
        ),
    ] = ToneCurve.CLIP
    tone_map: Annotated[
        ToneMap,
        Option(
            "Tone mapping from HDR to SDR.",
            "look",
            "network",
            "0.2",
            row=Row(
                "light",
                QT_TRANSLATE_NOOP("Options", "HDR to SDR"),
                QT_TRANSLATE_NOOP("Options", "How the brightness of an HDR film is fitted to the screen"),
                needs="hdr",
                words=("BT.2390", "Hable"),
            ),
        ),
    ] = ToneMap.BT2390
    saturation: Annotated[
        float,
        Option(
            "Colour saturation: 0 is grey, 1 unchanged, 2 doubled.",
            "look",
            "finishing",
            "0.3",
            range=(0, 2),
            keyframes=True,
            row=Row(
                "colour",
                QT_TRANSLATE_NOOP("Options", "Saturation"),
                QT_TRANSLATE_NOOP("Options", "Paler or stronger colours; 100% leaves them as they are"),
            ),
            summary=_TITLE_AND_SHARE,
        ),
    ] = 1.0
    split: Annotated[
        float | None,
        Option(
            "Show the source in the left part of the picture, up to this share of the width.",
            "look",
            "nothing",
            "0.2",
            range=(0, 1),
            keyframes=True,
        ),
    ] = None
    dither: Annotated[bool, Option("Dither to the output's bit depth.", "look", "finishing", "0.2")] = True
    mix: tuple[float, ...] = ()
    steady: Annotated[
        float,
        Option(
            "Reduce flicker by blending neighbouring frames where the source matches; 0 is off.",
            "look",
            "strokes",
            "0.2",
            range=(0, 1),
            keyframes=True,
            row=Row(
                "time",
                QT_TRANSLATE_NOOP("Options", "Steadiness"),
                QT_TRANSLATE_NOOP("Options", "Less flicker from frame to frame"),
                needs="style",
            ),
        ),
    ] = 0.5
    detail: Annotated[
        float,
        Option(
            "Restore the source's fine luma detail over broad strokes.",
            "look",
            "finishing",
            "0.2",
            range=(0, 1),
            keyframes=True,
            row=Row(
                "style",
                QT_TRANSLATE_NOOP("Options", "Detail"),
                QT_TRANSLATE_NOOP("Options", "Fine detail of the source over broad strokes: faces stay recognisable"),
            ),
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
            row=Row(
                "brush",
                QT_TRANSLATE_NOOP("Options", "Brush"),
                QT_TRANSLATE_NOOP("Options", "How far brush strokes replace what is below them"),
            ),
            summary=_TITLE_AND_SHARE,
        ),
    ] = None
    relief: Annotated[
        float | None,
        Option(
            "Thickness of the paint.",
            "brush",
            "finishing",
            "0.3",
            range=(0, 1),
            keyframes=True,
            default=_FROM_STYLE,
            row=Row(
                "brush",
                QT_TRANSLATE_NOOP("Options", "Relief"),
                QT_TRANSLATE_NOOP("Options", "How thick the paint is, with marks of the bristles"),
            ),
            summary=_TITLE_AND_SHARE,
        ),
    ] = None
    canvas: Annotated[
        float | None,
        Option(
            "Canvas weave, visible where the paint is thin.",
            "brush",
            "finishing",
            "0.3",
            range=(0, 1),
            keyframes=True,
            default=_FROM_STYLE,
            row=Row(
                "brush",
                QT_TRANSLATE_NOOP("Options", "Canvas"),
                QT_TRANSLATE_NOOP("Options", "Canvas weave, visible where the paint is thin"),
                advanced=True,
            ),
            summary=_TITLE_AND_SHARE,
        ),
    ] = None
    lamp_degrees: Annotated[
        float,
        Option(
            "Direction of the light on the relief; 90 is from above.",
            "brush",
            "finishing",
            "0.3",
            range=(0, 360),
            unit="degrees",
            keyframes=True,
            name="lamp",
            row=Row(
                "brush",
                QT_TRANSLATE_NOOP("Options", "Lamp"),
                QT_TRANSLATE_NOOP(
                    "Options",
                    "Where the light on relief and canvas comes from: 0° right, 90° above, 180° left",
                ),
                advanced=True,
            ),
        ),
    ] = LAMP_DEGREES
    faces: Annotated[
        float | None,
        Option(
            "How much of people's faces shows through the painting; 0 paints them like everything else.",
            "subject",
            "strokes",
            "0.3",
            range=(0, 1),
            keyframes=True,
            default=_FROM_STYLE,
            row=Row(
                "subject",
                QT_TRANSLATE_NOOP("Options", "Faces"),
                QT_TRANSLATE_NOOP("Options", "How much of a face comes through the painting"),
                last=True,
            ),
        ),
    ] = None
    focus: Annotated[
        float,
        Option(
            "Fine strokes inside the mask (people by default), and broader ones with the distance from it.",
            "subject",
            "strokes",
            "0.3",
            range=(0, 1),
            keyframes=True,
            row=Row(
                "subject",
                QT_TRANSLATE_NOOP("Options", "Focus"),
                QT_TRANSLATE_NOOP("Options", "Fine strokes in the area, and broad ones around it"),
                last=True,
            ),
        ),
    ] = 0.0
    film_inside: Annotated[
        float,
        Option(
            "Paint inside the mask (people by default) in the film's own colours.",
            "subject",
            "strokes",
            "0.3",
            range=(0, 1),
            keyframes=True,
            row=Row(
                "subject",
                QT_TRANSLATE_NOOP("Options", "Inside"),
                QT_TRANSLATE_NOOP("Options", "How far the area keeps its own colours, painted"),
                advanced=True,
            ),
        ),
    ] = 0.0
    film_outside: Annotated[
        float,
        Option(
            "Paint outside the mask in the film's own colours.",
            "subject",
            "strokes",
            "0.3",
            range=(0, 1),
            keyframes=True,
            row=Row(
                "subject",
                QT_TRANSLATE_NOOP("Options", "Around it"),
                QT_TRANSLATE_NOOP("Options", "How far everything around the area keeps its own colours, painted"),
                advanced=True,
            ),
        ),
    ] = 0.0
    photo_inside: Annotated[
        float,
        Option(
            "Leave the inside of the mask (people by default) unpainted.",
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
            "Leave the outside of the mask unpainted.",
            "subject",
            "finishing",
            "0.3",
            range=(0, 1),
            keyframes=True,
        ),
    ] = 0.0
    second_inside: Annotated[
        float,
        Option(
            "Paint inside the mask (people by default) in the second style.",
            "subject",
            "network",
            "0.3",
            range=(0, 1),
            keyframes=True,
            row=Row(
                "subject",
                QT_TRANSLATE_NOOP("Options", "Second inside"),
                QT_TRANSLATE_NOOP("Options", "How far the area is painted in the second style"),
            ),
        ),
    ] = 0.0
    second_outside: Annotated[
        float,
        Option(
            "Paint outside the mask in the second style.",
            "subject",
            "network",
            "0.3",
            range=(0, 1),
            keyframes=True,
            row=Row(
                "subject",
                QT_TRANSLATE_NOOP("Options", "Second around"),
                QT_TRANSLATE_NOOP("Options", "How far everything around the area is painted in the second style"),
            ),
        ),
    ] = 0.0
    part: Unfinished | None = None

    def __post_init__(self) -> None:
        check_ranges(self)
        if self.mix and (min(self.mix) < 0.0 or abs(sum(self.mix) - 1.0) > 1e-3):
            raise ValueError(f"style weights {self.mix} do not sum to 1")

    @property
    def shows_source(self) -> bool:
        """Whether any of the source is visible."""
        return (
            self.strength < 1.0 or self.keep_colours or bool(self.split) or self.needs_detail or self.leaves_photograph
        )

    @property
    def hides_painting(self) -> bool:
        """Whether none of the painting is visible."""
        return self.strength == 0.0

    @property
    def leaves_photograph(self) -> bool:
        """Whether a part stays a photograph."""
        return bool(self.photo_inside or self.photo_outside)

    @property
    def needs_second(self) -> bool:
        """Whether a part has the second style."""
        return any(getattr(self, name) for name in SECOND)

    @property
    def mixes(self) -> bool:
        """Whether masks mix anything in before the strokes."""
        return bool(self.faces or self.film_inside or self.film_outside) or self.needs_second

    @property
    def at_submit(self) -> tuple[object, ...]:
        """Values that need repainting if changed."""
        return self.mix, self.at_convert, *(getattr(self, name) for name in BY_MASKS)

    @property
    def at_convert(self) -> object:
        """Values that determine the network's input."""
        return self.tone_map

    @property
    def needs_area(self) -> bool:
        """Whether a mask's inside and outside differ."""
        mixes_film = bool(self.film_inside or self.film_outside)
        return mixes_film or self.needs_second or self.leaves_photograph or bool(self.focus)

    @property
    def outside(self) -> bool:
        """Whether anything applies outside the area."""
        return bool(self.film_outside or self.photo_outside or self.second_outside)

    @property
    def needs_faces(self) -> bool:
        """Whether faces change the picture."""
        return bool(self.faces)

    @property
    def needs_masks(self) -> bool:
        """Whether masks change the picture."""
        return self.needs_faces or self.needs_area

    @property
    def needs_neighbours(self) -> bool:
        """Whether neighbours are blended in."""
        return bool(self.steady)

    @property
    def needs_detail(self) -> bool:
        """Whether fine luma is added."""
        return bool(self.detail)

    @property
    def raised_detail(self) -> float:
        """Share of fine luma in the paint, not the output."""
        return self.detail if self.raises else 0.0

    @property
    def grades(self) -> bool:
        """Whether saturation, exposure or curve change the picture."""
        return self.saturates or self.exposes

    @property
    def saturates(self) -> bool:
        return self.saturation != 1.0

    @property
    def exposes(self) -> bool:
        return self.exposure_ev != 0.0 or self.tone_curve is ToneCurve.HABLE

    @property
    def draws(self) -> bool:
        """Whether strokes are drawn."""
        return bool(self.brush)

    @property
    def raises(self) -> bool:
        """Whether paint or canvas has height."""
        return bool(self.relief) or bool(self.canvas)

    @property
    def finishes(self) -> bool:
        """Whether strokes or relief are drawn."""
        return self.draws or self.raises

    @property
    def changes_source(self) -> bool:
        """Whether frames change without network and tables."""
        return self.finishes or self.needs_detail

    @property
    def compares(self) -> bool:
        """Whether source and painting are shown together."""
        return self.split is not None

    # Looks for one use

    @property
    def converted(self) -> Look:
        """Look of a merely converted frame."""
        return Look(tone_map=self.tone_map, dither=False, steady=0.0, brush=0.0, relief=0.0, canvas=0.0)

    @property
    def alone(self) -> Look:
        """Look of a picture without neighbours."""
        return self.with_values(steady=0.0)

    def revealed(self, part: Unfinished) -> Look:
        """Return the look of an unfinished painting."""
        if part.covers:
            return Look(brush=1.0, relief=0.0, canvas=0.0, faces=0.0, dither=False, part=part)
        return replace(self, detail=self.detail * part.touches, part=part)

    @property
    def undetailed(self) -> Look:
        """Look of a picture that contains fine luma."""
        return self.with_values(detail=0.0)

    @property
    def with_area(self) -> Look:
        """Look, or one that needs a mask's area."""
        return self if self.needs_area else self.with_values(film_inside=1.0)

    @property
    def source_only(self) -> Look:
        """Look that shows the source alone."""
        return self.with_values(split=1.0)

    @property
    def unfinished(self) -> Look:
        """The network's picture alone."""
        return replace(self, steady=0.0, brush=0.0, relief=0.0, canvas=0.0)

    @property
    def stroked(self) -> Look:
        """Strokes and their light alone, over a painting that is finished otherwise."""
        light = {name: getattr(self, name) for name in ("relief", "canvas", "lamp_degrees")}
        return Look(brush=1.0, steady=0.0, faces=0.0, dither=False, **light)

    @property
    def undivided(self) -> Look:
        """Look without the divider."""
        return self.with_values(split=None)

    def divided_as(self, other: Look) -> Look:
        """Return the look with another's divider."""
        return self.with_values(split=other.split)

    def faded(self, share: float) -> Look:
        """Return the look with a share of `strength`."""
        return self.with_values(strength=self.strength * share)

    def of(self, card: ModelCard, mix: tuple[float, ...] = ()) -> Look:
        """Return the look with the card's defaults. mix: default: the look's."""
        return _completed(self, mix or self.mix, card.brush, card.relief, card.canvas, card.paints)

    def with_values(self, **values: object) -> Look:
        """Return the look with other values; itself if equal."""
        if all(getattr(self, name) == value for name, value in values.items()):
            return self
        return replace(self, **values)  # type: ignore[arg-type]


@lru_cache(maxsize=16)  # many parts ask for the same ones
def _completed(look: Look, mix: tuple[float, ...], brush: float, relief: float, canvas: float, paints: bool) -> Look:
    return look.with_values(
        mix=mix,
        brush=brush if look.brush is None else look.brush,
        relief=relief if look.relief is None else look.relief,
        canvas=canvas if look.canvas is None else look.canvas,
        steady=look.steady if paints else 0.0,
        faces=(FACES if brush else 0.0) if look.faces is None else look.faces,
    )
