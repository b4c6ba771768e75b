"""No network connection, and no files beyond output, window settings and compiled code, by the system's log."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from assets.make_clips import CLIPS

ROOT = Path(__file__).parents[2]
CALLS = "trace=socket,connect,sendto,sendmsg,open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat"
WINDOW = """
import sys
from PySide6.QtCore import QTimer
from framebrush.window import application, run
show = application.MainWindow.show
application.MainWindow.show = lambda self: (show(self), QTimer.singleShot(2500, self.close))
sys.exit(run(sys.argv[1]))
"""

# devices, memory, and the cache of fonts, which the first program that root runs on a fresh machine fills
SYSTEM = ("/dev/", "/proc/", "/memfd", "/var/cache/fontconfig/")

required = os.environ.get("FRAMEBRUSH_REQUIRE_STRACE") == "1"
pytestmark = [
    pytest.mark.media,
    pytest.mark.skipif(
        sys.platform != "linux" or (shutil.which("strace") is None and not required), reason="needs strace"
    ),
]


def traced(home: Path, command: list[str]) -> list[str]:
    """Return the system calls of a command and its children, run in a new home folder."""
    home.mkdir()
    log = home.parent / "strace.log"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORT_"))}
    environment |= {"HOME": str(home), "QT_QPA_PLATFORM": "offscreen", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        ["strace", "-f", "--seccomp-bpf", "-qq", "-s", "4096", "-e", CALLS, "-o", str(log), sys.executable, *command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    if "PTRACE" in done.stderr and not required:
        pytest.skip("tracing is forbidden here")
    assert done.returncode == 0, done.stderr
    lines = log.read_text(errors="replace").splitlines()
    assert any("openat" in line for line in lines)
    return lines


def connections(lines: list[str]) -> list[str]:
    return [line for line in lines if re.search(r"AF_INET6?\b", line)]


def capturing(lines: list[str]) -> list[str]:
    """Cameras and microphones that were opened or looked for."""
    return [line for line in lines if re.search(r'"/dev/(video|snd/pcm\w+c")', line)]


def written(lines: list[str]) -> set[Path]:
    """Return the paths made, opened for writing or renamed to, except the system's."""
    paths = set()
    for line in lines:
        if " = -1 " in line:
            continue
        making = re.search(r"O_WRONLY|O_RDWR|O_CREAT", line) or re.search(
            r"\b(creat|mkdir|mkdirat|rename\w*|link\w*)\(", line
        )
        names = re.findall(r'"([^"]*)"', line)
        if making and names and not names[-1].startswith(SYSTEM):
            paths.add(Path(names[-1]))
    return paths


@pytest.mark.slow
def test_a_transcode_talks_to_nobody_and_writes_its_output_alone(tmp_path: Path) -> None:
    target = tmp_path / "out" / "painted.mp4"
    target.parent.mkdir()
    options = ["--frames", "3", "--preset", "ultrafast", "--device", "cpu", "--progress", "none"]
    command = ["-m", "framebrush", "transcode", str(CLIPS / "extras.mp4"), str(target), *options]
    lines = traced(tmp_path / "home", command)
    assert connections(lines) == []
    assert capturing(lines) == []
    paths = written(lines)
    assert paths
    assert {path.parent for path in paths} == {target.parent}
    assert [path.name for path in target.parent.iterdir()] == ["painted.mp4"]
    assert list((tmp_path / "home").iterdir()) == []


@pytest.mark.slow
def test_the_window_talks_to_nobody_and_writes_settings_and_pictures_of_films_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    lines = traced(home, ["-c", WINDOW, str(CLIPS / "cfr.mp4")])
    assert connections(lines) == []
    assert capturing(lines) == []
    pictures = [home / ".cache" / "framebrush" / name for name in ("renders", "recent")]
    folders = {home / ".local", home / ".config", *pictures}
    paths = written(lines) - {home / ".cache", home / ".cache" / "framebrush"}  # on the way
    strangers = [path for path in paths if not any(path == folder or folder in path.parents for folder in folders)]
    assert strangers == []
    left = [path for path in home.rglob("*") if path.is_file()]
    others = [*pictures, home / ".config" / "pulse"]  # that of the sound server's library, where there is one
    left = [path for path in left if not any(folder in path.parents for folder in others)]
    assert left
    assert all("Framebrush" in path.parts for path in left)


@pytest.mark.slow
def test_a_live_source_opens_no_camera_and_a_camera_is_opened_alone(tmp_path: Path) -> None:
    command = ["-m", "framebrush", "transcode", "live:testsrc2=size=64x48:rate=50+sine", str(tmp_path / "out.mp4")]
    lines = traced(tmp_path / "home", [*command, "--frames", "5", "--device", "cpu", "--progress", "none"])
    assert connections(lines) == []
    assert capturing(lines) == []
    code = """
from framebrush.media.sources.frame_source import open_frame_source
from framebrush.media.video import InputError
try:
    open_frame_source("camera:/dev/video7+microphone")
except InputError:
    pass
"""
    lines = traced(tmp_path / "other", ["-c", code])
    assert connections(lines) == []
    assert {re.search(r'"(/dev/[^"]+)"', line)[1] for line in capturing(lines)} == {"/dev/video7"}


def test_telemetry_is_off_before_anything_can_load_the_runtime() -> None:
    code = "import framebrush.base.text, os; print(os.environ['ORT_DISABLE_TELEMETRY'])"
    environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == "1"
