"""Errors of devices. Each message has the failed operation, its object and a remedy."""

from __future__ import annotations


class DeviceError(RuntimeError):
    """A device could not do its work."""


class AbsentError(DeviceError):
    """Error: the machine has no device of a kind, and nothing needs fixing."""


class NoWindowError(DeviceError):
    """A device cannot present to a window. The application falls back to the callback."""


class OutOfMemoryError(DeviceError):
    """The device has no memory for a frame, a tensor or the network."""


class DeviceLostError(DeviceError):
    """The device was removed or reset, or its driver crashed. All objects on it are invalid."""


class NonFiniteError(DeviceError):
    """A network's output contains NaN or infinity."""
