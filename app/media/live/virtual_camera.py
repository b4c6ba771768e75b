"""Virtual camera for other programs, by pyvirtualcam (GPL, not distributed)."""

from __future__ import annotations

import sys
from fractions import Fraction

import numpy as np

from framebrush.base.closing import Closing
from framebrush.base.text import first_line
from framebrush.gpu.frame import Frame, FrameFormat, Matrix, nv12
from framebrush.gpu.sizes import Size
from framebrush.media.video import OutputError

NAME = "virtual"
PREFIX = f"{NAME}:"
USUAL_RATE = Fraction(30)
"""Rate of sources without one. Drivers take it as a hint."""

_ON_LINUX = "load its driver (v4l2loopback: sudo modprobe v4l2loopback exclusive_caps=1)"
_ON_WINDOWS = "install OBS, which has its driver, and start and stop its virtual camera once"


class VirtualCamera(Closing):
    """Virtual camera, for one thread at a time."""

    def __init__(self, size: Size, rate: Fraction | None, device: str | None = None) -> None:
        """Open a camera of even size, by default the first. Raises OutputError."""
        if size[0] % 2 or size[1] % 2:
            even = f"{max(2, size[0] & ~1)}x{max(2, size[1] & ~1)}"
            raise OutputError(f"a virtual camera has even sides, not {size[0]}x{size[1]}", do=f"use --size {even}")
        try:
            from pyvirtualcam import Camera, PixelFormat
        except ImportError as error:
            raise OutputError(
                f"a virtual camera needs pyvirtualcam ({error}); install Framebrush's wheel with it: pip install "
                "'framebrush[virtual-camera]'"
            ) from None
        self.format: FrameFormat = nv12(*size, matrix=Matrix.BT601)
        """Format of its pictures. Cameras have no colour tags; drivers convert R'G'B' by BT.601."""
        try:
            self._camera = Camera(*size, float(rate or USUAL_RATE), fmt=PixelFormat.NV12, device=device)
        except RuntimeError as error:
            what = "no virtual camera opens" if device is None else f"the virtual camera {device} does not open"
            how = _ON_WINDOWS if sys.platform == "win32" else _ON_LINUX
            raise OutputError(f"{what} ({first_line(error)}); {how}") from None
        self.name: str = self._camera.device
        width, height = size
        self._picture = np.empty((height + height // 2, width), np.uint8)
        self.frame = Frame(self.format, (self._picture[:height], self._picture[height:].reshape(-1, width // 2, 2)))
        """Memory of the next picture."""

    def send(self) -> None:
        """Show the picture in `frame`. Raises OutputError."""
        try:
            self._camera.send(self._picture)
        except Exception as error:  # from a driver
            raise OutputError(f"{self.name} takes no more pictures ({first_line(error)}); open it again") from None

    def close(self) -> None:
        self._camera.close()


def device_of(text: str) -> str | None:
    """Return the device in "virtual:DEVICE", if any. Raises OutputError."""
    if text == NAME:
        return None
    device = text.removeprefix(PREFIX)
    if device == text or not device:
        raise OutputError(f"{text!r} is no virtual camera; give {NAME}, or {PREFIX}DEVICE, such as {PREFIX}/dev/video4")
    return device
