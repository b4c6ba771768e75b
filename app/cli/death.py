"""Report the death of the process that did a command's work, which cannot report it itself."""

from __future__ import annotations

from framebrush.base import supervision
from framebrush.cli.messages import console
from framebrush.gpu.errors import DeviceError


def check_alive(source: str, target: str) -> None:
    """For a command that paints a source. Raises DeviceError if the process that did the work has died, after removing
    what that left half-written."""
    if supervision.death:
        from framebrush.jobs.left import tidied  # here, not above: it loads all that a job may leave

        raise _death(f"the process that painted {source} {supervision.death}; {tidied(target)}")


def check_alive_at_all() -> None:
    """For a command that has nothing to remove. Raises DeviceError."""
    if supervision.death:
        raise _death(f"the process that did this {supervision.death}")


def check_checked(*, listed: bool) -> None:
    """For doctor. listed: whether the checks before that in which the process died were printed. Raises DeviceError."""
    if supervision.death:
        where = "the check after the last one above" if listed else "one of the checks (without --json, see which)"
        raise _death(
            f"{where} could not be made: its process {supervision.death}, which most often is the fault of a graphics "
            "driver; update it"
        )


def _death(sentence: str) -> DeviceError:
    if console.is_terminal:  # it may have been drawing a bar
        console.show_cursor()
        console.line()
    return DeviceError(sentence)
