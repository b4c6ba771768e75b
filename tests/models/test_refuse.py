"""Unusable styles: refused with the reason, however broken the file."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from framebrush.models.onnx_metadata import MAX_BYTES
from framebrush.models.reading import functions
from framebrush.models.reading.load import load_style
from framebrush.models.reading.read_onnx import parse
from framebrush.models.reading.style_conversion import make_style
from framebrush.models.style import MAX_MESSAGE_CHARS, StyleError
from tests.networks import Net, random_weight

pytestmark = pytest.mark.unit


def small(**model: int) -> Net:
    net = Net([1, 3, 16, 16])
    net.conv(random_weight((3, 3, 3, 3), 1), pads=[1, 1, 1, 1])
    net.add("Sigmoid")
    return net


def rank_two() -> onnx.ModelProto:
    net = Net([16, 16])
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


def four_channels_out() -> onnx.ModelProto:
    net = Net([1, 3, 16, 16])
    net.conv(random_weight((4, 3, 3, 3), 1), pads=[1, 1, 1, 1])
    return net.model()


def batch_of_four() -> onnx.ModelProto:
    net = Net([4, 3, 16, 16])
    net.add("Sigmoid")
    return net.model()


def signed_codes_in() -> onnx.ModelProto:
    net = Net([1, 3, 16, 16], kind=TensorProto.INT8)
    net.add("Cast", to=TensorProto.FLOAT)
    net.kind = TensorProto.FLOAT
    return net.model()


def half_as_large() -> onnx.ModelProto:
    net = Net([1, 3, 16, 16])
    net.conv(random_weight((3, 3, 3, 3), 1), strides=[2, 2], pads=[1, 1, 1, 1])
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


def brightest(net: Net) -> str:
    """The largest number of the picture, as an integer."""
    return net.add("Cast", [net.add("ReduceMax", ["input"], keepdims=0)], to=TensorProto.INT64)


def divided_by_the_picture() -> onnx.ModelProto:
    """Divide the least integer by -1, a processor signal, if a frame's brightest value is 9."""
    net = Net([1, 3, "H", "W"])
    divisor = net.add("Sub", [brightest(net), net.constant(10, np.int64)])
    quotient = net.add("Div", [net.constant(-(2**63), np.int64), divisor])
    net.add("Add", ["input", net.add("Cast", [quotient], to=1)])
    return net.model()


def remainder_of_the_picture() -> onnx.ModelProto:
    net = Net([1, 3, "H", "W"])
    rest = net.add("Mod", [brightest(net), net.constant(7, np.int64)])
    net.add("Add", ["input", net.add("Cast", [rest], to=1)])
    return net.model()


def divided_by_the_mix() -> onnx.ModelProto:
    net = Net([1, 3, "H", "W"])
    net.inputs.append(helper.make_tensor_value_info("mix", TensorProto.FLOAT, [1, 2]))
    whole = net.add("Cast", [net.add("ReduceMax", ["mix"], keepdims=0)], to=TensorProto.INT64)
    quotient = net.add("Div", [net.constant(-(2**63), np.int64), whole])
    net.add("Add", ["input", net.add("Cast", [quotient], to=1)])
    return net.model()


def divided_by(divisor: int) -> onnx.ModelProto:
    net = Net([1, 3, "H", "W"])
    quotient = net.add("Div", [net.add("Shape", ["input"]), net.constant([1, 1, divisor, 1], np.int64)])
    net.add("Reshape", ["input", quotient])
    return net.model()


def cut_by_the_picture() -> onnx.ModelProto:
    net = Net([1, 3, "H", "W"])
    end = net.add("Reshape", [brightest(net), net.constant([1], np.int64)])
    start = net.constant([0], np.int64)
    mean = net.add("GlobalAveragePool", [net.add("Slice", ["input", start, end, net.constant([2], np.int64)])])
    net.add("Add", ["input", mean])
    return net.model()


def tiled_by_the_picture() -> onnx.ModelProto:
    net = Net([1, 3, "H", "W"])
    count = net.add("Range", [net.constant(0, np.int64), brightest(net), net.constant(1, np.int64)])
    net.add("Add", ["input", net.add("Cast", [net.add("ReduceMax", [count], keepdims=0)], to=1)])
    return net.model()


CASES: list[tuple[Callable[[], onnx.ModelProto], str]] = [
    (rank_two, r"input 'input' has 2 dimensions; a style takes \(1, 3, height, width\)"),
    (two_inputs, r"2 inputs \(input, style\)"),
    (two_outputs, r"it has 2 outputs \(t1, t0\); choose the picture among them with --net-result"),
    (depth_map, "input 'input' is 1x4x16x16, not a picture of 3 channels or 1"),
    (four_channels_out, "its output is 1x4x16x16 for a frame of 16x16, not a picture of 3 channels or 1"),
    (batch_of_four, "takes 4 pictures at once; export it for one"),
    (signed_codes_in, "input 'input' is int8; export it with a float32 or float16 picture"),
    (half_as_large, "1 x 3 x 16 x 16 comes out as 1 x 3 x 8 x 8; a style keeps the size of a frame, or multiplies it"),
    (foreign_operator, "operator 'com.example.Sigmoid' is not one that a style may have"),
    (loop, "operator 'Loop' is not one that a style may have"),
    (enormous_tensor, "is 1x3x480000x480000 for a frame of 16x16; refused"),
    (almost_a_shuffle, "a frame of 1 x 3 x 16 x 16 comes out as 1 x 3 x 32 x 8; a style keeps the size of a frame"),
    (hidden_size, "its tensor 'net/t1' is 1099511627776 for a frame of 16x16; refused"),
    (divided_by_the_picture, "its Div 't3' divides integers that depend on what the picture shows"),
    (remainder_of_the_picture, "its Mod 't2' divides integers that depend on what the picture shows"),
    (divided_by_the_mix, "its Div 't2' divides integers that depend on what the picture shows"),
    (lambda: divided_by(0), "its Div 't1' divides integers by 0; refused"),
    (lambda: divided_by(-1), "its Div 't1' divides integers by -1; refused"),
    (cut_by_the_picture, "the size of its Slice 't3' depends on what the picture shows; refused"),
    (tiled_by_the_picture, "the size of its Range 't2' depends on what the picture shows; refused"),
    (lambda: small().model(opset=99), "opset 99 is newer than this program knows"),
]


@pytest.mark.slow
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
        (b"GIF89a" + bytes(64), r"a style is an ONNX network, a picture \(PNG, .*\), or a frame .* as in clip\.mp4@0"),
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
    with pytest.raises(StyleError, match=r"it has more than 536\.9 MB, the most for such a file"):
        load_style(path)


@pytest.mark.parametrize(
    "location",
    [
        "../secret.bin", "/etc/passwd", "a/../../secret.bin", "..\\secret.bin", "C:\\x", "",
        "http://evil.example/x.bin", "net.bin:stream", "se\0cret.bin",
    ],
)  # fmt: skip
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


@pytest.mark.slow
def test_weights_file_too_large(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    net = small()
    net.conv(random_weight((3, 3, 3, 3), 2), pads=[1, 1, 1, 1])
    onnx.save_model(net.model(), path, save_as_external_data=True, location="net.bin", size_threshold=0)
    with (tmp_path / "net.bin").open("r+b") as file:
        file.truncate(300 << 20)  # sparse
    model = onnx.load(path, load_external_data=False)
    for tensor in model.graph.initializer:  # each of them all of the file
        tensor.raw_data = b"0"
        onnx.external_data_helper.set_external_data(tensor, "net.bin")
        tensor.ClearField("raw_data")
    path.write_bytes(model.SerializeToString())
    with pytest.raises(StyleError, match="its weights beside it are more than 512 MB"):
        load_style(path)


def test_text_that_is_none_is_refused_in_silence(capfd: pytest.CaptureFixture[str]) -> None:
    net = Net([1, 3, 16, 16])
    net.conv(random_weight((3, 3, 1, 1), 1), dilations=[1, 1])
    data = net.model().SerializeToString().replace(b"dilations", b"di\xdcations")
    with pytest.raises(StyleError, match="net: "):
        make_style(parse(data, "net"), "net")
    assert capfd.readouterr() == ("", "")


def calling(depth: int, times: int, last: str = "Relu") -> onnx.ModelProto:
    """Return functions that call the next one `times` times each."""
    net = Net([1, 3, 16, 16])
    net.add("P0")
    net.nodes[-1].domain = "local"
    model = net.model()
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("local", 1)]
    for level in range(depth):
        callee, domain = (f"P{level + 1}", "local") if level + 1 < depth else (last, "local" if last != "Relu" else "")
        names = ["x", *(f"t{index}" for index in range(times - 1)), "y"]
        pairs = pairwise(names)
        body = [helper.make_node(callee, [before], [after], domain=domain) for before, after in pairs]
        model.functions.append(helper.make_function("local", f"P{level}", ["x"], ["y"], body, opsets))
    model.opset_import.append(opsets[1])
    return model


def test_functions_that_grow_without_end_are_counted_and_not_expanded() -> None:
    assert calling(9, 10).ByteSize() < 3000
    with pytest.raises(StyleError, match="together they are more than 65536 operators or 512 MB; refused"):
        make_style(calling(9, 10), "net")
    for depth, times, last in ((1, 1, "P0"), (3, 2, "P1")):
        with pytest.raises(StyleError, match="net: its functions call each other in a circle; refused"):
            make_style(calling(depth, times, last), "net")
    net = calling(4, 8)  # 4096 in all
    functions.expand(net, "net")
    assert len(net.graph.node) == 4096


def test_tensors_of_functions_are_counted_as_often_as_they_are_called(monkeypatch: pytest.MonkeyPatch) -> None:
    net = calling(3, 4)
    weight = onnx.numpy_helper.from_array(np.zeros(1000, np.float32))
    net.functions[-1].node.append(helper.make_node("Constant", [], ["w"], value=weight))
    monkeypatch.setattr(functions, "MAX_BYTES", 16 * 4000)
    with pytest.raises(StyleError, match="its functions call each other so often"):
        functions.expand(net, "net")
    monkeypatch.setattr(functions, "MAX_BYTES", 20 * 4000)
    functions.expand(net, "net")


def test_a_name_without_end_is_cut() -> None:
    net = small()
    net.nodes[-1].domain = "x" * 100_000
    with pytest.raises(StyleError, match=r"^net: operator 'xxx.*…$") as caught:
        make_style(net.model(), "net")
    assert len(str(caught.value)) == MAX_MESSAGE_CHARS + 1


@pytest.mark.slow
def test_an_index_beyond_the_picture_is_called_that() -> None:
    net = Net([1, 3, "H", "W"])
    net.add("GatherND", ["input", net.constant([[0, 7]], np.int64)])
    net.add("Add", ["input", net.last])
    with pytest.raises(StyleError, match=r"net: it does not run on a frame of 3x\d+x\d+ \(.*index.*\)") as caught:
        make_style(net.model(), "net")
    assert "convolutional" not in str(caught.value)
