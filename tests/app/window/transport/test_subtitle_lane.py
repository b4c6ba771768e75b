"""The times of subtitles on the timeline: of every kind of track, with a delay, and of a film of ten hours."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtWidgets import QApplication

from framebrush.media.reading.subtitle_tracks import Line, SubtitleReader, find_tracks
from framebrush.window.transport.seekbar import SeekBar
from framebrush.window.transport.subtitle_lane import SubtitleLane
from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.hand import Hand
from tests.media.pgs import film_with_pgs
from tests.media.subtitle_clips import Line as Spoken
from tests.media.subtitle_clips import ass, film, srt

SPOKEN: list[Spoken] = [(0.2, 0.48, "The first line"), (0.6, 0.8, "The second line")]
WIDTH, RED, WHITE = 416, QColor(255, 0, 0), QColor(255, 255, 255)


def lines_of(path: Path, number: int = 0) -> list[tuple[float, float, str]]:
    with SubtitleReader(find_tracks(path)[number]) as reader:
        return [(round(a, 2), round(b, 2), text) for a, b, text in filter(None, reader.lines())]


def lane_of(bar: SeekBar, length_ms: int) -> SubtitleLane:
    bar.setRange(0, length_ms)
    bar.resize(WIDTH, 20)
    lane = SubtitleLane(bar)
    lane.resize(WIDTH, lane.height())
    palette = QPalette()
    for role, colour in (("Mid", RED), ("Window", WHITE), ("WindowText", RED)):
        palette.setColor(QPalette.ColorRole[role], colour)
    lane.setPalette(palette)
    return lane


def covered(lane: SubtitleLane) -> list[tuple[int, int]]:
    """Return where blocks are, from pixel to pixel."""
    image = lane.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    red = np.concatenate(([False], pixels[3, :, 1] < 60, [False])).astype(int)
    return list(zip(np.nonzero(np.diff(red) == 1)[0].tolist(), np.nonzero(np.diff(red) == -1)[0].tolist(), strict=True))


@pytest.mark.media
@pytest.mark.parametrize("name", ["film.mkv", "film.mp4"])
def test_all_lines_of_a_track_in_the_film(tmp_path: Path, name: str) -> None:
    made = film(tmp_path / name, [("srt", srt(SPOKEN), "eng"), ("ass", ass([(0.1, 0.3, "Andere")]), "ger")])
    assert lines_of(made) == SPOKEN
    assert lines_of(made, 1) == [(0.1, 0.3, "Andere")]


@pytest.mark.media
def test_all_lines_of_a_file_beside_it_and_of_pictures(tmp_path: Path) -> None:
    copied = tmp_path / "film.mp4"
    copied.write_bytes((CLIPS / "cfr.mp4").read_bytes())
    copied.with_suffix(".srt").write_text(srt(SPOKEN))
    assert lines_of(copied) == SPOKEN
    assert lines_of(film_with_pgs(tmp_path / "pgs.mkv")) == [(0.2, 0.6, "")]


@pytest.mark.unit
def test_a_block_is_where_its_line_is_shown(application: QApplication) -> None:
    bar = SeekBar()
    lane = lane_of(bar, 4000)
    lane.show_lines([Line(1.0, 2.0, ""), Line(3.0, 3.5, "")])
    assert covered(lane) == [(108, 207), (308, 357)]
    assert lane.accessibleDescription() == "Lines: 2"
    lane.show_delay(-0.5)
    assert covered(lane) == [(58, 157), (258, 307)]
    bar.axis.zoom(2.0, 0)
    assert covered(lane) == [(108, 307)]
    lane.show_lines([])
    assert covered(lane) == []
    assert lane.accessibleDescription() == ""


@pytest.mark.unit
def test_a_text_is_said_at_the_pointer_and_no_markup(application: QApplication) -> None:
    lane = lane_of(SeekBar(), 4000)
    lane.show_lines([Line(1.0, 3.0, "<b>Long</b>\nline"), Line(2.0, 2.5, "Another")])
    assert lane.words_at(900) == lane.words_at(3000) == ""
    assert lane.words_at(1500) == "0:00:01.000<br>&lt;b&gt;Long&lt;/b&gt;<br>line"
    assert lane.words_at(2200).endswith("line<br>Another")
    assert lane.words_at(2700).endswith("line")  # which outlasts a later one


@pytest.mark.unit
def test_a_thousand_lines_an_hour_are_drawn_in_time(application: QApplication) -> None:
    """By processor time, as other work on this machine counts for nothing."""
    bar = SeekBar()
    lane = lane_of(bar, 36_000_000)
    lane.resize(1400, lane.height())
    lane.show_lines([Line(3.6 * number, 3.6 * number + 2, "What is said here") for number in range(10_000)])
    target = QImage(QSize(1400, lane.height()), QImage.Format.Format_RGB32)
    for factor in (1.0, 30.0, 200.0):
        bar.axis.show_whole()
        bar.axis.zoom(factor, 18_000_000)
        begun = time.thread_time()
        for step in range(20):
            bar.axis.scroll_to(step * 60_000)
            lane.render(target)
        assert (time.thread_time() - begun) / 20 < 0.016


@pytest.mark.slow
@pytest.mark.media
def test_the_lane_follows_the_chosen_track_and_seeks(desk: Desk, tmp_path: Path) -> None:
    window, lane = desk.window, desk.window.transport.subtitles
    window.resize(1100, 700)
    desk.open(film(tmp_path / "film.mkv", [("srt", srt(SPOKEN), "eng"), ("srt", srt([(0.1, 0.3, "Andere")]), "ger")]))
    desk.wait(lambda: len(window.subtitles.tracks) == 2, "the tracks")
    assert lane.lines == []
    window.subtitles.choose(0)
    desk.wait(lambda: [line.text for line in lane.lines] == ["The first line", "The second line"], "the lines")
    place = QPoint(round(window.transport.bar.x_of(700)), 5)
    Hand(desk).click(lane, place)
    desk.wait(lambda: window.subtitles.overlay.text == "The second line", "the line that was clicked")
    window.actions_["subtitles-later"].trigger()
    assert "The first line" in lane.words_at(510)
    window.subtitles.choose(1)
    desk.wait(lambda: [line.text for line in lane.lines] == ["Andere"], "the other track")
    window.subtitles.choose(None)
    assert lane.lines == []
    window.subtitles.choose(1)
    desk.open("cfr.mp4")
    assert lane.lines == []
