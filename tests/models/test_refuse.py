"""What cannot be a style is refused with the reason, and no file, however broken, does worse."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from framebrush.models import probe
from framebrush.models.load import load_style, make_style
from framebrush.models.read_onnx import MAX_BYTES, parse
from framebrush.models.style import StyleError
from tests.networks import Net, johnson, random_weight

pytestmark = pytest.mark.unit


def small(**model: int) -> Net:
    net = Net([1, 3, 16, 16])
    net.conv(random_weight((3, 3, 3, 3), 1), pads=[1, 1, 1, 1])
    net.add("Sigmoid")
    return net


def rank_three() -> onnx.ModelProto:
    net = Net([3, 16, 16])
    net.add("Sigmoid")
    return net.model()


def two_inputs() -> onnx.ModelProto:
    net = small()
    net.inputs.append(helper.make_tensor_value_info("style", TensorProto.FLOAT, [1, 3, 16, 16]))
    return net.model()


def two_outputs() -> onnx.ModelProto:
    model = small().model()
    model.graph.output.append(helper.make_tensor_value_info("t0", TensorProto.FLOAT, None))
    return model


def depth_map() -> onnx.ModelProto:
    net = Net([1, 4, 16, 16])
    net.add("Sigmoid")
    return net.model()


def one_channel_out() -> onnx.ModelProto:
    net = Net([1, 3, 16, 16])
    net.conv(random_weight((1, 3, 3, 3), 1), pads=[1, 1, 1, 1])
    return net.model()


def batch_of_four() -> onnx.ModelProto:
    net = Net([4, 3, 16, 16])
    net.add("Sigmoid")
    return net.model()


def codes_in() -> onnx.ModelProto:
    net = Net([1, 3, 16, 16], kind=TensorProto.UINT8)
    net.add("Cast", to=TensorProto.FLOAT)
    net.kind = TensorProto.FLOAT
    return net.model()


def fully_connected() -> onnx.ModelProto:
    net = Net([1, 3, 16, 16])
    net.add("Flatten")
    net.add("MatMul", [net.last, net.constant(random_weight((768, 768), 1))])
    net.add("Reshape", [net.last, net.constant([1, 3, 16, 16], np.int64)])
    return net.model()


def unpadded() -> onnx.ModelProto:
    net = Net([1, 3, 16, 16])
    net.conv(random_weight((3, 3, 3, 3), 1))
    return net.model()


def odd_resize() -> onnx.ModelProto:
    net = Net([1, 3, 16, 16])
    net.add("Resize", [net.last, "", "", net.constant([1, 3, 24, 24], np.int64)])
    net.add("Resize", [net.last, "", "", net.constant([1, 3, 16, 16], np.int64)])
    return net.model()


def foreign_operator() -> onnx.ModelProto:
    net = small()
    net.nodes[-1].domain = "com.example"
    return net.model()


def loop() -> onnx.ModelProto:
    net = small()
    net.add("Loop", body=helper.make_graph([], "body", [], []))
    return net.model()


def enormous_tensor() -> onnx.ModelProto:
    net = Net([1, 3, 16, 16])
    net.add("Tile", [net.last, net.constant([1, 1, 30000, 30000], np.int64)])
    net.add("GlobalAveragePool")
    return net.model()


def almost_a_doubling() -> onnx.ModelProto:
    """The operators of the known idiom, but the rows come one after the other in new channels."""
    net = Net([1, 3, 16, 16])
    flat = net.add("Reshape", [net.last, net.constant([-1, 1], np.int64)])
    wide = net.add("Reshape", [net.add("Concat", [flat, flat], axis=1), net.constant([-1, 32], np.int64)])
    net.add("Reshape", [net.add("Concat", [wide, wide], axis=1), net.constant([1, 12, 16, 16], np.int64)])
    net.conv(random_weight((3, 12, 1, 1), 1))
    return net.model()


def almost_a_shuffle() -> onnx.ModelProto:
    net = Net([1, 3, 16, 16])
    net.conv(random_weight((12, 3, 1, 1), 1))
    net.add("Reshape", [net.last, net.constant([1, 3, 2, 2, 16, 16], np.int64)])
    net.add("Transpose", perm=[0, 1, 4, 2, 5, 3])
    net.add("Reshape", [net.last, net.constant([1, 12, 32, 8], np.int64)])
    net.conv(random_weight((3, 12, 1, 1), 2))
    return net.model()


def hidden_size() -> onnx.ModelProto:
    """ONNX Runtime would fold this into a terabyte of zeros as it loads."""
    net = Net([1, 3, 16, 16])
    frame = net.last
    net.add("ReduceProd", [net.constant([1 << 20, 1 << 20], np.int64)])
    net.add("ConstantOfShape")
    net.add("Add", [frame, net.add("ReduceMax")])
    return net.model()


CASES: list[tuple[Callable[[], onnx.ModelProto], str]] = [
    (rank_three, r"input 'input' has 3 dimensions; a style takes \(1, 3, height, width\)"),
    (two_inputs, r"2 inputs \(input, style\)"),
    (two_outputs, "2 outputs"),
    (depth_map, "input 'input' is 1x4x16x16, not a picture of 3 channels"),
    (one_channel_out, "it gives 1x1x96x96 for a frame of 96 px, not a picture of 3 channels"),
    (batch_of_four, "takes 4 pictures at once; export it for one"),
    (codes_in, "input 'input' is uint8; export it with a float32 or float16 picture"),
    (fully_connected, "not fully convolutional"),
    (unpadded, "must be fully convolutional, with padding that keeps the size"),
    (odd_resize, "it resizes 16x16 to 24x24, which fits no other size"),
    (foreign_operator, "operator 'com.example.Sigmoid' is not one that a style may have"),
    (loop, "operator 'Loop' is not one that a style may have"),
    (enormous_tensor, "for a frame of 96 px; refused"),
    (almost_a_doubling, r"it is not fully convolutional \('t4' is 1x12x16x16 always\)"),
    (almost_a_shuffle, r"it is not fully convolutional \('t3' is 1x12x32x8 always\)"),
    (hidden_size, "the size of its ConstantOfShape 't1' cannot be foreseen; refused"),
    (lambda: small().model(opset=None), "does not say which operator set it uses"),
    (lambda: small().model(opset=6), "opset 6 is too old"),
    (lambda: small().model(opset=99), "opset 99 is newer than this program knows"),
]


@pytest.mark.parametrize(("build", "reason"), CASES)
def test_refused_with_the_reason(build: Callable[[], onnx.ModelProto], reason: str) -> None:
    with pytest.raises(StyleError, match=reason) as caught:
        make_style(build(), "net")
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("net: ")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b"not a network, but words about one", "not an ONNX file, or damaged"),
        (b"\x89PNG\r\n\x1a\n" + bytes(64), "not an ONNX file, or damaged"),
        (b"\x08\x08", "it holds no network"),
    ],
)
def test_other_files(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "style.onnx"
    path.write_bytes(content)
    with pytest.raises(StyleError, match=reason):
        load_style(path)


def test_missing_folder_and_absurd_size(tmp_path: Path) -> None:
    with pytest.raises(StyleError, match="there is no such file"):
        load_style(tmp_path / "none.onnx")
    with pytest.raises(StyleError, match="is not a file"):
        load_style(tmp_path)
    path = tmp_path / "huge.onnx"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)  # sparse
    with pytest.raises(StyleError, match="512 MB are more than a style network has"):
        load_style(path)


@pytest.mark.parametrize(
    "location", ["../secret.bin", "/etc/passwd", "a/../../secret.bin", "..\\secret.bin", "C:\\x", ""]
)
def test_weights_outside_the_folder(tmp_path: Path, location: str) -> None:
    folder = tmp_path / "styles"
    folder.mkdir()
    (tmp_path / "secret.bin").write_bytes(bytes(1 << 16))
    model = small().model()
    tensor = model.graph.initializer[0]
    onnx.external_data_helper.set_external_data(tensor, location)
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    path = folder / "style.onnx"
    path.write_bytes(model.SerializeToString())
    with pytest.raises(StyleError, match="its weights point outside its folder"):
        load_style(path)


def test_weights_through_a_link(tmp_path: Path) -> None:
    folder = tmp_path / "styles"
    folder.mkdir()
    (tmp_path / "secret.bin").write_bytes(bytes(1 << 16))
    (folder / "net.bin").symlink_to(tmp_path / "secret.bin")
    model = small().model()
    onnx.external_data_helper.set_external_data(model.graph.initializer[0], "net.bin")
    model.graph.initializer[0].data_location = TensorProto.EXTERNAL
    (folder / "style.onnx").write_bytes(model.SerializeToString())
    with pytest.raises(StyleError, match="its weights point outside its folder"):
        load_style(folder / "style.onnx")


def test_weights_file_too_short(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    onnx.save_model(small().model(), path, save_as_external_data=True, location="net.bin", size_threshold=0)
    (tmp_path / "net.bin").write_bytes(b"short")
    with pytest.raises(StyleError, match=r"its weights in net\.bin cannot be read"):
        load_style(path)


def test_weights_file_too_large(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    onnx.save_model(small().model(), path, save_as_external_data=True, location="net.bin", size_threshold=0)
    with (tmp_path / "net.bin").open("r+b") as file:
        file.truncate(MAX_BYTES + 1)  # sparse
    with pytest.raises(StyleError, match="its weights beside it are more than 512 MB"):
        load_style(path)


def test_a_run_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    net = Net([1, 3, "H", "W"])
    for seed in range(400):  # seconds of work, so that a busy machine ends it in time too
        net.conv(random_weight((3, 3, 9, 9), seed), pads=[4, 4, 4, 4])
    runner = probe.Runner(net.model(), "net")
    monkeypatch.setattr(probe, "LIMIT_S", 0.001)
    with pytest.raises(StyleError, match=r"net: it takes more than 0\.001 s for 3x512x512; refused"):
        runner.run(np.zeros((1, 3, 512, 512), np.float32))


_FUZZ = """
import sys
import numpy as np
from framebrush.models import probe
from framebrush.models.load import make_style
from framebrush.models.read_onnx import parse
from framebrush.models.style import StyleError

data = open(sys.argv[1], "rb").read()
random = np.random.default_rng(7)
outcomes = {"loaded": 0, "refused": 0}
for round in range(240):
    mutated = bytearray(data)
    if round % 3 == 0:
        mutated = mutated[: random.integers(len(mutated))]
    for _ in range(int(random.integers(1, 6))):
        if mutated:
            mutated[random.integers(len(mutated))] = random.integers(256)
    if round % 3 == 1:
        at = int(random.integers(len(mutated)))
        mutated[at:at] = bytes(random.integers(0, 256, 8, np.uint8))
    sys.stdout.write(f"round {round}\\n")
    sys.stdout.flush()
    try:
        make_style(parse(bytes(mutated), "fuzz"), "fuzz")
        outcomes["loaded"] += 1
    except StyleError as error:
        assert "\\n" not in str(error)
        outcomes["refused"] += 1
print(outcomes)
assert min(outcomes.values()) > 10
"""


def test_text_that_is_none_is_refused_in_silence(capfd: pytest.CaptureFixture[str]) -> None:
    net = Net([1, 3, 16, 16])
    net.conv(random_weight((3, 3, 1, 1), 1), dilations=[1, 1])
    data = net.model().SerializeToString().replace(b"dilations", b"di\xdcations")
    with pytest.raises(StyleError, match="net: "):
        make_style(parse(data, "net"), "net")
    assert capfd.readouterr() == ("", "")


def test_mutated_files_load_or_are_refused(tmp_path: Path) -> None:
    """In a process of its own, so that a crash in a library would be seen and not end the tests."""
    net = Net([1, 3, 64, 64])
    net.add("Div", [net.last, net.constant(255.0)])
    johnson(net, channels=1, opset=11, up="sizes")
    net.add("Tanh")
    path = tmp_path / "seed.onnx"
    path.write_bytes(net.model(opset=11).SerializeToString())
    done = subprocess.run(
        [sys.executable, "-c", _FUZZ, str(path)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout[-200:] + done.stderr[-2000:]
