"""The whole program on WebGPU: a film with all that belongs to a painting, and a device that goes away on the way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
import pytest

from assets.make_clips import CLIPS
from framebrush.cli.command_line import run
from framebrush.gpu.device import open_device
from framebrush.gpu.stylizer import Ticket
from framebrush.jobs.transcode import Listener, Status
from framebrush.media.writing.output_plan import OutputOptions
from tests.app import crashing
from tests.app.jobs import jobs
from tests.app.jobs.footage import job, leftovers, shown, transcode
from tests.gpu.webgpu.harness import INSTALLED, needs_vulkan

if INSTALLED:
    from framebrush.gpu.webgpu.stylizer import WebGpuStylizer

pytestmark = [pytest.mark.media, needs_vulkan]

FAST = OutputOptions(codec="h264", crf=16, preset="ultrafast")


def pictures(path: Path) -> list[npt.NDArray[np.int16]]:
    with av.open(str(path)) as container:
        return [frame.to_ndarray().astype(np.int16) for frame in container.decode(video=0)]


@pytest.mark.slow
def test_a_film_is_painted_as_on_the_processor(tmp_path: Path) -> None:
    """Strokes, relief, steadying and detail of an everyday command."""
    film = ["lavfi:testsrc2=size=96x64:rate=5:duration=0.8", "--style", "starry-night", "--detail", "0.5"]
    for device in ("webgpu", "cpu"):
        target = str(tmp_path / f"{device}.mkv")
        assert run(["transcode", *film[:1], target, *film[1:], "--device", device, "--codec", "ffv1"]) == 0
    ours, theirs = (pictures(tmp_path / f"{device}.mkv") for device in ("webgpu", "cpu"))
    assert len(ours) == len(theirs) == 4
    for one, other in zip(ours, theirs, strict=True):
        apart = np.abs(one - other)
        assert np.quantile(apart, 0.98) <= 2  # where a stroke ends, the least difference shows another one
        assert apart.mean() < 0.5
    assert np.abs(ours[0] - ours[-1]).mean() > 2  # and something moves


@pytest.mark.slow
def test_a_lost_device_is_replaced_and_no_frame_is_lost(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It goes before the sixth frame is brought to it, with three in flight."""
    brought, bring = 0, WebGpuStylizer.submit

    def bring_and_lose(self: WebGpuStylizer, *frame: Any, **options: Any) -> Ticket:  # noqa: ANN401
        nonlocal brought
        brought += 1
        if brought == 6:
            device.context.native.device.destroy()
        return bring(self, *frame, **options)

    monkeypatch.setattr(WebGpuStylizer, "submit", bring_and_lose)
    told: list[str] = []
    source, target = CLIPS / "cfr.mp4", tmp_path / "out.mp4"
    with open_device("webgpu") as device:
        work = job(source, target, device, options=FAST, another_device=lambda: open_device("webgpu"))
        outcome = transcode(work, Listener(told.append))
    assert (outcome.status, outcome.lost) == (Status.DONE, 0)
    numbers, _ = shown(target)
    assert numbers == list(range(len(numbers)))
    assert brought > len(numbers) > 6
    assert any("the GPU was lost" in line and "continuing on" in line for line in told)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_device_that_is_lost_while_commands_are_handed_to_it_leaves_a_job_that_goes_on_on_the_processor(
    film: Path, tmp_path: Path
) -> None:
    """wgpu itself ends the process there: nothing in it could go on."""
    patches, made = tmp_path / "patches", tmp_path / "made"
    patches.mkdir()
    made.mkdir()
    target = made / "out.mp4"
    command = jobs.command(film, target, "--device", "webgpu")
    lost = crashing.environment(patches, "Native.submit", 100, by="a lost GPU")
    done = subprocess.run(command, cwd=jobs.ROOT, env=lost, capture_output=True, encoding="utf-8", timeout=240)
    kept = len(jobs.records(target))
    assert 0 < kept < jobs.COUNT
    assert done.returncode == 1
    assert "wgpuQueueSubmit" in done.stderr  # it is there that it died
    *_, last = done.stderr.splitlines()
    assert last.startswith(f"framebrush: the process that painted {film} was ended by SIGABRT")
    assert last.endswith(f"{kept} of {jobs.COUNT} segments are kept; run the same command again to resume")
    assert leftovers(made) == ["out.mp4.framebrush"]
    said = jobs.finish(film, target, "--device", "cpu")
    assert jobs.segments_done(kept) in said
    assert list(jobs.numbers(target)) == list(range(jobs.FRAMES))
