"""Job runners: on one device, which stays open between jobs, on several, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from framebrush.gpu.device import NO_DIAGNOSIS, Device, Diagnosis, open_device
from framebrush.gpu.errors import DeviceLostError
from framebrush.jobs.identity import JobIdentity
from framebrush.jobs.prepare import job_identity, open_any_style, tell_of_another_film
from framebrush.jobs.run import StockOf, no_stock, run_job
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import NOBODY, Listener, OnMessage, Outcome, ignore
from framebrush.jobs.workers.devices import run_on_devices
from framebrush.media.reading.pipe import is_pipe
from framebrush.styles.names import OpenedStyle

if TYPE_CHECKING:
    from distributed.security import Security


class Runner(Protocol):
    """Runs a job; see `run_job`."""

    def __call__(self, spec: JobSpec, listener: Listener = NOBODY, *, restart: bool = False) -> Outcome: ...

    def identity(self, spec: JobSpec) -> JobIdentity | None:
        """See `job_identity`."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A dask cluster: the address of its scheduler, and the certificate files: authority, certificate, key."""

    address: str
    certificates: tuple[str, str, str] | None = None

    @property
    def security(self) -> Security:
        """The certificates in dask's form. Raises ValueError if dask or a file is missing."""
        return security_of(self.certificates)


def security_of(certificates: tuple[str, str, str] | None) -> Security:
    """The certificates of a cluster in dask's form. Raises ValueError if dask or a file is missing."""
    try:
        from distributed.security import Security
    except ImportError as error:
        raise ValueError(f"a cluster needs dask ({error}); pip install 'framebrush[cluster]'") from error
    if certificates is None:
        return Security()
    for file in certificates:
        if not Path(file).is_file():
            raise ValueError(f"--tls: there is no file {file}")
    authority, certificate, key = certificates
    return Security(
        require_encryption=True,
        tls_ca_file=authority,
        tls_client_cert=certificate,
        tls_client_key=key,
        tls_worker_cert=certificate,
        tls_worker_key=key,
    )


@contextmanager
def job_runner(
    spec: JobSpec,
    diagnosis: Diagnosis = NO_DIAGNOSIS,
    say: OnMessage = ignore,
    *,
    cluster: Cluster | None = None,
    stock_of: StockOf = no_stock,
) -> Iterator[Runner]:
    """The runner for jobs in the style and on the devices of a spec, or on a cluster. stock_of: as for `run_job`, for
    jobs on one device.

    Raises StyleError, DeviceError, ValueError.
    """
    if is_pipe(spec.source) and (cluster is not None or len(spec.devices) > 1):
        raise ValueError("only one process can read standard input: give a single --device, and no cluster")
    style = open_any_style(spec, say)
    if cluster is not None:
        from framebrush.jobs.workers.cluster import run_on_cluster  # dask is an extra

        yield _Many(style, partial(run_on_cluster, address=cluster.address, security=cluster.security))
        return
    if len(spec.devices) > 1:
        yield _Many(style, run_on_devices)
        return
    with ExitStack() as stack:
        yield _One(spec.device, style, diagnosis, stack, say, stock_of)


class _Many:
    def __init__(self, style: OpenedStyle, run: Callable[..., Outcome]) -> None:
        self._style, self._run = style, run

    def __call__(self, spec: JobSpec, listener: Listener = NOBODY, *, restart: bool = False) -> Outcome:
        tell_of_another_film(spec, self._style, listener.message)
        return self._run(spec, listener, style=self._style, restart=restart)

    def identity(self, spec: JobSpec) -> JobIdentity | None:
        return job_identity(spec, self._style)


class _One:
    def __init__(
        self,
        name: str,
        style: OpenedStyle,
        diagnosis: Diagnosis,
        stack: ExitStack,
        say: OnMessage,
        stock_of: StockOf,
    ) -> None:
        self._open: Callable[[], Device] = lambda: stack.enter_context(open_device(name, diagnosis))
        self._again: Callable[[], Device] = lambda: open_device(name, diagnosis)
        self._style, self._stock_of = style, stock_of
        self._device: Device | None = self._open()
        if self._device.note:
            say(self._device.note)

    def __call__(self, spec: JobSpec, listener: Listener = NOBODY, *, restart: bool = False) -> Outcome:
        tell_of_another_film(spec, self._style, listener.message)
        self._device = self._device or self._open()
        try:
            return run_job(
                spec,
                self._device,
                listener,
                style=self._style,
                another_device=self._again,
                restart=restart,
                stock_of=self._stock_of,
            )
        except DeviceLostError:
            self._device = None  # the next job opens it again
            raise

    def identity(self, spec: JobSpec) -> JobIdentity | None:
        return job_identity(spec, self._style)
