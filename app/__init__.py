"""Paint video with neural networks.

Importing any part first switches off ONNX Runtime's telemetry.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from framebrush.api.film import open_film as open  # noqa: A004 - as Python's own, of another kind of file
    from framebrush.api.paint import PaintingWarning as PaintingWarning
    from framebrush.api.paint import paint as paint
    from framebrush.jobs.stroke_array import draw as draw

__all__ = ["PaintingWarning", "draw", "open", "paint"]

os.environ["ORT_DISABLE_TELEMETRY"] = "1"


def __getattr__(name: str) -> object:
    if name == "open":
        from framebrush.api.film import open_film

        return open_film
    if name == "draw":
        from framebrush.jobs.stroke_array import draw

        return draw
    if name in ("paint", "PaintingWarning"):
        from framebrush.api import paint

        return getattr(paint, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
