"""Next and previous video of a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from framebrush.window.transport.neighbours import neighbour

pytestmark = pytest.mark.unit


def test_neighbours_are_videos_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for name in ("clip 10.mp4", "clip 9.mkv", "Clip 2.MP4", "clip 7.txt", ".clip 8.mp4"):
        (tmp_path / name).touch()
    (tmp_path / "clip 3.mp4").mkdir()
    first, second, third = tmp_path / "Clip 2.MP4", tmp_path / "clip 9.mkv", tmp_path / "clip 10.mp4"
    assert [neighbour(second, by) for by in (-2, -1, 1, 2)] == [None, first, third, None]
    gone = tmp_path / "clip 4.mp4"
    assert [neighbour(gone, by) for by in (-1, 1)] == [first, second]
