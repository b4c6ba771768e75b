"""Statistics of several frames, folded into constants: the same painting, without a look at the whole frame."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import onnx
import pytest
from onnx import TensorProto

from framebrush.models.reading.load import load_style
from framebrush.models.reading.receptive_field import receptive_field
from framebrush.models.reading.style_conversion import make_style
from framebrush.models.sample_picture import sample_picture
from framebrush.models.shot_statistics import check, folded, measure
from framebrush.models.style import ModelCard, Style, StyleError
from tests import networks
from tests.models.native import divided, styled, tail
from tests.networks import Net, johnson

pytestmark = pytest.mark.unit


@cache
def foreign(up: str = "resize", opset: int = 17) -> Style:
    net = divided()
    johnson(net, up=up, opset=opset)
    tail(net, "byte")
    return make_style(net.model(["N", 3, "H", "W"], opset=opset), "foreign")


def frames(count: int, height: int = 64, width: int = 96) -> np.ndarray:
    """Parts of one picture, each brighter than the one before."""
    whole = sample_picture(height, width + 8 * count)
    parts = [whole[:, :, 8 * n : 8 * n + width] * (0.5 + 0.5 * n / count) for n in range(count)]
    return np.stack(parts).astype(np.float32)


@pytest.mark.parametrize("up", ["resize", "transposed"])
def test_one_frame_is_painted_as_by_its_own_statistics(up: str) -> None:
    style, picture = foreign(up), frames(1)
    made = folded(style, measure(style, picture))
    assert np.abs(styled(made, picture[0]) - styled(style, picture[0])).max() < 1e-4
    graph = onnx.load_from_string(made.model).graph
    assert "InstanceNormalization" not in {node.op_type for node in graph.node}
    assert not made.card.frame_statistics
    assert not receptive_field(onnx.load_from_string(made.model)).frame_statistics


def test_statistics_are_pooled_over_all_frames() -> None:
    """The first normalisation sees the moments of one long picture; repetition changes nothing."""
    style, pictures = networks.instance_norm(), frames(3)
    row = measure(style, pictures)
    assert np.allclose(row[:3], pictures.mean((0, 2, 3)), atol=1e-5)
    assert np.allclose(row[3:], pictures.var((0, 2, 3)), atol=1e-5)
    deep = foreign()
    assert np.allclose(measure(deep, np.concatenate([pictures, pictures])), measure(deep, pictures), rtol=1e-3)


def test_a_frame_is_painted_alike_whatever_is_beside_it() -> None:
    """What tiles need: with statistics of the frame, a change at one end is seen at the other."""
    style, pictures = foreign(), frames(4, 64, 256)
    made = folded(style, measure(style, pictures))
    changed = pictures[0].copy()
    changed[:, :, :32] = 1
    moved = {
        name: float(np.abs(styled(painter, pictures[0]) - styled(painter, changed))[:, :, 192:].max())
        for name, painter in (("frame", style), ("shot", made))
    }
    assert moved["shot"] == 0
    assert moved["frame"] > 0.01


@pytest.mark.parametrize("opset", [17, 18, 21])
def test_every_opset_of_the_mean(opset: int) -> None:
    style = foreign("resize", opset)
    assert np.isfinite(measure(style, frames(2))).all()


def test_what_has_no_instance_normalisation_is_refused() -> None:
    for style in (load_style("ink"), load_style("realtime"), networks.identity()):
        with pytest.raises(StyleError, match="takes no statistics of the frame; leave --statistics out"):
            check(style)
    check(replace(networks.identity(), second=networks.instance_norm()))


def test_other_statistics_are_refused() -> None:
    net = Net([1, 3, "H", "W"], name="frame")
    frame = net.last
    net.add("GlobalAveragePool")
    net.add("Sub", [frame, net.last])
    with pytest.raises(StyleError, match="in an unknown way; use --statistics frame"):
        check(networks.canonical(net, frame_statistics=True))


def test_statistics_of_another_network_are_refused() -> None:
    style = foreign()
    row = measure(style, frames(1))
    for wrong in (row[:-1], np.append(row, row[:1]), row[:0]):
        with pytest.raises(StyleError, match="the statistics are those of another network"):
            folded(style, wrong)


def test_a_network_that_takes_one_frame_only_is_refused() -> None:
    """It reshapes to a batch of one."""
    net = Net([1, 3, 64, 64], name="frame")
    net.add("Reshape", [net.last, net.constant([1, 3, 64, 64], np.int64)])
    net.add("InstanceNormalization", [net.last, net.constant([1.0] * 3), net.constant([0.0] * 3)])
    model = net.model([1, 3, 64, 64])
    model.graph.node[-1].output[0] = model.graph.output[0].name = "styled"
    assert model.graph.output[0].type.tensor_type.elem_type == TensorProto.FLOAT
    style = Style(ModelCard("one", "One", ("one",), frame_statistics=True), model.SerializeToString())
    with pytest.raises(StyleError, match=r"cannot be taken over several frames \(.*use --statistics"):
        measure(style, frames(2, 64, 64))
