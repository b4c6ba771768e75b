"""A mark of a brush of one's own, read from a picture: how much paint it leaves at each place."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from framebrush.gpu.errors import DeviceError
from framebrush.media.video import InputError
from framebrush.models.style import StyleError
from framebrush.styles import pictures

Mark = npt.NDArray[np.float32]

ACROSS, ALONG = 64, 256
"""Samples of a mark across a stroke and along it: of a stroke 60 pixels broad, one each, in 64 KB."""

LEAST_PX = 16
"""The shorter side of a picture that shows a mark."""

LIGHT_PAPER = 0.5
"""Mean of the rim of a picture from which on the paper is light and the mark on it dark."""

LEAST_CONTRAST = 0.1
"""Between paper and mark, 0..1."""


def open_mark(path: str) -> Mark:
    """The mark in a picture, painted from its left to its right: (ACROSS, ALONG) 0..1, without paint and with the most.

    What is transparent has no paint; else a dark mark on light paper counts as a light one on dark paper does. Raises
    StyleError, one sentence, for what cannot be read, is too small, or shows no mark.
    """
    try:
        decoded = (pictures.decode_elsewhere or pictures.decode)(path, None)
    except (InputError, DeviceError, ValueError) as error:
        raise StyleError(f"{path} cannot be a brush: {error}") from None
    rgb, alpha = decoded.rgb, decoded.alpha
    height, width = rgb.shape[:2]
    if min(height, width) < LEAST_PX:
        raise StyleError(
            f"{path} cannot be a brush: {width}x{height} pixels show no mark; give {LEAST_PX} or more a side"
        )
    grey = rgb @ np.array([0.2126, 0.7152, 0.0722]) / 255.0
    seen = np.ones(grey.shape) if alpha is None else alpha / 255.0
    rim = np.concatenate([grey[0], grey[-1], grey[:, 0], grey[:, -1]])
    if float(seen.min()) < 1.0:
        visible = grey[seen > 0.0]
        is_shaded = visible.size > 0 and float(np.ptp(visible)) >= LEAST_CONTRAST
        paint = seen * grey if is_shaded else seen
    else:
        paint = 1.0 - grey if float(rim.mean()) > LIGHT_PAPER else grey
    paint = paint - float(paint.min())
    if float(paint.max()) < LEAST_CONTRAST:
        raise StyleError(f"{path} cannot be a brush: it shows no mark; give a dark one on white, or on nothing")
    return _resized(paint / float(paint.max()))


def _resized(paint: npt.NDArray[np.floating]) -> Mark:
    """(ACROSS, ALONG) of means over areas."""
    from PIL import Image  # here, not above: only pictures need it

    whole = Image.fromarray(paint.astype(np.float32))
    mark: Mark = np.asarray(whole.resize((ALONG, ACROSS), Image.Resampling.BOX), np.float32).clip(0.0, 1.0)
    return mark
