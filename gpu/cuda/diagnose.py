"""Requirements of the CUDA backend, and commands that install them."""

from __future__ import annotations

import ctypes
import importlib
import importlib.metadata
import sys
from collections.abc import Callable, Collection
from contextlib import redirect_stdout, suppress
from functools import cache
from io import StringIO

from framebrush.gpu.errors import AbsentError, DeviceError

OLDEST_DRIVER = 13000  # cuDriverGetVersion for CUDA 13.0, release 580
RUNTIME = "onnxruntime-gpu"
RIVALS = ("onnxruntime", "onnxruntime-directml", "onnxruntime-windowsml")
"""Distributions that unpack into the same folder as RUNTIME: they overwrite each other."""

WINDOWS = sys.platform == "win32"
DRIVER = "nvcuda.dll" if WINDOWS else "libcuda.so.1"
LIBRARIES = {
    "cudart64_13.dll" if WINDOWS else "libcudart.so.13": "nvidia-cuda-runtime",
    "cublasLt64_13.dll" if WINDOWS else "libcublasLt.so.13": "nvidia-cublas",
    "cublas64_13.dll" if WINDOWS else "libcublas.so.13": "nvidia-cublas",
    "curand64_10.dll" if WINDOWS else "libcurand.so.10": "nvidia-curand",
    "cudnn64_9.dll" if WINDOWS else "libcudnn.so.9": "nvidia-cudnn-cu13",
}
"""Libraries that ONNX Runtime's CUDA provider loads, and their distributions."""

TENSORRT_LIBRARIES = (
    ("nvinfer_10.dll", "nvonnxparser_10.dll") if WINDOWS else ("libnvinfer.so.10", "libnvonnxparser.so.10")
)
"""Libraries that ONNX Runtime's TensorRT provider loads in addition."""

TENSORRT_PACKAGE = "tensorrt-cu13<11"
"""Distribution of TensorRT. ONNX Runtime's provider links libnvinfer.so.10, so newer versions do not work."""

RTX_PACKAGE = "onnxruntime-ep-nv-tensorrt-rtx-cu13"

PIP = "python -m pip"
INSTALL = f"{PIP} install 'framebrush[cuda]'"
REINSTALL = f"{PIP} uninstall -y {' '.join(RIVALS)} {RUNTIME} && {PIP} install '{RUNTIME}[cuda,cudnn]'"


@cache
def require_networks() -> None:
    """Raise DeviceError without ONNX Runtime's CUDA provider, which painters do not need."""
    import onnxruntime as ort

    problem = runtime_problem(ort.get_available_providers(), {one for one in (RUNTIME, *RIVALS) if _installed(one)})
    if not problem:
        with redirect_stdout(StringIO()):  # the import prints missing libraries; the check below reports them
            ort.preload_dlls()
        problem = library_problem(loads)
    if problem:
        raise DeviceError(problem)


@cache
def require_tensorrt() -> None:
    """Raise DeviceError without CUDA, its provider or TensorRT."""
    require()
    require_networks()
    with suppress(ImportError):
        importlib.import_module("tensorrt_libs")  # loads NVIDIA's libraries, so that they are found by name
    problem = tensorrt_problem(loads)
    if problem:
        raise DeviceError(problem)


@cache
def require() -> None:
    """Raise DeviceError for a missing part, AbsentError without GPU."""
    if not loads(DRIVER):
        raise AbsentError(f"no NVIDIA driver was found ({DRIVER}); install it if this computer has an NVIDIA GPU")
    for module, package in (("cuda.bindings.driver", "cuda-bindings"), ("cuda.core", "cuda-core")):
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise DeviceError(f"the package {package} is missing ({error}); run: {INSTALL}") from None
    _require_listed()
    _require_compiler()


def _require_listed() -> None:
    from framebrush.gpu.cuda.native import driver_version, list_gpus

    check_driver(driver_version())
    try:
        gpus = list_gpus()
    except DeviceError as error:
        if "CUDA_ERROR_NO_DEVICE" in str(error):
            raise AbsentError("the NVIDIA driver lists no GPU; see CUDA_VISIBLE_DEVICES if there is one") from None
        raise
    if not gpus:
        raise AbsentError("the NVIDIA driver lists no GPU; see CUDA_VISIBLE_DEVICES if there is one")


def check_driver(version: int) -> None:
    """Raise DeviceError for an old driver's cuDriverGetVersion."""
    if version < OLDEST_DRIVER:
        raise DeviceError(
            f"the NVIDIA driver knows CUDA {version // 1000}.{version % 1000 // 10} and 13.0 is needed; install driver "
            f"580 or newer"
        )


def _require_compiler() -> None:
    try:
        from cuda.bindings import nvrtc

        nvrtc.nvrtcVersion()
    except Exception as error:  # the loader's own type
        reason = str(error).splitlines()[0]
        raise DeviceError(f"NVRTC is missing ({reason}); run: {PIP} install nvidia-cuda-nvrtc") from None


def runtime_problem(providers: Collection[str], installed: Collection[str]) -> str:
    """Describe an ONNX Runtime without CUDA, else ""."""
    if "CUDAExecutionProvider" in providers:
        return ""
    if RUNTIME not in installed:
        return f"the package {RUNTIME} is missing; run: {REINSTALL}"
    rivals = " and ".join(one for one in RIVALS if one in installed)
    if rivals:
        return f"{rivals} and {RUNTIME} share a folder, which holds the wrong one; run: {REINSTALL}"
    return f"{RUNTIME} has no CUDA provider; run: {REINSTALL}"


def library_problem(loads: Callable[[str], bool]) -> str:
    """Name the CUDA provider's missing libraries."""
    missing = {library: package for library, package in LIBRARIES.items() if not loads(library)}
    if not missing:
        return ""
    packages = " ".join(dict.fromkeys(missing.values()))
    return f"the CUDA provider of ONNX Runtime lacks {', '.join(missing)}; run: {PIP} install {packages}"


def tensorrt_problem(loads: Callable[[str], bool]) -> str:
    """Describe TensorRT's missing parts, else ""."""
    missing = [library for library in TENSORRT_LIBRARIES if not loads(library)]
    if not missing:
        return ""
    return (
        f'TensorRT is missing ({", ".join(missing)}); run: {PIP} install "{TENSORRT_PACKAGE}", or for GPUs of the '
        f"series RTX 30 and newer its plug-in: {PIP} install {RTX_PACKAGE}"
    )


def loads(library: str) -> bool:
    with suppress(OSError):
        ctypes.CDLL(library)
        return True
    return False


def _installed(distribution: str) -> bool:
    with suppress(importlib.metadata.PackageNotFoundError):
        importlib.metadata.version(distribution)
        return True
    return False
