"""Progress of numbered pictures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from itertools import count, takewhile
from pathlib import Path

from framebrush.base.files import read_bounded, write_whole
from framebrush.base.signals import Ending
from framebrush.base.text import count_of, first_line
from framebrush.jobs.identity import JobIdentity
from framebrush.jobs.opened_source import BEGIN_AGAIN, RESUME
from framebrush.jobs.prepare import PreparedJob
from framebrush.jobs.segments.job_folder import MOST_BYTES, PICTURES, FolderLock, folder_of
from framebrush.jobs.transcode import OnMessage
from framebrush.media.disk import disk_errors
from framebrush.media.reading.open import picture_path
from framebrush.media.video import OutputError
from framebrush.media.writing.numbered_pictures import FIRST, check_absent


class PictureLog:
    """Progress file: identity, then picture numbers. done: count."""

    def __init__(self, file: TextIOWrapper, done: int, ending: Ending) -> None:
        self._file, self.done, self._ending = file, done, ending

    def add(self, number: int) -> None:
        """Record a picture on disk. Raises OSError."""
        self._file.write(f"{number}\n")
        self._file.flush()
        self.done += 1
        self._ending.kept = _kept_words(self.done)


@contextmanager
def picture_log(job: PreparedJob, *, restart: bool, say: OnMessage) -> Iterator[PictureLog]:
    """Lock a job's pictures; remove their log on success. Raises OutputError."""
    target, identity, ending = job.plan.target, job.identity, job.plan.ending
    ending.kept, ending.whole = "", False
    with disk_errors(target.parent, f"the pictures of {target.name} failed"), FolderLock(target, ending) as lock:
        path = lock.path / PICTURES
        done = 0 if restart or identity is None else _done(path, identity, target, say)
        if done:
            say(f"resuming {target.name}: {count_of(done, 'picture', 'is/are')} done")
        elif not job.plan.overwrite and not restart:
            check_absent(target)
        log = None
        try:
            path.unlink(missing_ok=True)  # a pipe of that name would block
            with path.open("w", encoding="utf-8") as file:
                file.write(_log_of(identity, done))
                file.flush()
                log = PictureLog(file, done, ending)
                ending.kept = _kept_words(done)
                yield log
        except BaseException as error:
            # pictures of a source that turned out to be another are not trusted
            resumes = job.held.resumes
            kept = _there(target, log.done if log is not None and resumes else done)
            ending.kept = _kept_words(kept, RESUME if resumes else BEGIN_AGAIN)
            job.held.something_is_kept = bool(kept)
            if identity is None or not kept:
                path.unlink(missing_ok=True)
            else:
                if log is not None and kept < log.done:
                    write_whole(path, _log_of(identity, kept))
                if not isinstance(error, KeyboardInterrupt):
                    say(ending.kept)
            raise
        path.unlink(missing_ok=True)
        ending.kept = ""


def describe_leftover_pictures(target: Path) -> str:
    """Describe a dead job's pictures, or ""."""
    try:
        _, done = _read(folder_of(target) / PICTURES, target)
    except (OSError, ValueError):
        return ""
    return _kept_words(done)


def _log_of(identity: JobIdentity | None, done: int) -> str:
    lines = [identity.to_text() if identity else "", *map(str, range(FIRST, FIRST + done))]
    return "".join(f"{line}\n" for line in lines)


def _read(path: Path, target: Path) -> tuple[str, int]:
    head, *numbers = read_bounded(path, MOST_BYTES).decode("utf-8", errors="replace").splitlines()
    listed = takewhile(lambda pair: pair[0] == str(pair[1]), zip(numbers, count(FIRST), strict=False))
    return head, _there(target, sum(1 for _ in listed))


def _there(target: Path, most: int) -> int:
    numbers = range(FIRST, FIRST + most)
    return sum(1 for _ in takewhile(lambda number: picture_path(target, number).is_file(), numbers))


def _kept_words(done: int, then: str = RESUME) -> str:
    return f"{count_of(done, 'picture', 'is/are')} kept{then}" if done else ""


def _done(path: Path, identity: JobIdentity, target: Path, say: OnMessage) -> int:
    try:
        head, done = _read(path, target)
        former = JobIdentity.from_text(head)
    except (FileNotFoundError, ValueError):  # includes JsonError
        return 0
    except OSError as error:
        say(f"the list of an unfinished job's pictures cannot be used ({first_line(error)}): painting all")
        return 0
    if done and former != identity:
        raise OutputError(
            f"{path.parent} belongs to an unfinished job of {count_of(done, 'picture')}, and since then "
            f"{identity.changes(former)} changed",
            do="undo that to resume it, or start over with --restart",
        )
    return done
