"""Sizes of strokes by content: fine on faces and subject."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import numpy.typing as npt

from framebrush.gpu.look import FACES, Look
from framebrush.gpu.stages.masks import film_shares
from framebrush.gpu.stages.strokes import StrokeLayout
from framebrush.models.brushes import AS_NEEDED, MAP_SIDE, Maps
from framebrush.models.soft_masks import MASK_SIDE, Masks
from framebrush.subject import mask_kernels

STROKES_PER_FACE = 40
"""Width of a face in widths of its finest stroke."""

FINER = 0.5
"""Share of a brush's range of sizes by which strokes on the subject are finer at a focus of 1."""

PRESENT = 0.01
"""Share of a frame that a subject fills for its surroundings to become as broad as the focus says. Below it they
approach the brush's own sizes, so that nothing jumps when the subject leaves."""

NEAR = 0.6
"""Broadening of strokes on the nearest surroundings, as a share of the farthest's."""

WEIGHT_BITS = 22
"""As in `gpu/cpu/kernels/subject.c`."""

_SHARES = np.arange(256) / 255
"""Shares by a mask's codes."""

_BREADTHS = np.rint(255 * (NEAR + (1 - NEAR) * _SHARES)).astype(np.uint16)
"""Broadening by codes of distance, 0..255."""


def composed(maps: Maps, masks: Masks, look: Look, layout: StrokeLayout | None) -> Maps:
    """Return a frame's brush maps; without the user's size map, by masks.

    look: with the style's values. layout: of the brush; None without strokes.
    """
    faces = film_shares(masks, look).faces
    focus = look.focus if masks.area or masks.faces else 0.0
    if layout is None or maps.sizes is not None or not (faces or focus):
        return maps
    face = subject = enlarged(masks.faces)
    of_face = AS_NEEDED - _SHARES * (AS_NEEDED * min(faces / FACES, 1.0) * _layers_for(masks.face_width, layout))
    of_subject = np.zeros(256)
    if focus:
        subject = np.maximum(face, enlarged(masks.area)) if masks.area else face
        there = focus * min(1.0, float(subject.sum(dtype=np.uint32)) / (255 * PRESENT * subject.size))
        if masks.far is not None:
            around = 255 - subject
            subject = (255 - (around * _BREADTHS[enlarged(masks.far)] + 127) // 255).astype(np.uint8)
        of_subject = there * ((255 - AS_NEEDED) * (1.0 - _SHARES) - FINER * AS_NEEDED * _SHARES)
    made = np.empty((MAP_SIDE, MAP_SIDE), np.uint8)
    mask_kernels.sizes_asked(face, subject, of_face.astype(np.int32), of_subject.astype(np.int32), made, 0, MAP_SIDE)
    return replace(maps, sizes=made.tobytes())


def _layers_for(face_width: float, layout: StrokeLayout) -> float:
    widths = [layer.width_px for layer in layout.layers]
    if len(widths) == 1:
        return 0.0
    wanted = face_width * layout.size[0] / STROKES_PER_FACE
    layers = np.arange(len(widths)) / (len(widths) - 1)
    return float(np.interp(-np.log(max(wanted, 1e-3)), -np.log(widths), layers))


def enlarged(mask: bytes | None) -> npt.NDArray[np.uint8]:
    """Return a mask at maps' samples, (MAP_SIDE, MAP_SIDE); zeros for None."""
    made = np.zeros((MAP_SIDE, MAP_SIDE), np.uint8)
    if mask is not None:
        codes = np.frombuffer(mask, np.uint8).reshape(MASK_SIDE, MASK_SIDE)
        mask_kernels.mask_enlarged(codes, *_between_samples(), made, 0, MAP_SIDE)
    return made


@cache
def _between_samples() -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    places = ((np.arange(MAP_SIDE) + 0.5) * MASK_SIDE / MAP_SIDE - 0.5).clip(0, MASK_SIDE - 1)
    low = np.minimum(places.astype(np.int32), MASK_SIDE - 2)
    share = places - low
    return low, np.rint(np.stack([1 - share, share], 1) * (1 << WEIGHT_BITS)).astype(np.int32)
