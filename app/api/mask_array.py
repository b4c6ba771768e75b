"""Masks given as arrays."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from framebrush.api.keywords import PaintingOptions
from framebrush.base.text import count_of

OptionsT = TypeVar("OptionsT", bound=PaintingOptions)


def with_mask_file(stack: ExitStack, options: OptionsT, pictures: int | None = None) -> OptionsT:
    """Replace a mask array in the options by files, deleted by `stack`.

    A mask is (H, W) or, of several `pictures`, (N, H, W): bool, uint8, or float of 0 to 1. Raises TypeError,
    ValueError.
    """
    mask = options.get("mask")
    if not isinstance(mask, np.ndarray):
        return options
    in_batch = pictures is not None and mask.ndim == 3
    if not (mask.ndim == 2 or in_batch) or not mask.size:
        each = "" if pictures is None else " or (pictures, height, width)"
        raise ValueError(f"a mask of shape {mask.shape} cannot be used; give (height, width){each}")
    if pictures is not None and in_batch:
        check_masks(mask, pictures)
    codes = _codes(mask)
    from PIL import Image  # imported here because only arrays need it

    folder = stack.enter_context(TemporaryDirectory(prefix="framebrush-mask-", ignore_cleanup_errors=True))
    # numbered pictures belong to the frame of their number, the last one stays, and each may be of one colour
    for number, one in enumerate(codes if in_batch else [codes]):
        Image.fromarray(one).save(Path(folder) / f"{number:07d}.png")
    changed = options.copy()
    changed["mask"] = Path(folder) / "%07d.png"
    return changed


def check_masks(masks: npt.NDArray[Any], pictures: int) -> None:
    """Raise ValueError unless each picture has one mask."""
    if len(masks) != pictures:
        given, shown = count_of(len(masks), "mask", "is/are"), count_of(pictures, "picture")
        raise ValueError(f"{given} given for {shown}; give one for each, or one for all")


def _codes(mask: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    if mask.dtype.kind == "f":
        if not ((mask >= 0) & (mask <= 1)).all():
            raise ValueError("a mask of floats must be 0 to 1")
        return np.rint(255 * mask.astype(np.float64)).astype(np.uint8)
    if mask.dtype == np.bool_:
        return mask * np.uint8(255)
    if mask.dtype == np.uint8:
        return mask
    raise TypeError(f"a mask of {mask.dtype} cannot be used; convert it to bool, uint8, or float of 0 to 1")
