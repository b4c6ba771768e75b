"""Whole files through Direct3D 12: every frame once, in order, and what is kept where the device is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.media.writer import OutputOptions
from app.transcode import Progress, Status, transcode
from assets.make_clips import CLIPS, LIST, Clip
from gpu.d3d12 import adapters
from gpu.d3d12 import device as d3d12
from gpu.d3d12.device import D3D12Device
from gpu.device import DeviceLost
from tests.app.footage import job, leftovers, shown
from tests.windows.removal import remove

pytestmark = [pytest.mark.windows, pytest.mark.media]

FAST = OutputOptions(codec="h264", crf=16, preset="ultrafast")
NUMBERED = [clip for clip in LIST if not clip.landscape]


@pytest.mark.parametrize("clip", NUMBERED, ids=lambda clip: clip.name)
def test_every_frame_once_in_order(clip: Clip, device: D3D12Device, tmp_path: Path) -> None:
    outcome = transcode(job(CLIPS / clip.name, tmp_path / "out.mkv", device, options=FAST))
    assert (outcome.status, outcome.lost, outcome.progress.frames) == (Status.DONE, 0, len(clip.shown))
    assert shown(tmp_path / "out.mkv")[0] == list(clip.shown)
    assert leftovers(tmp_path) == ["out.mkv"]


def test_tiles_keep_the_numbers(device: D3D12Device, tmp_path: Path) -> None:
    clip = next(clip for clip in LIST if clip.name == "cfr.mp4")
    transcode(job(CLIPS / clip.name, tmp_path / "out.mkv", device, options=FAST, tiling=48))
    assert shown(tmp_path / "out.mkv")[0] == list(clip.shown)


def test_what_was_painted_before_the_device_was_lost_is_kept(tmp_path: Path) -> None:
    clip = next(clip for clip in LIST if clip.name == "cfr.mp4")
    said: list[str] = []
    with d3d12.open(adapters.list_adapters()[0]) as device:

        def report(state: Progress) -> None:
            if state.frames == 5:
                remove(device)

        outcome = transcode(job(CLIPS / clip.name, tmp_path / "out.mkv", device, options=FAST), report, said.append)
    assert outcome.status is Status.LOSSES
    numbers = shown(tmp_path / "out.mkv")[0]
    assert 5 <= len(numbers) < len(clip.shown)
    assert numbers == list(clip.shown[: len(numbers)])
    assert any("the device was removed (DXGI_ERROR_" in line and "painted before are kept" in line for line in said)
    assert device.live_count == 0


def test_a_device_that_was_lost_before_the_first_frame_is_an_error(tmp_path: Path) -> None:
    with d3d12.open(adapters.list_adapters()[0]) as device:
        remove(device)
        with pytest.raises(DeviceLost, match="the device was removed"):
            transcode(job(CLIPS / "cfr.mp4", tmp_path / "out.mkv", device, options=FAST))
    assert leftovers(tmp_path) == []
