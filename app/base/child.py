"""A process that another one of ours has started, and that lives as long as that one wants it.

Its orders come by its standard input, a line each; the end of that, which also comes when the other process dies, ends
it. Ctrl-C in a terminal reaches only the process that was started there, as the others could not obey it while they
load. Imports nothing heavy, so that a child listens before it loads what it works with.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue


def start(module: str, *arguments: str) -> subprocess.Popen[str]:
    """Start a module of ours as a process, with pipes to its standard input and from its standard output. Raises
    OSError."""
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )


def orders(at_end: Callable[[], object]) -> SimpleQueue[str]:
    """For the process itself: its orders from now on. at_end: called in another thread when there will be no more."""
    lines: SimpleQueue[str] = SimpleQueue()

    def read() -> None:
        begun = b""
        while _comes() and (data := os.read(sys.stdin.fileno(), 1 << 16)):
            *whole, begun = (begun + data).split(b"\n")
            for line in whole:
                lines.put(line.decode())
        at_end()

    threading.Thread(target=read, name="orders", daemon=True).start()
    return lines


if sys.platform == "win32":
    import _winapi
    import msvcrt

    PERIOD_S = 0.05

    def _comes() -> bool:
        """Wait for input; False at its end. A read that waits would hold up whoever asks Windows about the same pipe,
        as each library does that is loaded meanwhile."""
        pipe = msvcrt.get_osfhandle(sys.stdin.fileno())
        try:
            while not _winapi.PeekNamedPipe(pipe, 0)[0]:
                time.sleep(PERIOD_S)
        except OSError:
            return False
        return True

else:

    def _comes() -> bool:
        """Reading waits by itself."""
        return True
