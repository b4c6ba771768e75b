"""A folder of painted frames of a film, and the network that was learnt from them: film.keys."""

from __future__ import annotations

import os
from pathlib import Path

from framebrush.models.style import StyleError

SUFFIX = ".keys"
NETWORK = "film.onnx"
"""The style within the folder, a painting for each shot that has keys."""


def is_keys(text: str) -> bool:
    """Whether a text names a folder of painted frames, by its ending."""
    return Path(text).suffix.lower() == SUFFIX and os.path.isdir(text)  # noqa: PTH112 - takes any text


def network_in(folder: Path) -> Path:
    """The style within such a folder. Raises StyleError where nothing was learnt yet."""
    network = folder / NETWORK
    if not network.is_file():
        raise StyleError(f"{folder}: nothing was learnt from its pictures yet; run framebrush keys FILM learn")
    return network
