"""Parent process, from the child's side; see `child.py`."""

from __future__ import annotations

import gc
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


def listen(take: Callable[[Any], object], gone: Callable[[], object] = lambda: os._exit(0)) -> None:
    """Start listening in a thread; standard output is for reports."""
    global _said
    gc.freeze()  # or the end of the process would visit every object of its modules, for a seventh of a second
    gc.enable()  # `loading` disables it
    _said = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    _replace(sys.stdout.fileno(), os.devnull if sys.stderr is None else sys.stderr.fileno(), -11)
    read_lines(lambda line: take(json.loads(line)), gone)


def read_lines(take: Callable[[bytes], object], gone: Callable[[], object]) -> None:
    """Read standard input in a thread, without blocking libraries on Windows."""
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
    file = os.open(by, os.O_RDWR) if isinstance(by, str) else os.dup(by)
    os.dup2(file, stream)
    os.close(file)
    if sys.platform == "win32":
        ctypes.windll.kernel32.SetStdHandle(number, ctypes.c_void_p(msvcrt.get_osfhandle(stream)))


def report(values: dict[str, Any], *data: bytes | bytearray | memoryview) -> None:
    with _turn, suppress(OSError):  # nobody listens any more: no more orders will come
        _said.write(json.dumps(values).encode() + b"\n")
        for each in data:
            _said.write(each)
        _said.flush()
