"""File paths inside the name of a style or colour table.

"photo.jpg", "film.mp4@12.5", "a.jpg:0.7,b.jpg:0.3".
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from framebrush.media.position import frame_named
from framebrush.styles.folder import FILES
from framebrush.styles.keys_folder import SUFFIX, is_keys


def with_files(style: str, change: Callable[[str], str]) -> str:
    """Apply a function to each file path in a name."""
    if "," not in style or _is_file(style) or _is_file(change(style)):
        return _changed(style, change)
    return ",".join(part.replace(name := part.strip(), _changed(name, change)) for part in style.split(","))


def files_in(style: str) -> list[str]:
    """Return the file paths in a name."""
    parts = style.split(",") if not _is_file(style) else [style]
    return [path for part in parts if (path := _path_in(part.strip())) is not None]


def absolute(style: str) -> str:
    """Make the paths of existing files in a name absolute."""
    return with_files(style, lambda path: str(Path(path).absolute()) if _is_file(path) else path)


def _changed(part: str, change: Callable[[str], str]) -> str:
    path = _path_in(part)
    return part if path is None else change(path) + part[len(path) :]


def _path_in(part: str) -> str | None:
    path = _path_of(part)
    if path is None:  # may have a weight; a frame position may contain colons, too
        path = _path_of(part.rpartition(":")[0])
    return path


def _path_of(part: str) -> str | None:
    if Path(part).suffix.lower() in {".cube", SUFFIX, *FILES}:
        return part
    named = frame_named(part)
    return named[0] if named is not None and Path(named[0]).suffix else None


def _is_file(path: str) -> bool:
    return os.path.isfile(path) or is_keys(path)  # noqa: PTH113 - takes any text
