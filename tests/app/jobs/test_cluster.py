"""A job on a dask cluster on this machine: real schedulers and workers, killed, frozen and restarted."""

from __future__ import annotations

import logging
import os
import pickle
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from distributed.client import Client
from distributed.deploy.local import LocalCluster
from distributed.security import Security

from assets.make_clips import CLIPS
from framebrush.cli.command_line import run
from framebrush.gpu.errors import DeviceError
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener
from framebrush.jobs.workers import cluster_worker
from framebrush.jobs.workers import dask_cluster as cluster_module
from framebrush.jobs.workers.dask_cluster import ClusterWorkers
from framebrush.jobs.workers.doing import do_job
from framebrush.media.video import SourceChangedError
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import StyleSpec
from tests.app.jobs import jobs
from tests.app.jobs.footage import leftovers

pytestmark = [pytest.mark.media, pytest.mark.skipif(sys.platform == "win32", reason="processes are watched by signals")]

KILLS = jobs.FULL or 1
ENVIRONMENT = {
    **os.environ,
    "OMP_NUM_THREADS": "1",
    "DASK_DISTRIBUTED__SCHEDULER__DASHBOARD__STATUS__TASK_STREAM_LENGTH": "1",
}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def documented(beginning: str) -> list[str]:
    """The options of a command in the documentation that begins so."""
    page = (jobs.ROOT / "docs" / "clusters.md").read_text(encoding="utf-8")
    [line] = [line for line in page.splitlines() if line.startswith(beginning)]
    return line.split()[2:]


class Cluster:
    """A scheduler and workers, all on loopback."""

    def __init__(self, folder: Path, scheduler: Sequence[str] = (), worker: tuple[str, ...] = ()) -> None:
        self.port, self._folder = free_port(), folder
        self.address = f"127.0.0.1:{self.port}"
        self._scheduler_options, self._worker_options = scheduler, worker
        self.workers: list[subprocess.Popen[bytes]] = []
        self.start_scheduler()

    def start_scheduler(self) -> None:
        options = self._scheduler_options or documented("dask scheduler --host 127.0.0.1")
        options = [word.replace("8786", str(self.port)) for word in options]
        self.scheduler = self.start_process("scheduler", ["-m", "distributed.cli.dask_scheduler", *options])
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError("the scheduler did not start")

    def add_worker(self, *prefix: str) -> subprocess.Popen[bytes]:
        name = f"worker-{len(self.workers)}"
        command = ["-P", "-m", "framebrush", "worker", self.address, "--device", "cpu", *self._worker_options]
        self.workers.append(self.start_process(name, command, prefix))
        return self.workers[-1]

    def said(self, name: str) -> str:
        return (self._folder / f"{name}.log").read_text()

    def wait_for_worker(self, number: int) -> None:
        until = time.monotonic() + 60
        while "working for" not in self.said(f"worker-{number}"):
            assert time.monotonic() < until
            time.sleep(0.05)

    def close(self) -> None:
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()

    def start_process(self, name: str, command: list[str], prefix: tuple[str, ...] = ()) -> subprocess.Popen[bytes]:
        with (self._folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [*prefix, sys.executable, *command],
                cwd=jobs.ROOT,
                env={**ENVIRONMENT, "TMPDIR": str(self._folder)},  # a worker that is killed leaves its folder
                stdout=log,
                stderr=log,
            )


@contextmanager
def made(folder: Path, count: int = 2) -> Iterator[Cluster]:
    cluster = Cluster(folder)
    try:
        for _ in range(count):
            cluster.add_worker()
        for number in range(count):
            cluster.wait_for_worker(number)
        yield cluster
    finally:
        cluster.close()


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with made(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


def spec(film: Path, target: Path) -> JobSpec:
    """As `jobs.command`."""
    output = OutputOptions(codec="libx264", preset="ultrafast")
    return JobSpec(str(film), str(target), Recipe(StyleSpec("ink")), output=output, segments=jobs.SEGMENT)


def when_begun(target: Path, count: int, then: Callable[[], object]) -> threading.Thread:
    """Call `then` when `count` segments are complete."""

    def wait() -> None:
        until = time.monotonic() + 100
        while len(jobs.records(target)) < count and time.monotonic() < until:
            time.sleep(0.005)
        then()

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


def painted(
    film: Path, target: Path, cluster: Cluster, count: int, then: Callable[[], object], said: list[str] | None = None
) -> list[str]:
    """Do the job on a cluster, calling `then` in mid-job; return the messages."""
    said = [] if said is None else said
    thread = when_begun(target, count, then)
    do_job(spec(film, target), ClusterWorkers(f"tcp://{cluster.address}", Security()), Listener(said.append))
    thread.join()
    assert leftovers(target.parent) == [target.name]
    return said


@pytest.mark.slow
def test_two_workers_make_the_file_of_one_process(film: Path, at_once: bytes, two: Cluster, tmp_path: Path) -> None:
    said = jobs.finish(film, tmp_path / "out.mp4", "--cluster", two.address)
    assert (tmp_path / "out.mp4").read_bytes() == at_once
    assert leftovers(tmp_path) == ["out.mp4"]
    assert "crash" not in said


@pytest.mark.slow
def test_a_file_of_a_given_size(two: Cluster, tmp_path: Path) -> None:
    """Each worker keeps to the size with the segments that it paints itself."""
    size = 720_000
    output = OutputOptions(codec="libx264", preset="veryfast", target_bytes=size)
    film = jobs.make_uneven_film(tmp_path / "film.mp4")
    made = JobSpec(str(film), str(tmp_path / "out.mp4"), Recipe(StyleSpec("none")), output=output, segments=60)
    said: list[str] = []
    do_job(made, ClusterWorkers(f"tcp://{two.address}", Security()), Listener(said.append))
    assert not any("painting on this machine" in words for words in said)
    found = (tmp_path / "out.mp4").stat().st_size
    assert 0.86 * size <= found <= size


@pytest.mark.slow
def test_nothing_listens_beyond_loopback(two: Cluster) -> None:
    for process in (*two.workers, two.scheduler):
        assert listening(process) == {"127.0.0.1"}


def listening(process: subprocess.Popen[bytes]) -> set[str]:
    """The addresses that a process listens on."""
    found = psutil.Process(process.pid).net_connections("inet")
    return {one.laddr.ip for one in found if one.status == psutil.CONN_LISTEN}


def test_all_workers_are_seen_at_any_time() -> None:
    """More than dask lists by default, while its client queries the scheduler on its own."""
    with (
        LocalCluster(n_workers=7, threads_per_worker=1, processes=False, dashboard_address=None) as machines,
        Client(machines.scheduler_address, set_as_default=False) as client,
    ):
        client.wait_for_workers(7)
        clock = client._periodic_callbacks["scheduler-info"]
        client.loop.add_callback(clock.stop)
        clock.callback_time = 1
        client.loop.add_callback(clock.start)
        assert {len(cluster_module.workers_of(client)) for _ in range(100)} == {7}
    with pytest.raises(OSError, match="connection is lost"):
        cluster_module.workers_of(client)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_worker_removes_what_a_killed_one_left_and_its_own_when_it_is_asked_to_end(tmp_path: Path) -> None:
    with made(tmp_path, 2) as cluster:
        homes = set(tmp_path.glob("framebrush-worker-*"))
        assert len(homes) == 2
        cluster.workers[0].kill()
        cluster.workers[0].wait()
        (tmp_path / "framebrush-worker-young").mkdir()
        (tmp_path / "framebrush-worker-link").symlink_to("/")
        for home in homes:
            os.utime(home, (0, 0))
        cluster.add_worker()
        cluster.wait_for_worker(2)
        left = set(tmp_path.glob("framebrush-worker-*"))
        assert len(left & homes) == 1  # that of the worker that lives
        assert left >= {tmp_path / "framebrush-worker-young", tmp_path / "framebrush-worker-link"}
        assert len(left) == 4
        cluster.workers[2].send_signal(signal.SIGTERM)
        assert cluster.workers[2].wait(60) == 4
        begins, ends = cluster.said("worker-2").splitlines()
        assert begins.startswith("working for")
        assert ends == "framebrush: interrupted; the jobs continue without this worker"
        assert set(tmp_path.glob("framebrush-worker-*")) < left
        assert len(left - set(tmp_path.glob("framebrush-worker-*"))) == 1
        (home,) = left & homes
        home.rename(tmp_path / "elsewhere")
        home.symlink_to(tmp_path / "elsewhere")  # which is not removed
        cluster.workers[1].send_signal(signal.SIGTERM)
        assert cluster.workers[1].wait(60) == 4


@pytest.mark.parametrize("address", ["192.0.2.7:8786", "tcp://example.invalid:8786"])
def test_a_worker_asks_before_it_listens_elsewhere(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["worker", address]) == 1
    assert "--tls" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(KILLS))
def test_the_client_is_killed(seed: int, film: Path, at_once: bytes, two: Cluster, tmp_path: Path) -> None:
    dice, target = random.Random(seed), tmp_path / "out.mp4"
    child = jobs.start(film, target, "--cluster", two.address)
    jobs.wait_for_segments(child, target, dice.randint(0, jobs.COUNT - 3))
    time.sleep(dice.uniform(0, 0.1))
    jobs.kill(child)
    if not target.exists():
        jobs.finish(film, target, "--cluster", two.address)
    assert target.read_bytes() == at_once
    assert leftovers(tmp_path) == ["out.mp4"]


@pytest.mark.slow
def test_one_worker_is_killed_and_the_others_freeze(
    film: Path,
    at_once: bytes,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One of them thaws: until then nobody paints, however fast each is."""
    monkeypatch.setattr(cluster_module, "STALLED_S", 3.0)
    said: list[str] = []
    with made(tmp_path_factory.mktemp("cluster"), 3) as cluster:
        killed, frozen, thawing = cluster.workers

        def harm() -> None:
            killed.kill()
            for worker in (frozen, thawing):
                worker.send_signal(signal.SIGSTOP)
            until = time.monotonic() + 60
            while not any("does not answer; the others continue" in line for line in said) and time.monotonic() < until:
                time.sleep(0.05)
            thawing.send_signal(signal.SIGCONT)

        painted(film, tmp_path / "out.mp4", cluster, 2, harm, said)
    assert any("is gone; the others continue" in line for line in said)
    assert any("does not answer; the others continue" in line for line in said)
    assert (tmp_path / "out.mp4").read_bytes() == at_once


@pytest.mark.slow
def test_the_scheduler_is_restarted(
    film: Path, at_once: bytes, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    whole: list[int] = []
    with made(tmp_path_factory.mktemp("cluster")) as cluster:

        def restart() -> None:
            cluster.scheduler.kill()
            cluster.scheduler.wait()
            time.sleep(0.5)
            whole.append(len(jobs.records(tmp_path / "out.mp4")))
            cluster.start_scheduler()

        painted(film, tmp_path / "out.mp4", cluster, 2, restart)
    assert whole[0] < jobs.COUNT  # dask may have found the new one before anything was said of the old one
    assert (tmp_path / "out.mp4").read_bytes() == at_once


@pytest.mark.slow
def test_a_scheduler_that_does_not_come_back(
    film: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wait for a lost scheduler ends; dask logs nothing, and finished segments stay."""
    monkeypatch.setattr(cluster_module, "CONNECT_S", 0.5)
    monkeypatch.setattr(cluster_module, "LONGEST_ABSENCE_S", 1.0)
    loud = [logging.getLogger(name) for name in ("distributed", "distributed.client", "distributed.core")]
    for logger in loud:
        logger.setLevel(logging.INFO)  # as dask leaves some of them
    said: list[str] = []
    target = tmp_path / "out.mp4"
    with made(tmp_path_factory.mktemp("cluster")) as cluster:
        thread = when_begun(target, 2, cluster.scheduler.kill)
        with pytest.raises(DeviceError, match="did not come back within 1 s; start it again"):
            do_job(spec(film, target), ClusterWorkers(f"tcp://{cluster.address}", Security()), Listener(said.append))
        thread.join()
    assert any(" is gone (" in line and line.endswith("); waiting for it") for line in said)
    assert said[-1].endswith("kept; run the same command again to resume")
    assert not any(logger.isEnabledFor(logging.ERROR) for logger in loud)


@pytest.mark.slow
def test_a_changed_source_is_no_fault_of_the_workers(film: Path, two: Cluster, tmp_path: Path) -> None:
    """Which read it in place."""
    source = Path(shutil.copy(film, tmp_path / "film.mp4"))
    thread = when_begun(tmp_path / "out.mp4", 1, lambda: shutil.copyfile(CLIPS / "cfr.mp4", source))
    said: list[str] = []
    with pytest.raises(SourceChangedError, match="the source changed while it was painted"):
        do_job(
            spec(source, tmp_path / "out.mp4"),
            ClusterWorkers(f"tcp://{two.address}", Security()),
            Listener(said.append),
        )
    thread.join()
    assert "kept for the source before its change" in said[-1]
    assert not (tmp_path / "out.mp4").exists()


@pytest.mark.slow
def test_what_paints_for_a_worker_dies(
    film: Path, at_once: bytes, two: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is started anew, and the worker stays. The scheduler, which keeps something of every call, gets little."""
    sizes: list[int] = []
    submit = Client.submit

    def measured(self: Client, function: Any, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401
        if function is not cluster_worker.prepare_job:
            sizes.append(len(pickle.dumps(arguments)))
        return submit(self, function, *arguments, **options)

    monkeypatch.setattr(Client, "submit", measured)

    def kill() -> None:
        until = time.monotonic() + 60
        painters: list[psutil.Process] = []
        while not painters:
            assert time.monotonic() < until
            painters = [child for worker in two.workers for child in psutil.Process(worker.pid).children()]
        painters[0].send_signal(signal.SIGSEGV)

    said = painted(film, tmp_path / "out.mp4", two, 1, kill)
    assert any("was ended by SIGSEGV" in line and line.endswith("; restarting it") for line in said), said
    assert not any("cannot be used" in line or "is gone" in line for line in said), said
    assert len(sizes) >= jobs.COUNT
    assert max(sizes) < 500
    assert (tmp_path / "out.mp4").read_bytes() == at_once


@pytest.mark.parametrize("address", ["127.0.0.1", "tcp://127.0.0.1", ":8786", "127.0.0.1:"])
def test_a_scheduler_without_a_port(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["worker", address], ["transcode", "a.mp4", "b.mp4", "--cluster", address]):
        assert run(command) == 1
        assert f"{address} is not the address of a scheduler: give host and port" in capsys.readouterr().err


def test_a_worker_for_a_device_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["worker", "127.0.0.1:1", "--device", "nonesuch"]) == 1
    assert "there is no device 'nonesuch'" in capsys.readouterr().err


@pytest.mark.slow
def test_what_cannot_be_cut_is_painted_here(two: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["transcode", str(CLIPS / "cfr.mp4"), str(tmp_path / "out.mp4"), "--style", "none", "--device", "cpu"]
    assert run([*arguments, "--cluster", two.address]) == 0
    assert "too short for a cluster" in capsys.readouterr().err
    assert leftovers(tmp_path) == ["out.mp4"]


@pytest.mark.slow
def test_a_worker_that_comes_late_and_does_not_see_the_source(
    film: Path, at_once: bytes, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can hide a folder from one process")
    hide = ("unshare", "--mount", "sh", "-c", f'mount -t tmpfs none "{film.parent}" && exec "$@"', "sh")
    with made(tmp_path_factory.mktemp("cluster"), 0) as cluster:
        said = painted(film, tmp_path / "out.mp4", cluster, 0, lambda: cluster.add_worker(*hide))
    assert len([line for line in said if "waiting for one" in line]) == 1
    assert (tmp_path / "out.mp4").read_bytes() == at_once


OTHER_VERSION = """
import sys
from framebrush.jobs import identity
original = identity.Versions.here
identity.Versions.here = classmethod(lambda cls: cls("0.0.1", original().pyav, original().ffmpeg))
from framebrush.cli.command_line import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.slow
def test_a_worker_of_another_version_does_not_take_part(
    film: Path, at_once: bytes, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with made(tmp_path_factory.mktemp("cluster"), 1) as cluster:
        command = ["-c", OTHER_VERSION, "worker", cluster.address, "--device", "cpu"]
        cluster.workers.append(cluster.start_process("worker-1", command))
        cluster.wait_for_worker(1)
        said = painted(film, tmp_path / "out.mp4", cluster, 0, lambda: None)
        assert len(cluster.said("worker-1").splitlines()) == 1
    assert any("cannot be used" in line and "the versions (framebrush)" in line for line in said)
    assert (tmp_path / "out.mp4").read_bytes() == at_once


@pytest.mark.slow
def test_with_certificates(
    film: Path,
    at_once: bytes,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path_factory.mktemp("cluster")
    key, certificate = str(folder / "key.pem"), str(folder / "certificate.pem")
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    kind = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    made_now = ["openssl", "req", *kind, "-addext", names, "-keyout", key, "-out", certificate]
    subprocess.run(made_now, check=True, capture_output=True)
    options = documented("dask scheduler --protocol tls")
    names_of = {"farm": "127.0.0.1", "ca.pem": certificate, "cert.pem": certificate, "key.pem": key}
    files = [names_of.get(word, word) for word in options]
    tls = ("--tls", certificate, certificate, key)
    cluster = Cluster(folder, files, tls)
    try:
        cluster.add_worker()
        cluster.wait_for_worker(0)
        assert listening(cluster.workers[0]) == listening(cluster.scheduler) == {"127.0.0.1"}
        jobs.finish(film, tmp_path / "out.mp4", "--cluster", cluster.address, *tls)
        assert (tmp_path / "out.mp4").read_bytes() == at_once
        monkeypatch.setattr(cluster_module, "CONNECT_S", 1.0)
        assert run(jobs.command(film, tmp_path / "no.mp4", "--cluster", cluster.address)[len(jobs.PROGRAM) :]) == 1
        assert "does not answer" in capsys.readouterr().err
    finally:
        cluster.close()


@pytest.mark.slow
def test_a_scheduler_that_is_not_there(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "CONNECT_S", 1.0)
    arguments = jobs.command(film, tmp_path / "out.mp4", "--cluster", f"127.0.0.1:{free_port()}")[len(jobs.PROGRAM) :]
    assert run(arguments) == 1
    assert "does not answer" in capsys.readouterr().err
    assert leftovers(tmp_path) == []
