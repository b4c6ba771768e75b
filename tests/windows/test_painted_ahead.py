"""Frames painted ahead on Direct3D 12: in another process, beside the device that shows, which reads nothing back."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from framebrush.gpu.device import open_device
from framebrush.jobs.pipeline import OutputFrame
from framebrush.jobs.transcode import Listener
from framebrush.jobs.workers.run import run_job
from framebrush.media.video import Position, VideoInfo
from framebrush.playback import events
from tests.inside import key_of, painter_of, renderer_of
from tests.windows.desk import CLIPS, Desk, wait

pytestmark = pytest.mark.windows


@pytest.fixture
def painted_ahead() -> bool:
    """This window does."""
    return True


def test_what_is_seen_is_what_an_export_has(desk: Desk) -> None:
    window = desk.window
    desk.open("cfr.mp4")
    spec = window.exporting.spec(str(CLIPS / "cfr.mp4"), str(window.settings.data_folder.parent / "out.mkv"))
    desk.do(lambda: window.player.use_style("ink"))
    renderer = renderer_of(window.player)
    wait(lambda: window.status.seen.text() == "As exported", "the frame of an export")
    wait(lambda: bool(window.transport.bar.accessibleDescription().endswith("100% painted ahead")), "all frames")
    desk.shows(0)
    window.player.seek(Position(Fraction(17), "frame"))
    desk.shows(17)
    assert [event for event in desk.told if isinstance(event, events.Shown)][-1].exported
    assert desk.painter.counters.readbacks == 0

    child = painter_of(renderer).child
    assert child is not None
    running = child._process
    assert sys.platform == "win32"
    handle = ctypes.c_void_p(int(running._handle))  # type: ignore[attr-defined]
    assert ctypes.windll.kernel32.GetPriorityClass(handle) == subprocess.BELOW_NORMAL_PRIORITY_CLASS

    kept = {painted.number: painted.frame for painted in renderer._cache.all(key_of(renderer))}
    spec = window.exporting.spec(spec.source, spec.target)
    exported = {}

    def keep(painted: OutputFrame, _: VideoInfo) -> None:
        exported[painted.number] = painted.host.planes[0].copy()

    with open_device("d3d12") as device:
        run_job(spec, device, Listener(frame=keep))
    assert len(kept) == len(exported) == 30
    for number, luma in exported.items():
        np.testing.assert_array_equal(kept[number].planes[0], luma)
