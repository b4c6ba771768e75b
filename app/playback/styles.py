"""Styles as the window names them: those of the command line, and the one that leaves a picture as it is.

That one is what "no style" shows, and what is left when a network fails. It goes the same way through the device as
any other, so that HDR, odd sizes and the split view need no second way.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from framebrush.models.style import ModelCard, Style

PLAIN = "none"


@cache
def plain_style() -> Style:
    """A network of one Clip, which every device runs at the speed of memory."""
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
    card = ModelCard(name=PLAIN, title="No style", paintings=(PLAIN,), stride=1, radius_px=0, speed="realtime")
    return Style(card, bytes(model.SerializeToString()))


def open_style(name: str) -> tuple[Style, tuple[float, ...]]:
    """The style of a name, a path, or a blend such as "vangogh:0.6,hokusai:0.4", and the weights of its paintings.

    Raises StyleError.
    """
    if name == PLAIN:
        return plain_style(), ()
    from framebrush.models.library import parse_style

    path, mix, _ = parse_style(name)
    return _loaded(path, path.stat().st_mtime_ns), mix


@lru_cache(maxsize=4)
def _loaded(path: Path, modified_ns: int) -> Style:
    """A file's style, read anew where the file has changed: the paintings of one file are one network."""
    from framebrush.models.load import load_style

    return load_style(path)


def default_style() -> str:
    """The style that a person sees first."""
    from framebrush.models.library import DEFAULT

    return DEFAULT
