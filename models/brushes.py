"""Kinds of brushes, and maps of strokes."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import NamedTuple

MOST_LAYERS = 8
"""Most layers of strokes of one width."""

RANGES = {
    "widths": (0.1, 16.0),
    "lengths": (0.25, 32.0),
    "jitter": (0.0, 0.5),
    "need": (0.001, 1.0),
    "relief": (0.0, 4.0),
    "wet": (0.0, 1.0),
    "edge": (0.01, 2.0),
}
"""Range of each figure of a kind."""

MARK_ROWS, MARK_COLUMNS = 64, 256
"""Rows and columns of a brush tip's mark, across and along a stroke from its beginning to its end, in bytes: 0 without
paint, 255 for the highest."""

MAP_SIDE = 256
"""Rows and columns of a map, for frames of any shape."""

AS_NEEDED = 128
"""Value of a size map that leaves sizes to the brush."""


@dataclass(frozen=True, slots=True)
class BrushKind:
    """Kind of strokes. Raises ValueError for figures beyond RANGES.

    Attributes:
        widths: of each layer, broad to fine, in halves of a network's stroke.
        lengths: of each layer, in widths.
        jitter: variation of colour.
        need: detail from which finer strokes are drawn.
        wet: share of the painting's colour.
        edge: change of colour that ends a stroke.
        mark: brush tip, MARK_ROWS * MARK_COLUMNS samples; None for hairs.
        few: skip the finest layer, unless alone.
    """

    widths: tuple[float, ...]
    lengths: tuple[float, ...]
    jitter: float
    need: float
    relief: float = 1.0
    wet: float = 0.18
    edge: float = 0.16
    mark: bytes | None = None
    few: bool = False

    def __post_init__(self) -> None:
        if not 0 < len(self.widths) == len(self.lengths) <= MOST_LAYERS:
            raise ValueError(
                f"a brush has a width and a length for each of up to {MOST_LAYERS} layers of strokes, not "
                f"{len(self.widths)} and {len(self.lengths)}"
            )
        if list(self.widths) != sorted(self.widths, reverse=True):
            raise ValueError("the layers of a brush go from broad to fine")
        if self.mark is not None and len(self.mark) != MARK_ROWS * MARK_COLUMNS:
            raise ValueError(f"{len(self.mark)} samples are no mark of {MARK_ROWS} rows of {MARK_COLUMNS}")
        for name, (least, most) in RANGES.items():
            given = getattr(self, name)
            for figure in given if isinstance(given, tuple) else (given,):
                if not least <= figure <= most:
                    raise ValueError(f"{name} of {figure:g} is not between {least:g} and {most:g}")


@dataclass(frozen=True, slots=True)
class Maps:
    """Brush maps of one frame. Raises ValueError.

    Attributes:
        sizes: MAP_SIDE² bytes: 0 draws all finer strokes, AS_NEEDED needed ones, 255 only the broadest.
        directions: 2 * MAP_SIDE² signed bytes: gx² - gy², then 2 gx gy; the length is the weight.
    """

    sizes: bytes | None = None
    directions: bytes | None = None

    def __post_init__(self) -> None:
        for name, parts in (("sizes", 1), ("directions", 2)):
            samples = getattr(self, name)
            if samples is not None and len(samples) != parts * MAP_SIDE**2:
                raise ValueError(f"{len(samples)} samples are no map of {name}, which has {parts * MAP_SIDE**2}")


NO_MAPS = Maps()

OIL = BrushKind((4.0, 2.0, 1.0, 0.5, 0.3), (5.0, 5.0, 4.5, 4.0, 3.5), jitter=0.02, need=0.032)


class Preset(NamedTuple):
    """Named, described kind of brush."""

    kind: BrushKind
    says: str


PRESETS = {
    "oil": Preset(OIL, "broad strokes below, fine ones where they are needed"),
    "bristle": Preset(
        BrushKind((4.0, 2.4, 1.4, 0.7, 0.4), (12.0, 12.0, 9.0, 6.0, 5.0), jitter=0.03, need=0.033, relief=1.4),
        "a stiff brush: long strokes along the forms, thick paint",
    ),
    "palette-knife": Preset(
        BrushKind((9.0, 5.0, 2.5, 1.2, 0.6), (1.6, 1.6, 1.6, 1.4, 1.4), jitter=0.05, need=0.05, relief=1.5, wet=0.3),
        "broad, short, thick slabs",
    ),
    "impressionist": Preset(
        BrushKind((2.6, 1.6, 0.9, 0.5), (2.2, 2.2, 2.2, 2.0), jitter=0.055, need=0.015, relief=1.2, wet=0.08),
        "short dabs of broken colour",
    ),
    "pointillist": Preset(
        BrushKind((2.0, 1.2, 0.7, 0.4), (0.6, 0.6, 0.6, 0.6), jitter=0.08, need=0.012, relief=0.8, wet=0.0),
        "dots of pure colour",
    ),
    "gouache": Preset(
        BrushKind((8.0, 4.0, 2.0, 0.9, 0.45), (2.5, 2.5, 3.0, 3.0, 3.0), 0.03, 0.03, relief=0.15, wet=0.5, edge=0.25),
        "flat, matt paint whose strokes melt into each other",
    ),
    "fine": Preset(
        BrushKind((2.0, 1.0, 0.5, 0.3), (6.0, 6.0, 5.0, 4.0), jitter=0.015, need=0.02, relief=0.5),
        "thin strokes and thin paint: faces and letters stay",
    ),
}
"""Presets by name."""


def kind_named(name: str) -> BrushKind:
    """Return a preset's kind. Raises ValueError with the nearest name."""
    if name in PRESETS:
        return PRESETS[name].kind
    near = difflib.get_close_matches(name.lower(), PRESETS, n=1, cutoff=0.4)
    raise ValueError(
        f"there is no kind of brush called {name[:40]!r}; "
        + (f"did you mean {near[0]!r}?" if near else f"there are {', '.join(PRESETS)}")
    )
