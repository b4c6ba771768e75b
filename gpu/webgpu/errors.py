"""Errors that users can act on, from wgpu's messages."""

from __future__ import annotations

from framebrush.base.text import printable
from framebrush.gpu.errors import TRY_ANY, DeviceError, DeviceLostError, OutOfMemoryError

LOST = "restart the program, and update the graphics driver if this happens again"
_GONE = ("is lost", "device lost", "devicelost", "has been destroyed")
_FULL = ("out of memory", "not enough memory", "outofmemory")


def failure(message: str, what: str) -> DeviceError:
    """Make the error for a failed call; the message ends in the reason."""
    said = message.lower()
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    why = printable(lines[-1]) if lines else "no reason was given"
    if any(word in said for word in _GONE):
        return DeviceLostError(f"{what}: the GPU was lost ({why}); {LOST}")
    if any(word in said for word in _FULL):
        return OutOfMemoryError(f"{what}: out of memory", do=TRY_ANY)
    return DeviceError(f"{what}: {why}")


def too_large(what: str, size_bytes: int, most_bytes: int) -> OutOfMemoryError:
    """Make the error for a buffer beyond the largest binding."""
    return OutOfMemoryError(
        f"{what} needs {size_bytes / 2**20:.1f} MiB in one piece, and this adapter takes {most_bytes / 2**20:.1f} MiB "
        f"at most",
        do=TRY_ANY,
    )
