"""Messages for the user."""

from __future__ import annotations

import sys
from contextlib import suppress

from rich.console import Console, RenderableType
from rich.text import Text

from framebrush.base.text import printable

console = Console(stderr=True, highlight=False)


def cell(text: str) -> Text:
    """Return foreign text as a cell, without escapes or markup."""
    return Text(printable(text))


def print_result(result: RenderableType) -> None:
    """Print a command's whole result on stdout. Raises as `check_printed`."""
    if isinstance(result, str):
        print(result)
    else:
        Console().print(result)
    check_printed()


def check_printed() -> None:
    """Raise OutputError if stdout failed, but not for a closed pipe."""
    sys.stdout.flush()
    error: OSError | None = getattr(sys.stdout, "error", None)  # of `work.Lenient`
    if error is not None:
        from framebrush.media.disk import disk_error

        raise disk_error(error, None, "writing to standard output failed")


def print_message(sentence: str) -> None:
    """Print a line on stderr, because programs read stdout."""
    with suppress(OSError, ValueError):  # stderr may be closed
        console.print(printable(sentence), markup=False, soft_wrap=True)
