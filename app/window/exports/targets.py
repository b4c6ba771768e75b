"""Names of files that exports write."""

from __future__ import annotations

import os
import re
from collections.abc import Container as Collection
from itertools import chain, count
from pathlib import Path

from framebrush.base.files import place_of
from framebrush.base.text import first_line
from framebrush.jobs.segments.job_folder import folder_of
from framebrush.media.containers import usual_ending
from framebrush.media.output_file import part_of, remove_stale
from framebrush.media.video import VideoInfo

LONGEST_STEM = 200
"""How many bytes of a video's name are reused: file systems limit names to 255, and more is added."""


def free_name(source: Path, taken: Collection[str] = (), folder: Path | None = None) -> Path:
    """Return a name that no file, unfinished job or queued export has.

    taken: results of `place_of`.
    """
    return free_like((folder or source.parent) / f"{_shortened(source.stem)}-painted{usual_ending(source)}", taken)


def free_like(target: Path, taken: Collection[str]) -> Path:
    """Return the name, numbered if it is taken."""
    stem = f"{target.stem}-" if target.stem[-1:].isdigit() else target.stem
    names = (target.with_name(f"{stem}{number}{target.suffix}") for number in count(2))
    return next(path for path in chain([target], names) if is_free(path, taken))


def is_free(path: Path, taken: Collection[str]) -> bool:
    return not (os.path.lexists(path) or is_begun(path) or place_of(path) in taken)


def is_begun(path: Path) -> bool:
    """Return whether an unfinished job writes a file."""
    if part_of(path).exists():
        remove_stale(path.parent)  # a killed process has left it, perhaps
    return folder_of(path).exists() or part_of(path).exists()


def is_same(path: Path, other: Path | None) -> bool:
    """Return whether two paths are one file."""
    try:
        return other is not None and path.samefile(other)
    except OSError:
        return False


def why_not(target: Path) -> str:
    """Return why a name is unusable, or ""."""
    try:
        target.exists()
    except OSError as error:
        return first_line(error)
    return ""


def file_stem(info: VideoInfo) -> str:
    """Return a video's name without extension."""
    if info.path is not None:
        return _shortened(info.path.stem)
    return re.sub(r"[^\w-]+", "-", info.name).strip("-")[:60]


def _shortened(stem: str) -> str:
    name = os.fsencode(stem)
    return stem if len(name) <= LONGEST_STEM else name[:LONGEST_STEM].decode(errors="ignore").rstrip()


def with_tilde(path: Path) -> str:
    """Return a path with `~` for the home folder."""
    home = Path.home()
    if os.name == "nt" or not path.is_relative_to(home):
        return str(path)
    return str("~" / path.relative_to(home))
