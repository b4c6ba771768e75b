"""Placement of a picture in a window."""

from __future__ import annotations

from abc import abstractmethod

from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import FrameFormat, Matrix, PlaneOrder
from framebrush.gpu.layouts import Record
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages import tensor_to_planes
from framebrush.gpu.surface import LOUPE_FACTOR, LOUPE_RADIUS_PX, Surface, View, Viewport

DIVIDER_PX = 1.0
"""Half the width of the divider between source and painting."""

BITS = 8, 10
"""Supported bits per colour of a window."""

WHOLE = Viewport()


def fit(
    picture: Size, window: Size, sample_aspect: float = 1.0, viewport: Viewport = WHOLE
) -> tuple[int, int, int, int]:
    """Return a picture's rectangle (x, y, width, height) in a window."""
    x, y, width, height = viewport.place((picture[0] * sample_aspect, picture[1]), window)
    shown = max(1, round(width)), max(1, round(height))
    corner = [
        (room - side) // 2 if side <= room else round(exact)
        for room, side, exact in zip(window, shown, (x, y), strict=True)
    ]
    return corner[0], corner[1], *shown


class WindowSurface(Surface):
    """See `framebrush.gpu.surface.Surface`. Used by the player's thread only."""

    def __init__(self, device: object, name: str, view: View) -> None:
        """Check the view. Raises DeviceError for unsupported bits."""
        super().__init__(device)
        if view.bits not in BITS:
            raise DeviceError(f"{name} shows pictures of 8 or 10 bits per colour, not of {view.bits}")
        self._bits = view.bits
        self._size = (max(1, view.width), max(1, view.height))

    @property
    def format(self) -> FrameFormat:
        """Window's format: SDR, whatever the screen's mode."""
        return FrameFormat(*self._size, PlaneOrder.RGBA, self._bits, matrix=Matrix.RGB, full_range=True)

    def record(self, picture: Size, tensors: tuple[Size, Size], look: Look) -> Record:
        """Return the constants of `tensor_to_rgba`. tensors: sizes of planes."""
        turned = self.rotation_degrees % 180 != 0
        shape, aspect = (picture[::-1], 1 / self.sample_aspect) if turned else (picture, self.sample_aspect)
        viewport = self.viewport
        pane = max(1, int(viewport.pane(self._size[0])))
        x, y, width, height = fit(shape, (pane, self._size[1]), aspect, viewport)
        across, down = viewport.loupe or (0.0, 0.0)
        placement = tensor_to_planes.Placement(
            self._size,
            (x, y),
            (width, height),
            self.rotation_degrees,
            self.mirrored,
            DIVIDER_PX if look.compares and not viewport.side_by_side else 0.0,
            pane_px=pane if viewport.side_by_side else 0,
            smooth=viewport.smooth,
            loupe=(across % pane, down),
            loupe_px=LOUPE_RADIUS_PX if viewport.loupe else 0.0,
            loupe_factor=LOUPE_FACTOR if viewport.loupe else 1.0,
        )
        return tensor_to_planes.output(picture, *tensors, self.format, look, placement)

    def resize(self, width: int, height: int) -> None:
        size = (max(1, width), max(1, height))
        if size != self._size:
            self._resize(size)

    @abstractmethod
    def _resize(self, size: Size) -> None: ...
