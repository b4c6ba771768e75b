"""Names of blends and of files in them, taken apart and put together."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from framebrush.styles import style_folder
from framebrush.styles.blends import blend, blend_of, is_file, parts_of
from framebrush.styles.style_paths import absolute, files_in, with_files

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("one", "other", "share", "blended"),
    [
        ("ink", "scream", 0.0, "ink"),
        ("ink", "scream", -0.1, "ink"),
        ("ink", "ink", 0.5, "ink"),
        ("ink", "scream", 0.25, "ink:0.750,scream:0.250"),
        ("ink", "scream", 1.0, "ink:0.000,scream:1.000"),
        ("ink:1,udnie:3", "scream", 0.5, "ink:0.125,udnie:0.375,scream:0.500"),
        ("ink:2,udnie:2", "udnie:1,scream:4", 0.5, "ink:0.250,udnie:0.350,scream:0.400"),
    ],
)
def test_styles_are_blended_by_share(one: str, other: str, share: float, blended: str) -> None:
    assert blend(one, other, share) == blended


def test_a_blend_is_read_as_it_is_written() -> None:
    weights = {"ink": 0.25, "C:\\\\a.jpg": 2.0, "film.mp4@12.5": 0.125}
    assert parts_of(blend_of(weights.items())) == weights


@pytest.mark.parametrize(
    ("style", "parts"),
    [
        (":0.5", {":0.5": 1}),
        ("ink:0.5:2", {"ink:0.5": 2}),
        ("ink:-1", {"ink:-1": 1}),
        ("ink,a.jpg", {"ink,a.jpg": 1}),
        ("a.jpg,ink", {"a.jpg": 1, "ink": 1}),
        ("a.jpg:1,film.keys:1", {"a.jpg": 1, "film.keys": 1}),
    ],
)
def test_a_colon_and_a_comma_may_belong_to_a_name(style: str, parts: dict[str, float]) -> None:
    assert parts_of(style) == parts


@pytest.mark.parametrize(
    ("text", "named"),
    [("a.jpg", True), ("A.ONNX", True), ("film.keys", True), ("film.mp4", False), ("ink", False)],
)
def test_files_of_styles_are_known_by_their_endings(text: str, named: bool) -> None:
    assert is_file(text) is named


@pytest.mark.parametrize(
    ("style", "files"),
    [
        ("ink", []),
        ("a.jpg", ["a.jpg"]),
        ("film.mp4@12.5", ["film.mp4"]),
        ("film.mp4@1:02:03:0.5", ["film.mp4"]),
        ("me@12", []),  # no film: it has no ending
        ("a.jpg:0.6, film.mp4@12.5:0.3,ink:0.1", ["a.jpg", "film.mp4"]),
        ("film.keys:0.5,own.onnx", ["film.keys", "own.onnx"]),
        ("grade.cube", ["grade.cube"]),
    ],
)
def test_files_in_a_name(style: str, files: list[str]) -> None:
    assert files_in(style) == files


@pytest.mark.parametrize(
    ("style", "moved"),
    [
        ("ink", "ink"),
        ("a.jpg:0.6, film.mp4@12.5:0.3,ink", "<a.jpg>:0.6, [film.mp4@12.5]:0.3,ink"),
        ("film.mp4@12.5", "[film.mp4@12.5]"),
        ("b.onnx", "<b.onnx>"),
    ],
)
def test_paths_of_files_and_of_films_are_changed_apart(style: str, moved: str) -> None:
    assert with_files(style, "<{}>".format, "[{}]".format) == moved
    assert with_files(style, "<{}>".format) == moved.replace("[film.mp4@12.5]", "<film.mp4>@12.5")


def test_files_that_are_there_become_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.jpg", "b, c.jpg"):
        (tmp_path / name).touch()
    (tmp_path / "film.keys").mkdir()
    assert absolute("a.jpg:0.5,gone.jpg:0.5") == f"{tmp_path / 'a.jpg'}:0.5,gone.jpg:0.5"
    assert absolute("b, c.jpg") == str(tmp_path / "b, c.jpg")  # a file with a comma in its name is no blend
    assert absolute("film.keys") == str(tmp_path / "film.keys")
    assert files_in("b, c.jpg") == ["b, c.jpg"]


@pytest.mark.skipif(sys.platform == "win32", reason="HOME is not the home folder there")
@pytest.mark.parametrize(
    ("platform", "variable", "default"),
    [
        ("win32", "APPDATA", "AppData/Roaming"),
        ("darwin", "", "Library/Application Support"),
        ("linux", "XDG_DATA_HOME", ".local/share"),
    ],
)
def test_user_data_is_where_the_platform_keeps_it(
    platform: str, variable: str, default: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("APPDATA", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert style_folder.data_folder() == tmp_path / default / "Framebrush" / "Framebrush"
    assert style_folder.StyleFolder().path == style_folder.data_folder() / "styles"
    for name in ("APPDATA", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    base = tmp_path / (variable or default)
    assert style_folder.data_folder() == base / "Framebrush" / "Framebrush"
