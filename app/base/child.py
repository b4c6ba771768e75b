"""Child process of this program, from the parent's side; see `parent.py`.

Orders are lines of JSON on standard input; its end ends the process. Reports are lines on standard output; "bytes"
announces bytes behind a line.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from types import MappingProxyType
from typing import Any

from framebrush.base.process_end import how_ended

if sys.platform == "linux":
    import fcntl

PIPE_BYTES = 1 << 20
"""Size of pipes. Linux's default of 64 KiB would wake both processes fifty times per picture."""

LAST_WORDS_BYTES = 1 << 16  # the end has the reason of death; libraries may have written for hours

_END = os.urandom(32).hex().encode() + b"\n"
"""Line after a dead process's last one. Random, so that no process or library can print it."""

_KILLED = (1, -9)
"""Exit statuses of killed processes, on Windows and elsewhere."""

_FLAGS = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)


@dataclass(frozen=True, slots=True)
class Ended:
    """End of a process. errors: last words on standard error. killed: by this program."""

    status: int
    errors: str
    killed: bool

    @property
    def crashed(self) -> bool:
        """Return whether it did not end by itself."""
        return self.killed or self.status < 0 or self.status >= 1 << 31

    def __str__(self) -> str:
        return how_ended(self.status)


class DiedError(RuntimeError):
    """Death of a process that owed an answer."""

    def __init__(self, ended: Ended) -> None:
        super().__init__(str(ended))
        self.ended = ended


class Child:
    """Child process. Thread-safe, except `answer` and `receive`."""

    def __init__(
        self,
        module: str,
        *arguments: str,
        take: Callable[[dict[str, Any]], object] | None = None,
        gone: Callable[[Ended], object] = lambda _: None,
        python: str | None = None,
        environment: Mapping[str, str] = MappingProxyType({}),
        keeps_errors: bool = False,
    ) -> None:
        """Start a process. Raises OSError.

        Args:
            module: calls `parent.listen`.
            take: receives each report; without it use `answer`.
            gone: called once after the last report, in `take`'s thread.
            keeps_errors: standard error, for `Ended`.
        """
        reading, writing = os.pipe()
        self._errors = tempfile.TemporaryFile() if keeps_errors else None  # noqa: SIM115 - a pipe might fill up
        try:
            with _interrupts_blocked():
                self._process = subprocess.Popen(
                    [python or sys.executable, "-P", "-m", "framebrush.base.loading", module, *arguments],
                    stdin=subprocess.PIPE,
                    stdout=writing,
                    # window programs on Windows have none
                    stderr=self._errors or (None if sys.stderr is not None else subprocess.DEVNULL),
                    env=_surroundings(environment),
                    start_new_session=True,
                    creationflags=_FLAGS,
                )
        except BaseException:
            os.close(reading)
            self._let_go(writing)
            raise
        if sys.platform == "linux":
            with suppress(OSError):  # a user's pipes have a common limit
                fcntl.fcntl(reading, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        self.pid = self._process.pid
        self._said = os.fdopen(reading, "rb")
        self._orders: SimpleQueue[bytes | None] = SimpleQueue()
        self._over = threading.Event()
        self._ended: Ended | None = None
        self._killed = False
        self._in_thread(self._write)
        self._in_thread(self._await, writing, take is not None)
        if take is not None:
            self._in_thread(self._read, take, gone)

    @property
    def has_ended(self) -> bool:
        """Return whether it has ended; reports may remain."""
        return self._over.is_set()

    def send(self, order: object) -> None:
        """Send an order of JSON values without waiting."""
        self._orders.put(json.dumps(order).encode() + b"\n")

    def end(self, grace_s: float) -> None:
        """Ask the process to end, without waiting; kill it after grace_s."""
        self._orders.put(None)
        self.kill_after(grace_s)

    def kill_after(self, patience_s: float) -> None:
        """Kill the process after patience_s, without waiting."""

        def kill() -> None:
            if not self._over.wait(patience_s):
                self.kill()

        self._in_thread(kill)

    def kill(self) -> None:
        self._killed |= not self._over.is_set()
        self._process.kill()

    def wait(self) -> Ended:
        self._over.wait()
        assert self._ended is not None
        return self._ended

    def answer(self) -> dict[str, Any]:
        """Wait for the next report. Raises DiedError."""
        said = self._next()
        if said is None:
            raise DiedError(self.wait())
        return said

    def receive(self, into: memoryview) -> None:
        """Fill a buffer with a report's bytes. Raises DiedError."""
        while into:
            count = self._said.readinto(into)
            if not count:
                raise DiedError(self.wait())
            into = into[count:]

    def close(self) -> Ended:
        """Kill the process and free its resources, in `answer`'s thread."""
        self.kill()
        with suppress(OSError):
            self._said.close()
        return self.wait()

    def _in_thread(self, work: Callable[..., None], *arguments: object) -> None:
        threading.Thread(target=work, args=arguments, name=f"process {self.pid}", daemon=True).start()

    def _next(self) -> dict[str, Any] | None:
        for line in self._said:
            if line == _END:
                break
            try:
                said = json.loads(line)
            except (ValueError, RecursionError):
                continue  # cut by death, or printed by a library
            if isinstance(said, dict):
                return said
        return None

    def _read(self, take: Callable[[dict[str, Any]], object], gone: Callable[[Ended], object]) -> None:
        try:
            while (said := self._next()) is not None:
                take(said)
        finally:
            self._said.close()
            gone(self.wait())

    def _write(self) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):  # the process has died
            for order in iter(self._orders.get, None):
                self._process.stdin.write(order)
                self._process.stdin.flush()
        with suppress(OSError):
            self._process.stdin.close()

    def _await(self, writing: int, marks_end: bool) -> None:
        status = self._process.wait()
        self._ended = Ended(status, self._last_words(), self._killed and status in _KILLED)
        self._over.set()
        self._orders.put(None)
        if marks_end:  # a grandchild may hold the pipe, which then has no end
            with suppress(OSError):  # nobody reads any more
                os.write(writing, b"\n" + _END)
        self._let_go(writing)

    def _last_words(self) -> str:
        if self._errors is None:
            return ""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - LAST_WORDS_BYTES))
        return self._errors.read().decode(errors="replace").strip()

    def _let_go(self, writing: int) -> None:
        os.close(writing)
        if self._errors is not None:
            self._errors.close()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    if sys.platform == "win32":  # there it has its own process group
        yield
    else:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _surroundings(more: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without imports from the current folder, which may be hostile."""
    folders = [str(Path(folder).absolute()) for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(folders), **more}


def ask_once(
    module: str, request: object, limit_s: float, environment: Mapping[str, str] = MappingProxyType({})
) -> tuple[dict[str, Any], bytes]:
    """Answer one request by a process: JSON and bytes. Raises OSError, DiedError."""
    child = Child(module, environment=environment, keeps_errors=True)
    try:
        child.send(request)
        child.kill_after(limit_s)
        said = child.answer()
        data = bytearray(said.get("bytes", 0))
        child.receive(memoryview(data))
        return said, bytes(data)
    finally:
        child.close()
