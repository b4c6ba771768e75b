"""ONNX Runtime's WebGPU plug-in (onnxruntime-ep-webgpu), in its own memory."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import cache

import onnxruntime as ort

from framebrush.base.inference import quiet_options
from framebrush.base.text import printable
from framebrush.gpu.device import DeviceInfo
from framebrush.gpu.errors import AbsentError
from framebrush.gpu.webgpu.adapters import INSTALL

NAME = "onnxruntime on WebGPU"
NO_ADAPTER = "No supported adapters"
"""Dawn's message for a driver that it does not support, such as Mesa 22."""


def sessions(info: DeviceInfo, driver: str) -> Callable[[bytes], ort.InferenceSession]:
    """Return a function that opens sessions. Both raise AbsentError."""
    found = [device for device in _devices() if _is_of(device, info)]
    if not found:
        raise AbsentError(f"ONNX Runtime does not find {info.name}")
    wanted = {"powerPreference": "low-power" if info.low_power else "high-performance"}

    def opened(model: bytes) -> ort.InferenceSession:
        options = quiet_options()
        options.add_provider_for_devices(found[:1], wanted)
        try:
            return ort.InferenceSession(model, options)
        except Exception as error:
            if NO_ADAPTER in str(error):
                raise AbsentError(f"ONNX Runtime takes no adapter of the driver '{driver}': update it") from error
            raise

    return opened


def _is_of(device: ort.OrtEpDevice, info: DeviceInfo) -> bool:
    vendor, model = int(device.device.vendor_id), int(device.device.device_id)
    is_gpu = device.device.type == ort.OrtHardwareDeviceType.GPU
    return not is_gpu or not info.pci or f"{vendor:04x}:{model:04x}" == info.pci


@cache
def _devices() -> tuple[ort.OrtEpDevice, ...]:
    if importlib.util.find_spec("onnxruntime_ep_webgpu") is None:
        raise AbsentError(f"for others it needs the package onnxruntime-ep-webgpu; run: {INSTALL}")
    import onnxruntime_ep_webgpu as plugin

    try:
        ort.register_execution_provider_library(plugin.get_ep_name(), plugin.get_library_path())
    except Exception as error:  # ONNX Runtime's exception types share no base
        raise AbsentError(f"ONNX Runtime cannot load its plug-in for WebGPU: {printable(str(error))}") from error
    return tuple(device for device in ort.get_ep_devices() if device.ep_name == plugin.get_ep_name())
