"""User folders shared by several windows and commands."""

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
"""Errors of a lock held by others; Wine has none."""


class Lock:
    """Lock between threads and processes; none without file locks."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._held: int | None = None

    def try_lock(self) -> bool:
        """Try to take the lock; return whether it is held. Raises OSError."""
        if self._held is None:
            self._held = _locked(self._path)
        return self._held is not None

    def release(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            os.close(held)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Wait for a file's lock and hold it. Raises OSError."""
    lock = Lock(path)
    while not lock.try_lock():
        time.sleep(PERIOD_S)  # long enough for others to change a file or two
    try:
        yield
    finally:
        lock.release()


def _locked(path: Path) -> int | None:
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
    """Named files, unique without case and suffix."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def files(self) -> Iterable[Path]:
        """Return the named files in any order."""
        raise NotImplementedError

    def beside(self, file: Path) -> list[Path]:
        """Return files that move with a file."""
        return []

    def changing(self) -> AbstractContextManager[None]:
        """Lock the folder. Raises OSError."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return locked(self.path.with_name(f"{self.path.name}.lock"))

    def named(self, name: str) -> Path | None:
        """Return the file with a name, if any."""
        return next((file for file in self.files() if file.stem.casefold() == name.casefold()), None)

    def free_name(self, text: str) -> str:
        """Return a proper, unused name for a text."""
        wanted = proper_name(text) or self.path.name.removesuffix("s")
        tails = chain([""], (f" {number}" for number in count(2)))
        return next(wanted + tail for tail in tails if self.named(wanted + tail) is None)

    def add(self, write: Callable[[Path], object], name: str, ending: str, folder: str = "") -> Path:
        """Add a file, by `write`, under a free name; return its path.

        Call it within `changing`. Raises OSError.
        """
        target = self.path / folder / f"{self.free_name(name)}{ending}"
        target.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(target, new=True) as part:
            write(part)
        return target

    def rename(self, file: Path, name: str) -> Path:
        """Rename a file; return its path. Raises OSError, FileExistsError."""
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
        """Delete a file, if present. Raises OSError."""
        with self.changing():
            for each in (file, *self.beside(file)):
                each.unlink(missing_ok=True)
