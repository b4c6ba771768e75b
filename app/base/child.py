"""A process that another one of ours has started, and that lives as long as that one wants it.

Its orders come by its standard input, a line each; the end of that, which also comes when the other process dies, ends
it. Ctrl-C in a terminal reaches only the process that was started there, as the others could not obey it while they
load. Imports nothing heavy, so that a child listens before it loads what it works with.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

from framebrush.base.process_end import how_ended


class Child:
    """Such a process, as the one sees it that has started it: it is sent values, and reports objects, each a line of
    JSON."""

    def __init__(
        self, module: str, *arguments: str, take: Callable[[dict[str, Any]], object], gone: Callable[[str], object]
    ) -> None:
        """module: of ours, which uses `orders`. take: gets each report. gone: called after the last one, once, with how
        the process has ended, in words. Both are called in a thread of their own. Raises OSError."""
        self._process = _started(module, *arguments)
        threading.Thread(target=self._read, args=(take, gone), name=module, daemon=True).start()

    def send(self, values: object) -> None:
        """Give it an order, of JSON values. It may have died, which `gone` tells."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(json.dumps(values) + "\n")
            self._process.stdin.flush()

    def end(self, grace_s: float) -> None:
        """Ask it to end, and wait until it has; it is killed when the time is up."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(grace_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _read(self, take: Callable[[dict[str, Any]], object], gone: Callable[[str], object]) -> None:
        assert self._process.stdout is not None
        for text in self._process.stdout:
            try:
                said = json.loads(text)
            except ValueError:
                continue  # printed by a library
            if isinstance(said, dict):
                take(said)
        gone(how_ended(self._process.wait()))


def _started(module: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",  # libraries print file names in any encoding
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )


def orders(at_end: Callable[[], object] | None = None) -> SimpleQueue[str]:
    """For the process itself: its orders from now on. at_end: called in another thread when there will be no more;
    without it, an empty line says so."""
    lines: SimpleQueue[str] = SimpleQueue()

    def read() -> None:
        begun = b""
        while _comes() and (data := os.read(sys.stdin.fileno(), 1 << 16)):
            *whole, begun = (begun + data).split(b"\n")
            for line in whole:
                lines.put(line.decode())
        if at_end is None:
            lines.put("")
        else:
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
