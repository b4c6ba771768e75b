"""Styles from folders of painted frames, film.keys."""

from __future__ import annotations

import os
from pathlib import Path

from framebrush.models.style import StyleError

SUFFIX = ".keys"
NETWORK = "film.onnx"
"""File name of the style, which has one painting per painted shot."""
MASK = "mask.json"
"""File name of the corrections of the film's masks; see `subject.corrections`."""


def names_keys(text: str) -> bool:
    """Return whether a suffix names a folder of painted frames."""
    return Path(text).suffix.lower() == SUFFIX


def is_keys(text: str) -> bool:
    """Return whether a text names an existing folder of painted frames."""
    return names_keys(text) and os.path.isdir(text)  # noqa: PTH112 - takes any text


def network_in(folder: Path) -> Path:
    """Return the path of a folder's style. Raises StyleError."""
    network = folder / NETWORK
    if not folder.is_dir():
        raise StyleError(f"{folder}: there is no such folder of painted frames")
    if not network.is_file():
        raise StyleError(f"{folder}: nothing was learnt from its pictures yet", do="run framebrush keys FILM learn")
    return network
