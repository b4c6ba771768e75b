"""Files that are written completely or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def part_beside(target: Path) -> Path:
    """Return a temporary name beside a file, unique to this thread."""
    return target.with_name(f"{target.name}.{os.getpid()}-{threading.get_ident():x}.part")


@contextmanager
def whole_file(target: Path, *, new: bool = False) -> Iterator[Path]:
    """Yield a path that becomes the target only if the block succeeds.

    The file is synced and renamed, or removed.

    new: never replace a file. Raises OSError, FileExistsError.
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
    """Flush a folder's new file names to disk, if supported."""
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
