"""File paths in style names: "photo.jpg", "film.mp4@12.5", "a.jpg:0.7,b.jpg:0.3"."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from framebrush.media.reading.position import frame_named
from framebrush.styles.keys_folder import SUFFIX, is_keys
from framebrush.styles.style_folder import FILES


def with_files(style: str, change: Callable[[str], str], frame: Callable[[str], str] | None = None) -> str:
    """Apply `change` to file paths in a name, `frame` to paths like "film.mp4@12.5"."""
    if "," not in style or _is_file(style) or _is_file(change(style)):
        return _changed(style, change, frame)
    return ",".join(part.replace(name := part.strip(), _changed(name, change, frame)) for part in style.split(","))


def files_in(style: str) -> list[str]:
    """Return the file paths in a name."""
    parts = style.split(",") if not _is_file(style) else [style]
    return [found[0] for part in parts if (found := _found_in(part.strip())) is not None]


def absolute(style: str) -> str:
    """Make the paths of existing files absolute."""
    return with_files(style, lambda path: str(Path(path).absolute()) if _is_file(path) else path)


def _changed(part: str, change: Callable[[str], str], frame: Callable[[str], str] | None) -> str:
    found = _found_in(part)
    if found is None:
        return part
    path, named = found
    if frame is not None and named != path:
        return frame(named) + part[len(named) :]
    return change(path) + part[len(path) :]


def _found_in(part: str) -> tuple[str, str] | None:
    found = _found_at(part)
    if found is None:  # may have a weight; a frame position may contain colons, too
        found = _found_at(part.rpartition(":")[0])
    return found


def _found_at(part: str) -> tuple[str, str] | None:
    if Path(part).suffix.lower() in {".cube", SUFFIX, *FILES}:
        return part, part
    named = frame_named(part)
    return (named[0], part) if named is not None and Path(named[0]).suffix else None


def _is_file(path: str) -> bool:
    return os.path.isfile(path) or is_keys(path)  # noqa: PTH113 - takes any text
