"""Words for people: the first line of an error, text from files without control characters, counts, sizes."""

from __future__ import annotations

MAX_CHARS = 160

UNITS = "kB", "MB", "GB", "TB"
"""Of sizes, after bytes."""


def printable(text: str) -> str:
    """The text on one line, without what could steer a terminal or reorder a label.

    White space of any kind becomes a space; control characters, directional ones and bytes that are not text U+FFFD.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in text)


def first_line(error: BaseException) -> str:
    """What an error says, as one line; its kind where it says nothing. What is longer than MAX_CHARS characters is cut
    between words, and a sign says so."""
    text = getattr(error, "strerror", None) or str(error)
    lines = text.strip().splitlines() if isinstance(text, str) else []
    line = printable(lines[0]) if lines else type(error).__name__
    if len(line) <= MAX_CHARS:
        return line
    kept = line[: MAX_CHARS - 2]
    return f"{kept.rpartition(' ')[0] or kept} …"


def count_of(number: int, noun: str, verb: str = "") -> str:
    """A number with its noun, in the plural where there is not one: "1 frame", "2 frames". verb: of both, "is/are"."""
    singular, _, plural = verb.partition("/")
    return f"{number} {noun} {singular}".rstrip() if number == 1 else f"{number} {noun}s {plural}".rstrip()


def data_size(size_bytes: int) -> str:
    """A number of bytes in the unit that suits it, of which one is a thousand of the one before, as the window has it:
    "999 bytes", "1.2 kB", "3.4 MB"."""
    if size_bytes < 1000:
        return count_of(size_bytes, "byte")
    power = min((len(str(size_bytes)) - 1) // 3, len(UNITS))
    return f"{size_bytes / 1000**power:.1f} {UNITS[power - 1]}"
