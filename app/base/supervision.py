"""Supervisor of a child that a library may crash.

The child is python -m PROGRAM LIFELINE MEMORY ARGUMENTS. LIFELINE is a pipe's read end; the child ends when it closes.
MEMORY is a pipe's write end, for its position. If a child with a position dies, another reads it from LIFELINE.
Children that end by themselves add REGULAR to their status.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import RawIOBase
from typing import IO, NamedTuple

from framebrush.base import signals
from framebrush.base.process_end import how_ended

WORDS = frozenset(
    [
        "transcode",
        "frame",
        "strokes",
        "reveal",
        "layers",
        "live",
        "bench",
        "train",
        "keys",
        "job",
        "demo",
        "doctor",
        "--add",
        "play",
    ]
)
"""Arguments for which media or networks run in the process itself."""

REGULAR = 64
"""Above Python's and C abort()'s statuses on Windows, below signals'."""

AGAIN_S = 60.0
"""Seconds within which a second death ends the supervision: the position may be the cause."""

LAST_WORDS_S = 1.0
"""Longest wait for a dead child's last position, if a grandchild holds the pipe."""

death = ""
"""How the child died, in the process that reports it, or ""."""

spent_s = 0.0
"""Seconds that the dead child had worked."""


class Former(NamedTuple):
    """Dead child. death: how, in words. place: last position, or ""."""

    death: str
    place: str


followed: Former | None = None
"""Predecessor, in a child that follows one."""

_memory: RawIOBase | None = None


def supervise(arguments: list[str], program: str = "framebrush.cli.supervised_command") -> int | None:
    """Run the child; return its exit status, None if it died."""
    global death, spent_s
    former: Former | None = None
    while True:
        begin = time.monotonic()
        status, place = _run(program, arguments, former)
        if REGULAR <= status < 2 * REGULAR:
            return status - REGULAR
        lived_s = time.monotonic() - begin
        spent_s += lived_s
        if not place or (former is not None and lived_s < AGAIN_S):
            death = how_ended(status)
            return None
        former = Former(how_ended(status), place)


def _run(program: str, arguments: list[str], former: Former | None) -> tuple[int, str]:
    reading, lifeline = os.pipe()
    memory, telling = os.pipe()
    process = _start(program, (reading, telling), arguments)  # before any thread that a signal could reach
    os.close(reading)
    os.close(telling)
    try:
        with _remembered(memory) as told:
            with suppress(OSError):  # the process has died already
                os.write(lifeline, "".join(f"{each}\n" for each in former or ("", "")).encode())
            status = _wait(process)
    finally:
        os.close(lifeline)
    (place,) = told
    return status, place.decode()


@contextmanager
def _remembered(memory: int) -> Iterator[list[bytes]]:
    told = [b""]

    def read() -> None:
        with open(memory, "rb") as lines:
            for each in lines:
                if each.endswith(b"\n"):  # otherwise it died in the middle
                    told[:] = [each.removesuffix(b"\n")]

    reader = threading.Thread(target=read, name="memory", daemon=True)
    reader.start()
    yield told
    reader.join(LAST_WORDS_S)


def obey(lifeline: str, memory: str) -> None:
    """End this child when the parent is gone."""
    global followed, _memory
    signals.added_to_status = REGULAR
    # Unbuffered: text that a dead parent did not take must not be written again at the end.
    _memory = open(_descriptor(memory, os.O_WRONLY), "wb", 0)  # noqa: PTH123, SIM115 - for as long as the process lives
    line = open(_descriptor(lifeline, os.O_RDONLY), "rb")  # noqa: PTH123, SIM115
    former = Former(*(line.readline().decode().removesuffix("\n") for _ in range(2)))
    followed = former if former.death else None
    threading.Thread(target=_watch, args=(line,), name="lifeline", daemon=True).start()


def tell(place: str) -> None:
    """Tell the parent this child's position, "" for no replacement."""
    if _memory is not None:
        with suppress(OSError):  # the parent is gone, and this process will end
            _memory.write(f"{place}\n".encode())


def _watch(line: IO[bytes]) -> None:
    line.read(1)
    signals.request_end()


if sys.platform == "win32":
    import msvcrt

    def _start(program: str, ends: tuple[int, int], arguments: list[str]) -> subprocess.Popen[bytes]:
        for number in (signal.SIGINT, signal.SIGBREAK):
            signal.signal(number, signal.SIG_IGN)  # the console signals the child, too
        handles = [msvcrt.get_osfhandle(end) for end in ends]
        for handle in handles:
            os.set_handle_inheritable(handle, True)
        return subprocess.Popen(_command(program, handles, arguments), close_fds=False)

    def _descriptor(handle: str, flags: int) -> int:
        os.set_handle_inheritable(int(handle), False)
        return msvcrt.open_osfhandle(int(handle), flags)

    def _wait(process: subprocess.Popen[bytes]) -> int:
        return process.wait()

else:

    def _start(program: str, ends: tuple[int, int], arguments: list[str]) -> subprocess.Popen[bytes]:
        # inherited by the child, which unblocks them when ready: see `signals.install`
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, *signals.handled()})
        return subprocess.Popen(_command(program, ends, arguments), pass_fds=ends)

    def _descriptor(number: str, _: int) -> int:
        os.set_inheritable(int(number), False)
        return int(number)

    def _wait(process: subprocess.Popen[bytes]) -> int:
        awaited = {signal.SIGCHLD, *signals.handled()}
        while process.poll() is None:
            told = signal.sigwaitinfo(awaited)
            if told.si_signo != signal.SIGCHLD and told.si_code <= 0:  # SI_USER, SI_QUEUE, SI_TKILL
                process.send_signal(told.si_signo)
        return process.returncode


def _command(program: str, ends: Sequence[int], arguments: list[str]) -> list[str]:
    return [sys.executable, "-P", "-m", program, *map(str, ends), *arguments]
