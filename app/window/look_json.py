"""A look as JSON has it, for the settings and for the list of exports."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from framebrush.gpu.look import Look, ToneCurve, ToneMap


def look_values(look: Look) -> dict[str, Any]:
    """A look as JSON has it, to be kept: no divider, which is of the moment, and no weights, which are in the style's
    name."""
    values = asdict(look)
    del values["mix"], values["split"]
    return values


def look_of(values: dict[str, Any]) -> Look:
    """The look of `look_values`. Raises ValueError, TypeError."""
    curve = ToneCurve(values.get("tone_curve", ToneCurve.CLIP))
    mapping = ToneMap(values.get("tone_map", ToneMap.BT2390))
    return Look(**{**values, "tone_curve": curve, "tone_map": mapping})
