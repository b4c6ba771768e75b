"""Compile HLSL files to signed DXIL beside them: run by tools/dxil.py.

python tools/dxc.py FOLDER-OF-DXCOMPILER FOLDER-OF-HLSL OPTION...
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path
from typing import Any

import win32more.Windows.Win32.Graphics.Direct3D.Dxc as C


def compiled(compiler: Any, text: bytes, options: list[str]) -> bytes:  # noqa: ANN401 - COM interfaces are untyped
    """Compile a kernel. Exits with the compiler's message."""
    memory, source = ctypes.create_string_buffer(text, len(text)), C.DxcBuffer()
    source.Ptr, source.Size, source.Encoding = ctypes.addressof(memory), len(text), C.DXC_CP_UTF8
    arguments = ctypes.cast((ctypes.c_wchar_p * len(options))(*options), ctypes.POINTER(ctypes.c_wchar_p))
    result = C.IDxcResult()
    compiler.Compile(ctypes.byref(source), arguments, len(options), None, C.IDxcResult._iid_, result)
    said, code = _output(result, C.DXC_OUT_ERRORS), _output(result, C.DXC_OUT_OBJECT)
    result.Release()
    return code or sys.exit(said.decode(errors="replace").strip() or "dxcompiler.dll made nothing")


def _output(result: Any, kind: int) -> bytes:  # noqa: ANN401
    blob = C.IDxcBlob()
    if not result.HasOutput(kind) or result.GetOutput(kind, C.IDxcBlob._iid_, blob, None) < 0 or not blob:
        return b""
    content = ctypes.string_at(blob.GetBufferPointer(), blob.GetBufferSize())
    blob.Release()
    return content


def main(libraries: str, folder: str, *options: str) -> None:
    ctypes.CDLL(str(Path(libraries, "dxil.dll").resolve()))  # dxcompiler.dll looks for the signer by name
    make = ctypes.CDLL(str(Path(libraries, "dxcompiler.dll").resolve())).DxcCreateInstance
    make.restype = ctypes.c_int32
    compiler = C.IDxcCompiler3()
    if make(ctypes.byref(C.CLSID_DxcCompiler), ctypes.byref(C.IDxcCompiler3._iid_), ctypes.byref(compiler)) < 0:
        sys.exit("dxcompiler.dll makes no compiler")
    for path in sorted(Path(folder).glob("*.hlsl")):
        path.with_suffix(".dxil").write_bytes(compiled(compiler, path.read_bytes(), list(options)))


if __name__ == "__main__":
    main(*sys.argv[1:])
