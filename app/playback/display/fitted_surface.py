"""Surface fitted to its window."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from framebrush.gpu.device import Device
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.surface import Surface, Viewport
from framebrush.media.video import VideoInfo

MakeSurface = Callable[[Device], Surface | None]
"""Creates the surface that a device presents to, in the player's thread; None while its window is hidden."""


class FittedSurface:
    """Surface of one device, None before `attach` and while hidden."""

    def __init__(self, make_surface: MakeSurface) -> None:
        self._make = make_surface
        self.surface: Surface | None = None
        self.viewport = Viewport()
        self._size_px = (0, 0)
        self._info: VideoInfo | None = None
        self._aspect = 1.0

    def attach(self, device: Device | None) -> bool:
        """Create a missing surface; return whether it was missing."""
        if device is None or self.surface is not None:
            return False
        self.surface = self._make(device)
        self._fit()
        return self.surface is not None

    def look_at(self, viewport: Viewport) -> None:
        """See `Presenter.look_at`."""
        self.viewport = viewport
        self._fit()

    def resize(self, width_px: int, height_px: int) -> None:
        """See `Presenter.resize`."""
        self._size_px = (width_px, height_px)
        self._fit()

    def show_shape(self, info: VideoInfo | None, aspect: float) -> None:
        """Fit the surface to a video. aspect: of samples."""
        self._info, self._aspect = info, aspect
        self._fit()

    def close(self) -> None:
        if self.surface is not None:
            surface, self.surface = self.surface, None
            with suppress(DeviceError):
                surface.close()

    def _fit(self) -> None:
        if self.surface is None:
            return
        self.surface.viewport = self.viewport
        if self._info is not None:
            self.surface.sample_aspect = self._aspect
            self.surface.rotation_degrees = self._info.rotation_degrees
            self.surface.mirrored = self._info.mirrored
        if min(self._size_px) > 0:
            self.surface.resize(*self._size_px)
