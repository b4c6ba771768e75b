"""Project files: settings of a film that are found again by its contents."""

from __future__ import annotations

import json
import shutil
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import framebrush
from assets.make_clips import CLIPS
from framebrush.api.film import Film
from framebrush.api.keywords import FilmOptions, job_of
from framebrush.base.json_values import to_values
from framebrush.cli.command_line import run
from framebrush.gpu.look import Look
from framebrush.jobs import project as projects
from framebrush.jobs.identity import SourceIdentity
from framebrush.jobs.keyframes import Key, Track
from framebrush.jobs.project import (
    NewerProjectError,
    Project,
    ProjectError,
    ProjectFolder,
    job_of_source,
    read_project,
    write_project,
)
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import DecodeOptions, JobSpec
from framebrush.media.video import PLAIN_FILE, Position, RangeError, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.styles.specs import BRUSH_PICTURES, ColourSpec, SizeSpec, StyleSpec
from tests.app.cli.test_cli_options import OTHER

pytestmark = pytest.mark.unit

KNOWN = FilmOptions.__optional_keys__


def at(number: int) -> Position:
    return Position(Fraction(number), "frame")


STRENGTH = Track("strength", (Key(at(0), 0.25, "ease"), Key(at(8), 0.1 + 0.2, "hold")))
STROKES = Track("stroke", (Key(at(2), "auto", "hold"), Key(at(4), 2.5, "hold")))
STYLES = Track("style", (Key(at(0), "ink", "hold"), Key(at(5), "udnie:0.5,scream:0.5", "linear")))


def film_in(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(CLIPS / "cfr.mp4", folder / "film.mp4"))


MARKERS = (projects.Marker(3, "The door opens"), projects.Marker(8, "Tür"))


def whole(folder: Path) -> Project:
    """Everything that a project holds, in files of one folder."""
    film = film_in(folder)
    pictures = {name: str(folder / "pictures" / f"{name}.png") for name in BRUSH_PICTURES}
    for path in pictures.values():
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).touch()
    (folder / "own.onnx").touch()
    recipe = Recipe(
        StyleSpec(str(folder / "own.onnx"), PreprocessingOverrides("nhwc", "bgr", values=(("sigma", 0.1),))),
        replace(OTHER, split=0.5),
        SizeSpec(2.5, "64x48", brush_kind="bristle", few_strokes=True, mask_grow=2.0, **pictures),  # type: ignore[arg-type]
        ColourSpec(palette_from=str(folder / "pictures" / "mask.png"), lut_first=True),
        (STRENGTH, STROKES),
    )
    job = JobSpec(
        str(film),
        str(folder / "painted.mkv"),
        recipe,
        TimeRange(at(3), at(9)),
        512,
        DecodeOptions("single", "cuda", playlists=True, rate=Fraction(24), dolby_vision=True),
        OutputOptions("libx264", 18.0, "slow", "yuv422p10le", "none", overwrite=True, hdr="keep"),
        "cuda",
        "float16",
        60,
        "shot",
        "directml",
        owner="somebody",
    )
    identity = SourceIdentity.of(film, PLAIN_FILE)
    return Project(job, identity, (STYLES,), (0.12, 0.4), sound_ms=150, subtitles_ms=-50, markers=MARKERS)


def test_a_project_comes_back_whole_without_the_settings_of_a_machine(tmp_path: Path) -> None:
    project = whole(tmp_path)
    write_project(project, tmp_path / "a.framebrush")
    assert read_project(tmp_path / "a.framebrush") == project
    defaults = JobSpec("a", "b", Recipe(StyleSpec("none")))
    for name in ("tiling", "device", "precision", "segments", "engine", "owner"):
        assert getattr(project.job, name) == getattr(defaults, name), name
    assert project.job.decode == DecodeOptions("single")
    assert not project.job.output.overwrite
    assert project.job.look.split is None
    same = {each.name for each in fields(Project) if each.default == getattr(project, each.name)}
    assert same == set(), "a field that this test does not try"


@pytest.mark.parametrize("place", ["film.framebrush", "projects/film.framebrush"])
def test_a_folder_that_moves_takes_its_projects_along(tmp_path: Path, place: str) -> None:
    project = whole(tmp_path / "here")
    write_project(project, tmp_path / "here" / place)
    (tmp_path / "here").rename(tmp_path / "there")
    found = read_project(tmp_path / "there" / place)
    assert str(tmp_path / "here") not in json.dumps(to_values(found))
    assert found == project.with_files(lambda path: path.replace(str(tmp_path / "here"), str(tmp_path / "there")))


def test_a_project_that_moves_alone_finds_its_files_where_they_were(tmp_path: Path) -> None:
    project = whole(tmp_path / "here")
    write_project(project, tmp_path / "here" / "film.framebrush")
    (tmp_path / "far" / "away").mkdir(parents=True)
    shutil.move(tmp_path / "here" / "film.framebrush", tmp_path / "far" / "away")
    found = read_project(tmp_path / "far" / "away" / "film.framebrush")
    assert found.with_files(lambda path: "x") == project.with_files(lambda path: "x")
    assert found.job.source == project.job.source
    assert found.job.recipe.files == project.job.recipe.files


def test_a_film_is_known_by_its_contents(tmp_path: Path) -> None:
    project = whole(tmp_path / "here")
    write_project(project, tmp_path / "here" / "film.framebrush")
    (tmp_path / "there").mkdir()
    shutil.move(tmp_path / "here" / "film.framebrush", tmp_path / "there")
    shutil.copy(CLIPS / "extras.mp4", tmp_path / "there" / "film.mp4")
    told: list[str] = []
    assert read_project(tmp_path / "there" / "film.framebrush", told.append).job.source == project.job.source
    assert told == []
    (tmp_path / "here" / "film.mp4").unlink()
    found = read_project(tmp_path / "there" / "film.framebrush", told.append)
    assert found.job.source == str(tmp_path / "there" / "film.mp4")
    assert len(told) == 1
    assert "is not the film that" in told[0]
    (tmp_path / "there" / "film.mp4").unlink()
    with pytest.raises(ProjectError, match=r"its film film\.mp4 is not in .*there, .*here; put both into one folder"):
        read_project(tmp_path / "there" / "film.framebrush")


def test_files_that_move_with_a_film_are_found_for_it(tmp_path: Path) -> None:
    project = whole(tmp_path / "here")
    write_project(project, tmp_path / "data" / "kept.framebrush")
    (tmp_path / "here").rename(tmp_path / "there")
    found = read_project(tmp_path / "data" / "kept.framebrush", film=tmp_path / "there" / "film.mp4")
    there = project.with_files(lambda path: path.replace(str(tmp_path / "here"), str(tmp_path / "there")))
    assert found.job.recipe == there.job.recipe


def test_no_text_of_a_project_opens_a_camera(tmp_path: Path) -> None:
    project = whole(tmp_path)
    write_project(project, tmp_path / "a.framebrush")
    values = json.loads((tmp_path / "a.framebrush").read_text())
    for source in ("camera:0", "lavfi:testsrc2", "-", "raw:size=2x2"):
        values["job"]["source"] = source
        (tmp_path / "a.framebrush").write_text(json.dumps(values))
        with pytest.raises(ProjectError, match="is not in"):
            read_project(tmp_path / "a.framebrush")


def _changed(values: dict[str, Any], **others: Any) -> str:  # noqa: ANN401
    return json.dumps({**values, **others})


@pytest.mark.parametrize("kind", ["", "[]", "{", "{}", "\x00" * 9, "[" * 100_000])
def test_a_file_that_is_no_project_is_refused_in_words(tmp_path: Path, kind: str) -> None:
    (tmp_path / "a.framebrush").write_text(kind)
    with pytest.raises(ProjectError, match=r"a\.framebrush is not a project: it is"):
        read_project(tmp_path / "a.framebrush")


def test_damaged_and_other_values_are_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "a.framebrush"
    write_project(whole(tmp_path), path)
    values = json.loads(path.read_text())
    bad: dict[str, dict[str, Any]] = {
        "has no version": {"framebrush_project": 0},
        "unknown field": {"more": 1},
        "a delay is more than": {"sound_ms": 10**6},
        "has keyframes twice": {"waiting": [to_values(STRENGTH)]},
        "a job must be": {"job": None},
        "or no folder": {"folder": 3},
        "out of order": {"markers": [to_values(marker) for marker in reversed(MARKERS)]},
        "two at a frame": {"markers": [to_values(MARKERS[0])] * 2},
        "a marker is at frame -1": {"markers": [{"number": -1, "name": "x"}]},
        "more than 200 letters": {"markers": [{"number": 1, "name": "x" * 201}]},
    }
    for words, others in bad.items():
        path.write_text(_changed(values, **others))
        with pytest.raises(ProjectError, match=words):
            read_project(path)
    path.write_text(_changed(values, framebrush_project=projects.VERSION + 1, news=[]))
    with pytest.raises(NewerProjectError, match=r"written by a newer Framebrush .*; update Framebrush"):
        read_project(path)
    path.write_bytes(b" " * (projects.MAX_BYTES + 1))
    with pytest.raises(ProjectError, match="cannot be read"):
        read_project(path)
    with pytest.raises(ProjectError, match="cannot be read"):
        read_project(tmp_path / "none.framebrush")


def test_a_project_of_the_first_version_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.framebrush"
    project = whole(tmp_path)
    write_project(project, path)
    values = json.loads(path.read_text())
    del values["markers"]
    path.write_text(_changed(values, framebrush_project=1))
    assert read_project(path) == replace(project, markers=())


def test_a_name_of_a_marker_is_one_line(tmp_path: Path) -> None:
    assert projects.Marker(1, "a\nb\x1b").name == "a b\N{REPLACEMENT CHARACTER}"


def test_a_failed_write_leaves_the_former_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.framebrush"
    project = whole(tmp_path)
    write_project(project, path)
    before = sorted(tmp_path.iterdir())

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("framebrush.base.files.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_project(replace(project, sound_ms=0), path)
    assert read_project(path) == project
    assert sorted(tmp_path.iterdir()) == before


def test_numbers_of_frames_are_those_of_the_export(tmp_path: Path) -> None:
    project = whole(tmp_path)
    assert project.job_to("x.mkv") == replace(project.job, target="x.mkv")
    twice = project.job_to("x.mkv", "double")
    assert twice.decode == DecodeOptions("double")
    assert twice.range == TimeRange(at(6), at(18))
    assert [key.at for key in twice.keys[0].keys] == [at(0), at(16)]
    kept = replace(project, job=replace(project.job, decode=DecodeOptions("double")))
    assert kept.job_to("x.mkv") == twice


def test_kept_projects_are_found_by_contents_and_copies_never_replace(tmp_path: Path) -> None:
    folder, project = ProjectFolder(tmp_path / "projects"), whole(tmp_path)
    assert project.film is not None
    place = folder.place_of(project.film)
    write_project(project, place)
    moved = tmp_path / "moved.mov"
    shutil.move(project.job.source, moved)
    assert folder.place_of(SourceIdentity.of(moved, PLAIN_FILE)) == place
    assert read_project(place, film=moved).job.source == str(moved)
    other = folder.place_of(SourceIdentity.of(CLIPS / "extras.mp4", PLAIN_FILE))
    assert other != place
    names = [folder.keep_copy(project, "film").name for _ in range(2)]
    assert names == ["film.framebrush", "film 2.framebrush"]
    aside = [folder.put_aside(folder.path / name) for name in names]
    assert [each and each.read_bytes() != b"" for each in aside] == [True, True]
    (folder.path / "film.framebrush").touch()
    again = folder.put_aside(folder.path / "film.framebrush")
    assert again is not None
    assert again not in aside


def test_the_command_line_takes_a_project_whole(tmp_path: Path) -> None:
    project, spec = whole(tmp_path), tmp_path / "job.json"
    project = replace(project, job=replace(project.job, output=replace(project.job.output, stream=None)))
    write_project(project, tmp_path / "a.framebrush")

    def asked(*more: str) -> JobSpec:
        words = ["transcode", str(tmp_path / "a.framebrush"), "out.mkv", "--save-spec", str(spec), *more]
        assert run(words) == 0
        return JobSpec.from_json(spec.read_text())

    assert asked() == project.job_to("out.mkv")
    assert asked("--strength", "0.875").look == replace(project.job.look, strength=0.875)
    assert asked("--deinterlace", "double") == project.job_to("out.mkv", "double")
    sized = replace(project, job=replace(project.job, output=OutputOptions(target_bytes=12_345_678, pix_fmt="source")))
    write_project(sized, tmp_path / "a.framebrush")
    assert asked() == sized.job_to("out.mkv")


def test_a_look_given_too_replaces_the_look_alone(tmp_path: Path) -> None:
    from framebrush.jobs.saved_look import write_look

    project, look, spec = whole(tmp_path), tmp_path / "look.json", tmp_path / "job.json"
    write_project(project, tmp_path / "a.framebrush")
    write_look(Recipe(StyleSpec("ink"), Look(strength=0.5)), look)
    source = str(tmp_path / "a.framebrush")
    for words in ([source, "out.mkv", "--look", str(look)], ["--look", str(look), source, "out.mkv"]):
        assert run(["transcode", *words, "--save-spec", str(spec)]) == 0
        job = JobSpec.from_json(spec.read_text())
        assert (job.style.name, job.look.strength, job.keys) == ("ink", 0.5, project.job.keys)
        assert job.range == project.job.range


def test_another_style_is_not_read_as_the_network_of_a_look_or_project(tmp_path: Path) -> None:
    from framebrush.jobs.saved_look import write_look

    project, look, spec = whole(tmp_path), tmp_path / "look.json", tmp_path / "job.json"
    write_project(project, tmp_path / "a.framebrush")
    write_look(project.job.recipe.of_any_film, look)
    given, own = ["--style", "scream"], StyleSpec("scream")
    for words in ([str(tmp_path / "a.framebrush")], ["in.mp4", "--look", str(look)]):
        assert run(["transcode", *words, "out.mkv", *given, "--save-spec", str(spec)]) == 0
        assert JobSpec.from_json(spec.read_text()).style == own
    assert run(["transcode", *words, "out.mkv", *given, "--net-order", "rgb", "--save-spec", str(spec)]) == 0
    assert JobSpec.from_json(spec.read_text()).style == StyleSpec("scream", PreprocessingOverrides(order="rgb"))
    assert job_of(str(tmp_path / "a.framebrush"), "scream", {}, KNOWN).style == own
    assert job_of("in.mp4", "scream", {"look": str(look)}, KNOWN).style == own
    assert job_of("in.mp4", None, {"look": str(look)}, KNOWN).style == project.job.style


@pytest.mark.parametrize(
    ("last", "words", "expected"),
    [
        (OutputOptions(crf=18.0), "--target-size 5MB", OutputOptions(target_bytes=5_000_000)),
        (OutputOptions(target_bytes=9_000_000), "--crf 20", OutputOptions(crf=20.0)),
        (OutputOptions("prores", None, "hq", "yuv422p10le"), "--codec hevc", OutputOptions("hevc")),
        (OutputOptions("libx264", 30.0, "slow"), "--codec av1 --crf 40", OutputOptions("av1", 40.0)),
    ],
)
def test_what_belongs_to_an_overridden_encoding_goes_with_it(
    tmp_path: Path, last: OutputOptions, words: str, expected: OutputOptions
) -> None:
    project, spec = whole(tmp_path), tmp_path / "job.json"
    write_project(replace(project, job=replace(project.job, output=last)), tmp_path / "a.framebrush")
    source = str(tmp_path / "a.framebrush")
    assert run(["transcode", source, "out.mkv", *words.split(), "--save-spec", str(spec)]) == 0
    assert JobSpec.from_json(spec.read_text()).output == expected


def test_a_job_file_replaces_no_film(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film = film_in(tmp_path)
    assert run(["transcode", str(film), str(tmp_path / "out.mkv"), "--save-spec", str(film)]) != 0
    assert "film.mp4 is named like a video" in capsys.readouterr().err
    assert film.read_bytes() == (CLIPS / "cfr.mp4").read_bytes()


@pytest.mark.media
def test_points_of_a_project_beside_given_ones_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film, target = film_in(tmp_path), str(tmp_path / "out.mkv")
    job = JobSpec(str(film), projects.TARGET, Recipe(StyleSpec("none")), TimeRange(at(3), at(5)))
    write_project(Project(job, SourceIdentity.of(film, PLAIN_FILE)), tmp_path / "a.framebrush")
    words = ["transcode", str(tmp_path / "a.framebrush"), target, "--device", "cpu", "--progress", "none", "-y"]
    assert run([*words, "--end", "2f"]) == 1
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "--start is 3f, as in the project"
    assert said[1].endswith("film.mp4: the requested range contains no frame; choose a later end or an earlier start")
    assert run([*words, "--start", "2f"]) == 0
    assert "--end is 5f, as in the project" in capsys.readouterr().err
    assert run(words) == 0
    assert "as in the project" not in capsys.readouterr().err
    source, none_there = words[1], r"choose a later end or an earlier start \(start is 3f, as in the project\)$"
    with pytest.raises(RangeError, match=none_there):
        framebrush.open(source, end="2f", device="cpu")
    with pytest.raises(RangeError, match=r"an earlier start \(end is 5f, as in the project\)$"):
        framebrush.open(source, start="7f", device="cpu")
    with pytest.raises(RangeError, match=r"an earlier start$"):
        framebrush.open(source, start="7f", end="5f", device="cpu")
    with framebrush.open(source, start=None, end="1f", device="cpu") as opened:
        assert len(list(opened)) == 1


@pytest.mark.media
def test_a_batch_names_projects_of_one_film(tmp_path: Path) -> None:
    film, report = film_in(tmp_path), tmp_path / "report.json"
    job = JobSpec(str(film), projects.TARGET, Recipe(StyleSpec("none")), TimeRange(at(2), at(5)))
    sources = [str(tmp_path / f"{name}.framebrush") for name in "ab"]
    for source in sources:
        write_project(Project(job, SourceIdentity.of(film, PLAIN_FILE)), Path(source))
    words = ["--out", str(tmp_path / "out"), "--report", str(report), "--device", "cpu", "--progress", "none"]
    assert run(["batch", *sources, *words]) == 0
    assert [each["source"] for each in json.loads(report.read_text())] == sources


def test_a_command_that_takes_no_project_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_project(whole(tmp_path), tmp_path / "a.framebrush")
    for words in (["keys", str(tmp_path / "a.framebrush"), "extract"], ["bench", str(tmp_path / "a.framebrush")]):
        assert run(words) == 2
        assert "a.framebrush is a project, or named like one" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.media
def test_points_of_a_project_are_no_range_of_a_time_lapse_or_of_strokes(tmp_path: Path) -> None:
    film = film_in(tmp_path)
    job = JobSpec(str(film), projects.TARGET, Recipe(StyleSpec("none"), Look(brush=1.0)), TimeRange(at(2), at(5)))
    write_project(Project(job, SourceIdentity.of(film, PLAIN_FILE)), tmp_path / "a.framebrush")
    source = str(tmp_path / "a.framebrush")
    assert run(["strokes", source, str(tmp_path / "out.svg"), "--at", "1f"]) == 0
    assert b"<desc>Frame 1," in (tmp_path / "out.svg").read_bytes()
    target = str(tmp_path / "%d.png")
    assert run(["reveal", source, target, "--seconds", "0.3", "--fps", "10", "--progress", "none"]) == 0
    assert len(list(tmp_path.glob("?.png"))) == 3


def test_a_batch_takes_projects_and_keeps_its_own_machine(tmp_path: Path) -> None:
    project = whole(tmp_path)
    write_project(project, tmp_path / "a.framebrush")
    settings = JobSpec("IN", "OUT", Recipe(StyleSpec("none")), device="cpu", output=OutputOptions(overwrite=True))
    job = job_of_source(settings, str(tmp_path / "a.framebrush"), "x.mkv")
    own = project.job_to("x.mkv")
    assert job == replace(own, device="cpu", output=replace(own.output, overwrite=True))
    assert job_of_source(settings, "film.mp4", "x.mkv") == replace(settings, source="film.mp4", target="x.mkv")


@pytest.mark.slow
@pytest.mark.media
def test_a_project_is_painted_by_command_batch_and_python_as_its_options_are(tmp_path: Path) -> None:
    film = film_in(tmp_path)
    options = OutputOptions("libx264", 20.0, "ultrafast")
    tracks = (Track("strength", (Key(at(0), 0.0, "linear"), Key(at(4), 1.0, "linear"))),)
    recipe = Recipe(StyleSpec("ink"), Look(strength=0.75, relief=0.5), SizeSpec(size="64x48"), keys=tracks)
    job = JobSpec(str(film), projects.TARGET, recipe, TimeRange(at(2), at(5)), output=options)
    write_project(Project(job, SourceIdentity.of(film, PLAIN_FILE)), tmp_path / "a.framebrush")
    project = str(tmp_path / "a.framebrush")
    words = ["--style", "ink", "--strength", "0.75", "--relief", "0.5", "--size", "64x48", "--start", "2f"]
    words += ["--end", "5f", "--codec", "libx264", "--crf", "20", "--preset", "ultrafast"]
    words += ["--key", "strength@0f=0", "--key", "strength@4f=1"]
    here = ["--device", "cpu", "--progress", "none"]
    assert run(["transcode", str(film), str(tmp_path / "options.mp4"), *words, *here]) == 0
    assert run(["transcode", project, str(tmp_path / "project.mp4"), *here]) == 0
    assert (tmp_path / "project.mp4").read_bytes() == (tmp_path / "options.mp4").read_bytes()
    for source in (project, str(film)):  # in another process
        given = words if source == str(film) else []
        assert run(["batch", source, "--out", str(tmp_path / "out"), *here, *given]) == 0
    assert (tmp_path / "out" / "a.mp4").read_bytes() == (tmp_path / "out" / "film.mp4").read_bytes()
    with framebrush.open(project, device="cpu") as by_project:
        pictures = [frame.picture for frame in by_project]
    same = job_of(
        str(film), "ink", {"strength": 0.75, "relief": 0.5, "size": "64x48", "start": "2f", "end": "5f"}, KNOWN
    )
    keyed = replace(same, device="cpu", recipe=replace(same.recipe, keys=tracks))
    with Film(keyed) as by_options:
        expected = [frame.picture for frame in by_options]
    assert len(pictures) == 3
    assert all(np.array_equal(one, other) for one, other in zip(pictures, expected, strict=True))
    assert run(["frame", project, str(tmp_path / "one.png"), "--at", "3f", "--device", "cpu"]) == 0
    strokes = ["--style", "ink", "--strength", "0.75", "--relief", "0.5", "--size", "64x48", *words[-4:]]
    assert run(["frame", str(film), str(tmp_path / "two.png"), "--at", "3f", "--device", "cpu", *strokes]) == 0
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()


def test_a_project_and_a_job_file_exclude_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = whole(tmp_path)
    write_project(project, tmp_path / "a.framebrush")
    (tmp_path / "job.json").write_text(project.job_to("x.mkv").to_json())
    assert run(["transcode", str(tmp_path / "a.framebrush"), "x.mkv", "--spec", str(tmp_path / "job.json")]) == 1
    assert "leave out one of them" in capsys.readouterr().err


def test_a_missing_film_and_a_damaged_project_are_told_by_command_and_batch(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = tmp_path / "a.framebrush"
    write_project(whole(tmp_path), project)
    (tmp_path / "film.mp4").unlink()
    assert run(["transcode", str(project), str(tmp_path / "x.mp4")]) == 2
    assert "put both into one folder" in capsys.readouterr().err
    with pytest.raises(ProjectError, match="put both into one folder"):
        framebrush.open(project)
    project.write_text("{")
    assert run(["transcode", str(project), str(tmp_path / "x.mp4")]) == 2
    assert "is not a project" in capsys.readouterr().err
