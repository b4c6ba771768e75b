"""Sizes of a frame: requests and results."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from framebrush.gpu.sizes import Sizes, plan_sizes, reduced
from framebrush.models.style import ModelCard

pytestmark = pytest.mark.unit

CARD = ModelCard("test", "Test", ("test",))
HD, UHD, UPRIGHT = (1920, 1080), (3840, 2160), (1080, 1920)


@pytest.mark.parametrize(
    ("source", "asked", "working", "target"),
    [
        (HD, {}, (960, 540), HD),
        (HD, {"stroke": 1.0}, HD, HD),
        (HD, {"stroke": 2.0}, (960, 540), HD),
        (HD, {"stroke": "auto"}, (960, 540), HD),
        (UHD, {"stroke": "auto"}, (960, 540), UHD),
        (UPRIGHT, {"stroke": "auto"}, (540, 960), UPRIGHT),
        ((640, 360), {"stroke": "auto"}, (640, 360), (640, 360)),
        ((853, 479), {"stroke": 3.0}, (284, 160), (853, 479)),
        (HD, {"stroke": 0.5}, UHD, HD),
        (HD, {"size": (1280, 720), "stroke": 1.0}, (1280, 720), (1280, 720)),
        (HD, {"size": (1280, 720)}, (960, 540), (1280, 720)),
        (HD, {"size": 2.0}, (960, 540), UHD),
        (HD, {"size": 2.0, "stroke": 1.0}, HD, UHD),
        (HD, {"size": 2.0, "stroke": 2.0}, (960, 540), UHD),
        (UHD, {"max_size": 1280, "stroke": 1.0}, (1280, 720), (1280, 720)),
        (UHD, {"max_size": 640}, (640, 360), (640, 360)),
        (UHD, {"max_size": 1280, "stroke": 2.0}, (640, 360), (1280, 720)),
        ((853, 479), {"max_size": 640}, (640, 360), (640, 360)),
        (HD, {"max_size": 4000, "stroke": 1.0}, HD, HD),
        ((2, 2), {"stroke": 16.0}, (1, 1), (2, 2)),
    ],
)
def test_sizes(
    source: tuple[int, int], asked: dict[str, Any], working: tuple[int, int], target: tuple[int, int]
) -> None:
    assert plan_sizes(source, CARD, **asked) == Sizes.of(source, working, target)


def test_an_enlarger_writes_its_own_size() -> None:
    card = replace(CARD, scale=2)
    assert plan_sizes(HD, card) == plan_sizes(HD, card, stroke=1.0) == Sizes.of(HD, HD, UHD, 2)
    assert plan_sizes(HD, card, stroke=2.0) == Sizes.of(HD, (960, 540), HD, 2)
    assert plan_sizes(HD, card, size=1.0) == Sizes.of(HD, HD, HD, 2)
    assert plan_sizes(HD, card, max_size=2560).target == (2560, 1440)


def test_a_network_of_fixed_size_gets_it() -> None:
    card = replace(CARD, fixed_size=(256, 256))
    assert plan_sizes(HD, card, stroke=3.0) == Sizes.of(HD, (256, 256), HD)


@pytest.mark.parametrize("stroke", [0.0, -1.0, 0.2, 17.0, float("nan"), float("inf")])
def test_strokes_that_cannot_be_are_refused(stroke: float) -> None:
    with pytest.raises(ValueError, match=r"^stroke .* is not between 0\.25 and 16$"):
        plan_sizes(HD, CARD, stroke=stroke)


def test_sizes_without_pixels_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^target size 0x4 has no pixels$"):
        plan_sizes(HD, CARD, size=(0, 4))


def test_what_does_not_paint_keeps_the_frame_and_has_a_painters_strokes() -> None:
    card = replace(CARD, paints=False)
    assert plan_sizes(HD, card) == Sizes(HD, HD, HD, HD, 20.0)
    assert plan_sizes(HD, replace(card, stroke=1.5)).stroke_px == pytest.approx(30.0)
    assert plan_sizes(HD, replace(card, stroke=1.5), stroke=3.0).stroke_px == pytest.approx(30.0)
    assert plan_sizes(HD, card, max_size=960) == Sizes(HD, (960, 540), (960, 540), (960, 540), 10.0)
    assert plan_sizes(HD, card, size=2.0) == Sizes(HD, HD, HD, UHD, 40.0)
    assert plan_sizes(HD, CARD).stroke_px == 20.0
    sizes = plan_sizes(HD, card)
    assert reduced(sizes, card, 2.0) == sizes


@pytest.mark.parametrize("divisor", [1.5, 2.0, 4.0])
def test_a_preview_has_the_strokes_of_the_whole_size(divisor: float) -> None:
    whole = plan_sizes(HD, CARD, stroke=1.3)
    small = reduced(whole, CARD, divisor)
    assert small.working[0] == pytest.approx(whole.working[0] / divisor, abs=1)
    assert (small.stroke_px, small.target) == (whole.stroke_px, whole.target)
