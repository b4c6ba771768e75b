"""Networks as the CPU device rewrites them: the same numbers."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from framebrush.gpu.cpu.graph_rewrites import blended_outside, made_constant, shuffled_by_rows
from framebrush.models.reading.load import load_style
from tests import networks

pytestmark = pytest.mark.unit


def run(model: onnx.ModelProto, **feeds: np.ndarray) -> np.ndarray:
    session = networks.session(model)
    return np.asarray(session.run(None, feeds)[0])


def network(nodes: list[onnx.NodeProto], inputs: dict[str, list[int]], *tensors: onnx.TensorProto) -> onnx.ModelProto:
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, size) for name, size in inputs.items()]
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "graph", values, [result], list(tensors))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.mark.parametrize("block", [2, 3])
def test_pixels_are_shuffled_as_before(block: int) -> None:
    size = [1, 2 * block * block, 3, 5]
    model = network([helper.make_node("DepthToSpace", ["x"], ["y"], blocksize=block, mode="CRD")], {"x": size})
    frame = np.random.default_rng(0).random(size, dtype=np.float32)
    before = run(model, x=frame)
    shuffled_by_rows(model)
    assert {node.op_type for node in model.graph.node} == {"Reshape", "Transpose"}
    assert np.array_equal(run(model, x=frame), before)


def test_another_order_is_left_alone() -> None:
    node = helper.make_node("DepthToSpace", ["x"], ["y"], blocksize=2, mode="DCR")
    model = network([node], {"x": [1, 8, 3, 5]})
    shuffled_by_rows(model)
    assert list(model.graph.node) == [node]


def test_no_weights_are_passed_on_for_shapes(monkeypatch: pytest.MonkeyPatch) -> None:
    """All threads wait while onnx infers shapes: with seven megabytes of weights, for hundredths of a second."""
    model = onnx.load_model_from_string(load_style("realtime").fixed(64, 48))
    infer, sizes = onnx.shape_inference.infer_shapes, []

    def measured(model: onnx.ModelProto, **options: bool) -> onnx.ModelProto:
        sizes.append(model.ByteSize())
        return infer(model, **options)

    monkeypatch.setattr(onnx.shape_inference, "infer_shapes", measured)
    shuffled_by_rows(model)
    assert "DepthToSpace" not in {node.op_type for node in model.graph.node}
    assert sizes
    assert max(sizes) < 100_000


@pytest.mark.parametrize("half", [False, True])
def test_a_blend_is_the_same_outside(half: bool) -> None:
    style = load_style("realtime")
    style = style.as_float16() if half else style
    model = onnx.load_model_from_string(style.fixed(64, 48))
    frame = np.random.default_rng(0).random((1, 3, 48, 64)).astype(style.card.precision)
    mix = np.zeros((1, 16), np.float32)
    mix[0, [1, 4]] = 0.25, 0.75
    before = run(model, frame=frame, mix=mix)
    rows = blended_outside(model)
    assert rows.shape == (16, 227540)
    assert "MatMul" not in {node.op_type for node in model.graph.node}
    assert model.ByteSize() < 1_000_000  # of the paintings' weights, 7 MB in float16, none are left
    assert np.abs(run(model, frame=frame, mix=mix @ rows) - before).max() < (2e-3 if half else 1e-5)
    made_constant(model).raw_data = (mix @ rows).tobytes()
    assert [value.name for value in model.graph.input] == ["frame"]
    assert np.abs(run(model, frame=frame) - before).max() < (2e-3 if half else 1e-5)


def test_a_network_that_blends_otherwise_stays_as_it_is() -> None:
    shares = numpy_helper.from_array(np.eye(3, dtype=np.float32), "shares")
    nodes = [helper.make_node("Mul", ["mix", "mix"], ["a"]), helper.make_node("MatMul", ["a", "shares"], ["y"])]
    model = network(nodes, {"mix": [1, 3]}, shares)
    content = model.SerializeToString()
    assert np.array_equal(blended_outside(model), np.eye(3))
    assert model.SerializeToString() == content
