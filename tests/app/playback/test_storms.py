"""Keys that repeat faster than frames can be shown, and videos that no device takes."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from framebrush.gpu.cpu.stylizer import CpuStylizer
from framebrush.gpu.errors import OutOfMemoryError
from framebrush.gpu.stylizer import Ticket
from framebrush.gpu.surface import Viewport
from framebrush.media.video import Position
from framebrush.playback import events
from framebrush.playback.command_queue import CommandQueue
from tests.app.playback.conftest import CLIPS, Watched

pytestmark = pytest.mark.media


def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    submit = CpuStylizer.submit

    def slowly(self: CpuStylizer, *frame: Any, **options: Any) -> Ticket:  # noqa: ANN401
        time.sleep(0.1)
        return submit(self, *frame, **options)

    monkeypatch.setattr(CpuStylizer, "submit", slowly)


def test_steps_that_pile_up_become_one(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    slow(monkeypatch)
    watched.open("cfr.mp4")
    watched.seen.clear()
    for _ in range(20):
        watched.player.step(1)
    for _ in range(3):
        watched.player.step(-1)
    watched.settle()
    assert watched.number == 17
    assert sum(isinstance(event, events.Shown) for event in watched.seen) < 8


def test_skips_that_pile_up_become_one(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    slow(monkeypatch)
    watched.open("cfr.mp4")
    watched.seen.clear()
    for _ in range(20):
        watched.player.skip(Fraction(1, 25))
    watched.settle()
    assert watched.number == 20
    assert sum(isinstance(event, events.Shown) for event in watched.seen) < 8


def test_playing_what_no_device_takes_is_not_playing(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OutOfMemoryError("too large")

    monkeypatch.setattr(CpuStylizer, "__init__", refuse)
    watched.player.open(CLIPS / "cfr.mp4", play=True)
    assert not watched.wait(events.Playing).on  # the button says what is so
    refused = watched.wait(events.Notification)
    assert "too large" in refused.text
    assert refused.advice == events.MEMORY_ADVICE


def test_what_is_damaged_is_told_at_the_end_of_playing(watched: Watched, tmp_path: Path) -> None:
    content = bytearray((CLIPS / "cfr.mp4").read_bytes())
    begin = content.index(b"mdat") + 4
    end = content.index(b"moov") - 4 if content.index(b"moov") > begin else len(content)
    content[(begin + end) // 2 : end] = b"\xff" * (end - (begin + end) // 2)
    (tmp_path / "half.mp4").write_bytes(content)
    watched.player.open(tmp_path / "half.mp4")
    watched.wait(events.Playing, lambda event: event.on)
    watched.wait(events.Playing, lambda event: not event.on)
    watched.settle()
    assert [event.text for event in watched.seen if isinstance(event, events.Notification) and "damaged" in event.text]


def test_one_frame_plays_loops_and_stands(watched: Watched, tmp_path: Path) -> None:
    import av
    import numpy as np

    with av.open(str(tmp_path / "one.mkv"), "w") as container:
        stream = container.add_stream("ffv1", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        container.mux(stream.encode(av.VideoFrame.from_ndarray(np.zeros((48, 64, 3), np.uint8), "rgb24")))
        container.mux(stream.encode(None))
    watched.player.open(tmp_path / "one.mkv", play=False)
    watched.wait(events.Shown)
    watched.player.play(True)
    assert watched.wait(events.Playing).on
    assert not watched.wait(events.Playing).on
    watched.player.set_loop(True)
    watched.player.play(True)
    assert watched.wait(events.Playing).on
    begin = time.monotonic()
    for _ in range(10):
        watched.wait(events.Shown)
    assert time.monotonic() - begin > 0.3  # as long as frames last: nothing spins
    watched.player.play(False)
    watched.player.seek(Position(Fraction(10**15), "s"))
    watched.player.skip(Fraction(10**15))
    watched.player.step(5)
    watched.player.step(-5)
    watched.settle()
    assert not [event for event in watched.seen if isinstance(event, events.Notification)]


def test_what_comes_between_does_not_keep_films_from_overtaking_each_other(watched: Watched) -> None:
    """The next film, by a key that is held down: with each that opens other things are asked for."""
    with watched.held():
        for name in ("cfr.mp4", "vfr.mp4", "bframes.mp4"):
            watched.player.open(CLIPS / name, play=False)
            watched.player.look_at(Viewport())
            watched.player.use_keys(())
    watched.settle()
    assert [event.info.name for event in watched.seen if isinstance(event, events.Opened)] == ["bframes.mp4"]


def test_a_call_without_a_kind_sees_what_was_asked_for_before_it() -> None:
    commands, done = CommandQueue(), []
    for kind, name in (("look", "a"), ("seek", "b"), (None, "c"), ("seek", "d"), ("look", "e"), ("open", "f")):
        commands.post(lambda name=name: done.append(name), instead_of=kind)
    commands.post(lambda: done.append("g"), instead_of="look")
    commands.post(lambda: done.append("h"), instead_of="seek")  # of another film than d
    while (call := commands.next_call(0)) is not None:
        call()
    assert "".join(done) == "abcdfgh"
