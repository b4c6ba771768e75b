"""Windows' request to keep the screen on, and its end: the call returns the previous state."""

from __future__ import annotations

import ctypes

import pytest

from tests.windows.desk import CLIPS, Desk, wait

pytestmark = pytest.mark.windows

CONTINUOUS, SYSTEM, DISPLAY = 0x80000000, 0x1, 0x2


def in_effect() -> int:
    """What this thread has asked for; it asks for the same again."""
    call = ctypes.windll.kernel32.SetThreadExecutionState
    call.restype = ctypes.c_uint32
    before: int = call(CONTINUOUS)
    call(before)
    return before


def test_the_screen_stays_on_in_full_screen_while_it_plays(desk: Desk) -> None:
    window = desk.window
    window.actions_["loop"].trigger()
    window.opening.open(CLIPS / "cfr.mp4")
    wait(lambda: window.player.engine.playing, "playing")
    window.awake._update()
    assert not window.awake.held
    window.actions_["full-screen"].trigger()
    wait(lambda: window.awake.held, "the hold")
    assert in_effect() == CONTINUOUS | SYSTEM | DISPLAY
    window.player.play(False)
    wait(lambda: not window.awake.held, "its end")
    assert in_effect() == CONTINUOUS
    window.player.play(True)
    wait(lambda: window.awake.held, "the hold again")
    assert in_effect() == CONTINUOUS | SYSTEM | DISPLAY
    window.actions_["full-screen"].trigger()
    assert in_effect() == CONTINUOUS
