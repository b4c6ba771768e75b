"""Virtual X11 screens (Xvfb), their pixels, and windows.

FRAMEBRUSH_REQUIRE_XVFB=1 fails tests without Xvfb.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest
from PIL import ImageGrab

from framebrush.gpu.surface import NativeWindow
from tools import dev

MISSING = dev.missing_packages(dev.X11_NEEDS)

needs_x11 = pytest.mark.skipif(
    bool(MISSING) and os.environ.get("FRAMEBRUSH_REQUIRE_XVFB") != "1", reason=f"no X11 without {', '.join(MISSING)}"
)

BESIDE = 10, 20


@contextmanager
def screen() -> Iterator[str]:
    """Start a display without window manager; yield its name."""
    assert MISSING == []
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        assert number, f"Xvfb ended with status {server.wait()}"
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(60)
        _connected.cache_clear()  # another server may get the name, and Xlib ends a process with a broken connection


def _library() -> ctypes.CDLL:
    library, pointer, whole = ctypes.CDLL("libX11.so.6"), ctypes.c_void_p, ctypes.c_int
    library.XOpenDisplay.restype = pointer
    library.XCreateSimpleWindow.restype = library.XDefaultRootWindow.restype = ctypes.c_ulong
    library.XDefaultRootWindow.argtypes = [pointer]
    library.XCreateSimpleWindow.argtypes = [pointer, ctypes.c_ulong, *[whole] * 4, ctypes.c_uint, *[ctypes.c_ulong] * 2]
    library.XMapWindow.argtypes = library.XDestroyWindow.argtypes = [pointer, ctypes.c_ulong]
    library.XResizeWindow.argtypes = [pointer, ctypes.c_ulong, whole, whole]
    library.XSync.argtypes = [pointer, whole]
    return library


@cache
def _connected(display: str) -> int:
    """Open a connection that stays: Mesa confuses later ones with it."""
    connection: int = _library().XOpenDisplay(display.encode())
    assert connection
    return connection


class Window:
    """Red window without border."""

    def __init__(self, display: str, size: tuple[int, int]) -> None:
        self._name, self._size, self._x11 = display, size, _library()
        self._connection = _connected(display)
        root = self._x11.XDefaultRootWindow(self._connection)
        handle = self._x11.XCreateSimpleWindow(self._connection, root, *BESIDE, *size, 0, 0, 0xFF0000)
        self._x11.XMapWindow(self._connection, handle)
        self._x11.XSync(self._connection, 0)
        self.native = NativeWindow("x11", handle, self._connection)

    def resize(self, size: tuple[int, int]) -> None:
        self._x11.XResizeWindow(self._connection, self.native.handle, *size)
        self._x11.XSync(self._connection, 0)
        self._size = size

    @property
    def picture(self) -> npt.NDArray[np.uint8]:
        """Return the server's pixels: (H, W, 3) R, G, B."""
        (x, y), (width, height) = BESIDE, self._size
        return np.asarray(ImageGrab.grab((x, y, x + width, y + height), xdisplay=self._name).convert("RGB"))

    def close(self) -> None:
        self._x11.XDestroyWindow(self._connection, self.native.handle)
        self._x11.XSync(self._connection, 0)
