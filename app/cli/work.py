"""Command line as a process: streams, signals and exit status."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from io import TextIOWrapper
from typing import Any, TextIO

from framebrush.base import signals
from framebrush.base.loading import loading
from framebrush.base.status import Status

CLOSED_PIPE = (errno.EPIPE, errno.EINVAL)  # the second one on Windows


def work() -> None:
    """Run the command line and exit, or report the working process's death."""
    open_standard_streams()
    _be_lenient()
    signals.install()  # before the imports below, which take most of a second
    with loading():
        from framebrush.cli.command_line import run
        from framebrush.media.output_file import discard_unfinished

    try:
        signals.loaded(discard_unfinished)
        status = run()
    except KeyboardInterrupt:
        status = int(Status.INTERRUPTED)
    signals.ignore_requests()
    status += signals.added_to_status
    sys.stdout.flush()
    sys.stderr.flush()
    if signals.end_requested():
        # Python exits by SIGINT if a KeyboardInterrupt passed through code that a library ran with PyRun_*.
        os._exit(status)
    sys.exit(status)


def open_standard_streams() -> None:
    """Open missing standard streams, before files get their descriptors."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)


def _be_lenient() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # Windows pipes cannot encode most letters
    sys.stdout, sys.stderr = Lenient(sys.stdout), Lenient(sys.stderr)


class Lenient:
    """Text stream that ignores closed pipes and full disks.

    error: the first, but of closed pipes.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
        self.error: OSError | None = None

    def write(self, text: str) -> int:
        try:
            self._stream.write(text)
        except (OSError, ValueError) as error:
            self._give_up(error)
        return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except (OSError, ValueError) as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        if isinstance(error, OSError) and error.errno not in CLOSED_PIPE:
            self.error = self.error or error
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the stream has
        return getattr(self._stream, name)
