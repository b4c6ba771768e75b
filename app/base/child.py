"""A process that another one of ours has started, and that lives as long as that one wants it.

Its orders come by its standard input, a line each; the end of that, which also comes when the other process dies, ends
it. Ctrl-C in a terminal reaches only the process that was started there, as the others could not obey it while they
load. Imports nothing heavy, so that a child listens before it loads what it works with.
"""

from __future__ import annotations

import subprocess
import sys
import threading
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
        for line in sys.stdin:
            lines.put(line)
        at_end()

    threading.Thread(target=read, name="orders", daemon=True).start()
    return lines
