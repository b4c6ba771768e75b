"""Sizes of strokes by the content of a frame.

Fine ones in faces and on the subject, broad ones around it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from framebrush.gpu.stages.look import FACES, Look
from framebrush.gpu.stages.strokes import Layout
from framebrush.models.brushes import AS_NEEDED, MAP_SIDE, Maps
from framebrush.models.masks import MASK_SIDE, Masks

STROKES_PER_FACE = 40
"""Widths of the finest stroke that a face asks for, across its width."""

FINER = 0.5
"""How much finer than needed strokes on the subject are at a focus of 1, of the sizes that a brush has."""

PRESENT = 0.01
"""Share of a frame that a subject fills for its surroundings to become as broad as the focus says. Below it they
approach the brush's own sizes, so that nothing jumps when the subject leaves."""

_SHARES = np.arange(256) / 255
"""Of a mask's codes."""


def composed(maps: Maps, masks: Masks, look: Look, layout: Layout | None) -> Maps:
    """Return the brush maps of a frame with the sizes that its masks ask for.

    A size map that the user gives wins.

    Args:
        look: Complete, with the style's values.
        layout: Of the brush in the target; None without strokes.
    """
    faces = look.faces or 0.0 if masks.faces else 0.0
    focus = look.focus if masks.area or masks.faces else 0.0
    if layout is None or maps.sizes is not None or not (faces or focus):
        return maps
    face = _resized(masks.faces)
    codes = AS_NEEDED - _SHARES * (AS_NEEDED * min(faces / FACES, 1.0) * _layers_for(masks.face_width, layout))
    made = codes.astype(np.int16)[face]
    if focus:
        subject = np.maximum(face, _resized(masks.area))
        there = focus * min(1.0, float(subject.mean()) / (255 * PRESENT))
        made += (there * ((255 - AS_NEEDED) * (1.0 - _SHARES) - FINER * AS_NEEDED * _SHARES)).astype(np.int16)[subject]
    return replace(maps, sizes=made.clip(0, 255).astype(np.uint8).tobytes())


def _layers_for(face_width: float, layout: Layout) -> float:
    """Return the share of a brush's layers that a face needs in full, 0..1.

    Args:
        face_width: As in `Masks`.
    """
    widths = [layer.width_px for layer in layout.layers]
    if len(widths) == 1:
        return 0.0
    wanted = face_width * layout.size[0] / STROKES_PER_FACE
    layers = np.arange(len(widths)) / (len(widths) - 1)
    return float(np.interp(-np.log(max(wanted, 1e-3)), -np.log(widths), layers))


def _resized(mask: bytes | None) -> npt.NDArray[np.uint8]:
    """Return a mask at the samples of maps, (MAP_SIDE, MAP_SIDE); zeros for None."""
    if mask is None:
        return np.zeros((MAP_SIDE, MAP_SIDE), np.uint8)
    from PIL import Image  # imported here because only painting with masks needs it

    whole = Image.frombytes("L", (MASK_SIDE, MASK_SIDE), mask)
    return np.asarray(whole.resize((MAP_SIDE, MAP_SIDE), Image.Resampling.BILINEAR))
