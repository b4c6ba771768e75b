"""The user's own styles: networks and pictures, with previews."""

from __future__ import annotations

import filecmp
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from framebrush.base.files import whole_file
from framebrush.base.user_folder import UserFolder

PICTURES = "pictures"
"""Subfolder for pictures used as styles."""

SUFFIXES = frozenset(
    {".png", ".jpg", ".jpeg", ".jfif", ".webp", ".tif", ".tiff", ".bmp", ".gif", ".heic", ".heif", ".avif"}
)
"""Suffixes of pictures. Only the first frame of an animation counts."""

FILES = SUFFIXES | {".onnx"}
"""Suffixes of style files."""


def data_folder() -> Path:
    """Return the folder for user data, Qt's AppDataLocation."""
    if sys.platform == "win32":
        base = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "Framebrush" / "Framebrush"


@dataclass(frozen=True, slots=True)
class OwnStyle:
    """Style of the user. path: network or source picture."""

    path: Path

    @property
    def name(self) -> str:
        """Return the name that users read and write."""
        return self.path.stem

    @property
    def is_picture(self) -> bool:
        return self.path.parent.name == PICTURES

    @property
    def picture(self) -> Path:
        """Return the preview's path, which may be missing."""
        folder = self.path.parent.parent if self.is_picture else self.path.parent
        return folder / f"{self.name}.jpg"


class StyleFolder(UserFolder):
    """A `UserFolder` of styles and their previews."""

    def __init__(self, path: Path | None = None) -> None:
        super().__init__(path or data_folder() / "styles")

    def __iter__(self) -> Iterator[OwnStyle]:
        return iter(sorted(map(OwnStyle, self.files()), key=lambda style: style.name.casefold()))

    def __contains__(self, path: Path) -> bool:
        return path.parent in (self.path, self.path / PICTURES)

    def files(self) -> Iterator[Path]:
        pictures = (path for path in (self.path / PICTURES).glob("*") if path.suffix.lower() in SUFFIXES)
        return chain(self.path.glob("*.onnx"), pictures)

    def beside(self, file: Path) -> list[Path]:
        return [OwnStyle(file).picture]

    def keep(self, style: Path, name: str | None = None) -> Path:
        """Copy a network or picture unless present; return its path. Raises OSError."""
        is_picture = (ending := style.suffix.lower()) in SUFFIXES
        with self.changing():
            for own in self.files():
                if filecmp.cmp(own, style, shallow=False):
                    return own
            place, ending = (PICTURES, ending) if is_picture else ("", ".onnx")
            return self.add(partial(shutil.copyfile, style), name or style.stem, ending, place)


def copy_whole(source: Path, target: Path, *, new: bool = False) -> None:
    """Copy a file atomically. Raises OSError; new: FileExistsError."""
    with whole_file(target, new=new) as part:
        shutil.copyfile(source, part)
