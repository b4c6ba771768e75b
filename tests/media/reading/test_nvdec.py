"""Decoding on the GPU gives the frames that the processor gives: numbers, times and samples."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from assets.make_clips import CLIPS, LIST
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.frame import DeviceFrame, Frame, PlaneOrder
from framebrush.media.reading.reader import Reader
from framebrush.media.video import Position, TimeRange, VideoFrame
from tests.cuda import needs_cuda
from tests.media.reading.test_cropping import cropped

pytestmark = [pytest.mark.media, pytest.mark.cuda, needs_cuda]

NAMES = [clip.name for clip in LIST]
EXPORTED = {"nv12", "p010le", "p016le"}


@pytest.fixture(scope="module")
def device() -> Iterator[Device]:
    with open_device("cuda") as opened:
        yield opened


def samples(frame: VideoFrame) -> list[npt.NDArray[np.int64]]:
    """Codes of Y, Cb and Cr, whatever the layout; scaled to 16 bits, so that P016 of 12 bits compares."""
    picture = frame.frame
    if isinstance(picture, DeviceFrame):
        into = picture.format.allocate()
        picture.download(into)
        picture.release()
        picture = into
    form = picture.format
    planes = [(plane.astype(np.int64) >> form.shift) << (16 - form.bits) for plane in picture.planes]
    if form.layout is PlaneOrder.SEMI_PLANAR:
        planes = [planes[0], planes[1][..., 0], planes[1][..., 1]]
    return planes


OWN_ROUNDING = {"open-gop.ts", "bframes.avi"}
"""MPEG-2 and MPEG-4 leave the rounding of the inverse transform to the decoder: 1 code, and what it adds up to."""


def assert_same(ours: list[VideoFrame], theirs: list[VideoFrame], tolerance: int = 0) -> None:
    """tolerance: in codes of 8 bits."""
    assert [(one.number, one.pts) for one in ours] == [(one.number, one.pts) for one in theirs]
    for one, other in zip(ours, theirs, strict=True):
        for a, b in zip(samples(one), samples(other), strict=True):
            np.testing.assert_allclose(a, b, rtol=0, atol=tolerance << 8)


def said_on_processor(reader: Reader) -> int:
    """How often the reader warned that the processor decodes."""
    return sum("decoding on the CPU" in line for line in reader.warnings)


@pytest.mark.parametrize("name", NAMES)
def test_every_clip_is_that_of_the_processor(device: Device, name: str) -> None:
    with Reader(CLIPS / name, hardware="auto", device=device) as hardware, Reader(CLIPS / name) as software:
        stays = not said_on_processor(hardware) and hardware.info.pix_fmt in EXPORTED
        ours, theirs = list(hardware), list(software)
        if stays and not hardware.info.interlaced:
            assert all(isinstance(one.frame, DeviceFrame) for one in ours)
            assert hardware.warnings == software.warnings
        else:
            assert all(isinstance(one.frame, Frame) for one in ours)
            assert len(hardware.warnings) >= len(software.warnings)
        assert hardware.lost_frames == software.lost_frames
        assert_same(ours, theirs, tolerance=3 if name in OWN_ROUNDING else 0)


@pytest.mark.parametrize("codec", ["h264", "hevc"])
def test_a_picture_cropped_at_its_left_is_decoded_on_the_processor(device: Device, tmp_path: Path, codec: str) -> None:
    path = cropped(tmp_path / f"film.{codec}", codec, 26, 6, 26, 24)
    with Reader(path, hardware="auto", device=device) as hardware, Reader(path) as software:
        assert any("cropped at its left or top" in warning for warning in hardware.warnings)
        assert hardware.info.format == software.info.format
        assert_same(list(hardware), list(software))


@pytest.mark.parametrize("name", ["cfr.mp4", "bframes.mp4", "open-gop.mp4", "open-gop.ts", "vfr.mkv", "edit-list.mp4"])
def test_ranges_and_seeks(device: Device, name: str) -> None:
    spans = [
        TimeRange(Position(Fraction(7), "frame"), Position(Fraction(19), "frame")),
        TimeRange(Position(Fraction(1, 3), "s"), frames=5),
        TimeRange(end=Position(Fraction(1, 2), "s")),
    ]
    for span in spans:
        with (
            Reader(CLIPS / name, span, hardware="cuda", device=device) as hardware,
            Reader(CLIPS / name, span) as software,
        ):
            assert not said_on_processor(hardware)
            assert_same(list(hardware), list(software), tolerance=3 if name in OWN_ROUNDING else 0)
    with Reader(CLIPS / name, hardware="cuda", device=device) as hardware, Reader(CLIPS / name) as software:
        for number in (12, 3, 20, 19, 0):
            for reader in (hardware, software):
                reader.seek(Position(Fraction(number), "frame"))
            assert_same([next(hardware)], [next(software)], tolerance=3 if name in OWN_ROUNDING else 0)


def test_frames_stay_valid_while_others_are_decoded(device: Device) -> None:
    """A frame is held by whoever has it, not by the decoder."""
    with Reader(CLIPS / "bframes.mp4", hardware="cuda", device=device) as hardware:
        held = list(hardware)
    with Reader(CLIPS / "bframes.mp4") as software:
        assert_same(held, list(software))


def test_what_nvdec_cannot_decode_is_decoded_on_the_processor_and_said_once(device: Device) -> None:
    with Reader(CLIPS / "10bit.mp4", hardware="auto", device=device) as hardware:
        frames = list(hardware)
        assert frames
        assert said_on_processor(hardware) == isinstance(frames[0].frame, Frame)
