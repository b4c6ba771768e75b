#!/usr/bin/env python3
"""Set up, demonstrate and check Framebrush with nothing but Python, on Linux and Windows.

    python tools/dev.py demo                         paint the sample film and print the path of the result
    python tools/dev.py test [PYTEST ARGUMENTS]      ruff, mypy and pytest without the slow tests
    python tools/dev.py test --all                   with the slow tests, as in CI
    python tools/dev.py test --windows [ARGUMENTS]   tests/windows, devices, live sources; on Windows or in the rig
    python tools/dev.py test --cuda [ARGUMENTS]      tests that need an NVIDIA GPU; see CONTRIBUTING.md
                        --cuda --here                the same in the current Python, on machines without a network
    python tools/dev.py fuzz [--minutes 30]          damaged videos and networks, from fixed seeds
    python tools/dev.py shaders                      generate the packaged WGSL and DXIL from the HLSL kernels
    python tools/dev.py setup                        only install .venv and the system packages

Exit status: 0 on success; the status of the first failed check; 1 with one line if this machine lacks something.
"""

# Any Python 3 must parse this file to report that it is too old: no newer syntax here.
from __future__ import annotations

import argparse
import ctypes
import hashlib
import importlib.util
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

WINDOWS = os.name == "nt"
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "framebrush-setup.json"
TYPES = ROOT / "build" / "types" / "framebrush"
KERNELS = ROOT / "tools" / "cpu_kernels.py"
SHADERS = ROOT / "tools" / "shaders.py"
DXIL = ROOT / "tools" / "dxil.py"
SCRIPTS = VENV / ("Scripts" if WINDOWS else "bin")
PYTHON = SCRIPTS / ("python.exe" if WINDOWS else "python")
VERSION = sys.version_info[:2]
OLDEST, NEWEST = (3, 11), (3, 13)  # as requires-python in pyproject.toml

# Another program may hold apt's lock: total wait and time between attempts.
APT_WAIT_S, APT_RETRY_S = 600.0, 3.0

# Two processes more than processors, as many tests wait. On Windows all tests share one desktop.
SPREAD = [] if WINDOWS else ["-n", str((os.cpu_count() or 1) + 2), "--dist", "worksteal"]

# glibc then checks every freed block and aborts a process that wrote beyond it; the default heap often does not
# notice. New and freed blocks are also filled with non-zero bytes. Costs about a quarter more processor time.
STRICT_HEAP = {"LD_PRELOAD": "libc_malloc_debug.so.0", "MALLOC_CHECK_": "3", "MALLOC_PERTURB_": "165"}

# Rooms with tests that hand buffers of every form to native code: our kernels, codecs, damaged files. The other rooms
# run the same code on few forms, and pay for the heap of Python and Qt only.
NATIVE = ("tests/gpu", "tests/media", "tests/fuzz", "tests/app/subject")

# Folder of pytest's list of failed tests, by name of the run (two may overlap), and the most failures that are
# repeated alone.
FAILED = ROOT / ".pytest_cache"
MOST_AGAIN = 3

# Extras of pyproject.toml that each command installs.
EXTRAS: dict[str, frozenset[str]] = {
    "demo": frozenset(),
    "fuzz": frozenset({"dev"}),
    "setup": frozenset({"dev"}),
    "shaders": frozenset({"dev"}),
    "test": frozenset({"dev"}),
}


class SetupError(Exception):
    """Requirement that this machine lacks, with the remedy."""


@dataclass(frozen=True)
class Need:
    """Debian package, and a check on any system for its program or library."""

    package: str
    present: Callable[[], bool]


def library(name: str) -> Callable[[], bool]:
    """Return a check for a shared library."""

    def present() -> bool:
        try:
            ctypes.CDLL(name)
        except OSError:
            return False
        return True

    return present


def module(name: str) -> Callable[[], bool]:
    """Return a check for a Python module."""

    return lambda: importlib.util.find_spec(name) is not None


# Debian packages ensurepip, which creates virtual environments, separately from Python.
NEEDS = [Need("python{}.{}-venv".format(*VERSION), module("ensurepip"))]

# Libraries that Qt and the window's sound load; their Windows wheels include them.
WINDOW_NEEDS = [
    Need("libdbus-1-3", library("libdbus-1.so.3")),
    Need("libegl1", library("libEGL.so.1")),
    Need("libfontconfig1", library("libfontconfig.so.1")),
    Need("libgl1", library("libGL.so.1")),
    Need("libglib2.0-0", library("libglib-2.0.so.0")),
    Need("libgssapi-krb5-2", library("libgssapi_krb5.so.2")),  # Qt's tools for translators
    Need("libportaudio2", library("libportaudio.so.2")),
    Need("libxkbcommon0", library("libxkbcommon.so.0")),
]

# Additional libraries for a window on X11, and a virtual screen for its test.
X11_NEEDS = [
    Need("libx11-xcb1", library("libX11-xcb.so.1")),
    Need("libxcb-cursor0", library("libxcb-cursor.so.0")),
    Need("libxcb-icccm4", library("libxcb-icccm.so.4")),
    Need("libxcb-keysyms1", library("libxcb-keysyms.so.1")),
    Need("libxcb-randr0", library("libxcb-randr.so.0")),
    Need("libxcb-shape0", library("libxcb-shape.so.0")),
    Need("libxcb-sync1", library("libxcb-sync.so.1")),
    Need("libxcb-xfixes0", library("libxcb-xfixes.so.0")),
    Need("libxtst6", library("libXtst.so.6")),  # the pointer of a test
    Need("libxkbcommon-x11-0", library("libxkbcommon-x11.so.0")),
    Need("xvfb", lambda: shutil.which("Xvfb") is not None),
    Need("openbox", lambda: shutil.which("openbox") is not None),
]

# A Wayland compositor without a screen, for the test of a window on it.
WAYLAND_NEEDS = [Need("weston", lambda: shutil.which("weston") is not None)]

# AT-SPI, for tests that read the window as a screen reader does.
ATSPI_NEEDS = [
    Need("at-spi2-core", lambda: Path("/usr/share/dbus-1/services/org.a11y.Bus.service").exists()),
    Need("dbus-daemon", lambda: shutil.which("dbus-daemon") is not None),
]

# strace, for the test that the program opens no network connection.
TRACE_NEEDS = [Need("strace", lambda: shutil.which("strace") is not None)]

# Software Vulkan, for the tests of WGSL.
VULKAN_NEEDS = [
    Need("libvulkan1", library("libvulkan.so.1")),
    Need("mesa-vulkan-drivers", lambda: any(Path("/usr/share/vulkan/icd.d").glob("lvp_icd*.json"))),
]

# Other readers of video files, for tests that compare results.
FFMPEG_NEEDS = [Need("ffmpeg", lambda: None not in (shutil.which("ffmpeg"), shutil.which("ffprobe")))]


def needs(extras: frozenset[str]) -> list[Need]:
    """Return the system packages that these extras need.

    Packages for tests are included where FRAMEBRUSH_REQUIRE_X=1 asks for them.
    """
    if platform.system() != "Linux" or "dev" not in extras:
        return NEEDS
    promised = {
        "XVFB": X11_NEEDS,
        "WESTON": WAYLAND_NEEDS,
        "ATSPI": ATSPI_NEEDS,
        "STRACE": TRACE_NEEDS,
        "FFMPEG": FFMPEG_NEEDS,
        "VULKAN": VULKAN_NEEDS,
    }
    kept = [wanted for name, wanted in promised.items() if os.environ.get(f"FRAMEBRUSH_REQUIRE_{name}") == "1"]
    return [*NEEDS, *WINDOW_NEEDS, *(need for wanted in kept for need in wanted)]


def missing_packages(wanted: Iterable[Need]) -> list[str]:
    return [need.package for need in wanted if not need.present()]


def install_packages(packages: Sequence[str], *, apt: str | None, is_root: bool) -> None:
    """Install Debian packages as root, or raise SetupError with the command."""
    if not packages:
        return
    names = " ".join(packages)
    if apt is None:
        raise SetupError(
            f"this system and its Python ({sys.executable}) lack what Debian has in: {names}; install that"
        )
    if not is_root:
        raise SetupError(f"run this once, then try again: sudo sh -c 'apt-get update && apt-get install -y {names}'")
    say(f"installing {names}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        until_s = time.monotonic() + APT_WAIT_S
        while True:
            done = subprocess.run([apt, "-qq", *arguments], env=environment, capture_output=True, text=True)
            if done.returncode == 0 or "get lock" not in done.stderr or time.monotonic() > until_s:
                break
            time.sleep(APT_RETRY_S)
        if done.returncode:
            raise SetupError(f"apt-get {shlex.join(arguments)}: {done.stderr.strip() or done.stdout.strip()}")


def provide(wanted: Iterable[Need]) -> None:
    """Install missing system packages, or raise SetupError."""
    is_root = sys.platform == "linux" and os.geteuid() == 0
    install_packages(missing_packages(wanted), apt=shutil.which("apt-get"), is_root=is_root)


def check_python(version: tuple[int, int]) -> None:
    """Raise SetupError for an unsupported Python version."""
    if not OLDEST <= version <= NEWEST:
        wanted = "{}.{} to {}.{}".format(*OLDEST, *NEWEST)
        here = "{}.{}".format(*version)
        raise SetupError(
            f"Framebrush needs Python {wanted} and this is {here} ({sys.executable}); run it with one of those"
        )


def fingerprint(pyproject: bytes, version: tuple[int, int], root: Path) -> str:
    """Return a digest of requirements, Python version and folder."""
    return hashlib.sha256(pyproject + repr((version, str(root))).encode()).hexdigest()


def installed_extras(stamp: Path, wanted_fingerprint: str) -> frozenset[str] | None:
    """Return the extras in a stamp, or None if missing or outdated."""
    try:
        found = json.loads(stamp.read_text(encoding="utf-8"))
        return frozenset(found["extras"]) if found["fingerprint"] == wanted_fingerprint else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def setup(extras: frozenset[str]) -> None:
    """Update .venv with these extras, link the package, and compile the CPU kernels."""
    link_package(TYPES)
    install(extras)
    require([str(PYTHON), str(KERNELS)], "the CPU's kernels could not be compiled")


def install(extras: frozenset[str]) -> None:
    """Install the program (editable) and these extras into .venv, if its stamp is outdated."""
    current = fingerprint((ROOT / "pyproject.toml").read_bytes(), VERSION, ROOT)
    installed = installed_extras(STAMP, current)
    if installed is not None and extras <= installed and PYTHON.exists():
        return
    provide(needs(extras))
    STAMP.unlink(missing_ok=True)
    if not is_ours(PYTHON):
        say(f"making {VENV}")
        require([sys.executable, "-m", "venv", "--clear", str(VENV)], "no virtual environment could be made")
    extras |= installed or frozenset()
    say(
        "installing Framebrush"
        + (f" with [{','.join(sorted(extras))}]" if extras else "")
        + "; a few minutes the first time"
    )
    project = str(ROOT) + (f"[{','.join(sorted(extras))}]" if extras else "")
    # Of thousands of modules a few hundred are imported, and compiled then.
    pip = [str(PYTHON), "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-compile"]
    # uv takes a third of pip's time. It reads no settings of pip, such as the address of a mirror: pip knows those.
    uv = [str(SCRIPTS / "uv"), "pip", "install", "--quiet", "--python", str(PYTHON), "--editable", project]
    if run([*pip, "uv"]) or run(uv):
        say("uv could not install it; pip tries")
        require([*pip, "--editable", project], "pip could not install it")
    STAMP.write_text(json.dumps({"fingerprint": current, "extras": sorted(extras)}), encoding="utf-8")


def is_ours(python: Path) -> bool:
    """Return whether an environment's Python runs, has pip and fits in version."""
    try:
        asked = subprocess.run(
            [str(python), "-c", "import sys, pip; print(*sys.version_info[:2])"], capture_output=True, text=True
        )
    except OSError:
        return False
    return asked.stdout.split() == [str(part) for part in VERSION]


def say(text: str) -> None:
    """Print a progress line at once, before the output of child processes."""
    print(f"dev: {text}", flush=True)


def run(command: Sequence[str], **environment: str) -> int:
    """Run a command in the project's folder; return its exit status."""
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}).returncode


def require(command: Sequence[str], otherwise: str, **environment: str) -> None:
    """Run a command; raise SetupError if it fails."""
    status = run(command, **environment)
    if status:
        raise SetupError(f"{otherwise}: {shlex.join(command)} ended with {status}")


def link_package(into: Path) -> None:
    """Link the folders of `framebrush` for tools that ignore package-dir.

    Existing links stay: another process may be reading them.
    """
    entries = {entry.name: entry for entry in [*(ROOT / "app").iterdir(), ROOT / "gpu", ROOT / "models"]}
    links = {link.name: link for link in into.iterdir()} if into.is_dir() else {}
    if links.keys() == entries.keys() and all(
        link.exists() and link.samefile(entries[name]) for name, link in links.items()
    ):
        return
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    for entry in entries.values():
        link = into / entry.name
        if not WINDOWS:
            link.symlink_to(entry)
        elif entry.is_dir():
            import _winapi  # a junction, unlike a symbolic link, needs no privilege

            _winapi.CreateJunction(str(entry), str(link))  # type: ignore[attr-defined,unused-ignore]
        else:
            link.hardlink_to(entry)


def demo() -> int:
    result = ROOT / "out" / "demo.mp4"
    result.parent.mkdir(exist_ok=True)
    status = run([str(SCRIPTS / "framebrush"), "demo", str(result), "-y"])
    if status == 0:
        say(f"the painted clip is {result}")
    return status


def fuzz(arguments: Sequence[str]) -> int:
    """Fuzz until the time limit; return 1 for a fault."""
    return run([str(PYTHON), "-m", "tests.fuzz", *arguments])


def test(pytest_arguments: Sequence[str]) -> int:
    """Run all checks, and return the first failed one's status."""
    python = str(PYTHON)
    checks = {"ruff check": ["-m", "ruff", "check", "."], "ruff format": ["-m", "ruff", "format", "--check", "."]}
    for target in ("linux", "win32"):  # each skips code of the other platform
        checks[f"mypy for {target}"] = ["-m", "mypy", "--platform", target, "--cache-dir", f".mypy_cache/{target}"]
    if [*pytest_arguments] == ["--all"]:  # compiles all modules, or every process of the runs would
        checks["collection"] = ["-m", "pytest", "--collect-only", "-qq", "--all", "-p", "no:cacheprovider"]
    together = {
        name: subprocess.Popen(
            [python, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        for name, arguments in checks.items()
    }
    statuses = {}
    for name, check in together.items():
        output, _ = check.communicate()
        say(f"{name}: {'failed' if check.returncode else 'passed'}")
        if check.returncode:
            print(output, end="", flush=True)
        statuses[name] = check.returncode
    for name, tests, environment in runs_of(pytest_arguments):

        def pytest(tests: Sequence[str], environment: dict[str, str] = environment) -> int:
            return run([python, "-m", "pytest", *SPREAD, *tests], **environment)

        say(f"pytest on a strict heap: {name}" if environment else f"pytest: {name}")
        statuses[f"pytest: {name}"] = settled(pytest, tests, name) if "--all" in tests else pytest(tests)
    failed = {name: status for name, status in statuses.items() if status}
    if failed:
        say(f"failed: {', '.join(failed)}")
    return next(iter(failed.values()), 0)


def runs_of(arguments: Sequence[str]) -> list[tuple[str, list[str], dict[str, str]]]:
    """Return name, arguments and environment of each run of pytest.

    With `--all` alone, `NATIVE` runs on a strict heap if the C library has one.
    """
    if "--all" not in arguments or not library(STRICT_HEAP["LD_PRELOAD"])():
        return [("all", [*arguments], {})]
    if len(arguments) > 1:  # some tests are chosen
        return [("all", [*arguments], STRICT_HEAP)]
    return [
        ("native", ["--all", *NATIVE], STRICT_HEAP),
        ("rest", ["--all", *(f"--ignore={folder}" for folder in NATIVE)], {}),
    ]


def settled(pytest: Callable[[Sequence[str]], int], tests: Sequence[str], name: str) -> int:
    """Run pytest; repeat a few failed tests alone; return the last status.

    name: of the run, for its cache folder.
    """
    last = FAILED / name / "v" / "cache" / "lastfailed"
    cache = ["-o", f"cache_dir={FAILED.name}/{name}"]

    def run_tests(tests: Sequence[str]) -> tuple[int, list[str]]:
        last.unlink(missing_ok=True)
        status = pytest([*tests, *cache])
        return status, list(json.loads(last.read_text(encoding="utf-8"))) if last.exists() else []

    status, failed = run_tests(tests)
    if status != 1 or not 0 < len(failed) <= MOST_AGAIN:  # other statuses: interrupted, or no tests found
        return status
    say(f"failed among others, now run alone: {', '.join(failed)}")
    status, again = run_tests([*failed, "-n", "0"])
    for test in failed:
        passed = status in (0, 1) and test not in again
        say(f"failed among others, {'passed' if passed else 'failed'} alone: {test}")
    return status


CONTRACT = ("conformance", "order_of_calls", "steady", "detail", "strokes", "carrying", "unfinished")


def test_windows(pytest_arguments: Sequence[str]) -> int:
    """Run the tests that need Windows, there or in the rig."""
    contract = [f"tests/gpu/test_{name}.py" for name in CONTRACT]
    live = ["tests/media/live/test_live.py", "tests/media/live/test_live_sound.py", "tests/app/playback/test_live.py"]
    tests = ["tests/windows", *contract, *live, "tests/app/window/test_comes_back.py", *pytest_arguments]
    if WINDOWS:
        setup(EXTRAS["test"])
        return settled(lambda tests: run([str(PYTHON), "-u", "-m", "pytest", *tests]), tests, "windows")
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        raise SetupError("tests/windows runs on Windows and, in the rig, on Linux on x86_64")
    setup(EXTRAS["test"])
    require([str(PYTHON), str(KERNELS), "windows-x86_64"], "the CPU's kernels could not be compiled for Windows")
    winrig = str(ROOT / "tools" / "winrig" / "winrig")
    require([winrig, "make"], "the Windows rig could not be built")
    say("tests/windows in the rig")
    # Only a limit against hangs: on few cores, beside other checks, a test may paint for minutes. A process that hangs
    # in native code cannot end itself; every thread's stack is printed before the whole run is killed.
    hanging = ["--timeout", "900", "-o", "faulthandler_timeout=600"]
    pytest = [winrig, "run", "-t", "2700", "python", "-u", "-m", "pytest", "-n", "3", "--dist", "worksteal", *hanging]
    return settled(lambda tests: run([*pytest, *tests]), tests, "windows")


CUDA_TESTS = ("tests/gpu", "tests/media/reading/test_nvdec.py", "tests/media/writing/test_nvenc.py")
"""Tests that need only an NVIDIA GPU, without Qt and other parts."""


def test_cuda(pytest_arguments: Sequence[str], *, here: bool) -> int:
    """Run all tests that need an NVIDIA GPU; report each missing requirement.

    here: use the current Python, for machines without a package index.
    """
    environment = {"FRAMEBRUSH_REQUIRE_CUDA": "1"}
    python = sys.executable if here else str(PYTHON)
    if here:
        link_package(TYPES)
        paths = str(TYPES.parent), os.environ.get("PYTHONPATH", "")
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    else:
        setup(EXTRAS["test"] | {"cuda", "cuda-networks"})
    check = "from framebrush.gpu.cuda import diagnose; diagnose.require(); diagnose.require_networks()"
    asked = subprocess.run(
        [python, "-c", check], cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True
    )
    if asked.returncode:
        reason = (asked.stderr.strip().splitlines() or [f"ended with {asked.returncode}"])[-1]
        raise SetupError(
            f"CUDA cannot be tested: {reason.partition(': ')[2] or reason}".replace(" python ", f" {python} ")
        )
    return run([python, "-u", "-m", "pytest", "-m", "cuda", *CUDA_TESTS, *pytest_arguments], **environment)


def main(arguments: Sequence[str]) -> int:
    """Run a command line; return the exit status."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else hundreds of processes would compile every module anew
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("command", choices=sorted(EXTRAS))
    parser.add_argument("--windows", action="store_true", help="with test: tests/windows")
    parser.add_argument("--cuda", action="store_true", help="with test: what needs an NVIDIA GPU")
    parser.add_argument("--here", action="store_true", help="with --cuda: in this Python; nothing is installed")
    options, rest = parser.parse_known_args(arguments)
    for name in ("windows", "cuda"):
        if getattr(options, name) and options.command != "test":
            parser.error(f"{options.command} takes no --{name}")
    if options.here and not options.cuda:
        parser.error("--here goes with --cuda")
    if options.command not in ("fuzz", "test") and rest:
        parser.error(f"{options.command} takes no {' '.join(rest)}")
    try:
        check_python(VERSION)
        if options.windows:
            return test_windows(rest)
        if options.cuda:
            return test_cuda(rest, here=options.here)
        setup(EXTRAS[options.command])
        if options.command == "test":
            return test(rest)
        if options.command == "fuzz":
            return fuzz(rest)
        if options.command == "shaders":
            return run([str(PYTHON), str(SHADERS)]) or run([str(PYTHON), str(DXIL)])
        return demo() if options.command == "demo" else 0
    except SetupError as problem:
        print(f"dev: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
