"""The clips whose frames are numbered, for tests of each: a handful in a run of everything without --all."""

from __future__ import annotations

import pytest

from assets.make_clips import LIST

HANDFUL = {
    "10bit.mp4",
    "bframes.avi",  # whose times say nothing
    "cfr.mp4",
    "edit-list.mp4",
    "interlaced.mp4",
    "odd.webm",
    "open-gop.ts",
    "rgb.mkv",
    "vfr.mkv",
}
"""One for each way of telling frames apart, and of storing them."""

each_clip = pytest.mark.parametrize(
    "clip",
    [
        pytest.param(clip, id=clip.name, marks=() if clip.name in HANDFUL else pytest.mark.slow)
        for clip in LIST
        if not clip.landscape
    ],
)

each_name = pytest.mark.parametrize(
    "name", [pytest.param(clip.name, marks=() if clip.name in HANDFUL else pytest.mark.slow) for clip in LIST]
)
"""The same with the names alone, landscapes included."""
