"""Films come back as they were left, and projects as files."""

from __future__ import annotations

import json
import shutil
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog

from framebrush.base.json_values import from_values
from framebrush.cli.command_line import run
from framebrush.gpu.look import Look
from framebrush.jobs.project import TARGET, Project, read_project, write_project
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.workers.runner import job_runner
from framebrush.media.video import Position, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.models.library import bundled
from framebrush.playback.events import InOutChanged, InOutPoint
from framebrush.styles.specs import StyleSpec
from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.project import document, keeper
from framebrush.window.project.history import History
from framebrush.window.project.restore_point import RestorePoint
from tests.app.window.conftest import CLIPS, Desk

pytestmark = pytest.mark.media


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "KEEP_MS", 20)


@pytest.fixture
def film(tmp_path: Path) -> Path:
    (tmp_path / "films").mkdir()
    return Path(shutil.copy(CLIPS / "cfr.mp4", tmp_path / "films" / "film.mp4"))


def begun(desk: Desk, film: Path | str) -> Desk:
    """Open a film or project, and wait until its settings are found."""
    former = desk.window.project.document
    desk.window.opening.open(film, play=False)
    desk.wait(lambda: desk.window.project.document not in (None, former), "the project")
    desk.settle()
    return desk


def kept(desk: Desk) -> list[Path]:
    return sorted((desk.settings.data_folder / "projects").glob("*.framebrush"))


def set_all(desk: Desk) -> None:
    """Set something of every kind on the open film."""
    window = desk.window
    recipe = window.session.choice.recipe
    look, sizes = replace(recipe.look, strength=0.25, relief=0.5), replace(recipe.sizes, stroke=2.0, few_strokes=True)
    window.session.use_recipe(replace(recipe, look=look, sizes=sizes))
    window.inspector.panel.keys.set("exposure_ev", 1.0)
    for number, name in ((2, "mark-in"), (6, "mark-out")):
        window.player.seek(_at(number))
        desk.settle()
        window.actions_[name].trigger()
        desk.settle()
    window.delays.use({"sound": 100, "subtitles": 0})
    window.actions_["subtitles-earlier"].trigger()


def _at(number: int) -> Position:
    return Position(Fraction(number), "frame")


def state(desk: Desk) -> tuple[object, ...]:
    window, now = desk.window, desk.window.session.choice
    return now.recipe, now.range, dict(window.delays.ms)


@pytest.mark.slow
def test_a_film_comes_back_as_it_was_left_though_moved_and_renamed(
    application: QApplication, tmp_path: Path, film: Path
) -> None:
    desk = begun(Desk(tmp_path), film)
    assert desk.window.settings.recent == [film]
    set_all(desk)
    desk.settle()
    left = state(desk)
    assert left[2] == {"sound": 100, "subtitles": -50}
    desk.close()
    (tmp_path / "elsewhere").mkdir()
    moved = tmp_path / "elsewhere" / "renamed.mov"
    shutil.move(film, moved)
    (tmp_path / "settings.ini").unlink()  # that nothing of it comes from the settings of all films
    other = begun(Desk(tmp_path), moved)
    other.wait(lambda: state(other) == left, f"{left} (it is {state(other)})")
    assert len(kept(other)) == 1
    assert other.window.session.project is None
    assert other.window.windowTitle() == "renamed.mov – Framebrush"
    blank = other.window.session.choice
    assert blank.recipe.keys
    other.wait(other.window.actions_["undo"].isEnabled)
    other.window.actions_["undo"].trigger()
    undone = other.window.session.choice.recipe
    assert (undone.look.strength, undone.keys, undone.sizes.stroke) == (1.0, (), "auto")
    other.window.actions_["redo"].trigger()
    assert state(other) == left
    other.close()


def test_a_film_on_which_nothing_was_set_leaves_no_file(desk: Desk, film: Path) -> None:
    begun(desk, film)
    desk.rest(0.1)
    desk.close()
    assert kept(desk) == []


@pytest.mark.slow
def test_films_in_a_row_keep_their_own(desk: Desk, tmp_path: Path, film: Path) -> None:
    other = Path(shutil.copy(CLIPS / "extras.mp4", tmp_path / "other.mp4"))
    begun(desk, film)
    set_all(desk)
    desk.settle()
    left = state(desk)
    begun(desk, other)
    assert desk.window.session.choice.keys == ()
    assert desk.window.session.choice.range.first is None
    desk.window.inspector.panel.keys.set("strength", 0.5)
    desk.settle()
    of_other = state(desk)
    begun(desk, film)
    desk.wait(lambda: state(desk) == left, "the first film's settings")
    begun(desk, other)
    desk.wait(lambda: state(desk) == of_other, "the second film's settings")


@pytest.mark.slow
def test_what_a_killed_window_had_set_is_there(desk: Desk, film: Path) -> None:
    begun(desk, film)
    set_all(desk)
    desk.settle()
    desk.wait(lambda: len(kept(desk)) == 1, "the file")
    desk.wait(lambda: read_project(kept(desk)[0], film=film).subtitles_ms == -50, "the last change")
    assert not list((desk.settings.data_folder / "projects").glob("*.part"))


@pytest.mark.slow
@pytest.mark.parametrize("named", [False, True])
def test_what_is_opened_again_while_it_is_written_has_the_last_change(
    desk: Desk, film: Path, named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(desk, film)
    opened = film
    if named:
        opened = film.parent / "mine.framebrush"
        desk.window.project.save_as(opened)
        desk.wait(lambda: desk.window.session.project == opened, "the file")
    write = document.write_project

    def write_slowly(project: Project, path: Path) -> None:
        time.sleep(0.7)
        write(project, path)

    monkeypatch.setattr(document, "write_project", write_slowly)
    desk.window.inspector.panel.keys.set("strength", 0.5)
    desk.settle()
    begun(desk, opened)
    desk.wait(lambda: bool(desk.window.session.choice.keys), "the change")
    assert desk.window.messages.text == ""
    assert desk.window.session.project == (opened if named else None)


@pytest.mark.slow
def test_a_name_just_left_is_free_again(desk: Desk, film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun(desk, film)
    first, second = film.parent / "first.framebrush", film.parent / "second.framebrush"
    desk.window.project.save_as(first)
    desk.wait(lambda: desk.window.session.project == first, "the file")
    write = document.write_project

    def write_slowly(project: Project, path: Path) -> None:
        time.sleep(0.3)
        write(project, path)

    monkeypatch.setattr(document, "write_project", write_slowly)
    desk.window.inspector.panel.keys.set("strength", 0.5)
    for name in (second, first):
        desk.window.project.save_as(name)
        desk.wait(lambda name=name: desk.window.session.project == name or bool(desk.window.messages.text), "the file")
        assert desk.window.messages.text == ""
    assert of_file(desk, first, film).keys == of_file(desk, second, film).keys != ()


def of_file(desk: Desk, path: Path, film: Path) -> Project:
    desk.wait(path.exists, str(path))
    return read_project(path, film=film)


@pytest.mark.slow
def test_a_project_file_is_kept_from_then_on_and_opens_again(
    application: QApplication, tmp_path: Path, film: Path
) -> None:
    desk = begun(Desk(tmp_path), film)
    set_all(desk)
    desk.settle()
    file = film.parent / "mine.framebrush"
    desk.window.project.save_as(film.parent / "mine.framebrush")
    desk.wait(lambda: desk.window.session.project == file, "the file")
    assert desk.window.windowTitle() == "mine.framebrush – film.mp4 – Framebrush"
    assert desk.settings.recent[0] == file
    desk.window.inspector.panel.keys.set("strength", 0.5)
    desk.settle()
    left = state(desk)
    desk.wait(lambda: len(of_file(desk, file, film).keys) == 2, "the change")
    desk.close()
    values = json.loads(file.read_text())
    assert values["job"]["source"] == "film.mp4"
    shutil.move(film.parent, tmp_path / "moved")
    other = begun(Desk(tmp_path, source=str(tmp_path / "moved" / "mine.framebrush")), tmp_path / "moved" / "film.mp4")
    other.wait(lambda: other.window.session.project is None, "the film's own")
    begun(other, tmp_path / "moved" / "mine.framebrush")
    other.wait(lambda: state(other) == left, f"{left} (it is {state(other)})")
    assert other.window.session.project == tmp_path / "moved" / "mine.framebrush"
    other.window.opening.open_dropped([tmp_path / "moved" / "film.mp4"])
    other.wait(lambda: other.window.session.project is None, "the film's own")
    other.window.opening.open_dropped([tmp_path / "moved" / "mine.framebrush"])
    other.wait(lambda: other.window.session.project is not None, "the project")
    other.close()


@pytest.mark.slow
def test_a_film_opened_while_a_project_is_read_stays(desk: Desk, tmp_path: Path, film: Path) -> None:
    begun(desk, film)
    desk.window.inspector.panel.keys.set("strength", 0.5)
    desk.window.project.save_as(film.parent / "mine.framebrush")
    desk.wait((film.parent / "mine.framebrush").exists, "the file")
    other = Path(shutil.copy(CLIPS / "extras.mp4", tmp_path / "other.mp4"))
    desk.window.opening.open(film.parent / "mine.framebrush", play=False)
    begun(desk, other)
    desk.rest(0.5)
    assert desk.window.windowTitle() == "other.mp4 – Framebrush"
    assert desk.window.session.project is None


@pytest.mark.slow
def test_the_second_window_says_so_and_works_on_a_copy(application: QApplication, tmp_path: Path, film: Path) -> None:
    first = begun(Desk(tmp_path), film)
    first.window.inspector.panel.keys.set("strength", 0.5)
    first.settle()
    first.wait(lambda: len(kept(first)) == 1, "the file")
    second = begun(Desk(tmp_path), film)
    assert "works on a copy" in second.window.messages.text
    second.wait(lambda: bool(second.window.session.choice.keys), "the first window's keyframes")
    second.rest(0.1)
    assert len(kept(second)) == 1  # nothing was changed yet
    second.window.inspector.panel.keys.set("relief", 0.5)
    second.settle()
    second.wait(lambda: second.window.session.project is not None, "the copy")
    copy = second.window.session.project
    assert copy is not None
    assert copy.name == "film.framebrush"
    assert second.settings.recent[0] == copy
    first.window.inspector.panel.keys.clear("strength")
    first.settle()
    (own,) = set(kept(first)) - {copy}
    first.wait(lambda: read_project(own, film=film).keys == (), "the first window's change")
    assert {track.of for track in read_project(copy).keys} == {"strength", "relief"}
    file = tmp_path / "mine.framebrush"
    second.window.project.save_as(file)
    second.wait(lambda: second.window.session.project == file, "the file")
    first.window.project.save_as(file)
    first.wait(lambda: "is open in another window" in first.window.messages.text, "the message")
    first.window.opening.open(file, play=False)
    first.wait(lambda: "mine.framebrush is open in another window, so" in first.window.messages.text, "the message")
    second.close()
    first.close()


@pytest.mark.slow
def test_settings_in_a_style_that_is_gone_are_never_overwritten(
    application: QApplication, tmp_path: Path, film: Path
) -> None:
    desk = begun(Desk(tmp_path), film)
    desk.window.opening.open(Path(shutil.copy(bundled()["ink"], tmp_path / "own.onnx")))
    used = desk.window.session
    desk.wait(lambda: used.style_in_use is not None and used.style_in_use.name.endswith("own.onnx"), "the style")
    desk.rest(0.2)  # until it is the gallery's own
    own = Path(used.choice.style.name)
    desk.window.inspector.panel.keys.set("strength", 0.5)
    desk.settle()
    desk.close()
    (file,) = kept(desk)
    own.unlink()
    (tmp_path / "settings.ini").unlink()
    (tmp_path / "own.onnx").unlink(missing_ok=True)
    other = begun(Desk(tmp_path), film)
    other.wait(lambda: not other.window.session.awaits_style, "the refusal")
    assert other.window.session.choice.style.name == "none"
    assert other.window.session.choice.keys
    other.rest(0.2)
    assert read_project(file, film=film).job.style.name == str(own)
    other.window.inspector.panel.keys.set("relief", 0.5)
    other.settle()
    other.wait(lambda: len(kept(other)) == 2, "the copy")
    other.close()
    (copy,) = set(kept(other)) - {file}
    assert read_project(copy).job.style.name == str(own)
    assert read_project(file, film=film).job.style.name == "none"


def damage(desk: Desk, film: Path, content: str) -> Path:
    """Set something on a film, and replace its file while no window has it."""
    begun(desk, film)
    desk.window.inspector.panel.keys.set("strength", 0.5)
    desk.settle()
    desk.close()
    (file,) = kept(desk)
    file.write_text(content)
    return file


@pytest.mark.slow
def test_damaged_settings_are_put_aside_in_words(application: QApplication, tmp_path: Path, film: Path) -> None:
    file = damage(Desk(tmp_path), film, '{"framebrush_project": 1, "half')
    desk = begun(Desk(tmp_path), film)
    aside = file.with_suffix(".damaged")
    assert aside.read_text() == '{"framebrush_project": 1, "half'
    assert "damaged" in desk.window.messages.text
    desk.window.inspector.panel.keys.set("relief", 0.5)
    desk.settle()
    desk.wait(file.exists, "new settings")
    desk.close()


@pytest.mark.slow
def test_settings_of_a_newer_program_stay(application: QApplication, tmp_path: Path, film: Path) -> None:
    newer = '{"framebrush_project": 1000, "news": []}'
    file = damage(Desk(tmp_path), film, newer)
    desk = begun(Desk(tmp_path), film)
    assert "cannot be read, so they stay" in desk.window.messages.text
    desk.window.inspector.panel.keys.set("relief", 0.5)
    desk.settle()
    desk.wait(lambda: desk.window.session.project is not None, "a copy")
    assert file.read_text() == newer
    desk.close()


def test_a_full_disk_is_told_and_what_is_set_is_kept_once_there_is_room(
    desk: Desk, film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(desk, film)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("framebrush.base.files.os.fsync", full)
        desk.window.inspector.panel.keys.set("strength", 0.5)
        desk.settle()
        desk.wait(lambda: "cannot be kept" in desk.window.messages.text, "the message")
        assert kept(desk) == []
    desk.close()
    (file,) = kept(desk)
    assert [track.of for track in read_project(file, film=film).keys] == ["strength"]


@pytest.mark.parametrize("named", [False, True])
def test_a_full_disk_is_told_until_the_settings_are_kept(
    desk: Desk, film: Path, named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(desk, film)
    withdrawn: list[str] = []
    desk.window.session.withdrawn.connect(withdrawn.append)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    desk.window.inspector.panel.keys.set("strength", 0.4)
    desk.wait(lambda: kept(desk) != [], "the settings, without a failure")
    desk.settle()
    with monkeypatch.context() as patched:
        patched.setattr("framebrush.base.files.os.fsync", full)
        desk.window.inspector.panel.keys.set("strength", 0.5)
        desk.wait(lambda: "cannot be kept" in desk.window.messages.text, "the message")
    told = desk.window.messages.text
    if named:
        desk.window.project.save_as(film.parent / "mine.framebrush")
    else:
        desk.window.inspector.panel.keys.set("strength", 0.6)
    desk.wait(lambda: desk.window.messages.text == "", "the end of the message")
    assert withdrawn == [told]


def test_a_project_whose_folder_is_gone_goes_on_as_a_copy(desk: Desk, tmp_path: Path, film: Path) -> None:
    (tmp_path / "stick").mkdir()
    begun(desk, film)
    desk.window.project.save_as(tmp_path / "stick" / "mine.framebrush")
    desk.wait(lambda: desk.window.session.project is not None, "the file")
    shutil.rmtree(tmp_path / "stick")
    (tmp_path / "stick").touch()
    desk.window.inspector.panel.keys.set("strength", 0.5)
    desk.settle()
    desk.wait(lambda: "from now on" in desk.window.messages.text, "the message")
    copy = desk.window.session.project
    assert copy is not None
    assert copy.parent == desk.settings.data_folder / "projects"
    assert [track.of for track in read_project(copy).keys] == ["strength"]


def test_a_project_that_cannot_be_saved_there_is_saved_once_it_can(desk: Desk, tmp_path: Path, film: Path) -> None:
    begun(desk, film)
    stick = tmp_path / "stick"
    stick.touch()
    desk.window.project.save_as(stick / "mine.framebrush")
    desk.wait(lambda: "mine.framebrush cannot be written. Choose another" in desk.window.messages.text, "the message")
    assert desk.window.session.project is None
    stick.unlink()
    stick.mkdir()
    desk.window.project.save_as(stick / "mine.framebrush")
    desk.wait(lambda: desk.window.session.project == stick / "mine.framebrush", "the file")


def test_a_project_is_saved_beside_its_film_or_where_it_was(
    desk: Desk, film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(desk, film)
    asked, answers = list[Path](), iter([tmp_path / "mine.framebrush", tmp_path / "other.framebrush"])

    def answer(parent: object, title: str, start: str, patterns: str) -> tuple[str, str]:
        asked.append(Path(start))
        return str(next(answers)), patterns

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    for _ in range(2):
        desk.window.actions_["save-project"].trigger()
        desk.wait(lambda: desk.window.session.project is not None, "the file")
    assert asked == [film.with_suffix(".framebrush"), tmp_path / "mine.framebrush"]


@pytest.mark.parametrize("names", ["abc", "aaa"])
def test_the_last_of_several_names_given_at_once_is_the_project(
    desk: Desk, tmp_path: Path, film: Path, names: str
) -> None:
    begun(desk, film)
    files = [tmp_path / f"{name}.framebrush" for name in names]
    told: list[str] = []
    desk.window.session.notified.connect(lambda notification: told.append(notification.text))
    keys = desk.window.inspector.panel.keys
    for number, file in enumerate(files):
        keys.set("strength", number / 4)
        desk.window.project.save_as(file)
    desk.wait(lambda: len(told) == 3, "all of them")
    assert told == [f"Saved as {file}" for file in files]
    assert desk.window.session.project == files[-1]
    keys.set("strength", 1.0)

    def value(file: Path) -> float | str:
        ((key,),) = (track.keys for track in read_project(file).keys)
        return key.value

    desk.wait(lambda: value(files[-1]) == 1.0, "the change")
    if names == "abc":
        assert [value(file) for file in files] == [0.25, 0.5, 1.0]  # each has changes until the next name


def test_a_project_without_its_film_is_refused_in_words(desk: Desk, tmp_path: Path, film: Path) -> None:
    begun(desk, film)
    desk.window.project.save_as(film.parent / "mine.framebrush")
    desk.wait(lambda: desk.window.session.project is not None, "the file")
    desk.window.player.close_video()
    desk.wait(lambda: desk.window.session.opened is None, "the end of the film")
    film.unlink()
    desk.window.opening.open(film.parent / "mine.framebrush")
    desk.wait(lambda: "put both into one folder" in desk.window.messages.text, "the message")


@pytest.mark.slow
def test_the_command_line_paints_a_project_as_the_window_exports_it(desk: Desk, tmp_path: Path, film: Path) -> None:
    begun(desk, film)
    set_all(desk)
    desk.settle()
    desk.window.exporting.ask()
    dialog = desk.window.findChild(ExportDialog)
    assert dialog is not None
    desk.wait(lambda: not dialog.quality.is_sought, "the encoder")
    dialog.quality.use(30)
    dialog.controls.codec_box.setCurrentIndex(dialog.controls.codec_box.findData("h264"))
    dialog.controls.size_box.setCurrentIndex(dialog.controls.size_box.count() - 1)
    desk.wait(lambda: not dialog.quality.is_sought, "the encoder")
    dialog.target.name_field.setText(str(tmp_path / "window.mp4"))
    jobs: list[JobSpec] = []
    dialog.queued.disconnect()
    dialog.queued.connect(jobs.append)
    dialog.queued.connect(desk.window.project.take_export)
    dialog.add_button.click()
    (job,) = jobs
    assert job.output.crf == 30
    file = tmp_path / "mine.framebrush"
    desk.window.project.save_as(file)
    desk.wait(lambda: desk.window.session.project == file, "the file")
    desk.window.exporting.ask()
    again = [each for each in desk.window.findChildren(ExportDialog) if each.isVisible()][-1]
    desk.wait(lambda: not again.quality.is_sought, "the encoder")
    assert replace(again.spec, target=job.target) == job
    again.reject()
    desk.close()
    with job_runner(job) as paint:
        paint(job)
    assert run(["transcode", str(file), str(tmp_path / "command.mp4"), "--device", "cpu", "--progress", "none"]) == 0
    assert (tmp_path / "command.mp4").read_bytes() == (tmp_path / "window.mp4").read_bytes()


def test_a_project_among_exports_has_its_own_settings(desk: Desk, film: Path) -> None:
    desk.exports.stop()  # nothing is painted
    recipe = Recipe(StyleSpec("ink"), Look(strength=0.5))
    job = JobSpec(str(film), TARGET, recipe, TimeRange(_at(2), _at(5)), output=OutputOptions(audio="none"))
    write_project(Project(job), film.parent / "mine.framebrush")
    desk.window.exporting.add([film.parent / "mine.framebrush"])
    desk.wait(lambda: bool(desk.exports.queue.jobs), "the export")
    (made,) = desk.exports.queue.jobs
    target = str(film.parent / "mine-painted.mp4")
    assert made.spec == replace(job, target=target, device="cpu")
    desk.exports.remove(made)  # or the window would ask about it as it closes
    (film.parent / "bad.framebrush").touch()
    desk.window.exporting.add([film.parent / "bad.framebrush"])
    desk.wait(lambda: "is not a project" in desk.window.messages.text, "the message")


@pytest.mark.slow
def test_what_changes_no_picture_survives_a_crash_too(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    told = [""]
    monkeypatch.setattr("framebrush.base.supervision.tell", told.append)
    desk.open("cfr.mp4")
    desk.wait(lambda: "cfr.mp4" in told[-1], "the film")
    desk.window.actions_["marker"].trigger()
    desk.wait(lambda: "Marker 1" in told[-1], "the marker")


@pytest.mark.slow
def test_a_window_that_follows_one_that_died_goes_on_with_its_project(
    application: QApplication, tmp_path: Path, film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = begun(Desk(tmp_path), film)
    told = [""]
    monkeypatch.setattr("framebrush.base.supervision.tell", told.append)
    set_all(desk)
    file = tmp_path / "mine.framebrush"
    desk.window.project.save_as(file)
    desk.wait(lambda: desk.window.session.project == file, "the file")
    desk.window.player.seek(_at(9))
    monkeypatch.setattr(desk.window.project, "keep", lambda: None)  # it died before
    desk.window.inspector.panel.keys.set("strength", 0.5)
    desk.settle()
    left = state(desk)
    desk.wait(lambda: '"number": 9, "choice"' in told[-1] and '"strength", "keys"' in told[-1], "the place")
    place = from_values(RestorePoint, json.loads(told[-1]), "place")
    assert place.project == str(file)
    desk.close()
    other = Desk(tmp_path, source=place.project, back_at=place)
    other.wait(lambda: other.window.session.project == file, "the project")
    other.wait(lambda: other.window.session.shown_at.number == 9, "the place")
    other.wait(lambda: state(other) == left, f"{left} (it is {state(other)})")
    other.close()
    assert {track.of for track in read_project(file).keys} == {"strength", "exposure_ev"}


@pytest.mark.parametrize("way", ["film", "project", "options"])
def test_a_film_of_the_launch_that_has_moved_leaves_the_next_film_as_it_was_left(
    application: QApplication, tmp_path: Path, film: Path, way: str
) -> None:
    """After a crash, or with options of the command line."""
    desk = begun(Desk(tmp_path), film)
    desk.window.inspector.panel.keys.set("strength", 0.5)
    left = state(desk)
    desk.wait(lambda: bool(kept(desk)), "the settings")
    desk.close()
    gone, choice = film.with_name("gone.mp4"), replace(desk.window.session.choice, film=str(film.with_name("gone.mp4")))
    file = gone.with_suffix(".framebrush")
    marks = InOutChanged(InOutPoint(2, 0.08), InOutPoint(6, 0.24))
    recipe = replace(choice.recipe, keys=())
    write_project(Project(JobSpec(str(gone), TARGET, recipe)), file)
    point = RestorePoint(
        str(gone), 9, replace(choice, recipe=recipe, range=marks), str(file) if way == "project" else ""
    )
    again = {"style": "ink"} if way == "options" else {"back_at": point}
    other = Desk(tmp_path, source=str(file if way == "project" else gone), **again)  # type: ignore[arg-type]
    other.wait(lambda: "gone.mp4" in other.window.messages.text, "the message")
    begun(other, film)
    other.wait(lambda: state(other) == left, f"{left} (it is {state(other)})")
    assert other.window.session.shown_at.number == 0
    other.close()


def test_undo_ends_where_the_first_project_is_taken_up(desk: Desk) -> None:
    """Before a style is in use, as well."""
    window, session = desk.window, desk.window.session
    history = History(session, window.actions_, window.painting.keys, window.mask_strokes)
    for strength in (0.75, 0.5):
        session.use(strength=strength)
        history.begin_at(session.choice)
    history.undo()
    assert session.choice.look.strength == 0.75
