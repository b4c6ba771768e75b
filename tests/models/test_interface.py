"""Networks as third parties publish them: of several outputs, with a number beside the picture, in other layouts at
both ends, of one channel, and without padding."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, helper

from framebrush.base.text import count_of
from framebrush.models.preprocessing import PreprocessingOverrides, parse_values
from framebrush.models.reading.load import load_style
from framebrush.models.reading.style_conversion import make_style
from framebrush.models.sample_picture import sample_picture
from framebrush.models.style import PAINTED_BRUSH, Style, StyleError
from tests.models.native import run
from tests.networks import Net, random_weight

pytestmark = pytest.mark.unit

LUMA = np.array([0.2126, 0.7152, 0.0722], np.float32)


def said(**more: Any) -> PreprocessingOverrides:  # noqa: ANN401 - of several types
    return PreprocessingOverrides(input_range="unit", output_range="unit", **more)


def made(model: ModelProto, **more: Any) -> Style:  # noqa: ANN401 - as above
    style = make_style(ModelProto.FromString(model.SerializeToString()), "net", overrides=said(**more))
    onnx.checker.check_model(style.model, full_check=True)
    parsed = onnx.load_from_string(style.model).graph
    assert [value.name for value in (*parsed.input, *parsed.output)] == ["frame", "styled"]
    return style


def painted(style: Style, picture: np.ndarray) -> np.ndarray:
    return run(style.model, picture[None])[0]


# Several outputs


def three_outputs() -> ModelProto:
    """The picture a tenth darker, its negative, and one number."""
    net = Net([1, 3, "H", "W"])
    for gain, shift in ((0.9, 0.0), (-1.0, 1.0)):
        net.last = "input"
        net.conv(gain * np.eye(3, dtype=np.float32).reshape(3, 3, 1, 1), np.full(3, shift, np.float32))
    net.nodes.append(helper.make_node("Loop", ["input"], ["loss"]))  # which a style may not have
    model = net.model()
    for name in ("t0", "loss"):
        model.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, None))
    return model


def test_one_of_several_outputs_is_chosen_and_the_others_are_cut_off() -> None:
    picture = sample_picture(24, 32)
    for name, wanted in (("t0", 0.9 * picture), ("t1", 1 - picture)):
        style = made(three_outputs(), result=name)
        np.testing.assert_allclose(painted(style, picture), wanted, atol=1e-5)
        assert len(onnx.load_from_string(style.model).graph.node) == 1
    with pytest.raises(StyleError, match=r"net: it has 3 outputs \(t1, t0, loss\); choose .* with --net-result$"):
        made(three_outputs())
    with pytest.raises(StyleError, match=r"it has no output 'x'; --net-result is one of these: t1, t0, loss$"):
        made(three_outputs(), result="x")


# Numbers beside the picture


def with_strength(shape: list[int | str], kind: int = TensorProto.FLOAT, default: float | None = None) -> ModelProto:
    """frame * strength."""
    net = Net([1, 3, "H", "W"])
    net.inputs.append(helper.make_tensor_value_info("a=b", kind, shape))
    net.add("Mul", ["input", net.add("Cast", ["a=b"], to=TensorProto.FLOAT)])
    model = net.model()
    if default is not None:
        model.graph.initializer.append(helper.make_tensor("a=b", kind, [1] * len(shape), [default]))
    return model


@pytest.mark.parametrize("shape", [[], [1], ["N"], ["N", 1], [1, 1, 1, 1]])
def test_a_number_becomes_a_constant(shape: list[int | str]) -> None:
    picture = sample_picture(24, 32)
    style = made(with_strength(shape), values=parse_values(["a=b=0.25"]))
    np.testing.assert_allclose(painted(style, picture), 0.25 * picture, atol=1e-6)


@pytest.mark.parametrize(
    ("kind", "value"), [(TensorProto.FLOAT16, 0.5), (TensorProto.INT64, 2.0), (TensorProto.BOOL, 1.0)]
)
def test_a_number_of_another_type(kind: int, value: float) -> None:
    picture = sample_picture(24, 32)
    style = made(with_strength([1], kind), values=(("a=b", value),))
    np.testing.assert_allclose(painted(style, picture), value * picture, atol=1e-3)


def test_a_default_of_the_file_stays_unless_another_value_is_given() -> None:
    picture = sample_picture(24, 32)
    model = with_strength([1], default=0.75)
    np.testing.assert_allclose(painted(made(model), picture), 0.75 * picture, atol=1e-6)
    np.testing.assert_allclose(painted(made(model, values=(("a=b", 0.5),)), picture), 0.5 * picture, atol=1e-6)


@pytest.mark.parametrize(
    ("model", "values", "reason"),
    [
        (with_strength([1]), (), "net: it asks for 1 number besides the picture; give --net-value a=b=…$"),
        (with_strength([1]), (("sigma", 1.0),), "it has no input 'sigma'; its inputs are: input, a=b"),
        (with_strength([1, 3]), (("a=b", 1.0),), "input 'a=b' is not a single number; --net-value gives one"),
        (with_strength([1]), (("input", 1.0),), "input 'input' is not a single number"),
        (with_strength([1], TensorProto.INT32), (("a=b", 0.5),), "0.5 is no value for input 'a=b', which is int32"),
        (with_strength([1], TensorProto.INT8), (("a=b", 300.0),), "300 is no value for input 'a=b', which is int8"),
        (with_strength([1], TensorProto.FLOAT16), (("a=b", 1e9),), "1e\\+09 is no value for input .* float16"),
        (with_strength([1], TensorProto.STRING), (("a=b", 1.0),), "input 'a=b' is not a single number"),
    ],
)
def test_numbers_that_cannot_be(model: ModelProto, values: tuple[tuple[str, float], ...], reason: str) -> None:
    with pytest.raises(StyleError, match=reason):
        made(model, values=values)


@pytest.mark.parametrize("text", ["sigma", "=1", "sigma=", "sigma=much", "sigma=nan", "sigma=1e999"])
def test_a_value_is_written_as_name_and_number(text: str) -> None:
    with pytest.raises(ValueError, match=r"write NAME=NUMBER, such as sigma=0\.5"):
        parse_values([text])
    with pytest.raises(ValueError, match="given twice"):
        PreprocessingOverrides(values=parse_values(["a=1", "a=2"]))


@pytest.mark.slow
def test_both_reach_the_process_that_reads(tmp_path: Any) -> None:  # noqa: ANN401 - a path
    file = tmp_path / "net.onnx"
    model = with_strength([1])
    model.graph.output.append(helper.make_tensor_value_info("t0", TensorProto.FLOAT, None))
    file.write_bytes(model.SerializeToString())
    given = said(result="t1", values=(("a=b", 0.5),))
    assert load_style(file, overrides=given) == make_style(model, "net", overrides=given)


def test_names_without_end_are_cut() -> None:
    model = three_outputs()
    for index in range(200):
        model.graph.output.append(helper.make_tensor_value_info(f"{index:05}" * 100, TensorProto.FLOAT, None))
    with pytest.raises(StyleError, match="it has 203 outputs") as caught:
        made(model)
    assert len(str(caught.value)) < 1000


# Layouts


def halved(shape: list[int | str], turns: list[list[int]]) -> Net:
    """Half of the picture's numbers; turns: permutations on the way."""
    net = Net(shape)
    net.add("Mul", [net.last, net.constant(0.5)])
    for turn in turns:
        net.add("Transpose", perm=turn)
    return net


@pytest.mark.parametrize(
    ("shape", "turns"),
    [
        ([1, 3, "H", "W"], [[0, 2, 3, 1]]),
        ([1, 3, 24, 32], [[0, 2, 3, 1]]),
        ([1, "H", "W", 3], [[0, 3, 1, 2]]),
        ([3, "H", "W"], []),
        ([3, 24, 32], [[1, 2, 0]]),
        (["H", "W", 3], []),
        ([24, 32, 3], [[2, 0, 1]]),
    ],
)
def test_the_ends_may_lie_in_any_way(shape: list[int | str], turns: list[list[int]]) -> None:
    style = made(halved(shape, turns).model())
    assert (style.card.fixed_size, style.card.stride, style.card.radius_px) == (None, 1, 0)
    picture = sample_picture(40, 48)
    np.testing.assert_allclose(painted(style, picture), picture / 2, atol=1e-6)


def test_a_batch_may_be_lost_on_the_way() -> None:
    net = halved([1, 3, "H", "W"], [])
    net.add("Squeeze", [net.last, net.constant([0], np.int64)])
    picture = sample_picture(40, 48)
    np.testing.assert_allclose(painted(made(net.model()), picture), picture / 2, atol=1e-6)


# One channel


def test_a_colouriser_is_given_the_luma_and_keeps_its_own_colours() -> None:
    net = Net([1, 1, "H", "W"])
    net.conv(np.array([1.0, 0.5, 0.25], np.float32).reshape(3, 1, 1, 1))
    style = made(net.model(), order="bgr")
    picture = sample_picture(24, 32)
    luma = np.tensordot(LUMA, picture, 1)
    np.testing.assert_allclose(painted(style, picture), luma * np.reshape([0.25, 0.5, 1.0], (3, 1, 1)), atol=1e-5)
    assert style.card.brush == PAINTED_BRUSH
    assert "it takes luma only: the colours are its own" in style.card.notes[0]


@pytest.mark.parametrize("rank", [4, 3, 2])
def test_a_matte_is_grey_and_has_no_strokes(rank: int) -> None:
    net = Net([1, 3, "H", "W"])
    net.conv(LUMA.reshape(1, 3, 1, 1))
    net.add("Sigmoid")
    if rank < 4:
        net.add("Squeeze", [net.last, net.constant([0, 1][: 4 - rank], np.int64)])
    style = made(net.model())
    picture = sample_picture(24, 32)
    matte = 1 / (1 + np.exp(-np.tensordot(LUMA, picture, 1)))
    np.testing.assert_allclose(painted(style, picture), [matte] * 3, atol=1e-5)
    assert (style.card.brush, style.card.relief) == (0.0, 0.0)
    assert "its result has one channel: it is grey" in style.card.notes[0]


def test_the_range_of_a_matte_is_found_by_trying() -> None:
    net = Net([1, 3, "H", "W"])
    net.conv(LUMA.reshape(1, 3, 1, 1) * 255)
    note = make_style(net.model(), "net").card.notes[0]
    assert "output byte by trying it" in note


# Without padding


def valid(*sizes: int, shape: list[int | str] | None = None) -> Net:
    """Convolutions without padding."""
    net = Net(shape or [1, 3, "H", "W"])
    for seed, size in enumerate(sizes):
        net.conv(random_weight((3, 3, size, size), seed) / 2)
    return net


@pytest.mark.parametrize(("sizes", "lost"), [((3,), 2), ((5, 3), 6), ((2,), 1), ((4, 3), 5)])
def test_what_padding_would_have_kept_is_kept(sizes: tuple[int, ...], lost: int) -> None:
    """Inside it is the network's own result, in its place; the edge sees the edge's pixels again."""
    model = valid(*sizes).model()
    style = made(model)
    picture = sample_picture(24, 32)
    begin, end = lost // 2, (lost + 1) // 2
    wide = np.pad(picture, [(0, 0), (begin, end), (begin, end)], mode="edge")
    result = painted(style, picture)
    assert result.shape == picture.shape
    np.testing.assert_allclose(result, run(model, wide[None])[0], atol=1e-5)
    np.testing.assert_allclose(result[:, begin : 24 - end, begin : 32 - end], run(model, picture[None])[0], atol=1e-5)
    assert (style.card.stride, style.card.radius_px) == (1, end)
    lacks = f"{count_of(lost, 'row')} and {count_of(lost, 'column')}"
    assert f"its result lacks {lacks}: the edge of the frame is extended" in style.card.notes[-1]


def test_an_enlarger_without_padding() -> None:
    """Two pixels of the frame make three or four; the rest of the extended edge is cut off."""
    net = valid(3)
    net.conv(random_weight((12, 3, 1, 1), 7))
    net.add("DepthToSpace", blocksize=2)
    net.conv(random_weight((3, 3, 3, 3), 8))
    style = made(net.model())
    picture = sample_picture(24, 32)
    wide = np.pad(picture, [(0, 0), (2, 2), (2, 2)], mode="edge")
    assert style.card.scale == 2
    np.testing.assert_allclose(painted(style, picture), run(net.model(), wide[None])[0][:, 1:-1, 1:-1], atol=1e-5)


def test_strides_without_padding() -> None:
    """The frame is extended to a multiple of the stride, and the excess cut off."""
    net = Net([1, 3, "H", "W"])
    net.conv(random_weight((6, 3, 4, 4), 5), strides=[4, 4])
    net.add("ConvTranspose", [net.last, net.constant(random_weight((6, 3, 4, 4), 6))], strides=[4, 4])
    net.conv(random_weight((3, 3, 3, 3), 8))
    style = made(net.model())
    assert style.card.stride == 4
    for height, width in ((24, 32), (28, 36)):
        picture = sample_picture(height, width)
        wide = np.pad(picture, [(0, 0), (1, 3), (1, 3)], mode="edge")
        np.testing.assert_allclose(painted(style, picture), run(net.model(), wide[None])[0][:, :-2, :-2], atol=1e-5)


@pytest.mark.slow
def test_a_network_of_one_size_without_padding_is_given_a_smaller_frame() -> None:
    net = valid(3, shape=[1, 3, 16, 24])
    net.add("Flatten")
    net.add("MatMul", [net.last, net.constant(np.eye(3 * 14 * 22, dtype=np.float32))])
    net.add("Reshape", [net.last, net.constant([1, 3, 14, 22], np.int64)])
    model = net.model()
    style = made(model)
    assert style.card.fixed_size == (22, 14)
    picture = sample_picture(14, 22)
    wide = np.pad(picture, [(0, 0), (1, 1), (1, 1)], mode="edge")
    np.testing.assert_allclose(run(style.fixed(22, 14), picture[None]), run(model, wide[None]), atol=1e-5)
