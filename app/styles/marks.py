"""Brushes as jobs name them: a kind, and pictures: a mark of one's own, and maps of sizes and directions."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from framebrush.analysis.to_rgb import Picture
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.stages.cells import derivatives, gaussian, smoothed
from framebrush.media.video import InputError
from framebrush.models.brushes import AS_NEEDED, MAP_SIDE, MARK_COLUMNS, MARK_ROWS, BrushKind, kind_named
from framebrush.models.colours.luma import LUMA
from framebrush.models.style import ModelCard, StyleError
from framebrush.styles.pictures import decoded
from framebrush.styles.specs import SizeSpec

LEAST_PX = 16
"""The shorter side of a picture that shows a mark, and of the mark on it."""

LIGHT_PAPER = 0.5
"""Mean of the rim of a picture from which on the paper is light and the mark on it dark."""

LEAST_CONTRAST = 0.1
"""Between paper and mark, 0..1."""

LEAST_PAINT = 0.05
"""From this height on, 0..1, paint belongs to the mark; what lies around it is cut off."""


NOTHING = 0.02
"""What a map of directions says by less than this, 0..1, it does not say."""

GREY_CODES = 8
"""Channels of a grey picture differ by at most so much."""

LEAST_SLOPE = 0.25
"""In codes from sample to sample of a map: where a grey picture rises by less it has no forms, and counts for less."""

FORMS = 4.0
"""Deviation, in samples of a map, within which the forms of a grey picture count as one."""


def brush_of(sizes: SizeSpec, card: ModelCard, pictures: Mapping[str, Any]) -> BrushKind:
    """The brush of a job in a style. card: the style's. pictures: as `pictures_of` gives them."""
    kind = card.brush_kind if sizes.brush_kind is None else kind_named(sizes.brush_kind)
    return replace(kind, few=sizes.few_strokes, **pictures)


def pictures_of(sizes: SizeSpec) -> dict[str, bytes | None]:
    """What the pictures of a job's brush show, by the fields of a `BrushKind`. Raises StyleError for one that cannot be
    read."""
    read = {"brush_mark": open_mark, "brush_sizes": open_sizes, "brush_directions": open_directions}
    return {
        name.removeprefix("brush_"): None if path is None else read[name](path)
        for name, path in sizes.brush_pictures.items()
    }


def without_files(sizes: SizeSpec) -> SizeSpec:
    """The sizes with hashes of what their pictures show in place of the files' names. Raises StyleError for one that
    cannot be read."""
    shown = pictures_of(sizes).values()
    hashes = (None if each is None else hashlib.sha256(each).hexdigest() for each in shown)
    named: dict[str, Any] = dict(zip(sizes.brush_pictures, hashes, strict=True))
    return replace(sizes, **named)


def open_mark(path: str) -> bytes:
    """The mark in a picture, as a `BrushKind` has it, painted from the picture's left to its right.

    What is transparent has no paint; where nothing is, a dark mark on light paper counts as a light one on dark paper
    does. Raises StyleError, one sentence, for what cannot be read, is too small, or shows no mark.
    """
    return _open(path, "a brush", _mark)


def open_sizes(path: str) -> bytes:
    """The map of sizes in a picture, as a `BrushKind` has it: from black, where strokes are finest, to white, where
    they are broadest. What is transparent leaves them to the film. Raises StyleError, one sentence, for what cannot
    be read."""
    return _open(path, "a map of sizes", _sizes)


def open_directions(path: str) -> bytes:
    """The map of directions in a picture, as a `BrushKind` has it.

    In colour it is a map of vectors, as those of flow and of normals in screen space are: red leads across and green
    up, and 128 of both, nowhere. In grey it is a picture whose forms strokes follow, along lines of one brightness.
    Where it leads nowhere or is transparent the film is followed. Raises StyleError, one sentence, for what cannot be
    read, or says nothing.
    """
    return _open(path, "a map of directions", _directions)


def _open(path: str, what: str, read: Callable[[Picture, Picture | None], bytes]) -> bytes:
    try:
        changed = Path(path).stat().st_mtime_ns
    except (OSError, ValueError):
        raise StyleError(f"{path} cannot be {what}: there is no such file; check the name and the folder") from None
    return _opened(path, what, read, changed)


@lru_cache(maxsize=8)
def _opened(path: str, what: str, read: Callable[[Picture, Picture | None], bytes], changed_ns: int) -> bytes:
    """What a picture shows, read again where its file has changed."""
    try:
        seen = decoded(path, None)
        if seen.damaged:
            raise ValueError("the file is damaged; give one that is whole")
        return read(seen.rgb, seen.alpha)
    except (InputError, DeviceError, ValueError) as error:
        raise StyleError(f"{path} cannot be {what}: {error}") from None


def _sizes(rgb: Picture, alpha: Picture | None) -> bytes:
    """rgb: (H, W, 3). alpha: (H, W)."""
    seen = 1.0 if alpha is None else alpha / 255.0
    codes = _resized(AS_NEEDED + seen * (rgb @ LUMA - AS_NEEDED))
    found: bytes = np.rint(codes.clip(0.0, 255.0)).astype(np.uint8).tobytes()
    return found


def _directions(rgb: Picture, alpha: Picture | None) -> bytes:
    """rgb: (H, W, 3). alpha: (H, W). Raises ValueError."""
    height, width = rgb.shape[:2]
    if np.ptp(rgb, axis=-1).max() <= GREY_CODES:
        across, down = derivatives(_resized(rgb @ LUMA))
        across, down = across * math.sqrt(height / width), down * math.sqrt(width / height)  # of square samples
        weights = gaussian(FORMS, round(2.5 * FORMS))
        parts = [smoothed(part, weights) for part in (across * across - down * down, 2.0 * across * down)]
        length = np.hypot(*parts)
        parts = [part / np.maximum(length, LEAST_SLOPE**2) for part in parts]
    else:
        over, up = np.moveaxis(rgb[..., :2] / 127.5 - 1.0, -1, 0)
        length = np.hypot(over, up)
        per = 1.0 / (np.maximum(length, NOTHING) * np.maximum(length, 1.0))
        parts = [_resized(per * (up * up - over * over)), _resized(per * 2.0 * over * up)]
    seen = np.ones((MAP_SIDE, MAP_SIDE)) if alpha is None else _resized(alpha / 255.0)
    tensor = np.stack(parts) * seen
    tensor = np.where(np.hypot(*tensor) < NOTHING, 0.0, tensor)
    if not tensor.any():
        raise ValueError("it says nothing; give red for across and green for up, or the forms of a grey picture")
    return np.rint(127.0 * tensor.clip(-1.0, 1.0)).astype(np.int8).tobytes()


def _resized(plane: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(MAP_SIDE, MAP_SIDE): a plane, stretched."""
    from PIL import Image  # here, not above: only pictures need it

    whole = Image.fromarray(plane.astype(np.float32))
    return np.asarray(whole.resize((MAP_SIDE, MAP_SIDE), Image.Resampling.BILINEAR)).astype(np.float64)


def _mark(rgb: Picture, alpha: Picture | None) -> bytes:
    """rgb: (H, W, 3). alpha: (H, W). Raises ValueError."""
    height, width = rgb.shape[:2]
    if min(height, width) < LEAST_PX:
        raise ValueError(f"{width}x{height} pixels show no mark; give {LEAST_PX} or more a side")
    grey = rgb @ LUMA / 255.0
    seen = np.ones(grey.shape) if alpha is None else alpha / 255.0
    if seen.min() < 1.0:
        visible = grey[seen > 0.0]
        shaded = visible.size > 0 and np.ptp(visible) >= LEAST_CONTRAST
        paint = seen * grey if shaded else seen
    else:
        rim = np.concatenate([grey[0], grey[-1], grey[:, 0], grey[:, -1]])
        paint = 1.0 - grey if rim.mean() > LIGHT_PAPER else grey
    paint = paint - paint.min()
    if paint.max() < LEAST_CONTRAST:
        raise ValueError("it shows no mark; give a dark one on white, or on nothing")
    paint = paint / paint.max()
    rows, columns = (np.flatnonzero(paint.max(axis=axis) >= LEAST_PAINT) for axis in (1, 0))
    paint = paint[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    if min(paint.shape) < LEAST_PX:
        height, width = paint.shape
        raise ValueError(f"the mark on it is {width}x{height} pixels large; give one of {LEAST_PX} or more a side")
    from PIL import Image  # here, not above: only pictures need it

    whole = Image.fromarray(paint.astype(np.float32))
    means = np.asarray(whole.resize((MARK_COLUMNS, MARK_ROWS), Image.Resampling.BOX))
    return np.rint(255.0 * means.clip(0.0, 1.0)).astype(np.uint8).tobytes()
