"""Jobs on several devices: output equal to one device's, even if a process dies at any time."""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from assets.make_clips import CLIPS
from framebrush.cli.command_line import run
from tests import networks
from tests.app.jobs import jobs
from tests.app.jobs.footage import leftovers

pytestmark = [pytest.mark.media, pytest.mark.skipif(sys.platform == "win32", reason="processes are watched by signals")]

KILLS = jobs.FULL or 2
TWO = ("--device", "cpu,cpu")


@pytest.mark.slow
def test_two_devices_make_the_file_of_one(film: Path, at_once: bytes, tmp_path: Path) -> None:
    command = jobs.command(film, tmp_path / "out.mp4", *TWO, "--progress", "json")
    done = subprocess.run(command, cwd=jobs.ROOT, capture_output=True, text=True, timeout=120, check=True)
    assert (tmp_path / "out.mp4").read_bytes() == at_once
    assert leftovers(tmp_path) == ["out.mp4"]
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["frame"] for line in lines] == sorted(line["frame"] for line in lines)
    assert (lines[-1]["frame"], lines[-1]["frames"]) == (jobs.FRAMES, jobs.FRAMES)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(KILLS))
def test_killed_at_a_random_moment(seed: int, film: Path, at_once: bytes, tmp_path: Path) -> None:
    dice, target = random.Random(seed), tmp_path / "out.mp4"
    child = jobs.start(film, target, *TWO)
    jobs.wait_for_segments(child, target, dice.randint(0, jobs.COUNT - 3))
    time.sleep(dice.uniform(0, 0.1))
    jobs.kill(child)
    whole = jobs.records(target)
    if not target.exists():
        said = jobs.finish(film, target, *TWO)
        assert not whole or f"resuming out.mp4: {jobs.segments_done(len(whole))}" in said
    assert target.read_bytes() == at_once
    assert leftovers(tmp_path) == ["out.mp4"]


def children_of(parent: subprocess.Popen[str]) -> list[psutil.Process]:
    """The two that paint, once both are there."""
    until = time.monotonic() + 60
    while True:
        assert time.monotonic() < until
        time.sleep(0.01)
        found = [
            one
            for one in psutil.Process(parent.pid).children(recursive=True)
            if "framebrush.jobs.workers.worker_child" in one.cmdline()
        ]
        if len(found) == 2:
            return found


@pytest.mark.slow
def test_a_process_that_crashes_is_started_anew(film: Path, at_once: bytes, tmp_path: Path) -> None:
    """Signal: SIGSEGV, for native code; `test_batch.py` sends SIGKILL."""
    target = tmp_path / "out.mp4"
    parent = jobs.start(film, target, *TWO)
    found = children_of(parent)
    jobs.wait_for_segments(parent, target, 1)
    found[0].send_signal(signal.SIGSEGV)
    _, errors = parent.communicate(timeout=120)
    assert parent.returncode == 0
    # A process that starts slowly may have none of them yet.
    where = r"before it (had painted frames \d+ to \d+|could begin)"
    assert re.search(f"the process of device cpu was ended by SIGSEGV.* {where}.*; restarting it", errors)
    assert target.read_bytes() == at_once


@pytest.mark.slow
def test_an_interrupt_of_every_process_is_one_sentence(film: Path, at_once: bytes, tmp_path: Path) -> None:
    """By its own number, as a supervisor may send it: at any moment, also while they load."""
    target = tmp_path / "out.mp4"
    parent = jobs.start(film, target, *TWO)
    found = [*children_of(parent), *psutil.Process(parent.pid).children(recursive=True), psutil.Process(parent.pid)]
    for process in found:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(signal.SIGINT)
    _, errors = parent.communicate(timeout=60)
    assert parent.returncode == 4
    assert "Traceback" not in errors
    assert errors.splitlines()[-1].startswith("framebrush: interrupted; ")
    jobs.finish(film, target, *TWO)
    assert target.read_bytes() == at_once


@pytest.mark.slow
def test_children_end_with_their_parent(film: Path, at_once: bytes, tmp_path: Path) -> None:
    target = tmp_path / "out.mp4"
    parent = jobs.start(film, target, *TWO)
    found = children_of(parent)
    parent.kill()
    parent.communicate()
    _, alive = psutil.wait_procs(found, timeout=60)
    assert alive == []
    jobs.finish(film, target, *TWO)
    assert target.read_bytes() == at_once
    assert leftovers(tmp_path) == ["out.mp4"]


@pytest.mark.slow
def test_a_device_that_is_not_there_is_said_and_the_other_goes_on(film: Path, at_once: bytes, tmp_path: Path) -> None:
    parent = jobs.start(film, tmp_path / "out.mp4", "--device", "cpu,nonesuch")
    (painting,) = [one for one in children_of(parent) if one.cmdline()[-1] == "cpu"]
    painting.suspend()  # it may have painted all before the other has started
    assert parent.stderr is not None
    assert any("device nonesuch is lost (" in line for line in parent.stderr)
    painting.resume()
    parent.communicate(timeout=120)
    assert (tmp_path / "out.mp4").read_bytes() == at_once


@pytest.mark.slow
def test_where_no_device_is_left(film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["transcode", str(film), str(tmp_path / "out.mp4"), "--segments", "20", "--style", "none"]
    assert run([*arguments, "--device", "nonesuch,neither"]) == 1
    said = capsys.readouterr().err
    assert "device" in said
    assert "nonesuch" in said or "neither" in said
    assert run([*arguments, "--device", "cpu,"]) == 1
    assert "a name is missing" in capsys.readouterr().err
    assert leftovers(tmp_path) == []


@pytest.mark.slow
def test_pictures_begin_anew_on_several_devices_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["transcode", str(CLIPS / "cfr.mp4"), str(tmp_path / "%d.png"), "--style", "none", "--frames=2"]
    assert run([*arguments, "--device=cpu"]) == 0
    (tmp_path / "1.png").write_bytes(b"")
    assert run([*arguments, "--device=cpu,cpu"]) == 1
    assert "exists already" in capsys.readouterr().err
    assert run([*arguments, "--device=cpu,cpu", "--restart"]) == 0
    assert (tmp_path / "1.png").stat().st_size


def test_what_cannot_be_cut_is_painted_by_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A device that is missing is reported all the same."""
    arguments = ["transcode", str(CLIPS / "cfr.mp4"), "--style", "none", "--preset", "ultrafast", "--device"]
    assert run([*arguments, "nonesuch,cpu", str(tmp_path / "out.mp4")]) == 0
    said = capsys.readouterr().err.splitlines()
    assert len([line for line in said if line.startswith("video: ")]) == 1
    assert any("too short for several devices" in line for line in said)
    assert any(line.startswith("device nonesuch is lost (there is no device 'nonesuch'") for line in said)
    assert run([*arguments, "nonesuch,neither", str(tmp_path / "no.mp4")]) == 1
    assert leftovers(tmp_path) == ["out.mp4"]


@pytest.mark.slow
def test_what_is_to_be_said_of_a_style_and_of_tiles_is_said_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "net.onnx").write_bytes(networks.instance_norm().model)
    style = ["--style", str(tmp_path / "net.onnx"), "--tile=64", "--segments=15"]
    assert run(["transcode", str(CLIPS / "cfr.mp4"), str(tmp_path / "out.mkv"), *style, "--device=cpu,cpu"]) == 0
    said = capsys.readouterr().err.splitlines()
    assert len([line for line in said if line.startswith("read as input")]) == 1
    assert len([line for line in said if "so tiles change its look" in line]) == 1
