"""Masks given as arrays."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import numpy as np

from framebrush.api.keywords import PaintingOptions

OptionsT = TypeVar("OptionsT", bound=PaintingOptions)


def with_mask_file(stack: ExitStack, options: OptionsT) -> OptionsT:
    """Replace a mask array in the options by a picture file, which `stack` deletes.

    The array is (H, W): bool, uint8, or float of 0 to 1.

    Raises: TypeError, ValueError.
    """
    mask = options.get("mask")
    if not isinstance(mask, np.ndarray):
        return options
    if mask.ndim != 2 or not mask.size:
        raise ValueError(f"a mask of shape {mask.shape} cannot be used; give (height, width)")
    if mask.dtype.kind == "f":
        if not ((mask >= 0) & (mask <= 1)).all():
            raise ValueError("a mask of floats must be 0 to 1")
        codes = np.rint(255 * mask.astype(np.float64)).astype(np.uint8)
    elif mask.dtype in (np.bool_, np.uint8):
        codes = mask * np.uint8(255) if mask.dtype == np.bool_ else mask
    else:
        raise TypeError(f"a mask of {mask.dtype} cannot be used; convert it to bool, uint8, or float of 0 to 1")
    from PIL import Image  # imported here because only arrays need it

    folder = stack.enter_context(TemporaryDirectory(prefix="framebrush-mask-", ignore_cleanup_errors=True))
    path = Path(folder) / "mask.png"
    Image.fromarray(codes).save(path)
    changed = options.copy()
    changed["mask"] = path
    return changed
