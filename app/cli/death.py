"""Reports of a working process's death."""

from __future__ import annotations

from framebrush.base import supervision
from framebrush.cli.messages import console
from framebrush.gpu.errors import DeviceError


def check_alive(source: str, target: str) -> None:
    """Raise DeviceError if the painting process died; remove incomplete files."""
    if supervision.death:
        from framebrush.jobs.segments.leftovers import (
            remove_leftovers,  # imported here: it loads every module that writes job files
        )

        raise _death(f"the process that painted {source} {supervision.death}; {remove_leftovers(target)}")


def check_alive_at_all() -> None:
    """Raise DeviceError if a process without files died."""
    if supervision.death:
        raise _death(f"the process that did this {supervision.death}")


def check_checked(*, listed: bool) -> None:
    """Raise DeviceError if doctor's process died. listed: after some checks."""
    if supervision.death:
        where = "the check after the last one above" if listed else "one of the checks (without --json, see which)"
        raise _death(
            f"{where} could not be made: its process {supervision.death}, usually because of a graphics driver; "
            "update the driver"
        )


def _death(sentence: str) -> DeviceError:
    if console.is_terminal:  # a progress bar may have been active
        console.show_cursor()
        console.line()
    return DeviceError(sentence)
