"""Messages of processes for drivers that crash or hang."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from framebrush.licences import notices_process
from framebrush.media.containers import CONTAINERS
from framebrush.media.encoding import encoder_worker
from framebrush.media.live import camera_list
from framebrush.media.video import OutputError

pytestmark = [pytest.mark.unit, pytest.mark.skipif(sys.platform == "win32", reason="programs of Unix")]

HANGS = "#!/bin/sh\nexec sleep 60\n"


@pytest.fixture
def hanging(tmp_path: Path) -> str:
    program = tmp_path / "python"
    program.write_text(HANGS)
    program.chmod(0o755)
    return str(program)


def encoder_problem() -> str:
    with pytest.raises(OutputError) as refused:
        encoder_worker.find_encoder.__wrapped__("av1", CONTAINERS[".mkv"], (320, 180), "yuv420p", False)
    return str(refused.value)


@pytest.mark.slow
def test_a_crash_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    crashed = "looking for cameras crashed in a driver; unplug cameras and look again"
    assert camera_list.find_devices() == camera_list.Devices(problem=crashed)
    crashed = "the encoders could not be tried: a driver ended the process; choose another codec"
    assert encoder_problem() == crashed
    assert "Framebrush" in notices_process.notices_from_process()  # without a process, then
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert camera_list.find_devices().problem.startswith("looking for cameras crashed")
    assert encoder_problem() == crashed


def test_a_driver_that_hangs_is_given_up(hanging: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", hanging)
    monkeypatch.setattr(camera_list, "LIMIT_S", 0.1)
    monkeypatch.setattr(encoder_worker, "PATIENCE_S", 0.1)
    hung = "a driver did not answer within 0.1 s; unplug cameras and look again"
    assert camera_list.find_devices() == camera_list.Devices(problem=hung)
    assert encoder_problem() == "an encoder did not answer within 0.1 s; choose another codec"


def test_an_encoder_is_found_for_its_container() -> None:
    find = encoder_worker.find_encoder.__wrapped__
    assert find("auto", CONTAINERS[".webm"], (320, 180), "yuv420p", False).codec in ("av1", "vp9")
    with pytest.raises(OutputError, match=r"WebM cannot hold H\.264 \(h264\); it holds"):
        find("h264", CONTAINERS[".webm"], (320, 180), "yuv420p", False)


def test_notices_come_from_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices_process, "notices", lambda: pytest.fail("computed here"))
    assert "Framebrush" in notices_process.notices_from_process()
