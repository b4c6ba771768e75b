"""How a painted frame is shown: the constants a person turns while it plays. None of them needs a new stylizer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ToneMap(StrEnum):
    """How HDR light is brought into the 203 nits that the network and the output know."""

    BT2390 = "bt2390"  # Report ITU-R BT.2390, 5.4.1
    HABLE = "hable"


class ToneCurve(StrEnum):
    """What happens to light that the exposure lifts above white. The peak of the curve is max(1, 2^exposure_ev)."""

    CLIP = "clip"
    REINHARD = "reinhard"  # extended, white at the peak
    HABLE = "hable"  # normalised to the peak


@dataclass(frozen=True, slots=True)
class Look:
    """strength: 0 (source) .. 1 (painted), mixed in encoded R'G'B'. keep_colours: luma of the painting, chroma of the
    source. exposure_ev: stops, -4..4, applied in linear light. split: share of the width, from the left, that shows
    the source untouched; None for no divider. dither: ordered dither before the output is rounded. mix: weights of the
    paintings of a file that holds several, summing to 1; empty for the first alone. steady: 0 (each frame alone) .. 1,
    how unlike a neighbouring frame's source may be for its painting to be mixed in (`gpu.steady`), where a stylizer has
    a temporal window. detail: 0 (none) .. 1, how much fine luma of the source is added to the painting (`gpu.detail`).

    Order, the same on every device: clip the network's output to 0..1, steady, add detail and clip, mix by strength,
    keep colours, exposure and curve, split, dither, round.
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

    def __post_init__(self) -> None:
        if not 0.0 <= self.strength <= 1.0:
            raise ValueError(f"strength {self.strength:g} is not within 0 and 1")
        if not -4.0 <= self.exposure_ev <= 4.0:
            raise ValueError(f"exposure {self.exposure_ev:g} is not within -4 and 4 stops")
        if self.split is not None and not 0.0 <= self.split <= 1.0:
            raise ValueError(f"split {self.split:g} is not within 0 and 1")
        if not 0.0 <= self.steady <= 1.0:
            raise ValueError(f"steadiness {self.steady:g} is not within 0 and 1")
        if not 0.0 <= self.detail <= 1.0:
            raise ValueError(f"detail {self.detail:g} is not within 0 and 1")
        if self.mix and (min(self.mix) < 0.0 or abs(sum(self.mix) - 1.0) > 1e-3):
            raise ValueError(f"style weights {self.mix} do not sum to 1")

    @property
    def shows_source(self) -> bool:
        """Whether something of the source is seen, so that the output has to read it."""
        return self.strength < 1.0 or self.keep_colours or bool(self.split) or self.detail > 0.0
