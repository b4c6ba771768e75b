"""What a worker of a cluster does: `framebrush worker` runs it, and `jobs/cluster.py` calls its functions there.

A worker paints into a folder of its own and sends each segment back, so it needs no disk that others see. The source is
read where it lies if the worker finds the same file under the same name; else it is sent once and kept for the time of
the worker.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from framebrush import signals
from framebrush.jobs.folder import JOURNAL, JobFolder, Journal, write_json
from framebrush.jobs.identity import SourceIdentity
from framebrush.jobs.json_values import from_values, to_values
from framebrush.jobs.painter import SegmentPainter
from framebrush.media.output_file import OutputFile
from framebrush.media.video import InputError, OutputError
from framebrush.transcode import OnMessage, Progress

if TYPE_CHECKING:
    from distributed.security import Security

PERIOD_S = 0.5
RECONNECT_S = 2.0
RESOURCE = "framebrush-device"
HOME_PREFIX = "framebrush-worker-"
STALE_S = 60.0
"""How old a worker's folder must be before it is taken for one that was left: its lock is made after it."""


@dataclass(slots=True)
class _State:
    """Of this process. sources: those that were sent, by the hash of their identity."""

    device: str = "auto"
    home: Path = field(default_factory=Path)
    key: str = ""
    folder: JobFolder | None = None
    painter: SegmentPainter | None = None

    def close(self) -> None:
        """Let go of the job."""
        if self.painter is not None:
            self.painter.__exit__(None, None, None)
        if self.folder is not None:
            shutil.rmtree(self.folder.path, ignore_errors=True)
        self.key, self.folder, self.painter = "", None, None


_state = _State()


def prepare_job(values: dict[str, Any]) -> Literal["ready", "source"]:
    """Open source, style and device of a job; "source" where the source has to be sent first. values: a `Journal`.

    Raises OutputError where versions, style or settings differ here; DeviceError, StyleError, InputError.
    """
    journal = from_values(Journal, values, "journal")
    key = journal.identity.key
    if _state.key == key:
        return "ready"
    _state.close()
    source = _source(journal)
    if source is None:
        return "source"
    path = _state.home / key[:16]
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    target = path / f"out{Path(journal.job.target).suffix}"
    here = replace(journal, job=replace(journal.job, source=str(source), target=str(target)))
    write_json(path / JOURNAL, here)
    folder = JobFolder(path, here)
    topic = topic_of(key)
    shown_at = 0.0

    def on_progress(state: Progress) -> None:
        nonlocal shown_at
        if time.monotonic() - shown_at >= PERIOD_S:
            shown_at = time.monotonic()
            _emit(topic, frames=state.frames, size_bytes=state.size_bytes)

    painter = SegmentPainter(
        folder, _state.device, on_progress=on_progress, on_message=lambda text: _emit(topic, text=text)
    )
    _state.key, _state.folder, _state.painter = key, folder, painter
    return "ready"


def receive_source(sha256: str, name: str, offset: int, data: bytes, modified_ms: int | None) -> None:
    """A piece of a source. modified_ms: with the last one, the time that the file then gets. Raises OSError."""
    path = _sent(sha256, Path(name).suffix)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("r+b" if offset else "wb") as file:
        file.seek(offset)
        file.write(data)
    if modified_ms is not None:
        os.utime(path, ns=(modified_ms * 1_000_000,) * 2)


def paint_segment(values: dict[str, Any], number: int) -> tuple[dict[str, Any], bytes]:
    """Paint a segment of a job; gives the values of its `SegmentRecord` and its file. Raises as `prepare_job`."""
    if prepare_job(values) == "source":
        raise InputError("the source was not sent to this worker")
    assert _state.folder is not None
    assert _state.painter is not None
    segment = _state.folder.journal.segments[number]
    _state.painter.paint([segment])
    record, media = _state.folder.records[number], _state.folder.media(segment)
    content = media.read_bytes() if record.pts else b""
    media.unlink(missing_ok=True)
    _state.folder.record_file(segment).unlink(missing_ok=True)
    return to_values(record), content


def topic_of(key: str) -> str:
    """Where workers tell how a job goes."""
    return f"framebrush-{key[:16]}"


def _emit(topic: str, **values: Any) -> None:  # noqa: ANN401 - whatever JSON takes
    from distributed.worker import get_worker

    worker = get_worker()
    worker.log_event(topic, json.dumps({"worker": worker.address, **values}))


def _source(journal: Journal) -> Path | None:
    """The source on this machine, None where it is not there."""
    wanted = journal.identity.source
    for path in (Path(journal.job.source), _sent(wanted.sha256, Path(journal.job.source).suffix)):
        try:
            if SourceIdentity.of(path, journal.job.decode.opening) == wanted:
                return path
        except InputError:
            continue
    return None


def _sent(sha256: str, suffix: str) -> Path:
    return _state.home / "sources" / f"{sha256[:32]}{suffix}"


def work(
    scheduler: str,
    device: str,
    *,
    name: str | None,
    listen: str | None,
    security: Security,
    say: OnMessage,
) -> None:
    """Be a worker of a cluster until KeyboardInterrupt; where the scheduler goes away, wait until it is back.

    listen: the address to listen on, None for loopback, or, with certificates, for what reaches the scheduler.
    """
    _state.device = device
    signals.kept = "the jobs go on without this worker"
    with _home() as home:
        _state.home = home
        try:
            asyncio.run(_work(scheduler, name, listen, security, say))
        finally:
            _state.close()


@contextmanager
def _home() -> Iterator[Path]:
    """A folder for the time of this process; a lock in it says that the process lives. What workers left that were
    killed is removed, with the sources that were sent to them."""
    for left in Path(tempfile.gettempdir()).glob(f"{HOME_PREFIX}*"):
        with suppress(OSError, OutputError):
            _remove_if_stale(left)
    with (
        tempfile.TemporaryDirectory(prefix=HOME_PREFIX, ignore_cleanup_errors=True) as home,
        OutputFile(Path(home) / "lock"),
    ):
        yield Path(home)


def _remove_if_stale(home: Path) -> None:
    """Remove a worker's folder, unless its lock is held, it was made just now, or it is another user's. Raises OSError,
    OutputError where a worker lives in it."""
    state = home.lstat()
    ours = not hasattr(os, "getuid") or state.st_uid == os.getuid()
    if stat.S_ISDIR(state.st_mode) and ours and time.time() - state.st_mtime > STALE_S:
        OutputFile(home / "lock").discard()
        shutil.rmtree(home, ignore_errors=True)


async def _work(scheduler: str, name: str | None, listen: str | None, security: Security, say: OnMessage) -> None:
    from distributed.worker import Worker

    logging.getLogger("distributed").setLevel(logging.ERROR)  # it logs all that comes and goes, with tracebacks
    host = listen or (None if security.require_encryption else "127.0.0.1")
    waiting = False
    while True:
        try:
            async with Worker(
                scheduler,
                nthreads=1,
                name=name,
                host=host,
                resources={RESOURCE: 1},
                security=security,
                local_directory=str(_state.home),
                dashboard_address="127.0.0.1:0",
                death_timeout=5,
                memory_limit=0,
            ) as worker:
                say(f"working for {scheduler} on {_state.device} as {worker.address}")
                waiting = False
                await worker.finished()
        except (OSError, TimeoutError) as error:
            if not waiting:
                say(f"{scheduler} does not answer ({type(error).__name__}); trying again")
            waiting = True
        await asyncio.sleep(RECONNECT_S)
