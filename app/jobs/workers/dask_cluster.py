"""Job on a dask cluster, which transports calls.

The job's folder holds the progress; a death costs only segments in progress.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from framebrush.base.json_values import from_values, to_values
from framebrush.base.text import first_line
from framebrush.gpu.errors import DeviceError
from framebrush.jobs.opened_source import OpenedSource
from framebrush.jobs.prepare import PreparedJob
from framebrush.jobs.segments.job_folder import JobFolder, SegmentRecord
from framebrush.jobs.segments.segment_plan import Segment
from framebrush.jobs.segments.segmented import SegmentedJob
from framebrush.jobs.transcode import Listener, Outcome
from framebrush.jobs.workers import cluster_worker
from framebrush.jobs.workers.cluster_worker import CrashedError
from framebrush.jobs.workers.devices import SeveralWorkers
from framebrush.jobs.workers.dispatch import Dispatcher, Report, Reports, Worker
from framebrush.media.disk import disk_errors
from framebrush.media.output_file import OutputFile
from framebrush.media.video import DiskFullError, FrameSource, InputError, OutputError, SourceChangedError

if TYPE_CHECKING:
    from distributed.client import Client, Future
    from distributed.security import Security

STALLED_S = 30.0
"""Seconds of silence after which a worker's segment goes to another."""

LONGEST_ABSENCE_S = 300.0
"""Longest wait for an absent scheduler."""

LOOK_S = 1.0  # a request to the scheduler each time
CONNECT_S = 10.0  # an absent host is only known by waiting, and a person waits, too
PIECE_BYTES = 8 << 20  # a piece is in memory here, on the way and at the worker


class ClusterWorkers(SeveralWorkers):
    """Workers of a cluster. Raises DeviceError."""

    workers, instead, on_cpu = "a cluster", "painting on this machine", True  # on_cpu: workers may be anything

    def __init__(self, address: str, security: Security) -> None:
        self._address, self._security = address, security

    def paint_missing(self, segmented: SegmentedJob) -> None:
        ClusterRun(self._address, self._security, segmented).paint_missing()

    def in_one_piece(self, job: PreparedJob, source: FrameSource, listener: Listener, *, restart: bool) -> Outcome:
        _close(_connect(self._address, self._security))  # even so, report a scheduler that does not answer
        return super().in_one_piece(job, source, listener, restart=restart)


class ClusterRun:
    """Connection to a scheduler and its workers."""

    def __init__(self, address: str, security: Security, segmented: SegmentedJob) -> None:
        self._address, self._security = address, security
        self._folder, self._held, self._say = segmented.folder, segmented.job.held, segmented.listener.message
        self._dispatcher = Dispatcher(segmented)
        self._refused: set[str] = set()
        self._signs: dict[str, tuple[object, float]] = {}  # each worker's last sign of life, and its arrival here
        self._looked = 0.0
        self._told_waiting = False
        self._lost_at = 0.0
        self._client: Client | None = self._connected()

    def paint_missing(self) -> None:
        """Paint the missing segments. Raises as `Dispatcher.run`."""
        try:
            self._dispatcher.run(self._gone, self._look)
        finally:
            if self._client is not None:
                _close(self._client)

    def _connected(self) -> Client:
        client = _connect(self._address, self._security)
        client.subscribe_topic(cluster_worker.topic_of(self._folder.journal.identity.key), self._heard)
        return client

    def _heard(self, event: tuple[float, Any]) -> None:
        with contextlib.suppress(ValueError, KeyError, TypeError):
            values = json.loads(event[1])
            address = values.pop("worker")
            for worker in self._dispatcher.workers:
                if isinstance(worker, _ClusterWorker) and worker.address == address:
                    told = Report(worker, "message" if "text" in values else "progress", **values)
                    self._dispatcher.reports.put(told)

    def _look(self) -> None:
        if time.monotonic() - self._looked < LOOK_S:
            return
        self._looked = time.monotonic()
        try:
            client = self._client = self._client or self._connected()
            workers = workers_of(client)
        except (OSError, DeviceError, TimeoutError, KeyError) as error:
            self._lose_scheduler(error)
            return
        now = time.monotonic()
        for address, state in workers.items():
            seen = state.get("last_seen")
            if self._signs.get(address, (None,))[0] != seen:
                self._signs[address] = seen, now
        alive = {address for address in workers if now - self._signs[address][1] < STALLED_S}
        here = {worker.address: worker for worker in self._dispatcher.workers if isinstance(worker, _ClusterWorker)}
        for address in here.keys() - alive:
            self._say(f"worker {address} {'does not answer' if address in workers else 'is gone'}; the others continue")
            self._dispatcher.drop(here[address])
        for address in alive - here.keys():
            if f"worker {address}" in self._refused:
                continue
            if cluster_worker.RESOURCE in workers[address].get("resources", {}):
                worker = _ClusterWorker(address, client, self._folder, self._held, self._dispatcher.reports)
                self._dispatcher.add(worker)
                worker.begin()
        if self._dispatcher.workers:
            self._told_waiting = False
        elif not self._told_waiting:
            self._told_waiting = True
            self._say(f"{self._address} has no worker that can paint; waiting for one (framebrush worker …)")

    def _lose_scheduler(self, error: Exception) -> None:
        for worker in list(self._dispatcher.workers):
            self._dispatcher.drop(worker)
        if self._client is not None:
            _close(self._client)
            self._client, self._lost_at = None, time.monotonic()
            self._say(f"the scheduler {self._address} is gone ({first_line(error)}); waiting for it")
        if time.monotonic() - self._lost_at >= LONGEST_ABSENCE_S:
            raise DeviceError(
                f"the scheduler {self._address} did not come back within {LONGEST_ABSENCE_S:g} s; start it again"
            )

    def _gone(self, worker: Worker, why: DeviceError) -> None:
        if why.cause:
            self._refused.add(worker.name)
            self._say(f"{worker.name} cannot be used: {why}")


class _ClusterWorker:
    longest_run = 1

    def __init__(self, address: str, client: Client, folder: JobFolder, held: OpenedSource, reports: Reports) -> None:
        self.address, self.name = address, f"worker {address}"
        self._client, self._folder, self._held, self._reports = client, folder, held, reports
        self._future: Future | None = None

    def begin(self) -> None:
        threading.Thread(target=self._watched, args=(self._open,), name=self.name, daemon=True).start()

    def give(self, run: list[Segment]) -> None:
        threading.Thread(target=self._watched, args=(self._paint, run), name=self.name, daemon=True).start()

    def begin_again(self) -> None:
        self._reports.put(Report(self, "ready"))

    def close(self) -> None:
        if self._future is not None:
            with contextlib.suppress(Exception):
                self._future.cancel()

    def _watched(self, work: Any, *arguments: object) -> None:  # noqa: ANN401 - any method
        try:
            try:
                work(*arguments)
            except Exception:
                self._held.has_only_grown()  # a change of the source explains a worker's error
                raise
        except CrashedError as error:
            self._reports.put(Report(self, "crashed", text=str(error)))
        except SourceChangedError as error:
            self._reports.put(Report(self, "failed", what="input", text=str(error)))
        except DiskFullError as error:
            self._reports.put(Report(self, "failed", what="disk", text=str(error)))
        except (InputError, OutputError, DeviceError, ValueError) as error:
            self._reports.put(Report(self, "gone", text=str(error) or type(error).__name__))
        except (ImportError, AttributeError, TypeError, MemoryError, RuntimeError) as error:
            self._reports.put(Report(self, "gone", text=f"{type(error).__name__}: {first_line(error)}"))
        except BaseException:  # worker or scheduler is gone: `_look` reports it
            self._reports.put(Report(self, "gone"))
        else:
            self._reports.put(Report(self, "ready"))

    def _call(self, function: Any, *arguments: object) -> Any:  # noqa: ANN401 - any function
        self._future = self._client.submit(
            function,
            *arguments,
            workers=[self.address],
            allow_other_workers=False,
            resources={cluster_worker.RESOURCE: 1},
            pure=False,
            retries=0,
        )
        return self._future.result()

    def _open(self) -> None:
        values = to_values(self._folder.journal)
        if self._call(cluster_worker.prepare_job, values) == "source":
            self._send_source()
            if self._call(cluster_worker.prepare_job, values) == "source":
                raise OutputError("the source did not arrive intact")

    def _send_source(self) -> None:
        journal = self._folder.journal
        if journal.job.decode.rate is not None:
            raise OutputError("it cannot access the numbered pictures, which are not sent; use a shared disk")
        source, identity = Path(journal.job.source), journal.identity.source
        with source.open("rb") as file:
            offset = 0
            while data := file.read(min(PIECE_BYTES, identity.size_bytes - offset)):  # the file may have grown
                self._call(cluster_worker.receive_source, identity.sha256, source.name, offset, data)
                offset += len(data)
        self._held.has_only_grown()

    def _paint(self, run: list[Segment]) -> None:
        for segment in run:
            part: Segment | None = segment
            while part is not None:
                part = self._paint_part(part)
            self._reports.put(Report(self, "whole", number=segment.number))

    def _paint_part(self, part: Segment) -> Segment | None:
        """Have a part painted, save it, return the rest.

        The scheduler keeps call data, so only key and part are sent.
        """
        key = self._folder.journal.identity.key
        while (painted := self._call(cluster_worker.paint_part, key, to_values(part))) == "unprepared":
            self._open()
        values, content = painted
        record = from_values(SegmentRecord, json.loads(json.dumps(values)), "record")
        rest = record.rest(part)
        result = Path(self._folder.journal.job.target)
        with disk_errors(result.parent, f"writing {result.name} failed"):
            if record.pts:
                with OutputFile(self._folder.media(part)) as file:
                    file.write(content)
                    file.deliver(overwrite=True)
            self._held.has_only_grown()
            self._folder.record(part, record)
        return rest


def _connect(address: str, security: Security) -> Client:
    from distributed.client import Client

    cluster_worker.quiet()
    try:
        return Client(address, security=security, timeout=CONNECT_S, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise DeviceError(f"the scheduler {address} does not answer ({first_line(error)})") from None


def workers_of(client: Client) -> dict[str, dict[str, Any]]:
    """Return the scheduler's workers by address. Raises OSError."""
    if client.status != "running" or client.scheduler is None:
        raise OSError("the connection is lost")
    workers: dict[str, dict[str, Any]] = client.sync(client.scheduler.identity, n_workers=-1)["workers"]
    return workers


def _close(client: Client) -> None:
    with contextlib.suppress(Exception):
        client.close(timeout=2)
