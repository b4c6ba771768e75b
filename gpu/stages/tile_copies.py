"""Copies between frames and a network's tiles, as passes."""

from __future__ import annotations

import numpy as np

from framebrush.gpu.layouts import Pixels, Record, packed
from framebrush.gpu.passes import Pass, Tensor, Work
from framebrush.gpu.sizes import Size
from framebrush.gpu.tiles import Plan

WINDOW = packed(*((name, *Pixels) for name in ("from_size", "from_origin", "to_size", "to_origin", "window")))


class TileCopies:
    """Copies of tiles: before the first run, between runs, after the last."""

    def __init__(self, plan: Plan, frame: Tensor, styled: Tensor) -> None:
        size, scale = (plan.tile_width, plan.tile_height), plan.scale
        self.tile = Tensor.of("tile frame", size, frame.element)
        self.styled = Tensor.of("tile styled", (size[0] * scale, size[1] * scale), styled.element)
        bring, take = [], []
        for tile in plan.tiles:
            corner, kept = (tile.left, tile.top), (tile.right - tile.left, tile.bottom - tile.top)
            place = (tile.x + tile.left, tile.y + tile.top)
            bring.append(_copied(frame, (tile.x, tile.y), self.tile, (0, 0), size))
            larger = [(x * scale, y * scale) for x, y in (corner, place, kept)]
            take.append(_copied(self.styled, larger[0], styled, larger[1], larger[2]))
        between = zip(take, bring[1:], strict=False)
        works = ((bring[0],), *between, (take[-1],))
        self.works = tuple(Work("tile", passes, begins=False, ends=False) for passes in works)


def _copied(source: Tensor, begin: Size, into: Tensor, at: Size, size: Size) -> Pass:
    record = copy_window(source.size_px, begin, into.size_px, at, size)
    return Pass("copy_window", (source,), (into,), size, record, element_of=source)


def copy_window(
    from_size: tuple[int, int],
    from_origin: tuple[int, int],
    to_size: tuple[int, int],
    to_origin: tuple[int, int],
    window: tuple[int, int],
) -> Record:
    """Make the constants of copy_window."""
    record = np.zeros((), WINDOW)
    record["from_size"], record["from_origin"], record["window"] = from_size, from_origin, window
    record["to_size"], record["to_origin"] = to_size, to_origin
    return record
