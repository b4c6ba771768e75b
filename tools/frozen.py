"""Frozen programs, their installers and archives; used by tools/package.py."""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tools import dev
from tools.dev import ROOT, Need, SetupError, require, say

PACKAGING = ROOT / "packaging"
LOCK = PACKAGING / "requirements.txt"
WINRIG = ROOT / "tools" / "winrig" / "winrig"

LINUX_NEEDS = [
    Need("binutils", lambda: shutil.which("objdump") is not None),  # PyInstaller reads libraries' imports with it
    Need("gcc", lambda: shutil.which("gcc") is not None),
]
MINGW = "gcc" if dev.WINDOWS else "x86_64-w64-mingw32-gcc"
WINDOWS_NEEDS = [
    Need("nsis", lambda: shutil.which("makensis") is not None),
    Need("gcc-mingw-w64-x86-64-win32", lambda: shutil.which(MINGW) is not None),
]

LEFT_OUT = {
    "win32": {"libx264-*.dll": "X264", "libx265-*.dll": "X265"},
    "linux": {"libjack.so*": "JACK"},
}
"""Libraries that must not be distributed (docs/licences.md), and the macro of left_out.c for each stub."""


def version() -> str:
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def four_numbers() -> tuple[int, int, int, int]:
    """Return the version as Windows' four numbers."""
    numbers = [int(part) for part in version().split(".")[:3] if part.isdigit()]
    major, minor, patch = (*numbers, 0, 0, 0)[:3]
    return major, minor, patch, 0


def freeze(uv: Path, wheel: Path, work: Path, *, for_windows: bool) -> Path:
    """Freeze the wheel with its pinned packages, and return the folder.

    work: recreated. On Linux, a build for Windows runs in the rig, with its constraints instead.
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
        "SOURCE_DATE_EPOCH": "946684800",  # reproducible output
    }
    say("freezing")
    command = [*python, "-m", "PyInstaller", *arguments, "../../packaging/framebrush.spec"]
    done = subprocess.run(command, cwd=work, env=environment)
    if done.returncode:
        raise SetupError(f"PyInstaller ended with {done.returncode}")
    folder = work / "dist" / "framebrush"
    for name in ("LICENCES.txt", "framebrush.cdx.json"):
        (folder / "_internal" / name).rename(folder / name)
    leave_out(folder, "win32" if for_windows else "linux")
    return folder


def _python_here(uv: Path, program: str, work: Path) -> list[str]:
    environment = work / "environment"
    python = str(environment / ("Scripts/python.exe" if dev.WINDOWS else "bin/python"))
    require([str(uv), "venv", "-q", "--python", str(dev.PYTHON), str(environment)], "no environment could be made")
    install = [str(uv), "pip", "install", "-q", "--python", python]
    require([*install, "--require-hashes", "-r", str(LOCK)], "the locked requirements could not be installed")
    require([*install, "--no-deps", program], "the wheel could not be installed")
    return [python]


def _python_in_rig(uv: Path, program: str, work: Path) -> list[str]:
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
    strings = {
        "CompanyName": "The Framebrush authors",
        "FileDescription": "Framebrush",
        "FileVersion": version(),
        "LegalCopyright": "The Framebrush authors; the licences of what is bundled are beside the program",
        "ProductName": "Framebrush",
        "ProductVersion": version(),
    }
    numbers = four_numbers()
    table = ", ".join(f"StringStruct({name!r}, {text!r})" for name, text in strings.items())
    return (
        f"VSVersionInfo(ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}), kids=["
        f"StringFileInfo([StringTable('040904B0', [{table}])]), VarFileInfo([VarStruct('Translation', [1033, 1200])])])"
    )


def leave_out(folder: Path, system: str) -> None:
    """Replace non-distributable libraries with stubs. Raises SetupError."""
    compiler = [MINGW, "-e", "DllMain"] if system == "win32" else ["gcc"]
    for pattern, name in LEFT_OUT[system].items():
        found = list(folder.rglob(pattern))
        if not found:
            raise SetupError(f"no {pattern} in {folder}: has a package changed what it bundles?")
        for library in found:
            library.unlink()
            command = [*compiler, "-O1", "-shared", "-nostdlib", "-s", f"-D{name}", str(PACKAGING / "left_out.c")]
            require([*command, "-o", str(library)], f"no stub of {library.name} could be made")


def files_below(folder: Path) -> Iterator[Path]:
    """Yield every file, relative to the folder, sorted."""
    yield from sorted(path.relative_to(folder) for path in folder.rglob("*") if not path.is_dir())


def removal_list(folder: Path) -> str:
    """Return NSIS code that deletes a folder's content."""
    windows = [str(path).replace("/", "\\") for path in files_below(folder)]
    folders = sorted(
        (str(path.relative_to(folder)).replace("/", "\\") for path in folder.rglob("*") if path.is_dir()), reverse=True
    )
    lines = [f'Delete "$INSTDIR\\{name}"' for name in windows] + [f'RMDir "$INSTDIR\\{name}"' for name in folders]
    return "\n".join(lines) + "\n"


def windows(uv: Path, wheel: Path, dist: Path, url: str) -> Path:
    """Build installer, portable zip and winget manifest; return the installer's path.

    url: of the folder for downloads.
    """
    if not dev.WINDOWS and (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        raise SetupError("the program for Windows is frozen on Windows, or on Linux on x86_64 in the rig")
    dev.provide(WINDOWS_NEEDS)
    folder = freeze(uv, wheel, ROOT / "build" / "windows", for_windows=True)
    name = f"framebrush-{version()}-windows-x64"
    sign(*folder.glob("*.exe"))
    shutil.copy(folder / "framebrush.cdx.json", dist / f"{name}.cdx.json")
    zip_folder(folder, dist / f"{name}-portable.zip")
    files = folder.parent / "files.nsh"
    files.write_text(removal_list(folder), encoding="utf-8")
    setup = dist / f"{name}-setup.exe"
    pack(folder, files, setup)
    sign(setup)
    winget_manifest(setup, url, dist / "winget")
    say(f"{setup.name} has {setup.stat().st_size >> 20} MB")
    return setup


def sign(*programs: Path) -> None:
    """Sign programs with the command in FRAMEBRUSH_SIGN, if set."""
    if command := os.environ.get("FRAMEBRUSH_SIGN"):
        for program in programs:
            require([*shlex.split(command), str(program)], f"{program.name} could not be signed")


def winget_manifest(setup: Path, url: str, folder: Path) -> None:
    """Fill in packaging/winget, for submission to winget."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    digest = hashlib.sha256(setup.read_bytes()).hexdigest().upper()
    values = {"VERSION": version(), "URL": f"{url.rstrip('/')}/{setup.name}", "SHA256": digest}
    for template in sorted((PACKAGING / "winget").iterdir()):
        text = template.read_text(encoding="utf-8")
        for name, value in values.items():
            text = text.replace(f"@{name}@", value)
        (folder / template.name).write_text(text, encoding="utf-8", newline="\n")


def pack(folder: Path, files: Path, setup: Path) -> None:
    """Build an installer from a folder. files: its `removal_list`."""
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
    defined = [f"-D{key}={value}" for key, value in definitions.items()] + ["-DWINDOWS_NSIS"] * dev.WINDOWS
    say(f"packing {size_kb // 1024} MB")
    require(
        ["makensis", "-V2", "-INPUTCHARSET", "UTF8", *defined, str(PACKAGING / "installer.nsi")],
        "the installer could not be packed",
    )


def try_windows(setup: Path, picture: Path) -> None:
    """Install, use and uninstall in Windows or the rig. picture: path for a screenshot."""
    script, clip = PACKAGING / "try_windows.py", ROOT / "assets" / "clips" / "cfr.mp4"
    if dev.WINDOWS:
        require([str(dev.PYTHON), *map(str, (script, setup, clip, picture)), version()], "the installer failed")
        return
    small = ROOT / "build" / "small"
    small.mkdir(parents=True, exist_ok=True)
    require(["mount", "-t", "tmpfs", "-o", "size=20m", "framebrush", str(small)], "no small disk could be made")
    try:
        paths = [f"Z:{path}" for path in (script, setup, clip, picture)]
        rig_only = ["--before", f"Z:{WINRIG.parent / 'other_programs.py'}", "--full-disk", f"Z:{small}"]
        run = [str(WINRIG), "run", "-t", "1500", "-b", str(small), "python", "-S", "-u"]
        require([*run, *paths, version(), *rig_only], "the installer failed")
    finally:
        subprocess.run(["umount", str(small)])


def linux(uv: Path, wheel: Path, dist: Path) -> Path:
    """Build the Linux archive and return its path."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        raise SetupError("the archive for Linux is made on Linux on x86_64")
    dev.provide([*LINUX_NEEDS, *dev.WINDOW_NEEDS, *dev.X11_NEEDS])
    folder = freeze(uv, wheel, ROOT / "build" / "linux", for_windows=False)
    for name in ("framebrush.desktop", "framebrush-mime.xml", "framebrush.png", "linux-licence.txt"):
        shutil.copy(PACKAGING / name, folder)
    archive = dist / f"framebrush-{version()}-linux-x86_64.tar.gz"
    shutil.copy(folder / "framebrush.cdx.json", dist / f"framebrush-{version()}-linux-x86_64.cdx.json")
    with tarfile.open(archive, "w:gz", compresslevel=6) as packed:
        packed.add(folder, arcname=f"framebrush-{version()}", filter=_anonymous)
    say(f"{archive.name} has {archive.stat().st_size >> 20} MB")
    return archive


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    return member


def try_linux(archive: Path) -> None:
    """Run the archive in a bare Debian without Python. Needs root."""
    is_root = sys.platform == "linux" and os.geteuid() == 0
    if not is_root:
        raise SetupError("trying the archive makes a bare Debian, which needs root")
    keys = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
    has_program = Need("debootstrap", lambda: shutil.which("debootstrap") is not None)
    dev.provide([has_program, Need("debian-archive-keyring", keys.exists)])
    bare = ROOT / "build" / "bare"
    if not (bare / "etc" / "debian_version").exists():
        say("making a bare Debian")
        require(["debootstrap", "--variant=minbase", "bookworm", str(bare)], "no bare Debian could be made")
    home = bare / "try"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    shutil.copy(ROOT / "assets" / "clips" / "landscape.mp4", home / "clip.mp4")
    with tarfile.open(archive) as packed:
        packed.extractall(home, filter="tar")
    program = f"/try/framebrush-{version()}/framebrush"
    script = f"""set -eu; cd /try; export HOME=/try
        ! command -v python3
        [ "$({program} --version)" = "framebrush {version()}" ]
        {program} doctor
        {program} transcode clip.mp4 painted.mp4 --frames 10
        cp framebrush-{version()}/_internal/framebrush/models/library/ink.onnx foreign.onnx
        {program} frame painted.mp4 still.png --at 9f --style foreign.onnx
        {program} licences | grep -q x264
        if ! /sbin/ldconfig -p | grep -q libGL.so.1; then
            wanted=$({program}-gui 2>&1 | sed -n "s/.*Debian.*apt install //p")
            apt-get install -y -qq --no-install-recommends $wanted >/dev/null 2>&1
        fi
        ! command -v python3
        QT_QPA_PLATFORM=offscreen timeout 10 {program}-gui clip.mp4 || [ $? = 124 ]"""
    mounted = f'mount -t proc proc {bare}/proc; mount --rbind /dev {bare}/dev; exec chroot {bare} /bin/sh -c "$1"'
    require(
        ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-euc", mounted, "try", script],
        "the archive does not work in a bare Debian",
    )
    say("the archive works in a bare Debian")


def zip_folder(folder: Path, archive: Path) -> None:
    """Zip a folder reproducibly: fixed order and times."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in files_below(folder):
            entry = zipfile.ZipInfo(f"{folder.name}/{path.as_posix()}", (2000, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            packed.writestr(entry, (folder / path).read_bytes())
