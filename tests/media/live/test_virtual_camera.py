"""Live painting to a virtual camera: a backend of pyvirtualcam's protocol replaces the missing driver.

`conftest.py` deselects this without pyvirtualcam.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import pytest
import pyvirtualcam
from pyvirtualcam.util import decode_fourcc

from framebrush.cli.command_line import run
from framebrush.gpu.device import open_device
from framebrush.gpu.frame import Frame
from framebrush.jobs import live_job
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Status
from framebrush.media.live.generated import DrawnCapture
from framebrush.media.live.live_sources import LiveSource
from framebrush.media.live.virtual_camera import VirtualCamera
from framebrush.media.video import InputError, OutputError
from framebrush.models.model_card import write_card
from framebrush.styles.specs import StyleSpec
from tests import networks

SOURCE = "live:testsrc2=size=64x48:rate=50:duration=0.5"


class Driver:
    """Backend as `pyvirtualcam.Backend` describes it; all cameras have the name "sink"."""

    opened: list[Driver]
    send_s = 0.0
    """How long it takes a picture."""

    fails_at: int | None = None

    def __init__(self, *, width: int, height: int, fps: float, fourcc: int, device: str | None, **_: object) -> None:
        if device not in (None, "sink"):
            raise RuntimeError("only the sink is here")
        self.shape, self.fps, self.kind = (height, width), fps, decode_fourcc(fourcc)
        self.pictures: list[npt.NDArray[np.uint8]] = []
        self.closed = 0
        type(self).opened.append(self)

    def send(self, frame: npt.NDArray[np.uint8]) -> None:
        if len(self.pictures) == self.fails_at:
            raise RuntimeError("no space left on the bus")
        self.pictures.append(frame.copy())
        time.sleep(self.send_s)

    def close(self) -> None:
        self.closed += 1

    def device(self) -> str:
        return "sink"

    def native_fourcc(self) -> int | None:
        return None


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Driver]]:
    """The only backend there is."""
    made = type("Sink", (Driver,), {"opened": []})
    monkeypatch.setattr(pyvirtualcam.camera, "BACKENDS", {"sink": made})
    yield made
    assert all(camera.closed == 1 for camera in made.opened), "a camera stayed open"


@pytest.mark.slow
def test_other_programs_get_what_is_painted(driver: type[Driver], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["live", SOURCE, "--style", "ink", "--size", "32x24", "--device", "cpu"]) == Status.DONE
    (camera,) = driver.opened
    assert (camera.kind, camera.shape, camera.fps) == ("NV12", (24, 32), 50.0)
    assert camera.pictures
    assert all(picture.shape == (24 * 32 * 3 // 2,) for picture in camera.pictures)
    said = capsys.readouterr().err
    assert "sink: 32x24; Ctrl+C ends it" in said
    assert f"sink: {len(camera.pictures)} frames" in said or len(camera.pictures) == 1


def test_its_colours_are_those_that_drivers_convert_to(driver: type[Driver]) -> None:
    """As BT.601 has red, in limited range."""
    source = "live:color=c=red:size=64x48:rate=25:duration=0.2"
    assert run(["live", source, "--to", "virtual:sink", "--style", "none", "--no-dither", "--device", "cpu"]) == 0
    picture = driver.opened[0].pictures[-1]
    assert np.unique(picture[: 64 * 48]).tolist() == [81]
    assert picture[64 * 48 :].reshape(-1, 2)[0].tolist() == [90, 240]


def test_a_camera_that_is_slower_than_the_source_gets_the_newest(driver: type[Driver]) -> None:
    driver.send_s = 0.1
    assert run(["live", SOURCE, "--style", "none", "--device", "cpu"]) == Status.DONE
    assert 1 <= len(driver.opened[0].pictures) <= 8  # of 25: in half a second, with one under way at each end


def test_keys_move_with_the_live_film(driver: type[Driver]) -> None:
    keys = ["--key", "exposure@0f=-4,hold", "--key", "exposure@1f=0"]
    assert run(["live", SOURCE, "--style", "none", *keys, "--device", "cpu"]) == Status.DONE
    first, *_, last = driver.opened[0].pictures
    assert first[: 64 * 48].mean() < last[: 64 * 48].mean() - 20


class Unplugged(DrawnCapture):
    """Capture that is lost after some frames."""

    left = 5

    def read(self) -> Frame | None:
        if not self.left:
            raise InputError("Cam was unplugged or stopped; plug it in and open it again")
        self.left -= 1
        return super().read()


def test_a_camera_that_is_lost_ends_it(driver: type[Driver], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        live_job, "open_job_source", lambda *_: LiveSource(Unplugged("lavfi:testsrc2=size=64x48:rate=50", "Cam"))
    )
    said: list[str] = []
    with open_device("cpu") as device:
        spec = JobSpec("camera:0", "virtual", Recipe(StyleSpec("none")))
        assert live_job.paint_live(spec, device, said.append) is Status.LOSSES
    assert any("was unplugged" in sentence for sentence in said)
    assert driver.opened[0].pictures


@pytest.mark.slow
def test_frames_that_are_not_finite_are_said_and_left_out(
    driver: type[Driver], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = networks.not_finite()
    model = onnx.load_from_string(made.model)
    write_card(model, replace(made.card, film="0" * 64))
    onnx.save(model, str(tmp_path / "nan.onnx"))
    source = "live:color=c=black:size=64x48:rate=50:duration=0.1"
    assert run(["live", source, "--style", str(tmp_path / "nan.onnx"), "--device", "cpu"]) == Status.DONE
    said = capsys.readouterr().err
    assert f"nan.onnx was learnt for another film, or {source} has changed since" in said
    assert re.search(r"^frame \d+: .* infinity", said, re.MULTILINE)
    assert "sink: 0 frames\n" in said
    assert not driver.opened[0].pictures


@pytest.mark.parametrize(("rate", "fps"), [(None, 30.0), (Fraction(24_000, 1001), 24_000 / 1001)])
def test_a_camera_has_the_rate_of_its_source_or_a_usual_one(
    rate: Fraction | None, fps: float, driver: type[Driver]
) -> None:
    with VirtualCamera((64, 48), rate) as camera:
        assert [plane.shape for plane in camera.frame.planes] == [(48, 64), (24, 32, 2)]
        camera.frame.planes[1][0, 0] = 7, 9
        camera.send()
    (opened,) = driver.opened
    assert opened.fps == fps
    assert opened.pictures[0][64 * 48 :][:2].tolist() == [7, 9]


def test_a_driver_that_fails_is_an_error_in_words(driver: type[Driver], capsys: pytest.CaptureFixture[str]) -> None:
    driver.fails_at = 1
    assert run(["live", SOURCE, "--style", "none", "--device", "cpu"]) == Status.USAGE
    assert "sink takes no more pictures (no space left on the bus); open it again" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "status", "reason"),
    [
        (["assets/clips/cfr.mp4"], Status.UNREADABLE, "cfr.mp4 is not live; give a camera, as in camera:0"),
        ([SOURCE, "--to", "out.mp4"], Status.USAGE, "'out.mp4' is no virtual camera; give virtual, or virtual:DEVICE"),
        ([SOURCE, "--to", "virtual:"], Status.USAGE, "'virtual:' is no virtual camera"),
        ([SOURCE, "--to", "virtual:/dev/none"], Status.USAGE, "the virtual camera /dev/none does not open (.*sink"),
        ([f"{SOURCE}+sine"], Status.UNREADABLE, "a virtual camera has no sound; leave the microphone out"),
        ([SOURCE, "--size", "33x25"], Status.USAGE, "has even sides, not 33x25; use --size 32x24"),
        ([SOURCE, "--size", "33x24"], Status.USAGE, "has even sides, not 33x24; use --size 32x24"),
        ([SOURCE, "--size", "32x25"], Status.USAGE, "has even sides, not 32x25; use --size 32x24"),
    ],
)
def test_what_cannot_be(
    arguments: list[str],
    status: Status,
    reason: str,
    driver: type[Driver],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["live", *arguments, "--style", "none", "--device", "cpu"]) == status
    begin, _, end = reason.partition(".*")
    said = capsys.readouterr().err
    assert begin in said
    assert end in said
    assert not driver.opened


def test_colours_of_a_film_that_is_still_to_come_are_refused(
    driver: type[Driver], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["live", SOURCE, "--style", "ink", "--palette", "film", "--device", "cpu"]) == Status.UNREADABLE
    assert "is live, so its colours are not known in advance; use --palette-from" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="the driver of Linux is asked for a device")
def test_without_a_driver_it_says_what_to_install() -> None:
    with pytest.raises(OutputError, match=r"/dev/none does not open \(.*\); load its driver .*modprobe v4l2loopback"):
        VirtualCamera((64, 48), None, "/dev/none")


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyvirtualcam", None)
    with pytest.raises(OutputError, match=r"needs pyvirtualcam .*pip install 'framebrush\[virtual-camera\]'"):
        VirtualCamera((64, 48), None)


ENDLESS = """
import pyvirtualcam
from tests.media.live.test_virtual_camera import Driver

class Sink(Driver):
    opened = []

    def send(self, frame):
        super().send(frame)
        print("sent", flush=True)

    def close(self):
        print("closed", flush=True)

pyvirtualcam.camera.BACKENDS.clear()
pyvirtualcam.camera.BACKENDS["sink"] = Sink
from framebrush.__main__ import work
work()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl-C to whole consoles")
def test_ctrl_c_ends_it_well() -> None:
    command = ["live", "live:testsrc2=size=64x48:rate=50", "--style", "none", "--device", "cpu"]
    process: subprocess.Popen[Any] = subprocess.Popen(
        [sys.executable, "-c", ENDLESS, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(3)] == ["sent\n"] * 3
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=60)
    finally:
        process.kill()
    assert out.endswith("closed\n")
    assert "interrupted" not in said
    assert "frames\n" in said
    assert process.returncode == Status.DONE
