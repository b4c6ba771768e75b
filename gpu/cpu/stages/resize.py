"""Resizing by ONNX Runtime's `Resize`, which computes `gpu.stages.resample.taps`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import onnxruntime as ort

from framebrush.gpu.cpu.session import session_options
from framebrush.gpu.cpu.strips import Floats, Tensor
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.resample import Filter

if TYPE_CHECKING:
    from onnx import ModelProto


class Resizer:
    """Resizer of (C, H, W) between two sizes, for one thread at a time."""

    def __init__(self, size: Size, resized: Size, shape: Filter, *, clip: bool = False, channels: int = 3) -> None:
        """Open the network. size, resized: width and height. clip: limit input and output to 0..1."""
        model = _model((channels, *size[::-1]), (channels, *resized[::-1]), shape, clip=clip)
        self._session = ort.InferenceSession(
            model.SerializeToString(), session_options(), providers=["CPUExecutionProvider"]
        )
        self._binding = self._session.io_binding()
        self._input = np.empty((1, channels, size[1], size[0]), np.float32)
        self._output = np.empty((1, channels, resized[1], resized[0]), np.float32)
        self._binding.bind_output("y", "cpu", 0, np.float32, self._output.shape, self._output.ctypes.data)

    def run(self, picture: Tensor) -> Floats:
        """Resize (C, >=H, >=W) to (C, H', W'), valid until the next call."""
        height, width = self._input.shape[2:]
        source = picture[:, :height, :width]
        if source.dtype != np.float32 or not source.flags.c_contiguous:
            np.copyto(self._input[0], source)
            source = self._input[0]
        self._binding.bind_input("x", "cpu", 0, np.float32, (1, *source.shape), source.ctypes.data)
        self._session.run_with_iobinding(self._binding)
        resized: Floats = self._output[0]
        return resized


def _model(of: tuple[int, int, int], into: tuple[int, int, int], shape: Filter, *, clip: bool) -> ModelProto:
    """Make a network that resizes (C, H, W)."""
    from onnx import TensorProto, helper

    picture = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, *of])
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, *into])
    constants = [
        helper.make_tensor("sizes", TensorProto.INT64, [4], [1, *into]),
        helper.make_tensor("zero", TensorProto.FLOAT, [], [0.0]),
        helper.make_tensor("one", TensorProto.FLOAT, [], [1.0]),
    ]
    mode = {"mode": "linear"} if shape is Filter.LINEAR else {"mode": "cubic", "cubic_coeff_a": -0.5}
    ends = ("clipped", "resized") if clip else ("x", "y")
    nodes = [helper.make_node("Resize", [ends[0], "", "", "sizes"], [ends[1]], antialias=1, **mode)]
    if clip:
        nodes.insert(0, helper.make_node("Clip", ["x", "zero", "one"], ["clipped"]))
        nodes.append(helper.make_node("Clip", ["resized", "zero", "one"], ["y"]))
    graph = helper.make_graph(nodes, "resize", [picture], [result], constants if clip else constants[:1])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
