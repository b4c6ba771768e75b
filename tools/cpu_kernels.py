#!/usr/bin/env python3
"""Compile the CPU kernels, gpu/cpu/kernels/*.c, into one shared library.

    python tools/cpu_kernels.py                      for this system, if missing or stale
    python tools/cpu_kernels.py windows-x86_64       for another system, with zig from `pip install ziglang`

setup.py builds the first. Compiler: $CC, cc, gcc or clang; zig if there is none, for other systems, or with CC=zig.
The library needs no C library, so one Linux build runs on all distributions.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "gpu" / "cpu"
SOURCES, SHARED = FOLDER / "kernels", ROOT / "gpu" / "kernels"
KERNELS = ("corners", "hidden", "masks", "planes", "relief", "steady", "strokes", "subject", "table")
"""Files compiled once per processor level."""

LEVELS = {"x86_64": ("v2", "v3"), "aarch64": ("base",)}
"""Levels by machine type, named as x86-64's; `gpu/c_kernels.py` selects one."""

OPTIONS = ("-std=c11", "-O3", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off", "-fvisibility=hidden")
"""No -ffast-math: results must be bit-identical on all levels."""

PLATFORMS = {
    "linux-x86_64": "manylinux_2_17_x86_64",
    "linux-aarch64": "manylinux_2_17_aarch64",
    "macos-x86_64": "macosx_11_0_x86_64",
    "macos-aarch64": "macosx_11_0_arm64",
    "macos-universal": "macosx_11_0_universal2",
    "windows-x86_64": "win_amd64",
    "windows-aarch64": "win_arm64",
}
"""Wheel platform tags by system."""

ZIG_SYSTEMS = {"windows": "windows-gnu", "linux": "linux-gnu", "macos": "macos"}
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
UNIVERSAL = ("x86_64", "aarch64")
"""Machine types in the universal library for macOS."""


MAC_PAGE = 14
"""Alignment of parts of a universal file, as a power of two: Apple's page size."""


class BuildError(Exception):
    """Failed build of the kernels. The message gives cause and remedy."""


def this_system() -> str:
    """Return this system's name, such as linux-x86_64."""
    system = {"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux")
    machine = platform.machine().lower()
    return f"{system}-{MACHINES.get(machine, machine)}"


def library(system: str) -> Path:
    """Return the path of a system's library."""
    return FOLDER / ("framebrush_kernels.dll" if system.startswith("windows") else "libframebrush_kernels.so")


def system_compiler(system: str) -> list[str] | None:
    """Return an installed C compiler's command for a system, or None for zig."""
    named = shlex.split(os.environ.get("CC", ""))
    if system != this_system() or named == ["zig"]:
        return None
    found = named or [program for program in ("cc", "gcc", "clang") if shutil.which(program)][:1]
    return found or None


def needs_zig(system: str) -> bool:
    """Return whether a build for a system needs the package ziglang."""
    return system_compiler(system) is None


def compile_all(system: str, into: Path) -> None:
    """Compile and link one library. Raises BuildError."""
    if system not in PLATFORMS:
        raise BuildError(f"the CPU's kernels are compiled for {', '.join(PLATFORMS)}, not for {system}")
    name, _, machine = system.partition("-")
    compiler = system_compiler(system)
    with tempfile.TemporaryDirectory(prefix="framebrush-kernels-") as folder:
        made = Path(folder) / into.name
        if compiler is not None:
            _by_system(compiler, machine, Path(folder), made)
        elif machine == "universal":
            parts = [Path(folder) / one for one in UNIVERSAL]
            for part in parts:
                compile_all(f"{name}-{part.name}", part)
            made.write_bytes(joined([part.read_bytes() for part in parts]))
        else:
            _by_zig(system, machine, Path(folder), made)
        partial = into.with_suffix(".part")
        shutil.copyfile(made, partial)  # on the same disk, so that the rename is atomic
        partial.replace(into)


def _by_system(compiler: list[str], machine: str, folder: Path, made: Path) -> None:
    objects = _objects([*compiler, "-fPIC"], machine, "-march=x86-64-{}", folder)
    _run([*compiler, "-shared", "-s", *objects, "-o", str(made)])


def _by_zig(system: str, machine: str, folder: Path, made: Path) -> None:
    if importlib.util.find_spec("ziglang") is None:
        raise BuildError(f"compiling for {system} takes zig here; run: {sys.executable} -m pip install ziglang")
    target = ["-target", f"{machine}-{ZIG_SYSTEMS[system.partition('-')[0]]}"]
    zig = [sys.executable, "-m", "ziglang"]
    objects = _objects([*zig, "cc", "-g0", *target], machine, "-march=x86_64_{}", folder)
    # Unlike zig's cc, build-lib adds compiler runtime functions (memset), but no C library.
    options = ["-dynamic", "-fno-entry", "-fstrip", "-O", "ReleaseFast", "--name", "kernels", f"-femit-bin={made}"]
    _run([*zig, "build-lib", *target, *options, *objects], cwd=folder)


def joined(libraries: Sequence[bytes]) -> bytes:
    """Join Mach-O libraries of several processors into one."""
    alignment = 1 << MAC_PAGE
    made, entries = bytearray(alignment), []
    for library in libraries:
        entries.append(struct.pack(">iiIII", *struct.unpack_from("<ii", library, 4), len(made), len(library), MAC_PAGE))
        made += library + bytes(-len(library) % alignment)
    head = struct.pack(">II", 0xCAFEBABE, len(libraries)) + b"".join(entries)
    made[: len(head)] = head
    return bytes(made)


def _objects(compiler: list[str], machine: str, march: str, folder: Path) -> list[str]:
    units: list[tuple[str, list[str], str]] = [("level", [], "level")]
    for level in LEVELS[machine]:
        flags = [f"-DLEVEL={level}", *([march.format(level)] if machine == "x86_64" else [])]
        units += [(name, flags, f"{name}-{level}") for name in KERNELS]
    commands = [
        [*compiler, *OPTIONS, *flags, "-c", str(SOURCES / f"{source}.c"), "-o", str(folder / f"{name}.o")]
        for source, flags, name in units
    ]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        list(threads.map(_run, commands))
    return [str(folder / f"{name}.o") for _, _, name in units]


def _run(command: Sequence[str], cwd: Path | None = None) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        raise BuildError(f"{shlex.join(command)} ended with {done.returncode}: {done.stderr.strip()[-2000:]}")


def digest() -> str:
    """Return a digest of a library's sources and options."""
    files = [Path(__file__), *sorted(SOURCES.glob("*.[ch]")), *sorted(SHARED.glob("*.h"))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def build(system: str) -> None:
    """Compile a system's library unless up to date. Raises BuildError."""
    made = library(system)
    stamp = made.with_suffix(".stamp")
    wanted = f"{system} {digest()}"
    if not (made.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == wanted):
        compile_all(system, made)
        stamp.write_text(wanted, encoding="utf-8")


if __name__ == "__main__":
    try:
        build(sys.argv[1] if len(sys.argv) > 1 else this_system())
    except BuildError as problem:
        sys.exit(f"kernels: {problem}")
