"""An encoder does not outrank the rest of the machine."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

import pytest

from assets.make_clips import CLIPS
from framebrush.gpu.device import open_device
from framebrush.jobs.transcode import Listener, Progress
from framebrush.media.writing.output_plan import OutputOptions
from tests.app.jobs.footage import job, transcode
from tests.media.writing.writer_clips import working_encoders

pytestmark = [pytest.mark.media, pytest.mark.skipif(sys.platform != "linux", reason="only Linux has SCHED_FIFO")]


def policies() -> set[int]:
    """The scheduling policies of this process's threads."""
    found = set()
    for thread in Path("/proc/self/task").iterdir():
        with contextlib.suppress(ProcessLookupError):  # it has ended since
            found.add(os.sched_getscheduler(int(thread.name)))
    return found


def test_trying_the_encoders_leaves_the_scheduling_alone() -> None:
    assert "libsvtav1" in working_encoders()  # the one that does not, as root
    assert policies() == {os.SCHED_OTHER}


def test_encoding_av1_leaves_the_scheduling_alone(tmp_path: Path) -> None:
    seen: set[int] = set()

    def look(_: Progress) -> None:
        seen.update(policies())

    with open_device("cpu") as device:
        options = OutputOptions(codec="av1", preset="12")
        transcode(job(CLIPS / "cfr.mp4", tmp_path / "out.mp4", device, options=options), Listener(progress=look))
    assert seen == {os.SCHED_OTHER}
