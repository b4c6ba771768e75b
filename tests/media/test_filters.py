"""FFmpeg's filter chains."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from av.audio.format import AudioFormat
from av.audio.frame import AudioFrame
from av.audio.layout import AudioLayout
from av.video.format import VideoFormat
from av.video.frame import VideoFrame

from framebrush.media.filters import picture_filters, sound_filter, swscale_threads, through

pytestmark = pytest.mark.unit


def test_a_picture_passes_its_filters_in_order() -> None:
    picture = np.arange(64, dtype=np.uint8).reshape(8, 8)
    frame = VideoFrame.from_ndarray(picture, "gray")
    graph = picture_filters(frame, Fraction(1, 25), ("hflip", {}), ("crop", {"w": "2", "h": "8", "x": "0"}))
    (passed,) = through(graph, frame)
    np.testing.assert_array_equal(passed.to_ndarray(), picture[:, 7:5:-1])
    assert list(through(graph, None)) == []


def test_threads_are_all_but_for_bayer_and_as_asked() -> None:
    assert [swscale_threads(VideoFormat(name, 8, 8)) for name in ("yuv420p", "bayer_rggb8")] == [0, 1]
    assert picture_filters(VideoFrame(8, 8, "bayer_rggb8"), Fraction(1)).threads == 1
    assert picture_filters(VideoFrame(8, 8, "gray"), Fraction(1), threads=2).threads == 2


def test_sound_is_filtered_in_one_thread() -> None:
    """More would delay each seek, with Python's lock held."""
    samples = np.full((1, 256), 1000, np.int16)
    frame = AudioFrame.from_ndarray(samples, "s16", "mono")
    frame.sample_rate = 8000
    half = ("volume", {"volume": "0.5", "precision": "fixed"})
    graph = sound_filter(8000, AudioFormat("s16"), AudioLayout("mono"), Fraction(1, 8000), half)
    assert graph.threads == 1
    (passed,) = through(graph, frame)
    np.testing.assert_array_equal(passed.to_ndarray(), samples // 2)
