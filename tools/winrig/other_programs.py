"""Rig only: prepare files for programs other than the rig's Python, in this run.

    python -S other_programs.py        (-S: no remaining process may have Direct3D 12 loaded)

Such programs have no sitecustomize.py, so ID3D12Device5::EnumerateMetaCommands is overwritten in Wine's library, and
Microsoft's shader compiler is added.
"""

import ctypes
import shutil
import subprocess
import sys
import uuid
from pathlib import Path

assert sys.platform == "win32"

FEATURE_LEVEL_11_0 = 0xB000
ID3D12DEVICE5 = uuid.UUID("8b4f173b-2fea-4b80-8f58-4307191ab95d").bytes_le
SLOT_ENUMERATE_META_COMMANDS = 59
COMPILER = "d3dcompiler_47.dll"
SYSTEM = "C:/windows/system32"
FOLDERS = ("Z:/usr/lib/x86_64-linux-gnu/wine/x86_64-windows", SYSTEM)
REPORT_NONE = bytes.fromhex("c70200000000 31c0 c3")  # mov dword ptr [rdx], 0; xor eax, eax; ret


def find() -> None:
    """Print the library with the method, and its first 32 bytes."""
    device, module = ctypes.c_void_p(), ctypes.c_void_p()
    if ctypes.WinDLL("d3d12.dll").D3D12CreateDevice(None, FEATURE_LEVEL_11_0, ID3D12DEVICE5, ctypes.byref(device)) < 0:
        sys.exit("there is no Direct3D 12 here")
    methods = ctypes.cast(ctypes.cast(device, ctypes.POINTER(ctypes.c_void_p))[0], ctypes.POINTER(ctypes.c_void_p))
    method = ctypes.c_void_p(methods[SLOT_ENUMERATE_META_COMMANDS])
    kernel = ctypes.WinDLL("kernel32.dll")
    kernel.GetModuleHandleExW(4, method, ctypes.byref(module))  # GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS
    name = ctypes.create_unicode_buffer(260)
    kernel.GetModuleFileNameW(module, name, len(name))
    print(Path(name.value).name, ctypes.string_at(method, 32).hex())


def patch() -> None:
    """Overwrite the method in every copy of the library."""
    found = subprocess.run([sys.executable, "-S", __file__, "find"], capture_output=True, text=True)
    if found.returncode:
        sys.exit(found.stderr)
    name, digits = found.stdout.split()
    code = bytes.fromhex(digits)
    patched = 0
    for library in (Path(folder) / name for folder in FOLDERS):
        content = library.read_bytes() if library.is_file() else b""
        if content.count(code) == 1:
            library.write_bytes(content.replace(code, REPORT_NONE + code[len(REPORT_NONE) :]))
            patched += 1
    if not patched:
        sys.exit(f"the method was not found in {name}")


if __name__ == "__main__":
    if sys.argv[1:] == ["find"]:
        find()
    else:
        patch()
        shutil.copy(Path(sys.executable).with_name(COMPILER), SYSTEM)
