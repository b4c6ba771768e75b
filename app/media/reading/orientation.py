"""Display matrix, as one of eight orientations."""

from __future__ import annotations

import math
import struct
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from av.video.frame import VideoFrame

from framebrush.media.side_data import side_data
from framebrush.media.video import Orientation

Sample = TypeVar("Sample", bound=np.generic)


def orientation_of(frame: VideoFrame) -> Orientation:
    """Return the quarter turn nearest to a frame's display matrix.

    Of the matrix's int32, a, b, c, d are at 0, 1, 3, 4: (x, y) maps to (a x + c y, b x + d y), y down.
    """
    data = side_data(frame, "DISPLAYMATRIX")
    if data is None or len(data) < 36:
        return Orientation()
    a, b, _, c, d = struct.unpack_from("=5i", data)
    mirrored = a * d - b * c < 0
    if mirrored:
        a, b = -a, -b
    if not (a or b):
        return Orientation()
    return Orientation(90 * round(-math.degrees(math.atan2(b, a)) / 90), mirrored)


def upright(picture: npt.NDArray[Sample], lies: Orientation) -> npt.NDArray[Sample]:
    """Turn a picture (H, W, ...) upright."""
    flipped = picture[:, ::-1] if lies.mirrored else picture
    return np.ascontiguousarray(np.rot90(flipped, lies.quarters))


def lying(picture: npt.NDArray[Sample], lies: Orientation) -> npt.NDArray[Sample]:
    """Invert `upright`."""
    back = np.rot90(picture, -lies.quarters)
    return np.ascontiguousarray(back[:, ::-1] if lies.mirrored else back)
