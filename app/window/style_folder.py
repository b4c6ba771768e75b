"""The person's own styles: files in one folder, each with a picture that its network painted."""

from __future__ import annotations

import filecmp
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, count
from pathlib import Path

LONGEST_NAME = 60
_NO_NAME = re.compile(r'[\\/:*?"<>|\x00-\x1f\x7f]+')  # Windows takes none of these, and a blend has colons
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)  # of Windows, with any ending


def proper_name(text: str) -> str:
    """A name for a style that is also one for a file everywhere; "" where nothing is left of the text."""
    name = " ".join(_NO_NAME.sub(" ", text).split())[:LONGEST_NAME].strip(". ")
    return f"{name} style" if _DEVICES.fullmatch(name.partition(".")[0]) else name


class StyleFolder:
    """Files are added whole or not at all. Every method may wait for a disk: not for the window's thread."""

    def __init__(self, path: Path) -> None:
        """path: the folder, made when it is needed."""
        self.path = path

    def __iter__(self) -> Iterator[Path]:
        """The style files, in the order of their names."""
        return iter(sorted(self.path.glob("*.onnx"), key=lambda path: path.stem.casefold()))

    def __contains__(self, path: Path) -> bool:
        """Whether a file is one of these, by its path alone."""
        return path.parent == self.path

    @staticmethod
    def picture(style: Path) -> Path:
        """Where the picture of a style is, or is to be."""
        return style.with_suffix(".jpg")

    def is_free(self, name: str) -> bool:
        """Whether no style is called so, in any case."""
        return name.casefold() not in {path.stem.casefold() for path in self}

    def free_name(self, text: str) -> str:
        """The text as a proper name that no style has yet."""
        wanted = proper_name(text) or "style"
        tails: Iterable[str] = chain([""], (f" {number}" for number in count(2)))
        return next(wanted + tail for tail in tails if self.is_free(wanted + tail))

    def keep(self, style: Path) -> Path:
        """Copy a style file into the folder, and give its path there; that of the same file where it is there already.
        Raises OSError."""
        for own in self:
            if filecmp.cmp(own, style, shallow=False):
                return own
        self.path.mkdir(parents=True, exist_ok=True)
        target = self.path / f"{self.free_name(style.stem)}.onnx"
        copy_whole(style, target)
        return target

    def rename(self, style: Path, name: str) -> Path:
        """Give a style another name; its new path. Raises OSError, FileExistsError for a name that is taken."""
        target = self.path / f"{name}.onnx"
        if name.casefold() != style.stem.casefold() and not self.is_free(name):
            raise FileExistsError(f"there is a style {name} already")
        style.rename(target)
        with suppress(OSError):  # a picture that is lost is painted anew
            self.picture(style).replace(self.picture(target))
        return target

    def remove(self, style: Path) -> None:
        """Delete a style. Raises OSError."""
        style.unlink()
        with suppress(OSError):
            self.picture(style).unlink()


def copy_whole(source: Path, target: Path) -> None:
    """Copy a file; the target is there when it is whole. Raises OSError."""
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        shutil.copyfile(source, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
