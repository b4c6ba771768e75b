"""Styles as people name them, in words."""

from __future__ import annotations

import ntpath
from pathlib import Path, PureWindowsPath

import pytest

from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.models.library import bundled, card_of
from framebrush.playback import events
from framebrush.styles.blends import parts_of
from framebrush.styles.specs import StyleSpec
from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.styles import catalog
from framebrush.window.styles.catalog import FINER, TITLES, title, words_of
from tests.app.window.conftest import Desk


@pytest.mark.parametrize(
    ("style", "parts"),
    [
        ("starry-night", {"starry-night": 1}),
        ("ink:0.25,scream:0.75", {"ink": 0.25, "scream": 0.75}),
        ("ink, scream: 2", {"ink": 1, "scream": 2}),
        (r"C:\pictures\photo.jpg", {r"C:\pictures\photo.jpg": 1}),
        (r"C:\a.jpg:0.5,D:\b.png:.5", {r"C:\a.jpg": 0.5, r"D:\b.png": 0.5}),
        ("a.jpg,b.jpg", {"a.jpg": 1, "b.jpg": 1}),
        ("/home/Smith, John/one, two.jpg", {"/home/Smith, John/one, two.jpg": 1}),
        ("film.mp4@12.5", {"film.mp4@12.5": 1}),
        (r"C:\film.mp4@1:02:03.5", {r"C:\film.mp4@1:02:03.5": 1}),
        ("film.mp4@12.5:0.3,me@home.jpg:0.7", {"film.mp4@12.5": 0.3, "me@home.jpg": 0.7}),
        ("/home/Smith, John/film.keys", {"/home/Smith, John/film.keys": 1}),
    ],
)
def test_a_style_is_taken_apart(style: str, parts: dict[str, float]) -> None:
    assert parts_of(style) == parts


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("starry-night-fine", "Starry night"),
        ("/styles/My own.onnx", "My own"),
        ("/pictures/IMG_2034.JPG", "IMG_2034"),
        ("/films/my.film.mp4@12.5", "my.film@12.5"),
        ("/films/film.mp4@300f", "film@300f"),
        ("/pictures/me@home.jpg", "me@home"),
        ("/films/my film.keys", "my film"),
    ],
)
def test_a_style_reads_as_its_name(name: str, words: str) -> None:
    assert words_of(name) == words


def test_a_drive_stays_out_of_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "Path", PureWindowsPath)
    for style, words in ((r"C:\pictures\photo.jpg", "photo"), (r"C:\film.mp4@1:02:03.5", "film@1:02:03.5")):
        assert ntpath.isabs(style)
        assert [words_of(name) for name in parts_of(style)] == [words]


@pytest.mark.slow
@pytest.mark.media
@pytest.mark.parametrize(
    ("style", "words"),
    [
        ("/pictures/photo.jpg", "photo"),
        ("/films/film.mp4@12.5", "film@12.5"),
        ("/pictures/a.jpg:0.6,/films/film.mp4@1:02.5,ink:0.6", "a 27% + film@1:02.5 46% + Ink 27%"),
    ],
)
def test_the_export_says_which_picture(desk: Desk, tmp_path: Path, style: str, words: str) -> None:
    desk.open("cfr.mp4")
    assert desk.window.session.opened is not None
    info = desk.window.session.opened.info
    spec = JobSpec(str(info.path), str(tmp_path / "out.mp4"), Recipe(StyleSpec(style)))
    dialog = ExportDialog(desk.window, info, spec, events.InOutChanged(None, None), desk.settings)
    assert f"cfr.mp4   ·   {words}" in dialog.summary
    dialog.close()


@pytest.mark.parametrize(
    ("painting", "shown"),
    [("starry-night-fine", "Starry night"), ("composition-vii", "Composition VII"), ("my_own style", "My own style")],
)
def test_names_of_paintings(painting: str, shown: str) -> None:
    assert title(painting) == shown


def test_the_bundled_paintings_and_networks_have_titles_that_are_translated() -> None:
    cards = [card_of(path) for path in bundled().values()]
    paintings = {painting.removesuffix(FINER) for card in cards for painting in card.paintings}
    assert TITLES.keys() == paintings | {card.name for card in cards}
    assert [TITLES[card.name] for card in cards] == [card.title for card in cards]
