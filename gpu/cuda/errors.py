"""Errors that users can act on, from CUresult codes."""

from __future__ import annotations

import re

from framebrush.base.text import printable
from framebrush.gpu.errors import TRY_ANY, DeviceError, DeviceLostError, OutOfMemoryError

CODES = {
    1: "CUDA_ERROR_INVALID_VALUE",
    2: "CUDA_ERROR_OUT_OF_MEMORY",
    4: "CUDA_ERROR_DEINITIALIZED",
    46: "CUDA_ERROR_DEVICE_UNAVAILABLE",
    100: "CUDA_ERROR_NO_DEVICE",
    101: "CUDA_ERROR_INVALID_DEVICE",
    201: "CUDA_ERROR_INVALID_CONTEXT",
    209: "CUDA_ERROR_NO_BINARY_FOR_GPU",
    214: "CUDA_ERROR_ECC_UNCORRECTABLE",
    220: "CUDA_ERROR_NVLINK_UNCORRECTABLE",
    304: "CUDA_ERROR_OPERATING_SYSTEM",
    700: "CUDA_ERROR_ILLEGAL_ADDRESS",
    701: "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
    702: "CUDA_ERROR_LAUNCH_TIMEOUT",
    709: "CUDA_ERROR_CONTEXT_IS_DESTROYED",
    710: "CUDA_ERROR_ASSERT",
    714: "CUDA_ERROR_HARDWARE_STACK_ERROR",
    715: "CUDA_ERROR_ILLEGAL_INSTRUCTION",
    716: "CUDA_ERROR_MISALIGNED_ADDRESS",
    717: "CUDA_ERROR_INVALID_ADDRESS_SPACE",
    718: "CUDA_ERROR_INVALID_PC",
    719: "CUDA_ERROR_LAUNCH_FAILED",
    801: "CUDA_ERROR_NOT_SUPPORTED",
    802: "CUDA_ERROR_SYSTEM_NOT_READY",
    803: "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
    804: "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE",
    999: "CUDA_ERROR_UNKNOWN",
}
OUT_OF_MEMORY = 2
NOT_READY = 600
CAPTURE = frozenset(range(900, 909))
"""Codes of a failed capture, often caused by a driver call of another thread. Nothing was queued."""

LOST = frozenset((4, 46, 201, 214, 220, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 999))
"""Codes after which nothing works on this GPU in this process."""

AGAIN = "restart the program; update the NVIDIA driver if this happens again"


class CaptureError(DeviceError):
    """A CUDA graph could not be captured."""


def code_name(code: int) -> str:
    """Return a CUresult's name, or "CUDA error 12"."""
    return CODES.get(code, f"CUDA error {code}")


def failure(code: int, call: str, label: str = "") -> DeviceError:
    """Make the error for a failed driver call."""
    what = f"{call} {label}".rstrip()
    if code == OUT_OF_MEMORY:
        return OutOfMemoryError(f"{what}: out of memory", do=TRY_ANY)
    if code in LOST:
        return DeviceLostError(f"{what}: the GPU was lost ({code_name(code)}); {AGAIN}")
    return (CaptureError if code in CAPTURE else DeviceError)(f"{what}: {code_name(code)}")


def network_failure(message: str, what: str) -> DeviceError:
    """Make the error for a message of ONNX Runtime."""
    found = re.search(r"CUDA (?:failure|error) (\d+)", message)
    code = int(found[1]) if found else 0
    if code == OUT_OF_MEMORY or re.search(
        r"bad_alloc|[Ff]ailed to allocate memory|CUBLAS_STATUS_ALLOC_FAILED", message
    ):
        return OutOfMemoryError(f"{what}: out of memory", do=TRY_ANY)
    if code in LOST:
        return DeviceLostError(f"{what}: the GPU was lost ({code_name(code)}); {AGAIN}")
    return DeviceError(f"{what}: {printable(message)}")  # may contain names from a hostile file
