"""Worker of a cluster, called by `dask_cluster.py`.

A child process paints into a private folder; segments are sent back. A source that differs at its path is received
once.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
import socket
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Literal

from framebrush.base import signals
from framebrush.base.json_values import from_values, to_values
from framebrush.base.text import first_line
from framebrush.gpu.device import open_device
from framebrush.gpu.errors import DeviceError
from framebrush.jobs.identity import Versions
from framebrush.jobs.opened_source import OpenedSource
from framebrush.jobs.segments.job_folder import JobFolder, Journal
from framebrush.jobs.segments.segment_plan import Segment
from framebrush.jobs.transcode import OnMessage
from framebrush.jobs.workers.devices import DeviceWorker
from framebrush.jobs.workers.dispatch import Reports
from framebrush.media.output_file import OutputFile
from framebrush.media.video import InputError, OutputError

if TYPE_CHECKING:
    from distributed.security import Security

RECONNECT_S = 2.0  # a worker outlives its scheduler, and works for the next one at its address
RESOURCE = "framebrush-device"
HOME_PREFIX = "framebrush-worker-"
STALE_S = 60.0
"""How old a worker's folder must be before it counts as abandoned: its lock is created after the folder."""


class CrashedError(Exception):
    """Native crash while painting."""


@dataclass(slots=True)
class _State:
    device: str = "auto"
    home: Path = field(default_factory=Path)
    key: str = ""
    folder: JobFolder | None = None
    worker: DeviceWorker | None = None
    reports: Reports = field(default_factory=SimpleQueue)
    painting: Segment | None = None

    def close(self) -> None:
        if self.worker is not None:
            self.worker.close()
        if self.folder is not None:
            shutil.rmtree(self.folder.path, ignore_errors=True)
        self.key, self.folder, self.worker, self.painting = "", None, None, None
        self.reports = SimpleQueue()


_state = _State()


def prepare_job(values: dict[str, Any]) -> Literal["ready", "source"]:
    """Open a job in a child process; "source" requests the source file.

    Raises: OutputError for other versions, style or settings, or a full disk; DeviceError, CrashedError.
    """
    journal = from_values(Journal, values, "journal")
    key = journal.identity.key
    if _state.key == key:
        return "ready"
    _state.close()
    here = replace(journal.identity, versions=Versions.here())
    if here != journal.identity:  # before a file is sent
        raise OutputError(f"here differ from the machine that planned the job: {here.changes(journal.identity)}")
    source = _source(journal)
    if source is None:
        return "source"
    path = _state.home / key[:16]
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    target = path / f"out{Path(journal.job.target).suffix}"
    _state.folder = JobFolder.create(
        path, replace(journal, job=replace(journal.job, source=str(source), target=str(target)))
    )
    _state.worker = DeviceWorker(_state.device, path, _state.reports)
    _state.key = key
    _wait_for("ready")
    return "ready"


def paint_part(key: str, values: dict[str, Any]) -> Literal["unprepared"] | tuple[dict[str, Any], bytes]:
    """Paint a segment's next part, and go on while it is sent.

    Returns: record values and file, or "unprepared". Raises as `prepare_job`.
    """
    part = from_values(Segment, values, "segment")
    if _state.key == key and _state.painting not in (None, part):
        _state.close()  # nobody is waiting for its current part any more
    if _state.key != key or _state.folder is None or _state.worker is None:
        return "unprepared"
    if _state.painting is None:
        _state.worker.give([part])
        _state.painting = part
    _wait_for("part", "whole")
    media, record = _state.folder.media(part), _state.folder.recorded(part)
    content = media.read_bytes() if record.pts else b""
    media.unlink(missing_ok=True)
    _state.folder.record_file(part).unlink(missing_ok=True)
    _state.painting = record.rest(part)
    return to_values(record), content


def _wait_for(*kinds: str) -> None:
    topic = topic_of(_state.key)
    while (told := _state.reports.get()).kind not in kinds:
        match told.kind:
            case "progress":
                _emit(topic, frames=told.frames, size_bytes=told.size_bytes)
            case "message":
                _emit(topic, text=told.text)
            case "failed" | "gone" | "crashed":
                _state.close()
                raise {"failed": OutputError, "gone": DeviceError, "crashed": CrashedError}[told.kind](told.text)


def receive_source(sha256: str, name: str, offset: int, data: bytes) -> None:
    """Receive a piece of a source. Raises OSError."""
    path = _sent(sha256, Path(name).suffix)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("r+b" if offset else "wb") as file:
        file.seek(offset)
        file.write(data)


def topic_of(key: str) -> str:
    """Return the topic of workers' progress."""
    return f"framebrush-{key[:16]}"


def _emit(topic: str, **values: Any) -> None:  # noqa: ANN401 - any JSON value
    from distributed.worker import get_worker

    worker = get_worker()
    worker.log_event(topic, json.dumps({"worker": worker.address, **values}))


def _source(journal: Journal) -> Path | None:
    wanted = journal.identity.source
    for path in (Path(journal.job.source), _sent(wanted.sha256, Path(journal.job.source).suffix)):
        with suppress(InputError), OpenedSource(path, journal.job.decode.opening, wanted) as held:
            if held.identity == wanted:
                return path
    return None


def _sent(sha256: str, suffix: str) -> Path:
    return _state.home / "sources" / f"{sha256[:32]}{suffix}"


def work(
    scheduler: str, device: str, *, name: str | None, listen: str | None, security: Security, say: OnMessage
) -> None:
    """Run a cluster's worker until KeyboardInterrupt. Raises DeviceError.

    listen: address, by default loopback or, with certificates, towards the scheduler.
    """
    with open_device(device):
        pass  # report a wrong name before the work starts
    _state.device = device
    signals.ending.kept = "the jobs continue without this worker"
    with _home() as home:
        _state.home = home
        try:
            asyncio.run(_work(scheduler, name, listen, security, say))
        finally:
            _state.close()


@contextmanager
def _home() -> Iterator[Path]:
    for left in Path(tempfile.gettempdir()).glob(f"{HOME_PREFIX}*"):
        with suppress(OSError, OutputError):
            _remove_if_stale(left)
    with (
        tempfile.TemporaryDirectory(prefix=HOME_PREFIX, ignore_cleanup_errors=True) as home,
        OutputFile(Path(home) / "lock"),
    ):
        yield Path(home)


def _remove_if_stale(home: Path) -> None:
    state = home.lstat()
    ours = not hasattr(os, "getuid") or state.st_uid == os.getuid()
    if stat.S_ISDIR(state.st_mode) and ours and time.time() - state.st_mtime > STALE_S:
        OutputFile(home / "lock").discard()
        shutil.rmtree(home, ignore_errors=True)


def _address_towards(scheduler: str) -> str:
    host, _, port = scheduler.rpartition("://")[2].rpartition(":")
    try:
        kind, *_, address = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_DGRAM)[0]
        with socket.socket(kind, socket.SOCK_DGRAM) as probe:
            probe.connect(address)
            return str(probe.getsockname()[0])
    except (OSError, ValueError) as error:
        raise DeviceError(f"there is no route to {scheduler} ({first_line(error)})") from None


def quiet() -> None:
    """Silence dask's log."""
    for name in ("distributed", *logging.root.manager.loggerDict):  # some of dask's have a level of their own
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL)


async def _work(scheduler: str, name: str | None, listen: str | None, security: Security, say: OnMessage) -> None:
    from distributed.worker import Worker

    quiet()
    host = listen or (_address_towards(scheduler) if security.require_encryption else "127.0.0.1")
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
