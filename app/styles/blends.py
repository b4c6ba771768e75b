"""Blended styles."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from framebrush.media.reading.position import frame_named
from framebrush.styles.keys_folder import names_keys
from framebrush.styles.style_folder import FILES

_WEIGHT = re.compile(r"\s*(\d+\.?\d*|\.\d+)\s*", re.ASCII)


def parts_of(style: str) -> dict[str, float]:
    """Split a style's name into the parts of a blend and their weights.

    The colon of a drive or a time starts no weight. If only the end looks like a file name, all commas belong to it.
    """
    names, weights = [], []
    for part in style.split(","):
        name, _, weight = part.rpartition(":")
        whole = not name or frame_named(part) is not None or _WEIGHT.fullmatch(weight) is None
        names.append((part if whole else name).strip())
        weights.append(1.0 if whole else float(weight))
    if _names_file(style) and not all(map(_names_file, names)):
        return {style: 1.0}
    return dict(zip(names, weights, strict=True))


def blend(one: str, other: str, share: float) -> str:
    """Blend two styles. share: of the second, 0..1."""
    if share <= 0.0 or one == other:
        return one
    found: dict[str, float] = {}
    for style, weight in ((one, 1.0 - share), (other, share)):
        parts = parts_of(style)
        for painting, part in parts.items():
            found[painting] = found.get(painting, 0.0) + weight * part / sum(parts.values())
    return blend_of(found.items())


def blend_of(weights: Iterable[tuple[str, float]]) -> str:
    """Invert `parts_of`."""
    return ",".join(f"{name}:{weight:.3f}" for name, weight in weights)


def is_file(text: str) -> bool:
    """Return whether a name is a file."""
    return Path(text).suffix.lower() in FILES or names_keys(text)


def _names_file(text: str) -> bool:
    return is_file(text) or frame_named(text) is not None
