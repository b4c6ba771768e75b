"""The user's own styles: networks in one folder, and pictures in one within it, each with a picture of its painting.

The window keeps them, and whoever opens a style by its name finds them.
"""

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
"""The folder of pictures that are styles, within that of the styles."""

SUFFIXES = frozenset(
    {".png", ".jpg", ".jpeg", ".jfif", ".webp", ".tif", ".tiff", ".bmp", ".gif", ".heic", ".heif", ".avif"}
)
"""Endings of files that are pictures. Of an animation the first one counts."""

FILES = SUFFIXES | {".onnx"}
"""Endings of files that are styles."""


def data_folder() -> Path:
    """The folder for the user's files: where Qt has it for this program, found without Qt."""
    if sys.platform == "win32":
        base = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "Framebrush" / "Framebrush"


@dataclass(frozen=True, slots=True)
class OwnStyle:
    """One of the user's styles. path: of its network, or of the picture that it is made of."""

    path: Path

    @property
    def name(self) -> str:
        """As the user reads and writes it."""
        return self.path.stem

    @property
    def is_picture(self) -> bool:
        """Whether it is made from a picture."""
        return self.path.parent.name == PICTURES

    @property
    def picture(self) -> Path:
        """The picture of its painting, there or yet to be made."""
        folder = self.path.parent.parent if self.is_picture else self.path.parent
        return folder / f"{self.name}.jpg"


class StyleFolder(UserFolder):
    """See `UserFolder`; the picture of its painting goes with a style."""

    def __init__(self, path: Path | None = None) -> None:
        """path: the folder; the window's where left out."""
        super().__init__(path or data_folder() / "styles")

    def __iter__(self) -> Iterator[OwnStyle]:
        """The styles, in the order of their names."""
        return iter(sorted(map(OwnStyle, self.files()), key=lambda style: style.name.casefold()))

    def __contains__(self, path: Path) -> bool:
        """Whether a file is one of these, by its path alone."""
        return path.parent in (self.path, self.path / PICTURES)

    def files(self) -> Iterator[Path]:
        """See `UserFolder.files`."""
        pictures = (path for path in (self.path / PICTURES).glob("*") if path.suffix.lower() in SUFFIXES)
        return chain(self.path.glob("*.onnx"), pictures)

    def beside(self, file: Path) -> list[Path]:
        """See `UserFolder.beside`."""
        return [OwnStyle(file).picture]

    def keep(self, style: Path, name: str | None = None) -> Path:
        """Copy a network or a picture into the folder, and return its path there; that of the same file where it is
        already there. name: to keep it under, or another where that is taken; the file's own if left out. Raises
        OSError."""
        is_picture = (ending := style.suffix.lower()) in SUFFIXES
        with self.changing():
            for own in self.files():
                if filecmp.cmp(own, style, shallow=False):
                    return own
            place, ending = (PICTURES, ending) if is_picture else ("", ".onnx")
            return self.add(partial(shutil.copyfile, style), name or style.stem, ending, place)


def copy_whole(source: Path, target: Path, *, new: bool = False) -> None:
    """Copy a file; the target is there when it is whole. new: never replace a file. Raises OSError, FileExistsError."""
    with whole_file(target, new=new) as part:
        shutil.copyfile(source, part)
