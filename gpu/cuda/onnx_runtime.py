"""Networks by ONNX Runtime on our tensors and stream."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import onnxruntime as ort

from framebrush.base.inference import quiet_options
from framebrush.gpu.cuda.context import Context
from framebrush.gpu.cuda.diagnose import require_networks
from framebrush.gpu.cuda.errors import network_failure
from framebrush.gpu.cuda.tensor import Tensor
from framebrush.gpu.errors import DeviceError

CUDA = "CUDAExecutionProvider"
OTHER_WAYS = "--device d3d12 or --device cpu" if sys.platform == "win32" else "--device cpu"

RUNS_BETWEEN_WAITS = 1000
"""Runs between two that wait.

ONNX Runtime frees pinned memory of some operators (Split) only at a run that waits. Leftovers at a session's end are
freed in a driver callback, where CUDA allows no call, and the process aborts. So the last run waits, too.
"""


class RuntimeEngine:
    """Session on the device's stream, without CPU waits. See CudaEngine."""

    note = ""
    captures = False  # ONNX Runtime allocates while it runs

    def __init__(self, context: Context, session: ort.InferenceSession, label: str) -> None:
        self.name: str | None = session.get_providers()[0]
        self._session, self._label, self._ordinal = session, label, context.native.in_use.ordinal
        self._runs = 0
        self._binding: Any = None
        self._run_options = ort.RunOptions()
        self._run_options.add_run_config_entry("disable_synchronize_execution_providers", "1")
        self._mixed = next((value for value in session.get_inputs() if value.name == "mix"), None)

    def bind(self, frame: Tensor, styled: Tensor, mix: int) -> Callable[[], int]:
        binding = self._session.io_binding()
        kind = np.dtype(frame.precision).type
        binding.bind_input("frame", "cuda", self._ordinal, kind, frame.shape, frame.pointer)
        binding.bind_output("styled", "cuda", self._ordinal, kind, styled.shape, styled.pointer)
        if self._mixed is not None:
            binding.bind_input("mix", "cuda", self._ordinal, np.float32, self._mixed.shape, mix)

        self._binding = binding

        def run() -> int:
            self._runs += 1
            try:
                if self._runs % RUNS_BETWEEN_WAITS:
                    self._session.run_with_iobinding(binding, self._run_options)
                else:
                    self._session.run_with_iobinding(binding)
            except Exception as error:  # ONNX Runtime's exception types share no other base
                raise network_failure(str(error), f"the network {self._label} failed") from error
            return 0

        return run

    def blend(self, weights: tuple[float, ...], mix: int) -> int:
        """Return 0, as the network reads the weights."""
        return 0

    def close(self) -> None:
        """Release the session, before the tensors bound last."""
        session = self.__dict__.pop("_session", None)
        if session is not None and self._runs:
            with suppress(Exception):  # on a lost GPU
                session.run_with_iobinding(self._binding)
        self._binding = None


def open_cuda(context: Context, model: bytes, _: str, label: str) -> RuntimeEngine:
    """Open a network with the CUDA provider."""
    try:
        require_networks()
    except DeviceError as error:
        raise DeviceError(
            f"the network {label} is none of our painters and needs ONNX Runtime's CUDA provider, which is not here: "
            f"{error}",
            do=f"or paint it with {OTHER_WAYS}",
        ) from None
    return RuntimeEngine(context, open_session(model, label, [cuda_provider(context)]), label)


def cuda_provider(context: Context) -> tuple[str, Mapping[str, str]]:
    """Return CUDA provider and options for `open_session`."""
    return CUDA, {**on_stream(context), "arena_extend_strategy": "kSameAsRequested"}


def on_stream(context: Context) -> dict[str, str]:
    """Return options for the device's stream."""
    return {
        "device_id": str(context.native.in_use.ordinal),
        "user_compute_stream": str(int(context.compute.handle)),
    }


def open_session(
    model: bytes,
    label: str,
    providers: Sequence[tuple[str, Mapping[str, str]]],
    options: ort.SessionOptions | None = None,
) -> ort.InferenceSession:
    """Open a session on the first provider alone."""
    options = options or quiet_options()
    options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
    try:
        session = ort.InferenceSession(model, options, providers=list(providers) or None)
    except Exception as error:  # ONNX Runtime's exception types share no other base
        raise network_failure(str(error), f"the network {label} could not be loaded") from error
    used = session.get_providers()[0]
    if providers and used != providers[0][0]:
        raise DeviceError(
            f"ONNX Runtime gave {used} for {label} and not {providers[0][0]}; `framebrush doctor` says what is missing"
        )
    return session
