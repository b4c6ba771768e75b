"""Settings of a stylizer."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import Literal

from framebrush.base.text import count_of
from framebrush.gpu import colour
from framebrush.gpu.frame import FrameFormat, Transfer
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.temporal_window import NO_WINDOW, TemporalWindow
from framebrush.gpu.tiles import Plan, Tiling
from framebrush.models.brushes import OIL, BrushKind
from framebrush.models.style import Precision, Style

EngineName = Literal[
    "auto",
    "shader",
    "directml",
    "directml-no-metacommands",
    "directml-no-fusion",
    "directml-no-arena",
    "directml-safe",
]
"""Engines on Direct3D 12: own shaders, or DirectML (the last four avoid driver defects); "auto" takes the faster
one."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a stylizer, checked by `Device.stylizer`.

    slots: frames in flight, without waiting neighbours. moving: weights change during the film; such frames stay
    neighbours. carries: strokes are advected.
    """

    style: Style
    source: FrameFormat
    target: FrameFormat
    sizes: Sizes
    plan: Plan
    look: Look
    slots: int
    timing: bool = False
    window: TemporalWindow = NO_WINDOW
    engine: EngineName = "auto"
    moving: bool = False
    markers: bool = False
    carries: bool = False
    kind: BrushKind = OIL
    precision: Precision = "auto"

    @property
    def keeps_hdr(self) -> bool:
        """Whether HDR stays HDR, painted in an invertible space."""
        return self.target.transfer is not Transfer.SDR

    @property
    def rolls_off(self) -> bool:
        """Whether HDR is rolled off for the network."""
        return self.keeps_hdr and colour.roll_off(self.source).rate > 0.0

    @property
    def source_top(self) -> float:
        """Unpainted source's maximum, above 1 for kept HDR."""
        return colour.kept_top(self.source) if self.keeps_hdr else 1.0

    @property
    def second(self) -> Settings | None:
        """Settings of the second style's network, if any."""
        style = self.style.second
        return None if style is None else replace(self, style=style, look=self.look.with_values(mix=()), moving=False)

    @property
    def shown(self) -> Look:
        """Look with the card's defaults."""
        return self.look.of(self.style.card)

    @property
    def paintings(self) -> int:
        """Length of the network's input "mix", 0 without it."""
        count = len(self.style.card.paintings)
        return count if count > 1 else 0

    def resolved(self, look: Look) -> Look:
        """Return the look with card defaults; strength 0 if nothing paints."""
        style, look = self.style, look.of(self.style.card)
        changes = look.changes_source or style.before or style.after
        return look if style.card.paints or changes else look.with_values(strength=0.0)

    def mix(self, look: Look) -> tuple[float, ...]:
        """Return the weights of the look, or the style, or the first alone."""
        first = (1.0, *(0.0,) * (self.paintings - 1))
        return (look.mix or self.style.mix or first) if self.paintings else ()


@dataclass(frozen=True, slots=True)
class StylizerPlan:
    """Arguments of `Device.stylizer`.

    Attributes:
        target: of any size, see `frame.check_target`.
        working: network input size, default: the source's.
        stroke_px: stroke width in the target, default: the network's.
        tiling: see `tiles.plan`.
        moving, carries: see `Settings`; carries also while a look's brush is 0.
    """

    style: Style
    source: FrameFormat
    target: FrameFormat
    _: KW_ONLY
    working: Size | None = None
    stroke_px: float | None = None
    kind: BrushKind | None = None
    look: Look | None = None
    tiling: Tiling = "auto"
    precision: Precision = "auto"
    slots: int = 3
    window: TemporalWindow = NO_WINDOW
    carries: bool = False
    engine: EngineName = "auto"
    moving: bool = False

    def __post_init__(self) -> None:
        if self.slots < 1:
            raise ValueError(f"{self.slots} slots hold no frame")
        if self.carries and not self.window.before:
            raise ValueError("strokes are carried from the frame before, and the window has none")


def check_mix(look: Look, style: Style) -> None:
    """Raise ValueError for a wrong number of weights."""
    count = len(style.card.paintings)
    if look.mix and len(look.mix) != count:
        given, held = count_of(len(look.mix), "weight", "was/were"), count_of(count, "painting")
        raise ValueError(f"{given} given for {style.card.title}, which holds {held}")
