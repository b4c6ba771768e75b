"""What the tests of the application see in a file, by FFmpeg's own eyes and not by our reader's."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from assets import frame_number
from framebrush.gpu.device import Device
from framebrush.models.style import Style
from framebrush.transcode import Job
from tests import networks


def shown(path: Path, quarter_turns: int = 0) -> tuple[list[int | None], list[Fraction]]:
    """Numbers drawn into the frames of a file, turned so often counter-clockwise, and their times from the first."""
    numbers: list[int | None] = []
    times: list[Fraction] = []
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            assert frame.pts is not None
            assert frame.time_base is not None
            luma = frame.reformat(format="gray").to_ndarray()
            numbers.append(frame_number.read(np.rot90(luma, quarter_turns)))
            times.append(frame.pts * frame.time_base)
    return numbers, [time - times[0] for time in times]


def job(source: Path, target: Path, device: Device, **more: object) -> Job:
    """A transcode through the identity network, or another style."""
    style = more.pop("style", None) or networks.identity()
    assert isinstance(style, Style)
    return Job(source, target, style, device, **more)  # type: ignore[arg-type]


def leftovers(folder: Path) -> list[str]:
    """Names in a folder, hidden ones too."""
    return sorted(path.name for path in folder.iterdir())
