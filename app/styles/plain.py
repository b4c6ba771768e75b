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
    """The style."""
    from framebrush.models.oil import copying  # here, not above: the window needs only the name

    card = ModelCard(
        name=PLAIN, title="No style", paintings=(PLAIN,), stride=1, radius_px=0, speed="realtime", paints=False
    )
    return Style(card, bytes(copying(PLAIN).SerializeToString()))
