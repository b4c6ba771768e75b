"""Names of exported files: offered, completed, refused, or asked about before they are written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QPushButton, QWidget

from framebrush.base.files import place_of
from framebrush.gpu.look import Look
from framebrush.jobs.keyframes import STYLE, Key, Track
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.segments.job_folder import folder_of
from framebrush.jobs.spec import JobSpec
from framebrush.media.output_file import OutputFile, part_of
from framebrush.media.reading.reader import Reader
from framebrush.media.video import Position, VideoInfo
from framebrush.styles.specs import ColourSpec, SizeSpec, StyleSpec
from framebrush.window.exports import targets
from framebrush.window.exports.export_losses import ExportLosses
from framebrush.window.exports.export_summary import summary_of, words_on
from framebrush.window.exports.target_check import TargetCheck
from framebrush.window.exports.target_field import TargetField
from framebrush.window.exports.targets import (
    file_stem,
    free_like,
    free_name,
    is_begun,
    is_free,
    is_same,
    why_not,
    with_tilde,
)
from tests.app.window.conftest import CLIPS

pytestmark = pytest.mark.unit


def test_a_free_name_is_no_file_no_part_no_folder_and_not_queued(tmp_path: Path) -> None:
    film, other = tmp_path / "film.mp4", tmp_path / "other"
    assert (free_name(film), free_name(film, folder=other)) == (
        tmp_path / "film-painted.mp4",
        other / "film-painted.mp4",
    )
    for makes_taken, name in (
        (lambda path: path.touch(), "film-painted2.mp4"),
        (lambda path: folder_of(path).mkdir(), "film-painted3.mp4"),
        (lambda path: path.symlink_to(tmp_path / "none"), "film-painted4.mp4"),
    ):
        makes_taken(free_name(film))
        assert free_name(film).name == name
    taken = {place_of(free_name(film))}
    assert free_name(film, taken).name == "film-painted5.mp4"
    (tmp_path / "clip 12.mp4").touch()
    assert free_like(tmp_path / "clip 12.mp4", ()).name == "clip 12-2.mp4"
    assert is_free(tmp_path / "new.mp4", ())
    assert not is_free(tmp_path / "new.mp4", {place_of(tmp_path / "new.mp4")})


def test_a_file_is_begun_while_its_process_lives(tmp_path: Path) -> None:
    target = tmp_path / "out.mp4"
    assert not is_begun(target)
    with OutputFile(target):
        assert is_begun(target)
    part_of(target).touch()  # as a killed process leaves it
    assert not is_begun(target)
    assert not part_of(target).exists()
    folder_of(target).mkdir()
    assert is_begun(target)


def test_paths_are_one_file_through_links(tmp_path: Path) -> None:
    film, link = tmp_path / "film.mp4", tmp_path / "link.mp4"
    film.touch()
    link.symlink_to(film)
    assert is_same(link, film)
    assert not is_same(film, tmp_path)
    assert not is_same(film, None)
    assert not is_same(film, tmp_path / "none.mp4")


def test_a_name_is_shown_below_home_and_refused_where_no_file_can_have_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(targets.os, "name", "posix")
    assert with_tilde(tmp_path / "films" / "a.mp4") == "~/films/a.mp4"
    assert with_tilde(Path("/elsewhere/a.mp4")) == "/elsewhere/a.mp4"
    assert why_not(tmp_path / "a.mp4") == ""
    assert "long" in why_not(tmp_path / f"{'x' * 300}.mp4")


@pytest.fixture(scope="module")
def info() -> VideoInfo:
    with Reader(CLIPS / "cfr.mp4") as reader:
        return reader.info


def test_a_source_without_a_file_has_a_short_name_of_words(info: VideoInfo) -> None:
    assert file_stem(info) == "cfr"
    assert file_stem(replace(info, path=Path(f"/{'x' * 200}.mp4"))) == "x" * 200
    assert file_stem(replace(info, path=Path(f"/{'x' * 199} and more.mp4"))) == "x" * 199
    name = file_stem(replace(info, path=None, container="(USB: camera) " + "x" * 99))
    assert len(name) <= 60
    assert " " not in name


class Check:
    """Check of targets, with the question that is open."""

    def __init__(self, source: Path) -> None:
        self.dialog, self.taken, self.accepted = QWidget(), set[str](), list[tuple[Path, bool]]()
        self.check = TargetCheck(self.dialog, source, lambda: self.taken)
        self.check.accepted.connect(lambda *accepted: self.accepted.append(accepted))

    def ask(self, target: Path, problem: str = "") -> QMessageBox:
        self.check.check(target, problem)
        return self.box

    @property
    def box(self) -> QMessageBox:
        (box,) = (each for each in self.dialog.findChildren(QMessageBox) if each.isVisible())
        return box

    def answer(self, start: str) -> None:
        next(button for button in self.box.buttons() if button.text().startswith(start)).click()


@pytest.fixture
def check(application: QApplication, tmp_path: Path) -> Iterator[Check]:
    (tmp_path / "film.mp4").touch()
    made = Check(tmp_path / "film.mp4")
    yield made
    shiboken6.delete(made.dialog)


def test_a_free_target_is_accepted_without_a_question(check: Check, tmp_path: Path) -> None:
    check.check.check(tmp_path / "out.mp4", "")
    assert check.accepted == [(tmp_path / "out.mp4", False)]
    assert check.dialog.findChildren(QMessageBox) == []


def test_a_problem_is_said_and_nothing_accepted(check: Check, tmp_path: Path) -> None:
    for target, problem, said in (
        (tmp_path / "out.mp4", "WebM cannot hold H.264.", "WebM cannot hold H.264."),
        (tmp_path / "none" / "out.mp4", "Too small.", "Too small."),
        (tmp_path / f"{'x' * 300}.mp4", "Too small.", "Too small."),
        (tmp_path / "none" / "out.mp4", "", f"There is no folder {tmp_path / 'none'}."),
        (tmp_path / f"{'x' * 300}.mp4", "", "This name cannot be used ("),
    ):
        box = check.ask(target, problem)
        assert box.text().startswith(said)
        assert box.icon() is QMessageBox.Icon.Warning
        box.reject()
    assert check.accepted == []


def test_an_existing_file_is_replaced_only_when_asked_for(check: Check, tmp_path: Path) -> None:
    old = tmp_path / "<b>old.mp4"
    old.touch()
    box = check.ask(old)
    assert (box.text(), box.informativeText() != "") == ("<b>old.mp4 already exists.", True)
    assert box.findChild(QLabel, "qt_msgbox_label").textFormat().name == "PlainText"
    assert box.defaultButton().text() == "Save as <b>old2.mp4"
    check.answer("Cancel")
    assert check.accepted == []
    check.ask(old)
    check.answer("Replace")
    assert check.accepted == [(old, True)]
    check.ask(old)
    check.answer("Save as")
    assert check.accepted[1:] == [(tmp_path / "<b>old2.mp4", False)]


def test_what_must_stay_cannot_be_replaced(check: Check, tmp_path: Path) -> None:
    folder, begun, queued = (tmp_path / f"{name}.mp4" for name in ("folder", "begun", "queued"))
    folder.mkdir()
    folder_of(begun).mkdir()
    check.taken.add(place_of(queued))
    for target, said in (
        (folder, "folder.mp4 is a folder."),
        (begun, "Another export of begun.mp4 is not finished; it is kept."),
        (queued, "Another export is writing queued.mp4."),
        (tmp_path / "film.mp4", "film.mp4 is the video being painted."),
    ):
        box = check.ask(target)
        assert (box.text(), box.informativeText()) == (said, "")
        assert {button.text() for button in box.buttons()} == {f"Save as {target.stem}2.mp4", "Cancel"}
        check.answer("Cancel")
    old = tmp_path / "old.mp4"
    old.touch()
    box = check.ask(old)
    check.taken.add(place_of(old))  # meanwhile
    check.answer("Replace")
    assert check.box.text() == "Another export is writing old.mp4."
    check.answer("Cancel")
    assert check.accepted == []


def test_a_name_is_completed_by_folder_home_and_container(application: QApplication, tmp_path: Path) -> None:
    field = TargetField(tmp_path / "film.mp4")
    assert (field.path, field.container and field.container.name) == (tmp_path / "film.mp4", "MP4")
    assert field.findChild(QPushButton) is not None
    for typed, path in (
        ("a.MKV", tmp_path / "a.MKV"),
        ("~/a.mkv", Path.home() / "a.mkv"),
        ("~nobody-has-this-name/a.mkv", tmp_path / "~nobody-has-this-name" / "a.mkv"),
        ("/b/a.mkv", Path("/b/a.mkv")),
        ("", Path()),
    ):
        field.name_field.setText(typed)
        assert field.path == path
        assert (field.container is not None) == bool(typed)
    for typed, suffix, taken, expected in (
        ("a.MKV", ".mkv", (), "a.MKV"),
        ("a.mkv", ".webm", (), "a.webm"),
        ("a.mkv", "", (), "a.mp4"),
        ("a.mkv", ".mov", {place_of(tmp_path / "a.mov")}, "a2.mov"),
    ):
        field.name_field.setText(typed)
        field.use_suffix(suffix, taken)
        assert field.path == tmp_path / expected
    field.name_field.setText("")
    field.use_suffix(".mkv", ())
    assert field.name_field.text() == ""


def keyed(of: str, *values: float | str) -> Track:
    return Track(of, tuple(Key(Position.of_frame(number), value) for number, value in enumerate(values)))


INK = Recipe(StyleSpec("ink"))


@pytest.mark.parametrize(
    ("recipe", "expected"),
    [
        (Recipe(StyleSpec("none")), ["no style"]),
        (INK, ["Ink"]),
        (replace(INK, keys=(keyed("strength", 0.0, 1.0),)), ["Ink", "changes over time"]),
        (
            replace(INK, keys=(keyed("strength", 0.5), keyed(STYLE, "scream", "udnie", "scream"))),
            ["Scream / Udnie", "changes over time"],
        ),
        (replace(INK, look=Look(strength=0.5)), ["Ink", "50%"]),
    ],
)
def test_an_export_is_summed_up(application: QApplication, recipe: Recipe, expected: list[str]) -> None:
    assert summary_of("a.mp4", JobSpec("a.mp4", "out.mp4", recipe)).split("   ·   ") == ["a.mp4", *expected]


@pytest.mark.parametrize(
    ("recipe", "expected"),
    [
        (INK, []),
        (replace(INK, look=Look(strength=0.5, exposure_ev=0.5, relief=0.3)), ["50%", "+0.5 stops", "Relief 30%"]),
        (replace(INK, look=Look(strength=0.5), keys=(keyed("strength", 0.5),)), []),
        (replace(INK, look=Look(brush=0.5), sizes=SizeSpec(brush_kind="oil")), ["Brush 50%", "Oil"]),
        (replace(INK, look=Look(brush=0.5), sizes=SizeSpec(brush_mark="/a/mark.png")), ["Brush 50%", "brush mark"]),
        (replace(INK, colours=ColourSpec(palette="/a/dawn.png")), ["colours of dawn"]),
        (replace(INK, colours=ColourSpec(palette="film")), ["film's palette"]),
    ],
)
def test_changed_options_are_put_into_words(application: QApplication, recipe: Recipe, expected: list[str]) -> None:
    assert words_on(recipe) == expected


def test_nothing_is_said_to_be_lost_before_it_is_known(application: QApplication) -> None:
    losses = ExportLosses(None)
    assert losses.note.text().startswith("Subtitles, chapters and metadata are kept")
    assert losses.isAncestorOf(losses.note)
