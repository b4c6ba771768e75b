"""The plan by which the painter's kernel runs a network: its dispatches and weights, followed in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from framebrush.gpu.colour import Array
from framebrush.gpu.hlsl.painter_dispatches import (
    GROUP_VECTORS,
    NATIVE_TILES,
    PIECE,
    TILES,
    Tile,
    packed,
    plan_dispatches,
    shared_buffers,
)
from framebrush.gpu.painter import FRAME, Painter, read_painter
from framebrush.gpu.painter_plan import last_uses
from framebrush.models.library import bundled
from framebrush.models.reading.load import load_style
from tests import networks

pytestmark = pytest.mark.unit

SIZES = [(96, 64), (40, 16)]


def computed(painter: Painter, frame: Array, tile: str, mix: Array) -> Array:
    """Compute the kernel in float64, in its planned memory."""
    dispatches = plan_dispatches(painter, (frame.shape[2], frame.shape[1]), {**TILES, **NATIVE_TILES}[tile])
    assert dispatches is not None
    weights = (mix @ packed(painter, dispatches)).reshape(-1, PIECE)
    places, elements = shared_buffers(dispatches, last_uses(painter.layers))
    memory: list[Array] = [np.empty(0)] * len(elements)
    offset = 0
    for number, one in enumerate(dispatches):
        layer, (width, height) = one.layer, one.out_size
        read = [frame if layer.a == FRAME else memory[places[layer.a]]]
        if layer.b is not None:
            read.append(memory[places[layer.b]][:, layer.crop :, layer.crop :])
        if layer.a == FRAME:
            read.append(np.zeros((1, *frame.shape[1:])))  # the fourth channel of a piece
        x = np.pad(np.concatenate(read), ((0, 0), layer.pad, layer.pad), mode="edge")
        made = []
        for _ in range(one.groups):
            block = weights[offset : offset + one.vectors // one.groups]
            biases, rest, offset = block[: one.tile.pieces], block[one.tile.pieces :], offset + len(block)
            kernel = rest.reshape(-1, one.taps // layer.side, layer.side, PIECE, one.tile.pieces * PIECE)
            assert 2 * kernel[0].size <= PIECE * GROUP_VECTORS
            if one.tile.filtered:  # what its four products are the sums of
                first, half_sum, half_difference, third = np.moveaxis(kernel, 1, 0)
                np.testing.assert_allclose(half_sum + half_difference, first + third, atol=1e-5)
                kernel = np.stack([first, half_sum - half_difference, third], axis=1)
            sums = np.broadcast_to(biases.reshape(-1, 1, 1), (one.tile.pieces * PIECE, height, width)).copy()
            for dy, dx in np.ndindex(layer.side, layer.side):
                rows = slice(dy, dy + (height - 1) * layer.stride + 1, layer.stride)
                columns = slice(dx, dx + (width - 1) * layer.stride + 1, layer.stride)
                inputs = x[:, rows, columns].reshape(-1, PIECE, height, width)
                sums += np.einsum("pkyx,pkn->nyx", inputs, kernel[:, dy, dx])
            made.append(np.maximum(sums, 0) if layer.relu else sums)
        result = np.concatenate(made)
        if number == len(dispatches) - 1:  # four pixels of each colour
            return result.reshape(3, 2, 2, height, width).transpose(0, 3, 1, 4, 2).reshape(3, 2 * height, 2 * width)
        if layer.shuffle:  # the channels of each of four pixels
            result = result.reshape(2, 2, -1, height, width).transpose(2, 3, 0, 4, 1)
            result = result.reshape(-1, 2 * height, 2 * width)
        assert result.size <= PIECE * elements[places[number]]
        memory[places[number]] = result
    raise AssertionError("no layer")


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("tile", [*TILES, *NATIVE_TILES])
@pytest.mark.parametrize("name", ["realtime", "quality"])
def test_the_dispatches_compute_the_network(name: str, tile: str, size: tuple[int, int]) -> None:
    style, random = load_style(bundled()[name]), np.random.default_rng(1)
    model = style.fixed(*size)
    painter = read_painter(model)
    assert painter is not None
    frame = random.uniform(0, 1, (3, size[1], size[0]))
    mix = np.zeros(len(style.card.paintings))
    mix[0], mix[-1] = 0.4, 0.6
    session = networks.session(model)
    inputs = {"frame": frame[None].astype(np.float32), "mix": mix[None].astype(np.float32)}
    want = np.asarray(session.run(None, inputs)[0])[0]
    np.testing.assert_allclose(computed(painter, frame, tile, mix), want, rtol=0, atol=1e-4)


def test_no_thread_computes_lines_that_are_not_there() -> None:
    painter = read_painter(load_style(bundled()["realtime"]).model)
    assert painter is not None
    for height in (16, 24, 40):
        for one in plan_dispatches(painter, (16, height), Tile(3, 8)) or ():
            assert one.tile.lines <= one.out_size[1]


def test_layers_share_memory() -> None:
    painter = read_painter(load_style(bundled()["realtime"]).model)
    assert painter is not None
    dispatches = plan_dispatches(painter, (1920, 1080), TILES["filtered"])
    assert dispatches is not None
    _, elements = shared_buffers(dispatches, last_uses(painter.layers))
    assert sum(elements) < 0.7 * sum(one.made_pieces for one in dispatches[:-1])


def test_weights_that_threads_cannot_share_are_left_to_directml() -> None:
    painter = read_painter(load_style(bundled()["realtime"]).model)
    assert painter is not None
    wide = max(painter.layers, key=lambda layer: layer.inputs)
    for layer in painter.layers:
        layer.side = 17 if layer is wide else layer.side
    assert plan_dispatches(painter, (96, 64), TILES["filtered"]) is None
