"""Folder of an unfinished job beside its target: journal, segments, records.

A record is written after its media file. Journal and records hold a hash of content and name.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile
from pathlib import Path
from typing import Self, TypeVar

from framebrush.base.closing import Closing
from framebrush.base.files import REFUSED, open_regular, read_bounded
from framebrush.base.json_values import JsonError, from_values, to_text, to_values
from framebrush.base.signals import Ending
from framebrush.base.text import count_of, first_line
from framebrush.jobs.identity import JobIdentity
from framebrush.jobs.opened_source import RESUME
from framebrush.jobs.segments.segment_plan import Segment
from framebrush.jobs.spec import JobSpec
from framebrush.media.containers import segment_container
from framebrush.media.disk import disk_error
from framebrush.media.encoding.encoders import codec_of
from framebrush.media.output_file import PART, OutputFile, at_sudden_end, part_of, remove_stale
from framebrush.media.video import BusyOutputError, LightLevel, OutputError
from framebrush.styles.shot_styles import Shot

VERSION = 3
"""Version 1 had no hashes, version 2's did not cover the file name."""

SUFFIX = ".framebrush"
LONGEST_NAME = 255  # bytes
MOST_BYTES = 64 << 20
"""Size limit of journals and records: 400,000 segments, or 3 million frames."""

JOURNAL = "journal.json"
PICTURES = "pictures.txt"
LOCK = "lock"
_OURS = re.compile(
    rf"{re.escape(JOURNAL)}|{re.escape(PICTURES)}|\d{{5,}}-[0-9a-f]{{16}}\.(nut|mov|json)|{PART.pattern}", re.DOTALL
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Journal:
    """Plan of a job, with absolute paths. time_base: the source's."""

    version: int
    identity: JobIdentity
    job: JobSpec
    segments: tuple[Segment, ...]
    shots: tuple[Shot, ...] = ()
    time_base: Fraction | None = None

    def name_of(self, segment: Segment) -> str:
        """Return a segment's file name, with a hash of everything behind its content."""
        content = f"{self.identity.key} {json.dumps(to_values(segment))}"
        ending = segment_container(codec_of(self.identity.encoder.name)).muxer
        return f"{segment.number:05d}-{hashlib.sha256(content.encode()).hexdigest()[:16]}.{ending}"


@dataclass(frozen=True, slots=True)
class SegmentRecord:
    """Facts about a complete segment or part.

    Attributes:
        header: in hexadecimal.
        pts, durations: in decoding order and the source's time base.
        lost, cut_off, warnings: as in `FrameSource`.
        run: process that counted warnings.
        goes_on: (frames before, start of) the next part.
    """

    size_bytes: int = 0
    sha256: str = ""
    header: str = ""
    pts: tuple[int, ...] = ()
    durations: tuple[int, ...] = ()
    lost: int = 0
    cut_off: bool = False
    warnings: tuple[str, ...] = ()
    run: str = ""
    goes_on: tuple[int, int] | None = None
    light: LightLevel | None = None

    def rest(self, part: Segment) -> Segment | None:
        """Return the segment's rest after this part. Raises ValueError."""
        return None if self.goes_on is None else part.behind(*self.goes_on)


@dataclass(frozen=True, slots=True)
class KeptWork:
    """Finished part of a job. length_s: film time."""

    owner: str
    frames: int
    length_s: float | None


Part = tuple[Segment, SegmentRecord]
"""A planned segment, or its rest after the previous part, with the record."""


def folder_of(target: Path) -> Path:
    """Return a target's folder, named with SUFFIX."""
    folder = target.with_name(target.name + SUFFIX)
    if len(os.fsencode(folder.name)) > LONGEST_NAME:
        folder = target.with_name(part_of(target).stem.lstrip(".") + SUFFIX)
    return folder


def write_json(path: Path, item: object) -> None:
    """Write an item as JSON. Raises OSError."""
    _write(path, to_text(item, indent=1))


def read_json(kind: type[T], path: Path) -> T:
    """Read an item of `write_json`. Raises OSError, JsonError."""
    return from_values(kind, _read_values(path), path.name)


def write_sealed(path: Path, item: object, *, indent: int | None = None) -> None:
    """Write JSON with a checksum."""
    values = to_values(item)
    sealed = {"sha256": _digest(path.name, values), "content": values}
    _write(path, json.dumps(sealed, indent=indent, allow_nan=False))


def read_sealed(kind: type[T], path: Path) -> T:
    """Read an item of `write_sealed`. Raises OSError, JsonError."""
    values = _read_values(path)
    if not isinstance(values, dict) or values.keys() != {"sha256", "content"}:
        raise JsonError(f"{path.name} has no checksum: another version wrote it")
    if values["sha256"] != _digest(path.name, values["content"]):
        raise JsonError(f"{path.name} does not match its checksum")
    return from_values(kind, values["content"], path.name)


def _write(path: Path, text: str) -> None:
    with OutputFile(path) as file:
        file.write(text.encode())
        file.deliver(overwrite=True)


def _read_values(path: Path) -> object:
    try:
        values: object = json.loads(read_bounded(path, MOST_BYTES))
    except (ValueError, RecursionError):
        raise JsonError(f"{path.name} is damaged") from None
    except OSError as error:
        if error.errno in REFUSED:
            raise JsonError(f"{path.name}: {first_line(error)}") from None
        raise
    return values


def _digest(name: str, values: object) -> str:
    return hashlib.sha256(json.dumps([name, values], sort_keys=True).encode()).hexdigest()


class JobFolder:
    """Folder of one job, changed only under its `FolderLock`."""

    def __init__(self, path: Path, journal: Journal) -> None:
        self.path, self.journal = path, journal
        self._parts: dict[int, list[Part]] = {}

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a folder. Raises OSError, JsonError."""
        journal = read_sealed(Journal, path / JOURNAL)
        if journal.version != VERSION:
            raise JsonError(f"{JOURNAL} has format {journal.version}; this Framebrush reads {VERSION}")
        return cls(path, journal)

    @classmethod
    def create(cls, path: Path, journal: Journal) -> Self:
        """Create a folder. Raises OSError."""
        write_sealed(path / JOURNAL, journal, indent=1)
        return cls(path, journal)

    def media(self, segment: Segment) -> Path:
        """Return a part's media file."""
        return self.path / self.journal.name_of(segment)

    def record_file(self, segment: Segment) -> Path:
        """Return the file of a part's record."""
        return self.media(segment).with_suffix(".json")

    def record(self, part: Segment, record: SegmentRecord) -> None:
        """Write a part's record. Raises OSError."""
        write_sealed(self.record_file(part), record)

    def recorded(self, part: Segment) -> SegmentRecord:
        """Read a part's record. Raises OSError, JsonError."""
        return read_sealed(SegmentRecord, self.record_file(part))

    def add(self, part: Segment, record: SegmentRecord) -> None:
        """Register a part on disk, in order."""
        self._parts.setdefault(part.number, []).append((part, record))

    def find_whole(self) -> list[Segment]:
        """Verify hashes; delete and return damaged parts. Raises OSError."""
        damaged = [self.read_segment(segment) for segment in self.journal.segments]
        for part in filter(None, damaged):
            self.remove(part)
        return [part for part in damaged if part is not None]

    def remove(self, part: Segment) -> None:
        """Remove a part's files. Raises OSError."""
        self.record_file(part).unlink(missing_ok=True)
        self.media(part).unlink(missing_ok=True)

    def read_segment(self, segment: Segment) -> Segment | None:
        """Verify a segment; return its damaged part, if any. Raises OSError."""
        self._parts.pop(segment.number, None)
        part: Segment | None = segment
        while part is not None:
            try:
                record = self.recorded(part)
                rest = record.rest(part)
            except FileNotFoundError:
                return None
            except ValueError:
                return part
            if record.pts and not _fits(self.media(part), record):
                return part
            self.add(part, record)
            part = rest
        return None

    def recorded_parts(self, segment: Segment) -> Iterator[Part]:
        """Yield a segment's existing parts, unverified."""
        part: Segment | None = segment
        while part is not None:
            try:
                record = self.recorded(part)
                rest = record.rest(part)
            except (OSError, ValueError):
                return
            if not self._is_there(part, record):
                return
            yield part, record
            part = rest

    def look_again(self) -> None:
        """Drop parts without files."""
        for number, parts in self._parts.items():
            self._parts[number] = list(takewhile(lambda found: self._is_there(*found), parts))

    def _is_there(self, part: Segment, record: SegmentRecord) -> bool:
        return self.record_file(part).is_file() and (not record.pts or self.media(part).is_file())

    def parts_of(self, segment: Segment) -> list[Part]:
        """Return a segment's existing parts."""
        return self._parts.get(segment.number, [])

    def unpainted_rest(self, segment: Segment) -> Segment | None:
        """Return a segment's unpainted rest."""
        found = self.parts_of(segment)
        return found[-1][1].rest(found[-1][0]) if found else segment

    @property
    def parts(self) -> list[Part]:
        return [part for segment in self.journal.segments for part in self.parts_of(segment)]

    @property
    def complete_segments(self) -> list[Segment]:
        """Complete segments."""
        return [segment for segment in self.journal.segments if self.unpainted_rest(segment) is None]

    @property
    def missing(self) -> list[Segment]:
        """Incomplete segments, or their rests."""
        return [left for segment in self.journal.segments if (left := self.unpainted_rest(segment)) is not None]

    @property
    def frames_done(self) -> int:
        """Number of finished frames."""
        return sum(len(record.pts) for _, record in self.parts)

    @property
    def bytes_done(self) -> int:
        """Size of finished frames."""
        return sum(record.size_bytes for _, record in self.parts)

    @property
    def kept_words(self) -> str:
        """Message about kept work, or "" without a frame."""
        return self.share_words("kept") + RESUME if self.frames_done else ""

    def share_words(self, state: str) -> str:
        """Describe the finished share: "1 of 3 segments is kept"."""
        all_of = count_of(len(self.journal.segments), "segment")
        if number := len(self.complete_segments):
            share = f"{number} of {all_of}"
        else:
            number = self.frames_done
            share = count_of(number, "frame")
            if len(self.journal.segments) > 1:
                share += f" of the first of {all_of}"
        return f"{share} {'is' if number == 1 else 'are'} {state}"


class FolderLock(Closing):
    """Lock on a target's folder, released with its process."""

    def __init__(self, target: Path, ending: Ending | None = None) -> None:
        """Create and lock the folder. Raises BusyOutputError, OutputError."""
        self.path, self._ending = folder_of(target), ending or Ending()
        try:
            self.path.mkdir(exist_ok=True)
            self._file = OutputFile(self.path / LOCK)
        except BusyOutputError:
            raise BusyOutputError(target) from None
        except OSError as error:
            raise disk_error(error, target.parent, f"cannot write to the folder {self.path}") from error
        at_sudden_end.add(self.leave)

    def leave(self) -> None:
        """Remove a folder without resumable content."""
        if not self.path.is_dir():
            self._ending.kept = ""  # the user has removed it
        stems = [path.stem for path in self.path.glob("[0-9]*")]  # a part without frames has a record alone
        if len(set(stems)) == len(stems) and not (self.path / PICTURES).exists():
            self.clear()
            self.close()

    def clear(self) -> None:
        """Remove the job's files, unless in use."""
        with contextlib.suppress(OSError):
            for path in self.path.iterdir():
                if _OURS.fullmatch(path.name) and str(path) != self._file.name:
                    with contextlib.suppress(OSError):
                        path.unlink()

    def close(self) -> None:
        """Release the lock."""
        at_sudden_end.discard(self.leave)
        self._file.discard()
        with contextlib.suppress(OSError):
            self.path.rmdir()


def is_being_written(target: Path) -> bool:
    """Return whether a job writes to a target now. Removes dead jobs' part files."""
    parts = part_of(target), part_of(folder_of(target) / LOCK)
    for part in parts:
        remove_stale(part.parent)
    return any(part.exists() for part in parts)


def discard(target: Path, owner: str | None = None) -> None:
    """Remove a target's kept work. Raises OutputError while its job runs.

    owner: only the last job's.
    """
    if folder_of(target).is_dir():
        with FolderLock(target) as lock:
            if owner is None or owner_of(lock.path) == owner:
                lock.clear()


def remove_empty(target: Path) -> None:
    """Remove a dead job's folder without parts."""
    if folder_of(target).is_dir():
        with contextlib.suppress(OutputError), FolderLock(target) as lock:
            lock.leave()


def kept_work(target: Path) -> KeptWork | None:
    """Measure a job's finished part, if any, without verification."""
    try:
        folder = JobFolder.read(folder_of(target))
    except (OSError, JsonError):
        return None
    journal = folder.journal
    records = [record for segment in journal.segments for _, record in folder.recorded_parts(segment)]
    frames = sum(len(record.pts) for record in records)
    if not frames:
        return None
    length = sum(sum(record.durations) for record in records)
    length_s = None if journal.time_base is None else float(length * journal.time_base)
    return KeptWork(journal.job.owner, frames, length_s)


def owner_of(path: Path) -> str | None:
    """Return a folder's last owner, if readable."""
    try:
        return JobFolder.read(path).journal.job.owner
    except (OSError, JsonError):
        return None


def _fits(media: Path, record: SegmentRecord) -> bool:
    try:
        if media.stat().st_size != record.size_bytes:
            return False
        with open_regular(media) as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == record.sha256
    except OSError:
        return False
