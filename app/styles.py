"""Styles as people name them, for the command line, the window and jobs: those of the library, files, and none.

"none" goes the same way through the device as any other style, so that HDR, odd sizes and the split view need no second
way. It is also what the window falls back to when a network fails.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from framebrush.gpu.look import Look
from framebrush.gpu.steady import NO_WINDOW, TemporalWindow, window_of
from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.style import ModelCard, Style

PLAIN = "none"


@dataclass(frozen=True, slots=True)
class OpenedStyle:
    """A style, the weights of its paintings, and what a person should know of how its name and file were read."""

    style: Style
    mix: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()


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
    card = ModelCard(name=PLAIN, title="No style", paintings=(PLAIN,), stride=1, radius_px=0, speed="realtime")
    return Style(card, bytes(model.SerializeToString()))


def open_style(name: str, overrides: PreprocessingOverrides | None = None) -> OpenedStyle:
    """The style of a name, a path, or a blend such as "starry-night:0.6,great-wave:0.4"; PLAIN for none.

    overrides: of what is guessed of a foreign network. Raises StyleError.
    """
    if name == PLAIN:
        return OpenedStyle(plain_style())
    from framebrush.models.library import parse_style  # here, not above: the window needs the name "none" alone

    path, mix, remark = parse_style(name)
    style = _loaded(path, path.stat().st_mtime_ns, overrides)
    return OpenedStyle(style, mix, tuple(filter(None, (remark, *style.card.notes))))


def window_for(name: str, look: Look, *, live: bool = False) -> TemporalWindow:
    """The neighbours that frames in a style and a look need: none without a style, which leaves frames as they are.

    live: frames are shown as they come."""
    return NO_WINDOW if name == PLAIN else window_of(look, live=live)


def default_style() -> str:
    """The name of the style that is used where none is given."""
    from framebrush.models.library import DEFAULT

    return DEFAULT


@lru_cache(maxsize=4)
def _loaded(path: Path, modified_ns: int, overrides: PreprocessingOverrides | None) -> Style:
    """A file's style, read anew where the file has changed: the paintings of one file are one network."""
    from framebrush.models.load import load_style

    return load_style(path, overrides=overrides)
