"""Lifetime of strokes on a film, and births per frame.

    python benchmarks/durations.py [--brush-kind oil] [--lines 360] [--count 120] FILM [...]

The film itself is drawn in style `oil` on the CPU. Only visible strokes count: two strokes of a cell in one place are
one stroke, which lives until both die.

born: strokes of a frame that were missing in the previous frame, in percent.
life: median frames from birth to death of strokes born within the film; strokes alive at the end count as longer
    (E. Kaplan and P. Meier, "Nonparametric estimation from incomplete observations", 1958).
mean: mean lifetime: strokes per frame over births per frame.

A blinking stroke has many short lives, each counted in the median. One line for all layers, then one per layer, broad
to fine.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.detail import picture
from benchmarks.strokes import frames_of
from framebrush.gpu.cpu.stages import stroke_kernels as kernels
from framebrush.gpu.cpu.stages.strips import Workers
from framebrush.gpu.cpu.stages.strokes import NO_PLANES, Carriage, Carrier, StrokePainter
from framebrush.gpu.frame import Frame
from framebrush.gpu.sizes import plan_sizes
from framebrush.gpu.stages.strokes import NONE, TWINS, StrokeLayout
from framebrush.gpu.stages.strokes.advection import age, homes_of
from framebrush.gpu.stages.strokes.stroke_samples import looks_at
from framebrush.models.brushes import PRESETS, BrushKind
from framebrush.models.style import Style
from framebrush.styles.style_names import open_style

Whole = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Seen:
    """Strokes of a layer in a frame, arrays (cells, slots).

    drawn: visible. born: frame of birth. twin: per cell, whether its first two strokes coincide and only one is drawn.
    """

    drawn: Bools
    born: Whole
    twin: Bools

    @property
    def there(self) -> Bools:
        """Return strokes that are drawn or coincide with their drawn twin."""
        found = self.drawn.copy()
        found[:, :2] |= self.twin[:, None] & self.drawn[:, :2].any(axis=1, keepdims=True)
        return found


class Lives:
    """Counts for a layer.

    over, unfinished: lifetimes in frames of ended strokes, and of strokes still alive at the end of the film.
    strokes, births: totals over all frames but the first.
    """

    def __init__(self) -> None:
        self._last: Seen | None = None
        self._since = np.empty((0, 0), np.int64)  # frame of birth; -1 in the first frame
        self.over: list[int] = []
        self.strokes = self.births = 0

    def see(self, seen: Seen, place: int) -> None:
        """Count the next frame."""
        last, since = self._last, self._since
        self._last = seen
        if last is None:
            self._since = np.full(seen.drawn.shape, -1, np.int64)
            return
        goes_on = last.there & seen.there & (last.born == seen.born)
        self._since = now = np.where(goes_on, since, place)
        now[:, :2] = np.where(seen.twin[:, None], now[:, :2].min(axis=1, keepdims=True), now[:, :2])
        ended = last.drawn & ~goes_on
        ended[:, :2] &= ~(last.twin & goes_on[:, :2].any(axis=1))[:, None]  # the visible stroke continues as its twin
        self.over += (place - since[ended & (since >= 0)]).tolist()
        self.strokes += int(seen.drawn.sum())
        self.births += int((seen.drawn & (now == place)).sum())

    def unfinished(self, end: int) -> list[int]:
        """Return ages, in frames, of strokes still alive after `end` frames."""
        assert self._last is not None
        lives: list[int] = (end - self._since[self._last.drawn & (self._since >= 0)]).tolist()
        return lives


def median_life(over: list[int], unfinished: list[int]) -> float:
    """Return the median lifetime in frames (product-limit estimate); infinite if more than half outlive the film."""
    left, share = len(over) + len(unfinished), 1.0
    ends, stays = np.bincount([0, *over]), np.bincount([0, *unfinished], minlength=len(over) and max(over) + 1)
    for life in range(1, len(ends)):
        share *= 1.0 - ends[life] / max(left, 1)
        if share <= 0.5:
            return life
        left -= ends[life] + stays[life]
    return float("inf")


def seen_strokes(layout: StrokeLayout, painter: StrokePainter, carriage: Carriage) -> Iterator[Seen]:
    """Yield each layer's strokes after a painter has drawn a picture."""
    place = carriage.place
    for layer, homes, offsets, looks, need in zip(
        layout.layers, homes_of(layout), carriage.offsets, carriage.looks, painter.guides.needs, strict=True
    ):
        picked, shown = np.empty(layer.count, np.int32), np.empty(layer.count * layer.slots, np.float32)
        steps, per_need = painter.guides.steps(layer), 1.0 / layer.need
        strokes = kernels.LayerStrokes(layout.homes_of(layer), offsets, looks, place)
        given = strokes, NO_PLANES, need, steps, per_need, layer.reach_px
        kernels.pick_strokes(*given, *layout.size, picked, shown, 0, layer.count)
        bits = picked[:, None] >> np.arange(2 * layer.slots) & 1
        drawn = (bits[:, : layer.slots] | bits[:, layer.slots :]).astype(np.bool_)
        apart = np.abs(offsets[:, 0].astype(np.int64) - offsets[:, 1]).sum(axis=-1)
        twin = (apart < TWINS) & (offsets[:, :2, 0] != NONE).all(axis=-1)
        yield Seen(drawn, place - age(homes, place, layer.slots), twin)


def lives_of(frames: list[Frame], style: Style, kind: BrushKind) -> list[Lives]:
    """Return the lifetimes of each layer over a film."""
    size = frames[0].format.width, frames[0].format.height
    sizes = plan_sizes(size, style.card)
    layout = StrokeLayout.of(kind, sizes)
    found = [Lives() for _ in layout.layers]
    with closing(Workers()) as workers:
        carrier, painter = Carrier(layout, sizes, workers), StrokePainter(layout, sizes, workers)
        carried: list[Carriage] = [carrier.allocate(), carrier.allocate()]
        for place, frame in enumerate(frames):
            shown = np.ascontiguousarray(picture(frame), np.float32)
            now, last = carried[place % 2], carried[1 - place % 2] if place else None
            carrier.compute_planes(shown, now)
            carrier.carry(last, now, place)
            if looks_at(place):
                painter.guides.sample(shown, shown, now)
            painter.run(shown, shown, now)
            for lives, seen in zip(found, seen_strokes(layout, painter, now), strict=True):
                lives.see(seen, place)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("films", nargs="+", metavar="FILM")
    parser.add_argument("--brush-kind", choices=PRESETS, default="oil")
    parser.add_argument("--lines", type=int, default=360, help="to which frames are brought")
    parser.add_argument("--count", type=int, default=120, help="frames of a film")
    said = parser.parse_args()
    style = open_style("oil").style
    for film in said.films:
        frames = frames_of(film, said.count, 1, said.lines)
        for name, layers in named(lives_of(frames, style, PRESETS[said.brush_kind].kind)):
            strokes, births = (sum(getattr(one, what) for one in layers) for what in ("strokes", "births"))
            over = [life for one in layers for life in one.over]
            unfinished = [life for one in layers for life in one.unfinished(len(frames))]
            born, mean = 100.0 * births / max(1, strokes), strokes / births if births else float("inf")
            each = strokes / max(1, len(frames) - 1)
            life = median_life(over, unfinished)
            figures = f"{each:8.0f} a frame  born {born:5.2f} %  life {life:.0f}  mean {mean:.0f}"
            print(f"{Path(film).stem}  {name:8} {figures}", flush=True)


def named(layers: list[Lives]) -> Iterator[tuple[str, list[Lives]]]:
    """Yield all layers together, then each layer."""
    yield "all", layers
    yield from ((f"layer {number}", [one]) for number, one in enumerate(layers, 1))


if __name__ == "__main__":
    main()
