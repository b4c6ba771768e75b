"""Options and command for clusters of machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from framebrush.cli.groups import UsageError
from framebrush.cli.messages import print_message
from framebrush.jobs.workers.runner import Cluster, security_of

ClusterAddress = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="HOST:PORT", help="Paint on the workers of this Dask scheduler.", show_default=False
    ),
]
Certificates = Annotated[
    tuple[Path, Path, Path] | None,
    typer.Option("--tls", metavar="CA CERT KEY", help="Certificate files of the cluster.", show_default=False),
]
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def cluster_of(address: str | None, certificates: tuple[Path, Path, Path] | None) -> Cluster | None:
    """Return the cluster from `--cluster` and `--tls`; None without `--cluster`."""
    if address is None:
        if certificates is not None:
            raise UsageError("--tls is only valid together with --cluster")
        return None
    cluster = Cluster(_url(address, certificates), _names(certificates))
    security_of(cluster.certificates)  # reports missing files before the work starts
    return cluster


def worker(
    scheduler: Annotated[str, typer.Argument(metavar="HOST:PORT", help="The Dask scheduler.", show_default=False)],
    device: Annotated[str, typer.Option("--device", "-d", help="One device, as for transcode.")] = "auto",
    name: Annotated[str | None, typer.Option(help="The worker's name at the scheduler.", show_default=False)] = None,
    listen: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Listen here without certificates: anyone who can connect can run code."),
    ] = None,
    tls: Certificates = None,
) -> None:
    """Paint for a cluster until Ctrl-C, with one worker per device."""
    security = security_of(_names(tls))
    url = _url(scheduler, tls)
    if tls is None and listen is None and url.partition("://")[2].rpartition(":")[0] not in _LOOPBACK:
        raise UsageError(
            "anyone who can reach a worker's port can run code on this machine: give --tls, or --listen with an "
            "address in a network you trust"
        )
    from framebrush.jobs.workers.cluster_worker import work

    work(url, device, name=name, listen=listen, security=security, say=print_message)


def _url(address: str, certificates: tuple[Path, Path, Path] | None) -> str:
    host, _, port = (address.partition("://")[2] or address).rpartition(":")
    if not host or not port.isdecimal():
        raise UsageError(f"{address} is not the address of a scheduler: give host and port, such as 127.0.0.1:8786")
    return address if "://" in address else f"{'tls' if certificates else 'tcp'}://{address}"


def _names(certificates: tuple[Path, Path, Path] | None) -> tuple[str, str, str] | None:
    if certificates is None:
        return None
    authority, certificate, key = map(str, certificates)
    return authority, certificate, key
