"""Several videos one after the other: dropped, opened, by the keys, past what cannot be opened."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from framebrush.window.transport.playlist import films_of
from framebrush.window.widgets import file_dialogs
from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.hand import Hand

pytestmark = pytest.mark.media


@pytest.fixture
def films(tmp_path: Path) -> list[Path]:
    """Of a second or so."""
    found = [tmp_path / f"clip {number}.mp4" for number in (2, 9, 10)]
    for film in found:
        shutil.copy(CLIPS / "cfr.mp4", film)
    return found


def drop(desk: Desk, paths: Sequence[Path]) -> None:
    """On the picture, as events."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    facts = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(desk.window.view, QDragEnterEvent(QPoint(50, 50), *facts))
    QApplication.sendEvent(desk.window.view, QDropEvent(QPointF(50, 50), *facts))


def name(desk: Desk) -> str:
    opened = desk.window.session.opened
    return opened.info.name if opened is not None else ""


def wait_for(desk: Desk, path: Path) -> None:
    desk.wait(lambda: name(desk) == path.name, path.name)


def listed(desk: Desk) -> dict[str, bool]:
    """The entries of the menu, and whether they are checked."""
    menu = desk.window.menus.films
    return {action.text(): action.isChecked() for action in menu.actions()} if menu.isEnabled() else {}


@pytest.mark.slow
def test_dropped_films_play_one_after_the_other_in_the_order_of_their_names(desk: Desk, films: list[Path]) -> None:
    drop(desk, [films[2], films[0], films[1]])
    for number, film in enumerate(films):
        wait_for(desk, film)
        desk.wait(lambda film=film, number=number: desk.window.notes.word == f"{number + 1} / 3   {film.name}")
        entries = {f"{index + 1}  {each.name}": index == number for index, each in enumerate(films)}
        desk.wait(lambda entries=entries: listed(desk) == entries, "the menu")
        desk.wait(lambda: desk.window.session.shown_at.number > 20, "its frames")
    desk.wait(lambda: not desk.window.player.engine.playing, "the end")
    desk.rest(0.3)
    assert name(desk) == films[2].name
    desk.wait_number(29)
    assert desk.window.messages.text == ""


@pytest.mark.slow
def test_keys_and_menu_go_through_the_list_and_not_the_folder(desk: Desk, films: list[Path], tmp_path: Path) -> None:
    hand = Hand(desk)
    shutil.copy(CLIPS / "cfr.mp4", tmp_path / "clip 5.mp4")
    desk.window.actions_["loop"].trigger()  # each film stays
    drop(desk, films[:2])
    wait_for(desk, films[0])
    hand.key(Qt.Key.Key_PageDown)
    wait_for(desk, films[1])
    hand.key(Qt.Key.Key_PageDown)
    assert desk.window.playlist.step(1)  # there is a list, though no next one
    desk.rest(0.3)
    assert name(desk) == films[1].name
    desk.window.menus.films.actions()[0].trigger()
    wait_for(desk, films[0])
    hand.key(Qt.Key.Key_PageUp)
    desk.rest(0.3)
    assert name(desk) == films[0].name
    desk.window.opening.open(films[2])  # which is none of them
    wait_for(desk, films[2])
    assert listed(desk) == {}
    hand.key(Qt.Key.Key_PageUp)
    wait_for(desk, films[1])


def test_what_cannot_be_opened_is_said_and_passed_over(desk: Desk, films: list[Path]) -> None:
    for film in films[:2]:
        film.write_text("no video")
    drop(desk, films)
    wait_for(desk, films[2])
    assert films[1].name in desk.window.messages.text
    desk.wait(lambda: desk.window.player.engine.playing, "playing")


@pytest.mark.slow
def test_what_cannot_be_opened_is_passed_over_on_the_way_back_too(desk: Desk, films: list[Path]) -> None:
    films[1].write_text("no video")
    desk.window.actions_["loop"].trigger()  # each film stays
    drop(desk, films)
    wait_for(desk, films[0])
    Hand(desk).key(Qt.Key.Key_PageDown)
    wait_for(desk, films[2])
    Hand(desk).key(Qt.Key.Key_PageUp)
    wait_for(desk, films[0])


@pytest.mark.slow
def test_behind_the_last_that_opens_the_list_stays_where_it_is(desk: Desk, films: list[Path]) -> None:
    films[2].write_text("no video")
    desk.window.actions_["loop"].trigger()  # each film stays
    drop(desk, films)
    wait_for(desk, films[0])
    Hand(desk).key(Qt.Key.Key_PageDown)
    wait_for(desk, films[1])
    desk.window.menus.films.actions()[2].trigger()
    desk.wait(lambda: films[2].name in desk.window.messages.text, "the refusal")
    desk.wait(lambda: listed(desk).get(f"2  {films[1].name}", False), "the mark at what is open")
    Hand(desk).key(Qt.Key.Key_PageUp)
    wait_for(desk, films[0])


def test_a_list_of_nothing_that_opens_ends(desk: Desk, films: list[Path]) -> None:
    for film in films:
        film.write_text("no video")
    drop(desk, films)
    desk.wait(lambda: films[2].name in desk.window.messages.text, "the last refusal")
    desk.rest(0.2)
    assert desk.window.session.opened is None
    desk.open("cfr.mp4")
    assert listed(desk) == {}


def test_several_can_be_chosen_in_the_dialog(desk: Desk, films: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = [str(film) for film in films[:2]]
    monkeypatch.setattr(file_dialogs.QFileDialog, "getOpenFileNames", lambda *_: (chosen, ""))
    Hand(desk).key("o", Qt.KeyboardModifier.ControlModifier)
    wait_for(desk, films[0])
    assert len(listed(desk)) == 2


@pytest.mark.slow
def test_the_videos_of_a_dropped_folder_play_one_after_the_other(desk: Desk, films: list[Path], tmp_path: Path) -> None:
    desk.window.actions_["loop"].trigger()  # each film stays
    (tmp_path / "notes.txt").touch()
    drop(desk, [tmp_path])
    wait_for(desk, films[0])
    desk.wait(lambda: len(listed(desk)) == 3, "the menu")


def test_a_dropped_folder_without_videos_is_named(desk: Desk, tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    (pictures / "0001.png").touch()
    drop(desk, [pictures])
    desk.wait(lambda: desk.window.notes.text == "There is no video in the folder pictures.", "the note")
    assert desk.window.messages.text == ""


def test_a_dropped_folder_that_cannot_be_read_is_named(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> list[Path]:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", refuse)  # root may read every folder
    drop(desk, [tmp_path])
    desk.wait(lambda: desk.window.messages.text == f"{tmp_path.name} cannot be read.", "the problem")


def test_what_of_dropped_files_is_played() -> None:
    def names(*texts: str) -> list[str]:
        return [path.name for path in films_of([Path("/a") / text for text in texts])]

    assert names("a.mp4") == ["a.mp4"]
    assert names("a.srt", "a.mp4") == ["a.mp4"]
    assert names("b 10.mkv", "B 9.mp4", "a.onnx") == ["B 9.mp4", "b 10.mkv"]
    assert names("z.onnx", "a.cube") == ["z.onnx"]
    assert names("b.png", "a.png") == ["b.png"]
