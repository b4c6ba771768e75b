"""Sizes of a frame: source, working size, network output, target."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from framebrush.gpu.frame import FrameFormat
    from framebrush.models.style import ModelCard

Size = tuple[int, int]
"""Width and height in pixels."""

AUTO_LINES = 540
"""Lines of the working size that `auto` aims at, for visible strokes of the bundled styles."""

MIN_REDUCED_PX = 64
"""Smallest side of a preview: networks need some pixels."""

STROKE_PX = 10.0
"""Width of a network's stroke at its working size."""

MIN_STROKE, MAX_STROKE = 0.25, 16.0


@dataclass(frozen=True, slots=True)
class Sizes:
    """Width and height at each stage, unpadded. stroke_px: in the target."""

    source: Size
    working: Size
    output: Size
    target: Size
    stroke_px: float

    def __post_init__(self) -> None:
        for name in ("source", "working", "output", "target"):
            width, height = getattr(self, name)
            if min(width, height) < 1:
                raise ValueError(f"{name} size {width}x{height} has no pixels")
        if not 0.0 < self.stroke_px < math.inf:
            raise ValueError(f"strokes of {self.stroke_px:g} pixels cannot be")

    @classmethod
    def of(
        cls, source: Size, working: Size | None, target: Size, scale: int = 1, stroke_px: float | None = None
    ) -> Sizes:
        """Compute sizes; by default working is the source's, stroke_px the network's."""
        width, height = working or source
        stroke_px = stroke_px or painted_stroke_px((width, height), target)
        return cls(source, (width, height), (width * scale, height * scale), target, stroke_px)


def painted_stroke_px(working: Size, target: Size) -> float:
    """Return the width of a network's strokes in the target."""
    return STROKE_PX * math.sqrt(max(1, target[0] * target[1]) / max(1, working[0] * working[1]))


def squares(size: Size, side_px: int) -> Size:
    """Return columns and rows of squares, partial ones included."""
    return -(-size[0] // side_px), -(-size[1] // side_px)


def plan_sizes(
    source: Size,
    card: ModelCard,
    *,
    stroke: float | Literal["auto"] = "auto",
    size: Size | float | None = None,
    max_size: int | None = None,
) -> Sizes:
    """Plan the sizes for a source and a user's options. Raises ValueError.

    Networks of fixed size get it; networks that do not paint get the smaller of source and target.

    Args:
        stroke: divisor of the source's size, or of a smaller target's. "auto" aims at AUTO_LINES on the shorter side,
            times the card's stroke; 1 for upscaling networks.
        size: of the target, or a factor; default: the network's scale.
        max_size: of the longer side.
    """
    divisor = 1.0 if stroke == "auto" else stroke
    if not MIN_STROKE <= divisor <= MAX_STROKE:
        raise ValueError(f"stroke {divisor:g} is not between {MIN_STROKE:g} and {MAX_STROKE:g}")
    if isinstance(size, tuple):
        target = size
    elif size is not None:
        target = _scaled(source, size)
    elif card.scale > 1:
        target = _scaled(_scaled(source, 1 / divisor), card.scale)
    else:
        target = source
    if max_size is not None and max(target) > max_size:
        factor = max_size / max(target)
        target = _even(target[0] * factor), _even(target[1] * factor)
    smaller = source if source[0] * source[1] <= target[0] * target[1] else target
    if stroke == "auto" and card.scale == 1:
        divisor = max(1.0, min(smaller) / AUTO_LINES) * card.stroke
    working = card.fixed_size or _scaled(smaller, 1 / divisor)
    if not card.paints:
        return Sizes.of(source, smaller, target, stroke_px=painted_stroke_px(working, target))
    return Sizes.of(source, working, target, card.scale)


def reduced(sizes: Sizes, card: ModelCard, divisor: float) -> Sizes:
    """Return preview sizes: smaller working size, same stroke width."""
    divisor = min(divisor, min(sizes.working) / MIN_REDUCED_PX)
    if card.fixed_size or not card.paints or divisor <= 1.0:
        return sizes
    return Sizes.of(sizes.source, _scaled(sizes.working, 1 / divisor), sizes.target, card.scale, sizes.stroke_px)


def _scaled(size: Size, factor: float) -> Size:
    return max(1, round(size[0] * factor)), max(1, round(size[1] * factor))


def _even(length: float) -> int:
    return max(2, round(length / 2) * 2)


class StageBytes(NamedTuple):
    """Bytes of stages, per frame and shared."""

    frame: int
    shared: int


def frame_bytes(
    source: FrameFormat, target: FrameFormat, sizes: Sizes, precision: str, *, steadied: bool = False
) -> int:
    """Return a frame's bytes in flight. steadied: with neighbours."""
    planes = sum(
        shape[0] * shape[1] * (shape[2] if len(shape) == 3 else 1) * picture.dtype(0).itemsize
        for picture in (source, target)
        for shape in picture.plane_shapes
    )
    element = 2 if precision == "float16" else 4
    different = {sizes.source, sizes.working} | ({sizes.target} if sizes.target != sizes.output else set())
    pixels = sum(w * h for w, h in different) + sizes.output[0] * sizes.output[1]
    if steadied:
        # levels and the source in 16 bits; the mean, and the painting in 16 bits
        pixels += sizes.working[0] * sizes.working[1] + 3 * sizes.output[0] * sizes.output[1] // 2
    return planes + 3 * element * pixels
