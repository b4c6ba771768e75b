"""A crash of the decoder: the window only shows a message."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import pytest
from PySide6.QtWidgets import QApplication

from framebrush.jobs.keyframes import STYLE
from framebrush.media.video import Position
from framebrush.playback.reading.reading_process import ReadingProcess
from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.start.moving_picture import START
from framebrush.window.styles.style_thumbnails import PHOTOGRAPH
from framebrush.window.training.capabilities import TrainingCapabilities
from framebrush.window.training.form import NewStyleForm
from framebrush.window.widgets.background import Background
from tests.app import crashing
from tests.app.window.conftest import CLIPS, Desk
from tests.media.subtitle_clips import film as with_texts
from tests.media.subtitle_clips import srt

pytestmark = [
    pytest.mark.media,
    pytest.mark.skipif(sys.platform == "win32", reason="how it ended is said in the words of POSIX"),
]

Dying = Callable[..., Desk]

SAYS = "was ended by SIGABRT; check that the file is whole"


@pytest.fixture
def dying(application: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Dying]:
    """Make windows with a reading process that aborts once in the library's work."""
    desks: list[tuple[Desk, ReadingProcess]] = []

    def make(function: str, count: int = 1, after: Path | None = None, **given: Any) -> Desk:  # noqa: ANN401
        reading = ReadingProcess()
        with monkeypatch.context() as patched:
            for name, value in crashing.environment(tmp_path, function, count, after=after).items():
                patched.setitem(os.environ, name, value)
            reading.start()
        desk = Desk(tmp_path, reading=reading, **given)
        desks.append((desk, reading))
        return desk

    yield make
    for desk, reading in desks:
        desk.open("vfr.mkv")  # in a process that is started anew
        assert desk.number == 0
        assert reading.deaths == 1
        desk.close()


@pytest.mark.slow
def test_the_window_says_so_and_stays(dying: Dying) -> None:
    desk = dying("open_media")
    desk.window.opening.open(str(CLIPS / "landscape.mp4"))
    desk.wait(lambda: SAYS in desk.window.messages.text, "the message")


@pytest.mark.slow
def test_a_film_that_turns_out_deadly_stops_with_a_message(
    dying: Dying, application: QApplication, tmp_path: Path
) -> None:
    playing = tmp_path / "playing"
    desk = dying("Reader.__next__", 10, after=playing)  # thumbnails of the timeline do not use it
    desk.open("landscape.mp4")
    desk.wait(lambda: not application.findChildren(Background), "the end of all other reads of the film")
    playing.touch()
    desk.window.player.play(True)
    desk.wait(lambda: SAYS in desk.window.messages.text, "the message")


@pytest.mark.slow
def test_a_picture_that_is_deadly_is_no_style(dying: Dying, tmp_path: Path) -> None:
    desk = dying("is_damaged_jpeg")
    desk.open("cfr.mp4")
    picture = tmp_path / "deadly.jpg"
    picture.write_bytes(PHOTOGRAPH.read_bytes())
    desk.window.session.use_style(str(picture))
    desk.wait(lambda: SAYS in desk.window.messages.text, "the message")
    assert "deadly.jpg cannot be a style: " in desk.window.messages.text
    desk.wait(lambda: not desk.window.session.awaits_style, "the style as before")


@pytest.mark.slow
def test_a_search_for_a_shot_that_is_deadly_changes_nothing(dying: Dying, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    desk = dying("Reader.__next__", after=begun, style="udnie")
    desk.wait_style("udnie")
    desk.open("cfr.mp4")
    desk.wait_still()
    desk.rest(0.3)  # frames that are read ahead
    desk.window.actions_["shot-styles"].trigger()
    begun.touch()
    desk.window.inspector.style_keys.choose("scream")
    desk.wait(lambda: "The shot cannot be found" in desk.window.messages.text, "the message")
    assert desk.window.session.choice.style.name == "udnie"
    assert not desk.window.inspector.panel.keys.has(STYLE)


@pytest.mark.slow
def test_subtitles_that_are_deadly_are_not_shown(dying: Dying, tmp_path: Path) -> None:
    desk = dying("SubtitleReader.cues")
    film = with_texts(tmp_path / "film.mkv", [("srt", srt([(0, 0.8, "one")]), "eng")])
    desk.open(film)
    subtitles = desk.window.subtitles
    desk.wait(lambda: len(subtitles.tracks) == 1, "the tracks")
    subtitles.choose(0)
    desk.wait(lambda: desk.window.player.reading.deaths == 1, "the death")
    desk.window.player.seek(Position(Fraction("0.1"), "s"))
    desk.settle()
    desk.rest(0.2)
    assert subtitles.overlay.text == ""


@pytest.mark.slow
def test_a_picture_to_learn_from_that_is_deadly_is_none(dying: Dying, tmp_path: Path) -> None:
    desk = dying("is_damaged_jpeg")
    desk.open("cfr.mp4")
    window = desk.window
    form = NewStyleForm(desk.settings, window.inspector.own_styles.folder, TrainingCapabilities("", window), window)
    picture = tmp_path / "deadly.jpg"
    picture.write_bytes(PHOTOGRAPH.read_bytes())
    form.show_picture(picture)
    desk.wait(lambda: form.size_line.text() == "This file is not a readable picture.", "the word")


@pytest.mark.slow
@pytest.mark.parametrize("function", ["plan_streams", "measure_beside"])
def test_an_export_can_be_set_up_though_its_source_is_deadly(function: str, dying: Dying) -> None:
    desk = dying(function)
    desk.open("cfr.mp4")
    desk.window.exporting.ask()
    desk.wait(lambda: desk.window.player.reading.deaths == 1, "the death")
    (dialog,) = desk.window.findChildren(ExportDialog)
    desk.wait(lambda: dialog.quality.encoder is not None, "the encoder")
    dialog.close()


@pytest.mark.slow
def test_no_file_is_opened_in_the_windows_own_process(
    application: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a person has it read: a film with all that is in it, pictures and frames as styles and as a brush's
    mark, a shot, an export, a picture to learn from. Only the photograph of the gallery and the film of the start page
    are its own.
    """
    asked: list[str] = []
    real = av.open

    def watched(file: str, *given: Any, **named: Any) -> Any:  # noqa: ANN401
        if Path(file.removeprefix("file:")) not in (PHOTOGRAPH, START):
            asked.append(file)
        return real(file, *given, **named)

    reading = ReadingProcess()
    film = with_texts(tmp_path / "film.mkv", [("srt", srt([(0, 0.8, "one")]), "eng")])
    picture = tmp_path / "a.jpg"
    picture.write_bytes(PHOTOGRAPH.read_bytes())
    monkeypatch.setattr(av, "open", watched)
    desk = Desk(tmp_path, reading=reading)
    window = desk.window
    desk.open(film)
    desk.wait(lambda: len(window.subtitles.tracks) == 1, "the tracks")
    window.subtitles.choose(0)
    desk.wait(lambda: window.subtitles.overlay.text == "one", "a text")
    preview: list[float] = []
    window.transport.popup.came.connect(lambda at_s, _: preview.append(at_s))
    window.transport.bar.pointed.emit(200, 0)
    desk.wait(lambda: bool(preview), "a small picture")
    for style in (str(picture), f"{CLIPS / 'cfr.mp4'}@0.2"):
        window.session.use_style(style)
        desk.wait(lambda: not window.session.awaits_style, style)
        assert Path(window.session.choice.style.name).name == Path(style).name  # pictures are copied
    window.session.use(brush_mark=str(picture), brush_sizes=str(CLIPS / "cfr.mp4"), brush_directions=str(picture))
    window.session.use_style("udnie")
    desk.wait_style("udnie")
    window.actions_["shot-styles"].trigger()
    window.inspector.style_keys.choose("scream")
    desk.wait(lambda: window.inspector.panel.keys.has(STYLE), "the shot")
    window.exporting.ask()
    (dialog,) = window.findChildren(ExportDialog)
    desk.wait(lambda: dialog.quality.encoder is not None, "the encoder")
    dialog.close()
    form = NewStyleForm(desk.settings, window.inspector.own_styles.folder, TrainingCapabilities("", window), window)
    form.show_picture(picture)
    desk.wait(lambda: "pixels" in form.size_line.text(), "the picture")
    desk.wait(lambda: not application.findChildren(Background), "all that reads besides")
    assert not asked
    desk.close()
