"""The process that has started this one, as this one sees it; `child.py` is the other end.

Imports nothing heavy, as a process is to listen before it loads what it works with.
"""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any, cast

if sys.platform == "win32":
    import ctypes
    import msvcrt

_said = io.BytesIO() if sys.__stdout__ is None else cast("IO[bytes]", sys.__stdout__.buffer)
_turn = threading.Lock()


def listen(take: Callable[[Any], object], gone: Callable[[], object]) -> None:
    """Listen from now on. take: gets each order, JSON values. gone: called when there will be no more. Both are called
    in another thread.

    Standard output then belongs to the two processes alone: what a library prints goes to standard error, and no
    process that is started here holds it.
    """
    global _said
    _said = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    _replace(sys.stdout.fileno(), os.devnull if sys.stderr is None else sys.stderr.fileno(), -11)
    read_lines(lambda line: take(json.loads(line)), gone)


def read_lines(take: Callable[[bytes], object], gone: Callable[[], object]) -> None:
    """Take the lines of standard input from now on, and tell of its end, in another thread.

    It is nobody else's then. On Windows each library that is loaded asks the system about standard input, and would be
    answered only after a read of it that waits in another thread.
    """
    lines = os.dup(sys.stdin.fileno())
    _replace(sys.stdin.fileno(), os.devnull, -10)

    def read() -> None:
        begun = b""
        try:
            while data := os.read(lines, 1 << 16):
                *whole, begun = (begun + data).split(b"\n")
                for line in whole:
                    take(line)
        finally:
            gone()

    threading.Thread(target=read, name="orders", daemon=True).start()


def _replace(stream: int, by: int | str, number: int) -> None:
    """Let a standard stream be another file. number: by which Windows knows it, apart from its descriptor."""
    file = os.open(by, os.O_RDWR) if isinstance(by, str) else os.dup(by)
    os.dup2(file, stream)
    os.close(file)
    if sys.platform == "win32":
        ctypes.windll.kernel32.SetStdHandle(number, ctypes.c_void_p(msvcrt.get_osfhandle(stream)))


def say(values: dict[str, Any], *data: bytes | bytearray | memoryview) -> None:
    """Report something, with what follows it in bytes."""
    with _turn, suppress(OSError):  # nobody listens any more; then there will be no more orders, either
        _said.write(json.dumps(values).encode() + b"\n")
        for each in data:
            _said.write(each)
        _said.flush()
