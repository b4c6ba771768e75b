"""Names that a user types, as names of files."""

from __future__ import annotations

import re

LONGEST_NAME = 60  # characters, 240 bytes at most: with a number and an ending, file systems take 255
_NO_NAME = re.compile(r'[\\/:*?"<>|\x00-\x1f\x7f]+')  # Windows allows none of these, and a blend has colons
_DEVICES = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³])\s*(\..*)?", re.IGNORECASE)


def proper_name(text: str) -> str:
    """A name that works for a file everywhere, with any ending; "" where nothing is left of the text. What Windows
    takes for a device, with any ending, gets an underscore in front."""
    name = " ".join(_NO_NAME.sub(" ", text).split())[:LONGEST_NAME].strip(". ")
    return f"_{name}" if _DEVICES.fullmatch(name) else name
