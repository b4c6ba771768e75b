"""The user's own styles: networks in one folder, and pictures in one within it, each with a picture of its painting.

The window keeps them, and whoever opens a style by its name finds them.
"""

from __future__ import annotations

import filecmp
import os
import shutil
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path

from framebrush.base.file_names import proper_name
from framebrush.base.files import rename_new, whole_file

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


class StyleFolder:
    """Files are added whole or not at all. Every method may wait for a disk: not for the window's thread."""

    def __init__(self, path: Path | None = None) -> None:
        """path: the folder, made when it is needed; the window's where left out."""
        self.path = path or data_folder() / "styles"
        self.changing = threading.Lock()
        """Held while a style, and the picture beside it, is added, deleted, renamed or painted."""

    def __iter__(self) -> Iterator[OwnStyle]:
        """The styles, in the order of their names."""
        pictures = (path for path in (self.path / PICTURES).glob("*") if path.suffix.lower() in SUFFIXES)
        files = chain(self.path.glob("*.onnx"), pictures)
        return iter(sorted(map(OwnStyle, files), key=lambda style: style.name.casefold()))

    def __contains__(self, path: Path) -> bool:
        """Whether a file is one of these, by its path alone."""
        return path.parent in (self.path, self.path / PICTURES)

    def is_free(self, name: str) -> bool:
        """Whether no style has this name, in upper or lower case."""
        return name.casefold() not in {style.name.casefold() for style in self}

    def free_name(self, text: str) -> str:
        """The text as a proper name that no style has yet."""
        wanted = proper_name(text) or "style"
        tails: Iterable[str] = chain([""], (f" {number}" for number in count(2)))
        return next(wanted + tail for tail in tails if self.is_free(wanted + tail))

    def keep(self, style: Path, name: str | None = None) -> Path:
        """Copy a network or a picture into the folder, and return its path there; that of the same file where it is
        already there. name: to keep it under, or another where that is taken; the file's own if left out. Raises
        OSError."""
        ending = style.suffix.lower()
        folder = self.path / PICTURES if ending in SUFFIXES else self.path
        ending = ending if ending in SUFFIXES else ".onnx"
        with self.changing:  # a name is free until another thread has taken it
            for own in self:
                if filecmp.cmp(own.path, style, shallow=False):
                    return own.path
            folder.mkdir(parents=True, exist_ok=True)
            while True:
                target = folder / f"{self.free_name(name or style.stem)}{ending}"
                with suppress(FileExistsError):  # another window has just taken the name
                    copy_whole(style, target, new=True)
                    return target

    def rename(self, style: Path, name: str) -> Path:
        """Give a style another name; its new path. Raises OSError, FileExistsError for a name that is taken."""
        target = style.with_name(f"{name}{style.suffix}")
        with self.changing:
            if name.casefold() == style.stem.casefold():
                style.rename(target)
            elif self.is_free(name):
                rename_new(style, target)
            else:
                raise FileExistsError(f"there is already a style {name}")
            with suppress(OSError):  # a picture that is lost is repainted
                OwnStyle(style).picture.replace(OwnStyle(target).picture)
        return target

    def remove(self, style: Path) -> None:
        """Delete a style. Raises OSError."""
        with self.changing:
            style.unlink()
            with suppress(OSError):
                OwnStyle(style).picture.unlink()


def copy_whole(source: Path, target: Path, *, new: bool = False) -> None:
    """Copy a file; the target is there when it is whole. new: never replace a file. Raises OSError, FileExistsError."""
    with whole_file(target, new=new) as part:
        shutil.copyfile(source, part)
