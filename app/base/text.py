"""Texts for users: errors, counts, sizes."""

from __future__ import annotations

from framebrush.base.remedy import cause_of

MAX_CHARS = 160

UNITS = "kB", "MB", "GB", "TB"
"""Units of sizes, after bytes."""


def printable(text: str) -> str:
    """Put text on one line, without control characters."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in text)


def first_line(error: BaseException) -> str:
    """Return an error's cause or type, in MAX_CHARS."""
    text = getattr(error, "strerror", None) or cause_of(error)
    lines = text.strip().splitlines() if isinstance(text, str) else []
    line = printable(lines[0]) if lines else type(error).__name__
    if len(line) <= MAX_CHARS:
        return line
    kept = line[: MAX_CHARS - 2]
    return f"{kept.rpartition(' ')[0] or kept} …"


def as_sentence(text: str) -> str:
    """Capitalise an error's text, unless it begins with a file."""
    name, colon, _ = text.partition(": ")
    names_file = bool(colon) and not set(name).isdisjoint("./\\")
    return text if names_file or not text.partition(" ")[0].isalpha() else text[:1].upper() + text[1:]


def count_of(number: float, noun: str, verb: str = "") -> str:
    """Format "1 frame", "2 frames", "29.97 frames". verb: both forms, "is/are"."""
    singular, _, plural = verb.partition("/")
    text = f"{number:.5g}" if isinstance(number, float) else f"{number}"
    return f"{text} {noun} {singular}".rstrip() if text == "1" else f"{text} {noun}s {plural}".rstrip()


def data_size(size_bytes: int) -> str:
    """Format bytes in decimal units: "999 bytes", "1.2 kB", "3.4 MB"."""
    if size_bytes < 1000:
        return count_of(size_bytes, "byte")
    power = min((len(str(size_bytes)) - 1) // 3, len(UNITS))
    return f"{size_bytes / 1000**power:.1f} {UNITS[power - 1]}"
