"""The binding of ONNX Runtime's C API, with the CPU provider and against the Python module's answers."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from framebrush.gpu.d3d12 import ort as binding
from framebrush.gpu.d3d12.ort import Ort, Session, SessionOptions, Tensor
from framebrush.gpu.errors import DeviceError, DeviceLostError, OutOfMemoryError
from tests import networks

pytestmark = pytest.mark.unit

SHAPE = (1, 3, 12, 20)


def library() -> Path:
    """Return the installed package's library."""
    pattern = "onnxruntime.dll" if sys.platform == "win32" else "libonnxruntime.so*"
    return sorted(binding.capi_folder().glob(pattern))[0]


@pytest.fixture
def ort() -> Iterator[Ort]:
    made = Ort(library())
    yield made
    made.close()
    assert not +made.live, "objects of ONNX Runtime were left"


def network(precision: str = "float32") -> bytes:
    """A 3x3 convolution."""
    kind = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16}[precision]
    weights = numpy_helper.from_array(np.random.default_rng(0).normal(0, 0.2, (3, 3, 3, 3)).astype(precision), "w")
    ends = [[helper.make_tensor_value_info(name, kind, SHAPE)] for name in ("frame", "styled")]
    node = helper.make_node("Conv", ["frame", "w"], ["styled"], pads=[1, 1, 1, 1])
    graph = helper.make_graph([node], "conv", *ends, [weights])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()


def tensor(ort: Ort, memory: binding.Handle, values: np.ndarray) -> Tensor:
    return Tensor(ort, memory, ctypes.c_void_p(values.ctypes.data), values.shape, str(values.dtype))


@pytest.mark.parametrize("precision", ["float32", "float16"])
def test_a_bound_run_equals_the_python_module(ort: Ort, precision: str) -> None:
    model = network(precision)
    options = SessionOptions(ort, {})
    session = Session(ort, model, options, "'conv'")
    memory = ort.new(
        "MemoryInfo", "CreateMemoryInfo", ctypes.c_char_p(b"Cpu"), ctypes.c_int(0), ctypes.c_int(0), ctypes.c_int(0)
    )
    frame, styled = np.zeros(SHAPE, precision), np.zeros(SHAPE, precision)
    tensors = [tensor(ort, memory, values) for values in (frame, styled)]
    bound = session.bind({"frame": tensors[0]}, {"styled": tensors[1]})
    reference = networks.session(model)
    for seed in range(3):  # the same binding reads and writes the same memory every time
        frame[:] = np.random.default_rng(seed).random(SHAPE)
        session.run(bound)
        np.testing.assert_allclose(styled, reference.run(None, {"frame": frame})[0], atol=2e-3, rtol=1e-3)
    for thing in (bound, *tensors, memory, session, options):
        thing.close()
        thing.close()


def test_sessions_follow_the_rules_of_directml(ort: Ort, monkeypatch: pytest.MonkeyPatch) -> None:
    """One operator at a time, and no memory pattern, for every kind of session. ONNX Runtime has no call that reads
    these options back."""
    calls: list[tuple[str, list[int | None]]] = []
    call = ort.call

    def noted(name: str, *arguments: Any, **options: Any) -> None:  # noqa: ANN401
        calls.append((name, [one.value for one in arguments if isinstance(one, ctypes.c_int)]))
        call(name, *arguments, **options)

    monkeypatch.setattr(ort, "call", noted)
    SessionOptions(ort, {}).close()
    assert ("SetSessionExecutionMode", [0]) in calls  # ORT_SEQUENTIAL
    assert ("DisableMemPattern", []) in calls


def test_only_one_session_is_made_run_or_released_at_a_time(ort: Ort, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else a thread does on DirectML at this moment crashes the process."""
    held: list[tuple[str, bool]] = []

    def is_held() -> bool:
        """Whether another thread finds the lock taken."""
        with ThreadPoolExecutor(1) as pool:
            free = pool.submit(binding.RUN_LOCK.acquire, blocking=False).result()
            if free:
                pool.submit(binding.RUN_LOCK.release).result()
        return not free

    function = ort.function

    def noted(name: str, *types: Any, **options: Any) -> Any:  # noqa: ANN401
        called = function(name, *types, **options)

        def call(*arguments: Any) -> Any:  # noqa: ANN401
            held.append((name, is_held()))
            return called(*arguments)

        return call

    monkeypatch.setattr(ort, "function", noted)
    options = SessionOptions(ort, {})
    session = Session(ort, network(), options, "'conv'")
    memory = ort.new(
        "MemoryInfo", "CreateMemoryInfo", ctypes.c_char_p(b"Cpu"), ctypes.c_int(0), ctypes.c_int(0), ctypes.c_int(0)
    )
    arrays = [np.zeros(SHAPE, np.float32) for _ in range(2)]
    tensors = [tensor(ort, memory, values) for values in arrays]
    bound = session.bind({"frame": tensors[0]}, {"styled": tensors[1]})
    session.run(bound)
    for thing in (bound, *tensors, memory, session, options):
        thing.close()
    guarded = {"CreateSessionFromArray", "RunWithBinding", "ReleaseSession"}
    assert {name for name, is_under_lock in held if is_under_lock} >= guarded


def test_a_damaged_model_is_an_error_that_names_it(ort: Ort) -> None:
    options = SessionOptions(ort, {})
    with pytest.raises(DeviceError, match=r"(?s)CreateSessionFromArray 'broken'.*[Pp]rotobuf"):
        Session(ort, b"not a model", options, "'broken'")
    options.close()


def test_binding_an_unknown_name_is_an_error(ort: Ort) -> None:
    options = SessionOptions(ort, {})
    session = Session(ort, network(), options, "'conv'")
    memory = ort.new(
        "MemoryInfo", "CreateMemoryInfo", ctypes.c_char_p(b"Cpu"), ctypes.c_int(0), ctypes.c_int(0), ctypes.c_int(0)
    )
    values = np.zeros(SHAPE, np.float32)
    only = tensor(ort, memory, values)
    with pytest.raises(DeviceError, match="BindInput 'nobody' of 'conv'"):
        session.bind({"nobody": only}, {"styled": only})
    for thing in (only, memory, session, options):
        thing.close()


def test_a_provider_that_is_not_there_is_an_error(ort: Ort) -> None:
    table = ctypes.c_void_p()
    with pytest.raises(DeviceError, match="GetExecutionProviderApi"):
        ort.call(
            "GetExecutionProviderApi",
            ctypes.c_char_p(b"Nobody"),
            ctypes.c_uint32(binding.API_VERSION),
            ctypes.pointer(table),
        )


def test_operators_and_their_provider_are_known(ort: Ort) -> None:
    options = SessionOptions(ort, {"session.record_ep_graph_assignment_info": "1"})
    session = Session(ort, network(), options, "'conv'")
    assert session.operators_of("CPUExecutionProvider") == ["Conv"]
    assert session.operators_of("DmlExecutionProvider") == []
    for thing in (session, options):
        thing.close()


def test_codes_in_a_status_become_typed_errors(ort: Ort) -> None:
    """The DirectML provider tells of a lost device and of memory by the HRESULT in its text."""
    create = ort.function("CreateStatus", ctypes.c_int, ctypes.c_char_p)
    for text, kind in ((b"887A0005 removed", DeviceLostError), (b"8007000E no room", OutOfMemoryError)):
        with pytest.raises(kind, match="Run 'net'"):
            ort.check(create(1, text), "Run", "'net'")
    ort.check(None, "Run")


def test_sessions_leave_no_memory(ort: Ort) -> None:
    options, model = SessionOptions(ort, {}), network()
    for _ in range(20):
        Session(ort, model, options, "'conv'").close()
    options.close()
    gc.collect()
    assert +ort.live == {"Env": 1}
