"""Where the CPU device shows a frame: whoever draws it gets the picture."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt


class PictureSurface:
    """Hands every frame shown to a callback, in the thread that called `show`.

    paint: takes (H, W, 4) uint8 RGBA of the frame's own size, valid until the next `show`; scaling and turning it
    is the receiver's.
    """

    def __init__(self, paint: Callable[[npt.NDArray[np.uint8]], None]) -> None:
        self._paint: Callable[[npt.NDArray[np.uint8]], None] | None = paint
        self.size_px = (0, 0)
        self.sample_aspect, self.rotation_degrees = 1.0, 0

    def resize(self, width: int, height: int) -> None:
        """Follow the window, in physical pixels."""
        self.size_px = (width, height)

    def put(self, picture: npt.NDArray[np.uint8]) -> None:
        """Give a picture to the callback; nothing happens after `close`."""
        if self._paint is not None:
            self._paint(picture)

    def close(self) -> None:
        """Let go of the callback. Idempotent."""
        self._paint = None
