"""Next and previous video of a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from framebrush.playback.events import Notification
from framebrush.window.transport.neighbours import neighbour, videos_in

pytestmark = pytest.mark.unit


def test_neighbours_are_videos_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for name in ("clip 10.mp4", "clip 9.mkv", "Clip 2.MP4", "clip 7.txt", ".clip 8.mp4"):
        (tmp_path / name).touch()
    (tmp_path / "clip 3.mp4").mkdir()
    first, second, third = tmp_path / "Clip 2.MP4", tmp_path / "clip 9.mkv", tmp_path / "clip 10.mp4"
    assert [neighbour(second, by) for by in (-2, -1, 1, 2)] == [None, first, third, None]
    gone = tmp_path / "clip 4.mp4"
    assert [neighbour(gone, by) for by in (-1, 1)] == [first, second]


def test_a_folder_gives_its_videos_and_a_file_itself(tmp_path: Path) -> None:
    folder = tmp_path / "films"
    folder.mkdir()
    empty = videos_in(folder)
    assert isinstance(empty, Notification)
    assert empty.text == "There is no video in the folder films."
    for name in ("b 10.mp4", "b 9.mp4", "notes.txt", "A.mkv"):
        (folder / name).touch()
    (folder / "below.mp4").mkdir()
    assert videos_in(folder) == [folder / name for name in ("A.mkv", "b 9.mp4", "b 10.mp4")]
    for other in (folder / "notes.txt", tmp_path / "gone.mp4"):  # opening it says why not
        assert videos_in(other) == [other]
