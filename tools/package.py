#!/usr/bin/env python3
"""Build release files and try them as a user would get them, on Linux and Windows.

    python tools/package.py wheel                         dist/: sdist and wheels, contents checked
    python tools/package.py try [--versions lowest]       install the wheel into an empty environment and use it
    python tools/package.py windows [--try] [--url …]     dist/: installer, portable zip and winget manifest
    python tools/package.py linux [--try]                 dist/: self-contained archive, tried in a bare Debian
    python tools/package.py sources                       dist/: sources of the parts under the GPL and the LGPL
    python tools/package.py lock                          packaging/requirements*.txt from pyproject.toml
    python tools/package.py sums                          dist/SHA256SUMS
    python tools/package.py tag v0.2.0                    check a tag against the version and the changelog
    python tools/package.py notes                         print the release notes

`windows` on Linux freezes the program in the rig of tools/winrig and needs makensis; `--try` needs the rig or
Windows. Exit status: 0 on success; 1 with one line that names the missing requirement or the failure.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import cpu_kernels, dev, frozen, source_archives
from tools.dev import ROOT, SetupError, require, say
from tools.frozen import LOCK, PACKAGING

DIST = ROOT / "dist"
UV = dev.SCRIPTS / "uv"
CLIP = ROOT / "assets" / "clips" / "cfr.mp4"
PACKAGES = {"app": "framebrush", "gpu": "framebrush/gpu", "models": "framebrush/models"}
SOURCES_ONLY = (".md", ".ts")  # notes, and uncompiled translations
COMPILED = f"{cpu_kernels.SOURCES.relative_to(ROOT).as_posix()}/"  # replaced by a library in the wheel
SYSTEMS = ("linux-x86_64", "windows-x86_64")
"""Systems with released wheels."""


MACOS = "14.0"
"""Oldest macOS for which all packages have wheels."""


@dataclass(frozen=True)
class Lock:
    """Locked kind of installation. absent: packages replaced by others."""

    extras: tuple[str, ...]
    absent: tuple[str, ...] = ()


LOCKS = {
    "requirements.txt": Lock(("gui", "freeze")),
    "requirements-cluster.txt": Lock(("gui", "cluster")),
    "requirements-cuda.txt": Lock(("gui", "cuda")),
    "requirements-cuda-networks.txt": Lock(("gui", "cuda", "cuda-networks"), absent=("onnxruntime",)),  # -gpu is it
    "requirements-train.txt": Lock(("gui", "train")),
    "requirements-webgpu.txt": Lock(("gui", "webgpu")),
}
"""Lock files in packaging/. Releases are frozen from the first."""

VERSIONS = {"newest": "highest", "lowest": "lowest-direct", "locked": "highest"}
"""Arguments of `try --versions`, and uv's resolution for each."""

LOWEST = ("gui", "cluster", "test")
"""Extras installed at their lowest versions. `.ci/run` covers training; CUDA takes gigabytes and a GPU, so the
existence of its lowest versions is checked.
"""

CUDA = ("cuda", "cuda-networks")

OF_CLUSTERS = "with_certificates"
"""Test of clusters for the lowest versions: scheduler, worker and a job, all arguments to dask, a few seconds."""


def uv(*arguments: str, **environment: str) -> None:
    require([str(UV), *arguments], "uv failed", **environment)


def tracked(folder: str) -> set[str]:
    """Return the paths that git tracks below a folder of the project."""
    listed = subprocess.run(["git", "ls-files", "-z", "--", folder], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        raise SetupError(f"git could not list {folder}: {listed.stderr.strip()}; package a clone, not an archive")
    return {name for name in listed.stdout.split("\0") if name}


def pages() -> set[str]:
    """Return the paths of the pages that the window shows."""
    return {name for name in tracked("docs") if PurePosixPath(name).match("docs/*.md")}


def wanted_in_wheel(system: str) -> set[str]:
    """Return the files expected in a system's wheel."""
    return {f"framebrush/{page}" for page in pages()} | {
        name.replace(folder, package, 1)
        for folder, package in PACKAGES.items()
        for name in (*tracked(folder), cpu_kernels.library(system).relative_to(ROOT).as_posix())
        if name.startswith(f"{folder}/") and not name.endswith(SOURCES_ONLY) and not name.startswith(COMPILED)
    }


def check_same(kind: str, found: set[str], wanted: set[str]) -> None:
    """Raise SetupError if an archive's files differ from the expected ones."""
    problems = [f"lacks {name}" for name in sorted(wanted - found)] + [f"has {name}" for name in sorted(found - wanted)]
    if problems:
        more = f" and {len(problems) - 5} more" if len(problems) > 5 else ""
        raise SetupError(f"the {kind} {', '.join(problems[:5])}{more}; see [tool.setuptools] in pyproject.toml")


def check_wheel(wheel: Path, system: str) -> None:
    """Raise SetupError unless a wheel holds exactly the package."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    check_same("wheel", {name for name in names if ".dist-info/" not in name}, wanted_in_wheel(system))
    licences = {name.partition("/licenses/")[2] for name in names if "/licenses/" in name}
    check_same("wheel's licences", licences, {"LICENSE", "NOTICE"})


def check_sdist(sdist: Path) -> None:
    """Raise SetupError unless the sdist holds exactly the package and its build files."""
    with tarfile.open(sdist) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    build = {
        "setup.py",
        "tools/cpu_kernels.py",
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "NOTICE",
        "MANIFEST.in",
        "PKG-INFO",
        "setup.cfg",
    }
    package = {name for folder in PACKAGES for name in tracked(folder) if not name.endswith(SOURCES_ONLY)}
    kept = {name for name in names if not name.startswith("framebrush.egg-info/")}
    check_same("sdist", kept, package | build | pages())


def wheel(system: str, into: Path = DIST) -> Path:
    """Build and check the sdist, and from it a wheel; return its path."""
    into.mkdir(parents=True, exist_ok=True)
    name = f"framebrush-{frozen.version()}"
    made, sdist = into / f"{name}-py3-none-{cpu_kernels.PLATFORMS[system]}.whl", into / f"{name}.tar.gz"
    uv("build", "--quiet", "--out-dir", str(into), str(ROOT), CC="zig", FRAMEBRUSH_SYSTEM=system)
    (into / ".gitignore").unlink(missing_ok=True)
    check_wheel(made, system)
    check_sdist(sdist)
    say(f"{made.name} and {sdist.name} are in {into}")
    return made


def install(wheel: Path, environment: Path, versions: str) -> Path:
    """Install a wheel into a new environment; return its programs' folder."""
    uv("venv", "--quiet", "--clear", "--python", sys.executable, str(environment))
    programs = environment / ("Scripts" if dev.WINDOWS else "bin")
    pinned = ["--constraints", str(LOCK)] if versions == "locked" else []
    # "lowest-direct" takes the newest version of a requirement unless it is named here.
    named = direct(*LOWEST) if versions == "lowest" else []
    pip = ("pip", "install", "--quiet", "--python", str(environment), "--resolution", VERSIONS[versions])
    uv(*pip, *pinned, *named, f"framebrush[gui] @ {wheel.as_uri()}")
    if versions == "lowest":
        check_lowest(installed(programs), direct(*LOWEST))
        check_lowest(resolved(direct(*CUDA)), direct(*CUDA))
    return programs


def direct(*extras: str) -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*project["dependencies"], *(wish for extra in extras for wish in project["optional-dependencies"][extra])]


def installed(programs: Path) -> dict[str, str]:
    """Return versions of an environment's packages by name."""
    code = "import importlib.metadata as m; print('\\n'.join(f'{d.name}=={d.version}' for d in m.distributions()))"
    return _pins(subprocess.run([str(programs / "python"), "-c", code], capture_output=True, text=True).stdout)


def resolved(wishes: list[str]) -> dict[str, str]:
    """Resolve the lowest versions of packages. Raises SetupError."""
    command = [str(UV), "pip", "compile", "--quiet", "--resolution", "lowest-direct", "--python", sys.executable, "-"]
    done = subprocess.run(command, input="\n".join(wishes), capture_output=True, text=True)
    if done.returncode:
        raise SetupError(
            f"the lowest versions cannot be resolved: {done.stderr.strip()}; raise what pyproject.toml asks for"
        )
    return _pins(done.stdout)


def _pins(lines: str) -> dict[str, str]:
    pins = (line.partition("==") for line in lines.splitlines() if "==" in line)
    return {_plain(name): version for name, _, version in pins}


def check_lowest(found: Mapping[str, str], wishes: list[str]) -> None:
    """Raise SetupError for packages newer than the lowest version required."""
    wrong = []
    for wish in wishes:
        lowest = re.match(r"([\w.-]+)(?:\[[^]]*\])?[>=]=([\d.]+)", wish)
        if lowest is None or _plain(lowest[1]) not in found:
            continue  # no lower bound, or for another system
        version = found[_plain(lowest[1])]
        if _numbers(version) != _numbers(lowest[2]):
            wrong.append(f"{lowest[1]} {version}, not {lowest[2]}")
    if wrong:
        raise SetupError(
            f"the lowest versions are not installed: {', '.join(wrong)}; raise what pyproject.toml asks for"
        )


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _numbers(version: str) -> list[int]:
    numbers = [int(number) for number in version.split(".") if number.isdecimal()]
    while numbers and not numbers[-1]:
        numbers.pop()
    return numbers


def try_installed(programs: Path, folder: Path) -> None:
    """Run a new user's first commands. Raises SetupError."""
    framebrush, painted = str(programs / "framebrush"), folder / "painted.mp4"
    for arguments in (["--version"], ["doctor"], ["transcode", str(CLIP), str(painted), "--device", "cpu"]):
        done = subprocess.run([framebrush, *arguments], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            raise SetupError(
                f"framebrush {' '.join(arguments)} ended with {done.returncode}: {done.stderr or done.stdout}"
            )
    read = "from framebrush.window.manual.pages import PAGES, text_of; print(sum(map(len, map(text_of, PAGES))))"
    done = subprocess.run([str(programs / "python"), "-c", read], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SetupError(f"the pages of docs cannot be read: {done.stderr}")
    count = "import av, sys; print(sum(1 for _ in av.open(sys.argv[1]).decode(video=0)))"
    frames = [
        subprocess.run([str(programs / "python"), "-c", count, str(video)], capture_output=True, text=True).stdout
        for video in (CLIP, painted)
    ]
    if frames[0] != frames[1] or not frames[0].strip():
        raise SetupError(f"the painted clip has {frames[1].strip()} frames, its source {frames[0].strip()}")


def try_clusters(programs: Path) -> None:
    """Test clusters with an environment's versions. Raises SetupError."""
    tests = [str(ROOT / "tests" / "app" / "jobs" / "test_cluster.py"), "-k", OF_CLUSTERS]
    command = [str(programs / "python"), "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise SetupError(f"clusters do not work with the lowest versions: {done.stdout[-4000:]}{done.stderr[-1000:]}")


def check_types(programs: Path, folder: Path) -> None:
    """Type-check the README's Python. Raises SetupError."""
    example = folder / "example.py"
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    example.write_text(
        "".join(re.findall(r"^```python\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)), encoding="utf-8"
    )
    kept = str(ROOT / ".mypy_cache" / "wheel")  # mypy looks files up by content, wherever the package is installed
    options = ["--strict", "--python-executable", str(programs / "python"), "--cache-dir", kept]
    command = [str(dev.SCRIPTS / "mypy"), "--config-file", "", *options, str(example)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SetupError(f"mypy does not accept the README's Python: {done.stdout or done.stderr}")


def try_wheel(versions: str) -> None:
    """Install the wheel outside the clone, and run the README's job."""
    with tempfile.TemporaryDirectory(prefix="framebrush-try-") as name:
        folder = Path(name)
        programs = install(wheel(cpu_kernels.this_system(), folder / "dist"), folder / "environment", versions)
        try_installed(programs, folder)
        check_types(programs, folder)
        if versions == "lowest" and not dev.WINDOWS:  # the tests use signals
            try_clusters(programs)
    say(f"the wheel works with the {versions} versions of what it needs")


def lock() -> None:
    """Pin all packages of each kind of installation, with hashes."""
    with tempfile.TemporaryDirectory() as name:
        pins = Path(name) / "pins.txt"
        pins.write_text("".join(f"{package}=={version}\n" for package, version in source_archives.pins().items()))
        for file, kind in LOCKS.items():
            lock_one(PACKAGING / file, kind, pins)


def lock_one(file: Path, kind: Lock, pins: Path) -> None:
    """Write one lock file. pins: versions with published sources."""
    extras = [part for extra in kind.extras for part in ("--extra", extra)]
    absent = [part for package in kind.absent for part in ("--no-emit-package", package)]
    uv(
        *("pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--generate-hashes", "--upgrade"),
        *("--no-header", "--no-emit-index-url", "--constraints", str(pins), *extras, *absent),
        *("--output-file", str(file), "pyproject.toml"),
    )
    head = f"# Made by `python tools/package.py lock` of framebrush[{','.join(kind.extras)}], {wishes()}.\n"
    file.write_text(head + file.read_text(encoding="utf-8").replace(str(pins), "sources.json"), encoding="utf-8")
    say(f"{file} is new")
    if "cuda" not in kind.extras:
        check_macs(file)


def check_macs(file: Path) -> None:
    """Check that Apple silicon has wheels for all packages of a lock file."""
    with tempfile.TemporaryDirectory() as name:
        system = ("--python-platform", "aarch64-apple-darwin", "--python-version", "3.11", "--only-binary", ":all:")
        locked = ("--require-hashes", "-r", str(file))
        uv("pip", "install", "--quiet", "--dry-run", "--target", name, *system, *locked, MACOSX_DEPLOYMENT_TARGET=MACOS)


def wishes() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [project[name] for name in ("requires-python", "dependencies", "optional-dependencies")]
    return hashlib.sha256(json.dumps([asked, source_archives.pins()], sort_keys=True).encode()).hexdigest()[:16]


def changes() -> str:
    """Return the changelog of this version. Raises SetupError."""
    version = re.escape(frozen.version())
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## \[{version}\][^\n]*\n(.*?)(?=^## \[|\Z)", text, re.DOTALL | re.MULTILINE)
    if not found or not found[1].strip():
        raise SetupError(f"CHANGELOG.md has no section for {frozen.version()}")
    return found[1].strip()


def check_tag(tag: str) -> None:
    """Raise SetupError unless a tag and the changelog name this version."""
    version = frozen.version()
    if tag != f"v{version}":
        raise SetupError(f"the tag is {tag} and pyproject.toml has {version}; a release is tagged v{version}")
    changes()


def notes() -> str:
    """Return the release notes, with the address of sources."""
    version = frozen.version()
    return f"""{changes()}

### Sources and licences

The sources of those parts of the installer, the portable zip and the archive for Linux that are under the GNU GPL or
the GNU LGPL are in `framebrush-{version}-sources.tar`, those of Framebrush itself in `framebrush-{version}.tar.gz`.
`LICENCES.txt` in each program lists every part. The archive for Linux as a whole is under the GNU GPL, version 3.
`SHA256SUMS` has the sums of all files.
"""


def sums() -> None:
    """Write SHA-256 sums of all files in dist/."""
    files = sorted(path for path in DIST.iterdir() if path.is_file() and path.name != "SHA256SUMS")
    if not files:
        raise SetupError(f"{DIST} holds nothing; build something first")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (DIST / "SHA256SUMS").write_text("".join(lines), encoding="utf-8", newline="\n")
    say(f"{DIST / 'SHA256SUMS'} has {len(lines)} lines")


def command_line() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("wheel", "sources", "lock", "notes", "sums"):
        commands.add_parser(name)
    commands.add_parser("tag").add_argument("tag")
    for name in ("windows", "linux"):
        made = commands.add_parser(name)
        made.add_argument("--try", action="store_true", dest="tried")
        made.add_argument("--url", default="https://example.invalid", help="where the files will be fetched from")
    commands.add_parser("try").add_argument("--versions", choices=VERSIONS, default="newest")
    return parser


def main(arguments: Sequence[str]) -> int:
    """Run a command line; return the exit status."""
    options = command_line().parse_args(arguments)
    try:
        dev.check_python(dev.VERSION)
        if options.command in ("wheel", "try", "lock", "windows", "linux"):  # the other commands need only Python
            dev.setup(dev.EXTRAS["test"])
        if options.command == "wheel":
            for system in SYSTEMS:
                wheel(system)
        elif options.command == "try":
            try_wheel(options.versions)
        elif options.command == "sources":
            source_archives.fetch(source_archives.listed(), DIST)
        elif options.command == "lock":
            lock()
        elif options.command == "tag":
            check_tag(options.tag)
        elif options.command == "notes":
            print(notes(), end="")
        elif options.command == "windows":
            setup = frozen.windows(UV, wheel("windows-x86_64"), DIST, options.url)
            if options.tried:
                frozen.try_windows(setup, DIST / "window.png")
        elif options.command == "linux":
            archive = frozen.linux(UV, wheel("linux-x86_64"), DIST)
            if options.tried:
                frozen.try_linux(archive)
        else:
            sums()
    except SetupError as problem:
        print(f"package: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
