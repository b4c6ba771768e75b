"""The style that leaves a picture as it is: what "no style" shows, and what is left when a network fails.

It goes the same way through the device as any other, so that HDR, odd sizes and the split view need no second way.
"""

from __future__ import annotations

from functools import cache

from models.style import Card, Style

PLAIN = "none"


@cache
def plain_style() -> Style:
    """A network of one Clip, which every device runs at the speed of memory."""
    from onnx import TensorProto, helper, numpy_helper
    import numpy as np

    sides = [1, 3, "height", "width"]
    graph = helper.make_graph(
        [helper.make_node("Clip", ["frame", "low", "high"], ["styled"])],
        PLAIN,
        [helper.make_tensor_value_info("frame", TensorProto.FLOAT, sides)],
        [helper.make_tensor_value_info("styled", TensorProto.FLOAT, sides)],
        [
            numpy_helper.from_array(np.float32(0.0), "low"),
            numpy_helper.from_array(np.float32(1.0), "high"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    card = Card(name=PLAIN, title="No style", paintings=(PLAIN,), stride=1, radius_px=0, speed="realtime")
    return Style(card, bytes(model.SerializeToString()))
