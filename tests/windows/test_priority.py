"""The window's thread has higher priority, and its child threads do not."""

from __future__ import annotations

import ctypes
import sys
import threading

import pytest

from framebrush.window.application import put_first

pytestmark = pytest.mark.windows

NORMAL, ABOVE_NORMAL = 0, 1


def priority() -> int:
    """Of this thread."""
    kernel32 = ctypes.windll.kernel32
    kernel32.GetCurrentThread.restype = ctypes.c_void_p
    level: int = kernel32.GetThreadPriority(ctypes.c_void_p(kernel32.GetCurrentThread()))
    return level


def test_the_window_goes_before_others() -> None:
    found = []

    def window() -> None:
        put_first()
        found.append(priority())
        worker = threading.Thread(target=lambda: found.append(priority()))
        worker.start()
        worker.join()

    interval = sys.getswitchinterval()
    try:
        thread = threading.Thread(target=window)
        thread.start()
        thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert found == [ABOVE_NORMAL, NORMAL]
