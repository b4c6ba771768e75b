"""HLSL kernels: compilation, a cache of bytecode, and pipelines.

Macros of portable.hlsli also give WGSL. One root signature: inputs (t0..), outputs (u0..), constants (b0), a clamping
sampler (s0).
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import win32more.Windows.Win32.Graphics.Direct3D12 as D
from win32more.Windows.Win32.Graphics.Direct3D import D3D_SHADER_MACRO, ID3DBlob
from win32more.Windows.Win32.Graphics.Direct3D.Fxc import D3DCompile

from framebrush.gpu import kernel_cache
from framebrush.gpu.d3d12 import compiled
from framebrush.gpu.d3d12.errors import code_name
from framebrush.gpu.d3d12.hlsl_sources import Typed, macros, source
from framebrush.gpu.d3d12.native import Native
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.kernel_sources import Variant

TARGET = "cs_5_0"
OPTIMIZATION_LEVEL3 = 1 << 15  # D3DCOMPILE_OPTIMIZATION_LEVEL3
IEEE_STRICTNESS = 1 << 13  # D3DCOMPILE_IEEE_STRICTNESS: keeps NaN
# Strictness forbids it, and painters and strokes would take up to twice the operations.
FUSED = ("conv", "stroke_", "relief_")
"""Name prefixes of kernels that may fuse multiply and add."""


@dataclass(frozen=True)
class Shape:
    """A kernel's threads per group, and t and u registers."""

    group: tuple[int, int]
    reads: int
    writes: int


def flags_of(variant: Variant) -> int:
    """Return a variant's compiler flags."""
    return OPTIMIZATION_LEVEL3 | (0 if variant.name.startswith(FUSED) else IEEE_STRICTNESS)


def shape_of(text: str) -> Shape:
    """Parse a kernel's group size and registers."""
    group = re.search(r"\[numthreads\((\d+), (\d+), 1\)\]", text)
    if not group:
        raise DeviceError("a kernel without [numthreads(x, y, 1)]")
    reads, writes = (
        len(set(re.findall(rf"(?:register\({register}|^{macro}\w*\([^)]+, )(\d+)\)", text, re.M)))
        for register, macro in (("t", "READS"), ("u", "WRITES"))
    )
    return Shape((int(group[1]), int(group[2])), reads, writes)


def bytecode(variant: Variant, text: str, typed: Typed, *, dump: Path | None = None) -> bytes:
    """Compile a kernel, or read its cached bytecode."""
    if compiled.is_native(variant):
        return compiled.read(variant)
    made_of = text, macros(variant, text, typed), TARGET, flags_of(variant), _compiler()
    key = hashlib.sha256(repr(made_of).encode()).hexdigest()
    kept = kernel_cache.cache_folder("shaders") / f"{variant.name}-{key[:32]}.cso"
    code = kernel_cache.read(kept)
    if code is None:
        code = _compile(variant, text, typed)
        kernel_cache.keep(kept, code)
    if dump:
        dump.mkdir(parents=True, exist_ok=True)
        stem = re.sub(r"[^\w.=-]+", "_", str(variant))
        (dump / f"{stem}.hlsl").write_text(text, encoding="utf-8")
        (dump / f"{stem}.cso").write_bytes(code)
    return code


def compile_together(kernels: Iterable[tuple[Variant, Typed]]) -> None:
    """Compile kernels to the cache on all processors."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(lambda kernel: bytecode(kernel[0], source(kernel[0].name), kernel[1]), kernels):
            pass


class Kernel:
    """Pipeline and root signature of a kernel."""

    def __init__(self, native: Native, variant: Variant, typed: Typed, *, dump: Path | None = None) -> None:
        text = source(variant.name)
        code = bytecode(variant, text, typed, dump=dump)
        self.label, self.shape = str(variant), shape_of(text)
        blob = _root_signature(self.shape, self.label)
        try:
            self._root = native.make(
                "CreateRootSignature",
                D.ID3D12RootSignature,
                self.label,
                0,
                blob.GetBufferPointer(),
                blob.GetBufferSize(),
            )
        finally:
            blob.Release()
        description = D.D3D12_COMPUTE_PIPELINE_STATE_DESC()
        memory = ctypes.create_string_buffer(code, len(code))
        description.pRootSignature = self._root.com
        description.CS.pShaderBytecode = ctypes.addressof(memory)
        description.CS.BytecodeLength = len(code)
        try:
            self._pipeline = native.make(
                "CreateComputePipelineState", D.ID3D12PipelineState, self.label, ctypes.byref(description)
            )
        except DeviceError:
            self._root.close()
            raise
        self.root, self.pipeline = self._root.com, self._pipeline.com

    def groups(self, width: int, height: int) -> tuple[int, int]:
        """Return the groups that cover these threads."""
        return -(-width // self.shape.group[0]), -(-height // self.shape.group[1])

    def close(self) -> None:
        self._pipeline.close()
        self._root.close()


def _compile(variant: Variant, text: str, typed: Typed) -> bytes:
    wanted = macros(variant, text, typed)
    given = (D3D_SHADER_MACRO * (len(wanted) + 1))()
    for macro, (name, value) in zip(given, wanted.items(), strict=False):
        macro.Name, macro.Definition = name.encode(), value.encode()
    data = text.encode()
    code, complaint = ID3DBlob(), ID3DBlob()
    file_name = f"{variant.name}.hlsl".encode()
    result = D3DCompile(
        data, len(data), file_name, given, None, b"main", TARGET.encode(), flags_of(variant), 0, code, complaint
    )
    said = _take(complaint).decode(errors="replace").rstrip("\0\n ")
    if result < 0:
        raise DeviceError(f"D3DCompile '{variant}' for {TARGET}: {code_name(result)}\n{said}")
    return _take(code)


def _root_signature(shape: Shape, label: str) -> ID3DBlob:
    parameters = (D.D3D12_ROOT_PARAMETER * 3)()
    ranges = (D.D3D12_DESCRIPTOR_RANGE * 2)()
    kinds = ((D.D3D12_DESCRIPTOR_RANGE_TYPE_SRV, shape.reads), (D.D3D12_DESCRIPTOR_RANGE_TYPE_UAV, shape.writes))
    for index, (kind, count) in enumerate(kinds):
        ranges[index].RangeType, ranges[index].NumDescriptors = kind, count
        parameters[index].ParameterType = D.D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE
        parameters[index].DescriptorTable.NumDescriptorRanges = 1
        parameters[index].DescriptorTable.pDescriptorRanges = ctypes.pointer(ranges[index])
    parameters[2].ParameterType = D.D3D12_ROOT_PARAMETER_TYPE_CBV
    description = D.D3D12_ROOT_SIGNATURE_DESC()
    description.NumParameters = len(parameters)
    description.pParameters = ctypes.cast(parameters, ctypes.POINTER(D.D3D12_ROOT_PARAMETER))
    sampler = D.D3D12_STATIC_SAMPLER_DESC()
    sampler.Filter = D.D3D12_FILTER_MIN_MAG_MIP_POINT
    sampler.AddressU = sampler.AddressV = sampler.AddressW = D.D3D12_TEXTURE_ADDRESS_MODE_CLAMP
    description.NumStaticSamplers = 1
    description.pStaticSamplers = ctypes.pointer(sampler)
    blob, complaint = ID3DBlob(), ID3DBlob()
    result = D.D3D12SerializeRootSignature(ctypes.byref(description), D.D3D_ROOT_SIGNATURE_VERSION_1, blob, complaint)
    said = _take(complaint).decode(errors="replace").rstrip("\0\n ")
    if result < 0:
        raise DeviceError(f"D3D12SerializeRootSignature '{label}': {code_name(result)}\n{said}")
    return blob


def _take(blob: ID3DBlob) -> bytes:
    if not blob:
        return b""
    content = ctypes.string_at(blob.GetBufferPointer(), blob.GetBufferSize())
    blob.Release()
    return content


@cache
def _compiler() -> str:
    path = Path(os.environ.get("SYSTEMROOT", "C:\\Windows")) / "System32" / "d3dcompiler_47.dll"
    try:
        stat = path.stat()
    except OSError:
        return ""
    return f"{stat.st_size} {stat.st_mtime_ns}"
