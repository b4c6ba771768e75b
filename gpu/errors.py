"""Errors of devices: operation, object and remedy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from framebrush.base.remedy import RemediedError, cause_of
from framebrush.base.text import first_line

TRY_SMALLER = "try --max-size"
TRY_TILES = "try --tile"
TRY_TILES_OR_SMALLER = "try --tile or --max-size"
TRY_TILES_OR_STROKES = "try --tile or --stroke"
TRY_ANY = "try --tile, --stroke or --max-size"
SMALLER_OR_SMALL_TILES = "--max-size, or --tile with a small number"
"""Remedies for a lack of memory, or for pictures beyond a device's limits."""

SMALLER_RESULT = "a smaller --size"


def less_memory(*, steadies: bool, finishes: bool, second: bool) -> str:
    """Return the remedy for frames that do not fit.

    steadies: neighbours are blended. finishes: strokes or relief are. second: two styles.
    """
    helps = ["--stroke or --max-size", *["--steady 0"] * steadies, *["--brush 0 --relief 0"] * finishes]
    helps += ["leaving out --second"] * second
    return f"try {', '.join(helps)}"


class DeviceError(RemediedError, RuntimeError):
    """A device could not do its work."""


class AbsentError(DeviceError):
    """A kind of device that the machine lacks."""


class NoWindowError(DeviceError):
    """A device cannot present to windows; use the callback."""


class OutOfMemoryError(DeviceError):
    """The device has no memory left."""


class DriverFaultError(DeviceError):
    """A fault that lasts until another driver is installed."""


class WrongResultError(DriverFaultError):
    """A driver's result differs from the reference."""


class RefusedKernelError(DriverFaultError):
    """A driver refused a kernel that it claims to support."""


class DeviceLostError(DeviceError):
    """The device was removed or reset, or its driver crashed."""


class NonFiniteError(DeviceError):
    """A network's output contains NaN or infinity."""


def is_memory_full(error: BaseException | None) -> bool:
    """Return whether memory was full, here or in an error's cause."""
    return error is not None and (isinstance(error, OutOfMemoryError | MemoryError) or is_memory_full(error.__cause__))


def error_report(error: BaseException) -> dict[str, Any]:
    """Return a child process's report of an error, for `reported_error`."""
    cause = cause_of(error) if isinstance(error, RemediedError) else first_line(error)
    is_bare = isinstance(error, MemoryError) and not str(error)
    return {"problem": "out of memory" if is_bare else cause, "memory_full": is_memory_full(error)}


def reported_error(report: Mapping[str, Any]) -> DeviceError:
    """Return the error of a child process's report."""
    kind = OutOfMemoryError if report["memory_full"] else DeviceError
    return kind(str(report["problem"]))
