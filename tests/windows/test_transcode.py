"""The whole program on Direct3D 12: every kind of picture right in every frame, and a device that goes away on the
way."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from assets.make_clips import CLIPS, LIST, Clip
from framebrush.cli.command_line import run
from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.errors import DeviceError
from framebrush.jobs.transcode import Listener, Progress, Status
from framebrush.media.writing.output_plan import OutputOptions
from tests import networks
from tests.app.jobs.footage import job, leftovers, shown, transcode
from tests.windows.harness import remove

pytestmark = pytest.mark.windows

FAST = OutputOptions(codec="h264", crf=16, preset="ultrafast")
FAST_10 = OutputOptions(codec="hevc", crf=16, preset="ultrafast")


def picture_of(clip: Clip) -> tuple[object, ...]:
    """Return a clip's properties that reach the GPU; container and codec are the processor's."""
    return clip.pix_fmt, clip.size, clip.tags, clip.full_range, clip.rotation, clip.sample_aspect, clip.interlaced


NUMBERED = {picture_of(clip): clip for clip in LIST if not clip.landscape}.values()


def assert_whole(clip: Clip, target: Path) -> None:
    """Every frame once, in order, at its time."""
    numbers, times = shown(target)
    assert numbers == list(clip.shown)
    made = [(clip.times[number] - clip.times[clip.shown[0]]) * clip.time_base for number in clip.shown]
    tick = Fraction(1, 25) if clip.name.endswith(("ts", "avi", "264")) else Fraction(1, 1000)
    assert max(abs(time - expected) for time, expected in zip(times, made, strict=True)) < tick


@pytest.mark.parametrize("clip", NUMBERED, ids=lambda clip: clip.name)
def test_every_frame_once_in_order_at_its_time(clip: Clip, device: D3D12Device, tmp_path: Path) -> None:
    options = FAST_10 if "10" in clip.pix_fmt else FAST
    assert transcode(job(CLIPS / clip.name, tmp_path / "out.mp4", device, options=options)).status is Status.DONE
    assert_whole(clip, tmp_path / "out.mp4")


def test_with_a_network_of_somebody_else_from_the_command_line(tmp_path: Path) -> None:
    """Which another process reads, and takes seconds to in the rig."""
    style, target = tmp_path / "identity.onnx", tmp_path / "out.mp4"
    style.write_bytes(networks.identity().model)
    command = ["transcode", str(CLIPS / "cfr.mp4"), str(target), "--device", "d3d12", "--style", str(style)]
    options = ["--steady", "0", "--codec", "h264", "--crf", "16", "--preset", "ultrafast", "--progress", "none"]
    assert run([*command, *options]) == 0
    assert_whole(next(clip for clip in LIST if clip.name == "cfr.mp4"), target)


class Removal:
    """Take the device away after a number of frames."""

    def __init__(self, device: Device, after: int) -> None:
        self._device, self._after = device, after

    def __call__(self, progress: Progress) -> None:
        if progress.frames == self._after:
            assert isinstance(self._device, D3D12Device)
            remove(self._device)


def test_a_lost_device_is_replaced_and_no_frame_is_lost(tmp_path: Path) -> None:
    told: list[str] = []
    with open_device("d3d12") as device:
        work = job(
            CLIPS / "bframes.mp4",
            tmp_path / "out.mp4",
            device,
            options=FAST,
            another_device=lambda: open_device("d3d12"),
        )
        outcome = transcode(work, Listener(told.append, Removal(device, 5)))
    assert (outcome.status, outcome.lost) == (Status.DONE, 0)
    assert shown(tmp_path / "out.mp4")[0] == list(range(30))
    assert any("the device was removed" in line and "continuing on" in line for line in told)


def test_without_another_device_what_is_painted_is_kept(tmp_path: Path) -> None:
    def none_left() -> Device:
        raise DeviceError("no device is there")

    told: list[str] = []
    with open_device("d3d12") as device:
        work = job(CLIPS / "bframes.mp4", tmp_path / "out.mp4", device, options=FAST, another_device=none_left)
        outcome = transcode(work, Listener(told.append, Removal(device, 5)))
    numbers = shown(tmp_path / "out.mp4")[0]
    assert outcome.status is Status.LOSSES
    assert outcome.lost == 30 - len(numbers) > 0
    assert numbers == list(range(len(numbers)))
    assert len(numbers) >= 5
    assert any("are kept" in line for line in told)
    assert leftovers(tmp_path) == ["out.mp4"]
