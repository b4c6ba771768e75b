"""Words for people: the first line of an error, text from files without control characters, counts."""

from __future__ import annotations

MAX_CHARS = 160


def printable(text: str) -> str:
    """The text on one line, without what could steer a terminal or reorder a label.

    White space of any kind becomes a space; control characters, directional ones and bytes that are not text U+FFFD.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in text)


def first_line(error: BaseException) -> str:
    """What an error says, as one line of at most MAX_CHARS characters; its kind where it says nothing."""
    text = getattr(error, "strerror", None) or str(error)
    lines = text.strip().splitlines() if isinstance(text, str) else []
    return printable(lines[0])[:MAX_CHARS] if lines else type(error).__name__


def count_of(number: int, noun: str) -> str:
    """A number with its noun, in the plural where there is not one: "1 frame", "2 frames"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
