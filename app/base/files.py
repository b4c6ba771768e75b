"""Atomic writing of files, and bounded reading."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

from framebrush.base.text import data_size


def part_beside(target: Path) -> Path:
    """Return a temporary name beside a file, unique per thread."""
    return target.with_name(f"{target.name}.{os.getpid()}-{threading.get_ident():x}.part")


@contextmanager
def whole_file(target: Path, *, new: bool = False) -> Iterator[Path]:
    """Yield a path that becomes the target on success. Raises OSError.

    new: raise FileExistsError rather than replace a file.
    """
    part = part_beside(target)
    try:
        yield part
        with part.open("r+b") as file:  # Windows only flushes files open for writing
            os.fsync(file.fileno())
        if new:
            rename_new(part, target)
        else:
            part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(target.parent)


def write_whole(target: Path, content: bytes | str) -> None:
    """Write a file, text as UTF-8, by `whole_file`. Raises OSError."""
    with whole_file(target) as part:
        part.write_bytes(content.encode() if isinstance(content, str) else content)


REFUSED = errno.EINVAL, errno.EFBIG
"""Errors of `read_bounded` about a file that exists, but is no regular one or too large."""


def open_regular(path: Path) -> BufferedReader:
    """Open a file; pipes and devices might block. Raises OSError, ValueError."""
    file = open(path, "rb", opener=_without_waiting)  # noqa: SIM115 - the caller closes it
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise OSError(errno.EINVAL, "it is not a regular file")


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # Windows lacks this flag, and pipes in folders


def read_bounded(path: Path, most_bytes: int) -> bytes:
    """Read a regular file, most_bytes at most. Raises OSError, ValueError."""
    with open_regular(path) as file:
        said = os.fstat(file.fileno()).st_size
        if said <= most_bytes:
            content = file.read(said + 1)
            if len(content) > said:
                content += file.read(most_bytes + 1 - len(content))
            if len(content) <= most_bytes:
                return content
    raise OSError(errno.EFBIG, f"it has more than {data_size(most_bytes)}, the most for such a file")


FileState = tuple[int, int, int, int]
"""State that changes with a file's content: inode, size, times of content and metadata changes in ns. A copy with
preserved times changes the others."""


def file_state(path: Path) -> FileState:
    """Return a file's state, equal for equal content. Raises OSError, ValueError."""
    facts = path.stat()
    return facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns


def rename_new(old: Path, new: Path) -> None:
    """Rename a file without replacing another. Raises FileExistsError, OSError."""
    if sys.platform != "win32":
        try:
            os.link(old, new, follow_symlinks=False)
        except FileExistsError:
            raise
        except OSError:  # no hard links on this file system
            if os.path.lexists(new):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(new)) from None
        else:
            old.unlink()
            return
    old.rename(new)


def sync_folder(folder: Path) -> None:
    """Flush a folder's names to disk, if supported."""
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def place_of(path: Path | str) -> str:
    """Return an absolute path, links resolved, to compare files by."""
    return os.path.normcase(os.path.realpath(path))
