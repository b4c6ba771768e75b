"""The process that a person starts, while the work is done in a child of it, which a library may crash.

The child is python -m PROGRAM LIFELINE MEMORY ARGUMENTS. It has this process's standard streams and terminal. LIFELINE
is the reading end of a pipe that only this process holds the other end of: its end means that this process is gone, and
asks the child to end. The child adds REGULAR to its exit status where it ends of its own accord: whatever else it ends
with, it died.

MEMORY is the writing end of a pipe, by which the child may tell where it is: a line of text each time, of which this
process remembers the last one. A child that dies after that is followed by another, which gets two lines by LIFELINE:
how the former one died, and where it was. Imports nothing heavy, as every job waits for it.
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
from typing import IO, NamedTuple

from framebrush.base import signals
from framebrush.base.process_end import how_ended

WORDS = frozenset({"transcode", "frame", "live", "bench", "train", "keys", "job", "demo", "doctor", "--add", "play"})
"""What an argument says where media is decoded, or a network run, in the process itself."""

REGULAR = 64
"""Above the statuses with which Python and C's abort() on Windows end a process, and below those of signals."""

AGAIN_S = 60.0
"""A child that follows one that died, and dies itself within this time, is not followed: it may die of where it is."""

LAST_WORDS_S = 1.0
"""How long what a dead child has told is waited for, should a process that it left behind hold the pipe open."""

death = ""
"""How the child died, in words, in the process that is left and reports it; otherwise empty."""

spent_s = 0.0
"""How long that child had worked."""


class Former(NamedTuple):
    """A child that has died. death: how, in words. place: where it was, as it told last; empty for nowhere."""

    death: str
    place: str


followed: Former | None = None
"""In a child that follows another: that one."""

_memory: IO[bytes] | None = None


def supervise(arguments: list[str], program: str = "framebrush.cli.supervised") -> int | None:
    """Do the work in a child and return its exit status; None if it died, which `death` then tells of."""
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
    """Of a child: its exit status, and where it was last."""
    reading, lifeline = os.pipe()
    memory, telling = os.pipe()
    process = _start(program, (reading, telling), arguments)  # before there is a thread that a signal could reach
    os.close(reading)
    os.close(telling)
    with open(lifeline, "wb") as line, _remembered(memory) as told:  # noqa: PTH123 - pipes have no paths
        with suppress(OSError):  # it has died already
            line.write("".join(f"{each}\n" for each in former or ("", "")).encode())
            line.flush()
        status = _wait(process)
    return status, told[0].decode()


@contextmanager
def _remembered(memory: int) -> Iterator[list[bytes]]:
    """One entry, the last line that is read from a pipe: once this has ended, of all lines."""
    told = [b""]

    def read() -> None:
        with open(memory, "rb") as lines:
            for each in lines:
                if each.endswith(b"\n"):  # else it died in the middle
                    told[0] = each.removesuffix(b"\n")

    reader = threading.Thread(target=read, name="memory", daemon=True)
    reader.start()
    yield told
    reader.join(LAST_WORDS_S)


def obey(lifeline: str, memory: str) -> None:
    """In the child: end as a user would end it once its parent is gone."""
    global followed, _memory
    signals.added_to_status = REGULAR
    _memory = open(_descriptor(memory, os.O_WRONLY), "wb")  # noqa: PTH123, SIM115 - for as long as the process lives
    line = open(_descriptor(lifeline, os.O_RDONLY), "rb")  # noqa: PTH123, SIM115
    former = Former(*(line.readline().decode().removesuffix("\n") for _ in range(2)))
    followed = former if former.death else None
    threading.Thread(target=_watch, args=(line,), name="lifeline", daemon=True).start()


def tell(place: str) -> None:
    """In the child, in one thread: have the parent remember where it is, in one line; empty where it would be followed
    by none. A process without such a parent has nobody to tell."""
    if _memory is not None:
        with suppress(OSError):  # the parent is gone, and this process is to end
            _memory.write(f"{place}\n".encode())
            _memory.flush()


def _watch(line: IO[bytes]) -> None:
    line.read(1)
    signals.ask()


if sys.platform == "win32":
    import msvcrt

    def _start(program: str, ends: tuple[int, int], arguments: list[str]) -> subprocess.Popen[bytes]:
        for number in (signal.SIGINT, signal.SIGBREAK):
            signal.signal(number, signal.SIG_IGN)  # the console tells the child, too
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
        # The child inherits this, and lets them through when it can handle them: see `signals.install`.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, *signals.handled()})
        return subprocess.Popen(_command(program, ends, arguments), pass_fds=ends)

    def _descriptor(number: str, _: int) -> int:
        os.set_inheritable(int(number), False)
        return int(number)

    def _wait(process: subprocess.Popen[bytes]) -> int:
        """Pass on the signals that other processes send to this one alone; those of a terminal reach the child as
        well."""
        awaited = {signal.SIGCHLD, *signals.handled()}
        while process.poll() is None:
            told = signal.sigwaitinfo(awaited)
            if told.si_signo != signal.SIGCHLD and told.si_code <= 0:  # SI_USER, SI_QUEUE, SI_TKILL
                process.send_signal(told.si_signo)
        return process.returncode


def _command(program: str, ends: Sequence[int], arguments: list[str]) -> list[str]:
    return [sys.executable, "-P", "-m", program, *map(str, ends), *arguments]
