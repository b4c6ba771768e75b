"""Errors of devices: operation, object and remedy."""

from __future__ import annotations


class DeviceError(RuntimeError):
    """A device could not do its work."""


class AbsentError(DeviceError):
    """Error: the machine has no device of a kind, and nothing needs fixing."""


class NoWindowError(DeviceError):
    """A device cannot present to a window; use the callback."""


class OutOfMemoryError(DeviceError):
    """The device has no memory left."""


class DeviceLostError(DeviceError):
    """The device was removed or reset, or its driver crashed."""


class NonFiniteError(DeviceError):
    """A network's output contains NaN or infinity."""
