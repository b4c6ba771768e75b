"""Requests to end the process: Ctrl-C, SIGTERM, closed terminal or console.

They raise KeyboardInterrupt in the main thread; if a library blocks it, the process ends after GRACE_S.
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

from framebrush.base.status import Status

GRACE_S = 0.6

_CONSOLE_CLOSES = (2, 5, 6)  # CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT, CTRL_SHUTDOWN_EVENT


@dataclass(eq=False, slots=True)
class Ending:
    """Effects of an interruption. kept: remaining work, in words. whole: complete result."""

    kept: str = ""
    whole: bool = False


ending = Ending()
"""State of the program's own job, the only one that a request to this process affects. Jobs of library users have their
own."""

added_to_status = 0
"""Added to every exit status of this process; see `base/supervision.py`."""

wake: Callable[[], object] | None = None
"""Called with a request, in its own thread, to wake a main thread that waits in a library, such as for window
events."""

_discard: Callable[[], object] = lambda: None  # noqa: E731
_loading = True
_speaks = True
_over = False
_deferrals: list[Callable[[], object]] = []
_asked = threading.Event()
_callbacks: set[CodeType] = set()
_console_handler: object = None  # keeps ctypes' callback alive

CallbackT = TypeVar("CallbackT", bound=Callable[..., Any])


def callback(function: CallbackT) -> CallbackT:
    """Decorate a C callback: a request in it raises InterruptedError."""
    _callbacks.add(function.__code__)
    return function


def install() -> None:
    """Start listening; before `loaded`, requests end the process."""
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
    """Return the signals that this process handles."""
    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    found = [getattr(signal, name) for name in names if hasattr(signal, name)]
    return [number for number in found if signal.getsignal(number) is not signal.SIG_IGN]


def loaded(discard: Callable[[], object], *, speaks: bool = True) -> None:
    """Make requests raise KeyboardInterrupt.

    discard: removes unfinished files. speaks: report leftovers.
    """
    global _loading, _discard, _speaks
    _loading, _discard, _speaks = False, discard, speaks


def request_end() -> None:
    """Request the end of this process, from any thread."""
    if sys.platform == "win32":
        _thread.interrupt_main()
        threading.Thread(target=_end_later, name="signals", daemon=True).start()
    else:
        os.kill(os.getpid(), signal.SIGTERM)


def end_requested() -> bool:
    """Return whether an end was requested, which may surface as any error."""
    return _asked.is_set()


def interrupted_words() -> str:
    return f"interrupted; {ending.kept or 'nothing was written'}"


@contextlib.contextmanager
def deferred(finish: Callable[[], object] | None = None) -> Iterator[None]:
    """Defer requests in a block; a second one raises KeyboardInterrupt.

    finish: called at the first if work can end completely; must not wait.
    """
    own = finish or (lambda: None)
    _deferrals.append(own)
    try:
        yield
        if finish is not None and end_requested():
            ignore_requests()
    finally:
        _deferrals.remove(own)


def ignore_requests() -> None:
    """Ignore requests, as the status is final. For the main thread."""
    global _over
    _over = True
    for number in handled():
        signal.signal(number, signal.SIG_IGN)


def _interrupt(number: int, frame: FrameType | None) -> None:
    if ending.whole and not _loading:
        _asked.set()
        return
    if _over or (_asked.is_set() and not _loading and not _deferrals):
        return  # the first one is being handled
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
    with contextlib.suppress(Exception):
        _discard()
    with contextlib.suppress(OSError):
        if _speaks:
            os.write(2, f"framebrush: {interrupted_words()}\n".encode(errors="replace"))
    os._exit(Status.INTERRUPTED + added_to_status)


if sys.platform == "win32":

    def _listen_to_console() -> None:
        import ctypes

        def told(event: int) -> bool:
            if event in _CONSOLE_CLOSES:
                _end()
            threading.Thread(target=_end_later, name="signals", daemon=True).start()
            return False

        global _console_handler
        _console_handler = ctypes.WINFUNCTYPE(ctypes.c_int, ctypes.c_uint)(told)
        ctypes.windll.kernel32.SetConsoleCtrlHandler(_console_handler, True)
