"""Commands from the window to the player's thread: their order, which of them merge, and that they wake it."""

from __future__ import annotations

import threading
import time

import pytest

from framebrush.playback.command_queue import CommandQueue

pytestmark = pytest.mark.unit


def test_command_queue_keeps_order_and_replaces_only_neighbours() -> None:
    done: list[str] = []
    commands = CommandQueue()
    commands.post(lambda: done.append("seek 1"), instead_of="seek")
    commands.post(lambda: done.append("seek 2"), instead_of="seek")
    commands.post(lambda: done.append("mark"))
    commands.post(lambda: done.append("seek 3"), instead_of="seek")
    while (call := commands.next_call(0)) is not None:
        call()
    assert done == ["seek 2", "mark", "seek 3"]


def test_moves_keep_their_order_and_settings_none() -> None:
    commands, done = CommandQueue(), []
    for name in ("seek 1", "look 1", "step 1", "look 2", "seek 2", "volume 1", "seek 3", "look 3"):
        commands.post(lambda name=name: done.append(name), instead_of=name.split()[0])
    while (call := commands.next_call(0)) is not None:
        call()
    assert done == ["seek 1", "step 1", "volume 1", "seek 3", "look 3"]


def test_the_last_call_drops_what_would_only_be_seen() -> None:
    commands, done = CommandQueue(), []
    for name in ("open", "look", "screenshot", "play", "open"):
        commands.post(lambda name=name: done.append(name), lasting=name == "screenshot")
    commands.post_last(lambda: done.append("quit"))
    while (call := commands.next_call(0)) is not None:
        call()
    assert done == ["open", "look", "screenshot", "quit"]


@pytest.mark.parametrize("was_woken", [False, True])
def test_command_queue_wakes_who_waits(was_woken: bool) -> None:
    commands, taken, done = CommandQueue(), [], []
    if was_woken:
        commands.wake()
        assert commands.next_call() is None
    thread = threading.Thread(target=lambda: taken.append(commands.next_call()), daemon=True)
    thread.start()
    time.sleep(0.05)  # it waits by now, as a rule
    commands.post(lambda: done.append(True))
    thread.join(30)
    assert not thread.is_alive()
    [call] = taken
    assert call is not None
    call()
    assert done == [True]


def test_who_waits_is_woken_without_a_call() -> None:
    commands = CommandQueue()
    thread = threading.Thread(target=commands.next_call, daemon=True)
    thread.start()
    time.sleep(0.05)  # it waits by now, as a rule
    commands.wake()
    thread.join(30)
    assert not thread.is_alive()


def test_a_call_does_not_use_up_that_the_thread_was_woken() -> None:
    """Colours that were fitted meanwhile, or a camera's frame, would wait for the next call."""
    commands = CommandQueue()
    commands.post(lambda: None)
    commands.wake()
    assert commands.next_call() is not None
    thread = threading.Thread(target=commands.next_call, daemon=True)
    thread.start()
    thread.join(30)
    assert not thread.is_alive()


def test_sums_do_not_pass_other_wishes() -> None:
    commands, done = CommandQueue(), []
    for amount in (1, 2):
        commands.post_sum("step", amount, lambda total: done.append(total))
    commands.post(lambda: done.append(0))
    commands.post_sum("step", 4, lambda total: done.append(total))
    while (call := commands.next_call(0)) is not None:
        call()
    assert done == [3, 0, 4]
