"""Speed of the bundled styles against the classic network of fast style transfer."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.painting import SIZES, one_of, session
from framebrush.gpu.cpu.graph_rewrites import blended_outside, made_constant, shuffled_by_rows
from framebrush.models.reading.load import load_style

WIDTH_PX, HEIGHT_PX = 640, 360


def classic() -> bytes:
    """Return the classic network with random weights: 32-64-128 channels, five residual blocks, 9x9 ends."""
    dice = np.random.default_rng(0)
    nodes: list[onnx.NodeProto] = []
    constants: list[onnx.TensorProto] = []

    def constant(value: NDArray[np.generic]) -> str:
        constants.append(numpy_helper.from_array(value, f"c{len(constants)}"))
        return constants[-1].name

    def node(kind: str, inputs: list[str], **attributes: Any) -> str:  # noqa: ANN401 - as onnx takes them
        nodes.append(helper.make_node(kind, inputs, [f"t{len(nodes)}"], **attributes))
        return str(nodes[-1].output[0])

    def conv(x: str, inputs: int, outputs: int, side: int, stride: int = 1) -> str:
        pad = side // 2
        x = node("Pad", [x, constant(np.array([0, 0, pad, pad, 0, 0, pad, pad]))], mode="reflect")
        kernel = dice.normal(0, (inputs * side * side) ** -0.5, (outputs, inputs, side, side)).astype(np.float32)
        bias = constant(np.zeros(outputs, np.float32))
        return node("Conv", [x, constant(kernel), bias], kernel_shape=[side, side], strides=[stride, stride])

    def norm(x: str, width: int) -> str:
        scale, bias = constant(np.ones(width, np.float32)), constant(np.zeros(width, np.float32))
        return node("InstanceNormalization", [x, scale, bias])

    def step(x: str, inputs: int, outputs: int, side: int, stride: int = 1) -> str:
        return node("Relu", [norm(conv(x, inputs, outputs, side, stride), outputs)])

    x = step(step(step("frame", 3, 32, 9), 32, 64, 3, 2), 64, 128, 3, 2)
    for _ in range(5):
        x = node("Add", [x, norm(conv(step(x, 128, 128, 3), 128, 128, 3), 128)])
    for inputs, outputs in ((128, 64), (64, 32)):
        doubled = constant(np.array([1, 1, 2, 2], np.float32))
        nearest = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
        x = step(node("Resize", [x, "", doubled], **nearest), inputs, outputs, 3)
    conv(x, 32, 3, 9)
    nodes[-1].output[0] = "styled"
    size = [1, 3, HEIGHT_PX, WIDTH_PX]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, size) for name in ("frame", "styled")]
    graph = helper.make_graph(nodes, "classic", values[:1], values[1:], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return bytes(model.SerializeToString())


def speed(rounds: int = 5) -> None:
    """Print minimum and median processor time on one thread at 640x360, as on the CPU device, in turns.

    Styles with a moving mix blend two paintings for every frame.
    """
    frame = np.random.default_rng(0).random((1, 3, HEIGHT_PX, WIDTH_PX), dtype=np.float32)
    still = session(classic(), 1)
    runs: dict[str, Callable[[], object]] = {"classic": lambda: still.run(None, {"frame": frame})}
    for size in SIZES:
        style = load_style(size)
        half = (one_of(style, 0) + one_of(style, 3)) / 2
        model = onnx.load_model_from_string(style.fixed(WIDTH_PX, HEIGHT_PX))
        shuffled_by_rows(model)
        rows = blended_outside(model)[[0, 3]].astype(np.float32)
        moving = session(model.SerializeToString(), 1)
        made_constant(model).raw_data = (half[:, [0, 3]] @ rows).tobytes()
        resting = session(model.SerializeToString(), 1)
        runs[f"{size}, mix at rest"] = lambda network=resting: network.run(None, {"frame": frame})  # type: ignore[misc]
        runs[f"{size}, mix moving"] = lambda network=moving, rows=rows, half=half: network.run(  # type: ignore[misc]
            None, {"frame": frame, "mix": half[:, [0, 3]] @ rows}
        )
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            run()
            for _ in range(3 if name == "classic" else 12):
                start = time.process_time()
                run()
                times[name].append(time.process_time() - start)
    for name, taken in times.items():
        best, median = (pick(taken) for pick in (min, np.median))
        ratios = min(times["classic"]) / best, np.median(times["classic"]) / median
        print(f"{name:24} {best * 1e3:7.1f} ms  median {median * 1e3:7.1f} ms  x{ratios[0]:.1f}  x{ratios[1]:.1f}")
