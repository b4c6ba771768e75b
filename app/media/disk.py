"""Errors of full or failing disks."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from av import FFmpegError

from framebrush.base.files import write_whole
from framebrush.base.text import data_size, first_line
from framebrush.media.video import DiskFullError, OutputError
from framebrush.media.video_files import is_video_name

_FULL = (errno.ENOSPC, errno.EDQUOT)


def disk_error(error: OSError | FFmpegError, folder: Path | None, failed: str, written: str = "") -> OutputError:
    """Convert a failed write to an error for users.

    folder: None if unknown. failed: begins the message. written: such as " after 1.5 MB".
    """
    if error.errno not in _FULL:
        return OutputError(f"{failed}: {first_line(error)}")
    if folder is None:
        return DiskFullError(f"{failed}: the disk is full; free some space or write elsewhere")
    folder, left = _existing(folder), data_size(free_bytes(folder))
    return DiskFullError(f"the disk of {folder} is full ({left} left){written}; free some space or write elsewhere")


def free_bytes(path: Path) -> int:
    """Return the free space of a path's disk, 0 if unknown."""
    try:
        return shutil.disk_usage(_existing(path)).free
    except OSError:
        return 0


def _existing(path: Path) -> Path:
    return next(filter(Path.exists, (path, *path.parents)), path)


@contextmanager
def disk_errors(folder: Path, failed: str) -> Iterator[None]:
    """Convert the block's OSErrors by `disk_error`."""
    try:
        yield
    except OSError as error:
        raise disk_error(error, folder, failed) from error


def check_no_video(path: Path) -> None:
    """Raise OutputError for video names."""
    if is_video_name(path):
        raise OutputError(f"{path} is named like a video, and text would replace it; give another name")


def write_file(path: Path, text: str) -> None:
    """Write text and a newline atomically. Raises OutputError."""
    check_no_video(path)
    with disk_errors(path.parent, f"writing {path} failed"):
        write_whole(path, f"{text}\n")
