"""ONNX Runtime writes nothing: its messages hold names from hostile files."""

from __future__ import annotations

import numpy as np
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper, numpy_helper

from framebrush.base.inference import quiet_options

pytestmark = pytest.mark.unit


def test_a_network_that_it_would_warn_of_is_loaded_in_silence(capfd: pytest.CaptureFixture[str]) -> None:
    shown = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in ("in", "out")]
    needless = numpy_helper.from_array(np.zeros(1, np.float32), "a hostile name")
    graph = helper.make_graph([helper.make_node("Abs", ["in"], ["out"])], "g", shown[:1], shown[1:], [needless])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()
    ort.set_default_logger_severity(2)
    ort.InferenceSession(model, providers=["CPUExecutionProvider"])
    assert "a hostile name" in capfd.readouterr().err  # else this would show nothing
    ort.InferenceSession(model, quiet_options(), providers=["CPUExecutionProvider"])
    assert capfd.readouterr().err == ""
