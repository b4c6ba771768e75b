"""The rules by which a network becomes a style, each at its limit and with the smallest network that shows it."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from framebrush.models.model_card import write_card
from framebrush.models.preprocessing import Preprocessing, PreprocessingOverrides
from framebrush.models.reading import canonical, style_conversion
from framebrush.models.reading.interface import End, Ends
from framebrush.models.reading.network_probe import Runner
from framebrush.models.reading.style_conversion import make_style
from framebrush.models.style import PAINTED_BRUSH, PAINTED_RELIEF, ModelCard, StyleError
from tests import networks
from tests.networks import Net

pytestmark = pytest.mark.unit

NCHW = Ends(End("nchw", 3, 4, is_byte=False), End("nchw", 3, 4, is_byte=False), None)

UNIT = PreprocessingOverrides(input_range="unit", output_range="unit")


def frame(*shape: int | str) -> Net:
    return Net(shape or [1, 3, "H", "W"], name="frame")


def pixelwise(channels: int = 3, into: int = 3) -> np.ndarray:
    return np.full((channels, into, 1, 1), 1 / into, np.float32)


# Cards


def carded(*shape: int, **facts: object) -> onnx.ModelProto:
    """Return a network with a model card, exported for any size or for one."""
    net = frame(*shape)
    net.conv(np.eye(3, dtype=np.float32).reshape(3, 3, 1, 1))
    model = net.model()
    card = {"name": "net", "title": "Its title", "paintings": ("one",), "stride": 4, "radius_px": 7} | facts
    write_card(model, ModelCard(**card), Preprocessing())  # type: ignore[arg-type]
    return model


def test_a_card_is_believed_where_it_is_trusted_and_measured_where_not() -> None:
    trusted, measured = (make_style(carded(), "net", trusted=trust).card for trust in (True, False))
    assert (trusted.title, trusted.paintings, trusted.stride, trusted.radius_px) == ("Its title", ("one",), 4, 7)
    assert (measured.title, measured.paintings, measured.stride, measured.radius_px) == ("Its title", ("one",), 1, 0)
    assert measured.notes == ()


@pytest.mark.parametrize("trusted", [True, False])
def test_a_network_with_a_card_is_freed_of_the_size_of_its_export(trusted: bool) -> None:
    style = make_style(carded(1, 3, 48, 64), "net", trusted=trusted)
    assert style.card.fixed_size is None
    assert onnx.load_from_string(style.model).graph.input[0].type.tensor_type.shape.dim[2].dim_param


@pytest.mark.parametrize("trusted", [True, False])
def test_a_title_that_was_given_comes_before_that_of_the_card(trusted: bool) -> None:
    given = PreprocessingOverrides(title="Mine")
    assert make_style(carded(), "net", overrides=given, trusted=trusted).card.title == "Mine"


def test_a_network_without_a_card_is_called_by_its_name() -> None:
    model = frame()
    model.conv(pixelwise())
    card = make_style(model.model(), "net", overrides=UNIT).card
    assert (card.name, card.title, card.paintings) == ("net", "net", ("net",))
    assert card.notes == ("read as input unit as you said; output unit as you said; order rgb assumed",)
    assert (card.stride, card.scale, card.radius_px, card.fixed_size) == (1, 1, 0, None)


@pytest.mark.parametrize("trusted", [True, False])
def test_a_card_that_names_other_paintings_than_the_network_has_is_refused(trusted: bool) -> None:
    with pytest.raises(StyleError, match=r"^the file: its card names 2 paintings, the network has 1$"):
        make_style(carded(paintings=("one", "two")), "net", label="the file", trusted=trusted)


def test_a_card_with_another_scale_is_refused() -> None:
    with pytest.raises(StyleError, match=r"^net: its card says that it enlarges 2 times, which it does not$"):
        make_style(carded(scale=2), "net", trusted=True)


def test_messages_call_the_network_by_its_label() -> None:
    for label, called in ((None, "net"), ("the file", "the file")):
        with pytest.raises(StyleError, match=rf"^{called}: .* 2 dimensions"):
            make_style(Net([16, 16]).model(), "net", label=label)


# Paintings


def test_a_network_with_a_mix_has_as_many_paintings() -> None:
    model = onnx.load_from_string(networks.blend().model)
    assert make_style(model, "net", overrides=UNIT).card.paintings == ("net-1", "net-2")


@pytest.mark.parametrize("shape", [[2], [1, 2, 1], [1, "N"]])
def test_a_mix_of_another_shape_is_refused(shape: list[int | str]) -> None:
    net = frame()
    net.conv(pixelwise())
    net.inputs.append(helper.make_tensor_value_info("mix", TensorProto.FLOAT, shape))
    with pytest.raises(StyleError, match=r'the "mix" input must be \(1, number of paintings\)'):
        style_conversion.mix_size(net.model())


def test_only_a_painting_of_the_frames_size_gets_brush_and_relief() -> None:
    cards = {}
    for scale in (1, 2):
        net = frame()
        net.conv(pixelwise(3 * scale**2))
        if scale > 1:
            net.add("DepthToSpace", blocksize=scale)
        cards[scale] = make_style(net.model(), "net", overrides=UNIT).card
        assert cards[scale].scale == scale
    assert (cards[1].brush, cards[1].relief) == (PAINTED_BRUSH, PAINTED_RELIEF)
    assert (cards[2].brush, cards[2].relief) == (0.0, 0.0)


# Sizes that are tried


def test_what_is_tried_is_no_multiple_of_a_larger_stride() -> None:
    assert style_conversion.tried_size(64, 1) == (67, 65)
    assert style_conversion.tried_size(64, 4) == (76, 68)
    assert style_conversion.tried_size(64, 5) == (75, 65)
    assert style_conversion.tried_size(10, 16) == (48, 16)


def test_a_heavy_network_is_tried_on_smaller_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    net = frame()
    net.conv(pixelwise())
    model, operations = net.model(), 9 * 64 * 64
    for allowed, side_px in ((2.0, 64), (1.0, 64), (0.5, 45), (0.25, 32), (0.01, 24)):
        monkeypatch.setattr(style_conversion, "MOST_OPERATIONS", allowed * operations)
        assert style_conversion.tried_px(model) == side_px
    free = frame()
    free.add("Sigmoid")
    assert style_conversion.tried_px(free.model()) == 64


def test_sides_are_rounded_up_to_the_stride() -> None:
    assert [style_conversion.multiple_above(96, stride) for stride in (1, 4, 5, 96, 97)] == [96, 96, 100, 96, 97]


@pytest.mark.parametrize(
    ("stride", "expected", "found", "size"),
    [
        (1, None, 1, (27, 25)),
        (2, None, 2, (30, 26)),
        (3, None, 3, (33, 27)),
        (6, 1, 6, (42, 30)),
        (1, 4, 4, (36, 28)),
        (2, 3, 6, (42, 30)),
    ],
)
def test_the_smallest_stride_that_runs_is_taken(
    stride: int, expected: int | None, found: int, size: tuple[int, int]
) -> None:
    """The stride is a multiple of the layers' own, if known."""
    net = frame()
    net.add("SpaceToDepth", blocksize=stride)
    net.add("DepthToSpace", blocksize=stride)
    assert style_conversion.stride_and_scale(Runner(net.model(), "net"), expected, 24, "net") == (found, 1, size)


def test_a_network_that_pads_by_much_is_tried_on_a_larger_picture() -> None:
    net = frame()
    net.add("Pad", [net.last, net.constant([0, 0, 150, 150] * 2, np.int64)], mode="reflect")
    net.add("Slice", [net.last, *(net.constant([n, n], np.int64) for n in (150, -150)), net.constant([2, 3], np.int64)])
    assert style_conversion.stride_and_scale(Runner(net.model(), "net"), 64, 64, "net") == (64, 1, (448, 320))


def test_more_than_four_times_is_refused() -> None:
    net = frame()
    net.conv(pixelwise(3 * 5**2))
    net.add("DepthToSpace", blocksize=5)
    with pytest.raises(StyleError, match=r"comes out as 1 x 3 x 35 x 45; 4 times a side is the most$"):
        style_conversion.scale_at(Runner(net.model(), "net"), (9, 7), "net")


def test_scales_up_to_four_are_found() -> None:
    for scale in (1, 2, 3, 4):
        net = frame()
        net.conv(pixelwise(3 * scale**2))
        net.add("DepthToSpace", blocksize=scale)
        assert style_conversion.scale_at(Runner(net.model(), "net"), (9, 7), "net") == scale


def test_a_network_that_loses_an_edge_is_refused() -> None:
    net = frame()
    net.conv(np.full((3, 3, 1, 2), 1 / 6, np.float32))
    with pytest.raises(StyleError, match=r"1 x 3 x 7 x 9 comes out as 1 x 3 x 7 x 8; .* multiplies it by 2 to 4$"):
        style_conversion.scale_at(Runner(net.model(), "net"), (9, 7), "net")


# Memory


def wide(*channels: int) -> onnx.ModelProto:
    """Return a network that holds wide tensors at the frame's size, then sums pictures of them."""
    net = frame()
    held = [net.add("Conv", ["frame", net.constant(pixelwise(count))]) for count in channels]
    ends = [
        net.add("Conv", [name, net.constant(pixelwise(3, count))]) for name, count in zip(held, channels, strict=True)
    ]
    for end in ends[1:]:
        net.add("Sum", [ends[0], end])
    return net.model()


def test_a_tensor_may_hold_2_to_the_26_numbers_for_a_frame_of_96_px_and_as_many_for_each_pixel() -> None:
    """7281 channels of 96x96 are within it, and no more at any size."""
    style_conversion.check_sizes(wide(7281), 1, None, 3, "net")
    with pytest.raises(StyleError, match=r"^net: its tensor .* is 1x7282x96x96 for a frame of 96x96; refused$"):
        style_conversion.check_sizes(wide(7282), 1, None, 3, "net")
    style_conversion.check_sizes(wide(7281), 1, (96, 384), 3, "net")
    with pytest.raises(StyleError, match=r"^net: its tensor .* is 1x7282x384x96 for a frame of 96x384; refused$"):
        style_conversion.check_sizes(wide(7282), 1, (96, 384), 3, "net")


def test_a_small_frame_may_take_as_much() -> None:
    style_conversion.check_sizes(wide(4 * 7281), 1, (48, 48), 3, "net")


def test_twice_that_may_be_held_at_a_time() -> None:
    style_conversion.check_sizes(wide(7280, 7280), 1, None, 3, "net")
    with pytest.raises(StyleError, match=r"^net: its tensors need 759 MB at a time for a frame of 96x96; refused$"):
        style_conversion.check_sizes(wide(7200, 7200, 7200), 1, None, 3, "net")


def test_sizes_are_judged_at_multiples_of_the_stride() -> None:
    net = frame()
    net.add("SpaceToDepth", blocksize=7)
    model = net.model()
    canonical.to_nchw(model, NCHW)
    with pytest.raises(
        StyleError, match=r"^net: its output is 1x147x14x14 for a frame of 98x98, not a picture of 3 channels"
    ):
        style_conversion.check_sizes(model, 7, None, 3, "net")


def test_what_is_no_picture_is_refused() -> None:
    net = frame()
    net.add("Flatten")
    model = net.model()
    canonical.to_nchw(model, NCHW)
    with pytest.raises(
        StyleError, match=r"^net: its output is 1x27648 for a frame of 96x96, not a picture of 3 channels or 1$"
    ):
        style_conversion.check_sizes(model, 1, None, 3, "net")


def test_what_breaks_a_step_is_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    for error, words in (
        (MemoryError(), "its own: it takes more memory than a style may; refused"),
        (
            KeyError("no such node"),
            "its own: the network is damaged or unusual (KeyError: 'no such node'); export it again",
        ),
        (StyleError("its own: no"), "its own: no"),
    ):

        def broken(*_: object, error: Exception = error, **__: object) -> None:
            raise error

        monkeypatch.setattr(style_conversion, "read_card", broken)
        with pytest.raises(StyleError) as caught:
            make_style(carded(), "net", label="its own")
        assert str(caught.value) == words


def test_strides_that_networks_have_are_tried_before_those_that_they_rarely_have() -> None:
    assert style_conversion.STRIDES[:12] == (1, 2, 4, 8, 16, 32, 64, 128, 3, 6, 12, 24)
    assert sorted(style_conversion.STRIDES) == list(range(1, 129))
