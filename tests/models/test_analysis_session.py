"""ONNX Runtime stays silent: its log could contain names from a hostile file."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from framebrush.gpu.cuda.errors import network_failure
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.onnx_session import native_errors
from tests.networks import Net, session

pytestmark = pytest.mark.unit

PROGRAM = """
import onnxruntime
onnxruntime.set_default_logger_severity(0)  # so that it has something to say of any network
from tests.networks import Net
{options}
net = Net([1, 3, 8, 8])
net.add("Relu")
onnxruntime.InferenceSession(net.model().SerializeToString(), options, providers=["CPUExecutionProvider"])
"""

LOUD = "options = onnxruntime.SessionOptions()\noptions.log_severity_level = 4"


def said(options: str) -> str:
    program = [sys.executable, "-c", PROGRAM.format(options=options)]
    return subprocess.run(program, capture_output=True, text=True, check=True).stderr


@pytest.mark.slow
@pytest.mark.parametrize("module", ["framebrush.models.analysis_session", "framebrush.gpu.onnx_session"])
def test_the_default_logger_is_silent_too(module: str) -> None:
    assert "onnxruntime:Default" in said(LOUD)
    assert said(f"from {module} import session_options\noptions = session_options()") == ""


def test_a_network_that_fails_while_it_runs_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    net = Net([1, 3, "H", "W"])
    net.add("Reshape", [net.last, net.constant([1, 3, 64], np.int64)])
    with pytest.raises(Exception, match="Reshape"):
        session(net.model()).run(None, {"input": np.zeros((1, 3, 4, 4), np.float32)})
    assert capfd.readouterr() == ("", "")


def test_names_in_its_errors_do_not_reach_a_terminal_raw() -> None:
    text = "Non-zero status code returned while running 'clear\x1b[2J\nscreen'"
    with (
        pytest.raises(DeviceError, match="the network failed: Non-zero") as caught,
        native_errors("the network failed"),
    ):
        raise RuntimeError(text)
    for error in (caught.value, network_failure(text, "the network failed")):
        assert str(error).isprintable()
