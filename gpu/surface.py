"""Where `Stylizer.show` puts frames, and what an application offers a device to show on."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from framebrush.gpu.stages.look import Look

PaintCallback = Callable[[npt.NDArray[np.uint8]], None]
"""Takes (H, W, 4) uint8 RGBA of the target's size, valid until it returns; called in the thread that calls `show`. Side
by side it takes (2, H, W, 4): the source and the painting."""

WindowSystem = Literal["windows", "x11"]
"""What a window belongs to."""

MIN_ZOOM, MAX_ZOOM = 0.25, 8.0
LOUPE_RADIUS_PX, LOUPE_FACTOR = 120, 4.0


@dataclass(frozen=True, slots=True)
class Viewport:
    """What part of a picture a window shows, and how large.

    zoom: pixels of the window for each row of the upright picture, MIN_ZOOM..MAX_ZOOM; None: as large as fits. centre:
    the point of the upright picture, 0..1 from the left and from above, in the middle of the window, as far as the
    picture's edges allow. smooth: linear between samples, else the nearest one. side_by_side: the source in the left
    half of the window, the painting in the right half, both of the same part. loupe: the point of the window, in
    pixels, around which LOUPE_RADIUS_PX of it are enlarged by LOUPE_FACTOR.
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
        """The width that one picture has, of a window of this width."""
        return width // 2 if self.side_by_side else width

    def place(self, picture: tuple[float, float], pane: tuple[float, float]) -> tuple[float, float, float, float]:
        """The rectangle (x, y, width, height) of a picture in its pane; it may reach beyond. picture: width and height
        in square pixels."""
        scale = self.zoom or min(pane[0] / picture[0], pane[1] / picture[1])
        sides = [side * scale for side in picture]
        corner = [
            (room - side) / 2 if side <= room else min(0.0, max(room - side, room / 2 - middle * side))
            for room, side, middle in zip(pane, sides, self.centre, strict=True)
        ]
        if self.zoom is not None:
            corner = [float(math.floor(exact)) for exact in corner]  # so that 100 % is a pixel for a pixel
        return corner[0], corner[1], sides[0], sides[1]


@dataclass(frozen=True, slots=True)
class NativeWindow:
    """A window that a GPU may present to. handle: an HWND, or a window of X11. display: of X11, the address of the
    connection that the window was made on."""

    system: WindowSystem
    handle: int
    display: int = 0


@dataclass(frozen=True, slots=True)
class View:
    """What an application can show pictures on: a native window, a callback, or both.

    A device that presents to such windows takes the window, any other the callback. width, height: in physical pixels.
    bits: 8, or 10 bits per colour where the device and the screen have them.
    """

    width: int
    height: int
    window: NativeWindow | None = None
    paint: PaintCallback | None = None
    bits: int = 8


class Surface(ABC):
    """A swap chain, or a callback that gets pictures. Made by `Device.surface` and used by that device only.

    sample_aspect: width of a sample of the target divided by its height. rotation_degrees: counter-clockwise turn to
    upright, a multiple of 90. mirrored: the picture is flipped from left to right before it is turned. A swap chain
    draws pictures upright and through the viewport; a callback gets them whole, as they are stored.
    """

    def __init__(self, device: object) -> None:
        self.device = device
        self.sample_aspect, self.rotation_degrees, self.mirrored = 1.0, 0, False
        self.viewport = Viewport()

    def looks(self, look: Look) -> tuple[Look, ...]:
        """The looks with which a frame is drawn on this surface, one after the other, for one showing. Side by side the
        divider is at the right edge: the left half shows the source, the right one ignores the divider."""
        return (replace(look, split=1.0),) if self.viewport.side_by_side else (look,)

    @abstractmethod
    def resize(self, width: int, height: int) -> None:
        """Follow the window, in physical pixels. Nothing happens where the size is the same."""

    @abstractmethod
    def close(self) -> None:
        """Release it; the window may go away after this. Idempotent."""


class CallbackSurface(Surface):
    """Hands every frame shown to a callback; scaling and turning it is the receiver's task."""

    def __init__(self, device: object, paint: PaintCallback) -> None:
        super().__init__(device)
        self._paint: PaintCallback | None = paint
        self._source: npt.NDArray[np.uint8] | None = None  # of a pair, until its painting comes

    def looks(self, look: Look) -> tuple[Look, ...]:
        """The source first, and then the painting."""
        self._source = None
        pair = replace(look, split=1.0), replace(look, split=None)
        return pair if self.viewport.side_by_side else (look,)

    def resize(self, width: int, height: int) -> None:
        """Nothing to do: the callback gets pictures of the target's size."""

    def put(self, picture: npt.NDArray[np.uint8]) -> None:
        """Pass a picture, or a pair that is complete, to the callback; nothing happens after `close`."""
        if self.viewport.side_by_side:
            if self._source is None:
                self._source = picture.copy()
                return
            picture, self._source = np.stack([self._source, picture]), None
        if self._paint is not None:
            self._paint(picture)

    def close(self) -> None:
        """Let go of the callback. Idempotent."""
        self._paint = None
