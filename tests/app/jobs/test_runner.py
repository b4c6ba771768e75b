"""Runners of jobs: clusters by their addresses, and what one process alone can read."""

from __future__ import annotations

from pathlib import Path

import pytest

from framebrush.cli.cluster import cluster_of
from framebrush.cli.groups import UsageError
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.workers.runner import Cluster, job_runner, security_of
from framebrush.styles.specs import StyleSpec

pytestmark = pytest.mark.unit


@pytest.fixture
def certificates(tmp_path: Path) -> tuple[Path, Path, Path]:
    files = tmp_path / "ca.pem", tmp_path / "cert.pem", tmp_path / "key.pem"
    for file in files:
        file.touch()
    return files


@pytest.mark.parametrize(
    ("address", "plain", "encrypted"),
    [
        ("127.0.0.1:8786", "tcp://127.0.0.1:8786", "tls://127.0.0.1:8786"),
        ("[::1]:8786", "tcp://[::1]:8786", "tls://[::1]:8786"),
        ("tls://farm:8786", "tls://farm:8786", "tls://farm:8786"),
    ],
)
def test_the_address_of_a_scheduler(
    address: str, plain: str, encrypted: str, certificates: tuple[Path, Path, Path]
) -> None:
    assert cluster_of(address, None) == Cluster(plain)
    names = str(certificates[0]), str(certificates[1]), str(certificates[2])
    assert cluster_of(address, certificates) == Cluster(encrypted, names)


def test_without_a_scheduler_there_are_no_certificates(certificates: tuple[Path, Path, Path]) -> None:
    assert cluster_of(None, None) is None
    with pytest.raises(UsageError, match="--tls is only valid together with --cluster"):
        cluster_of(None, certificates)


def test_a_missing_certificate_is_said_before_the_work(certificates: tuple[Path, Path, Path]) -> None:
    certificates[2].unlink()
    with pytest.raises(ValueError, match=r"--tls: there is no file .*key\.pem"):
        cluster_of("farm:8786", certificates)


def test_certificates_mean_encryption(certificates: tuple[Path, Path, Path]) -> None:
    authority, certificate, key = map(str, certificates)
    encrypted = security_of((authority, certificate, key))
    assert encrypted.require_encryption
    for role in ("client", "worker"):
        found = encrypted.get_tls_config_for_role(role)
        assert (found["ca_file"], found["cert"], found["key"]) == (authority, certificate, key)
    assert not security_of(None).require_encryption


@pytest.mark.parametrize(
    ("source", "device", "cluster", "refused"),
    [
        ("-", "cpu", None, False),
        ("-", "cpu,cpu", None, True),
        ("-", "cpu", Cluster("tcp://127.0.0.1:8786"), True),
        ("film.mp4", "cpu,cpu", None, False),
        ("film.mp4", "cpu", Cluster("tcp://127.0.0.1:8786"), False),
    ],
)
def test_one_process_alone_reads_standard_input(
    source: str, device: str, cluster: Cluster | None, refused: bool
) -> None:
    spec = JobSpec(source, "out.mp4", Recipe(StyleSpec("none")), device=device)
    runner = job_runner(spec, cluster=cluster)
    if refused:
        with pytest.raises(ValueError, match="only one process can read standard input"):
            runner.__enter__()
    else:
        with runner as run:
            assert run.spec is spec
