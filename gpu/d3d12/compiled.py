"""Packaged DXIL of kernels for shader model 6.2 (`python tools/dev.py shaders`)."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

from framebrush.gpu.errors import DeviceError
from framebrush.gpu.kernel_sources import Variant

NATIVE = ("NATIVE", "1")
"""Define of variants with native 16-bit arithmetic, for which D3DCompile has no types."""


@cache
def digest() -> str:
    """Return a digest of all packaged files."""
    folder = files("framebrush.gpu.d3d12") / "dxil"
    shipped = sorted((path.name, path.read_bytes()) for path in folder.iterdir())
    return hashlib.sha256(repr(shipped).encode()).hexdigest()


def is_native(variant: Variant) -> bool:
    """Return whether a variant computes in native 16 bits."""
    return NATIVE in variant.defines


def read(variant: Variant) -> bytes:
    """Return a variant's DXIL. Raises DeviceError without it."""
    try:
        return (files("framebrush.gpu.d3d12") / "dxil" / f"{variant.stem}.dxil").read_bytes()
    except FileNotFoundError as error:
        raise DeviceError(f"there is no DXIL of '{variant}'") from error
