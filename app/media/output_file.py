"""Output file under a temporary name.

A lock prevents two jobs with one target.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import io
import os
import re
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

from framebrush.base import signals
from framebrush.base.files import rename_new, sync_folder
from framebrush.base.text import first_line
from framebrush.media.media_errors import BusyOutputError, OtherNameError, OutputError

if sys.platform != "win32":
    import fcntl

PART = re.compile(r"\..*\.part-[0-9a-f]{8}(\.\w+)?", re.DOTALL)
"""Names of `part_of`."""

_STALE_S = 60.0
"""Age of a part file that nobody holds open before it is removed, on Windows."""

TRIES, RETRY_S = 10, 0.02
"""Attempts to lock a part file: another process may briefly hold it to see if it is stale."""

_unfinished: set[OutputFile] = set()

at_sudden_end: set[Callable[[], object]] = set()
"""Further actions at a sudden end, before files are removed."""


def discard_unfinished() -> None:
    """Remove this process's part files."""
    for leave in list(at_sudden_end):
        leave()
    for file in list(_unfinished):
        file.discard()


def part_of(target: Path) -> Path:
    """Return a target's temporary path."""
    stem = os.fsencode(target.stem)[:80].decode(errors="ignore")  # names end at 255 bytes
    mark = hashlib.sha256(os.fsencode(os.path.normcase(target.name))).hexdigest()[:8]
    return target.with_name(f".{stem}.part-{mark}{target.suffix}")


class OutputFile:
    """Part file of a target. FFmpeg ignores write errors, so `failed` keeps them.

    Unbuffered, as the muxer reads it too.
    """

    def __init__(self, target: Path) -> None:
        """Create the file. Raises OSError, BusyOutputError."""
        self._target = target
        self._part = part_of(target)
        remove_stale(target.parent)
        self._raw = io.FileIO(_locked(self._part, target), "r+b")
        self._raw.truncate(0)
        self.name = str(self._part)
        self.size = 0
        self.failed: OSError | None = None
        _unfinished.add(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.discard()

    @property
    def closed(self) -> bool:
        return self._raw.closed

    @signals.callback
    def write(self, data: bytes | memoryview) -> int:
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._raw.write(rest) :]
        except OSError as error:
            self.failed = error
            raise
        self.size = max(self.size, self._raw.tell())
        return len(data)

    @signals.callback
    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self._raw.seek(offset, whence)

    @signals.callback
    def tell(self) -> int:
        return self._raw.tell()

    def close(self) -> None:
        self._raw.close()

    def discard(self) -> None:
        """Remove the file unless delivered. Idempotent."""
        if self in _unfinished:
            _unfinished.discard(self)
            with contextlib.suppress(OSError):
                self.close()
            self._part.unlink(missing_ok=True)

    def deliver(self, *, overwrite: bool) -> Path:
        """Rename the file to its target, keeping a replaced file's mode and owner.

        Raises: OSError if it does not reach the disk; OutputError, with the kept name, if renaming fails.
        """
        os.fsync(self._raw.fileno())
        if overwrite:
            _inherit(self._raw.fileno(), self._part, self._target)
        if sys.platform == "win32":
            self.close()  # open files cannot be renamed there
        try:
            if overwrite:
                self._part.replace(self._target)
            else:
                rename_new(self._part, self._target)
        except OSError as error:
            words = f"{self._target} could not be given its name ({first_line(error)})"
            if (kept := self._keep()) is None:
                raise OutputError(f"{words}, and was removed meanwhile", do="run the same command again") from error
            raise OtherNameError(f"{words}; the finished file is {kept}") from error
        finally:
            _unfinished.discard(self)
            self.close()
        sync_folder(self._target.parent)
        return self._target

    def _keep(self) -> Path | None:
        for number in range(1, 100):
            kept = self._target.with_name(
                f"{os.fsdecode(os.fsencode(self._target.stem)[:80])}.{number}{self._target.suffix}"
            )
            try:
                rename_new(self._part, kept)
            except FileExistsError:
                continue
            except OSError:
                break
            return kept
        return self._part if self._part.exists() else None


def remove_leftover(target: Path) -> None:
    """Remove a dead process's part file."""
    if sys.platform == "win32":  # open files cannot be removed there, and others are recognised as stale too late
        with contextlib.suppress(OSError):
            part_of(target).unlink()
    remove_stale(target.parent)


def remove_stale(folder: Path) -> None:
    """Remove dead processes' part files from a folder."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            if PART.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    _remove_if_stale(Path(entry.path))


if sys.platform == "win32":

    def _remove_if_stale(part: Path) -> None:
        if time.time() - part.stat().st_mtime > _STALE_S:
            part.unlink()

    def _locked(part: Path, target: Path) -> int:
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_BINARY | os.O_NOINHERIT
        try:
            return os.open(part, flags)
        except FileExistsError:
            try:
                part.unlink()
            except PermissionError:
                raise BusyOutputError(target) from None
            return os.open(part, flags)

else:

    def _remove_if_stale(part: Path) -> None:
        descriptor = os.open(part, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # another process may have removed the opened file, and a third created one of that name
            if os.path.samestat(os.fstat(descriptor), part.stat()):
                part.unlink()
        finally:
            os.close(descriptor)

    def _locked(part: Path, target: Path) -> int:
        tries = TRIES
        while True:
            try:
                descriptor = os.open(part, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
            except OSError as error:
                if error.errno != errno.ELOOP:
                    raise
                raise OutputError(f"{part} is a symbolic link, which is not written through; remove it") from None
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                tries -= 1
                if not tries:
                    raise BusyOutputError(target) from None
                time.sleep(RETRY_S)
                continue
            except OSError as error:
                if error.errno not in (errno.ENOLCK, errno.ENOTSUP, errno.EINVAL):  # a file system without locks
                    os.close(descriptor)
                    raise
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), part.stat()):
                    return descriptor
            os.close(descriptor)  # another process removed it as stale before it was locked


def _inherit(descriptor: int, part: Path, target: Path) -> None:
    try:
        old = target.stat()
    except OSError:
        return
    if sys.platform != "win32":
        for owner in ((old.st_uid, old.st_gid), (-1, old.st_gid)):
            try:
                os.fchown(descriptor, *owner)
                break
            except OSError:
                continue
        with contextlib.suppress(OSError):
            os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
    else:
        with contextlib.suppress(OSError):
            part.chmod(stat.S_IMODE(old.st_mode))
