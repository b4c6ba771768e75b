"""Runners of jobs, on devices or a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from framebrush.gpu.device import NO_DIAGNOSIS, Diagnosis, open_device
from framebrush.jobs.identity import JobIdentity
from framebrush.jobs.prepare import job_identity, open_job_style, opened_device
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import NOBODY, Listener, OnMessage, Outcome, ignore
from framebrush.jobs.workers.devices import Devices
from framebrush.jobs.workers.doing import SegmentPainter, do_job
from framebrush.jobs.workers.run import OneDevice, StockOf
from framebrush.media.reading.standard_input import is_pipe
from framebrush.styles.style_names import OpenedStyle

if TYPE_CHECKING:
    from distributed.security import Security


@dataclass(frozen=True, slots=True)
class Runner:
    """Runner of jobs; a spec's style stays open."""

    spec: JobSpec
    style: OpenedStyle
    painter: SegmentPainter
    say: OnMessage = ignore

    def __call__(self, spec: JobSpec, listener: Listener = NOBODY, *, restart: bool = False) -> Outcome:
        return do_job(spec, self.painter, listener, style=self._style_of(spec), restart=restart)

    def identity(self, spec: JobSpec) -> JobIdentity | None:
        """See `job_identity`."""
        return job_identity(spec, self._style_of(spec))

    def _style_of(self, spec: JobSpec) -> OpenedStyle:
        if (spec.style, spec.colours) == (self.spec.style, self.spec.colours):
            return self.style
        return open_job_style(spec, self.say)


@dataclass(frozen=True, slots=True)
class Cluster:
    """Dask cluster: scheduler, and certificate files."""

    address: str
    certificates: tuple[str, str, str] | None = None


def security_of(certificates: tuple[str, str, str] | None) -> Security:
    """Convert certificates for dask. Raises ValueError."""
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
    stock_of: StockOf | None = None,
) -> Iterator[Runner]:
    """Yield a spec's runner. Raises StyleError, DeviceError, ValueError."""
    if is_pipe(spec.source) and (cluster is not None or len(spec.devices) > 1):
        raise ValueError("only one process can read standard input: give a single --device, and no cluster")
    style = open_job_style(spec, say)
    if cluster is not None:
        from framebrush.jobs.workers.dask_cluster import ClusterWorkers  # dask is an extra

        yield Runner(spec, style, ClusterWorkers(cluster.address, security_of(cluster.certificates)), say)
        return
    if len(spec.devices) > 1:
        yield Runner(spec, style, Devices(spec.devices), say)
        return
    another = partial(open_device, spec.device, diagnosis)
    with opened_device(another, say) as device, OneDevice(device, another, stock_of) as painter:
        yield Runner(spec, style, painter, say)
