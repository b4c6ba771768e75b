"""Output, interruptions and privacy where Windows differs: open files, consoles, its own folders."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from framebrush.media.output_file import OutputFile, part_of
from framebrush.media.video import OutputError
from tests.app.jobs.footage import leftovers

pytestmark = pytest.mark.windows

ROOT = Path(__file__).parents[2]
HOLD = """
import sys, time
from pathlib import Path
from framebrush.base import signals
signals.install()
from framebrush.media.output_file import OutputFile, discard_unfinished
signals.loaded(discard_unfinished)
file = OutputFile(Path(sys.argv[1]))
file.write(b"half")
print("ready", flush=True)
try:
    time.sleep(60)
finally:
    file.discard()
"""


def holder(target: Path) -> subprocess.Popen[str]:
    """Another process that writes to a target."""
    group = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(target)], cwd=ROOT, stdout=subprocess.PIPE, text=True, creationflags=group
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    return child


def test_delivery(tmp_path: Path) -> None:
    target = tmp_path / "out.mp4"
    for content, overwrite in ((b"first", False), (b"second", True)):
        with OutputFile(target) as file:
            file.write(content)
            assert file.deliver(overwrite=overwrite) == target
        assert target.read_bytes() == content
    with OutputFile(target) as file:
        file.write(b"third")
        with pytest.raises(OutputError, match=r"the finished file is .*out\.1\.mp4"):
            file.deliver(overwrite=False)
    assert (tmp_path / "out.1.mp4").read_bytes() == b"third"
    assert leftovers(tmp_path) == ["out.1.mp4", "out.mp4"]


def test_one_job_a_target(tmp_path: Path) -> None:
    target = tmp_path / "out.mp4"
    child = holder(target)
    try:
        with pytest.raises(OutputError, match="another job writes to"):
            OutputFile(target)
    finally:
        child.kill()
        child.wait()
    assert leftovers(tmp_path) == [part_of(target).name]
    with OutputFile(target) as file:
        file.deliver(overwrite=False)
    assert leftovers(tmp_path) == ["out.mp4"]


def test_a_console_that_closes_leaves_nothing(tmp_path: Path) -> None:
    """The system calls the handler in a new thread, and ends the process afterwards."""
    closing = HOLD.replace(
        "try:", "import threading\nthreading.Thread(target=signals._console_handler, args=(2,)).start()\ntry:"
    )
    command = [sys.executable, "-c", closing, str(tmp_path / "out.mp4")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 4
    assert "framebrush: interrupted; nothing was written" in done.stderr
    assert leftovers(tmp_path) == []


RUNTIME = """
import numpy as np
from tests import networks  # imports the package, and with it what switches telemetry off
import onnxruntime
session = onnxruntime.InferenceSession(networks.identity().model, providers=["CPUExecutionProvider"])
session.run(None, {"frame": np.zeros((1, 3, 8, 8), np.float32)})
"""


def test_the_runtime_writes_no_traces_of_its_own(tmp_path: Path) -> None:
    """Where its telemetry is on, it keeps a device identifier and a queue of events in the user's folders."""
    folders = {name: str(tmp_path / name) for name in ("APPDATA", "LOCALAPPDATA", "USERPROFILE")}
    for folder in folders.values():
        Path(folder).mkdir()
    done = subprocess.run(
        [sys.executable, "-c", RUNTIME],
        cwd=ROOT,
        env={**os.environ, **folders},
        capture_output=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert [path for folder in folders.values() for path in Path(folder).rglob("*")] == []
