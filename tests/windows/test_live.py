"""A live source on Direct3D 12: shown without a readback, recorded with one a frame."""

from __future__ import annotations

from pathlib import Path

import pytest

from framebrush.media.reading.reader import Reader
from framebrush.playback import events
from tests.windows.desk import Desk, wait

pytestmark = pytest.mark.windows

SOURCE = "live:smptebars=size=96x64:rate=25+sine"


def test_it_is_shown_from_the_swap_chain_and_what_is_recorded_is_read_back(desk: Desk, tmp_path: Path) -> None:
    desk.window.opening.open(SOURCE)
    wait(lambda: desk.count(events.Statistics) >= 4, "figures")
    figures = [event for event in desk.told if isinstance(event, events.Statistics)][-1]
    assert figures.latency_ms is not None
    assert figures.readbacks_per_frame == 0
    desk.window.player.play(False)
    desk.settle()
    assert desk.painter.counters.readbacks == 0
    assert desk.picture.max() > 150
    target = tmp_path / "out.mp4"
    desk.window.player.record(target)
    desk.window.player.play(True)
    wait(lambda: any(isinstance(event, events.Recording) and event.seconds > 1 for event in desk.told), "a recording")
    desk.window.player.record(None)
    wait(lambda: any("Recorded as" in getattr(event, "text", "") for event in desk.told), "the file")
    desk.window.player.play(False)
    desk.settle()
    with Reader(target) as reader:
        frames = list(reader)
        assert (reader.info.format.width, reader.info.format.height) == (96, 64)
    recorded = sum(isinstance(event, events.Recording) and event.on for event in desk.told)
    assert 1 <= len(frames) <= recorded
    assert desk.painter.counters.readbacks == recorded
    desk.window.player.close_video()
    wait(lambda: desk.count(events.Closed) > 0, "closing")
    desk.settle()
