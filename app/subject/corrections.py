"""Corrections of a film's masks: brush strokes, advected along the motion.

Strokes are in pixels of the upright frame, stored with motion.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Literal, NamedTuple, Self

import numpy as np

from framebrush.base.files import read_bounded
from framebrush.base.json_values import from_values, to_text
from framebrush.base.text import count_of
from framebrush.models.soft_masks import MASK_SIDE

Kind = Literal["area", "faces", "remove"]
"""Strokes add to the area, add to faces, or remove from both."""

Motion = tuple[float, float, float, float]
"""Similarity (a, b, x, y) from a stroke's own frame: a point (u, v) is at (a u - b v + x, b u + a v + y)."""

STAY: Motion = 1.0, 0.0, 0.0, 0.0

REACH = 48
"""Frames before and after its own to which a stroke is carried at most, as long as strokes of the brush live."""

FADES = 12
"""Frames at the end of the reach in which a stroke fades, so that nothing jumps."""

MOST_BYTES = 32 << 20
MOST_STROKES = 1000
MOST_POINTS = 500
MOST_POINTS_IN_ALL = 50_000
MOST_SIDE_PX = 1 << 16
MOST_DISTANCE_PX = 4.0 * MOST_SIDE_PX
MOST_GROWTH = 16.0
"""Limits of a file."""

LEAST_ALONG = 0.93
"""Cosine of the angle of a line's turn below which its outer side is filled."""

CANVAS = 4 * MASK_SIDE
"""Longer side of the picture in which strokes are drawn, in samples."""

FARTHEST = 4.0 * CANVAS
"""Largest radius, and largest distance of a point, that are drawn: larger ones take minutes."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """Stroke on a frame. Raises ValueError.

    radius, points: in pixels from the upper left corner. first: number of the first frame of `motions`. motions: of
    successive frames; empty for one frame.
    """

    frame: int
    kind: Kind
    radius: float
    points: tuple[tuple[float, float], ...]
    first: int = 0
    motions: tuple[Motion, ...] = ()

    def __post_init__(self) -> None:
        if self.frame < 0:
            raise ValueError(f"frame {self.frame} is no number of a frame")
        if not 0 < self.radius <= MOST_SIDE_PX:
            raise ValueError(f"a radius of {self.radius:g} is not above 0 and at most {MOST_SIDE_PX} pixels")
        if not 1 <= len(self.points) <= MOST_POINTS:
            raise ValueError(f"{len(self.points)} points are no stroke, which has 1 to {MOST_POINTS}")
        if any(abs(value) > MOST_DISTANCE_PX for point in self.points for value in point):
            raise ValueError(f"a point is farther away than {MOST_DISTANCE_PX:g} pixels")
        if self.motions and not self.first <= self.frame < self.first + len(self.motions) <= self.first + 2 * REACH + 1:
            raise ValueError(f"{count_of(len(self.motions), 'motion')} from frame {self.first} on: not of this stroke")
        for a, b, x, y in self.motions:
            if not 1 / MOST_GROWTH <= math.hypot(a, b) <= MOST_GROWTH or max(abs(x), abs(y)) > MOST_DISTANCE_PX:
                raise ValueError("a motion is not one that a film has")

    @property
    def bare(self) -> Self:
        """Return the stroke as painted, without motion."""
        return replace(self, first=0, motions=())

    def motion_at(self, number: int) -> Motion | None:
        """Return the motion from the stroke's frame, if known."""
        if number == self.frame:
            return STAY
        return self.motions[number - self.first] if 0 <= number - self.first < len(self.motions) else None

    def weight_at(self, number: int) -> float:
        """Return the opacity at a frame, 0..1."""
        return min(1.0, max(0.0, (REACH + 1 - abs(number - self.frame)) / FADES))


class Layer(NamedTuple):
    """Opacity of successive strokes of one kind: MASK_SIDE upright rows."""

    kind: Kind
    samples: bytes


@dataclass(frozen=True, slots=True)
class Corrections:
    """Strokes in painting order, in upright frames of a size. Raises ValueError."""

    width: int
    height: int
    strokes: tuple[Stroke, ...] = ()
    version: int = 1

    def __post_init__(self) -> None:
        if not (1 <= self.width <= MOST_SIDE_PX and 1 <= self.height <= MOST_SIDE_PX):
            raise ValueError(f"frames cannot have {self.width}x{self.height} pixels")
        if len(self.strokes) > MOST_STROKES:
            raise ValueError(f"{len(self.strokes)} strokes are more than {MOST_STROKES}")
        points = sum(len(stroke.points) for stroke in self.strokes)
        if points > MOST_POINTS_IN_ALL:
            raise ValueError(f"strokes with {points} points are more than {MOST_POINTS_IN_ALL}")
        if self.version != 1:
            raise ValueError(f"format {self.version} is unknown; update Framebrush")

    def at(self, number: int) -> tuple[Layer, ...]:
        """Return the corrections of a frame in their order."""
        here = [
            (stroke.kind, stroke.weight_at(number), _Drawn(stroke.radius, stroke.points, motion))
            for stroke in self.strokes
            if (motion := stroke.motion_at(number)) is not None
        ]
        layers = groupby(here, key=lambda each: each[:2])
        size = self.width, self.height
        return tuple(Layer(kind, _layer(size, weight, tuple(n[2] for n in of))) for (kind, weight), of in layers)

    @property
    def content(self) -> str:
        return to_text(self)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read the file of corrections. Raises ValueError, OSError."""
        content = read_bounded(path, MOST_BYTES)
        try:
            values = json.loads(content.decode())
        except (ValueError, RecursionError):
            raise ValueError("it is not JSON; give a mask.json that the window has written") from None
        return from_values(cls, values, "corrections")


class _Drawn(NamedTuple):
    radius: float
    points: tuple[tuple[float, float], ...]
    motion: Motion


@lru_cache(maxsize=16)
def _layer(size: tuple[int, int], weight: float, strokes: tuple[_Drawn, ...]) -> bytes:
    from PIL import Image, ImageDraw  # imported here because only painting with corrections needs it

    scale = CANVAS / max(size)
    canvas = Image.new("L", (max(1, round(scale * size[0])), max(1, round(scale * size[1]))))
    draw = ImageDraw.Draw(canvas)
    for radius, points, (a, b, x, y) in strokes:
        reach = min(scale * radius * math.hypot(a, b), FARTHEST)
        line = [(_near(scale * (a * u - b * v + x)), _near(scale * (b * u + a * v + y))) for u, v in points]
        if len(line) > 1:
            draw.line(line, 255, max(1, round(2 * reach)))
        for u, v in _corners(line):
            draw.ellipse((u - reach, v - reach, u + reach, v + reach), 255)
    opacity = np.asarray(canvas.resize((MASK_SIDE, MASK_SIDE), Image.Resampling.BOX))
    drawn: bytes = np.rint(opacity * np.float32(weight)).astype(np.uint8).tobytes()
    return drawn


def _corners(line: list[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    yield line[0]
    for (u, v), here, (x, y) in zip(line, line[1:], line[2:], strict=False):
        first, second = (here[0] - u, here[1] - v), (x - here[0], y - here[1])
        along = first[0] * second[0] + first[1] * second[1]
        if along <= LEAST_ALONG * math.hypot(*first) * math.hypot(*second):
            yield here
    yield line[-1]


def _near(place: float) -> float:
    return min(FARTHEST, max(-FARTHEST, place))


def corrected(
    faces: bytes | None, area: bytes | None, layers: tuple[Layer, ...], *, inverted: bool, finds_faces: bool
) -> tuple[bytes | None, bytes | None]:
    """Return masks of faces and of the area, None without one, with corrections.

    layers: in the masks' orientation. inverted: the area is the outside of a mask.
    """
    for kind, samples in layers:
        if finds_faces and kind != "area":
            faces = _towards(faces or bytes(len(samples)), samples, full=kind == "faces")
        if area is not None and kind != "faces":
            area = _towards(area, samples, full=(kind == "area") != inverted)
    return faces if faces and any(faces) else None, area


def width_of(faces: bytes) -> float:
    """Return the width of painted faces, as `Masks.face_width`."""
    rows = np.frombuffer(faces, np.uint8).reshape(MASK_SIDE, MASK_SIDE)
    return float((rows > 127).any(axis=0).mean())


def _towards(mask: bytes, opacity: bytes, *, full: bool) -> bytes:
    codes, shares = (np.frombuffer(samples, np.uint8).astype(np.uint32) for samples in (mask, opacity))
    mixed: bytes = ((codes * (255 - shares) + full * 255 * shares + 127) // 255).astype(np.uint8).tobytes()
    return mixed
