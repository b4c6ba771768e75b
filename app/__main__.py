"""Entry point of `framebrush` and of `python -m framebrush`."""

from __future__ import annotations

import contextlib
import os
import sys
from io import TextIOWrapper
from typing import Any, TextIO

from framebrush.base import signals, supervision
from framebrush.base.loading import loading


def main() -> None:
    """Run the command line; ends the process with its exit status."""
    _open_standard_streams()
    arguments = sys.argv[1:]
    if not supervision.WORDS.isdisjoint(arguments):
        status = supervision.supervise(arguments)
        if status is not None:
            sys.exit(status)
    work()


def work() -> None:
    """Run the command line in this process; ends it with the exit status. Where the work was done in another process,
    which died, the command reports that instead."""
    _open_standard_streams()
    _be_lenient()
    signals.install()  # before the imports below, which take most of a second
    with loading():
        from framebrush.cli.commands import run
        from framebrush.media.output_file import discard_unfinished

    try:
        signals.loaded(discard_unfinished)
        status = run()
    except KeyboardInterrupt:
        status = signals.INTERRUPTED
    signals.over()
    status += signals.added_to_status
    sys.stdout.flush()
    sys.stderr.flush()
    if signals.asked():
        # Python ends by SIGINT where a KeyboardInterrupt has passed through code that a library ran with PyRun_*.
        os._exit(status)
    sys.exit(status)


def _open_standard_streams() -> None:
    """A process may be started without them; the first files that it opens would take their place."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)


def _be_lenient() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a pipe on Windows has few letters
    sys.stdout, sys.stderr = Lenient(sys.stdout), Lenient(sys.stderr)


class Lenient:
    """A text stream that drops what a closed pipe or a full disk does not take: nobody is listening any more."""

    def __init__(self, stream: TextIO | None) -> None:
        """stream: None where the process was started without it."""
        self._stream = stream or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
        self._lost = False

    def write(self, text: str) -> int:
        if not self._lost:
            try:
                self._stream.write(text)
            except (OSError, ValueError):
                self._give_up()
        return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except (OSError, ValueError):
            self._give_up()

    def _give_up(self) -> None:
        """What the stream still holds goes nowhere, so that the end of the process finds no error."""
        self._lost = True
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the stream has
        return getattr(self._stream, name)


if __name__ == "__main__":
    main()
