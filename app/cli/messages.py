"""Sentences for the person at the command line."""

from __future__ import annotations

from contextlib import suppress

from rich.console import Console
from rich.text import Text

from framebrush.base.text import printable

console = Console(stderr=True, highlight=False)


def cell(text: str) -> Text:
    """A text from a file or a driver for a table: as it is, without what could steer the terminal or the table."""
    return Text(printable(text))


def print_message(sentence: str) -> None:
    """A line for the person, on stderr, out of the way of what a program reads."""
    with suppress(OSError, ValueError):  # nobody is listening any more
        console.print(printable(sentence), markup=False, soft_wrap=True)
