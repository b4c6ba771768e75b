"""Where `Stylizer.show` puts frames, and what an application offers a device to show on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

PaintCallback = Callable[[npt.NDArray[np.uint8]], None]
"""Takes (H, W, 4) uint8 RGBA of the target's size, valid until it returns; called in the thread that calls `show`."""


@dataclass(frozen=True, slots=True)
class View:
    """What an application can show pictures on: a native window (HWND), a callback, or both.

    A device that presents takes the window, any other the callback. width, height: in physical pixels. bits: 8, or 10
    bits a colour where the device and the screen have them.
    """

    width: int
    height: int
    window: int | None = None
    paint: PaintCallback | None = None
    bits: int = 8


class Surface(ABC):
    """A swap chain, or a callback that gets pictures. Made by `Device.surface` and used by that device alone.

    sample_aspect: width of a sample of the target divided by its height. rotation_degrees: counter-clockwise turn to
    upright, a multiple of 90. mirrored: the picture is flipped from left to right before it is turned. A swap chain
    draws pictures upright; a callback gets them as they are stored.
    """

    def __init__(self, device: object) -> None:
        self.device = device
        self.sample_aspect, self.rotation_degrees, self.mirrored = 1.0, 0, False

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

    def resize(self, width: int, height: int) -> None:
        """Nothing to do: the callback gets pictures of the target's size."""

    def put(self, picture: npt.NDArray[np.uint8]) -> None:
        """Give a picture to the callback; nothing happens after `close`."""
        if self._paint is not None:
            self._paint(picture)

    def close(self) -> None:
        """Let go of the callback. Idempotent."""
        self._paint = None
