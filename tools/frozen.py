"""The program as a folder that needs no Python, and what is made of it; used by tools/package.py."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tools import dev
from tools.dev import ROOT, Need, SetupError, require, say

PACKAGING = ROOT / "packaging"
LOCK = PACKAGING / "requirements.txt"
WINRIG = ROOT / "tools" / "winrig" / "winrig"

LINUX_NEEDS = [Need("binutils", lambda: shutil.which("objdump") is not None)]  # PyInstaller looks into libraries
MINGW = "gcc" if dev.WINDOWS else "x86_64-w64-mingw32-gcc"
WINDOWS_NEEDS = [
    Need("nsis", lambda: shutil.which("makensis") is not None),
    Need("gcc-mingw-w64-x86-64-win32", lambda: shutil.which(MINGW) is not None),
]

LEFT_OUT = {"libx264-*.dll": "X264", "libx265-*.dll": "X265"}
"""Libraries that the folder for Windows must not pass on (docs/licences.md), and what left_out.c calls
their doubles."""


def version() -> str:
    """The version in pyproject.toml."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def four_numbers() -> tuple[int, int, int, int]:
    """The version as Windows counts it."""
    numbers = [int(part) for part in version().split(".")[:3] if part.isdigit()]
    major, minor, patch = (*numbers, 0, 0, 0)[:3]
    return major, minor, patch, 0


def freeze(uv: Path, wheel: Path, work: Path, *, for_windows: bool) -> Path:
    """Freeze the wheel with what packaging/requirements.txt pins; the folder.

    work: made anew. For Windows on Linux in the rig, whose constraints take the place of the lock file.
    """
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    program = f"framebrush[gui] @ {wheel.as_uri()}"
    (work / "version.txt").write_text(version_resource(), encoding="utf-8")
    in_rig = for_windows and not dev.WINDOWS
    python = _python_in_rig(uv, program, work) if in_rig else _python_here(uv, program, work)
    arguments = ["--noconfirm", "--log-level", "ERROR", "--distpath", "dist", "--workpath", "work"]
    environment = {
        **os.environ,
        "FRAMEBRUSH_VERSION_FILE": str(work / "version.txt"),
        "SOURCE_DATE_EPOCH": "946684800",  # the same folder from the same sources
    }
    say("freezing")
    command = [*python, "-m", "PyInstaller", *arguments, "../../packaging/framebrush.spec"]
    done = subprocess.run(command, cwd=work, env=environment)
    if done.returncode:
        raise SetupError(f"PyInstaller ended with {done.returncode}")
    folder = work / "dist" / "framebrush"
    for name in ("LICENCES.txt", "framebrush.cdx.json"):
        (folder / "_internal" / name).rename(folder / name)
    if for_windows:
        leave_out(folder)
    return folder


def _python_here(uv: Path, program: str, work: Path) -> list[str]:
    """The command of a Python that has the program, what the lock file pins, and PyInstaller."""
    environment = work / "environment"
    python = str(environment / ("Scripts/python.exe" if dev.WINDOWS else "bin/python"))
    require([str(uv), "venv", "-q", "--python", str(dev.PYTHON), str(environment)], "no environment could be made")
    install = [str(uv), "pip", "install", "-q", "--python", python]
    require([*install, "--require-hashes", "-r", str(LOCK)], "the locked requirements could not be installed")
    require([*install, "--no-deps", program], "the wheel could not be installed")
    return [python]


def _python_in_rig(uv: Path, program: str, work: Path) -> list[str]:
    """The same of the rig's Python, with what loads on Wine, as the packages of its user: PyInstaller keeps the folders
    of packages as they are."""
    require([str(WINRIG), "make"], "the Windows rig could not be built")
    site = work / "python" / "Python311" / "site-packages"
    windows = ["--python-platform", "x86_64-pc-windows-msvc", "--python-version", "3.11", "--only-binary", ":all:"]
    constraints = ["--constraints", str(ROOT / "tools" / "winrig" / "constraints.txt")]
    install = [str(uv), "pip", "install", "-q", "--target", str(site), *windows, *constraints]
    require([*install, program, "pyinstaller"], "the Windows wheels could not be installed")
    names = {"PYTHONUSERBASE": work / "python", "FRAMEBRUSH_VERSION_FILE": work / "version.txt"}
    environment = [part for name, path in names.items() for part in ("-e", f"{name}=Z:{path}")]
    return [str(WINRIG), "run", "-t", "1500", "-b", str(PACKAGING), *environment, "python", "-u"]


def version_resource() -> str:
    """What the properties of the programs show, as PyInstaller reads it."""
    strings = {
        "CompanyName": "The Framebrush authors",
        "FileDescription": "Framebrush",
        "FileVersion": version(),
        "LegalCopyright": "The Framebrush authors; the licences of what is bundled lie beside the program",
        "ProductName": "Framebrush",
        "ProductVersion": version(),
    }
    numbers = four_numbers()
    table = ", ".join(f"StringStruct({name!r}, {text!r})" for name, text in strings.items())
    return (
        f"VSVersionInfo(ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}), kids=["
        f"StringFileInfo([StringTable('040904B0', [{table}])]), VarFileInfo([VarStruct('Translation', [1033, 1200])])])"
    )


def leave_out(folder: Path) -> None:
    """Put doubles in the place of the libraries that may not be passed on. Raises SetupError."""
    compile_library = [MINGW, "-O1", "-shared", "-nostdlib", "-s", "-e", "DllMain"]
    for pattern, name in LEFT_OUT.items():
        found = list(folder.rglob(pattern))
        if not found:
            raise SetupError(f"no {pattern} in {folder}: has PyAV changed what it bundles?")
        for library in found:
            library.unlink()
            require(
                [*compile_library, f"-D{name}", str(PACKAGING / "left_out.c"), "-o", str(library)],
                f"no double of {library.name} could be made",
            )


def files_below(folder: Path) -> Iterator[Path]:
    """Every file, as a path within the folder, in order."""
    yield from sorted(path.relative_to(folder) for path in folder.rglob("*") if not path.is_dir())


def removal_list(folder: Path) -> str:
    """NSIS code that deletes what the folder holds, files first, then folders from the inside out."""
    windows = [str(path).replace("/", "\\") for path in files_below(folder)]
    folders = sorted(
        (str(path.relative_to(folder)).replace("/", "\\") for path in folder.rglob("*") if path.is_dir()), reverse=True
    )
    lines = [f'Delete "$INSTDIR\\{name}"' for name in windows] + [f'RMDir "$INSTDIR\\{name}"' for name in folders]
    return "\n".join(lines) + "\n"


def windows(uv: Path, wheel: Path, dist: Path) -> Path:
    """Make the installer, the portable zip and winget's manifest; the path of the installer."""
    if not dev.WINDOWS and (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        raise SetupError("the program for Windows is frozen on Windows, or on Linux on x86_64 in the rig")
    dev.provide(WINDOWS_NEEDS)
    folder = freeze(uv, wheel, ROOT / "build" / "windows", for_windows=True)
    name = f"framebrush-{version()}-windows-x64"
    zip_folder(folder, dist / f"{name}-portable.zip")
    files = folder.parent / "files.nsh"
    files.write_text(removal_list(folder), encoding="utf-8")
    setup = dist / f"{name}-setup.exe"
    pack(folder, files, setup)
    say(f"{setup.name} has {setup.stat().st_size >> 20} MB")
    return setup


def pack(folder: Path, files: Path, setup: Path) -> None:
    """Make the installer of a folder. files: `removal_list` of it."""
    size_kb = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) // 1024
    definitions = {
        "VERSION": version(),
        "VERSION4": ".".join(map(str, four_numbers())),
        "FOLDER": folder,
        "OUTPUT": setup,
        "SIZE_KB": size_kb,
        "LICENCE": PACKAGING / "windows-licence.txt",
        "FILES": files,
    }
    defined = [f"-D{key}={value}" for key, value in definitions.items()]
    say(f"packing {size_kb // 1024} MB")
    require(
        ["makensis", "-V2", "-INPUTCHARSET", "UTF8", *defined, str(PACKAGING / "installer.nsi")],
        "the installer could not be packed",
    )


def zip_folder(folder: Path, archive: Path) -> None:
    """Pack a folder, with its name, in an order and with times that are always the same."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in files_below(folder):
            entry = zipfile.ZipInfo(f"{folder.name}/{path.as_posix()}", (2000, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            packed.writestr(entry, (folder / path).read_bytes())
