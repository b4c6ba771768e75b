"""Sizes, maps and mask pictures of the player."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from assets.make_clips import CLIPS
from framebrush.playback.display.guides import Guides
from framebrush.styles.specs import SOURCE_SIZE, SizeSpec

pytestmark = pytest.mark.unit

FILM = SizeSpec(brush_sizes=str(CLIPS / "cfr.mp4"))


def decoded() -> int:
    """Return how many maps are decoded ahead."""
    return [thread.name for thread in threading.enumerate()].count("map")


@pytest.mark.parametrize("end", [lambda guides: guides.use(SOURCE_SIZE), Guides.drop_maps, Guides.close])
def test_maps_that_are_no_longer_used_are_closed(end: Callable[[Guides], object]) -> None:
    guides = Guides(FILM)
    assert guides.use(FILM)
    guides.maps.at(1, Fraction(1, 25))
    assert decoded() == 1
    assert not guides.use(replace(FILM, stroke=2.0))
    assert decoded() == 1
    end(guides)
    assert decoded() == 0
