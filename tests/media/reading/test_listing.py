"""Index of a file's frames, where packets alone do not tell."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import pytest
from PIL import Image

from framebrush.media.reading.listing import index_of
from framebrush.media.video import PLAIN_FILE, OpenOptions

pytestmark = pytest.mark.media


def still_film(path: Path) -> Path:
    """Write six equal frames, with packets so small that they may be empty."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream("mpeg4", rate=25, width=32, height=32, pix_fmt="yuv420p")
        for number in range(6):
            frame = av.VideoFrame(32, 32, "yuv420p")
            for plane in frame.planes:
                plane.update(bytes([128]) * plane.buffer_size)
            frame.pts = number
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


def test_frames_of_small_packets_are_decoded(tmp_path: Path) -> None:
    found = index_of(still_film(tmp_path / "film.mkv"), PLAIN_FILE, 0)
    assert found is not None
    assert (found.pts, found.keyframes, found.last_duration) == ([0, 40, 80, 120, 160, 200], [0], 40)
    assert found.certain


def test_frames_of_avi_are_counted_and_have_no_index(tmp_path: Path) -> None:
    assert index_of(still_film(tmp_path / "film.avi"), PLAIN_FILE, 0) is None


def test_numbered_pictures_have_an_index(tmp_path: Path) -> None:
    for number in range(3):
        Image.new("RGB", (16, 16)).save(tmp_path / f"{number:02}.png")
    found = index_of(tmp_path / "%02d.png", OpenOptions(rate=Fraction(25)), 0)
    assert found is not None
    assert len(found.pts) == 3
