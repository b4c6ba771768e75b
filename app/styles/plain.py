"""The style "none", which does not paint.

It uses the same pipeline as any style, so HDR, odd sizes and the split view need no special case. The window falls
back to it when a network fails, and it carries a picture's colours and strokes.
"""

from __future__ import annotations

from functools import cache

from framebrush.models.style import ModelCard, Style

PLAIN = "none"
"""Its name."""


@cache
def plain_style() -> Style:
    """Return the style."""
    from framebrush.models.oil import copying  # imported here: the window needs only the name

    card = ModelCard(
        name=PLAIN, title="No style", paintings=(PLAIN,), stride=1, radius_px=0, speed="realtime", paints=False
    )
    return Style(card, bytes(copying(PLAIN).SerializeToString()))
