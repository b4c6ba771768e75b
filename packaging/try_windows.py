"""Install, use and uninstall the program, on Windows or in the rig, and check for leftovers.

    python try_windows.py SETUP.exe CLIP PICTURE.png VERSION [--full-disk FOLDER] [--before SCRIPT]

PICTURE.png: screenshot of the desktop with the window. FOLDER: on a disk too small for the program. SCRIPT: run
first, by this Python without its site packages. Uses only the standard library. Ends with 1 and the first failure.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import winreg
import zlib
from collections.abc import Callable
from ctypes import wintypes
from pathlib import Path

UNINSTALL = r"Software\Microsoft\Windows\CurrentVersion\Uninstall\Framebrush"
FOLDER = Path(os.environ["LOCALAPPDATA"]) / "Programs" / "Framebrush"
IN_RIG = os.environ.get("WINRIG") == "1"
PATIENCE_S = 240
WM_CLOSE = 0x10


def check(holds: object, otherwise: str) -> None:
    if not holds:
        sys.exit(f"FAILED: {otherwise}")


def wait(until: Callable[[], object], what: str) -> float:
    """Wait for a condition, and return the seconds."""
    begin = time.monotonic()
    while not until():
        check(time.monotonic() - begin < PATIENCE_S, f"waited in vain for {what}")
        time.sleep(0.02)
    return time.monotonic() - begin


def value(key: str, name: str) -> object:
    """Return a value under HKEY_CURRENT_USER, or None."""
    try:
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as opened:
            return winreg.QueryValueEx(opened, name)[0]
    except OSError:
        return None


def is_offered(ending: str) -> bool:
    """Return whether "Open with" offers the program."""
    try:
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, rf"Software\Classes\{ending}\OpenWithProgids") as opened:
            winreg.QueryValueEx(opened, "Framebrush.Video")
    except OSError:
        return False
    return True


def has_key(key: str) -> bool:
    try:
        winreg.OpenKey(winreg.HKEY_CURRENT_USER, key).Close()
    except OSError:
        return False
    return True


def ran(*command: str | Path) -> subprocess.CompletedProcess[str]:
    parts = [str(part) for part in command]
    how = {"encoding": "utf-8", "errors": "replace"}
    return subprocess.run(parts, capture_output=True, timeout=PATIENCE_S, **how)


def file_version(program: Path) -> str:
    library = ctypes.WinDLL("version.dll")
    size = library.GetFileVersionInfoSizeW(str(program), None)
    block = ctypes.create_string_buffer(size)
    check(size and library.GetFileVersionInfoW(str(program), 0, size, block), f"{program} has no properties")
    pointer, length = ctypes.c_void_p(), wintypes.UINT()
    library.VerQueryValueW(block, "\\", ctypes.byref(pointer), ctypes.byref(length))
    high, low = struct.unpack_from("<2I", ctypes.string_at(pointer, length.value), 8)
    return f"{high >> 16}.{high & 0xFFFF}.{low >> 16}"


def processor_s(window: int) -> float:
    """Return the processor seconds of a window's process."""
    times = [wintypes.FILETIME() for _ in range(4)]  # created, ended, kernel, user; in units of 100 ns
    owner, kernel = wintypes.DWORD(), ctypes.WinDLL("kernel32.dll")
    ctypes.WinDLL("user32.dll").GetWindowThreadProcessId(window, ctypes.byref(owner))
    handle = ctypes.c_void_p(kernel.OpenProcess(0x1000, False, owner))  # PROCESS_QUERY_LIMITED_INFORMATION
    kernel.GetProcessTimes(handle, *map(ctypes.byref, times))
    kernel.CloseHandle(handle)
    return sum((time.dwHighDateTime << 32) + time.dwLowDateTime for time in times[2:]) / 1e7


def windows() -> list[int]:
    """Return the program's visible windows, which a child process owns."""
    found: list[int] = []
    user = ctypes.WinDLL("user32.dll")

    def look(handle: int, _: int) -> bool:
        title, box = ctypes.create_unicode_buffer(300), wintypes.RECT()
        user.GetWindowTextW(handle, title, len(title))
        user.GetWindowRect(handle, ctypes.byref(box))
        wide = box.right - box.left > 300
        if wide and user.IsWindowVisible(handle) and title.value.endswith("Framebrush"):
            found.append(handle)
        return True

    user.EnumWindows(ctypes.WINFUNCTYPE(wintypes.BOOL, wintypes.HWND, wintypes.LPARAM)(look), 0)
    return found


def photograph(target: Path) -> None:
    user, gdi = ctypes.WinDLL("user32.dll"), ctypes.WinDLL("gdi32.dll")
    for function in (user.GetDC, gdi.CreateCompatibleDC, gdi.CreateCompatibleBitmap, gdi.SelectObject):
        function.restype, function.argtypes = ctypes.c_void_p, None
    width, height = user.GetSystemMetrics(0), user.GetSystemMetrics(1)
    screen = ctypes.c_void_p(user.GetDC(None))
    memory = ctypes.c_void_p(gdi.CreateCompatibleDC(screen))
    bitmap = ctypes.c_void_p(gdi.CreateCompatibleBitmap(screen, width, height))
    gdi.SelectObject(memory, bitmap)
    gdi.BitBlt(memory, 0, 0, width, height, screen, 0, 0, 0x00CC0020)  # SRCCOPY
    head = struct.pack("<IiiHHIIiiII", 40, width, -height, 1, 32, 0, 0, 0, 0, 0, 0)
    pixels = ctypes.create_string_buffer(4 * width * height)
    gdi.GetDIBits(memory, bitmap, 0, height, pixels, ctypes.create_string_buffer(head, 44), 0)
    rows = bytearray()
    for row in range(height):
        line = pixels.raw[4 * width * row : 4 * width * (row + 1)]
        rgb = bytearray(3 * width)
        rgb[0::3], rgb[1::3], rgb[2::3] = line[2::4], line[1::4], line[0::4]
        rows += b"\0" + rgb

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows), 6)) + chunk(b"IEND", b"")
    target.write_bytes(b"\x89PNG\r\n\x1a\n" + parts)


def refuses(setup: Path, full_disk: Path | None) -> None:
    """Check refusals on an old Windows (only in the rig) and a full disk."""
    if IN_RIG:
        ran("winecfg", "/v", "win7")
        check(ran(setup, "/S").returncode == 4, "an old Windows is not refused")
        ran("winecfg", "/v", "win10")
        check(not FOLDER.exists(), "something was installed on an old Windows")
    if full_disk is not None:
        target = full_disk / "Framebrush"
        check(ran(setup, "/S", f"/D={target}").returncode == 3, "a full disk is not refused")
        check(not target.exists() and not has_key(UNINSTALL), "something was installed on a full disk")


def install(setup: Path, version: str) -> None:
    """Install silently, with the command line on the PATH."""
    begin = time.monotonic()
    check(ran(setup, "/S", "/PATH=1").returncode == 0, "the installation failed")
    print(f"installed in {time.monotonic() - begin:.1f} s", flush=True)
    check(value(UNINSTALL, "DisplayVersion") == version, "the version is not registered")
    check(str(value("Environment", "Path")).split(";").count(str(FOLDER)) == 1, "the PATH is wrong")
    check(menu_entry().is_file(), "there is no entry in the start menu")
    check(value(r"Software\Classes\.framebrush", "") == "Framebrush.Project", "projects have no association")
    for kind in ("Video", "Project"):
        command = value(rf"Software\Classes\Framebrush.{kind}\shell\open\command", "")
        check(command == f'"{FOLDER}\\framebrush-gui.exe" "%1"', f"the file association {kind} is wrong")
    check(is_offered(".mkv"), "there is no Open with for .mkv")
    for name in ("framebrush.exe", "framebrush-gui.exe"):
        check(file_version(FOLDER / name) == version, f"{name} has the version {file_version(FOLDER / name)}")
    check((FOLDER / "LICENCES.txt").stat().st_size > 100_000, "the licences are missing")


def menu_entry() -> Path:
    return Path(os.environ["APPDATA"]) / "Microsoft" / "Windows" / "Start Menu" / "Programs" / "Framebrush.lnk"


def use(version: str, clip: Path, folder: Path) -> None:
    program = FOLDER / "framebrush.exe"
    check(ran(program, "--version").stdout.strip() == f"framebrush {version}", "--version is wrong")
    looked = ran(program, "doctor", "--json")
    check(looked.returncode == 0, f"doctor: {looked.stdout}{looked.stderr}")
    report = json.loads(looked.stdout)
    found = {one["name"]: one for one in report["checks"]}
    print(f"encoders: {found['encoders']['says']}\nself-test: {found['self-test']['says']}", flush=True)
    check(report["bundled"], "doctor does not know of the bundle")
    check(any(one["kind"] == "d3d12" and "problem" not in one for one in found["self-test"]["details"]), looked.stdout)
    check("libx26" not in found["encoders"]["says"], "x264 or x265 is in the folder")
    check(os.environ["USERNAME"] not in looked.stdout.replace("FRAMEBRUSH", ""), "doctor names the person")

    painted = folder / "painted.mp4"
    done = ran(program, "transcode", clip, painted, "--device", "d3d12", "--frames", "8", "--progress", "json")
    check(done.returncode == 0 and json.loads(done.stdout.splitlines()[-1])["frame"] == 8, f"transcode: {done.stderr}")
    check(ran(program, "frame", painted, folder / "still.png", "--at", "7f").returncode == 0, "no 8th frame")
    foreign = folder / "foreign.onnx"
    shutil.copy(FOLDER / "_internal" / "framebrush" / "models" / "library" / "ink.onnx", foreign)
    done = ran(program, "frame", clip, folder / "foreign.png", "--style", foreign)
    check(done.returncode == 0, f"a file of somebody else's: {done.stderr}")
    job = {"version": 1, "source": str(clip), "target": str(folder / "export.mp4"), "style": {"name": "none"}}
    job |= {"device": "cpu", "range": {"frames": 3}}
    module = ["-P", "-m", "framebrush.window.exports.export_worker"]
    command = [str(FOLDER / "framebrush-gui.exe"), *module]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, encoding="utf-8", **pipes) as process:
        process.stdin.write(json.dumps(job) + "\n")  # end of input would mean "cancel"
        process.stdin.flush()
        said = process.stdout.read()
        check(process.wait(PATIENCE_S) == 0, f"export: {process.returncode}, {said}{process.stderr.read()}")
    check('"frame": 3' in said and (folder / "export.mp4").stat().st_size, f"export: {said}")
    command = [str(FOLDER / "framebrush-gui.exe"), "-P", "-m", "framebrush.playback.ahead.ahead_worker", "5"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, **pipes) as process:
        process.stdin.write(b'{"rest": true}\n')
        process.stdin.flush()
        check(process.stdout.read(3) == b"{}\n", "nothing can be painted ahead")
        process.stdin.close()
        check(process.wait(PATIENCE_S) == 0, f"painting ahead ended with {process.returncode}")
    check("DirectML" in ran(program, "licences").stdout, "the licences are not printed")


def show(setup: Path, clip: Path, picture: Path) -> None:
    """Open the window, check its picture, and try to uninstall meanwhile."""
    program = FOLDER / "framebrush-gui.exe"
    for turn in ("first", "second"):
        with subprocess.Popen([str(program), str(clip)]) as process:
            took_s = wait(windows, "the window")
            busy_s = processor_s(windows()[0])
            print(f"the {turn} time, the window is there after {took_s:.2f} s, {busy_s:.2f} of them busy", flush=True)
            if turn == "second":
                time.sleep(12)
                photograph(picture)
                check(ran(setup, "/S").returncode == 2, "a running copy was overwritten")
                check(ran(FOLDER / "uninstall.exe", "/S", f"_?={FOLDER}").returncode == 2, "a running copy was removed")
                check((FOLDER / "LICENCES.txt").is_file(), "something of a running copy was removed")
            for handle in windows():
                ctypes.WinDLL("user32.dll").PostMessageW(handle, WM_CLOSE, 0, 0)
            check(process.wait(PATIENCE_S) == 0, f"the window ended with {process.returncode}")
    check(has_key(r"Software\Framebrush"), "the window kept no settings")


def upgrade(setup: Path) -> None:
    stale = FOLDER / "_internal" / "framebrush" / "models" / "library" / "ink.onnx"
    stale.unlink()
    check(ran(setup, "/S").returncode == 0, "the upgrade failed")
    check(stale.is_file(), "the upgrade did not write every file")
    check(has_key(r"Software\Framebrush"), "the upgrade took the settings")
    check(str(value("Environment", "Path")).split(";").count(str(FOLDER)) == 1, "the upgrade changed the PATH")


def uninstall(path_before: object) -> None:
    """Uninstall; only files and settings of the user stay."""
    lists, shaders = Path(os.environ["APPDATA"]) / "Framebrush", Path(os.environ["LOCALAPPDATA"]) / "framebrush"
    mine = [FOLDER / "mine.onnx", lists / "Framebrush" / "looks" / "mine.json"]
    mine[1].parent.mkdir(parents=True)
    for file in mine:
        file.write_bytes(b"mine")
    check(shaders.is_dir(), f"no shaders are kept in {shaders}")
    check(ran(FOLDER / "uninstall.exe", "/S").returncode == 0, "uninstalling failed")
    wait(lambda: not has_key(UNINSTALL) and not (FOLDER / "uninstall.exe").exists(), "the uninstaller")
    wait(lambda: [path.name for path in FOLDER.iterdir()] == ["mine.onnx"], "an empty folder")
    check(not menu_entry().exists(), "the start menu still has an entry")
    for key in (r"Software\Framebrush", *(rf"Software\Classes\Framebrush.{kind}" for kind in ("Video", "Project"))):
        check(not has_key(key), f"{key} is left")
    check(not is_offered(".mkv"), "Open with is left")
    check(value("Environment", "Path") == path_before, "the PATH is not as it was")
    left = [path for folder in (lists, shaders) for path in folder.rglob("*") if path.is_file()]
    check(left == mine[1:] and not shaders.exists(), f"{left} is left")
    shutil.rmtree(lists)
    shutil.rmtree(FOLDER)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("setup", type=Path)
    parser.add_argument("clip", type=Path)
    parser.add_argument("picture", type=Path)
    parser.add_argument("version")
    parser.add_argument("--full-disk", type=Path)
    parser.add_argument("--before", type=Path)
    options = parser.parse_args()
    if options.before is not None:
        check(subprocess.run([sys.executable, "-S", str(options.before)]).returncode == 0, f"{options.before} failed")
    path_before = value("Environment", "Path")
    refuses(options.setup, options.full_disk)
    install(options.setup, options.version)
    with tempfile.TemporaryDirectory() as folder:
        use(options.version, options.clip, Path(folder))
        show(options.setup, options.clip, options.picture)
    upgrade(options.setup)
    uninstall(path_before)
    print("the installer works, and leaves nothing", flush=True)


if __name__ == "__main__":
    main()
