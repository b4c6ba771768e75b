"""Conversion of typed names to file names."""

from __future__ import annotations

import re

LONGEST_NAME = 60  # characters, at most 240 bytes; file systems allow 255 with a number and a suffix
NUMBER = re.compile(r"%(0\d)?d")
"""Printf number in the name of numbered pictures."""
PROJECT_SUFFIX = ".framebrush"

_NO_NAME = re.compile(r'[\\/:*?"<>|\x00-\x1f\x7f]+')  # forbidden on Windows; blends contain colons
_DEVICES = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³])\s*(\..*)?", re.IGNORECASE)


def proper_name(text: str) -> str:
    """Return a file name valid on every system, or ""."""
    name = " ".join(_NO_NAME.sub(" ", text).split())[:LONGEST_NAME].strip(". ")
    return f"_{name}" if _DEVICES.fullmatch(name) else name
