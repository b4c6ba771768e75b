"""Contract of a style: canonical network and card.

- input "frame": (1, 3, H, W), encoded R'G'B' 0..1; float32, or float16 by `card.precision`
- output "styled": (1, 3, H * scale, W * scale), same type, nominally 0..1, not clipped
- optional input "mix": (1, N) float32, weights of the N paintings, sum 1
- H and W: multiples of `card.stride`, or the only size `card.fixed_size`
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING, Literal

from framebrush.base.remedy import ImpossibleError
from framebrush.base.text import count_of, printable
from framebrush.models.brushes import OIL, BrushKind

if TYPE_CHECKING:
    from framebrush.models.colours.colour_table import ColourTable

PAINTED_BRUSH, PAINTED_RELIEF = 1.0, 0.5
"""Default look of networks that paint at their input's size, chosen by eye on films."""

Precision = Literal["auto", "float32", "float16", "int8"]
"""Precision of a network.

auto: float16 if the device prefers it and the card has its effect; float32: as in the file; int8: bundled paintings on
the CPU.
"""

SCALES = (1, 2, 3, 4)
"""Possible values of `ModelCard.scale`."""


MAX_MESSAGE_CHARS = 2000
"""Longest error message: files of unknown origin may have names of any length."""


class StyleError(ImpossibleError):
    """Unusable style. One line says which, why, and a remedy."""

    def __init__(self, cause: str, do: str = "") -> None:
        shown = printable(cause)
        shown = shown if len(shown) <= MAX_MESSAGE_CHARS else f"{shown[:MAX_MESSAGE_CHARS]}…"
        super().__init__(shown, printable(do))


@dataclass(frozen=True, slots=True)
class PaintedShot:
    """Shot of the film that networks were learnt for.

    painting: "" leaves it unpainted. dissolve: frames that also show the previous shot.
    """

    first: int
    painting: str = ""
    dissolve: int = 0


@dataclass(frozen=True, slots=True)
class ModelCard:
    """Facts about a network.

    Attributes:
        stride: divisor of H and W, in input pixels.
        radius_px: of the receptive field, in input pixels; None if unknown.
        frame_statistics: the network normalises by the frame's statistics, so tiles change it.
        scale: output pixels per input pixel and axis, 1 to 4.
        fixed_size: (width, height); None for any multiple of stride.
        notes: guesses about the file, for users.
        brush, relief, canvas: 0..1, defaults of a look.
        stroke: factor of "auto" strokes.
        paints: if False, frames stay unchanged.
        shots: of the film that was learnt.
        film: hash of that film, or "".
        float16_codes: RMS change by float16 in 8-bit codes; None if not measured.
    """

    name: str
    title: str
    paintings: tuple[str, ...]
    stride: int = 1
    radius_px: int | None = None
    frame_statistics: bool = False
    precision: Literal["float32", "float16"] = "float32"
    scale: int = 1
    fixed_size: tuple[int, int] | None = None
    licence: str = ""
    source: str = ""
    speed: Literal["realtime", "quality", "slow", ""] = ""
    notes: tuple[str, ...] = ()
    float16_codes: float | None = None
    brush: float = 0.0
    relief: float = 0.0
    canvas: float = 0.0
    stroke: float = 1.0
    paints: bool = True
    brush_kind: BrushKind = OIL
    shots: tuple[PaintedShot, ...] = ()
    film: str = ""

    @property
    def mixed(self) -> tuple[str, ...]:
        return self.paintings if len(self.paintings) > 1 and not self.shots else ()


@dataclass(frozen=True, slots=True)
class Style:
    """Canonical network with settings. Raises StyleError for a wrong number of weights.

    Attributes:
        model: serialised ONNX.
        mix: default weights, sum 1; empty for the first painting.
        before, after: colour tables for the source, and for the painting before strokes.
        second: style mixed in by masks, without colour tables.
    """

    card: ModelCard
    model: bytes
    mix: tuple[float, ...] = ()
    before: ColourTable | None = None
    after: ColourTable | None = None
    second: Style | None = None

    def __post_init__(self) -> None:
        if len(self.mix) not in (0, len(self.card.paintings)):
            held = count_of(len(self.card.paintings), "painting")
            raise StyleError(
                f"{count_of(len(self.mix), 'weight', 'was/were')} given for {self.card.title}, which holds {held}"
            )

    def as_float16(self) -> Style:
        """Convert to float16. Raises StyleError for too large changes."""
        from framebrush.models.float16 import MOST_CODES, as_float16, measured

        card = self.card
        if card.precision == "float16":
            second = self.second and self.second.as_float16()
            return self if second is self.second else replace(self, second=second)
        try:
            model, codes = as_float16(self.model), card.float16_codes
            if codes is None:
                paintings = len(card.paintings) if len(card.paintings) > 1 else 0
                codes = measured(self.model, card.stride, card.fixed_size, paintings)
            if not codes <= MOST_CODES:
                lost = f"changes by {codes:.1f} of 255 codes" if isfinite(codes) else "gives no finite numbers"
                raise ValueError(f"in float16 it {lost}")
        except ValueError as error:
            raise StyleError(f"{card.title}: {error}", do="use --precision float32") from None
        half = replace(card, precision="float16", float16_codes=codes)
        return replace(self, card=half, model=model, second=self.second and self.second.as_float16())

    def fixed(self, width_px: int, height_px: int) -> bytes:
        """Set H and W. Raises ValueError if unsupported."""
        if self.card.fixed_size and self.card.fixed_size != (width_px, height_px):
            only = "{}x{}".format(*self.card.fixed_size)
            raise ValueError(f"{width_px}x{height_px} is not {only}, the only size that the style runs at")
        if min(width_px, height_px) < 1 or width_px % self.card.stride or height_px % self.card.stride:
            raise ValueError(f"{width_px}x{height_px} is not a multiple of {self.card.stride}, the style's stride")
        import onnx  # devices import this module for its types alone

        model = onnx.load_model_from_string(self.model)
        for value in (*model.graph.input, *model.graph.output):
            if value.name in ("frame", "styled"):
                scale = self.card.scale if value.name == "styled" else 1
                for dim, size in zip(value.type.tensor_type.shape.dim[2:], (height_px, width_px), strict=True):
                    dim.dim_value = size * scale
        return bytes(model.SerializeToString(deterministic=True))
