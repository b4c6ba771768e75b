"""The contract of a style: what a device needs from a network, and what the user wants to know about it.

Whatever the file looked like, a loaded `Style` is canonical, so a device knows one kind of network only:

- input "frame": (1, 3, H, W), encoded R'G'B' 0..1; float32, or float16 where `card.precision` says so
- output "styled": (1, 3, H * scale, W * scale), the same type, nominally 0..1, not clipped; scale is `card.scale`
- optional input "mix": (1, N) float32, weights of the N paintings of the file, summing to 1
- H and W are free symbolic dimensions, multiples of `card.stride`, or the one size in `card.fixed_size`
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING, Literal

from framebrush.base.text import count_of, printable
from framebrush.models.brushes import OIL, BrushKind

if TYPE_CHECKING:
    from framebrush.models.colours.table import ColourTable

PAINTED_BRUSH, PAINTED_RELIEF = 1.0, 0.5
"""What a look takes by default behind a network that paints at the size of its input: chosen by eye on films."""

Precision = Literal["auto", "float32", "float16"]
"""What a network computes in. auto: float16 where the device prefers it and the card says what that changes;
float32: as the file has it."""

SCALES = (1, 2, 3, 4)
"""What `ModelCard.scale` may be."""


MAX_MESSAGE_CHARS = 2000
"""Of an error: a file of unknown origin may have names of any length."""


class StyleError(ValueError):
    """A style cannot be used: which one, why, and what to do, in one line of printable characters."""

    def __init__(self, message: str) -> None:
        shown = printable(message)
        super().__init__(shown if len(shown) <= MAX_MESSAGE_CHARS else f"{shown[:MAX_MESSAGE_CHARS]}…")


@dataclass(frozen=True, slots=True)
class PaintedShot:
    """A shot of the film that a file's networks were learnt for. first: number of its first frame. painting: which of
    the file's paints it, "" where the film stays as it is. dissolve: how many frames from the first on show the shot
    before it, too; 0 where it begins with a cut."""

    first: int
    painting: str = ""
    dissolve: int = 0


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What is known about a network.

    - paintings: names of the styles that one file holds; one for an ordinary file
    - stride, in input pixels: the multiple that H and W must have
    - radius_px, in input pixels: radius of the receptive field of the convolutions. The `scale` x `scale` output pixels
      of input pixel (x, y) depend on no input pixel farther than this from it, to each side. None: not known
    - frame_statistics: the network also normalises by statistics of the whole frame (instance normalisation), so tiles
      change its look
    - scale, output pixels for each input pixel and axis: 1, 2, 3 or 4; above 1 the network enlarges
    - fixed_size, (width, height) in input pixels: the only size that the network runs at; None: any multiple of stride
    - notes: what the user should know about how the file was read, such as a value range that was guessed
    - brush, relief, canvas, 0..1: what a look takes by default (`gpu.stages.look.Look`)
    - brush_kind: what kind of strokes the brush draws by default
    - stroke: what strokes of the size "auto" are multiplied by (`gpu.sizes.plan_sizes`)
    - paints: whether the network paints; one that does not leaves the frame as it is, at any size
    - shots: of the film that the paintings were learnt for, in order from frame 0, each with its painting; none for a
      network of any film
    - film: hash of that film, as `jobs.identity.SourceIdentity` has it; "" for none
    - float16_codes, codes of 8 bits: root mean square by which a real frame differs where the network computes in
      float16. None: not measured
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
        """The paintings that a person may mix: none of a single one, or where each shot of the film has its own."""
        return self.paintings if len(self.paintings) > 1 and not self.shots else ()


@dataclass(frozen=True, slots=True)
class Style:
    """A network ready for any device. model: serialised ONNX with the interface above. mix: weights of the paintings
    that were asked for, summing to 1, which it is painted with where a look has none; empty for the first alone.
    before, after: tables of colours that the source goes through, at each size at which it is needed, and the painting,
    at the target's size and ahead of its brush; None for none.

    Raises StyleError for weights of another number than the paintings.
    """

    card: ModelCard
    model: bytes
    mix: tuple[float, ...] = ()
    before: ColourTable | None = None
    after: ColourTable | None = None

    def __post_init__(self) -> None:
        if len(self.mix) not in (0, len(self.card.paintings)):
            held = count_of(len(self.card.paintings), "painting")
            raise StyleError(f"{len(self.mix)} weights were given for {self.card.title}, which holds {held}")

    def as_float16(self) -> Style:
        """The style with float16 tensors and weights; itself where it already has them. A network whose card does not
        say how much that changes is measured. Raises StyleError for one that would lose too much."""
        from framebrush.models.float16 import MOST_CODES, as_float16, measured

        card = self.card
        if card.precision == "float16":
            return self
        try:
            model, codes = as_float16(self.model), card.float16_codes
            if codes is None:
                paintings = len(card.paintings) if len(card.paintings) > 1 else 0
                codes = measured(self.model, card.stride, card.fixed_size, paintings)
            if not codes <= MOST_CODES:
                lost = f"changes by {codes:.1f} of 255 codes" if isfinite(codes) else "gives no finite numbers"
                raise ValueError(f"in float16 it {lost}")
        except ValueError as error:
            raise StyleError(f"{card.title}: {error}; use --precision float32") from None
        return replace(self, card=replace(card, precision="float16", float16_codes=codes), model=model)

    def fixed(self, width_px: int, height_px: int) -> bytes:
        """The model with H and W set, as DirectML wants it and every provider runs it faster.

        width_px, height_px: of the input. Raises ValueError where a side is not a multiple of the stride, or the size
        is not `card.fixed_size`.
        """
        if self.card.fixed_size and self.card.fixed_size != (width_px, height_px):
            only = "{}x{}".format(*self.card.fixed_size)
            raise ValueError(f"{width_px}x{height_px} is not {only}, the only size that the style runs at")
        if min(width_px, height_px) < 1 or width_px % self.card.stride or height_px % self.card.stride:
            raise ValueError(f"{width_px}x{height_px} is not a multiple of {self.card.stride}, the style's stride")
        import onnx  # here, not above: a device imports this module for the types alone

        model = onnx.load_model_from_string(self.model)
        for value in (*model.graph.input, *model.graph.output):
            if value.name in ("frame", "styled"):
                scale = self.card.scale if value.name == "styled" else 1
                for dim, size in zip(value.type.tensor_type.shape.dim[2:], (height_px, width_px), strict=True):
                    dim.dim_value = size * scale
        return bytes(model.SerializeToString(deterministic=True))
