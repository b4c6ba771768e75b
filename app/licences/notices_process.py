"""Licence notices from a process, since they take half a second."""

from __future__ import annotations

from framebrush.base import parent
from framebrush.base.child import DiedError, ask_once
from framebrush.licences import notices

LIMIT_S = 60.0  # usually half a second; a hung process must not keep the dialog empty


def notices_from_process() -> str:
    """Return `notices`; computed here if the process fails. Raises OSError."""
    try:
        said, _ = ask_once("framebrush.licences.notices_process", None, LIMIT_S)
    except DiedError:
        return notices()
    return str(said["notices"])


if __name__ == "__main__":
    parent.listen(lambda _: None)
    parent.report({"notices": notices()})
