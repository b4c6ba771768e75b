"""Trial runs of networks on the CPU."""

from __future__ import annotations

import os
import re

import numpy as np
import numpy.typing as npt
from google.protobuf.message import EncodeError  # type: ignore[import-untyped]
from onnx import ModelProto

from framebrush.base.text import first_line
from framebrush.models import onnx_graph as g
from framebrush.models.analysis_session import session_options
from framebrush.models.style import StyleError

Numbers = npt.NDArray[np.float32]

MOST_THREADS = 4
"""Threads of a trial: enough for small pictures; each takes address space."""


class Runner:
    """CPU session of a `canonical.to_nchw` network."""

    def __init__(self, model: ModelProto, label: str) -> None:
        import onnxruntime as ort

        options = session_options()
        options.enable_cpu_mem_arena = False
        options.intra_op_num_threads = min(os.cpu_count() or 1, MOST_THREADS)
        self._ort = ort
        self._label = label
        try:
            # without the fall-back, which prints to stdout and tries the same provider again
            self._session = ort.InferenceSession(
                model.SerializeToString(), options, providers=["CPUExecutionProvider"], enable_fallback=0
            )
        except Exception as error:  # ONNX Runtime's exception types share no other base
            if out_of_memory(error):
                raise
            raise StyleError(f"{label}: ONNX Runtime cannot load it: {_reason(error)}") from error
        self._last: tuple[Numbers, Numbers] | None = None
        self._inputs = {value.name: value for value in self._session.get_inputs()}

    @property
    def channels(self) -> int:
        return int(next(value.shape[1] for name, value in self._inputs.items() if name != "mix"))

    def run(self, picture: Numbers) -> Numbers:
        """Run on (1, C, H, W) float32. Raises StyleError."""
        if self._last and np.array_equal(self._last[0], picture):
            return self._last[1]
        feeds = {}
        for name, taken in self._inputs.items():
            value = np.eye(1, taken.shape[1], dtype=np.float32) if name == "mix" else picture
            feeds[name] = value.astype(np.float16) if taken.type == "tensor(float16)" else value
        options = self._ort.RunOptions()
        options.log_severity_level = 4
        try:
            (result,) = self._session.run(None, feeds, options)
        except Exception as error:  # ONNX Runtime's exception types share no other base
            size = "x".join(str(side) for side in picture.shape[1:])
            if out_of_memory(error):
                raise
            raise StyleError(
                f"{self._label}: it does not run on a frame of {size} ({_reason(error)}); "
                "if its export fixed the size, export it with free height and width"
            ) from error
        self._last = picture, np.asarray(result, np.float32)
        return self._last[1]


def multiply_adds(model: ModelProto, side_px: int) -> float:
    """Count multiplications of convolutions for a square frame."""
    graph = model.graph
    shapes = g.shapes_at(model, {"frame": (1, int(g.dims(graph.input[0])[1]), side_px, side_px)})
    total = 0.0
    for node in graph.node:
        if node.op_type in ("Conv", "ConvTranspose"):
            area = shapes.get(node.output[0] if node.op_type == "Conv" else node.input[0], ())[2:]
            total += float(np.prod(shapes.get(node.input[1], ()), dtype=np.float64) * np.prod(area, dtype=np.float64))
    return total


def out_of_memory(error: Exception) -> bool:
    """Return whether an allocation was refused."""
    return isinstance(error, MemoryError | EncodeError) or "alloc" in str(error)


def _reason(error: Exception) -> str:
    return re.sub(r"^\[ONNXRuntimeError\] : \d+ : \w+ : ", "", first_line(error))
