#!/usr/bin/env python3
"""Compile the CPU's kernels, gpu/cpu/kernels/*.c, into one shared library for this system, or for another one.

    python tools/kernels.py                      for this system, where it is missing or stale
    python tools/kernels.py windows-x86_64       for that system, by zig, which `pip install ziglang` brings

setup.py does the first when the package is built. The compiler is $CC, cc, gcc or clang; zig, where there is none, for
other systems, and with CC=zig. The library needs no C library: what one Linux compiles runs on all.
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
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "gpu" / "cpu"
SOURCES, SHARED = FOLDER / "kernels", ROOT / "gpu" / "kernels"
KERNELS = ("corners", "hidden", "masks", "relief", "steady", "strokes", "subject", "table")
"""Files that are compiled once for each level of processors."""

LEVELS = {"x86_64": ("v2", "v3"), "aarch64": ("base",)}
"""Levels of each kind of processor, as x86-64's are called; `gpu/cpu/native.py` chooses among them."""

OPTIONS = ("-std=c11", "-O3", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off", "-fvisibility=hidden")
"""No -ffast-math: the same bits on every level of a processor."""

PLATFORMS = {
    "linux-x86_64": "manylinux_2_17_x86_64",
    "linux-aarch64": "manylinux_2_17_aarch64",
    "macos-x86_64": "macosx_11_0_x86_64",
    "macos-aarch64": "macosx_11_0_arm64",
    "macos-universal": "macosx_11_0_universal2",
    "windows-x86_64": "win_amd64",
    "windows-aarch64": "win_arm64",
}
"""The systems, and what wheels call them."""

ZIG_SYSTEMS = {"windows": "windows-gnu", "linux": "linux-gnu", "macos": "macos"}
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
UNIVERSAL = ("x86_64", "aarch64")
"""What one library for every Mac holds."""


MAC_PAGE = 14
"""The power of two that parts of a universal file begin at multiples of: a page of Apple's processors."""


class BuildError(Exception):
    """The kernels cannot be compiled here; the message says why, and what to do."""


def this_system() -> str:
    """As the command line takes it, such as linux-x86_64."""
    system = {"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux")
    machine = platform.machine().lower()
    return f"{system}-{MACHINES.get(machine, machine)}"


def library(system: str) -> Path:
    """Where the library of a system lies: beside `gpu/cpu/native.py`, which loads it."""
    return FOLDER / ("framebrush_kernels.dll" if system.startswith("windows") else "libframebrush_kernels.so")


def system_compiler(system: str) -> list[str] | None:
    """The command of this machine's compiler of C for a system; None where zig is to be taken."""
    named = shlex.split(os.environ.get("CC", ""))
    if system != this_system() or named == ["zig"]:
        return None
    found = named or [program for program in ("cc", "gcc", "clang") if shutil.which(program)][:1]
    return found or None


def needs_zig(system: str) -> bool:
    """Whether a build for a system takes the package ziglang."""
    return system_compiler(system) is None


def compile_all(system: str, into: Path) -> None:
    """Compile and link everything into one library. Raises BuildError."""
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
        shutil.copyfile(made, partial)  # beside the one that is in use, and then in its place at once
        partial.replace(into)


def _by_system(compiler: list[str], machine: str, folder: Path, made: Path) -> None:
    objects = _objects([*compiler, "-fPIC"], machine, "-march=x86-64-{}", folder)
    _run([*compiler, "-shared", "-s", *objects, "-o", str(made)])


def _by_zig(system: str, machine: str, folder: Path, made: Path) -> None:
    if importlib.util.find_spec("ziglang") is None:
        raise BuildError(f"compiling for {system} takes zig here; run: {sys.executable} -m pip install ziglang")
    target = ["-target", f"{machine}-{ZIG_SYSTEMS[system.partition('-')[0]]}"]
    zig = [sys.executable, "-m", "ziglang"]
    objects = _objects([*zig, "cc", *target], machine, "-march=x86_64_{}", folder)
    # build-lib, unlike zig's cc, brings what the compiler calls by itself (memset), and no C library.
    options = ["-dynamic", "-fno-entry", "-fstrip", "-O", "ReleaseFast", "--name", "kernels", f"-femit-bin={made}"]
    _run([*zig, "build-lib", *target, *options, *objects], cwd=folder)


def joined(libraries: Sequence[bytes]) -> bytes:
    """One Mach-O file of several, each for another kind of processor: a Mac loads the part that is for its own."""
    alignment = 1 << MAC_PAGE
    made, entries = bytearray(alignment), []
    for library in libraries:
        entries.append(struct.pack(">iiIII", *struct.unpack_from("<ii", library, 4), len(made), len(library), MAC_PAGE))
        made += library + bytes(-len(library) % alignment)
    head = struct.pack(">II", 0xCAFEBABE, len(libraries)) + b"".join(entries)
    made[: len(head)] = head
    return bytes(made)


def _objects(compiler: list[str], machine: str, march: str, folder: Path) -> list[str]:
    """Compile each file, once for each level; the paths of the objects. march: the flag of a level of x86-64."""
    units: list[tuple[str, list[str], str]] = [("level", [], "level")]
    for level in LEVELS[machine]:
        flags = [f"-DLEVEL={level}", *([march.format(level)] if machine == "x86_64" else [])]
        units += [(name, flags, f"{name}-{level}") for name in KERNELS]
    for source, flags, name in units:
        _run([*compiler, *OPTIONS, *flags, "-c", str(SOURCES / f"{source}.c"), "-o", str(folder / f"{name}.o")])
    return [str(folder / f"{name}.o") for _, _, name in units]


def _run(command: Sequence[str], cwd: Path | None = None) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        raise BuildError(f"{shlex.join(command)} ended with {done.returncode}: {done.stderr.strip()[-2000:]}")


def digest() -> str:
    """Of all that a library is made from but the compiler."""
    files = [Path(__file__), *sorted(SOURCES.glob("*.[ch]")), *sorted(SHARED.glob("*.h"))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def build(system: str) -> None:
    """Compile the library of a system where it is missing or stale. Raises BuildError."""
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
