"""Oklab, the perceptual space in which colours are compared and carried over.

Source: Björn Ottosson, "A perceptual color space for image processing", 2020. Colours are (..., 3) float32; RGB is that
of sRGB, encoded, 0..1.
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
"""Halvings of the search for the hull of sRGB: less than a quarter of a code of 8 bits is left."""

HULL = np.float32(1e-3)
"""Light beyond 0..1 that still counts as sRGB, and is clipped: the hull is bent inwards by less, near blue."""

TINT, SATURATED = 0.1, 0.25
"""Chroma between which lightness gives way more and more, at the hull."""


def from_rgb(rgb: Floats) -> Floats:
    """L 0..1, a and b of encoded R'G'B'."""
    return np.asarray(np.cbrt(to_light(rgb) @ TO_CONES) @ TO_LAB, np.float32)


def grey(lightness: Floats) -> Floats:
    """The encoded grey 0..1 of L 0..1: what a display's steps are even in, where L has few for what is dark."""
    return from_light(lightness**3)


def lightness_of(grey: Floats) -> Floats:
    """L 0..1 of encoded greys 0..1."""
    return np.cbrt(to_light(grey))


def to_rgb(lab: Floats) -> Floats:
    """Encoded R'G'B' 0..1 of L 0..1, a and b. What lies outside sRGB is brought to its hull and keeps its hue.

    Tints keep their lightness, so that a tinted ramp stays one. Saturated colours go towards a middle grey: where
    the hull comes to a point, as at yellow, they would lose all chroma to keep their lightness.
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
    """Linear light 0..1 of encoded R'G'B' (IEC 61966-2-1)."""
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4).astype(np.float32)


def from_light(light: Floats) -> Floats:
    """Encoded R'G'B' of linear light 0..1 (IEC 61966-2-1)."""
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055).astype(np.float32)


def _light_of(lab: Floats) -> Floats:
    cones = lab @ FROM_LAB
    return np.asarray(cones * cones * cones @ FROM_CONES, np.float32)


def _in_gamut(light: Floats) -> npt.NDArray[np.bool_]:
    return np.asarray(((light > -HULL) & (light < 1.0 + HULL)).all(axis=-1))
