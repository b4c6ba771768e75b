"""Messages for the user."""

from __future__ import annotations

from contextlib import suppress

from rich.console import Console
from rich.text import Text

from framebrush.base.text import printable

console = Console(stderr=True, highlight=False)


def cell(text: str) -> Text:
    """Return foreign text as a cell, without escapes or markup."""
    return Text(printable(text))


def print_message(sentence: str) -> None:
    """Print a line on stderr, because programs read stdout."""
    with suppress(OSError, ValueError):  # stderr may be closed
        console.print(printable(sentence), markup=False, soft_wrap=True)
