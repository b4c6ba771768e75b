"""Common networks, in float16, from which all paintings start."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import torch
from torch import Tensor

from framebrush.base.text import first_line
from framebrush.models import library


def path(size: str) -> Path:
    """Return a common network's file."""
    return library.FOLDER / f"{size}.start.npz"


def load(size: str) -> dict[str, Tensor]:
    """Load a size's common network for `trainer.Trainer.start_from`."""
    return read(path(size))


def read(file: Path) -> dict[str, Tensor]:
    """Read a file of `save`. Raises OSError, ValueError."""
    try:
        with np.load(file) as arrays:
            tensors = {name: torch.from_numpy(arrays[name]) for name in arrays.files}
    except (zipfile.BadZipFile, zlib.error, EOFError, TypeError, NotImplementedError) as error:
        raise ValueError(f"{file}: is damaged ({first_line(error)})") from None
    return {name: x.float() if x.is_floating_point() else x for name, x in tensors.items()}


def save(painter: Mapping[str, Tensor], file: Path | BinaryIO) -> None:
    """Write the weights of a painter in training."""
    arrays = {name: x.detach().cpu() for name, x in painter.items()}
    halves: dict[str, Any] = {name: (x.half() if x.is_floating_point() else x).numpy() for name, x in arrays.items()}
    np.savez_compressed(file, **halves)
