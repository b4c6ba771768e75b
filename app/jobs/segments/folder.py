"""What a job keeps on the disk until it is done: a folder beside the target with a journal and the segments.

The files are the truth. A segment is a NUT file with a record beside it, which is written last and says how long the
file is and what its hash is; what has no record, or fits it no more, is made again. A segment that takes long to paint
is several such files, its parts: the record of each says where the next begins. Every file is written under another
name, reaches the disk, and only then gets its own.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

from framebrush.base.json_values import JsonError, from_values, to_values
from framebrush.base.text import count_of, first_line
from framebrush.jobs.identity import JobIdentity
from framebrush.jobs.segments.plan import Segment
from framebrush.jobs.spec import JobSpec
from framebrush.media.video import BusyOutputError
from framebrush.media.writing.containers import segment_container
from framebrush.media.writing.disk import disk_error
from framebrush.media.writing.encoders import codec_of
from framebrush.media.writing.output_file import PART, OutputFile, at_sudden_end, part_of
from framebrush.styles.shots import Shot

VERSION = 1
SUFFIX = ".framebrush"
LONGEST_NAME = 255  # bytes
JOURNAL = "journal.json"
PICTURES = "pictures.txt"
_OURS = re.compile(
    rf"{re.escape(JOURNAL)}|{re.escape(PICTURES)}|\d{{5,}}-[0-9a-f]{{16}}\.(nut|mov|json)|{PART.pattern}", re.DOTALL
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Journal:
    """The plan of a job. job: with absolute names of files. shots: with statistics of their own, see `jobs.shots`."""

    version: int
    identity: JobIdentity
    job: JobSpec
    segments: tuple[Segment, ...]
    shots: tuple[Shot, ...] = ()

    def name_of(self, segment: Segment) -> str:
        """The name of a segment's file: its number and a hash of all that decides on its content."""
        content = f"{self.identity.key} {json.dumps(to_values(segment))}"
        ending = segment_container(codec_of(self.identity.encoder.name)).muxer
        return f"{segment.number:05d}-{hashlib.sha256(content.encode()).hexdigest()[:16]}.{ending}"


@dataclass(frozen=True, slots=True)
class SegmentRecord:
    """What is known of a whole segment, or of a part of one.

    size_bytes, sha256: of its file, of which there is none where no frame came. header: of the encoder, in hexadecimal
    digits. pts, durations: of its pictures in the order of decoding, in the time base of the source, pts from the
    segment's start_pts. lost, cut_off, warnings: as `FrameSource` has them; run: in which process and run of segments
    the warnings were counted. goes_on: of a part that others follow, how many frames of the plan it covers and the time
    of the next, in the time base of the source.
    """

    size_bytes: int
    sha256: str
    header: str
    pts: tuple[int, ...]
    durations: tuple[int, ...]
    lost: int
    cut_off: bool
    warnings: tuple[str, ...]
    run: str
    goes_on: tuple[int, int] | None = None

    def rest(self, part: Segment) -> Segment | None:
        """What follows a part that this is the record of. Raises ValueError where that cannot be."""
        return None if self.goes_on is None else part.behind(*self.goes_on)


Part = tuple[Segment, SegmentRecord]
"""Its segment is a planned one, or what is left of one behind the part before."""


def folder_of(target: Path) -> Path:
    """Where the segments of a target are kept: under its name with SUFFIX, shortened where no disk takes that."""
    folder = target.with_name(target.name + SUFFIX)
    if len(os.fsencode(folder.name)) > LONGEST_NAME:
        folder = target.with_name(part_of(target).stem.lstrip(".") + SUFFIX)
    return folder


def write_json(path: Path, item: object, *, indent: int | None = None) -> None:
    """Write an item of `json_values` so that after a power cut the file is whole or as it was. Raises OSError."""
    with OutputFile(path) as file:
        file.write(json.dumps(to_values(item), indent=indent, allow_nan=False).encode())
        file.deliver(overwrite=True)


def read_json(kind: type[T], path: Path) -> T:
    """The item that `write_json` wrote. Raises OSError, JsonError."""
    try:
        values: Any = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise JsonError(f"{path.name} is not JSON ({first_line(error)})") from None
    return from_values(kind, values, path.name)


class JobFolder:
    """The folder of one job. Only the process that holds it by `lock` may make or remove it; others read the journal
    and write segments."""

    def __init__(self, path: Path, journal: Journal) -> None:
        self.path, self.journal = path, journal
        self._parts: dict[int, list[Part]] = {}

    @classmethod
    def read(cls, path: Path) -> Self:
        """Raises OSError, JsonError."""
        journal = read_json(Journal, path / JOURNAL)
        if journal.version != VERSION:
            raise JsonError(f"{JOURNAL} has format {journal.version}; this Framebrush reads {VERSION}")
        return cls(path, journal)

    @classmethod
    def create(cls, path: Path, journal: Journal) -> Self:
        """Raises OSError."""
        write_json(path / JOURNAL, journal, indent=1)
        return cls(path, journal)

    def media(self, segment: Segment) -> Path:
        """The file of a segment, or of a part of one."""
        return self.path / self.journal.name_of(segment)

    def record_file(self, segment: Segment) -> Path:
        """The file that says that the other is whole."""
        return self.media(segment).with_suffix(".json")

    def add(self, part: Segment, record: SegmentRecord) -> None:
        """A part is on the disk, behind those of its segment before."""
        self._parts.setdefault(part.number, []).append((part, record))

    def find_whole(self) -> list[Segment]:
        """Check every part that has a record, byte for byte; gives those that are damaged, whose files are gone then.
        Raises OSError."""
        damaged = [self.take(segment) for segment in self.journal.segments]
        for part in filter(None, damaged):
            self.record_file(part).unlink(missing_ok=True)
            self.media(part).unlink(missing_ok=True)
        return [part for part in damaged if part is not None]

    def take(self, segment: Segment) -> Segment | None:
        """Read the records of a planned segment and compare the files with them; gives the part that is damaged, None
        where none is. Raises OSError."""
        self._parts.pop(segment.number, None)
        part: Segment | None = segment
        while part is not None:
            try:
                record = read_json(SegmentRecord, self.record_file(part))
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

    def parts_of(self, segment: Segment) -> list[Part]:
        """What there is of a planned segment, in order."""
        return self._parts.get(segment.number, [])

    def left_of(self, segment: Segment) -> Segment | None:
        """What is to be painted of a planned segment, None where it is whole."""
        found = self.parts_of(segment)
        return found[-1][1].rest(found[-1][0]) if found else segment

    @property
    def parts(self) -> list[Part]:
        """All that there is, in order."""
        return [part for segment in self.journal.segments for part in self.parts_of(segment)]

    @property
    def whole(self) -> list[Segment]:
        """The segments that are whole, in order."""
        return [segment for segment in self.journal.segments if self.left_of(segment) is None]

    @property
    def missing(self) -> list[Segment]:
        """The segments that are not whole, in order, or what is left of them."""
        return [left for segment in self.journal.segments if (left := self.left_of(segment)) is not None]

    @property
    def frames_done(self) -> int:
        """How many frames are there."""
        return sum(len(record.pts) for _, record in self.parts)

    @property
    def bytes_done(self) -> int:
        """How large they are."""
        return sum(record.size_bytes for _, record in self.parts)

    @property
    def kept_words(self) -> str:
        """What a person should know of a job that ends before its time; empty where nothing is kept."""
        if not self.parts:
            return ""
        verb = "is" if len(self.whole) == 1 else "are"
        return f"{self.done_words} {verb} kept; the same command goes on from there"

    @property
    def done_words(self) -> str:
        """How much of the job is there."""
        all_of = count_of(len(self.journal.segments), "segment")
        if whole := len(self.whole):
            return f"{whole} of {all_of}"
        frames = count_of(self.frames_done, "frame")
        return frames if len(self.journal.segments) == 1 else f"{frames} of the first of {all_of}"


def left_words(target: Path) -> str:
    """What a person should know of a job whose process died."""
    with contextlib.suppress(OSError, JsonError):
        folder = JobFolder.read(folder_of(target))
        for segment in folder.journal.segments:
            folder.take(segment)
        if folder.parts:
            return folder.kept_words
    return "nothing was written"


class FolderLock:
    """Holds the folder of a target for one process; makes it where it is missing, and removes it again if it is empty.

    The lock is a file of `OutputFile`, which vanishes with the process.
    """

    def __init__(self, target: Path) -> None:
        """Raises BusyOutputError: another job writes to the target; OutputError: the folder cannot be made."""
        self.path = folder_of(target)
        try:
            self.path.mkdir(exist_ok=True)
            self._file = OutputFile(self.path / "lock")
        except BusyOutputError:
            raise BusyOutputError(target) from None
        except OSError as error:
            raise disk_error(error, target.parent, f"cannot write to the folder {self.path}") from error
        at_sudden_end.add(self._leave)

    def _leave(self) -> None:
        """The process ends: a folder with nothing in it to go on with goes too."""
        if not any(self.path.glob("[0-9]*.json")) and not (self.path / PICTURES).exists():
            self.clear()
            self.__exit__()

    def __enter__(self) -> Self:
        return self

    def clear(self) -> None:
        """Remove all files of a job. What cannot be removed is left, and what is no file of a job."""
        with contextlib.suppress(OSError):
            for path in self.path.iterdir():
                if _OURS.fullmatch(path.name) and str(path) != self._file.name:
                    with contextlib.suppress(OSError):
                        path.unlink()

    def __exit__(self, *exception: object) -> None:
        at_sudden_end.discard(self._leave)
        self._file.discard()
        with contextlib.suppress(OSError):
            self.path.rmdir()


def discard(target: Path) -> None:
    """Remove what an unfinished job has left of a target. Raises OutputError where it is still being done."""
    if folder_of(target).is_dir():
        with FolderLock(target) as lock:
            lock.clear()


def _fits(media: Path, record: SegmentRecord) -> bool:
    try:
        if media.stat().st_size != record.size_bytes:
            return False
        with media.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == record.sha256
    except OSError:
        return False
