"""Bundled style `ink`: XDoG line drawing as an ONNX graph.

`python -m framebrush.models.ink` writes models/library/ink.onnx.

Winnemöller, Kyprianidis, Olsen: "XDoG", Computers & Graphics 36 (2012). Of luma u, with Gaussian blur G:

    D = (1 + p) G_sigma(u) - p G_k.sigma(u)         an edge-sharpened blur
    T = 1 if D >= epsilon, else 1 + tanh(phi (D - epsilon))

A threshold of the wide blur adds a soft wash.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from onnx import ModelProto, TensorProto, helper

from framebrush.models.colours.luma import LUMA
from framebrush.models.model_card import write_card
from framebrush.models.onnx_graph import OPSET, Array, add_constant
from framebrush.models.style import ModelCard

SIGMA_PX = 1.0
RATIO = 1.6  # k: brings the difference of Gaussians closest to a Laplacian (Marr and Hildreth 1980)
SHARPEN = 13.0  # p
EPSILON = 0.38
PHI = 4.5
WASH_EPSILON = 0.72
WASH_PHI = 1.5
RADIUS_PX = 5  # three deviations of the wide blur

PAPER = (0.973, 0.955, 0.915)  # warm white
INK = (0.075, 0.085, 0.125)  # blue-black
WASH_SHARE = 0.36  # of the way from paper to ink, for the wash alone

FILE = Path(__file__).parent / "library" / "ink.onnx"


def gaussian(sigma_px: float) -> Array:
    """Return (2 * RADIUS_PX + 1,) float64 weights of sum 1."""
    offsets = np.arange(-RADIUS_PX, RADIUS_PX + 1)
    weights = np.exp(-(offsets**2) / (2 * sigma_px**2))
    return np.asarray(weights / weights.sum())


def build() -> ModelProto:
    """Build the canonical network with its card."""
    graph = helper.make_graph(
        [],
        "style",
        [helper.make_tensor_value_info("frame", TensorProto.FLOAT, [1, 3, "H", "W"])],
        [helper.make_tensor_value_info("styled", TensorProto.FLOAT, [1, 3, "H", "W"])],
    )

    def node(op: str, inputs: list[str], output: str, mode: str | None = None) -> str:
        graph.node.append(helper.make_node(op, inputs, [output], mode=mode))
        return output

    def weights(name: str, values: Array) -> str:
        # rounded, as the last bit of exp differs between machines
        return add_constant(graph, name, np.round(values, 6).astype(np.float32))

    narrow, wide = gaussian(SIGMA_PX), gaussian(SIGMA_PX * RATIO)
    luma = node("Conv", ["frame", weights("luma.weight", LUMA.reshape(1, 3, 1, 1))], "luma")
    pads = add_constant(graph, "pads", np.array([0, 0, RADIUS_PX, RADIUS_PX] * 2, np.int64))
    padded = node("Pad", [luma, pads], "padded", mode="reflect")
    vertical = np.stack([narrow, wide]).reshape(2, 1, -1, 1)
    blurred = node("Conv", [padded, weights("vertical", vertical)], "blurred")
    line = -PHI * np.stack([(1 + SHARPEN) * narrow, -SHARPEN * wide])
    wash = -WASH_PHI * np.stack([np.zeros_like(wide), wide])
    horizontal = np.stack([line, wash]).reshape(2, 2, 1, -1)
    bias = weights("thresholds", np.array([PHI * EPSILON, WASH_PHI * WASH_EPSILON]))
    below = node("Conv", [blurred, weights("horizontal", horizontal), bias], "below")
    inked = node("Tanh", [node("Relu", [below], "positive")], "inked")
    # shares of the way from paper to ink; both together reach ink
    line_share = (1 - WASH_SHARE) / np.tanh(PHI * EPSILON)
    wash_share = WASH_SHARE / np.tanh(WASH_PHI * WASH_EPSILON)
    way = np.array(INK) - np.array(PAPER)
    colours = np.stack([line_share * way, wash_share * way], axis=1).reshape(3, 2, 1, 1)
    node("Conv", [inked, weights("colours", colours), weights("paper", np.array(PAPER))], "styled")

    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    card = ModelCard(
        name="ink",
        title="Ink",
        paintings=("ink",),
        radius_px=RADIUS_PX,
        licence="MIT",
        source="XDoG, Winnemöller, Kyprianidis and Olsen 2012",
        speed="realtime",
    )
    write_card(model, card)
    return model


def main() -> None:
    FILE.write_bytes(build().SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
