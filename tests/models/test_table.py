"""Colour tables: application, mixes, strength, identity."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from framebrush.gpu.stages.table import coloured
from framebrush.models.colours.colour_table import MAX_CURVE, MAX_GRID, ColourTable, apply, mix

pytestmark = pytest.mark.unit

COLOURS = np.random.default_rng(0).random((400, 3))


def rough(size: int) -> ColourTable:
    return ColourTable(np.random.default_rng(size).random((size, size, size, 3)).astype(np.float32))


def by_barycentric_weights(table: ColourTable, colour: np.ndarray) -> np.ndarray:
    """Kuhn's tetrahedra, from their definition: the corners in the order of the fractions."""
    place = colour * (table.size - 1)
    low = np.minimum(place.astype(int), table.size - 2)
    fraction = place - low
    order = np.argsort(-fraction)
    corners = [low.copy()]
    for axis in order:
        corners.append(corners[-1] + np.eye(3, dtype=int)[axis])
    steps = [1.0, *fraction[order], 0.0]
    return sum((a - b) * table.grid[tuple(c)] for a, b, c in zip(steps, steps[1:], corners, strict=False))


@pytest.mark.parametrize("size", [2, 3, 17])
def test_a_colour_lies_between_four_corners(size: int) -> None:
    table = rough(size)
    wanted = [by_barycentric_weights(table, colour) for colour in COLOURS]
    np.testing.assert_allclose(apply(table, COLOURS), wanted, atol=1e-12)
    points = np.stack(np.meshgrid(*[np.linspace(0, 1, size)] * 3, indexing="ij"), -1)
    np.testing.assert_allclose(apply(table, points), table.grid, atol=1e-12)


def test_domain_curves_and_clipping() -> None:
    curves = np.array([[0, 1], [1, 0], [-0.5, 1.5]], np.float32)
    table = ColourTable(ColourTable.identity().grid, curves, (0, 0, 0), (2, 1, 1))
    given = np.array([[1.0, 0.25, 0.5], [-1.0, 2.0, 0.1], [3.0, -1.0, 0.9]])
    np.testing.assert_allclose(apply(table, given), [[0.5, 0.75, 0.5], [0, 0, 0], [1, 1, 1]], atol=1e-7)
    bright = ColourTable(ColourTable.identity().grid * 3 - 1)
    np.testing.assert_allclose(apply(bright, COLOURS), np.clip(COLOURS * 3 - 1, 0, 1), atol=1e-6)


def test_a_picture_has_its_channels_first() -> None:
    picture = np.random.default_rng(1).random((3, 4, 5))
    wanted = apply(rough(5), picture[:, 2, 3])
    assert coloured(picture, rough(5))[:, 2, 3] == pytest.approx(wanted)


def test_mixes_are_means_of_what_tables_give() -> None:
    three, five, nine = rough(3), rough(5), rough(9)
    mixed = mix([three, five, nine], [0.2, 0.3, 0.5])
    assert mixed.size == 9
    wanted = 0.2 * apply(three, COLOURS) + 0.3 * apply(five, COLOURS) + 0.5 * apply(nine, COLOURS)
    np.testing.assert_allclose(apply(mixed, COLOURS), wanted, atol=1e-6)
    assert mix([three, five], [0.0, 1.0]) is five
    steep = ColourTable(ColourTable.identity().grid, np.linspace(0, 1, 100, dtype=np.float32)[None] ** [[2], [3], [1]])
    wanted = 0.5 * apply(steep, COLOURS) + 0.5 * apply(three, COLOURS)
    np.testing.assert_allclose(apply(mix([steep, three], [0.5, 0.5]), COLOURS), wanted, atol=2e-3)
    for weights in ([1.0], [0.5, 0.6], [1.5, -0.5]):
        with pytest.raises(ValueError, match="cannot be mixed"):
            mix([three, five], weights)
    with pytest.raises(ValueError, match="cannot be mixed"):
        mix([], [])


def test_strength_blends_with_the_source() -> None:
    table = replace(rough(5), title="five")
    wanted = 0.25 * apply(table, COLOURS) + 0.75 * COLOURS
    half = table.with_strength(0.25)
    np.testing.assert_allclose(apply(half, COLOURS), wanted, atol=1e-6)
    assert half.title == "five"
    assert table.with_strength(1.0) is table
    assert table.with_strength(0.0).is_identity
    for strength in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="not between"):
            table.with_strength(strength)


def test_identity_and_digest() -> None:
    table = rough(5)
    curves = np.stack([np.linspace(0, 1, 4, dtype=np.float32)] * 3)
    others = [
        rough(6),
        ColourTable(table.grid, curves),
        ColourTable(table.grid, curves[:, ::3]),
        replace(table, domain_min=(-1, 0, 0)),
        replace(table, domain_max=(1, 1, 2)),
        ColourTable(np.nextafter(table.grid, 2)),
    ]
    assert len({other.digest for other in [table, *others]}) == 7
    same = ColourTable(np.array(table.grid, np.float64, order="F"), title="again")
    assert same == table
    assert hash(same) == hash(table)
    assert table != others[0]
    assert ColourTable.identity(33).is_identity
    assert not any(other.is_identity for other in [table, *others])
    assert not ColourTable.identity().with_strength(1.0).grid.flags.writeable
    np.testing.assert_allclose(apply(ColourTable.identity(), COLOURS), COLOURS, atol=1e-12)


def test_what_is_no_table_is_refused() -> None:
    grid = ColourTable.identity().grid
    for shape in ((1, 1, 1, 3), (2, 2, 2, 4), (2, 2, 3, 3), (2, 2, 2), (MAX_GRID + 1,) * 3 + (3,), (0,)):
        with pytest.raises(ValueError, match="points a side"):
            ColourTable(np.zeros(shape, np.float32))
    for curves in (np.zeros((3, 1)), np.zeros((2, 5)), np.zeros(3), np.zeros((3, MAX_CURVE + 1))):
        with pytest.raises(ValueError, match="curves"):
            ColourTable(grid, curves)
    for bad in (np.nan, np.inf, 1e39):
        with pytest.raises(ValueError, match="not finite"):
            ColourTable(grid * np.float64(bad) if bad == 1e39 else np.where(grid, bad, 0))
        with pytest.raises(ValueError, match="not finite"):
            ColourTable(grid, domain_max=(1, 1, float("nan")))
    with pytest.raises(ValueError, match="empty"):
        ColourTable(grid, domain_min=(0, 1, 0))
