"""The painter's convolutions in WGSL against ONNX Runtime on the processor."""

from __future__ import annotations

from itertools import product

import numpy as np
import onnxruntime as ort
import pytest

from framebrush.gpu.hlsl.hlsl_records import BLEND
from framebrush.gpu.hlsl.painter_dispatches import (
    NATIVE_TILES,
    PIECE,
    TILES,
    Tile,
    conv_record,
    conv_variant,
    packed,
    plan_dispatches,
)
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.painter import FRAME, Painter, read_painter
from framebrush.models.library import bundled
from framebrush.models.reading.load import load_style
from tests.gpu.webgpu.harness import Array, Gpu, needs_vulkan

pytestmark = [pytest.mark.parity, needs_vulkan]

W, H = 104, 72
TOLERANCES = {"float32": 5e-6, "float16": 4e-3, "native": 8e-3}
"""Of a picture 0..1: sums of some hundred products, a dozen times; and half a step of float16 below 1 a dozen times, of
numbers that are larger; native: two steps of 8 bits, as `half_check` allows a driver."""


@pytest.fixture(scope="module")
def model() -> bytes:
    return load_style(bundled()["realtime"]).fixed(W, H)


def blended(gpu: Gpu, rows: Array, mix: Array) -> Array:
    """The weights of a mix of paintings."""
    record = np.zeros((), BLEND)
    record["paintings"], record["fours"] = len(rows), rows.shape[1] // 4
    (made,) = gpu.run(
        Variant("blend"), record, [rows, mix], [np.zeros(rows.shape[1], np.float32)], (rows.shape[1] // 4, 1)
    )
    return made


def painted(gpu: Gpu, painter: Painter, frame: Array, mix: Array, tile: Tile, stored: str = "float32") -> Array:
    """Run the network on a frame (3, H, W), layer by layer. stored: type of tensors between."""
    dispatches = plan_dispatches(painter, (W, H), tile)
    assert dispatches is not None
    weights = blended(gpu, packed(painter, dispatches), mix)
    made: dict[int, Array] = {FRAME: frame}
    first = 0
    for number, one in enumerate(dispatches):
        count, kind = PIECE * one.made_pieces, np.dtype(stored)
        if number == len(dispatches) - 1:
            count, kind = 3 * W * H, np.dtype(np.float32)
        reads = [made[one.layer.a], None if one.layer.b is None else made[one.layer.b], weights]
        (made[number],) = gpu.run(
            conv_variant(dispatches, number, stored),
            conv_record(one, first),
            reads,
            [np.full(count, 77.0, kind)],
            (one.threads, 1),
            groups_z=one.groups,
        )
        first += one.vectors
    return made[len(dispatches) - 1].reshape(3, H, W)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tile", "stored"), [*product(TILES, ("float32", "float16")), *((tile, "native") for tile in NATIVE_TILES)]
)
def test_conv(gpu: Gpu, model: bytes, tile: str, stored: str) -> None:
    painter = read_painter(model)
    assert painter is not None
    frame = np.random.default_rng(2).uniform(0, 1, (3, H, W)).astype(np.float32)
    frame[:, 20:50, 30:70] = 0.8
    mix = np.zeros(len(painter.rows), np.float32)
    mix[1:3] = 0.7, 0.3
    session = ort.InferenceSession(model, providers=["CPUExecutionProvider"])
    want = np.asarray(session.run(None, {"frame": frame[None], "mix": mix[None]})[0])[0]
    tiles = {**TILES, **NATIVE_TILES}
    got = painted(gpu, painter, frame, mix, tiles[tile], "float32" if stored == "float32" else "float16")
    np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCES[stored])


def test_conv_passes_on_what_is_not_finite(gpu: Gpu, model: bytes) -> None:
    """Non-finite values are reported by the look, and no limit may hide them."""
    painter = read_painter(model)
    assert painter is not None
    frame, mix = np.full((3, H, W), 0.5, np.float32), np.zeros(len(painter.rows), np.float32)
    frame[1, 30, 50], mix[0] = np.nan, 1.0
    assert np.isnan(painted(gpu, painter, frame, mix, TILES["filtered"])[:, 30, 50]).all()


def test_blend(gpu: Gpu) -> None:
    chance = np.random.default_rng(4)
    rows, mix = chance.normal(0, 1, (16, 1028)).astype(np.float32), chance.random(16).astype(np.float32)
    np.testing.assert_allclose(blended(gpu, rows, mix), mix.astype(float) @ rows, rtol=0, atol=5e-6)
