"""Errors of devices: operation, object and remedy."""

from __future__ import annotations

from framebrush.base.remedy import RemediedError

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
    """The machine lacks a kind of device; nothing needs fixing."""


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
