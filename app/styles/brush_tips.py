"""Brushes of jobs: a kind, or a tip's picture."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from framebrush.analysis.to_rgb import Picture
from framebrush.base.files import FileState, file_state
from framebrush.base.text import first_line
from framebrush.gpu.errors import DeviceError
from framebrush.media.video import InputError
from framebrush.models.brushes import MARK_COLUMNS, MARK_ROWS, BrushKind, kind_named
from framebrush.models.colours.luma import LUMA
from framebrush.models.style import ModelCard, StyleError
from framebrush.styles import dabs
from framebrush.styles.reference_pictures import decoded
from framebrush.styles.specs import SizeSpec
from framebrush.styles.style_folder import SUFFIXES

TIPS = SUFFIXES | dabs.SUFFIXES
"""Suffixes of brush tips: pictures, and brushes of GIMP and Krita."""

LEAST_PX = 16
"""Minimum shorter side, in pixels, of a tip picture and of the tip in it."""

LIGHT_PAPER = 0.5
"""Mean of the picture's border, 0..1, from which on the paper is light and the tip dark."""

LEAST_CONTRAST = 0.1
"""Minimum contrast between paper and tip, 0..1."""

LEAST_PAINT = 0.05
"""Minimum height, 0..1, of paint that belongs to the tip; the margin around it is cropped."""


def brush_of(sizes: SizeSpec, card: ModelCard, mark: bytes | None) -> BrushKind:
    """Return a job's brush in a style. mark: from `brush_tip_of`."""
    kind = card.brush_kind if sizes.brush_kind is None else kind_named(sizes.brush_kind)
    return replace(kind, few=sizes.few_strokes, mark=mark)


def brush_tip_of(sizes: SizeSpec) -> bytes | None:
    """Return a job's brush tip, None for bristles. Raises StyleError."""
    return None if sizes.brush_mark is None else open_brush_tip(sizes.brush_mark)


def open_brush_tip(path: str) -> bytes:
    """Read a stroke to the right, or a GIMP or Krita brush. Raises StyleError.

    Opaque pictures of a dark tip on light paper are inverted.
    """
    try:
        state = file_state(Path(path))
    except (OSError, ValueError):
        raise StyleError(f"{path} cannot be a brush: there is no such file; check the name and the folder") from None
    return _opened(path, state)


@lru_cache(maxsize=8)
def _opened(path: str, state: FileState) -> bytes:
    try:
        if Path(path).suffix.lower() in dabs.SUFFIXES:
            return _shaped(dabs.stroke_of(Path(path)), least_px=1)
        seen = decoded(path, None)
        if seen.damaged:
            raise ValueError("the file is damaged; give one that is whole")
        return _mark(seen.rgb, seen.alpha)
    except (InputError, DeviceError, ValueError, OSError) as error:
        raise StyleError(f"{path} cannot be a brush: {first_line(error)}") from None


def _mark(rgb: Picture, alpha: Picture | None) -> bytes:
    height, width = rgb.shape[:2]
    if min(height, width) < LEAST_PX:
        raise ValueError(f"{width}x{height} pixels are too few for a brush tip; give {LEAST_PX} or more a side")
    grey = rgb @ LUMA / 255.0
    seen = np.ones(grey.shape) if alpha is None else alpha / 255.0
    if seen.min() < 1.0:
        visible = grey[seen > 0.0]
        shaded = visible.size > 0 and np.ptp(visible) >= LEAST_CONTRAST
        paint = seen * grey if shaded else seen
    else:
        rim = np.concatenate([grey[0], grey[-1], grey[:, 0], grey[:, -1]])
        paint = 1.0 - grey if rim.mean() > LIGHT_PAPER else grey
    return _shaped(paint - paint.min(), LEAST_PX)


def _shaped(paint: npt.NDArray[np.floating[Any]], least_px: int) -> bytes:
    if paint.max() < LEAST_CONTRAST:
        raise ValueError("it shows no brush tip; give a dark one on white, or on transparency")
    paint = paint / paint.max()
    rows, columns = (np.flatnonzero(paint.max(axis=axis) >= LEAST_PAINT) for axis in (1, 0))
    paint = paint[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    if min(paint.shape) < least_px:
        height, width = paint.shape
        raise ValueError(f"the brush tip in it is {width}x{height} pixels large; give one of {least_px} or more a side")
    from PIL import Image  # imported here because only this function needs it

    whole = Image.fromarray(paint.astype(np.float32))
    means = np.asarray(whole.resize((MARK_COLUMNS, MARK_ROWS), Image.Resampling.BOX))
    return np.rint(255.0 * means.clip(0.0, 1.0)).astype(np.uint8).tobytes()
