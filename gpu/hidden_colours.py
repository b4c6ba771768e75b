"""Extension of visible colours over colours that alpha hides.

Hidden colours become averages at ever smaller sizes ("pull-push": Gortler et al., 1996).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from framebrush.gpu.c_kernels import Floats3, kernel
from framebrush.gpu.frame import Frame, FrameFormat, Plane

Floats = npt.NDArray[np.float32]

ONE: Final = np.float32(1.0)

FULLY_SEEN: Final = 1.0 / 16.0
"""Minimum alpha of pixels that use only their own colour. Below it, an 8-bit straight colour computed from a
premultiplied one is off by more than 16 codes, or by up to one as displayed.
"""

MIXED_SAMPLES: Final = 1
"""Width of subsampling filters beyond a sample's pixels, in samples: chroma may be mixed from hidden colours there."""

PURE_SAMPLES: Final = 2
"""Maximum distance, in samples, of the unmixed chroma that replaces mixed chroma."""

TINY: Final = np.float32(1e-6)
"""Least divisor of a mean. Means of nothing are not used."""


def without_hidden(frame: Frame) -> Frame:
    """Replace hidden colours by visible colours around them.

    Returns the frame itself where all or no pixels are visible, else a copy without alpha. Pixels from FULLY_SEEN on
    keep luma and R'G'B'.
    """
    form, alpha = frame.format, frame.alpha
    if alpha is None or alpha.min() >= form.top:
        return frame
    codes = form.codes(alpha) if form.floating else alpha
    seen: Floats = np.minimum(codes.astype(np.float32) * np.float32(1.0 / (form.top * FULLY_SEEN)), ONE)
    if not seen.any():
        return frame
    made = replace(form, alpha=False).allocate()
    frame.copy_to(made)
    whole = [plane for plane in made.components if plane.shape == seen.shape]
    _extend(whole, seen, form)
    if chroma := [plane for plane in made.components if plane.shape != seen.shape]:
        seen = _shared(seen, form.subsample)
        _extend(chroma, _purified(chroma, seen, form), form)
    return replace(made, format=form)


def _shared(seen: Floats, subsample: tuple[int, int]) -> Floats:
    across, down = (1 << log2 for log2 in subsample)
    height, width = seen.shape
    padded = np.pad(seen, ((0, -height % down), (0, -width % across)), mode="edge")
    rows, columns = padded.shape[0] // down, padded.shape[1] // across
    mean: Floats = padded.reshape(rows, down, columns, across).mean(axis=(1, 3), dtype=np.float32)
    return mean


def _purified(planes: list[Plane], seen: Floats, form: FrameFormat) -> Floats:
    pure = _over_neighbours(np.minimum, seen, MIXED_SAMPLES)
    found = _over_neighbours(np.add, pure, PURE_SAMPLES)
    share: Floats = np.minimum(found, ONE)
    for plane in planes:
        codes = form.codes(plane).astype(np.float32)
        mean = _over_neighbours(np.add, pure * codes, PURE_SAMPLES) / np.maximum(found, TINY)
        codes += (ONE - pure) * share * (mean - codes)
        _write(plane, codes, form)
    counts: Floats = np.where(seen > 0, np.maximum(seen, share), seen)
    return counts


def _over_neighbours(chosen: np.ufunc, values: Floats, reach: int) -> Floats:
    for axis in (0, 1):
        padded = np.pad(values, [(reach, reach) if each == axis else (0, 0) for each in (0, 1)], mode="edge")
        sides = sliding_window_view(padded, 2 * reach + 1, axis)
        values = sides[..., 0].copy()
        for place in range(1, 2 * reach + 1):
            chosen(values, sides[..., place], out=values)
    return values


def _extend(planes: list[Plane], seen: Floats, form: FrameFormat) -> None:
    levels = [np.empty((len(planes) + 1, *seen.shape), np.float32)]
    levels[0][-1] = seen
    for plane, premultiplied in zip(planes, levels[0][:-1], strict=True):
        samples = plane.astype(np.float32) if form.floating else plane  # halves are slow one by one
        np.multiply(form.codes(samples), seen, out=premultiplied)
    while levels[-1].shape[1:] != (1, 1):
        planes_of, height, width = levels[-1].shape
        coarse = np.empty((planes_of, -(-height // 2), -(-width // 2)), np.float32)
        halved(levels[-1], coarse, 0, coarse.shape[1])
        levels.append(coarse)
    levels[-1][:-1] /= levels[-1][-1]
    for coarse, fine in pairwise(reversed(levels)):
        filled(coarse, fine, 0, fine.shape[1])
    for plane, colours in zip(planes, levels[0][:-1], strict=True):
        _write(plane, colours, form)


def _write(plane: Plane, colours: Floats, form: FrameFormat) -> None:
    if form.floating:
        np.copyto(plane, colours, casting="same_kind")
    else:  # codes of at most 16 bits come back exactly
        np.left_shift(np.rint(colours).astype(form.dtype), form.shift, out=plane)


@kernel(scratch=lambda *_: 0)
def halved(fine: Floats3, coarse: Floats3, y0: int, y1: int) -> None:
    """Make rows of a halved picture: sums of pixels, with weights up to 1.

    fine, coarse: (N, H, W): weighted colours, last the weight.
    """


@kernel(scratch=lambda coarse, fine, y0, y1: coarse.shape[2] + 2)
def filled(coarse: Floats3, fine: Floats3, y0: int, y1: int) -> None:
    """Complete a picture's rows by coarser colours; weights stay."""
