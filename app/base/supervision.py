"""The process that a person starts, while the work is done in a child of it, which a library may crash.

The child is python -m framebrush.cli.supervised LIFELINE ARGUMENTS. It has this process's standard streams and
terminal. LIFELINE is the reading end of a pipe that only this process holds the other end of: its end means that this
process is gone, and asks the child to end. The child adds REGULAR to its exit status where it ends of its own accord:
whatever else it ends with, it died. Imports nothing heavy, as every job waits for it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

from framebrush.base import signals
from framebrush.base.process_end import how_ended

WORDS = frozenset({"transcode", "frame", "live", "bench", "train", "keys", "job", "demo", "doctor", "--add"})
"""What an argument says where media is decoded, or a network run, in the process itself."""

REGULAR = 64
"""Above the statuses with which Python and C's abort() on Windows end a process, and below those of signals."""

death = ""
"""How the child died, in words, in the process that is left and reports it; otherwise empty."""

spent_s = 0.0
"""How long that child had worked."""


def supervise(arguments: list[str]) -> int | None:
    """Do the work in a child and return its exit status; None if it died, which `death` then tells of."""
    global death, spent_s
    begin = time.monotonic()
    reading, writing = os.pipe()
    try:
        process = _start(reading, arguments)
        os.close(reading)
        status = _wait(process)
    finally:
        os.close(writing)
    if REGULAR <= status < 2 * REGULAR:
        return status - REGULAR
    death, spent_s = how_ended(status), time.monotonic() - begin
    return None


def obey(lifeline: str) -> None:
    """In the child: end as a user would end it once its parent is gone."""
    signals.added_to_status = REGULAR
    threading.Thread(target=_watch, args=(_descriptor(lifeline),), name="lifeline", daemon=True).start()


def _watch(reading: int) -> None:
    os.read(reading, 1)
    signals.ask()


if sys.platform == "win32":
    import msvcrt

    def _start(reading: int, arguments: list[str]) -> subprocess.Popen[bytes]:
        for number in (signal.SIGINT, signal.SIGBREAK):
            signal.signal(number, signal.SIG_IGN)  # the console tells the child, too
        handle = msvcrt.get_osfhandle(reading)
        os.set_handle_inheritable(handle, True)
        return subprocess.Popen(_command(handle, arguments), close_fds=False)

    def _descriptor(lifeline: str) -> int:
        return msvcrt.open_osfhandle(int(lifeline), os.O_RDONLY)

    def _wait(process: subprocess.Popen[bytes]) -> int:
        return process.wait()

else:

    def _start(reading: int, arguments: list[str]) -> subprocess.Popen[bytes]:
        # The child inherits this, and lets them through when it can handle them: see `signals.install`.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, *signals.handled()})
        return subprocess.Popen(_command(reading, arguments), pass_fds=[reading])

    def _descriptor(lifeline: str) -> int:
        os.set_inheritable(int(lifeline), False)
        return int(lifeline)

    def _wait(process: subprocess.Popen[bytes]) -> int:
        """Pass on the signals that other processes send to this one alone; those of a terminal reach the child as
        well."""
        awaited = {signal.SIGCHLD, *signals.handled()}
        while process.poll() is None:
            told = signal.sigwaitinfo(awaited)
            if told.si_signo != signal.SIGCHLD and told.si_code <= 0:  # SI_USER, SI_QUEUE, SI_TKILL
                process.send_signal(told.si_signo)
        return process.returncode


def _command(lifeline: int, arguments: list[str]) -> list[str]:
    return [sys.executable, "-P", "-m", "framebrush.cli.supervised", str(lifeline), *arguments]
