"""Brightness of PQ frames, and its metadata in files."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assets.make_clips import CLIPS
from framebrush.gpu import colour
from framebrush.gpu.frame import Frame, FrameFormat, PlaneOrder, gbrp, nv12, yuv420p
from framebrush.media.containers import CONTAINERS
from framebrush.media.encoding.encoders import ENCODERS
from framebrush.media.encoding.hdr_metadata import HdrData, LightMeter, brighter, coded, light_losses
from framebrush.media.video import LightLevel, TimeRange
from framebrush.media.writing.output_plan import expected_losses
from tests.gpu.pictures import HDR10, Transfer
from tests.media.writing.writer_clips import info_of

pytestmark = pytest.mark.unit

FORMATS = {
    "p010": replace(nv12(62, 38, bits=10), transfer=Transfer.PQ, **HDR10),
    "yuv420p10 odd": replace(yuv420p(61, 131, bits=10), transfer=Transfer.PQ, **HDR10),
    "yuv422p10": FrameFormat(62, 38, PlaneOrder.PLANAR, 10, subsample=(1, 0), transfer=Transfer.PQ, **HDR10),
    "yuv444p12": FrameFormat(62, 38, PlaneOrder.PLANAR, 12, transfer=Transfer.PQ, **HDR10),
    "gbrp12": replace(gbrp(62, 38, bits=12), transfer=Transfer.PQ),
}


def filled(form: FrameFormat, nits: tuple[float, float, float]) -> Frame:
    """One colour, R, G and B of so much light."""
    codes = np.rint(colour.affine(colour.rgb_to_codes(form), colour.nits_to_pq(np.array(nits)))).astype(int)
    order = codes[[1, 2, 0]] if form.layout is PlaneOrder.GBR else codes
    frame = form.allocate()
    frame.planes[0][:] = order[0] << form.shift
    if form.layout is PlaneOrder.SEMI_PLANAR:
        frame.planes[1][:] = order[1:] << form.shift
    else:
        frame.planes[1][:], frame.planes[2][:] = order[1:] << form.shift
    return frame


@pytest.mark.parametrize("name", FORMATS)
def test_the_brightest_channel_counts_in_the_brightest_frame(name: str) -> None:
    meter = LightMeter(FORMATS[name])
    meter.add(filled(FORMATS[name], (10.0, 400.0, 20.0)))
    assert meter.level == LightLevel(pytest.approx(400, rel=0.02), pytest.approx(400, rel=0.02))  # type: ignore[arg-type]
    frame = filled(FORMATS[name], (1.0, 1.0, 1.0))
    last = filled(FORMATS[name], (900.0, 900.0, 900.0))
    frame.planes[0][-2:, -2:] = last.planes[0][-2:, -2:]  # the pixels of one chroma sample
    for plane, bright in zip(frame.planes[1:], last.planes[1:], strict=True):
        plane[-1:, -1:] = bright[-1:, -1:]
    meter.add(frame)
    assert meter.level.most == pytest.approx(900, rel=0.02)
    assert meter.level.mean == pytest.approx(400, rel=0.02)


@pytest.mark.parametrize("full_range", [False, True])
def test_greys_are_as_bright_as_their_luma(full_range: bool) -> None:
    form = FrameFormat(62, 38, PlaneOrder.GREY, 10, transfer=Transfer.PQ, full_range=full_range, **HDR10)
    codes, frame = colour.code_range(10, full_range), form.allocate()
    frame.planes[0][:] = np.rint(colour.nits_to_pq(400.0) * codes.luma_scale + codes.luma_offset)
    meter = LightMeter(form)
    meter.add(frame)
    assert meter.level == LightLevel(pytest.approx(400, rel=0.02), pytest.approx(400, rel=0.02))  # type: ignore[arg-type]


def test_parts_of_a_film_are_as_bright_as_the_brightest() -> None:
    assert brighter(LightLevel(500, 20), LightLevel(400, 30)) == LightLevel(500, 30)


@pytest.mark.parametrize(
    ("codec", "ending", "by"),
    [
        ("libx265", ".mp4", "encoder"),
        ("hevc_nvenc", ".mp4", None),
        ("hevc_nvenc", ".mkv", "element"),
        ("ffv1", ".mkv", "element"),
        ("prores_ks", ".mkv", "element"),
        ("prores_ks", ".mov", "box"),
    ],
)
def test_what_says_the_display_and_the_light_of_a_result(codec: str, ending: str, by: str | None) -> None:
    info = info_of(CLIPS / "pq.mp4", light=LightLevel(1000, 400))
    encoder = next(one for one in ENCODERS if one.name == codec)
    frames = FORMATS["yuv420p10 odd"]
    told = HdrData.of(info, frames, encoder, CONTAINERS[ending])
    lost = light_losses(info, frames, encoder, CONTAINERS[ending])
    assert (None if told is None else told.by, [loss.key for loss in lost]) == (by, [] if by else ["hdr"])
    named = expected_losses(info, CONTAINERS[ending], encoder, "none", frames, TimeRange(), woven=False)
    assert set(lost) <= set(named)


def test_no_level_needs_to_be_escaped() -> None:
    """Two zeros and a byte below four would (H.265, 7.4.2), and there is no room for that."""
    for most in (*range(2000), 10000, 65535):
        for mean in (0, 1, 2, 3, 4, 255, 256, 257, most):
            content = b"\x04" + coded(LightLevel(most, mean)) + b"\x80"
            assert len(content) == 6
            assert all(content[i : i + 2] != b"\0\0" or content[i + 2] > 3 for i in range(4)), (most, mean)
    assert coded(LightLevel(1000, 400)) == bytes.fromhex("03e8 0190")
