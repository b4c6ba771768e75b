"""Errors of devices. Each message says what failed, on what, and what to do."""

from __future__ import annotations


class DeviceError(RuntimeError):
    """A device could not do its work."""


class AbsentError(DeviceError):
    """This machine has no device of a kind, and nothing on it needs fixing."""


class NoWindowError(DeviceError):
    """A device cannot present to a window. It has a callback take its pictures instead."""


class OutOfMemoryError(DeviceError):
    """The device has no room for a frame, a tensor or the network's own memory."""


class DeviceLostError(DeviceError):
    """The device was removed or reset, or its driver crashed. Everything on it is gone."""


class NonFiniteError(DeviceError):
    """The network's output for a frame holds NaN or infinity."""
