"""Helpers of the devices' contract tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from framebrush.gpu.device import Device
from framebrush.gpu.frame import Frame, FrameFormat, yuv420p
from framebrush.gpu.stylizer import Stylizer
from framebrush.models.brushes import NO_MAPS, Maps
from framebrush.models.style import Style
from tests.gpu.pictures import codes_of, rounding

SOURCE = yuv420p(61, 47)
STROKES = {
    "half": ((61, 47), (30, 24), (61, 47)),
    "a third": ((96, 64), (32, 21), (96, 64)),
    "finer than the source": ((40, 30), (60, 45), (40, 30)),
    "smaller target": ((96, 64), (48, 32), (48, 32)),
    "larger target": ((48, 32), (48, 32), (121, 67)),
    "target only": ((61, 47), (61, 47), (31, 24)),
    "another shape": ((64, 48), (50, 50), (33, 80)),
    "one pixel": ((5, 7), (1, 1), (9, 3)),
}
"""Sizes of the source, the network's input and the target."""


THROUGH_THE_HOST = ("cuda", "webgpu")
"""GPU backends that do not present frames themselves."""


def notes_of(stylizer: Stylizer[Any]) -> list[str]:
    """Return a stylizer's notes, except on its network on the processor."""
    return [note for note in stylizer.notes if " runs on the processor: " not in note]


def codes(frame: Frame) -> list[npt.NDArray[np.int64]]:
    return [codes_of(plane, frame.format) for plane in frame.planes]


def painted(
    device: Device,
    style: Style,
    frame: Frame,
    target: FrameFormat,
    maps: Maps = NO_MAPS,
    **settings: Any,  # noqa: ANN401
) -> Frame:
    with device.stylizer(style, frame.format, target, **settings) as stylizer:
        stylizer.maps = maps
        return stylizer.fetch(stylizer.submit(frame))


def assert_alike(actual: Frame, expected: Frame, tolerance: int | None = None) -> None:
    """Compare frames. tolerance: in codes; None: 1 for 8 bits, 2 for 10 and 12, else 32."""
    assert actual.format == expected.format
    if tolerance is None:
        tolerance = 1 if actual.format.bits == 8 else 2 * rounding(actual.format.bits)
    for ours, theirs in zip(codes(actual), codes(expected), strict=True):
        assert np.abs(ours - theirs).max() <= tolerance
