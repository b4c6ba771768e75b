"""Plain native window."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from framebrush.gpu.surface import NativeWindow


@contextmanager
def native_window() -> Iterator[NativeWindow]:
    import win32more.Windows.Win32.UI.WindowsAndMessaging as W

    style = W.WS_OVERLAPPEDWINDOW | W.WS_VISIBLE
    handle = W.CreateWindowEx(0, "STATIC", "Framebrush", style, 0, 0, 400, 300, 0, 0, 0, None)
    assert handle
    yield NativeWindow("windows", handle)
    W.DestroyWindow(handle)
