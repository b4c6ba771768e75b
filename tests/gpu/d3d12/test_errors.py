"""The gate of native errors: code, label, reason and what to do."""

from __future__ import annotations

import pytest

from framebrush.gpu.d3d12.errors import code_in, code_name, failure
from framebrush.gpu.errors import DeviceError, DeviceLostError, OutOfMemoryError

pytestmark = pytest.mark.unit

E_INVALIDARG, E_OUTOFMEMORY = -2147024809, -2147024882  # as ctypes gives them
REMOVED, HUNG = 0x887A0005, 0x887A0006


def test_a_failure_says_what_failed_and_on_what() -> None:
    error = failure(E_INVALIDARG, "CreateCommittedResource", "'luma' 7680x4320")
    assert type(error) is DeviceError
    assert str(error) == "CreateCommittedResource 'luma' 7680x4320: E_INVALIDARG"


def test_memory_says_what_to_do() -> None:
    error = failure(E_OUTOFMEMORY, "CreateCommittedResource", "'luma' 7680x4320")
    assert type(error) is OutOfMemoryError
    assert (
        str(error)
        == "CreateCommittedResource 'luma' 7680x4320: out of memory (E_OUTOFMEMORY); try --tile or --max-size"
    )


@pytest.mark.parametrize(
    ("code", "reason", "name"),
    [
        (REMOVED, HUNG - (1 << 32), "DXGI_ERROR_DEVICE_HUNG"),
        (REMOVED, 0, "DXGI_ERROR_DEVICE_REMOVED"),
        (E_INVALIDARG, 0x887A0020, "DXGI_ERROR_DRIVER_INTERNAL_ERROR"),
        (E_OUTOFMEMORY, HUNG, "DXGI_ERROR_DEVICE_HUNG"),
    ],
)
def test_removal_carries_its_reason(code: int, reason: int, name: str) -> None:
    error = failure(code, "Signal", "compute queue", reason=reason)
    assert type(error) is DeviceLostError
    assert f"Signal compute queue: the device was removed ({name})" in str(error)


def test_what_the_debug_layer_said_is_there() -> None:
    assert str(failure(E_INVALIDARG, "Close", messages="a barrier is wrong")).endswith(
        "E_INVALIDARG\na barrier is wrong"
    )


def test_a_code_without_a_name_is_a_number() -> None:
    assert code_name(-1) == "0xffffffff"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (
            "DmlGraphFusionHelper.cpp(588)\\onnxruntime.dll!00006FFFF455FA2F: (caller: 00006FFFF4537C07) 80004005",
            0x80004005,
        ),
        ("Exception(1) tid(24) 887A0005 The GPU device instance has been suspended.", REMOVED),
        ("allocation failed: 0x8007000E", 0x8007000E),
        ("Exception(1) tid(2) 8007000E Not enough memory; 80004005 after", 0x80004005),
        ("a graph of 80000000000 nodes", 0),
        ("nothing", 0),
    ],
)
def test_the_code_inside_a_text_of_onnx_runtime(text: str, code: int) -> None:
    assert code_in(text) == code
