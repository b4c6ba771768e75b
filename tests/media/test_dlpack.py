"""DLPack capsules, described and released without a card."""

from __future__ import annotations

import ctypes
import gc
import weakref
from typing import Any

import numpy as np
import pytest

from framebrush.gpu.frame import FrameFormat, HostMemoryFrame, gbrp, nv12
from framebrush.media.dlpack import Managed, described, exported, exported_rgb

pytestmark = pytest.mark.unit


def address_of(capsule: object) -> int:
    return int(ctypes.pythonapi.PyCapsule_GetPointer(capsule, b"dltensor"))


def tensor_in(capsule: object) -> Any:  # noqa: ANN401 - a structure of ctypes
    return Managed.from_address(address_of(capsule)).tensor


def released(capsule: object) -> None:
    """Consume a capsule, as a library that imports it."""
    address = address_of(capsule)
    managed = Managed.from_address(address)
    assert (managed.tensor.device_kind, managed.tensor.device_number) == (2, 3)  # the third of CUDA
    assert (managed.tensor.type_lanes, managed.tensor.offset) == (1, 0)
    managed.deleter(address)


def test_a_capsule_keeps_its_frame_until_it_is_released() -> None:
    frame = HostMemoryFrame(nv12(64, 48).allocate(), None)
    frame.pointers, frame.pitches = (4096, 8192), (256, 128)
    kept = weakref.ref(frame)
    luma, chroma = exported(frame, 3)
    del frame
    gc.collect()
    assert kept() is not None
    planes = [(4096, (48, 64), (256, 1), "uint8"), (8192, (24, 32, 2), (128, 2, 1), "uint8")]
    found = [described(capsule) for capsule in (luma, chroma)]
    assert [(each.pointer, each.shape, each.strides, each.kind) for each in found] == planes
    for capsule in (luma, chroma):
        released(capsule)
    del found
    gc.collect()
    assert kept() is None


def test_pitches_are_bytes_and_strides_are_samples() -> None:
    frame = HostMemoryFrame(nv12(64, 48, bits=10).allocate(), None)
    frame.pointers, frame.pitches = (4096, 8192), (256, 128)
    found = [described(capsule) for capsule in exported(frame, 0)]
    assert [(each.strides, each.kind) for each in found] == [((128, 1), "uint16"), ((64, 2, 1), "uint16")]
    frame.pitches = (256,)
    with pytest.raises(ValueError, match="zip"):
        exported(frame, 0)


@pytest.mark.parametrize(
    ("form", "strides", "kind"),
    [
        (gbrp(64, 48, bits=16), (128, 1, -2048), "uint16"),
        (gbrp(64, 48, bits=32, floating=True), (64, 1, -1024), "float32"),
    ],
)
def test_planes_of_a_picture_are_one_array(form: FrameFormat, strides: tuple[int, ...], kind: str) -> None:
    frame = HostMemoryFrame(form.allocate(), None)
    frame.pointers, frame.pitches = (4096, 6144, 8192), (256, 256, 256)
    found = described(exported_rgb(frame, 0))
    assert (found.pointer, found.shape, found.strides, found.kind) == (8192, (48, 64, 3), strides, kind)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("kind", ["float32", "uint8", "int16", "complex64"])
def test_an_array_of_another_library_is_described(kind: str, packed: bool) -> None:
    array = np.zeros((2, 3, 4, 5), kind)
    capsule = (array if packed else array[:, ::-1]).__dlpack__()
    tensor = tensor_in(capsule)
    if packed:
        tensor.strides = type(tensor.strides)()  # null, as libraries say that an array is dense
    found = described(capsule)
    assert (found.shape, found.strides) == ((2, 3, 4, 5), (60, 20 if packed else -20, 5, 1))
    assert (found.pointer, found.kind) == (array[0, 0 if packed else 2].ctypes.data, kind)


def test_kinds_that_are_not_known_are_named() -> None:
    capsule = np.zeros((2, 0)).__dlpack__()
    tensor = tensor_in(capsule)
    tensor.data, tensor.offset, tensor.type_lanes = None, 16, 2
    assert (described(capsule).pointer, described(capsule).kind) == (16, "float64x2")
    tensor.type_code, tensor.type_lanes = 7, 1
    assert described(capsule).kind == "other64"
