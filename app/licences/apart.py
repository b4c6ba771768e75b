"""The notices, read in a process of their own: half a second of Python, for which the window would have to wait."""

from __future__ import annotations

from framebrush.base import parent
from framebrush.base.child import DiedError, ask_once
from framebrush.licences import notices

LIMIT_S = 60.0  # of what takes half a second; a process that hangs must not leave the dialog empty for good


def notices_apart() -> str:
    """What `notices` gives; read here where that process fails. Raises OSError."""
    try:
        said, _ = ask_once("framebrush.licences.apart", None, LIMIT_S)
    except DiedError:
        return notices()
    return str(said["notices"])


if __name__ == "__main__":
    parent.say({"notices": notices()})
