"""The source of a job, held open from before anything of it is read until all of it was.

A job opens its source by its path more than once: for every run of segments, for the sound, in each process. That all
of these read one film is known only where the path led to the same file, with the same content, before the first of
them and after the last. So whatever is kept of a job, a segment or its result, is kept after `grown` has compared the
two.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from framebrush.base.text import first_line
from framebrush.jobs.identity import SourceIdentity
from framebrush.jobs.spec import JobSpec
from framebrush.media.frame_source import local_path
from framebrush.media.reading.open import check_file
from framebrush.media.video import InputError, OpenOptions, SourceChangedError

RESUME = "; run the same command again to resume"
RESUME_OVER = "; run the same command again with -y to resume and overwrite the file that is there"
BEGIN_AGAIN = ", of the source as it was; for the new one, the same command needs --restart"
"""Ends of a sentence about the kept part of a job; see `PreparedJob.how_to_resume`."""


class HeldSource:
    """identity: of the source when it was opened; None where it is not a file. Used as a context: an error within it,
    once the source has changed, is raised as the `SourceChangedError` that explains it."""

    def __init__(self, path: Path | None, opening: OpenOptions, former: SourceIdentity | None = None) -> None:
        """former: what the source was when its job was planned. Where it has only grown since, as a recording does, it
        still counts as that. Raises InputError."""
        self._path, self._opening = path, opening
        self._file: BinaryIO | None = None
        self._lock = threading.Lock()  # segments are finished in another thread
        self.something_is_kept = False
        """Whether a job that has ended keeps a part of its work, so that a changed source needs --restart."""
        self.identity: SourceIdentity | None = None
        if path is None:
            return
        if opening.rate is not None:
            self.identity = SourceIdentity.of(path, opening)
            return
        check_file(path)
        try:
            self._file = path.open("rb")  # while it is open no other file gets its number
            self._state = os.fstat(self._file.fileno())
            self.identity = SourceIdentity.of_open(self._file)
            if former is not None and former.size_bytes < self._state.st_size and former.begins(self._file):
                self.identity = former
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({first_line(error)})") from None

    @classmethod
    def of(cls, spec: JobSpec, former: SourceIdentity | None = None) -> Self:
        """The source of a spec. Raises InputError."""
        return cls(local_path(spec.source), spec.decode.opening, former)

    def grown(self) -> bool:
        """Whether the source has grown since it was what `identity` says, and is otherwise as it was. A file that was
        removed or moved is as it was: what had opened it reads it to its end.

        Raises SourceChangedError, and InputError where it can no longer be read.
        """
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
        """Whether a job that ends now is resumed by the same command: not where its source has changed."""
        try:
            return not self.grown()
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
                self.grown()
        finally:
            if self._file is not None:
                self._file.close()
