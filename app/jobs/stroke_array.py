"""Strokes as a NumPy record array, and their drawing."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from framebrush.gpu.cpu.stages.resize import Resizer
from framebrush.gpu.cpu.stages.strips import Workers
from framebrush.gpu.cpu.stages.strokes import RECORD
from framebrush.gpu.cpu.stages.strokes import draw as draw_rows
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.resample import TO_TARGET
from framebrush.gpu.stages.strokes import OIL, POINTS, STROKE_HEIGHT, StrokeLayout
from framebrush.gpu.stages.strokes.drawn import DRAWN, Canvas, DrawnStrokes, with_bounds

Floats = npt.NDArray[np.float32]

STROKE = np.dtype(
    [
        ("id", "<u8"),
        ("layer", "<i4"),
        ("birth", "<i8"),
        ("death", "<i8"),
        ("birth_s", "<f8"),
        ("death_s", "<f8"),
        ("points", "<i4"),
        ("path", "<f4", (POINTS, 2)),
        ("width", "<f4"),
        ("length", "<f4"),
        ("angle", "<f4"),
        ("colour", "<f4", 3),
        ("opacity", "<f4"),
        ("height", "<f4"),
        ("seed", "<u4"),
    ]
)
"""Stroke for users; docs/strokes.md has the fields' meanings and units."""

MEAN_BODY = 0.5
"""Mean height of a broad stroke's hairs, where 1 is the highest."""

MOST_SIDE_PX = 32768
"""Most columns or rows of a drawn picture."""

USUAL_BASE = 1 / 108
"""Brush's unit of width for strokes without a canvas, in heights of the picture."""


class StrokeArray(np.recarray[Any, np.dtype[np.void]]):
    """Strokes of a frame, bottom to top, as records of STROKE.

    canvas: underpainting and brush; foreign arrays have none.
    """

    canvas: Canvas | None

    def __array_finalize__(self, obj: object) -> None:
        super().__array_finalize__(obj)
        self.canvas = getattr(obj, "canvas", None)

    @classmethod
    def of(cls, found: DrawnStrokes, frame: int, times_s: Mapping[int, float], rate: float) -> Self:
        """Convert a frame's drawn strokes. times_s: of frames, from the first."""
        records, layout = found.records, found.canvas.layout
        made = np.zeros(len(records), STROKE)
        made["id"], made["layer"], made["birth"], made["death"] = found.ids, found.layers, found.births, found.deaths
        made["birth_s"] = np.interp(found.births, list(times_s), list(times_s.values()))
        made["death_s"] = times_s[frame] + (found.deaths - frame) / rate
        for name in ("points", "length", "colour", "opacity", "seed"):
            made[name] = records[name]
        last = np.minimum(np.arange(POINTS), records["points"][:, None] - 1)  # unused points repeat the last
        made["path"] = np.stack([np.take_along_axis(records[axis], last, axis=1) for axis in ("x", "y")], axis=-1)
        made["width"] = 2.0 * records["half_width"]
        over, down = (made["path"][:, -1] - made["path"][:, 0]).T
        made["angle"] = np.degrees(np.arctan2(-down, over))
        low = 0.5 + 0.5 * np.minimum(1.0, records["half_width"] / (5.0 * layout.hair_px))
        made["height"] = MEAN_BODY * low * STROKE_HEIGHT * layout.kind.relief * layout.hair_px
        found_array = made.view(cls)
        found_array.canvas = found.canvas
        return found_array


def draw(strokes: npt.NDArray[np.void], size: Size | None = None, ground: npt.NDArray[Any] | None = None) -> Floats:
    """Draw strokes to a picture (H, W, 3), float32, encoded R'G'B' of about 0 to 1.

        strokes = film.strokes(12)
        strokes["width"] *= 2
        picture = framebrush.draw(strokes)

    Unchanged strokes give the painted frame before relief and detail, bit for bit.

    Args:
        strokes: records of STROKE, bottom to top.
        size: width and height, by default the frame's; strokes are scaled to another.
        ground: picture (H, W, 3) to draw on, uint8, or float of 0 to 1; by default the underpainting, or white for
            strokes from elsewhere.

    Raises: TypeError, ValueError for impossible strokes, sizes or grounds.
    """
    own = getattr(strokes, "canvas", None)
    canvas = own if isinstance(own, Canvas) else None
    records = _records(strokes)
    if size is None:
        if canvas is None:
            raise ValueError("strokes that film.strokes() has not returned have no size; give size=(width, height)")
        size = canvas.layout.size
    size = _checked_size(size)
    if canvas is None:
        canvas = _on_picture(np.ones((1, 1, 3), np.float32), size, StrokeLayout(OIL, size, size[1] * USUAL_BASE))
    elif canvas.layout.size != size:
        across, down = (new / old for new, old in zip(size, canvas.layout.size, strict=True))
        scale = float(np.sqrt(across * down))
        for name, factor in (("x", across), ("y", down), ("half_width", scale), ("length", scale)):
            records[name] *= np.float32(factor)
        layout = StrokeLayout(canvas.layout.kind, size, canvas.layout.base_px * scale)
        under = layout.level_size(layout.ground_level)
        canvas = Canvas(_resized(canvas.painting, size), _resized(canvas.ground, under), layout)
    if ground is not None:
        canvas = _on_picture(_picture(ground), size, canvas.layout)
    rows = np.ascontiguousarray(with_bounds(records)).view(np.float32).reshape(-1, RECORD)
    made = np.empty((5, size[1], size[0]), np.float32)
    with closing(Workers()) as workers:
        draw_rows(rows, len(rows), canvas.painting, canvas.ground, canvas.layout, workers, made)
    return np.ascontiguousarray(np.moveaxis(made[:3], 0, -1))


def _records(strokes: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    if not isinstance(strokes, np.ndarray) or strokes.dtype != STROKE or strokes.ndim != 1:
        raise TypeError("strokes must be a one-dimensional record array, as film.strokes() returns it")
    plain = np.asarray(strokes)
    numbers = ("path", "width", "colour", "opacity")
    if not all(np.isfinite(plain[name]).all() for name in numbers):
        raise ValueError(f"the {', '.join(numbers)} of strokes must be finite numbers")
    if (np.abs(plain["path"]) > 2 * MOST_SIDE_PX).any() or (
        (plain["width"] <= 0) | (plain["width"] > MOST_SIDE_PX)
    ).any():
        raise ValueError(f"strokes must have a width above 0, and widths and positions within {MOST_SIDE_PX} pixels")
    if ((plain["opacity"] < 0) | (plain["opacity"] > 1)).any():
        raise ValueError("the opacity of a stroke is 0 to 1")
    if ((plain["points"] < 2) | (plain["points"] > POINTS)).any():
        raise ValueError(f"a stroke's path has 2 to {POINTS} points")
    made = np.zeros(len(plain), DRAWN)
    for name in ("points", "colour", "opacity", "seed"):
        made[name] = plain[name]
    made["half_width"] = np.float32(0.5) * plain["width"]
    made["x"], made["y"] = plain["path"][..., 0], plain["path"][..., 1]
    over, down = (np.diff(made[axis], axis=1) for axis in ("x", "y"))
    steps = np.hypot(over, down)
    steps[np.arange(POINTS - 1) >= made["points"][:, None] - 1] = 0.0
    length = steps.sum(axis=1)
    # the stored length of an unchanged path is exact, as the kernel's rounding differs
    made["length"] = np.where(np.isclose(length, plain["length"], rtol=1e-5), plain["length"], length)
    return made


def _checked_size(size: Size) -> Size:
    try:
        width, height = map(operator.index, size)
    except (TypeError, ValueError):
        raise TypeError(f"size is {size!r:.60}; it must be width and height, as in (1920, 1080)") from None
    if not (0 < width <= MOST_SIDE_PX and 0 < height <= MOST_SIDE_PX):
        raise ValueError(f"a picture of {width}x{height} cannot be drawn; sides have 1 to {MOST_SIDE_PX} pixels")
    return width, height


def _picture(ground: npt.NDArray[Any]) -> Floats:
    picture = np.asarray(ground)
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype.kind not in "uf":
        raise TypeError("the ground must be a picture (H, W, 3) of uint8 or float")
    if not picture.size:
        raise ValueError("the ground has no pixels")
    top = np.iinfo(picture.dtype).max if picture.dtype.kind == "u" else 1
    found: Floats = np.nan_to_num(picture.astype(np.float32) / np.float32(top))
    return found


def _on_picture(picture: Floats, size: Size, layout: StrokeLayout) -> Canvas:
    """Return a picture's canvas that does not mix into strokes."""
    layout = replace(layout, kind=replace(layout.kind, wet=0.0))
    planes = np.ascontiguousarray(np.moveaxis(picture, -1, 0))
    under = layout.level_size(layout.ground_level)
    return Canvas(_resized(planes, size), _resized(planes, under), layout)


def _resized(planes: Floats, size: Size) -> Floats:
    height, width = planes.shape[1:]
    if (width, height) == size:
        return planes
    if (width, height) == (1, 1):
        return np.ascontiguousarray(np.broadcast_to(planes, (len(planes), size[1], size[0])))
    resized: Floats = Resizer((width, height), size, TO_TARGET, top=1.0).run(planes).astype(np.float32)
    return resized
