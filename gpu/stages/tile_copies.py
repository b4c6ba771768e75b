"""Tiles of a frame: what brings them to the network, and what takes what it made of them, as passes."""

from __future__ import annotations

import numpy as np

from framebrush.gpu.layouts import Pixels, Record, packed
from framebrush.gpu.tiles import Plan, Tile

WINDOW = packed(*((name, *Pixels) for name in ("from_size", "from_origin", "to_size", "to_origin", "window")))


def tile_windows(plan: Plan, tile: Tile) -> tuple[Record, Record]:
    """Constants of copy_window that bring a tile of a padded frame into a tensor of its own, and that take what is kept
    of the network's output for it out."""
    scale, size = plan.scale, (plan.tile_width, plan.tile_height)
    enlarged = (size[0] * scale, size[1] * scale)
    corner, kept = (tile.left * scale, tile.top * scale), (tile.right - tile.left, tile.bottom - tile.top)
    place = ((tile.x + tile.left) * scale, (tile.y + tile.top) * scale)
    return (
        copy_window(plan.padded_size, (tile.x, tile.y), size, (0, 0), size),
        copy_window(enlarged, corner, plan.output_size, place, (kept[0] * scale, kept[1] * scale)),
    )


def copy_window(
    from_size: tuple[int, int],
    from_origin: tuple[int, int],
    to_size: tuple[int, int],
    to_origin: tuple[int, int],
    window: tuple[int, int],
) -> Record:
    """Constants of copy_window; every pair is (x, y) or (width, height)."""
    record = np.zeros((), WINDOW)
    record["from_size"], record["from_origin"], record["window"] = from_size, from_origin, window
    record["to_size"], record["to_origin"] = to_size, to_origin
    return record
