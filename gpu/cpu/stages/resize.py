"""Resizing by ONNX Runtime's `Resize`, equal to `gpu.stages.resample.taps`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import onnxruntime as ort

from framebrush.gpu.cpu.stages.strips import Floats, Tensor
from framebrush.gpu.onnx_session import session_options
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.resample import Filter

if TYPE_CHECKING:
    from onnx import ModelProto


class Resizer:
    """Resizer of (C, H, W) between two sizes."""

    def __init__(
        self, size: Size, resized: Size, shape: Filter, *, top: float | None = None, channels: int = 3
    ) -> None:
        model = _model((channels, *size[::-1]), (channels, *resized[::-1]), shape, top)
        self._session = ort.InferenceSession(
            model.SerializeToString(), session_options(), providers=["CPUExecutionProvider"]
        )
        self._binding = self._session.io_binding()
        self._input = np.empty((1, channels, size[1], size[0]), np.float32)
        self._output = np.empty((1, channels, resized[1], resized[0]), np.float32)
        self._binding.bind_output("y", "cpu", 0, np.float32, self._output.shape, self._output.ctypes.data)

    def run(self, picture: Tensor) -> Floats:
        """Resize (C, >=H, >=W) to (C, H', W')."""
        height, width = self._input.shape[2:]
        source = picture[:, :height, :width]
        if source.dtype != np.float32 or not source.flags.c_contiguous:
            np.copyto(self._input[0], source)
            source = self._input[0]
        self._binding.bind_input("x", "cpu", 0, np.float32, (1, *source.shape), source.ctypes.data)
        self._session.run_with_iobinding(self._binding)
        resized: Floats = self._output[0]
        return resized


def _model(of: tuple[int, int, int], into: tuple[int, int, int], shape: Filter, top: float | None) -> ModelProto:
    from onnx import TensorProto, helper

    picture = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, *of])
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, *into])
    constants = [
        helper.make_tensor("sizes", TensorProto.INT64, [4], [1, *into]),
        helper.make_tensor("zero", TensorProto.FLOAT, [], [0.0]),
        helper.make_tensor("top", TensorProto.FLOAT, [], [1.0 if top is None else top]),
    ]
    mode = {"mode": "linear"} if shape is Filter.LINEAR else {"mode": "cubic", "cubic_coeff_a": -0.5}
    ends = ("x", "y") if top is None else ("clipped", "resized")
    nodes = [helper.make_node("Resize", [ends[0], "", "", "sizes"], [ends[1]], antialias=1, **mode)]
    if top is not None:
        nodes.insert(0, helper.make_node("Clip", ["x", "zero", "top"], ["clipped"]))
        nodes.append(helper.make_node("Clip", ["resized", "zero", "top"], ["y"]))
    graph = helper.make_graph(nodes, "resize", [picture], [result], constants[:1] if top is None else constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
