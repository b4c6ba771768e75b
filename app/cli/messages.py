"""Messages for the user at the command line."""

from __future__ import annotations

from contextlib import suppress

from rich.console import Console
from rich.text import Text

from framebrush.base.text import printable

console = Console(stderr=True, highlight=False)


def cell(text: str) -> Text:
    """Text from a file or a driver for a table, so that it steers neither the terminal nor the table's markup."""
    return Text(printable(text))


def print_message(sentence: str) -> None:
    """Print a line for the user, on stderr, because programs read stdout."""
    with suppress(OSError, ValueError):  # stderr may be closed
        console.print(printable(sentence), markup=False, soft_wrap=True)
