"""Whatever asks a process to end, it does in one line, and leaves nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import av
import pytest

from assets.make_clips import CLIPS
from framebrush.media.reading.reader import Reader
from tests.app.jobs import jobs
from tests.app.jobs.footage import leftovers

pytestmark = [pytest.mark.media, pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")]

ROOT = Path(__file__).parents[3]
STUCK = """
import sys
from framebrush.base import signals
signals.install()
from framebrush.media.output_file import OutputFile, discard_unfinished
from pathlib import Path
signals.loaded(discard_unfinished)
file = OutputFile(Path(sys.argv[1]))
file.write(b"half")
print("ready", flush=True)
import ctypes
mutex = ctypes.create_string_buffer(64)
for _ in range(2):  # the second call never comes back, whatever signal arrives
    ctypes.CDLL(None).pthread_mutex_lock(mutex)
"""

DEAF = """
import sys, time
from pathlib import Path
from framebrush.base import signals
signals.install()
from framebrush.media.output_file import OutputFile, discard_unfinished
signals.loaded(discard_unfinished)
try:
    with OutputFile(Path(sys.argv[1])), signals.deferred(lambda: print("told", flush=True)):
        print("ready", flush=True)
        while True:
            time.sleep(0.01)
except KeyboardInterrupt:
    sys.exit(4)
"""

LATE = """
import os, signal, sys
from framebrush.media import output_file
deliver = output_file.OutputFile.deliver
def late(self, **options):
    path = deliver(self, **options)
    if path.suffix == ".mp4":
        print("delivered")
        os.kill(os.getpid(), signal.SIGINT)
    return path
output_file.OutputFile.deliver = late
from framebrush.__main__ import work
work()
"""

MUXING = """
import io, os, signal, sys
from pathlib import Path
from framebrush.base import signals
signals.install()
import av
import numpy as np
from framebrush.media.output_file import OutputFile, discard_unfinished
signals.loaded(discard_unfinished)

class Asking(io.FileIO):
    def write(self, data):
        os.kill(os.getpid(), signal.SIGINT)
        return super().write(data)

io.FileIO = Asking  # as the file takes it
try:
    with OutputFile(Path(sys.argv[1])) as file:
        with av.open(file, "w", format="nut") as container:
            stream = container.add_stream("ffv1", rate=25)
            stream.width, stream.height, stream.pix_fmt = 640, 360, "yuv420p"
            noise = np.random.default_rng(0).integers(0, 256, (540, 640), np.uint8)
            frame = av.VideoFrame.from_ndarray(noise, "yuv420p")
            while True:
                container.mux(stream.encode(frame))
except OSError:
    print(signals.end_requested(), flush=True)
    os._exit(4)
"""

LEAVING = """
import os, sys, time
from framebrush.__main__ import main

class Late:
    def __del__(self, write=os.write, sleep=time.sleep):
        write(1, b"leaving\\n")
        sleep(0.5)

sys.late = Late()  # goes with the modules, when Python has given up its own handlers
sys.argv = ["framebrush", "--version"]
main()
"""


def start(*command: str, ask: signal.Signals = signal.SIGINT) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        preexec_fn=lambda: signal.signal(ask, signal.SIG_DFL),  # a shell's background job starts with SIGINT ignored
    )


def ended(child: subprocess.Popen[str], ask: signal.Signals) -> tuple[int, str]:
    """Exit status and the last line on stderr, a minute later at most: on a busy machine, too."""
    child.send_signal(ask)
    _, errors = child.communicate(timeout=60)
    assert "Traceback" not in errors
    return child.returncode, (errors.splitlines() or [""])[-1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ask", "after_s"),
    [
        (signal.SIGINT, 0.0),
        (signal.SIGTERM, 0.0),
        (signal.SIGHUP, 0.1),
        (signal.SIGINT, 0.3),
        (signal.SIGTERM, 0.7),
        (signal.SIGHUP, 1.4),
        (signal.SIGINT, 1.4),
    ],
)
def test_at_any_time(tmp_path: Path, ask: signal.Signals, after_s: float) -> None:
    """From the entry point on: the libraries load for most of a second. All signals have one handler."""
    child = start(
        "-m",
        "framebrush",
        "transcode",
        str(CLIPS / "landscape.mp4"),
        str(tmp_path / "out.mp4"),
        "--device",
        "cpu",
        ask=ask,
    )
    jobs.at_work(child)
    time.sleep(after_s)
    assert ended(child, ask) == (4, "framebrush: interrupted; nothing was written")
    assert leftovers(tmp_path) == []


def test_within_a_callback_of_the_muxer(tmp_path: Path) -> None:
    """The library passes the request on; the thread that watches is not needed."""
    child = start("-c", MUXING, str(tmp_path / "out.nut"))
    words, errors = child.communicate(timeout=60)
    assert (child.returncode, words, errors) == (4, "True\n", "")
    assert leftovers(tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("segments", ["off", "10"])
def test_an_interruption_after_the_end_changes_nothing(segments: str, tmp_path: Path) -> None:
    command = ["transcode", str(CLIPS / "cfr.mp4"), str(tmp_path / "out.mp4"), "--style", "none", "--device", "cpu"]
    done = subprocess.run(
        [sys.executable, "-c", LATE, *command, "--segments", segments, "--progress", "none"],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": ""},
        capture_output=True,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "delivered\n"  # none of it stays in a buffer
    assert "interrupted" not in done.stderr
    assert leftovers(tmp_path) == ["out.mp4"]


@pytest.mark.slow
@pytest.mark.parametrize("ask", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_recording_ends_whole(tmp_path: Path, ask: signal.Signals) -> None:
    target = tmp_path / "out.mp4"
    command = ["transcode", "live:testsrc2=size=96x64:rate=25+sine", str(target), "--style", "none", "--device", "cpu"]
    child = start("-m", "framebrush", *command, "--progress", "json", ask=ask)
    assert child.stdout is not None
    while json.loads(child.stdout.readline())["frame"] < 20:
        pass
    status, line = ended(child, ask)
    assert (status, line.partition(":")[0]) == (0, str(target))
    assert leftovers(tmp_path) == ["out.mp4"]
    with Reader(target) as reader:
        assert len(list(reader)) >= 20
    with av.open(target) as written:
        assert [stream.type for stream in written.streams] == ["video", "audio"]


@pytest.mark.slow
def test_a_terminal_asks_once(tmp_path: Path) -> None:
    """Ctrl-C there reaches all processes of a command; a second request would interrupt the recording."""
    target = tmp_path / "out.mp4"
    command = ["transcode", "live:testsrc2=size=96x64:rate=25+sine", str(target), "--style", "none", "--device", "cpu"]
    import pty  # not on Windows

    child, terminal = pty.fork()
    if not child:
        os.chdir(ROOT)
        os.execv(sys.executable, [sys.executable, "-m", "framebrush", *command, "--progress", "json"])
    with open(terminal, "rb", buffering=0) as screen:  # noqa: PTH123 - a descriptor
        said = b""
        while b'"frame": 2' not in said:  # 2, or 20 and more
            said += screen.read(4096)
        os.write(terminal, b"\x03")
        with suppress(OSError):  # how the end of a terminal reads
            while more := screen.read(4096):
                said += more
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, said
    assert leftovers(tmp_path) == ["out.mp4"]


def test_a_second_request_interrupts_a_recording(tmp_path: Path) -> None:
    """The first one does not end the source here."""
    child = start("-c", DEAF, str(tmp_path / "out.mp4"))
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    child.send_signal(signal.SIGINT)
    assert child.stdout.readline() == "told\n"
    assert ended(child, signal.SIGINT)[0] == 4
    assert leftovers(tmp_path) == []


@pytest.mark.slow
def test_while_a_library_holds_the_main_thread(tmp_path: Path) -> None:
    """A call that never comes back, as the opening of a file on a share that is gone."""
    child = start("-c", STUCK, str(tmp_path / "out.mp4"))
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    assert len(leftovers(tmp_path)) == 1
    time.sleep(0.2)
    assert ended(child, signal.SIGTERM) == (4, "framebrush: interrupted; nothing was written")
    assert leftovers(tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("ask", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_request_after_the_end_changes_nothing(ask: signal.Signals) -> None:
    child = start("-c", LEAVING, ask=ask)
    assert child.stdout is not None
    while child.stdout.readline() != "leaving\n":
        assert child.poll() is None
    assert ended(child, ask) == (0, "")


def test_what_nohup_ignores_stays_ignored() -> None:
    code = (
        "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); from framebrush.base import signals; "
        "signals.install(); print(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["True"]


@pytest.mark.slow
@pytest.mark.parametrize("how", ["closed", "full", "broken"])
@pytest.mark.parametrize(("stream", "progress"), [("stdout", "json"), ("stderr", "bar")])
def test_nobody_listening_does_not_end_a_job(tmp_path: Path, stream: str, how: str, progress: str) -> None:
    """On the stream that the progress goes to; messages are on stderr."""
    number = {"stdout": 1, "stderr": 2}[stream]
    end: int | None = None
    if how == "full":
        end = os.open("/dev/full", os.O_WRONLY)
    elif how == "broken":
        reading, end = os.pipe()
        os.close(reading)
    command = ["-m", "framebrush", "transcode", str(CLIPS / "cfr.mp4"), str(tmp_path / "out.mp4"), "--device", "cpu"]
    done = subprocess.run(
        [sys.executable, *command, "--style", "none", "--preset", "ultrafast", "--progress", progress],
        cwd=ROOT,
        stdout=end if number == 1 and end is not None else subprocess.DEVNULL,
        stderr=end if number == 2 and end is not None else subprocess.DEVNULL,
        preexec_fn=(lambda: os.close(number)) if how == "closed" else None,
        timeout=60,
    )
    assert done.returncode == 0
    assert leftovers(tmp_path) == ["out.mp4"]


IN_AN_IMPORT = """
import os, signal, sys

class Asking:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Asking())
sys.argv = ["framebrush", "devices"]
from framebrush.__main__ import main
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["numpy.exceptions", "numpy.linalg._umath_linalg", "framebrush.gpu.device"])
def test_a_library_that_was_being_loaded_is_not_asked_again(name: str) -> None:
    """NumPy can be loaded once only: half of it is neither usable nor replaceable."""
    started = [sys.executable, "-c", IN_AN_IMPORT.format(name=name)]
    done = subprocess.run(started, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (4, "framebrush: interrupted; nothing was written\n")
