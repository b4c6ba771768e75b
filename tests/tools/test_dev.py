import ast
import importlib.util
import os
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from tools import dev

pytestmark = pytest.mark.unit


def test_any_python_3_7_gets_far_enough_to_be_told_that_it_is_too_old() -> None:
    ast.parse(Path(dev.__file__).read_text(encoding="utf-8"), feature_version=(3, 7))


@pytest.mark.parametrize("version", [(3, 10), (3, 14), (2, 7)])
def test_a_python_out_of_range_is_refused(version: tuple[int, int]) -> None:
    with pytest.raises(dev.SetupError, match=r"needs Python 3\.11 to 3\.13 and this is {}\.{}".format(*version)):
        dev.check_python(version)


def test_the_range_is_that_of_pyproject() -> None:
    wanted = tomllib.loads((dev.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    assert wanted == ">={}.{},<{}.{}".format(*dev.OLDEST, dev.NEWEST[0], dev.NEWEST[1] + 1)
    dev.check_python(dev.OLDEST)
    dev.check_python(dev.NEWEST)


def test_an_environment_is_stale_after_a_change_of_requirements_python_or_folder() -> None:
    here = Path("here")
    prints = {
        dev.fingerprint(b"numpy", (3, 11), here),
        dev.fingerprint(b"numpy>2", (3, 11), here),
        dev.fingerprint(b"numpy", (3, 12), here),
        dev.fingerprint(b"numpy", (3, 11), Path("there")),
    }
    assert len(prints) == 4
    assert dev.fingerprint(b"numpy", (3, 11), here) in prints


@pytest.mark.parametrize(
    ("stamp", "extras"),
    [
        ('{"fingerprint": "now", "extras": ["dev"]}', frozenset({"dev"})),
        ('{"fingerprint": "now", "extras": []}', frozenset()),
        ('{"fingerprint": "before", "extras": ["dev"]}', None),
        ('{"extras": ["dev"]}', None),
        ('{"fingerprint": "no', None),
        ("[]", None),
    ],
)
def test_a_stamp_vouches_only_for_its_own_fingerprint(
    tmp_path: Path, stamp: str, extras: frozenset[str] | None
) -> None:
    file = tmp_path / "stamp.json"
    file.write_text(stamp, encoding="utf-8")
    assert dev.installed_extras(file, "now") == extras


def test_without_a_stamp_nothing_is_vouched_for(tmp_path: Path) -> None:
    assert dev.installed_extras(tmp_path / "none.json", "now") is None


def test_what_is_absent_is_named_in_order() -> None:
    there = "kernel32" if sys.platform == "win32" else "libc.so.6"
    needs = [
        dev.Need("libnone1", dev.library("libnone.so.1")),
        dev.Need("libc6", dev.library(there)),
        dev.Need("python3-none", dev.module("no_such_module")),
        dev.Need("python3", dev.module("json")),
    ]
    assert dev.missing_packages(needs) == ["libnone1", "python3-none"]


def test_without_root_the_one_command_is_named() -> None:
    with pytest.raises(dev.SetupError, match=re.escape("apt-get update && apt-get install -y libegl1 xvfb'")):
        dev.install_packages(["libegl1", "xvfb"], apt=sys.executable, is_root=False)


def test_without_apt_the_lack_is_named() -> None:
    with pytest.raises(dev.SetupError, match="lack what Debian has in: libegl1"):
        dev.install_packages(["libegl1"], apt=None, is_root=True)


@pytest.mark.skipif(os.name == "nt", reason="apt is Debian's")
def test_a_lock_that_another_program_holds_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apt = tmp_path / "apt-get"
    log = tmp_path / "log"
    apt.write_text(
        f"#!/bin/sh\necho $2 >> {log}\n"
        f"[ $(wc -l < {log}) -gt 2 ] || {{ echo 'E: Could not get lock /var/lib/apt/lists/lock' >&2; exit 100; }}\n"
    )
    apt.chmod(0o755)
    monkeypatch.setattr(dev, "APT_RETRY_S", 0.01)
    dev.install_packages(["strace"], apt=str(apt), is_root=True)
    assert log.read_text().split() == ["update", "update", "update", "install"]


def test_a_failing_install_shows_why() -> None:
    with pytest.raises(dev.SetupError, match=r"apt-get update: .*can't open file"):
        dev.install_packages(["libegl1"], apt=sys.executable, is_root=True)  # any program that fails on "update"


def test_with_nothing_missing_nothing_is_asked_for() -> None:
    dev.install_packages([], apt=None, is_root=False)


def test_an_environment_without_pip_is_not_ours(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path)], check=True, timeout=120)
    assert not dev.is_ours(tmp_path / dev.PYTHON.relative_to(dev.VENV))
    assert not dev.is_ours(tmp_path / "nothing")
    assert dev.is_ours(Path(sys.executable)) == (importlib.util.find_spec("pip") is not None)


@pytest.mark.parametrize("arguments", [["demo", "--windows"], ["setup", "-x"], ["unknown"], []])
def test_what_makes_no_sense_is_a_usage_error(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        dev.main(arguments)
    assert stopped.value.code == 2
    assert "usage:" in capsys.readouterr().err


# One passes, one fails always where it is broken, and the rest fail among others.
FAILING = """
import os
import pytest
def test_passes(): pass
def test_always(): assert not BROKEN
@pytest.mark.parametrize("number", range(OTHERS))
def test_among_others(number): assert "PYTEST_XDIST_WORKER" not in os.environ
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("broken", "others", "runs", "said"),
    [
        (False, 2, 2, {"among_others[0]": "passed", "among_others[1]": "passed"}),
        (True, 1, 2, {"among_others[0]": "passed", "always": "failed"}),
        (False, 4, 1, {}),
    ],
)
def test_few_tests_that_failed_are_run_once_more_alone(
    broken: bool,
    others: int,
    runs: int,
    said: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "test_some.py").write_text(FAILING.replace("BROKEN", str(broken)).replace("OTHERS", str(others)))
    (tmp_path / "pytest.ini").write_text("[pytest]")
    monkeypatch.setattr(dev, "FAILED", tmp_path / dev.FAILED.relative_to(dev.ROOT))
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    statuses: list[int] = []

    def pytest_of(tests: Sequence[str]) -> int:
        command = [sys.executable, "-m", "pytest", "-n", "1", *tests]
        statuses.append(subprocess.run(command, cwd=tmp_path, stdout=subprocess.DEVNULL).returncode)
        return statuses[-1]

    assert dev.settled(pytest_of, ["test_some.py"], "some") == statuses[-1] == ("failed" in said.values() or not said)
    assert len(statuses) == runs
    found = re.findall(
        r"^dev: failed among others, (passed|failed) alone: test_some.py::test_(.*)$", capsys.readouterr().out, re.M
    )
    assert {name: word for word, name in found} == said


@pytest.mark.parametrize("ends", [[2], [1, -signal.SIGABRT]])
def test_a_run_that_is_ended_settles_nothing(
    ends: list[int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first one, or the second, which then leaves no names."""
    monkeypatch.setattr(dev, "FAILED", tmp_path)
    cache, left = tmp_path / "some" / "v" / "cache", [*ends]
    cache.mkdir(parents=True)

    def ended(_: Sequence[str]) -> int:
        if len(left) == len(ends):
            (cache / "lastfailed").write_text('{"test_some.py::test_one": true}')
        return left.pop(0)

    assert dev.settled(ended, [], "some") == ends[-1]
    assert not left
    assert "passed" not in capsys.readouterr().out


@pytest.mark.skipif(sys.platform != "linux", reason="glibc")
@pytest.mark.parametrize(("beyond", "ends"), [(0, 0), (1, -signal.SIGABRT)])
def test_a_write_beyond_a_block_ends_a_process(beyond: int, ends: int) -> None:
    """FFmpeg may write one byte into the padding of the usual heap."""
    script = f"""
import av.buffer, ctypes, sys
frame = av.AudioFrame("u8", "mono", 4096)
ctypes.memset(frame.planes[0].buffer_ptr, 1, 4096 + {beyond})
del frame
"""
    done = subprocess.run([sys.executable, "-c", script], env={**os.environ, **dev.STRICT_HEAP}, timeout=60)
    assert done.returncode == ends


def test_every_test_runs_once_and_native_code_on_a_strict_heap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dev, "library", lambda _: lambda: True)
    (native, strict), (rest, plain) = [(tests, heap) for _, tests, heap in dev.runs_of(["--all"])]
    assert native == ["--all", *dev.NATIVE]
    assert rest == ["--all", *(f"--ignore={folder}" for folder in dev.NATIVE)]
    assert (strict, plain) == (dev.STRICT_HEAP, {})
    assert all((dev.ROOT / folder).is_dir() for folder in dev.NATIVE)
    assert dev.runs_of(["--all", "-k", "x"]) == [("all", ["--all", "-k", "x"], dev.STRICT_HEAP)]
    assert dev.runs_of(["-x"]) == [("all", ["-x"], {})]


def test_without_that_heap_all_tests_are_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dev, "library", lambda _: lambda: False)
    assert dev.runs_of(["--all"]) == [("all", ["--all"], {})]


def test_every_test_that_needs_a_gpu_is_run_where_there_is_one() -> None:
    folders = [dev.ROOT / name for name in dev.CUDA_TESTS]
    marked = [
        path for path in (dev.ROOT / "tests").rglob("test_*.py") if "mark." + "cuda" in path.read_text(encoding="utf-8")
    ]
    assert len(marked) > 3
    for path in marked:
        assert any(path.is_relative_to(folder) for folder in folders), path


def test_cuda_in_a_python_without_a_gpu_is_a_failure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The message names the missing part, and no test is skipped."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    monkeypatch.setattr(dev, "run", lambda *_, **__: pytest.fail("tests were run"))
    with pytest.raises(dev.SetupError, match=r"CUDA cannot be tested: .*(driver|CUDA_VISIBLE_DEVICES)"):
        dev.test_cuda([], here=True)


def test_the_links_of_the_package_follow_what_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    for name in ("app/window", "gpu", "models"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "app" / "one.py").write_text("1")
    into = tmp_path / "types"
    dev.link_package(into)
    assert {link.name for link in into.iterdir()} == {"window", "one.py", "gpu", "models"}
    before = into.stat().st_ctime_ns
    dev.link_package(into)
    assert into.stat().st_ctime_ns == before  # nobody who reads it is disturbed
    (tmp_path / "app" / "one.py").unlink()
    (tmp_path / "app" / "two.py").write_text("2")
    dev.link_package(into)
    assert (into / "two.py").read_text() == "2"
    assert not (into / "one.py").exists()


def test_every_package_is_installed() -> None:
    """A folder that is missing from `packages` would be missing from the wheel only."""
    tables = tomllib.loads((dev.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    folders = {"framebrush": "app", "framebrush.gpu": "gpu", "framebrush.models": "models"}
    assert tables["package-dir"] == folders
    found = set()
    for package, folder in folders.items():
        for init in (dev.ROOT / folder).rglob("__init__.py"):
            found.add(".".join((package, *init.parent.relative_to(dev.ROOT / folder).parts)))
    assert set(tables["packages"]) == found
