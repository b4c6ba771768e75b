"""Requirements of all tests in this folder. Missing ones fail, never skip: CI promised them."""

import ctypes
import uuid

import onnxruntime as ort
import pytest

pytestmark = pytest.mark.windows

FEATURE_LEVEL_11_0 = 0xB000
ID3D12DEVICE = uuid.UUID("189819f1-1db6-4b57-be54-1821339b85f7").bytes_le


def test_direct3d_12_makes_a_device() -> None:
    device = ctypes.c_void_p()
    hresult = ctypes.WinDLL("d3d12.dll").D3D12CreateDevice(None, FEATURE_LEVEL_11_0, ID3D12DEVICE, ctypes.byref(device))
    assert hresult == 0, f"D3D12CreateDevice: {hresult & 0xFFFFFFFF:#010x}"


def test_onnxruntime_has_directml() -> None:
    assert "DmlExecutionProvider" in ort.get_available_providers()
