"""A job that writes numbered pictures: what an earlier run has completed, and where to resume."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path

from framebrush.base import signals
from framebrush.base.text import count_of
from framebrush.jobs.identity import JobIdentity
from framebrush.jobs.prepare import PreparedJob
from framebrush.jobs.segments.folder import PICTURES, FolderLock, folder_of
from framebrush.jobs.transcode import OnMessage
from framebrush.media.disk import disk_errors
from framebrush.media.video import OutputError
from framebrush.media.writing.pictures import FIRST, numbered, picture_path


class PictureLog:
    """A text file with a job's progress: the job's identity in the first line, then the number of each picture on the
    disk, in order. done: how many there are."""

    def __init__(self, file: TextIOWrapper, done: int) -> None:
        self._file, self.done = file, done

    def add(self, number: int) -> None:
        """Record that a picture is on the disk. Raises OSError."""
        self._file.write(f"{number}\n")
        self._file.flush()
        self.done += 1
        signals.kept = _kept_words(self.done)


@contextmanager
def picture_log(job: PreparedJob, *, restart: bool, say: OnMessage) -> Iterator[PictureLog]:
    """Lock the pictures of a job for this process and resume where an earlier run stopped. If the block succeeds, only
    the pictures remain.

    restart: write all of them again. Raises OutputError if another job is writing these pictures, if pictures that this
    job did not make would be overwritten, or if the folder cannot be written to.
    """
    target, identity = job.plan.target, job.identity
    signals.kept, signals.whole = "", False
    with disk_errors(target.parent, f"the pictures of {target.name} failed"), FolderLock(target) as lock:
        path = lock.path / PICTURES
        done = 0 if restart or identity is None else _done(path, identity, target)
        if done:
            say(f"resuming {target.name}: {count_of(done, 'picture')} {'is' if done == 1 else 'are'} done")
        elif not job.plan.overwrite and not restart and (there := numbered(target)):
            raise OutputError(
                f"{there[0]} exists already; overwrite such pictures with -y or give the output another name"
            )
        log = None
        try:
            with path.open("w", encoding="utf-8") as file:
                file.write(f"{identity.to_text() if identity else ''}\n")
                file.writelines(f"{number}\n" for number in range(FIRST, FIRST + done))
                file.flush()
                log = PictureLog(file, done)
                signals.kept = _kept_words(done)
                yield log
        except BaseException as error:
            if identity is None or log is None or not log.done:
                path.unlink(missing_ok=True)
            elif not isinstance(error, KeyboardInterrupt):
                say(_kept_words(log.done))
            raise
        path.unlink(missing_ok=True)
        signals.kept = ""


def left_pictures(target: Path) -> str:
    """What the user should know about the pictures of a job whose process died; empty if there are none."""
    try:
        _, *numbers = (folder_of(target) / PICTURES).read_text(encoding="utf-8", errors="replace").splitlines()
    except (OSError, ValueError):
        return ""
    return _kept_words(_count(numbers, target))


def _kept_words(done: int) -> str:
    if not done:
        return ""
    verb = "is" if done == 1 else "are"
    return f"{count_of(done, 'picture')} {verb} kept; run the same command again to resume"


def _done(path: Path, identity: JobIdentity, target: Path) -> int:
    """How many pictures of this job are done. Raises OutputError if they belong to another job."""
    try:
        head, *numbers = path.read_text(encoding="utf-8", errors="replace").splitlines()
        former = JobIdentity.from_text(head)
    except (OSError, ValueError):  # includes JsonError
        return 0
    done = _count(numbers, target)
    if done and former != identity:
        raise OutputError(
            f"{path.parent} belongs to an unfinished job of {count_of(done, 'picture')}, and since then "
            f"{identity.changes(former)} changed; undo that to resume it, or start over with --restart"
        )
    return done


def _count(numbers: list[str], target: Path) -> int:
    done = 0
    while done < len(numbers) and numbers[done] == str(FIRST + done) and picture_path(target, FIRST + done).is_file():
        done += 1
    return done
