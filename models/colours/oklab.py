"""Oklab, a perceptual colour space (Björn Ottosson, 2020).

Colours are (..., 3) float32; RGB is sRGB.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
TO_CONES, TO_LAB, FROM_CONES, FROM_LAB = (
    matrix.T.astype(np.float32) for matrix in (_CONES, _LAB, np.linalg.inv(_CONES), np.linalg.inv(_LAB))
)

GAMUT_STEPS = 10
"""Bisections of the search for the hull of sRGB: the error is below a quarter of a code of 8 bits."""

HULL = np.float32(1e-3)
"""Light beyond 0..1 that is clipped: the hull is concave by less, near blue."""

TINT, SATURATED = 0.1, 0.25
"""Chroma between which lightness increasingly gives way at the hull."""


def from_rgb(rgb: Floats) -> Floats:
    """Convert encoded R'G'B' to L 0..1, a, b."""
    return np.asarray(np.cbrt(to_light(rgb) @ TO_CONES) @ TO_LAB, np.float32)


def grey(lightness: Floats) -> Floats:
    """Return the encoded grey 0..1 of L 0..1."""
    return from_light(lightness**3)


def lightness_of(grey: Floats) -> Floats:
    """Return L 0..1 of encoded greys 0..1."""
    return np.cbrt(to_light(grey))


def to_rgb(lab: Floats) -> Floats:
    """Convert L 0..1, a, b to R'G'B' 0..1, keeping hues outside sRGB.

    Saturated colours move towards middle grey; tints keep lightness.
    """
    light = _light_of(lab)
    outside = ~_in_gamut(light)
    centre = np.zeros_like(lab[outside])
    chroma = np.hypot(lab[outside, 1], lab[outside, 2])
    saturated = np.clip((chroma - TINT) / (SATURATED - TINT), 0.0, 1.0)
    centre[:, 0] = lab[outside, 0] + saturated * (0.5 - lab[outside, 0])
    way = lab[outside] - centre
    low, high = np.zeros((len(way), 1), np.float32), np.ones((len(way), 1), np.float32)
    for _ in range(GAMUT_STEPS):
        share = 0.5 * (low + high)
        fits = _in_gamut(_light_of(centre + share * way))[:, None]
        low, high = np.where(fits, share, low), np.where(fits, high, share)
    light[outside] = _light_of(centre + low * way)
    return from_light(np.clip(light, 0.0, 1.0))


def to_light(rgb: Floats) -> Floats:
    """Decode R'G'B' to linear light 0..1 (IEC 61966-2-1)."""
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4).astype(np.float32)


def from_light(light: Floats) -> Floats:
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055).astype(np.float32)


def _light_of(lab: Floats) -> Floats:
    cones = lab @ FROM_LAB
    return np.asarray(cones * cones * cones @ FROM_CONES, np.float32)


def _in_gamut(light: Floats) -> npt.NDArray[np.bool_]:
    return np.asarray(((light > -HULL) & (light < 1.0 + HULL)).all(axis=-1))
