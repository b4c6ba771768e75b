"""The style that does not paint: it takes the same way through the device as any other, so that HDR, odd sizes and the
split view need no other. It is also what the window falls back to when a network fails, and what carries a picture's
colours and strokes."""

from __future__ import annotations

from functools import cache

from framebrush.models.style import ModelCard, Style

PLAIN = "none"
"""Its name."""


@cache
def plain_style() -> Style:
    """A network of one Clip, which costs as little as a copy of the frame."""
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper

    sides: list[str | int | None] = [1, 3, "height", "width"]
    graph = helper.make_graph(
        [helper.make_node("Clip", ["frame", "low", "high"], ["styled"])],
        PLAIN,
        [helper.make_tensor_value_info("frame", TensorProto.FLOAT, sides)],
        [helper.make_tensor_value_info("styled", TensorProto.FLOAT, sides)],
        [
            numpy_helper.from_array(np.asarray(0.0, np.float32), "low"),
            numpy_helper.from_array(np.asarray(1.0, np.float32), "high"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    card = ModelCard(
        name=PLAIN, title="No style", paintings=(PLAIN,), stride=1, radius_px=0, speed="realtime", paints=False
    )
    return Style(card, bytes(model.SerializeToString()))
