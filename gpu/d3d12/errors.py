"""Errors that users can act on, from HRESULTs."""

from __future__ import annotations

import re

from framebrush.gpu.errors import TRY_TILES_OR_SMALLER, DeviceError, DeviceLostError, OutOfMemoryError

CODES = {
    0x80004001: "E_NOTIMPL",
    0x80004002: "E_NOINTERFACE",
    0x80004003: "E_POINTER",
    0x80004005: "E_FAIL",
    0x8007000E: "E_OUTOFMEMORY",
    0x80070057: "E_INVALIDARG",
    0x887A0001: "DXGI_ERROR_INVALID_CALL",
    0x887A0002: "DXGI_ERROR_NOT_FOUND",
    0x887A0004: "DXGI_ERROR_UNSUPPORTED",
    0x887A0005: "DXGI_ERROR_DEVICE_REMOVED",
    0x887A0006: "DXGI_ERROR_DEVICE_HUNG",
    0x887A0007: "DXGI_ERROR_DEVICE_RESET",
    0x887A000A: "DXGI_ERROR_WAS_STILL_DRAWING",
    0x887A0020: "DXGI_ERROR_DRIVER_INTERNAL_ERROR",
    0x887A0022: "DXGI_ERROR_NOT_CURRENTLY_AVAILABLE",
    0x887A002B: "DXGI_ERROR_ACCESS_DENIED",
    0x887A002D: "DXGI_ERROR_SDK_COMPONENT_MISSING",
    0x887E0001: "D3D12_ERROR_ADAPTER_NOT_FOUND",
    0x887E0002: "D3D12_ERROR_DRIVER_VERSION_MISMATCH",
}
OUT_OF_MEMORY = 0x8007000E
REMOVED = frozenset((0x887A0005, 0x887A0006, 0x887A0007, 0x887A0020))
LOST = "update the graphics driver if this happens again"


def code_name(hresult: int) -> str:
    """Return an HRESULT's name: "E_OUTOFMEMORY", or "0x8000ffff"."""
    code = hresult & 0xFFFFFFFF
    return CODES.get(code, f"0x{code:08x}")


def failure(hresult: int, call: str, label: str = "", *, reason: int = 0, messages: str = "") -> DeviceError:
    """Make the error for a failed call.

    reason: GetDeviceRemovedReason. messages: debug layer's.
    """
    what = f"{call} {label}".rstrip()
    tail = f"\n{messages}" if messages else ""
    code = hresult & 0xFFFFFFFF
    if reason or code in REMOVED:
        return DeviceLostError(f"{what}: the device was removed ({code_name(reason or code)}); {LOST}{tail}")
    if code == OUT_OF_MEMORY:
        return OutOfMemoryError(f"{what}: out of memory ({code_name(code)})", do=f"{TRY_TILES_OR_SMALLER}{tail}")
    return DeviceError(f"{what}: {code_name(code)}{tail}")


def code_in(message: str) -> int:
    """Return the last failing HRESULT in a message, or 0."""
    found = re.findall(r"(?<![0-9A-Za-z])(?:0x)?(8[0-9A-Fa-f]{7})(?![0-9A-Za-z])", message)
    return int(found[-1], 16) if found else 0
