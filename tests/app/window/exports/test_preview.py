"""The small picture of a painted frame that an export shows, whatever its encoder gets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assets.make_clips import CLIPS
from framebrush.gpu.frame import FrameFormat, PlaneOrder, gbrp, nv12, yuv420p
from framebrush.gpu.stages.tensor_to_planes import rgb_to_output
from framebrush.jobs.pipeline import OutputFrame
from framebrush.media.reading.reader import Reader
from framebrush.window.exports.export_worker import PREVIEW_PX, small_picture

WIDTH, HEIGHT = 3 * PREVIEW_PX, 180
FORMATS = {
    "nv12": nv12(WIDTH, HEIGHT),
    "p010": nv12(WIDTH, HEIGHT, bits=10),
    "yuv420p odd": yuv420p(WIDTH - 1, HEIGHT - 1),
    "yuv422p10": FrameFormat(WIDTH, HEIGHT, PlaneOrder.PLANAR, 10, subsample=(1, 0)),
    "yuv444p16 full": FrameFormat(WIDTH, HEIGHT, PlaneOrder.PLANAR, 16, full_range=True),
    "gbrp": gbrp(WIDTH, HEIGHT),
    "gbrp12": gbrp(WIDTH, HEIGHT, bits=12),
    "gbrpf32": gbrp(WIDTH, HEIGHT, bits=32, floating=True),
}


@pytest.mark.parametrize("name", FORMATS)
def test_it_has_the_colours_of_the_frame(name: str) -> None:
    """Red left, green right and blue below reveal wrong places and wrong colours."""
    form = FORMATS[name]
    rgb = np.zeros((3, form.height, form.width))
    rgb[0, :, : form.width // 2], rgb[1, :, form.width // 2 :], rgb[2, form.height // 2 :] = 0.8, 0.6, 0.4
    with Reader(CLIPS / "cfr.mp4") as reader:
        info = replace(reader.info, format=form)
    found = small_picture(OutputFrame(0, 0, 1, rgb_to_output(rgb, form, dither=False)), info)
    assert found.shape[1] <= 2 * PREVIEW_PX
    height, width = found.shape[:2]
    for row, column, expected in (
        (0, 0, (204, 0, 0)),
        (0, width - 1, (0, 153, 0)),
        (height - 1, 0, (204, 0, 102)),
        (height - 1, width - 1, (0, 153, 102)),
    ):
        assert np.abs(found[row, column].astype(int) - expected).max() <= 3
