"""Style "none", which does not paint."""

from __future__ import annotations

from functools import cache

from framebrush.models.style import ModelCard, Style

PASSTHROUGH = "none"
"""Its name."""


@cache
def passthrough_style() -> Style:
    from framebrush.models.oil import copying  # imported here: the window needs only the name

    card = ModelCard(
        name=PASSTHROUGH,
        title="No style",
        paintings=(PASSTHROUGH,),
        stride=1,
        radius_px=0,
        speed="realtime",
        paints=False,
    )
    return Style(card, bytes(copying(PASSTHROUGH).SerializeToString()))
