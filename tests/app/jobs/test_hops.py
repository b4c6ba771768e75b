"""The way of a frame through a job, and of a job that needs no segments."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import av
import pytest

from assets.make_clips import CLIPS
from framebrush.gpu.cpu.slot import CpuSlot
from framebrush.gpu.device import open_device
from framebrush.gpu.frame import DeviceFrame, Frame
from framebrush.jobs.pipeline import OutputFrame
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener, Progress
from framebrush.jobs.workers.run import run_job
from framebrush.media.video import VideoFrame
from framebrush.styles.specs import StyleSpec
from tests.hops import Hops

pytestmark = pytest.mark.media

MOST_HOPS = 21
FIRST = 12
"""Frames before it make what is made once."""


def test_a_frame_takes_few_hops(tmp_path: Path) -> None:
    hops = Hops(Frame, DeviceFrame, VideoFrame, OutputFrame, CpuSlot, av.VideoFrame, av.Packet)

    def count(progress: Progress) -> None:
        hops.on = FIRST <= progress.frames < FIRST + 10

    spec = JobSpec(str(CLIPS / "cfr.mp4"), str(tmp_path / "o.mp4"), Recipe(StyleSpec("ink")))
    threading.setprofile(hops.see)
    hops.watch()
    try:
        with open_device("cpu") as device:
            run_job(spec, device, Listener(progress=count))
    finally:
        threading.setprofile(None)  # type: ignore[arg-type]
        sys.setprofile(None)
    assert 10 <= len(hops.found) <= MOST_HOPS, "\n".join(hops.found)
    assert not [hop for hop in hops.found if "segments" in hop]
