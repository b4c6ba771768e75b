"""Colours of pictures as those of sRGB, by the codes of their primaries. For profiles see `media.reading.profile`."""

from __future__ import annotations

import numpy as np

from framebrush.analysis.to_rgb import Picture
from framebrush.gpu import colour
from framebrush.gpu.frame import Primaries
from framebrush.models.colours import oklab


def from_primaries(picture: Picture, primaries: Primaries) -> Picture:
    """A picture (H, W, 3) uint8 with the curve of sRGB and these primaries, in sRGB."""
    linear = oklab.to_light(picture.astype(np.float32) / np.float32(255))
    light = linear @ colour.gamut_matrix(primaries, Primaries.BT709).T.astype(np.float32)
    return np.rint(oklab.from_light(np.clip(light, 0.0, 1.0)) * 255).astype(np.uint8)
