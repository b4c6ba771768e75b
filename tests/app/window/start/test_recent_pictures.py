"""Recent videos with thumbnails: on the start page, in the cache folder, deleted with their videos."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QImage
from PySide6.QtWidgets import QApplication

from framebrush import sample
from framebrush.window.start.invitation import MOST, PICTURE
from framebrush.window.start.recent_pictures import picture_of, read, write, write_painted
from framebrush.window.state.window_settings import RECENT
from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.hand import Hand, pixels_of
from tests.replaced import replace_alike

pytestmark = pytest.mark.media


def open_all(desk: Desk, *videos: Path) -> None:
    """One after the other, each until its picture is kept."""
    for video in videos:
        desk.open(video)
        kept = picture_of(video, desk.settings.recent_folder)
        desk.wait(kept.is_file, f"the picture of {video.name}")
    desk.window.player.close_video()
    desk.wait(lambda: desk.window.session.opened is None, "the end of the film")


def wait_tiles(desk: Desk, *names: str) -> None:
    invitation = desk.window.view.invitation
    desk.wait(lambda: [each.accessibleName() for each in invitation.recent] == list(names), f"{names}")
    desk.rest(0.05)


def apart(first: QImage, second: QImage) -> float:
    """The mean difference in codes, of small pictures."""
    smooth = Qt.TransformationMode.SmoothTransformation
    both = [image.convertToFormat(QImage.Format.Format_RGB32).scaled(32, 18, mode=smooth) for image in (first, second)]
    one, other = (np.frombuffer(image.constBits(), np.uint8).astype(int) for image in both)
    return float(np.abs(one - other).mean())


@pytest.fixture
def videos(tmp_path: Path) -> list[Path]:
    """Two that look different."""
    found = [tmp_path / "first & <b>.mp4", tmp_path / "second.mp4"]
    for video, clip in zip(found, ("landscape.mp4", "cfr.mp4"), strict=True):
        shutil.copy(CLIPS / clip, video)
    return found


@pytest.mark.slow
def test_the_start_page_offers_what_was_opened_last(desk: Desk, videos: list[Path]) -> None:
    hand, invitation = Hand(desk), desk.window.view.invitation
    assert not invitation.recent
    open_all(desk, *videos)
    wait_tiles(desk, "second.mp4", "first & <b>.mp4")
    assert all(tile.isVisible() for tile in invitation.recent)
    places = [picture_of(video, desk.settings.recent_folder) for video in videos]
    kept = [QImage(str(place)) for place in places]
    assert all(max(image.width(), image.height()) == 192 for image in kept)
    shown = [tile.icon().pixmap(PICTURE).toImage() for tile in reversed(invitation.recent)]
    assert apart(kept[0], kept[1]) > 30
    assert max(apart(shown[0], kept[0]), apart(shown[1], kept[1])) < 8
    for tile, image in zip(invitation.recent, reversed(shown), strict=True):
        seen = pixels_of(tile).reshape(-1, 3)  # the words below the picture are grey
        colour = image.pixelColor(image.width() // 4, 3 * image.height() // 4)
        assert np.abs(seen.astype(int) - [colour.red(), colour.green(), colour.blue()]).max(axis=1).min() < 4
    hand.click(invitation.recent[1])
    desk.wait(lambda: desk.window.session.opened is not None, "the film")
    opened = desk.window.session.opened
    assert opened is not None
    assert opened.info.path == videos[0]


@pytest.mark.slow
def test_a_painted_frame_of_the_chosen_style_alone_becomes_the_picture(desk: Desk, videos: list[Path]) -> None:
    open_all(desk, videos[0])
    desk.open(videos[0])
    desk.window.session.use_style("ink")
    desk.wait_style("ink")
    painted = desk.window.inspector.film_tiles.painted
    place = picture_of(videos[0], desk.settings.recent_folder)
    images = [QImage(192, 108, QImage.Format.Format_RGB32) for _ in range(2)]
    for image, colour in zip(images, (Qt.GlobalColor.red, Qt.GlobalColor.green), strict=True):
        image.fill(colour)
    painted.emit("oil", images[0])
    desk.rest(0.3)
    assert apart(QImage(str(place)), images[0]) > 30
    painted.emit("ink", images[1])
    desk.wait(lambda: apart(QImage(str(place)), images[1]) < 8, "the painted picture")


def test_the_sample_film_is_not_there_twice(desk: Desk) -> None:
    desk.open(sample.PATH)
    assert desk.settings.recent == []


@pytest.mark.slow
def test_keys_reach_and_open_them(desk: Desk, videos: list[Path]) -> None:
    hand = Hand(desk)
    open_all(desk, *videos)
    wait_tiles(desk, "second.mp4", "first & <b>.mp4")
    desk.window.view.invitation.button.setFocus()
    hand.key(Qt.Key.Key_Tab)  # to the sample film
    hand.key(Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is desk.window.view.invitation.recent[0]
    hand.key(Qt.Key.Key_Space)
    desk.wait(lambda: desk.window.session.opened is not None, "the film")


@pytest.mark.slow
def test_what_is_gone_or_changed_loses_its_picture(desk: Desk, videos: list[Path]) -> None:
    folder = desk.settings.recent_folder
    open_all(desk, *videos)
    first, second = (picture_of(video, folder) for video in videos)
    videos[0].unlink()
    os.utime(videos[1], (1, 1))
    desk.window.recents.show()
    wait_tiles(desk, "second.mp4")
    assert not first.exists()
    assert not second.exists()
    assert desk.settings.recent == [videos[1], videos[0]]  # a disk may come back


def test_a_video_that_replaced_another_gets_a_picture_of_its_own(tmp_path: Path) -> None:
    video = tmp_path / "video.mp4"
    video.write_bytes(b"former")
    former = picture_of(video, tmp_path)
    assert picture_of(video, tmp_path) == former
    replace_alike(video, b"latter")
    assert picture_of(video, tmp_path) != former


def test_a_painted_picture_is_replaced_by_painted_ones_alone(tmp_path: Path) -> None:
    video, folder = tmp_path / "film.mp4", tmp_path / "pictures"
    video.touch()
    plain, painted = np.full((9, 16, 3), 240, np.uint8), QImage(16, 9, QImage.Format.Format_RGB32)
    for level in (20, 90):
        painted.fill(level * 0x010101)
        write_painted(video, folder, painted)
        write(video, folder, plain)
        ((_, shown),) = read([video], folder)
        assert abs(shown.pixelColor(8, 4).green() - level) < 5


@pytest.mark.slow
def test_the_list_is_cleared_with_its_pictures(desk: Desk, videos: list[Path]) -> None:
    open_all(desk, *videos)
    wait_tiles(desk, "second.mp4", "first & <b>.mp4")
    assert len(list(desk.settings.recent_folder.iterdir())) == 2
    clear: QAction = desk.window.menus.recent_menu.actions()[-1]
    assert clear.text() == "Clear this list"
    clear.trigger()
    wait_tiles(desk)
    desk.wait(lambda: not list(desk.settings.recent_folder.iterdir()), "the pictures to go")
    assert desk.settings.recent == []
    assert not desk.window.menus.recent_menu.isEnabled()


def test_there_are_never_more_pictures_than_videos_in_the_list(desk: Desk, tmp_path: Path) -> None:
    folder, grey = tmp_path / "cache", np.full((9, 16, 3), 90, np.uint8)
    videos = [tmp_path / f"{number}.mp4" for number in range(RECENT + 3)]
    for video in videos:
        video.write_text(video.name)
        desk.settings.add_recent(video)
        write(video, folder, grey)
    assert len(list(folder.iterdir())) == RECENT + 3
    shown = read(desk.settings.recent, folder)
    assert [video for video, _ in shown] == videos[: -RECENT - 1 : -1]
    assert not any(image.isNull() for _, image in shown)
    assert len(list(folder.iterdir())) == RECENT
    desk.window.view.invitation.show_recent(shown)
    assert len(desk.window.view.invitation.recent) == MOST


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    video, folder = tmp_path / "a.mp4", tmp_path / "cache"
    video.touch()
    folder.touch()  # a file where the folder should be
    write(video, folder, np.zeros((9, 16, 3), np.uint8))
    assert read([video], folder)[0][1].isNull()
    write(tmp_path / "gone.mp4", tmp_path / "other", np.zeros((9, 16, 3), np.uint8))
    assert read([tmp_path / "gone.mp4", Path("a\0b")], tmp_path / "other") == []
