"""The file a muxer writes to, until it is whole and gets its name.

It lies beside the target under a name that follows from the target's, and is locked, so that two jobs never write to
one target, and what a killed process left behind is recognised. On POSIX the lock is flock's; on Windows a file that is
open cannot be removed.
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
from framebrush.media.errors import BusyOutputError, OtherNameError, OutputError

if sys.platform != "win32":
    import fcntl

PART = re.compile(r"\..*\.part-[0-9a-f]{8}(\.\w+)?", re.DOTALL)
"""The names that `part_of` gives."""

_STALE_S = 60.0
"""On Windows, how old a part file that nobody holds open must be before it is removed."""

TRIES, RETRY_S = 10, 0.02
"""Where a part file is locked: another process may hold it for a moment only, to see whether it is stale."""

_unfinished: set[OutputFile] = set()

at_sudden_end: set[Callable[[], object]] = set()
"""What else to do then, before those files are removed."""


def discard_unfinished() -> None:
    """Remove all part files of this process, for its sudden end."""
    for leave in list(at_sudden_end):
        leave()
    for file in list(_unfinished):
        file.discard()


def part_of(target: Path) -> Path:
    """The name under which a target is written: the same for every job, hidden where dots hide."""
    stem = os.fsencode(target.stem)[:80].decode(errors="ignore")  # names end at 255 bytes
    mark = hashlib.sha256(os.fsencode(os.path.normcase(target.name))).hexdigest()[:8]
    return target.with_name(f".{stem}.part-{mark}{target.suffix}")


class OutputFile:
    """A new file that is ours to close, whatever state the muxer is in, and whose errors are Python's.

    FFmpeg takes any write for a complete one, so `write` continues until all is written. Unbuffered, because the muxer
    reads the file through a second handle when it moves the index to the front. failed: the error of a write, if there
    was one.
    """

    def __init__(self, target: Path) -> None:
        """Raises OSError if the file cannot be created, BusyOutputError if another job writes to the target."""
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
        """Close and remove the file, unless it was delivered. Idempotent."""
        if self in _unfinished:
            _unfinished.discard(self)
            with contextlib.suppress(OSError):
                self.close()
            self._part.unlink(missing_ok=True)

    def deliver(self, *, overwrite: bool) -> Path:
        """Give the whole file its name, and the mode and owner of the file that it replaces.

        Raises OSError if it does not reach the disk. Where the name cannot be given the file is kept under another
        one, and OutputError says which.
        """
        os.fsync(self._raw.fileno())
        if overwrite:
            _inherit(self._raw.fileno(), self._part, self._target)
        if sys.platform == "win32":
            self.close()  # an open file cannot be renamed there
        try:
            if overwrite:
                self._part.replace(self._target)
            else:
                rename_new(self._part, self._target)
        except OSError as error:
            words = f"{self._target} could not be given its name ({first_line(error)})"
            if (kept := self._keep()) is None:
                raise OutputError(f"{words}, and was removed meanwhile; run the same command again") from error
            raise OtherNameError(f"{words}; the finished file is {kept}") from error
        finally:
            _unfinished.discard(self)
            self.close()
        sync_folder(self._target.parent)
        return self._target

    def _keep(self) -> Path | None:
        """Give the finished file another visible name, if possible; returns its path, None if somebody has removed
        it."""
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


def remove_left(target: Path) -> None:
    """Remove what the process that wrote a target left half-written when it died."""
    if sys.platform == "win32":  # where an open file cannot be removed, and any other is taken for stale too late
        with contextlib.suppress(OSError):
            part_of(target).unlink()
    remove_stale(target.parent)


def remove_stale(folder: Path) -> None:
    """Remove the part files in a folder whose processes are dead."""
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
        """The descriptor of the part file, ours alone."""
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
            # Another process may have removed the file that was opened, and a third have begun one of that name.
            if os.path.samestat(os.fstat(descriptor), part.stat()):
                part.unlink()
        finally:
            os.close(descriptor)

    def _locked(part: Path, target: Path) -> int:
        """The descriptor of the part file, ours alone."""
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
    """Mode and owner of the file that is about to be replaced, as far as this process may give them."""
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
