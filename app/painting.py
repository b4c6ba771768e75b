"""One picture from Python: `framebrush.paint`."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from framebrush.gpu.device import Device, open_device
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import plan_sizes
from framebrush.styles import coloured_by, default_style, open_style
from framebrush.to_rgb import opaque

DEFAULT_LOOK = Look()


def paint(
    picture: npt.NDArray[Any],
    style: str | None = None,
    *,
    look: Look = DEFAULT_LOOK,
    stroke: float | Literal["auto"] = "auto",
    device: Device | str = "auto",
) -> npt.NDArray[np.uint8]:
    """Paint one picture, as `framebrush frame` does.

        painted = framebrush.paint(picture, "great-wave")

    picture: (H, W, 3) or (H, W, 4) uint8, encoded R'G'B' and alpha, which is kept. style: what `--style` takes: a name,
    a blend, a network or a picture; the default style where it is None. look: strength, brush, relief and the like.
    stroke: the network sees the picture's size divided by it. device: a name, as `--device` takes, which is opened for
    this call; an open device where there are many pictures. Returns an array of the picture's shape.

    Raises TypeError and ValueError for what is no such picture, StyleError, DeviceError. For films, and for several
    pictures in flight, take a `Stylizer` or `framebrush.pipeline`.
    """
    if picture.dtype != np.uint8:
        raise TypeError(f"a picture of {picture.dtype} cannot be painted; convert it to uint8, 0 to 255")
    if picture.ndim != 3 or picture.shape[2] not in (3, 4) or not picture.size:
        raise ValueError(f"a picture of shape {picture.shape} cannot be painted; give (height, width, 3 or 4)")
    height, width, channels = picture.shape
    frame = opaque(picture[..., :3])
    opened = coloured_by(open_style(style or default_style()), frame)
    sizes = plan_sizes((width, height), opened.card, stroke=stroke, size=(width, height))
    with ExitStack() as stack:
        if isinstance(device, str):
            device = stack.enter_context(open_device(device))
        stylizer = stack.enter_context(
            device.stylizer(
                opened, frame.format, frame.format, working=sizes.working, stroke_px=sizes.stroke_px, look=look, slots=1
            )
        )
        painted = stylizer.fetch(stylizer.submit(frame)).planes[0].astype(np.uint8)
    if channels == 4:
        painted[..., 3] = picture[..., 3]
    return np.ascontiguousarray(painted[..., :channels])
