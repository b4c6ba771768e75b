"""Folders of the person's, which several windows and commands share."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import chain, count
from pathlib import Path

from framebrush.base.file_names import proper_name
from framebrush.base.files import rename_new, whole_file

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

PERIOD_S = 0.02

_TAKEN = (errno.EAGAIN, errno.EACCES, errno.EDEADLK, 0)
"""Errors of a lock that somebody else has; Wine has none for it."""


class Lock:
    """Only one has it at a time, of all threads and processes; who dies has it no longer. On a file system without
    locks everybody has it."""

    def __init__(self, path: Path) -> None:
        """path: of a file, which is made, and stays."""
        self._path = path
        self._held: int | None = None

    def take(self) -> bool:
        """Take it, if nobody else has it; whether it is one's own now. Raises OSError."""
        if self._held is None:
            self._held = _locked(self._path)
        return self._held is not None

    def release(self) -> None:
        """Give it back. Idempotent."""
        held, self._held = self._held, None
        if held is not None:
            os.close(held)


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Wait for the lock of a file, and have it meanwhile. Raises OSError."""
    lock = Lock(path)
    while not lock.take():
        time.sleep(PERIOD_S)  # for others to change a file or two
    try:
        yield
    finally:
        lock.release()


def _locked(path: Path) -> int | None:
    """The descriptor of a file that is locked now; None where somebody else has it. Raises OSError."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0), 0o666)
    try:
        if sys.platform == "win32":
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.ENOTSUP, errno.EINVAL):
            os.close(file)
            if error.errno not in _TAKEN:
                raise
            return None
    return file


class UserFolder:
    """Named files. A name is free where no file has it, in upper or lower case, whatever its ending. Files are added
    whole or not at all. Everything that changes the folder does so while it has it to itself: a name that is free stays
    free until it is taken. Every method may wait for a disk."""

    def __init__(self, path: Path) -> None:
        """path: made when it is needed."""
        self.path = path

    def files(self) -> Iterable[Path]:
        """Its named files, in any order."""
        raise NotImplementedError

    def beside(self, file: Path) -> list[Path]:
        """What belongs to a file, has its name, and goes with it; there or not."""
        return []

    def changing(self) -> AbstractContextManager[None]:
        """Have the folder to oneself. Raises OSError."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return held(self.path.with_name(f"{self.path.name}.lock"))

    def named(self, name: str) -> Path | None:
        """The file of a name."""
        return next((file for file in self.files() if file.stem.casefold() == name.casefold()), None)

    def free_name(self, text: str) -> str:
        """The text as a proper name that no file has."""
        wanted = proper_name(text) or self.path.name.removesuffix("s")
        tails = chain([""], (f" {number}" for number in count(2)))
        return next(wanted + tail for tail in tails if self.named(wanted + tail) is None)

    def add(self, write: Callable[[Path], object], name: str, ending: str, folder: str = "") -> Path:
        """Add a file under a name, or another where that is taken; its path. To be called within `changing`. write:
        called with the path to write to. folder: within this one. Raises OSError, and what `write` raises."""
        target = self.path / folder / f"{self.free_name(name)}{ending}"
        target.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(target, new=True) as part:
            write(part)
        return target

    def rename(self, file: Path, name: str) -> Path:
        """Give a file another name; its new path. Raises OSError, FileExistsError for a name that is taken."""
        target = file.with_name(f"{name}{file.suffix}")
        with self.changing():
            if name.casefold() == file.stem.casefold():
                file.rename(target)
            elif self.named(name) is None:
                rename_new(file, target)
            else:
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
            for old, new in zip(self.beside(file), self.beside(target), strict=True):
                with suppress(OSError):
                    old.replace(new)
        return target

    def remove(self, file: Path) -> None:
        """Delete a file, which may be gone. Raises OSError."""
        with self.changing():
            for each in (file, *self.beside(file)):
                each.unlink(missing_ok=True)
