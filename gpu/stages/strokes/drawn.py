"""Drawn strokes of a frame as data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.strokes import FILL_LIFE, LIFE, NOISE_SIZE, POINTS, StrokeLayout
from framebrush.gpu.stages.strokes.advection import age
from framebrush.gpu.unfinished import TIMES_SIDE, Unfinished

Floats = npt.NDArray[np.float32]

DRAWN = np.dtype(
    [
        ("top", "<f4"),
        ("bottom", "<f4"),
        ("half_width", "<f4"),
        ("colour", "<f4", 3),
        ("opacity", "<f4"),
        ("length", "<f4"),
        ("points", "<i4"),
        ("seed", "<u4"),
        ("y", "<f4", POINTS),
        ("x", "<f4", POINTS),
        ("spare", "<f4", 4),
    ]
)
"""Stroke of the CPU's kernels: `Drawn` of `strokes.c`, in a row of 32 floats."""

SLOT_BITS = 26
"""Bits of a stroke's id for its place among a layout's strokes; the frame of its birth is above."""

ID_BITS = 53
"""Bits of an id: every reader of JSON keeps so many exactly."""

PRESSED = 0.3
"""Share of a stroke's length after which the brush is fully pressed down."""


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """Surface of a frame's strokes, and their brush.

    painting: its share `wet` mixes into strokes. ground: underpainting, (3, rows, columns) of the layout's
    `ground_level`.
    """

    painting: Floats
    ground: Floats
    layout: StrokeLayout


@dataclass(frozen=True, slots=True, eq=False)
class DrawnStrokes:
    """Strokes of one frame, bottom to top. records: (N,) of DRAWN.

    ids: constant during a stroke's life. births, deaths: first frame, and expected frame after the last.
    """

    records: npt.NDArray[np.void]
    layers: npt.NDArray[np.int32]
    ids: npt.NDArray[np.uint64]
    births: npt.NDArray[np.int64]
    deaths: npt.NDArray[np.int64]
    canvas: Canvas

    @property
    def none(self) -> DrawnStrokes:
        """Canvas without strokes."""
        return DrawnStrokes(
            self.records[:0], self.layers[:0], self.ids[:0], self.births[:0], self.deaths[:0], self.canvas
        )


def lives(
    layout: StrokeLayout, listed: list[npt.NDArray[np.int32]], place: int, begun: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return layers, ids, births and deaths of drawn strokes. Raises as `ids_of`.

    listed: by layer (N, 2), cell and slot. place: frame number. begun: when strokes began.
    """
    layers, slots, births, deaths = [], [], [], []
    for layer, pairs in zip(layout.layers, listed, strict=True):
        cells, slot = pairs.astype(np.int64).T
        ages = age(layout.homes_of(layer).astype(np.int64), place, layer.slots)[cells, slot]
        layers.append(np.full(len(cells), layer.index, np.int32))
        slots.append(layer.first_slot + cells * layer.slots + slot)
        births.append(np.maximum(place - ages, begun))
        deaths.append(place - ages + np.where(slot < 2, LIFE, FILL_LIFE))
    born, at = np.concatenate(births), np.concatenate(slots)
    return np.concatenate(layers), ids_of(born, at), born, np.concatenate(deaths)


def ids_of(births: npt.NDArray[np.int64], slots: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
    """Return ids from births and places. Raises ValueError beyond ID_BITS."""
    most_birth, most_slot = (int(each.max(initial=0)) for each in (births, slots))
    if most_slot >> SLOT_BITS or most_birth >> (ID_BITS - SLOT_BITS):
        raise ValueError(
            f"a stroke of {most_slot + 1} in a frame, born at frame {most_birth}, has no id of {ID_BITS} bits; "
            "make the result smaller, or paint a part of the film"
        )
    return (births.astype(np.uint64) << np.uint64(SLOT_BITS)) | slots.astype(np.uint64)


def shares_of(part: Unfinished, records: npt.NDArray[np.void], layers: npt.NDArray[np.int32], size: Size) -> Floats:
    """Return the drawn share of each stroke's length."""
    row, middle, last = np.arange(len(records)), records["points"] // 2, TIMES_SIDE - 1
    down, over = (
        np.clip(TIMES_SIDE * records[axis][row, middle] / np.float32(side), 0, last).astype(np.int64)
        for axis, side in (("y", size[1]), ("x", size[0]))
    )
    begins, spread, takes = part.times.table[layers, down, over, :3].T
    uneven = (records["seed"] % NOISE_SIZE).astype(np.float32) / np.float32(NOISE_SIZE)
    shares: Floats = np.clip((np.float32(part.progress) - begins - spread * uneven) / takes, 0.0, 1.0)
    return shares


def cut(records: npt.NDArray[np.void], shares: Floats) -> npt.NDArray[np.void]:
    """Return the drawn parts of begun strokes."""
    begun = shares > 0.0
    found, shares = records[begun], shares[begun]
    growing = np.nonzero(shares < 1.0)[0]
    if not len(growing):
        return found
    part, share = cleared(found[growing]), shares[growing]
    down, over = (np.diff(part[axis], axis=1) for axis in ("y", "x"))
    steps = np.hypot(down, over)
    steps[np.arange(POINTS - 1) >= part["points"][:, None] - 1] = 0.0
    passed = np.concatenate([np.zeros((len(part), 1), np.float32), np.cumsum(steps, axis=1)], axis=1)
    reach = share * passed[:, -1]
    last = np.clip((passed < reach[:, None]).sum(axis=1), 1, part["points"] - 1)
    row = np.arange(len(part))
    between = (reach - passed[row, last - 1]) / np.maximum(steps[row, last - 1], np.float32(1e-6))
    for axis in ("y", "x"):
        before = part[axis][row, last - 1]
        part[axis][row, last] = before + np.clip(between, 0.0, 1.0) * (part[axis][row, last] - before)
    part["points"], part["length"] = last + 1, reach
    part["half_width"] *= np.sqrt(np.minimum(share / PRESSED, 1.0))
    found[growing] = with_bounds(part)
    return found


def cleared(records: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """Return strokes with zeros where kernels do not write."""
    unused = np.arange(POINTS) >= records["points"][:, None]
    for axis in ("y", "x"):
        records[axis][unused] = 0.0
    records["spare"] = 0.0
    return records


def with_bounds(records: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """Return strokes with `top` and `bottom` from paths and widths."""
    unused = np.arange(POINTS) >= records["points"][:, None]
    for name, extreme, filled in (("top", np.min, np.inf), ("bottom", np.max, -np.inf)):
        edge = extreme(np.where(unused, np.float32(filled), records["y"]), axis=1)
        records[name] = edge - records["half_width"] if name == "top" else edge + records["half_width"]
    return records
