"""The options and the command for a cluster of machines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from framebrush.cli_options import UsageError
from framebrush.jobs.runner import Cluster
from framebrush.messages import print_message

if TYPE_CHECKING:
    from distributed.security import Security

ClusterAddress = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="HOST:PORT", help="Paint on the workers of this dask scheduler.", show_default=False
    ),
]
Certificates = Annotated[
    tuple[Path, Path, Path] | None,
    typer.Option("--tls", metavar="CA CERT KEY", help="Certificate files of the cluster.", show_default=False),
]
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def cluster_of(address: str | None, certificates: tuple[Path, Path, Path] | None) -> Cluster | None:
    """What `--cluster` and `--tls` name, None where no cluster is asked for."""
    if address is None:
        if certificates is not None:
            raise UsageError("--tls goes with --cluster")
        return None
    return Cluster(_url(address, certificates), _security(certificates))


def worker(
    scheduler: Annotated[str, typer.Argument(metavar="HOST:PORT", help="The dask scheduler.", show_default=False)],
    device: Annotated[str, typer.Option("--device", "-d", help="One device, as for transcode.")] = "auto",
    name: Annotated[str | None, typer.Option(help="What the scheduler calls it.", show_default=False)] = None,
    listen: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Listen here without certificates: who reaches it can run code."),
    ] = None,
    tls: Certificates = None,
) -> None:
    """Paint for a cluster, until Ctrl-C: one worker for each device."""
    security = _security(tls)
    host = scheduler.partition("://")[2] or scheduler
    if tls is None and listen is None and host.rpartition(":")[0] not in _LOOPBACK:
        raise UsageError(
            "whoever reaches a worker's port can run code on this machine: give --tls, or --listen with an address in "
            "a network that you trust"
        )
    from framebrush.jobs.cluster_worker import work

    work(_url(scheduler, tls), device, name=name, listen=listen, security=security, say=print_message)


def _url(address: str, certificates: tuple[Path, Path, Path] | None) -> str:
    return address if "://" in address else f"{'tls' if certificates else 'tcp'}://{address}"


def _security(certificates: tuple[Path, Path, Path] | None) -> Security:
    try:
        from distributed.security import Security
    except ImportError as error:
        raise UsageError(f"a cluster needs dask ({error}); pip install 'framebrush[cluster]'") from error
    if certificates is None:
        return Security()
    authority, certificate, key = map(str, certificates)
    for file in certificates:
        if not file.is_file():
            raise UsageError(f"--tls: there is no file {file}")
    return Security(
        require_encryption=True,
        tls_ca_file=authority,
        tls_client_cert=certificate,
        tls_client_key=key,
        tls_worker_cert=certificate,
        tls_worker_key=key,
    )
