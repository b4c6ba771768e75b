"""Targets of `Stylizer.show`, and windows of an application."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from framebrush.gpu.look import Look

PaintCallback = Callable[[npt.NDArray[np.uint8]], None]
"""Function that receives (H, W, 4) uint8 RGBA at the target's size, valid during the call, in the thread that calls
`show`. Side by side it receives (2, H, W, 4): source and painting."""

WindowSystem = Literal["windows", "x11"]
"""Window system."""

MIN_ZOOM, MAX_ZOOM = 0.25, 8.0
LOUPE_RADIUS_PX, LOUPE_FACTOR = 120, 4.0


@dataclass(frozen=True, slots=True)
class Viewport:
    """Visible part of a picture, and its magnification.

    Attributes:
        zoom: window pixels per row of the upright picture; None fits the window.
        centre: point in the window's middle, 0..1 from left and top.
        smooth: linear; else nearest.
        side_by_side: source left, painting right.
        loupe: point in window pixels, magnified by LOUPE_FACTOR.
    """

    zoom: float | None = None
    centre: tuple[float, float] = (0.5, 0.5)
    smooth: bool = True
    side_by_side: bool = False
    loupe: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if self.zoom is not None and not MIN_ZOOM <= self.zoom <= MAX_ZOOM:
            raise ValueError(f"zoom {self.zoom:g} is not between {MIN_ZOOM:g} and {MAX_ZOOM:g}")

    def pane(self, width: float) -> float:
        return width // 2 if self.side_by_side else width

    def place(self, picture: tuple[float, float], pane: tuple[float, float]) -> tuple[float, float, float, float]:
        """Return a picture's rectangle (x, y, width, height) in its pane."""
        scale = self.zoom or min(pane[0] / picture[0], pane[1] / picture[1])
        sides = [side * scale for side in picture]
        corner = [
            (room - side) / 2 if side <= room else min(0.0, max(room - side, room / 2 - middle * side))
            for room, side, middle in zip(pane, sides, self.centre, strict=True)
        ]
        if self.zoom is not None:
            corner = [float(math.floor(exact)) for exact in corner]  # so that 100 % maps pixels one to one
        return corner[0], corner[1], sides[0], sides[1]


@dataclass(frozen=True, slots=True)
class NativeWindow:
    """Window of an application. handle: HWND or X11 window."""

    system: WindowSystem
    handle: int
    display: int = 0


@dataclass(frozen=True, slots=True)
class View:
    """Window, callback or both, in physical pixels."""

    width: int
    height: int
    window: NativeWindow | None = None
    paint: PaintCallback | None = None
    bits: int = 8


class Surface(ABC):
    """Swap chain or callback of a device. Callbacks get whole pictures as stored.

    sample_aspect: width / height. rotation_degrees: counter-clockwise, after mirroring.
    """

    def __init__(self, device: object) -> None:
        self.device = device
        self.sample_aspect, self.rotation_degrees, self.mirrored = 1.0, 0, False
        self.viewport = Viewport()

    def looks(self, look: Look) -> tuple[Look, ...]:
        """Return the looks of the draws: two if side by side."""
        return (look.source_only,) if self.viewport.side_by_side else (look,)

    @abstractmethod
    def resize(self, width: int, height: int) -> None:
        """Follow the window's size in physical pixels."""

    @abstractmethod
    def close(self) -> None:
        """Release the surface before the window's end. Idempotent."""


class CallbackSurface(Surface):
    """Surface that passes frames to a callback."""

    def __init__(self, device: object, paint: PaintCallback) -> None:
        super().__init__(device)
        self._paint: PaintCallback | None = paint
        self._source: npt.NDArray[np.uint8] | None = None  # of a pair that waits for its painting

    def looks(self, look: Look) -> tuple[Look, ...]:
        """Return the source's look, then the painting's."""
        self._source = None
        if not self.viewport.side_by_side:
            return (look,)
        return look.source_only, look.undivided

    def resize(self, width: int, height: int) -> None: ...

    def put(self, picture: npt.NDArray[np.uint8]) -> None:
        """Pass a picture, or a complete pair, until `close`."""
        if self.viewport.side_by_side:
            if self._source is None:
                self._source = picture.copy()
                return
            picture, self._source = np.stack([self._source, picture]), None
        if self._paint is not None:
            self._paint(picture)

    def close(self) -> None:
        self._paint = None
