"""Painters in int8: changed values, and refused networks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from framebrush.gpu.c_kernels import has_dot_products
from framebrush.gpu.cpu import int8
from framebrush.gpu.cpu.network import Network, allocate
from framebrush.gpu.device import open_device
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.painter import read_painter
from framebrush.gpu.sizes import Size
from framebrush.gpu.tiles import plan
from framebrush.models.reading.load import load_style
from framebrush.models.sample_picture import sample_picture
from framebrush.models.style import Style, StyleError
from tests import networks

pytestmark = pytest.mark.unit

SIZE = 160, 96
LEAST_DB = 35.0


def first(style: Style) -> tuple[float, ...]:
    return (1.0, *(0.0,) * (len(style.card.paintings) - 1))


def painted(
    style: Style, mix: tuple[float, ...], *, quantised: bool, size: Size = SIZE, tile: int | None = None
) -> int8.Numbers:
    network = Network(style, plan(*size, style.card, tile or "off"), mix, int8=quantised)
    tensors = allocate(*size, 1, "float32")
    tensors.frame[:] = sample_picture(*size[::-1])
    network.run(tensors, mix)
    return np.clip(tensors.styled, 0, 1)


def psnr(a: int8.Numbers, b: int8.Numbers) -> float:
    return float(-10 * np.log10(np.mean((a - b).astype(np.float64) ** 2)))


@pytest.mark.parametrize("name", ["realtime", "quality"])
def test_int8_changes_little(name: str) -> None:
    style = load_style(name)
    for mix in (first(style), (0.0, 0.6, 0.4, *first(style)[3:])):
        before, after = (painted(style, mix, quantised=quantised) for quantised in (False, True))
        assert not np.array_equal(before, after)
        assert psnr(before, after) > LEAST_DB


def test_another_mix_is_painted_as_if_it_were_the_first() -> None:
    style = load_style("realtime")
    second = (0.0, 1.0, *first(style)[2:])
    network = Network(style, plan(*SIZE, style.card, "off"), first(style), int8=True)
    tensors = allocate(*SIZE, 1, "float32")
    tensors.frame[:] = sample_picture(*SIZE[::-1])
    network.run(tensors, second)
    assert np.array_equal(np.clip(tensors.styled, 0, 1), painted(style, second, quantised=True))


def test_tiles_have_no_seams() -> None:
    """The scales are constants, independent of a frame, and so equal in all tiles."""
    style, size = load_style("realtime"), (480, 96)
    assert len(plan(*size, style.card, 64).tiles) > 1
    whole, tiled = (painted(style, first(style), quantised=True, size=size, tile=tile) for tile in (None, 64))
    assert np.mean((whole - tiled) ** 2) < 1e-6


def test_signed_and_unsigned_weights_give_equal_pictures() -> None:
    """So machines with and without VNNI paint the same film."""
    if not has_dot_products():
        pytest.skip("this processor's sums of signed weights saturate")
    painter = int8.Int8Painter.of(load_style("realtime"))
    frame = {"frame": sample_picture(*SIZE[::-1])[None]}
    made = [
        networks.session(
            int8.quantised(painter.painter, painter.painter.rows[0], painter.tops[0], SIZE, signed=signed)
        ).run(None, frame)[0]
        for signed in (True, False)
    ]
    assert np.array_equal(*made)


def test_every_bundled_painting_has_tops() -> None:
    """A file with other weights needs `python benchmarks/int8.py tops`."""
    rows = 0
    for name in ("realtime", "quality"):
        style = load_style(name)
        painter = read_painter(style.model)
        assert painter
        assert int8.Int8Painter.of(style).tops.shape == (len(style.card.paintings), len(painter.layers) - 1)
        rows += len(painter.rows)
    assert len(int8.known_tops()) == rows


def test_most_layers_are_computed_in_int8() -> None:
    painter = int8.Int8Painter.of(load_style("realtime"))
    operators = [node.op_type for node in painter.network((1.0, *(0.0,) * 15), SIZE).graph.node]
    assert operators.count("QLinearConv") == 11
    assert operators.count("Conv") == 4


def retrained(style: Style) -> Style:
    """Change one weight of the last painting."""
    model = onnx.load_model_from_string(style.model)
    tensor = next(tensor for tensor in model.graph.initializer if len(tensor.dims) == 2)
    rows = numpy_helper.to_array(tensor).copy()
    rows[-1, 0] += 1
    tensor.CopyFrom(numpy_helper.from_array(rows, tensor.name))
    return replace(style, model=model.SerializeToString())


@pytest.mark.parametrize("style", [load_style("ink"), retrained(load_style("realtime"))], ids=["ink", "retrained"])
def test_other_networks_say_so(style: Style) -> None:
    with pytest.raises(StyleError, match="cannot be painted in int8, as only bundled paintings can; use --precision f"):
        Network(style, plan(*SIZE, style.card, "off"), (), int8=True)


def test_a_blend_that_moves_is_refused_before_the_first_frame() -> None:
    style, picture = load_style("realtime"), rgba8(*SIZE)
    with open_device("cpu") as device, pytest.raises(StyleError, match="int8 cannot paint a blend that changes over"):
        device.stylizer(style, picture, picture, precision="int8", moving=True)


def test_both_networks_of_a_masked_film_are_in_int8() -> None:
    """A second style that int8 cannot paint is refused, rather than painted otherwise."""
    style, picture = load_style("realtime"), rgba8(*SIZE)
    look = Look(second_inside=1.0)
    with open_device("cpu") as device, pytest.raises(StyleError, match=r"^Ink.*cannot be painted in int8"):
        device.stylizer(replace(style, second=load_style("ink")), picture, picture, look=look, precision="int8")


def test_other_devices_refuse_int8() -> None:
    picture = rgba8(*SIZE)
    with (
        open_device("reference") as device,
        pytest.raises(DeviceError, match=r"does not paint in int8; use --device cpu$"),
    ):
        device.stylizer(load_style("realtime"), picture, picture, precision="int8")
