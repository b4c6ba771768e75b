"""Kinds of brushes: what cannot be one is refused in words, and all of a kind is kept in a card."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from framebrush.models.brushes import MOST_LAYERS, OIL, PRESETS, BrushKind, kind_named

pytestmark = pytest.mark.unit


def test_each_preset_is_another_kind_with_a_line_of_its_own() -> None:
    assert kind_named("oil") is OIL
    assert len({preset.kind for preset in PRESETS.values()}) == len(PRESETS)
    assert all("\n" not in preset.says and len(preset.says) <= 60 for preset in PRESETS.values())


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("pallete-nife", "did you mean 'palette-knife'?"),
        ("Oil", "did you mean 'oil'?"),
        ("zzz", "there are oil, bristle, "),
        ("", "there are oil, bristle, "),
        ("x" * 5000, "called '" + "x" * 40 + "'; there are oil"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(name: str, says: str) -> None:
    with pytest.raises(ValueError, match="there is no kind of brush called ") as refused:
        kind_named(name)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"widths": (), "lengths": ()}, "layers of strokes, not 0 and 0"),
        ({"widths": (1.0,)}, "layers of strokes, not 1 and 5"),
        ({"widths": (1.0,) * (MOST_LAYERS + 1), "lengths": (1.0,) * (MOST_LAYERS + 1)}, "up to 8"),
        ({"widths": (1.0, 2.0, 1.0, 0.5, 0.3)}, "from broad to fine"),
        ({"widths": (17.0, 2.0, 1.0, 0.5, 0.3)}, "widths of 17 is not between 0.1 and 16"),
        ({"widths": (4.0, 2.0, 1.0, 0.5, 0.05)}, "widths of 0.05 is not between"),
        ({"lengths": (5.0, 5.0, 4.5, 4.0, 0.2)}, "lengths of 0.2 is not between 0.25 and 32"),
        ({"jitter": -0.01}, "jitter of -0.01 is not between 0 and 0.5"),
        ({"need": 0.0}, "need of 0 is not between 0.001 and 1"),
        ({"relief": 4.5}, "relief of 4.5 is not between 0 and 4"),
        ({"wet": 1.5}, "wet of 1.5 is not between 0 and 1"),
        ({"edge": 0.0}, "edge of 0 is not between 0.01 and 2"),
        ({"edge": float("nan")}, "edge of nan is not between"),
    ],
)
def test_figures_that_no_brush_has_are_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        replace(OIL, **change)


def test_figures_at_their_limits_are_a_brush() -> None:
    BrushKind((16.0, 0.1), (0.25, 32.0), jitter=0.0, need=0.001, relief=0.0, wet=1.0, edge=2.0)
    BrushKind((1.0,), (1.0,), jitter=0.5, need=1.0, relief=4.0, wet=0.0, edge=0.01)
