"""Subtitles over the picture: the menu, the times, seeks and keys, zoom and full screen, any picture below them."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction, QImage
from PySide6.QtWidgets import QMenu

from framebrush.media.reading.subtitle_tracks import Cue, SubtitleTrack
from framebrush.media.video import Position
from framebrush.playback.reading.reading_process import ReadingProcess
from framebrush.playback.subtitle_cues import Subtitles
from tests.app.window.conftest import CLIPS, Desk
from tests.media.pgs import film_with_pgs
from tests.media.subtitle_clips import Line, ass, film, srt

pytestmark = pytest.mark.media

LINES: list[Line] = [(0.2, 0.48, "The first line"), (0.6, 0.8, "The second line")]


def choices(desk: Desk) -> dict[str, QAction]:
    return {action.text(): action for action in desk.window.menus.subtitles.actions()}


def opened(desk: Desk, path: Path, tracks: int = 1) -> None:
    desk.open(path)
    desk.wait(lambda: len(desk.window.subtitles.tracks) == tracks, "the tracks")


def text(desk: Desk) -> str:
    overlay = desk.window.subtitles.overlay
    return overlay.text if overlay.isVisible() else ""


def shows(desk: Desk, wanted: str) -> None:
    desk.wait(lambda: text(desk) == wanted, f"{wanted!r} in place of {text(desk)!r}")


def readers() -> list[threading.Thread]:
    """Return the threads that read subtitles."""
    return [thread for thread in threading.enumerate() if thread.name == "subtitles"]


def go(desk: Desk, second: str) -> None:
    desk.window.player.seek(Position(Fraction(second), "s"))


def area(desk: Desk) -> npt.NDArray[np.uint8]:
    """The window's pixels where the subtitles are: (H, W, 4) uint8, B, G, R, -."""
    overlay, view = desk.window.subtitles.overlay, desk.window.view
    image = view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32).copy(overlay.geometry())
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4).copy()


def test_a_track_is_chosen_shown_and_put_away(desk: Desk, tmp_path: Path) -> None:
    other: list[Line] = [(0.2, 0.48, "Die erste Zeile")]
    opened(desk, film(tmp_path / "a.mkv", [("srt", srt(LINES), "eng"), ("ass", ass(other), "deu")]), tracks=2)
    assert list(choices(desk)) == ["None", "1  eng", "2  deu"]
    assert choices(desk)["None"].isChecked()
    go(desk, "0.4")
    desk.rest(0.2)
    assert text(desk) == ""  # none is shown unasked
    choices(desk)["1  eng"].trigger()
    shows(desk, "The first line")
    choices(desk)["2  deu"].trigger()
    shows(desk, "Die erste Zeile")
    assert choices(desk)["2  deu"].isChecked()
    choices(desk)["None"].trigger()
    shows(desk, "")
    desk.wait(lambda: not readers(), "the end of its reader")


@pytest.mark.slow
def test_seeks_steps_pauses_and_the_keys_of_editors_show_the_right_words(desk: Desk, tmp_path: Path) -> None:
    opened(desk, film(tmp_path / "a.mkv", [("srt", srt(LINES), "eng")]))
    choices(desk)["1  eng"].trigger()
    for second, words in (
        ("0.7", "The second line"),
        ("0.2", "The first line"),
        ("0.52", ""),
        ("0.6", "The second line"),
    ):
        go(desk, second)
        shows(desk, words)
    desk.key(",")  # the frame before, at 0.56 s
    shows(desk, "")
    go(desk, "0")
    shows(desk, "")
    seen: list[tuple[float, str]] = []
    desk.window.bridge.event_posted.connect(
        lambda _: seen.append((desk.window.session.shown_at.time_s, desk.window.subtitles.overlay.text))
    )
    for key in ("L", "L", "J", "J", "J"):  # twice and half as fast
        desk.key(key)
    desk.wait(lambda: desk.window.actions_["play"].isChecked(), "playing")
    desk.wait(lambda: not desk.window.actions_["play"].isChecked(), "the end")
    assert {words for _, words in seen} == {"", *(words for _, _, words in LINES)}
    for at_s, words in seen:
        assert words == "".join(line for begin, end, line in LINES if begin <= at_s + 1e-6 < end), at_s


@pytest.mark.slow
def test_zoom_pan_and_full_screen_leave_them_where_they_can_be_read(desk: Desk, tmp_path: Path) -> None:
    opened(desk, film(tmp_path / "a.mkv", [("srt", srt(LINES), "eng")]))
    choices(desk)["1  eng"].trigger()
    go(desk, "0.4")
    shows(desk, "The first line")
    overlay, view = desk.window.subtitles.overlay, desk.window.view
    before = overlay.geometry()
    assert view.rect().contains(before)
    assert before.center().y() > view.height() * 0.7
    assert abs(before.center().x() - view.width() / 2) <= 3
    desk.window.overlays.looking.zoom_to(8.0)
    desk.window.actions_["side-by-side"].trigger()
    go(desk, "0.7")  # what is drawn anew
    shows(desk, "The second line")
    go(desk, "0.4")
    shows(desk, "The first line")
    assert overlay.geometry() == before
    desk.window.actions_["full-screen"].setChecked(True)
    desk.wait(lambda: desk.window.isFullScreen() and overlay.geometry() != before, "full screen")
    desk.rest(0.1)
    assert text(desk) == "The first line" == desk.window.subtitles.overlay.accessibleName()
    assert view.rect().contains(overlay.geometry())
    assert overlay.height() > before.height()
    desk.window.actions_["full-screen"].setChecked(False)


def test_lines_are_below_each_other_and_too_many_are_cut(desk: Desk) -> None:
    desk.open("landscape.mp4")
    overlay, heights = desk.window.subtitles.overlay, list[int]()
    for count in (1, 3, 99):
        overlay.show_cues((Cue(0.0, 1.0, "\n".join("H" * count)),))
        heights.append(overlay.height())
    assert 2 * heights[0] < heights[1] < heights[2] < desk.window.view.height()


@pytest.mark.slow
def test_words_can_be_read_over_white_and_over_black(desk: Desk) -> None:
    desk.open("landscape.mp4")
    overlay, view = desk.window.subtitles.overlay, desk.window.view
    for level in (255, 0, 128):
        assert view.painted.composed is not None
        view.painted.composed.image.fill(level * 0x010101 | 0xFF000000)
        overlay.show_cues((Cue(0.0, 1.0, "HHHH"),))
        found = area(desk)[..., :3]
        white, black = found.min(axis=2) > 200, found.max(axis=2) < 60  # some fonts are a little grey inside
        assert white.any()
        assert black.any()
        inner = white[overlay.height() // 2 - 2 : overlay.height() // 2 + 2]
        for row, dark in zip(inner, black[overlay.height() // 2 - 2 : overlay.height() // 2 + 2], strict=True):
            edges = np.flatnonzero(np.diff(row.astype(int)))
            for edge in edges if level == 0 else []:
                assert dark[max(0, edge - 4) : edge + 5].any()
        overlay.show_cues(())


def test_pictures_are_drawn_where_they_belong(desk: Desk, tmp_path: Path) -> None:
    opened(desk, film_with_pgs(tmp_path / "a.mkv"))
    choices(desk)["1  hdmv_pgs_subtitle"].trigger()
    go(desk, "0.4")
    overlay, place = desk.window.subtitles.overlay, desk.window.view.painted.place
    desk.wait(overlay.isVisible, "the picture")
    assert place is not None
    where = overlay.geometry()
    assert where.x() == pytest.approx(place.x + 0.25 * place.width, abs=2)
    assert where.y() == pytest.approx(place.y + 0.75 * place.height, abs=2)
    assert where.width() == pytest.approx(place.width * 4 / 160, abs=2)
    found = area(desk)
    assert found[found.shape[0] // 4, found.shape[1] // 2, :3].min() > 200  # 0 1 1 0
    assert found[found.shape[0] * 3 // 4, found.shape[1] // 2, :3].max() < 60  # 2 2 2 2
    go(desk, "0.7")
    desk.wait(lambda: not overlay.isVisible(), "the end")


@pytest.mark.slow
def test_what_cannot_be_shown_is_named_in_the_menu(desk: Desk, tmp_path: Path) -> None:
    path = film_with_pgs(tmp_path / "a.mkv")
    path.write_bytes(path.read_bytes().replace(b"S_HDMV/PGS", b"S_DVBSUB\0\0"))
    opened(desk, path)
    action = next(action for words, action in choices(desk).items() if "cannot be shown" in words)
    assert not action.isEnabled()
    desk.open("cfr.mp4")
    desk.wait(lambda: not desk.window.menus.subtitles.isEnabled(), "no tracks")


@pytest.mark.slow
def test_the_next_video_goes_on_with_the_track_of_that_name(desk: Desk, tmp_path: Path) -> None:
    first = film(tmp_path / "a.mkv", [("srt", srt(LINES), "eng")])
    second = film(
        tmp_path / "b.mkv", [("srt", srt([(0.0, 0.9, "other")]), "deu"), ("srt", srt([(0.0, 0.9, "same")]), "eng")]
    )
    opened(desk, first)
    choices(desk)["1  eng"].trigger()
    opened(desk, second, tracks=2)
    shows(desk, "same")
    assert choices(desk)["2  eng"].isChecked()
    desk.window.player.close_video()
    shows(desk, "")


@pytest.mark.slow
def test_no_thread_outlives_the_subtitles_that_it_tells(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A subtitle thread may be inside a signal when it ends; the sender must not vanish then."""
    opened(desk, film(tmp_path / "a.mkv", [("srt", srt([(0.0, 0.9, "first")]), "eng")]))
    inside, alive = threading.Event(), list[bool]()

    class Slow(Subtitles):
        def __init__(
            self, track: SubtitleTrack, origin_s: float, on_fresh: Callable[[], None], reading: ReadingProcess | None
        ) -> None:
            def slowly() -> None:
                inside.set()
                time.sleep(1.0)
                on_fresh()

            super().__init__(track, origin_s, slowly, reading)

    monkeypatch.setattr("framebrush.window.transport.subtitle_control.Subtitles", Slow)
    choices(desk)["1  eng"].trigger()
    desk.wait(inside.is_set, "the thread")
    (reader,) = readers()
    choices(desk)["None"].trigger()
    desk.window.destroyed.connect(lambda: alive.append(reader.is_alive()))
    desk.close()
    assert alive == [False]


def test_a_file_beside_the_video_is_offered(desk: Desk, tmp_path: Path) -> None:
    path = Path(shutil.copy(CLIPS / "cfr.mp4", tmp_path / "film & co.mp4"))
    path.with_suffix(".srt").write_text(srt(LINES), encoding="utf-8")
    opened(desk, path)
    choices(desk)["1  film && co.srt"].trigger()
    go(desk, "0.4")
    shows(desk, "The first line")


def test_words_lie_above_a_margin_of_the_picture(desk: Desk) -> None:
    desk.open("landscape.mp4")
    overlay, place = desk.window.subtitles.overlay, desk.window.view.painted.place
    overlay.show_cues((Cue(0.0, 1.0, "A line"),))
    desk.rest(0.02)
    assert place is not None
    assert 0.03 < (place.y + place.height - overlay.geometry().bottom()) / place.height < 0.08


@pytest.mark.slow
def test_long_words_stay_in_the_view(desk: Desk) -> None:
    desk.open("rotated.mp4")
    overlay, view = desk.window.subtitles.overlay, desk.window.view
    for words in ("W" * 500, "word " * 100, "\n".join("abcdefgh"), "😀" * 200, "مرحبا بالعالم " * 30):
        overlay.show_cues(tuple(Cue(0.0, 1.0, words) for _ in range(6)))
        desk.rest(0.02)
        assert view.rect().contains(overlay.geometry()), words[:10]
        assert overlay.height() <= view.height() * 0.7
        margin = [view.rect().left() - overlay.geometry().left(), overlay.geometry().right() - view.rect().right()]
        assert max(margin) < -1, f"{words[:10]} is cut off"
    desk.window.resize(640, 480)
    desk.rest(0.1)
    assert view.rect().contains(overlay.geometry())


def test_messages_lie_over_them_and_the_menu_of_the_picture_has_them(desk: Desk, tmp_path: Path) -> None:
    opened(desk, film(tmp_path / "a.mkv", [("srt", srt([(0.0, 0.9, "words")]), "eng")]))
    choices(desk)["1  eng"].trigger()
    shows(desk, "words")
    from framebrush.playback.events import Notification

    desk.window.messages.show_notification(Notification("A problem.", "x", "problem"))
    overlay = desk.window.subtitles.overlay
    overlay.place()
    children = desk.window.view.children()
    assert children.index(overlay) < children.index(desk.window.messages)
    desk.window.menus.over_picture.popup(desk.window.mapToGlobal(QPoint(50, 50)))
    menu = next(menu for menu in desk.window.menuBar().findChildren(QMenu) if menu.isVisible())
    assert "Subtitles" in [action.text() for action in menu.actions()]
    menu.close()
