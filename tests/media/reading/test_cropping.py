"""Streams with a picture smaller than the coded size: exact crop on all four sides."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest
from av.bitstream import BitStreamFilterContext

from framebrush.media.reading.reader import Reader

pytestmark = pytest.mark.media

WIDTH, HEIGHT, FRAMES = 352, 192, 3


def coded() -> npt.NDArray[np.uint8]:
    """Luma above the planes of chroma, as PyAV takes them."""
    return np.random.default_rng(5).integers(40, 200, (HEIGHT * 3 // 2, WIDTH), np.uint8)


def cropped(path: Path, codec: str, left: int, top: int, right: int, bottom: int) -> Path:
    """Write a stream with a crop rectangle in its headers."""
    encoder = av.CodecContext.create({"h264": "libx264", "hevc": "libx265"}[codec], "w")
    encoder.width, encoder.height, encoder.pix_fmt, encoder.time_base = WIDTH, HEIGHT, "yuv420p", Fraction(1, 25)
    encoder.options = {"qp": "0"} if codec == "h264" else {"x265-params": "lossless=1:log-level=none"}
    crop = BitStreamFilterContext(
        f"{codec}_metadata=crop_left={left}:crop_top={top}:crop_right={right}:crop_bottom={bottom}", codec
    )
    with path.open("wb") as file:
        for number in range(FRAMES + 1):
            frame = None
            if number < FRAMES:
                frame = av.VideoFrame.from_ndarray(coded(), "yuv420p")
                frame.pts = number
            for packet in encoder.encode(frame):
                for changed in crop.filter(packet):
                    file.write(bytes(changed))
    return path


@pytest.mark.parametrize("codec", ["h264", "hevc"])
@pytest.mark.parametrize("margins", [(26, 0, 26, 24), (2, 6, 50, 18), (0, 10, 0, 0)])
def test_all_four_sides(tmp_path: Path, codec: str, margins: tuple[int, int, int, int]) -> None:
    left, top, right, bottom = margins
    with Reader(cropped(tmp_path / f"film.{codec}", codec, *margins)) as reader:
        form = reader.info.format
        assert (form.width, form.height) == (WIDTH - left - right, HEIGHT - top - bottom)
        planes = next(reader).host.planes
    luma = coded()[:HEIGHT]
    chroma = coded()[HEIGHT:].reshape(2, HEIGHT // 2, WIDTH // 2)
    np.testing.assert_array_equal(planes[0], luma[top : HEIGHT - bottom, left : WIDTH - right])
    for plane, whole in zip(planes[1:], chroma, strict=True):
        np.testing.assert_array_equal(plane, whole[top // 2 : (HEIGHT - bottom) // 2, left // 2 : (WIDTH - right) // 2])
