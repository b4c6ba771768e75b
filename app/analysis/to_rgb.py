"""Frames as R'G'B' from the CPU, for all devices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from framebrush.gpu.device import open_device
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat, rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import AUTO_LINES, Size
from framebrush.media.video import on_host
from framebrush.models.style import Style

Picture = npt.NDArray[np.uint8]


class ToRgb:
    """Converter of frames of one size, without painting table and brush."""

    def __init__(
        self, stack: ExitStack, source: FrameFormat, size: Size, style: Style, look: Look | None = None
    ) -> None:
        device = stack.enter_context(open_device("cpu"))
        look = (look or Look()).converted
        self._stylizer = stack.enter_context(
            device.stylizer(replace(style, after=None), source, rgba8(*size), working=size, look=look, slots=1)
        )

    def __call__(self, frame: Frame | DeviceFrame) -> Picture:
        (rgba,) = self._stylizer.fetch(self._stylizer.submit(on_host(frame))).planes
        return rgba[..., :3].astype(np.uint8)


def painted(style: Style, pictures: Iterable[Picture]) -> Iterator[Picture]:
    """Paint pictures (H, W, 3) uint8, without painting table. Raises DeviceError."""
    with ExitStack() as stack:
        paint: ToRgb | None = None
        for picture in pictures:
            frame = opaque(picture)
            paint = paint or ToRgb(stack, frame.format, style.card.fixed_size or frame.format.size, style)
            yield paint(frame)


def opaque(picture: Picture) -> Frame:
    """Wrap a picture (H, W, 3) as a frame."""
    height, width = picture.shape[:2]
    return Frame(rgba8(width, height), (np.dstack([picture, np.full((height, width, 1), 255, np.uint8)]),))


def nearest(picture: Picture, size: Size) -> Picture:
    """Reduce a picture (H, W[, 3]) by nearest pixels."""
    columns, rows = (np.arange(kept) * whole // kept for kept, whole in zip(size, picture.shape[1::-1], strict=True))
    return np.ascontiguousarray(picture[rows[:, None], columns])


def small(size: Size, lines: int = AUTO_LINES) -> Size:
    """Reduce a size to at most `lines` on the shorter side."""
    factor = min(1.0, lines / min(size))
    return max(1, round(size[0] * factor)), max(1, round(size[1] * factor))
