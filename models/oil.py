"""Bundled style `oil`: the film in its own colours, with strokes.

`python -m framebrush.models.oil` writes models/library/oil.onnx.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper

from framebrush.models.model_card import write_card
from framebrush.models.onnx_graph import OPSET
from framebrush.models.style import ModelCard

RELIEF = 0.6
"""Chosen by eye on films: paint is all that the style has."""

FILE = Path(__file__).parent / "library" / "oil.onnx"


def copying(name: str) -> ModelProto:
    """Build a network of one Clip, fast as a copy."""
    sides: list[str | int | None] = [1, 3, "height", "width"]
    graph = helper.make_graph(
        [helper.make_node("Clip", ["frame", "low", "high"], ["styled"])],
        name,
        [helper.make_tensor_value_info("frame", TensorProto.FLOAT, sides)],
        [helper.make_tensor_value_info("styled", TensorProto.FLOAT, sides)],
        [
            numpy_helper.from_array(np.asarray(0.0, np.float32), "low"),
            numpy_helper.from_array(np.asarray(1.0, np.float32), "high"),
        ],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)


def build() -> ModelProto:
    model = copying("oil")
    card = ModelCard(
        name="oil",
        title="Oil",
        paintings=("oil",),
        radius_px=0,
        licence="MIT",
        source="no network: the film itself in brush strokes",
        speed="realtime",
        brush=1.0,
        relief=RELIEF,
        paints=False,
    )
    write_card(model, card)
    return model


def main() -> None:
    FILE.write_bytes(build().SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
