"""Recognition of the style `ink` (`models/ink.py`)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

RADIUS_PX = 5
"""Radius of both blurs."""

_OPERATORS = ("Conv", "Pad", "Conv", "Conv", "Relu", "Tanh", "Conv")
_TAPS = 2 * RADIUS_PX + 1
_SHAPES = ((1, 3, 1, 1), (2, 1, _TAPS, 1), (2, 2, 1, _TAPS), (2,), (3, 2, 1, 1), (3,))


def read_ink(model: bytes) -> npt.NDArray[np.float32] | None:
    """Read an ink network's constants in the kernel's order, else None."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load_model_from_string(model).graph
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    if tuple(node.op_type for node in graph.node) != _OPERATORS:
        return None
    last, found = "frame", list[npt.NDArray[np.float32]]()
    for node in graph.node:
        if node.input[0] != last or any(name not in constants for name in node.input[1:]):
            return None
        attributes = {one.name: onnx.helper.get_attribute_value(one) for one in node.attribute}
        if node.op_type == "Pad":
            pads = [0, 0, RADIUS_PX, RADIUS_PX] * 2
            if attributes != {"mode": b"reflect"} or constants[node.input[1]].tolist() != pads or len(node.input) > 2:
                return None
        elif attributes:
            return None
        else:
            found += [constants[name] for name in node.input[1:]]
        last = node.output[0]
    fits = last == "styled" and tuple(one.shape for one in found) == _SHAPES
    return np.concatenate([one.ravel() for one in found]) if fits and found[0].dtype == np.float32 else None
