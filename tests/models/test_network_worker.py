"""Files of unknown origin are read in a process with limits: what crashes, hangs or asks for too much is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import ModelProto, helper

from framebrush.models.library import bundled
from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.reading import load
from framebrush.models.reading.load import load_style
from framebrush.models.reading.style_conversion import make_style
from framebrush.models.style import StyleError
from tests.networks import Net, johnson, random_weight

pytestmark = pytest.mark.unit

UNLIMITED = "Wine lets a process into a job but does not enforce the job's limits"


@pytest.fixture(autouse=True)
def _absolute_python_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a test may change the current folder."""
    folders = [str(Path(folder).absolute()) for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(folders))


def saved(folder: Path, model: ModelProto, name: str = "net.onnx") -> Path:
    path = folder / name
    path.write_bytes(model.SerializeToString())
    return path


def painter() -> ModelProto:
    net = Net([1, 3, "H", "W"])
    net.add("Div", [net.last, net.constant(255.0)])
    johnson(net)
    net.add("Sigmoid")
    return net.model()


def test_the_same_as_without_a_process(tmp_path: Path) -> None:
    said = PreprocessingOverrides(mean=(0.1, 0.2, 0.3), std=(0.5, 0.5, 0.5), title="Mine", order="bgr")
    style = load_style(saved(tmp_path, painter()), overrides=said)
    assert style == make_style(painter(), "net", overrides=said)


def test_a_bundled_style_needs_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "ask_once", None)
    assert load_style("ink").card.name == "ink"
    copy = bundled()["ink"]
    assert load_style(copy).card.name == "ink"


@pytest.mark.slow
def test_the_copy_of_a_bundled_style_is_of_unknown_origin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ink.onnx"
    path.write_bytes(bundled()["ink"].read_bytes())
    assert load_style(path) == load_style("ink")
    monkeypatch.setattr(load, "ask_once", None)
    with pytest.raises(TypeError):
        load_style(path)


def group_of_zero() -> ModelProto:
    net = Net([1, 3, "H", "W"])
    net.add("ConvTranspose", [net.last, net.constant(random_weight((3, 3, 1, 1), 1))], group=0)
    return net.model()


def overflow() -> ModelProto:
    net = Net([1, 3, "H", "W"])
    picture = net.last
    quotient = net.add("Div", [net.constant([-(2**63)], np.int64), net.constant([-1], np.int64)])
    net.add("Add", [picture, net.add("Cast", [quotient], to=1)])
    return net.model()


def long_folding() -> ModelProto:
    """Constants that take minutes to fold while the session is made."""
    net = Net([1, 3, "H", "W"])
    picture = net.last
    net.last = net.constant(np.zeros((1, 1, 1024, 1024), np.float32))
    for _ in range(3000):  # long for their size: the limit of memory is not met first
        net.add("MatMul", [net.last, net.last])
    net.add("Add", [picture, net.add("ReduceMax")])
    return net.model()


def many_alive() -> ModelProto:
    """No tensor is large on its own; all are needed at the end."""
    net = Net([1, 3, "H", "W"])
    picture = net.last
    wide = net.conv(np.ones((4096, 3, 1, 1), np.float32))
    kept = [net.add("Exp", [wide]) for _ in range(60)]
    net.last = kept[0]
    net.add("Sum", kept)
    net.conv(np.ones((3, 4096, 1, 1), np.float32))
    net.add("Add", [net.last, picture])
    return net.model()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("build", "reason"),
    [
        # ONNX Runtime 1.32 says so itself; 1.24 ends with a signal.
        (group_of_zero, r"reading it crashed \(.*\): it is damaged, malicious|group must be > 0"),
        (overflow, "net.onnx: its Div 't0' divides integers by -1; refused"),
        (long_folding, "net.onnx: it takes more than 2 s of the processor to read and try; refused"),
        (many_alive, r"net.onnx: its tensors need \d+ MB at a time for a frame of 96x96; refused"),
    ],
)
def test_what_does_harm_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    build: Callable[[], ModelProto],
    reason: str,
) -> None:
    if build is long_folding:
        if "WINRIG" in os.environ:
            pytest.skip(UNLIMITED)
        monkeypatch.setattr(load, "PROCESSOR_S", 2)
    with pytest.raises(StyleError, match=reason) as caught:
        load_style(saved(tmp_path, build()))
    assert str(caught.value).isprintable()
    assert capfd.readouterr() == ("", "")


def test_a_divisor_made_of_sizes_is_never_minus_one(tmp_path: Path) -> None:
    """At one size of the frame it would be, and the least integer divided by it is a signal of the processor."""
    net = Net([1, 3, "H", "W"])
    height = net.add("Gather", [net.add("Shape", ["input"]), net.constant(2, np.int64)])
    divisor = net.add("Sub", [height, net.constant(385, np.int64)])  # 384 is one of the sizes that are judged
    quotient = net.add("Div", [net.constant(-(2**63), np.int64), divisor])
    net.add("Add", ["input", net.add("Mul", [net.add("Cast", [quotient], to=1), net.constant(1e-30)])])
    said = PreprocessingOverrides(input_range="unit", output_range="unit")
    assert load_style(saved(tmp_path, net.model()), overrides=said).card.stride == 1


@pytest.mark.slow
def test_weights_that_take_more_memory_than_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "MEMORY_BYTES", 640 << 20)
    with (tmp_path / "w.bin").open("wb") as file:
        file.truncate(120 << 20)  # sparse
    tensor = onnx.TensorProto(name="w", data_type=1, dims=[1, 1, 30, 1 << 20], data_location=onnx.TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="w.bin")
    net = Net([1, 3, "H", "W"])
    net.weights.append(tensor)
    net.add("Add", [net.last, net.add("ReduceMax", ["w"])])
    path = saved(tmp_path, net.model())
    with pytest.raises(StyleError, match="memory"):
        load_style(path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("import os\nos.abort()", r"net\.onnx: reading it crashed \(.*\): it is damaged"),
        ("import time\ntime.sleep(60)", r"net\.onnx: it takes more than 1 s to read and try; refused"),
        (
            "import os\nos.write(2, b'cannot allocate memory for thread-local data: ABORT\\n')\nos._exit(127)",
            r"net\.onnx: it takes more memory than a style may; refused",
        ),
        ("raise SystemExit('no such\\x1b[2J thing')", r"net\.onnx: reading it failed \(no such.\[2J thing\)"),
    ],
)
def test_a_crash_or_a_wait_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, reason: str
) -> None:
    (tmp_path / "framebrush" / "models" / "reading").mkdir(parents=True)
    for folder in ("framebrush", "framebrush/models", "framebrush/models/reading"):
        (tmp_path / folder / "__init__.py").touch()
    (tmp_path / "framebrush" / "models" / "reading" / "network_worker.py").write_text(program)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(load, "WALL_S", 1.0)
    with pytest.raises(StyleError, match=reason):
        load_style(saved(tmp_path, painter()))


@pytest.mark.slow
def test_nothing_is_imported_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside a downloaded file there may lie others."""
    monkeypatch.setenv("PYTHONPATH", os.environ["PYTHONPATH"] + os.pathsep)  # the empty one is the current folder
    path = saved(tmp_path, painter())
    for name in ("json", "onnx", "numpy", "framebrush", "onnxruntime"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(7)\n")
    monkeypatch.chdir(tmp_path)
    assert load_style(path.name).card.stride == 4


def test_names_cannot_write_to_a_terminal(tmp_path: Path) -> None:
    net = Net([1, 3, "H", "W"], name="clear\x1b[2J\nscreen")
    net.add("Relu")
    net.inputs.append(helper.make_tensor_value_info("second", 1, [1, 3, "H", "W"]))
    with pytest.raises(StyleError, match="2 inputs") as caught:
        load_style(saved(tmp_path, net.model()))
    assert str(caught.value).isprintable()


@pytest.mark.slow
def test_weights_of_a_constant_lie_beside_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in the current folder, where onnx would look for them."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "w.bin").write_bytes(np.full(1, 9, np.float32).tobytes())
    (tmp_path / "w.bin").write_bytes(np.full(1, 2, np.float32).tobytes())
    tensor = onnx.TensorProto(name="w", data_type=1, dims=[1], data_location=onnx.TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="w.bin")
    net = Net([1, 3, "H", "W"])
    picture = net.last
    net.add("Mul", [picture, net.add("Constant", [], value=tensor)])
    path = saved(tmp_path, net.model())
    monkeypatch.chdir(other)
    style = load_style(path, overrides=PreprocessingOverrides(input_range="unit", output_range="unit"))
    weights = [onnx.numpy_helper.to_array(t) for t in onnx.load_from_string(style.model).graph.initializer]
    assert [weight.item() for weight in weights] == [2.0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limits", "code", "status", "error"),
    [
        ("512 << 20, 60", "bytearray(1 << 30)", 1, "MemoryError"),
        ("4 << 30, 1", "while True: pass", -24, ""),
        ("512 << 20, 60", "open('made', 'wb', buffering=0).write(b'x')", 1, "OSError"),
        ("512 << 20, 60", "fine = True", 0, ""),
    ],
)
def test_limits(tmp_path: Path, limits: str, code: str, status: int, error: str) -> None:
    if sys.platform == "win32" and error == "OSError":
        pytest.skip("files are limited on POSIX only")
    if "WINRIG" in os.environ and status:
        pytest.skip(UNLIMITED)
    program = f"from framebrush.models.reading.limits import limit_process\nlimit_process({limits})\n{code}\n"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    if sys.platform == "win32" and status < 0:
        assert done.returncode != 0
    else:
        assert done.returncode == status, done.stderr
    assert error in done.stderr
