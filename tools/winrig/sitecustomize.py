"""Rig only: find `framebrush` in the project's folder, and help DirectML.

DirectML.dll calls ID3D12Device5::EnumerateMetaCommands, which Wine 10 lacks. Metacommands are optional, so the method
table is patched to report none.
"""

import ctypes
import os
import sys
import uuid
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path

PROJECT = Path(os.environ.get("WINRIG_PROJECT", "."))
PACKAGES = {"framebrush": "app", "framebrush.gpu": "gpu", "framebrush.models": "models"}  # as in pyproject.toml


class _ProjectFinder:
    """Import finder for the project that the run was started in, like an editable install."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: object = None) -> ModuleSpec | None:
        if name not in PACKAGES:
            return None
        return spec_from_file_location(name, PROJECT / PACKAGES[name] / "__init__.py")


if (PROJECT / "app" / "__init__.py").is_file():
    sys.meta_path.append(_ProjectFinder)

if sys.platform == "win32":
    FEATURE_LEVEL_11_0 = 0xB000
    ID3D12DEVICE5 = uuid.UUID("8b4f173b-2fea-4b80-8f58-4307191ab95d").bytes_le
    SLOT_RELEASE, SLOT_ENUMERATE_META_COMMANDS = 2, 59
    PAGE_EXECUTE_READWRITE = 0x40

    def _report_none(_device: int, count: "ctypes._Pointer[ctypes.c_uint32]", _descriptions: int) -> int:
        count[0] = 0
        return 0

    _Method = ctypes.WINFUNCTYPE(ctypes.c_long, ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint32), ctypes.c_void_p)
    _no_meta_commands = _Method(_report_none)  # lives as long as the process: the table points at it

    def _patch() -> None:
        device = ctypes.c_void_p()
        create = ctypes.WinDLL("d3d12.dll").D3D12CreateDevice
        if create(None, FEATURE_LEVEL_11_0, ID3D12DEVICE5, ctypes.byref(device)) < 0:
            return  # no Direct3D 12 here: the product's own message is the better one
        methods = ctypes.cast(ctypes.cast(device, ctypes.POINTER(ctypes.c_void_p))[0], ctypes.POINTER(ctypes.c_void_p))
        slot = ctypes.addressof(methods.contents) + SLOT_ENUMERATE_META_COMMANDS * ctypes.sizeof(ctypes.c_void_p)
        protect = ctypes.WinDLL("kernel32").VirtualProtect
        protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_void_p]
        if protect(slot, ctypes.sizeof(ctypes.c_void_p), PAGE_EXECUTE_READWRITE, ctypes.byref(ctypes.c_uint32())):
            methods[SLOT_ENUMERATE_META_COMMANDS] = ctypes.cast(_no_meta_commands, ctypes.c_void_p).value
        ctypes.WINFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p)(methods[SLOT_RELEASE])(device)

    if not os.environ.get("WINRIG_D3D12"):  # vkd3d-proton has the method
        _patch()
