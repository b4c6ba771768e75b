"""Area of a frame that a look treats apart."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from framebrush.gpu.frame import Frame
from framebrush.gpu.sizes import Size
from framebrush.models.soft_masks import MASK_SIDE
from framebrush.subject import small_pictures

Floats = npt.NDArray[np.float32]

NOWHERE, EVERYWHERE = bytes(MASK_SIDE**2), bytes([255]) * MASK_SIDE**2

BESIDE_PHOTOGRAPH = -1.0
"""Percent by which people grow where one side stays a photograph: the network is unsure around them, and beside a
photograph that would be seen as a rim."""

EDGE_DEVIATIONS = 4.0
"""Width of a softened edge, in standard deviations of a Gaussian."""


def of_alpha(frame: Frame) -> bytes:
    """Return a frame's alpha as MASK_SIDE rows, or EVERYWHERE."""
    if frame.alpha is None:
        return EVERYWHERE
    return _bytes(np.float32(255) * small_pictures.alpha_of(frame, MASK_SIDE))


@lru_cache(maxsize=4)
def shaped(mask: bytes, size: Size, invert: bool, grow: float, soften: float) -> bytes:
    """Return a mask (MASK_SIDE rows of bytes) inverted, then grown, then softened.

    size: of the frame. grow, soften: percent of the shorter side; negative grow shrinks.
    """
    codes = np.frombuffer(mask, np.uint8).reshape(MASK_SIDE, MASK_SIDE).astype(np.float32)
    if invert:
        codes = np.float32(255) - codes
    per_percent = [0.01 * min(size) * MASK_SIDE / side for side in reversed(size)]  # down, across
    for axis, samples in enumerate(per_percent):
        codes = _grown(codes, grow * samples, axis)
    for axis, samples in enumerate(per_percent):
        codes = _softened(codes, soften * samples / EDGE_DEVIATIONS, axis)
    return _bytes(codes)


def _bytes(codes: Floats) -> bytes:
    made: bytes = np.rint(codes.clip(0, 255)).astype(np.uint8).tobytes()
    return made


def _grown(codes: Floats, by: float, axis: int) -> Floats:
    """Return the largest nearby sample along an axis; the smallest if `by` is negative."""
    if by < 0:
        return -_grown(-codes, -by, axis)
    whole = int(by)
    grown = further = codes
    for step in range(1, whole + 2):
        further = np.maximum(further, np.maximum(_moved(codes, step, axis), _moved(codes, -step, axis)))
        if step == whole:
            grown = further
    made: Floats = grown + np.float32(by - whole) * (further - grown)
    return made


def _softened(codes: Floats, deviation: float, axis: int) -> Floats:
    if not deviation:
        return codes
    reach = int(np.ceil(3 * deviation))
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / deviation) ** 2)
    weights /= weights.sum()
    made: Floats = np.zeros_like(codes)
    for step, weight in zip(range(-reach, reach + 1), weights, strict=True):
        made += np.float32(weight) * _moved(codes, step, axis)
    return made


def _moved(codes: Floats, step: int, axis: int) -> Floats:
    return codes.take(np.clip(np.arange(MASK_SIDE) + step, 0, MASK_SIDE - 1), axis)
