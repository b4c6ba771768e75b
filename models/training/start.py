"""The common networks that every painting was trained from, and that `framebrush train` starts from.

`library/SIZE.start.npz` holds the training form of one painter of each size, in float16: 0.5 and 0.9 MB;
`library/shot.start.npz` that of what the networks of painted frames begin with (`shot.py`).
"""

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
    """Where the common network of a size is."""
    return library.FOLDER / f"{size}.start.npz"


def load(size: str) -> dict[str, Tensor]:
    """The weights of the common network of a size, for `trainer.Trainer.start_from`; float32, counters int64."""
    return read(path(size))


def read(file: Path) -> dict[str, Tensor]:
    """What `save` wrote, as `load` gives it. Raises OSError, and ValueError for what is no such file."""
    try:
        with np.load(file) as arrays:
            tensors = {name: torch.from_numpy(arrays[name]) for name in arrays.files}
    except (zipfile.BadZipFile, zlib.error, EOFError, TypeError, NotImplementedError) as error:
        raise ValueError(f"{file}: is damaged ({first_line(error)})") from None
    return {name: x.float() if x.is_floating_point() else x for name, x in tensors.items()}


def save(painter: Mapping[str, Tensor], file: Path | BinaryIO) -> None:
    """Write the weights of a painter in training as such a file."""
    arrays = {name: x.detach().cpu() for name, x in painter.items()}
    halves: dict[str, Any] = {name: (x.half() if x.is_floating_point() else x).numpy() for name, x in arrays.items()}
    np.savez_compressed(file, **halves)
