"""Requests to end the process: Ctrl-C, SIGTERM, a closed terminal, a closed console.

They become KeyboardInterrupt in the main thread, once. Python raises that only between two of its own instructions, so
a thread of its own watches: if the process is still there after GRACE_S, because a library holds the main thread, it
removes unfinished files and ends the process. Imports nothing heavy, so that it works before anything else is loaded.
"""

from __future__ import annotations

import _thread
import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any, TypeVar

GRACE_S = 0.6
INTERRUPTED = 4  # as in transcode.Status

_CONSOLE_CLOSES = (2, 5, 6)  # CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT, CTRL_SHUTDOWN_EVENT


@dataclass(eq=False, slots=True)
class Ending:
    """Effects of an interruption at this moment, for one job.

    kept: what it leaves, in words; empty for nothing. whole: the result has its name already, or is just getting it, so
    a request comes too late and the rest of the work is finished.
    """

    kept: str = ""
    whole: bool = False


ending = Ending()
"""The `Ending` of the job that a program was started for: the only one that a request to end this process obeys. Jobs
of a library have their own."""

added_to_status = 0
"""Added to every exit status of this process; see `base/supervision.py`."""

wake: Callable[[], object] | None = None
"""Called with a request, in a thread of its own, where the main thread waits in a library, as for the events of a
window: Python obeys a request only between two of its own instructions."""

_discard: Callable[[], object] = lambda: None  # noqa: E731
_loading = True
_speaks = True
_over = False
_deferrals: list[Callable[[], object]] = []
_asked = threading.Event()
_callbacks: set[CodeType] = set()
_console_handler: object = None  # ctypes frees what nothing refers to

CallbackT = TypeVar("CallbackT", bound=Callable[..., Any])


def callback(function: CallbackT) -> CallbackT:
    """For a function that a library calls from C: a request that arrives within raises InterruptedError, which the
    library passes on. A KeyboardInterrupt would be printed there and lost."""
    _callbacks.add(function.__code__)
    return function


def install() -> None:
    """Listen from now on. Until `loaded` is called a request ends the process at once, as there is nothing to undo.

    Requests that the process was started to ignore, as nohup does, stay ignored.
    """
    for number in handled():
        signal.signal(number, _interrupt)
    if sys.platform == "win32":
        _listen_to_console()
    else:
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        threading.Thread(target=_watch, args=(reading,), name="signals", daemon=True).start()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD, *handled()})


def handled() -> list[signal.Signals]:
    """The requests that this process listens to."""
    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    found = [getattr(signal, name) for name in names if hasattr(signal, name)]
    return [number for number in found if signal.getsignal(number) is not signal.SIG_IGN]


def loaded(discard: Callable[[], object], *, speaks: bool = True) -> None:
    """From now on a request raises KeyboardInterrupt. discard: removes unfinished files where that does not help.
    speaks: whether the process then reports what it leaves."""
    global _loading, _discard, _speaks
    _loading, _discard, _speaks = False, discard, speaks


def ask() -> None:
    """Ask this process to end, from any thread, as a user would."""
    if sys.platform == "win32":
        _thread.interrupt_main()
        threading.Thread(target=_end_later, name="signals", daemon=True).start()
    else:
        os.kill(os.getpid(), signal.SIGTERM)


def asked() -> bool:
    """Whether the process was asked to end. A KeyboardInterrupt that was raised inside a library's code may come out of
    it as another error."""
    return _asked.is_set()


def interrupted_words() -> str:
    """What the user should know about an interruption."""
    return f"interrupted; {ending.kept or 'nothing was written'}"


@contextlib.contextmanager
def deferred(finish: Callable[[], object] | None = None) -> Iterator[None]:
    """For work that can only stop at certain places: within this, a request is noted for `asked`, and nothing else
    happens. A second one raises KeyboardInterrupt nevertheless.

    finish: called with the first request where the work then ends whole, as a recording does. It must not wait.
    """
    own = finish or (lambda: None)
    _deferrals.append(own)
    try:
        yield
        if finish is not None and asked():
            over()
    finally:
        _deferrals.remove(own)


def over() -> None:
    """The work is done and its status known: requests from now on change nothing, even while Python ends, which drops
    its own handlers first. For the main thread."""
    global _over
    _over = True
    for number in handled():
        signal.signal(number, signal.SIG_IGN)


def _interrupt(number: int, frame: FrameType | None) -> None:
    if ending.whole and not _loading:
        _asked.set()
        return
    if _over or (_asked.is_set() and not _loading and not _deferrals):
        return  # the first one is being obeyed
    again = _asked.is_set()
    _asked.set()
    if _loading:
        _end()
    if again or not _deferrals:
        raise InterruptedError("interrupted") if _in_callback(frame) else KeyboardInterrupt
    for finish in list(_deferrals):
        finish()


def _in_callback(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code in _callbacks:
            return True
        frame = frame.f_back
    return False


def _watch(reading: int) -> None:
    while True:
        numbers = os.read(reading, 64)
        ours = {number for number in numbers if signal.getsignal(number) is _interrupt}
        if ours and not _over:
            break
    _end_later()


def _end_later() -> None:
    if wake is not None:
        wake()
    time.sleep(GRACE_S)
    if not _over and not _deferrals and not ending.whole:
        _end()


def _end() -> None:
    """Ends the process without waiting for any thread."""
    with contextlib.suppress(Exception):
        _discard()
    with contextlib.suppress(OSError):
        if _speaks:
            os.write(2, f"framebrush: {interrupted_words()}\n".encode(errors="replace"))
    os._exit(INTERRUPTED + added_to_status)


if sys.platform == "win32":

    def _listen_to_console() -> None:
        """The system ends a process right after the notice that its console closes; Ctrl-C and Ctrl-Break reach
        Python's own handlers as well."""
        import ctypes

        def told(event: int) -> bool:
            if event in _CONSOLE_CLOSES:
                _end()
            threading.Thread(target=_end_later, name="signals", daemon=True).start()
            return False

        global _console_handler
        _console_handler = ctypes.WINFUNCTYPE(ctypes.c_int, ctypes.c_uint)(told)
        ctypes.windll.kernel32.SetConsoleCtrlHandler(_console_handler, True)
