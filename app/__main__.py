"""Entry point of `framebrush` and of `python -m framebrush`."""

from __future__ import annotations

import contextlib
import os
import sys

from framebrush import signals


def main() -> None:
    """Run the command line; ends the process with its exit status."""
    _give_standard_streams()
    signals.install()  # before the imports below, which take most of a second
    from framebrush.cli import run
    from framebrush.media.output_file import discard_unfinished

    try:
        signals.loaded(discard_unfinished)
        status = run()
    except KeyboardInterrupt:
        status = signals.INTERRUPTED
    signals.over()
    _flush()
    sys.exit(status)


def _give_standard_streams() -> None:
    """A process may be started without them; the first files that it opens would take their place."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123


def _flush() -> None:
    """What a closed pipe or a full disk does not take is dropped here, and changes no exit status."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    main()
