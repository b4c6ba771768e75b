"""Devices of `--device tensorrt`: TensorRT in place of ONNX Runtime's CUDA provider.

TensorRT-RTX compiles in seconds; TensorRT takes minutes in a process, while the CUDA provider paints.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import importlib
import importlib.util
import shutil
from functools import cache, partial
from pathlib import Path

from framebrush.base.inference import quiet_options
from framebrush.gpu.cuda.context import Context
from framebrush.gpu.cuda.device import CudaDevice, list_as
from framebrush.gpu.cuda.diagnose import RTX_PACKAGE, TENSORRT_LIBRARIES, require, require_tensorrt
from framebrush.gpu.cuda.engines import CudaEngine
from framebrush.gpu.cuda.onnx_runtime import RuntimeEngine
from framebrush.gpu.cuda.tensorrt_build import TENSORRT, Build, DeferredEngine, engine_options
from framebrush.gpu.device import NO_DIAGNOSIS, DeviceInfo, Diagnosis
from framebrush.gpu.errors import DeviceError, DeviceLostError, OutOfMemoryError
from framebrush.gpu.kernel_cache import cache_folder

RTX = "onnxruntime_ep_nv_tensorrt_rtx"


def list_devices() -> list[DeviceInfo]:
    """List GPUs if TensorRT exists. Raises DeviceError, AbsentError."""
    if _has_rtx():
        require()
    else:
        require_tensorrt()
    return list_as("tensorrt")


def open_device(info: DeviceInfo, diagnosis: Diagnosis = NO_DIAGNOSIS) -> CudaDevice:
    """Open a listed GPU. Raises DeviceError naming a missing part."""
    return CudaDevice(info, diagnosis, open_rtx if _has_rtx() else open_tensorrt)


def _has_rtx() -> bool:
    return importlib.util.find_spec(RTX) is not None


# TensorRT-RTX


def open_rtx(context: Context, model: bytes, _: str, label: str) -> RuntimeEngine:
    """Open a network with TensorRT-RTX."""
    import onnxruntime as ort

    from framebrush.gpu.cuda.onnx_runtime import RuntimeEngine, on_stream, open_session

    name = _register_rtx()
    place = context.native.place
    found = [
        one for one in ort.get_ep_devices() if one.ep_name == name and place.items() <= one.device.metadata.items()
    ]
    if not found:
        raise DeviceError(f"TensorRT-RTX does not list {context.info.name}", do="use --device cuda")
    folder = cache_folder("tensorrt") / engine_key(model, (importlib.import_module(RTX).__version__, *_facts(context)))
    options = quiet_options()
    stream = on_stream(context)["user_compute_stream"]
    chosen = {"has_user_compute_stream": "1", "user_compute_stream": stream}
    with contextlib.suppress(OSError):  # without a cache it compiles for every job
        folder.mkdir(parents=True, exist_ok=True)
        chosen["nv_runtime_cache_path"] = str(folder)
    options.add_provider_for_devices(found[:1], chosen)
    return RuntimeEngine(context, open_session(model, label, [], options), label)


@cache
def _register_rtx() -> str:
    import onnxruntime as ort

    plugin = importlib.import_module(RTX)
    try:
        ort.register_execution_provider_library(plugin.get_ep_name(), plugin.get_library_path())
    except Exception as error:  # ONNX Runtime's own type
        raise DeviceError(f"the plug-in {RTX_PACKAGE} could not be loaded: {error}") from error
    return str(plugin.get_ep_name())


# TensorRT


def open_tensorrt(context: Context, model: bytes, precision: str, label: str) -> CudaEngine:
    """Open a network with the CUDA provider until its engine exists."""
    from framebrush.gpu.cuda.onnx_runtime import open_cuda

    folder = cache_folder("tensorrt") / engine_key(model, (_version(), precision, *_facts(context)))
    open_built = partial(_open_built, context, model, precision, label, folder)
    if folder.is_dir():
        try:
            return open_built()
        except (OutOfMemoryError, DeviceLostError):
            raise
        except DeviceError:
            shutil.rmtree(folder, ignore_errors=True)  # damaged: build it again
    first = open_cuda(context, model, precision, label)  # before a process that nobody would end if it failed
    return DeferredEngine(first, Build(folder, model, precision, context.native.in_use.ordinal, label), open_built)


def _open_built(context: Context, model: bytes, precision: str, label: str, folder: Path) -> RuntimeEngine:
    from framebrush.gpu.cuda.onnx_runtime import RuntimeEngine, cuda_provider, on_stream, open_session

    own = (TENSORRT, {**on_stream(context), "has_user_compute_stream": "1", **engine_options(folder, precision)})
    return RuntimeEngine(context, open_session(model, label, [own, cuda_provider(context)]), label)


def engine_key(model: bytes, facts: tuple[str, ...]) -> str:
    """Return an engine's cache key from network and facts."""
    return hashlib.sha256(hashlib.sha256(model).digest() + "\n".join(facts).encode()).hexdigest()[:32]


def _facts(context: Context) -> tuple[str, ...]:
    import onnxruntime as ort

    from framebrush.gpu.cuda.native import driver_version

    gpu = context.native.in_use
    return gpu.name, str(gpu.capability), str(driver_version()), str(ort.__version__)


def _version() -> str:
    return str(ctypes.CDLL(TENSORRT_LIBRARIES[0]).getInferLibVersion())
