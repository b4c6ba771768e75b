"""Source of a job, held open and compared."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from framebrush.base.text import first_line
from framebrush.jobs.identity import SourceIdentity
from framebrush.jobs.spec import JobSpec
from framebrush.media.reading.open import check_file
from framebrush.media.sources.frame_source import local_path
from framebrush.media.video import InputError, OpenOptions, SourceChangedError

RESUME = "; run the same command again to resume"
RESUME_OVER = "; run the same command again with -y to resume and overwrite the existing file"
BEGIN_AGAIN = " for the source before its change; to paint the changed one, add --restart to the same command"
"""Ends of a sentence about kept parts of a job; see `PreparedJob.how_to_resume`."""


class OpenedSource:
    """Open source of a job. In its `with` block, errors by a change become SourceChangedError.

    identity: at opening, None without a file.
    """

    def __init__(self, path: Path | None, opening: OpenOptions, former: SourceIdentity | None = None) -> None:
        """Open. former: identity before it grew. Raises InputError."""
        self._path, self._opening = path, opening
        self._file: BinaryIO | None = None
        self._lock = threading.Lock()  # segments are finished in another thread
        self.something_is_kept = False
        """Whether the ended job keeps a part of its work, so that a changed source needs --restart."""
        self.identity: SourceIdentity | None = None
        if path is None:
            return
        if opening.rate is not None:
            self.identity = SourceIdentity.of(path, opening)
            return
        check_file(path)
        try:
            self._file = path.open("rb")  # while it is open no other file gets its inode
            self._state = os.fstat(self._file.fileno())
            self.identity = SourceIdentity.of_open(self._file)
            if former is not None and former.size_bytes < self._state.st_size and former.begins(self._file):
                self.identity = former
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({first_line(error)})") from None

    @classmethod
    def of(cls, spec: JobSpec, former: SourceIdentity | None = None) -> Self:
        """Open a spec's source. Raises InputError."""
        return cls(local_path(spec.source), spec.decode.opening, former)

    def has_only_grown(self) -> bool:
        """Return whether it has grown. Raises SourceChangedError, InputError."""
        path, identity = self._path, self.identity
        if path is None or identity is None:
            return False
        if self._file is None:
            if SourceIdentity.of(path, self._opening) != identity:
                raise self._changed(path, "pictures were added, removed or written to")
            return False
        with self._lock:
            return self._compared(path, self._file, identity)

    @property
    def resumes(self) -> bool:
        """Whether the same command can resume."""
        try:
            return not self.has_only_grown()
        except InputError:
            return False

    def _compared(self, path: Path, file: BinaryIO, identity: SourceIdentity) -> bool:
        try:
            now = os.fstat(file.fileno())
            try:
                there = path.stat()
            except FileNotFoundError:
                there = now
            grown = now.st_size > identity.size_bytes
            if not os.path.samestat(now, there):
                raise self._changed(path, "another file took its place")
            if now.st_size < self._state.st_size or not identity.begins(file):
                raise self._changed(path, "it was written to")
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({first_line(error)})") from None
        return grown

    def _changed(self, path: Path, how: str) -> SourceChangedError:
        return SourceChangedError(path, how, restart=self.something_is_kept)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if isinstance(error, Exception):
                self.has_only_grown()
        finally:
            if self._file is not None:
                self._file.close()
