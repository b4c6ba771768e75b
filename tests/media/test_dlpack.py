"""DLPack capsules, described and released without a card."""

from __future__ import annotations

import ctypes
import gc
import weakref

import pytest

from framebrush.gpu.frame import HostMemoryFrame, gbrp, nv12
from framebrush.media.dlpack import Managed, described, exported, exported_rgb

pytestmark = pytest.mark.unit


def released(capsule: object) -> None:
    """Consume a capsule, as a library that imports it."""
    content = ctypes.pythonapi.PyCapsule_GetPointer
    address = content(capsule, b"dltensor")
    managed = Managed.from_address(address)
    assert managed.tensor.device_number == 3
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


def test_planes_of_a_picture_are_one_array() -> None:
    frame = HostMemoryFrame(gbrp(64, 48, bits=16).allocate(), None)
    frame.pointers, frame.pitches = (4096, 6144, 8192), (256, 256, 256)
    found = described(exported_rgb(frame, 0))
    assert (found.pointer, found.shape, found.strides) == (8192, (48, 64, 3), (128, 1, -2048))
    assert found.kind == "uint16"
