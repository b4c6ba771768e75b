"""CUDA kernels: compilation by NVRTC, a cache of machine code, packed launches.

A kernel's first line lists inputs, outputs, group, reference and tolerance. Its HLSL twin has the same name.
"""

from __future__ import annotations

import ctypes
import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from cuda.bindings import driver, nvrtc
from cuda.core import Program, ProgramOptions

from framebrush.gpu import kernel_cache, layouts
from framebrush.gpu.cuda.cuda_records import LAYOUTS
from framebrush.gpu.cuda.native import Native, Stream, check
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.kernel_sources import Variant, kernel_text

STANDARD = "c++17"
STATIC_SHARED_BYTES = 48 << 10  # shared memory without opting in

Argument: TypeAlias = int | npt.NDArray[Any] | np.generic
"""Pointer, record of constants, or number."""


@cache
def source(name: str) -> str:
    """Return a kernel's text with includes and structs."""

    def declaration(record: str) -> str:
        return layouts.cuda(record.capitalize(), LAYOUTS[record])

    return kernel_text("framebrush.gpu.cuda", "kernels", f"{name}.cu", declaration)


@cache
def group(name: str) -> tuple[int, int]:
    """Return a group's threads, from the kernel's first line."""
    found = re.search(r"Group (\d+)x(\d+)", source(name).splitlines()[0])
    if not found:
        raise DeviceError(f"the kernel {name} does not say its group")
    return int(found[1]), int(found[2])


def machine_code(variant: Variant, capability: int, *, dump: Path | None = None) -> bytes:
    """Compile a kernel, or read its machine code from the cache.

    capability: times ten. Returns PTX for GPUs newer than the compiler.
    """
    text = "".join(f"#define {name} {value}\n" for name, value in variant.defines) + source(variant.name)
    known, version = _compiler()
    kind = "cubin" if capability in known else "ptx"
    arch = f"{'sm' if kind == 'cubin' else 'compute'}_{max((one for one in known if one <= capability), default=75)}"
    key = hashlib.sha256(repr((text, arch, STANDARD, version)).encode()).hexdigest()
    kept = kernel_cache.cache_folder("kernels") / f"{variant.name}-{key[:32]}.{kind}"
    code = kernel_cache.read(kept)
    if code is None:
        code = _compile(variant, text, arch, kind)
        kernel_cache.keep(kept, code)
    if dump:
        dump.mkdir(parents=True, exist_ok=True)
        stem = re.sub(r"[^\w.=-]+", "_", str(variant))
        (dump / f"{stem}.cu").write_text(text, encoding="utf-8")
        (dump / f"{stem}.{kind}").write_bytes(code)
    return code


def _compile(variant: Variant, text: str, arch: str, kind: str) -> bytes:
    try:
        options = ProgramOptions(name=f"{variant.name}.cu", arch=arch, std=STANDARD)
        code = Program(text, "c++", options).compile(kind).code
    except Exception as error:  # cuda-core's own type, with the compiler's text
        raise DeviceError(f"NVRTC '{variant}' for {arch}: {error}") from error
    return code.encode() if isinstance(code, str) else bytes(code)


@cache
def _compiler() -> tuple[tuple[int, ...], tuple[int, int]]:
    code, known = nvrtc.nvrtcGetSupportedArchs()
    version_code, major, minor = nvrtc.nvrtcVersion()
    if int(code) or int(version_code):
        raise DeviceError("NVRTC does not say what it compiles for; install nvidia-cuda-nvrtc again")
    return tuple(int(one) for one in known), (int(major), int(minor))


class Arguments:
    """Packed arguments of a launch."""

    def __init__(self, *values: Argument) -> None:
        self._kept = [self._packed(value) for value in values]
        self._table = (ctypes.c_void_p * len(values))(*(ctypes.addressof(one) for one in self._kept))
        self.address = ctypes.addressof(self._table)

    def set(self, index: int, value: Argument) -> None:
        """Change an argument. Queued launches keep their copy."""
        self._kept[index] = self._packed(value)
        self._table[index] = ctypes.addressof(self._kept[index])

    @staticmethod
    def _packed(value: Argument) -> ctypes.Array[ctypes.c_char] | ctypes.c_uint64:
        if isinstance(value, int):
            return ctypes.c_uint64(value)
        data = value.tobytes()
        return ctypes.create_string_buffer(data, len(data))


class Kernel:
    """Kernel on a GPU. label: of the variant."""

    def __init__(self, native: Native, variant: Variant, *, dump: Path | None = None) -> None:
        self.label, self._native, self._group = str(variant), native, group(variant.name)
        code = machine_code(variant, native.in_use.capability, dump=dump)
        self._module = check(driver.cuModuleLoadData(code), "cuModuleLoadData", self.label)
        native.remember(self.label)
        name = variant.name.encode()
        try:
            self._function = check(driver.cuModuleGetFunction(self._module, name), "cuModuleGetFunction", self.label)
        except DeviceError:
            self.close()
            raise

    def allow_shared(self, size_bytes: int) -> None:
        """Opt in to more dynamic shared memory."""
        if size_bytes > STATIC_SHARED_BYTES:
            kind = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            check(driver.cuFuncSetAttribute(self._function, kind, size_bytes), "cuFuncSetAttribute", self.label)

    def launch(self, stream: Stream, threads: tuple[int, int], arguments: Arguments) -> None:
        """Queue the kernel with at least these threads."""
        groups = -(-threads[0] // self._group[0]), -(-threads[1] // self._group[1])
        self.launch_groups(stream, groups, arguments)

    def launch_groups(
        self, stream: Stream, groups: tuple[int, int], arguments: Arguments, shared_bytes: int = 0
    ) -> None:
        """Queue the kernel with a number of groups."""
        result = driver.cuLaunchKernel(
            self._function, *groups, 1, *self._group, 1, shared_bytes, stream.handle, arguments.address, 0
        )
        check(result, "cuLaunchKernel", self.label)

    def close(self) -> None:
        if self._module is not None:
            driver.cuModuleUnload(self._module)
            self._module = None
            self._native.forget(self.label)


def planes_record(pointers: tuple[int, ...], pitches: tuple[int, ...]) -> npt.NDArray[Any]:
    """Make the argument `Planes` of kernels. pitches: in samples."""
    record = np.zeros((), PLANES)
    record["plane"][: len(pointers)] = pointers
    record["pitch"][: len(pitches)] = pitches
    return record


PLANES = np.dtype([("plane", "<u8", (3,)), ("pitch", "<u4", (3,)), ("padding", "<u4")])
