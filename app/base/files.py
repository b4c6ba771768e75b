"""Files that are written whole or not at all."""

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
    """Where this thread writes a file until it is whole. Each thread and process has a name of its own."""
    return target.with_name(f"{target.name}.{os.getpid()}-{threading.get_ident():x}.part")


@contextmanager
def whole_file(target: Path, *, new: bool = False) -> Iterator[Path]:
    """A path to write to; where the block succeeds, what is there reaches the disk and takes the target's name.

    Else the target stays as it was and nothing is left beside it. new: never replace a file. Raises OSError, and
    FileExistsError for a new file whose name is taken.
    """
    part = part_beside(target)
    try:
        yield part
        with part.open("r+b") as file:  # Windows flushes only what is open for writing
            os.fsync(file.fileno())
        if new:
            rename_new(part, target)
        else:
            part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(target.parent)


def write_whole(target: Path, content: bytes | str) -> None:
    """Write a file, text as UTF-8, as `whole_file` does. Raises OSError."""
    with whole_file(target) as part:
        part.write_bytes(content.encode() if isinstance(content, str) else content)


FileState = tuple[int, int, int, int]
"""What changes with a file's content: number on the disk, size, and the times of the last changes of content and facts,
since 1970 in ns. A copy that keeps its time of change, put in place of a file, changes the others."""


def file_state(path: Path) -> FileState:
    """Look up the state of a file: where it is the same, so is the content. Raises OSError, ValueError."""
    facts = path.stat()
    return facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns


def rename_new(old: Path, new: Path) -> None:
    """Rename a file without replacing any. Raises FileExistsError, OSError."""
    if sys.platform != "win32":
        try:
            os.link(old, new, follow_symlinks=False)
        except FileExistsError:
            raise
        except OSError:  # a file system without hard links
            if os.path.lexists(new):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(new)) from None
        else:
            old.unlink()
            return
    old.rename(new)


def sync_folder(folder: Path) -> None:
    """Make the new name of a file in a folder reach the disk, where folders can be flushed."""
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
