"""A process of this program's own, as the one sees it that has started it; `parent.py` is the other end.

Its orders come by its standard input, a line of JSON each; the end of that, which also comes when this process dies,
ends it. It reports by its standard output, a line of JSON each, an object; where that says how many "bytes", these
follow. What may happen to it (it is silent, prints what is no report, dies at any byte, leaves a process behind that
holds its pipes) ends in one `Ended`. Ctrl-C in a terminal reaches only the process that was started there, as the
others could not obey it while they load; a SIGINT to one of them alone waits until it listens (`signals.install`), and
those that never do end with this process. Imports nothing heavy, as a command that starts processes waits for it.
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
"""Linux's pipes hold 64 KiB otherwise, and a picture would wake both processes fifty times."""

LAST_WORDS_BYTES = 1 << 16  # the end of them says why it died; a library may have written on for hours

_END = os.urandom(32).hex().encode() + b"\n"
"""The line after the last one of a process that has ended. It is read some time after that, so it must be none that a
process, or a library in it, could have printed."""

_KILLED = (1, -9)
"""Statuses of a process that was killed, on Windows and elsewhere."""

_FLAGS = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process has ended. status: as `subprocess` has it. errors: its last words on standard error, where they
    were kept. killed: whether this program has lost patience with it."""

    status: int
    errors: str
    killed: bool

    @property
    def crashed(self) -> bool:
        """Whether it did not end of its own accord."""
        return self.killed or self.status < 0 or self.status >= 1 << 31

    def __str__(self) -> str:
        return how_ended(self.status)


class DiedError(RuntimeError):
    """A process has ended in place of an answer."""

    def __init__(self, ended: Ended) -> None:
        super().__init__(str(ended))
        self.ended = ended


class Child:
    """Such a process. Every method may be called in any thread, but for `answer` and `receive`, which belong to one."""

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
        """module: of ours, which uses `parent.listen`. take: gets each report; left out, reports are asked for by
        `answer`. gone: called after the last one, once. Both are called in a thread of their own. environment: beside
        this process's. keeps_errors: what it prints on standard error is for `Ended`, not for this process's own.
        Raises OSError."""
        reading, writing = os.pipe()
        self._errors = tempfile.TemporaryFile() if keeps_errors else None  # noqa: SIM115 - a pipe might fill up
        try:
            with _interrupts_blocked():
                self._process = subprocess.Popen(
                    [python or sys.executable, "-P", "-m", module, *arguments],
                    stdin=subprocess.PIPE,
                    stdout=writing,
                    # Windows' programs with a window have none.
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
            with suppress(OSError):  # a user's pipes together may hold only so much
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
        """Whether it has, though there may be reports that were not taken yet."""
        return self._over.is_set()

    def send(self, order: object) -> None:
        """Give it an order, of JSON values, without waiting for it to listen. It may have died, which its end tells."""
        self._orders.put(json.dumps(order).encode() + b"\n")

    def end(self, grace_s: float) -> None:
        """Ask it to end, after the orders that it has; it is killed when the time is up. Does not wait. May be called
        again, with less patience."""
        self._orders.put(None)
        self.kill_after(grace_s)

    def kill_after(self, patience_s: float) -> None:
        """Kill it when the time is up. Does not wait."""

        def kill() -> None:
            if not self._over.wait(patience_s):
                self.kill()

        self._in_thread(kill)

    def kill(self) -> None:
        """End it at once."""
        self._killed |= not self._over.is_set()
        self._process.kill()

    def wait(self) -> Ended:
        """Wait until it has ended."""
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
        """Fill a buffer with the bytes that follow a report. Raises DiedError."""
        while into:
            count = self._said.readinto(into)
            if not count:
                raise DiedError(self.wait())
            into = into[count:]

    def close(self) -> Ended:
        """Kill it, and free what belongs to it. In the thread that asks for answers."""
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
                continue  # of a process that died while it wrote, or printed by a library
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
        """Hand over orders, which may take as long as the process does not listen."""
        assert self._process.stdin is not None
        with suppress(OSError):  # it has died
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
        if marks_end:  # a process that was left behind may hold the pipe, which then has no end of its own
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
    """Block SIGINT in this thread, and in a process that is started meanwhile: Python would end it with a traceback."""
    if sys.platform == "win32":  # where it has a process group of its own instead
        yield
    else:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _surroundings(more: Mapping[str, str]) -> dict[str, str]:
    """Environment variables, in which nothing is imported from the current folder: a hostile file may have come with a
    module beside it."""
    folders = [str(Path(folder).absolute()) for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(folders), **more}


def ask_once(
    module: str, request: object, limit_s: float, environment: Mapping[str, str] = MappingProxyType({})
) -> tuple[dict[str, Any], bytes]:
    """The answer of a process that is started for one request, and what follows it in bytes. Raises OSError where it
    cannot be started, and DiedError where it does not answer, in time or at all."""
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
