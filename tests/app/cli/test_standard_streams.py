"""Standard streams of the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from assets.make_clips import CLIPS
from framebrush.base.status import Status
from framebrush.cli.work import Lenient, open_standard_streams

pytestmark = pytest.mark.unit


def test_no_file_takes_the_number_of_a_missing_stream(tmp_path: Path) -> None:
    kept = os.dup(0)
    os.close(0)
    try:
        open_standard_streams()
        with (tmp_path / "file").open("wb") as file:
            number = file.fileno()
    finally:
        os.dup2(kept, 0)
        os.close(kept)
    assert number > 2


def test_words_arrive_at_a_flush() -> None:
    arrived = BytesIO()
    stream = Lenient(TextIOWrapper(arrived))
    stream.write("words")
    stream.flush()
    assert arrived.getvalue() == b"words"


def test_what_a_closed_pipe_does_not_take_is_dropped() -> None:
    """By children and libraries, too, and at the end of the process, which would fail else."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w", encoding="utf-8") as pipe:
        stream = Lenient(pipe)
        assert stream.write("words") == 5
        stream.flush()
        assert stream.write("more") == 4
        os.write(stream.fileno(), b"by others")


def test_a_missing_stream_takes_words() -> None:
    stream = Lenient(None)
    assert stream.write("words") == 5
    stream.flush()
    stream.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has this device")
@pytest.mark.parametrize(
    "command",
    [
        ["styles"],
        ["styles", "--json"],
        ["brushes"],
        ["brushes", "--json"],
        ["devices", "--json"],
        ["devices"],
        ["licences"],
        ["licences", "--sbom"],
        ["doctor", "--json"],
        ["--version"],
    ],
    ids=" ".join,
)
def test_a_listing_that_cannot_be_written_fails(command: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        failed = subprocess.run([sys.executable, "-m", "framebrush", *command], stdout=full, stderr=subprocess.PIPE)
    assert failed.returncode == Status.DISK_FULL
    says = failed.stderr.decode()
    assert "writing to standard output failed: the disk is full" in says
    assert "Traceback" not in says


@pytest.mark.parametrize("command", [["styles"], ["licences"]], ids=" ".join)
def test_a_listing_whose_reader_has_gone_is_silent(command: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = subprocess.run([sys.executable, "-m", "framebrush", *command], stdout=pipe, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (Status.DONE, b"")


@pytest.mark.media
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has this device")
def test_a_job_goes_on_without_listeners(tmp_path: Path) -> None:
    command = ["transcode", str(CLIPS / "cfr.mp4"), str(tmp_path / "out.mp4"), "--style", "none", "--frames", "3"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "framebrush", *command, "--progress", "json", "--json"], stdout=full, check=False
        )
    assert done.returncode == Status.DONE


STOPPING = """
import sys, time
from framebrush.cli.train import Stop
stop, until = Stop(listen=sys.argv[1] == "listen"), time.monotonic() + float(sys.argv[2])
try:
    while time.monotonic() < until:
        time.sleep(0.01)
        stop.check()
    print("went on")
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.mark.parametrize(
    ("mode", "lines", "says"),
    [("listen", "no\n cancel \n", "stopped"), ("listen", "no\n", "went on"), ("deaf", "cancel\n", "went on")],
)
def test_a_line_on_standard_input_stops_training(mode: str, lines: str, says: str) -> None:
    command = [sys.executable, "-c", STOPPING, mode, "30" if says == "stopped" else "0.3"]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == f"{says}\n"
