"""DLPack capsules of planes in GPU memory (dlpack.h 0.8)."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from framebrush.gpu.frame import DeviceFrame

CUDA, UNSIGNED, FLOAT = 2, 1, 2  # kDLCUDA, kDLUInt, kDLFloat of dlpack.h


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_kind", ctypes.c_int32),
        ("device_number", ctypes.c_int32),
        ("dimensions", ctypes.c_int32),
        ("type_code", ctypes.c_uint8),
        ("type_bits", ctypes.c_uint8),
        ("type_lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    )


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Managed(ctypes.Structure):
    """`DLManagedTensor` of dlpack.h."""

    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter))


_held: dict[int, tuple[Any, ...]] = {}
"""Objects that a library holds, by the address of its struct."""


def _pop(address: int) -> None:
    _held.pop(address, None)


_let_go = _Deleter(_pop)

_content = ctypes.pythonapi.PyCapsule_GetPointer
_content.restype, _content.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
_capsule = ctypes.pythonapi.PyCapsule_New
_capsule.restype, _capsule.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)


@dataclass(frozen=True, slots=True)
class Described:
    """Array in a capsule, the `owner`. strides: in elements."""

    pointer: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    kind: str
    owner: object


def described(capsule: object) -> Described:
    """Describe an unused capsule. Raises ValueError."""
    tensor = Managed.from_address(_content(capsule, b"dltensor")).tensor
    shape = tuple(tensor.shape[: tensor.dimensions])
    packed = tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
    strides = tuple(tensor.strides[: tensor.dimensions]) if tensor.strides else packed
    types = ("int", "uint", "float", "opaque", "bfloat", "complex", "bool")
    name = types[tensor.type_code] if tensor.type_code < len(types) else "other"
    kind = f"{name}{tensor.type_bits}" + (f"x{tensor.type_lanes}" if tensor.type_lanes > 1 else "")
    return Described((tensor.data or 0) + tensor.offset, shape, strides, kind, capsule)


def exported(frame: DeviceFrame, number: int) -> list[object]:
    """Return a capsule per plane; they keep the frame alive."""
    sample, capsules = np.dtype(frame.format.dtype).itemsize, []
    for pointer, pitch, shape in zip(frame.pointers, frame.pitches, frame.format.plane_shapes, strict=True):
        strides = (pitch // sample, *((1,) if len(shape) == 2 else (shape[2], 1)))
        capsules.append(_exported(pointer, shape, strides, frame, number))
    return capsules


def exported_rgb(frame: DeviceFrame, number: int) -> object:
    """Return a GBR frame as one capsule (H, W, 3)."""
    ((height, width), *_), (pitch, *_) = frame.format.plane_shapes, frame.pitches
    sample, (green, _, red) = np.dtype(frame.format.dtype).itemsize, frame.pointers
    strides = pitch // sample, 1, (green - red) // sample
    return _exported(red, (height, width, 3), strides, frame, number)


def _exported(
    pointer: int, shape: tuple[int, ...], strides: tuple[int, ...], frame: DeviceFrame, number: int
) -> object:
    bits = 8 * np.dtype(frame.format.dtype).itemsize
    kind = FLOAT if frame.format.floating else UNSIGNED
    sizes, steps = ((ctypes.c_int64 * len(shape))(*values) for values in (shape, strides))
    tensor = _Tensor(pointer, CUDA, number, len(shape), kind, bits, 1, sizes, steps, 0)
    managed = Managed(tensor, None, _let_go)
    address = ctypes.addressof(managed)
    _held[address] = (managed, sizes, steps, frame)
    return _capsule(address, b"dltensor", None)
