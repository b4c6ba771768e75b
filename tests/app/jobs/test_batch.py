"""Folders of videos: each file is painted, skipped, or reported with its error."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from assets.make_clips import CLIPS
from framebrush.base.child import Child
from framebrush.base.file_names import PROJECT_SUFFIX
from framebrush.cli.command_line import run
from framebrush.gpu.cpu.device import CpuDevice
from framebrush.gpu.cpu.stylizer import CpuStylizer
from framebrush.gpu.device import NO_DIAGNOSIS
from framebrush.gpu.errors import DeviceLostError
from framebrush.gpu.look import Look
from framebrush.gpu.settings import StylizerPlan
from framebrush.jobs.batch import batch_process
from framebrush.jobs.batch import batch_run as batch_module
from framebrush.jobs.batch.batch_run import Batch, Pair, Watched, targets_of
from framebrush.jobs.batch.result_names import NAMES, Names
from framebrush.jobs.batch.results import Result, do_one
from framebrush.jobs.identity import Versions
from framebrush.jobs.pipeline import OutputFrame
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.segments.job_folder import FolderLock, write_json
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener, Progress, Status, ignore
from framebrush.jobs.workers.runner import Runner, job_runner
from framebrush.media.output_file import OutputFile
from framebrush.media.video import InputError, TimeRange, VideoInfo
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.models.library import bundled
from framebrush.styles.specs import ColourSpec, StyleSpec
from tests.app.jobs import jobs
from tests.app.jobs.footage import leftovers, shown
from tests.media.writing.test_writer_refusals import small_disk

pytestmark = pytest.mark.media

PLAIN = ["--style", "none", "--device", "cpu", "--preset", "ultrafast", "--codec", "h264", "--progress", "none"]

FAST = OutputOptions("libx264", preset="ultrafast")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder of three videos, one in a subfolder, a damaged video and a text."""
    videos = tmp_path / "in"
    (videos / "below").mkdir(parents=True)
    shutil.copy(CLIPS / "cfr.mp4", videos / "a.mp4")
    shutil.copy(CLIPS / "vfr.mkv", videos / "b.mkv")
    shutil.copy(CLIPS / "bframes.avi", videos / "below" / "c.avi")
    (videos / "broken.mp4").write_bytes(b"no video at all" * 100)
    (videos / "notes.txt").write_text("no video")
    (videos / ".hidden.mp4").write_bytes(b"")
    return videos


def test_a_report_named_like_a_video_is_refused_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["batch", str(CLIPS / "422.mp4"), "--out", str(tmp_path / "out"), "--report", str(tmp_path / "film.mp4")]
    assert run([*words, *PLAIN]) != 0
    assert "film.mp4 is named like a video" in capsys.readouterr().err
    assert not [*tmp_path.glob("out/*")]


@pytest.mark.slow
def test_the_report_and_json_lines_say_what_is_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, report = tmp_path / "out", tmp_path / "report.json"
    command = ["batch", str(CLIPS / "422.mp4"), "--out", str(out), "--frames", "3", "--report", str(report)]
    assert run([*command, *PLAIN, "--progress", "json"]) == 0
    losses = [{"key": "chroma", "text": "chroma resolution (4:2:2 becomes 4:2:0)", "incomplete": False}]
    (result,) = json.loads(report.read_text())
    assert (result["state"], result["losses"]) == ("done", losses)
    said = capsys.readouterr()
    assert json.loads(said.out.splitlines()[0])["losses"] == losses
    assert said.err.count("lost: chroma resolution (4:2:2 becomes 4:2:0)\n") == 1


@pytest.mark.parametrize("suffix", [".mp4", ".mkv"])
def test_what_a_result_lacks_is_said_again_by_a_later_run(suffix: str, runner: Runner, tmp_path: Path) -> None:
    """Though it is complete."""
    clip = "extras.mkv" if suffix == ".mp4" else "422.mp4"
    made = replace(SPEC, source=str(CLIPS / clip), target=str(tmp_path / f"out{suffix}"))
    said = list[str]()
    listener = Listener(said.append)
    first, second = (do_one(made, runner, listener, restart=False, made_here=False) for _ in range(2))
    assert said[0] == f"{made.source}:"
    assert said[-1].startswith(f"{made.target}: {first.frames} frames, ")
    assert (first.state, second.state, second.message, second.status) == ("done", "skipped", "already exists", 0)
    assert first.losses
    assert second.losses == first.losses


@pytest.mark.slow
def test_one_bad_file_stops_none(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, report = tmp_path / "out", tmp_path / "report.json"
    assert run(["batch", str(folder), "-r", "--out", str(out), "--report", str(report), *PLAIN]) == 1
    results = {Path(entry["source"]).name: entry for entry in json.loads(report.read_text())}
    assert {name: entry["state"] for name, entry in results.items()} == {
        "a.mp4": "done",
        "b.mkv": "done",
        "c.avi": "done",
        "broken.mp4": "failed",
    }
    assert "is not a video" in results["broken.mp4"]["message"]
    assert results["a.mp4"]["frames"] == 30
    assert sorted(str(path.relative_to(out)) for path in out.rglob("*.*")) == [
        NAMES,
        "a.mp4",
        "b.mkv",
        str(Path("below") / "c.mp4"),
    ]
    assert shown(out / "below" / "c.mp4")[0] == list(range(30))
    table = capsys.readouterr().err
    assert "broken.mp4" in table
    assert table.splitlines()[-1] == "4 videos: 3 done, 1 failed; exit status 1"
    assert results["broken.mp4"]["status"] == 2
    before = (out / "a.mp4").stat().st_mtime_ns
    (folder / "broken.mp4").unlink()
    assert run(["batch", str(folder), "-r", "--out", str(out), "--report", str(report), *PLAIN]) == 0
    assert {entry["state"] for entry in json.loads(report.read_text())} == {"skipped"}
    assert capsys.readouterr().err.splitlines()[-1] == "3 videos: 0 done, 3 skipped; exit status 0"
    assert run(["batch", str(folder), "--out", str(out), *PLAIN, "-y"]) == 0
    assert (out / "a.mp4").stat().st_mtime_ns == before  # it would be the same
    assert run(["batch", str(folder), "--out", str(out), *PLAIN, "-y", "--restart"]) == 0
    assert (out / "a.mp4").stat().st_mtime_ns != before


@pytest.mark.slow
def test_what_another_job_paints_is_left_to_it(folder: Path, tmp_path: Path) -> None:
    out, report = tmp_path / "out", tmp_path / "report.json"
    out.mkdir()
    with FolderLock(out / "a.mp4"), OutputFile(out / "b.mkv"):
        assert run(["batch", *map(str, folder.glob("[ab].*")), "--out", str(out), "--report", str(report), *PLAIN]) == 0
    results = [(entry["state"], entry["message"]) for entry in json.loads(report.read_text())]
    assert results == [("skipped", "another job is writing to it")] * 2
    assert leftovers(out) == [NAMES]


@pytest.mark.slow
def test_a_batch_goes_on_with_a_video_unless_it_is_asked_to_start_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, source = tmp_path / "out", str(CLIPS / "cfr.mp4")
    out.mkdir()
    options = [*PLAIN[:-2], "--segments", "10"]
    for asked, resumes in ([], True), (["--restart"], False):
        plan = ["job", "export", source, str(out / "cfr.mp4"), str(tmp_path / "job.json"), *options, "-y"]
        assert run(plan) == 0
        assert run(["job", "paint", str(out / "cfr.mp4.framebrush"), "1", "--device", "cpu"]) == 0
        capsys.readouterr()
        assert run(["batch", source, "--out", str(out), *options, "-y", *asked]) == 0
        assert ("resuming cfr.mp4" in capsys.readouterr().err) == resumes


@pytest.mark.parametrize("change", ["grows", "is another"])
def test_segments_of_a_film_that_has_grown_are_painted_anew(
    change: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, source = tmp_path / "out", tmp_path / "a.mkv"
    out.mkdir()
    options = [*PLAIN[:-2], "--segments", "4"]
    whole = (CLIPS / "extras.mkv").read_bytes()
    source.write_bytes(whole[: len(whole) // 2])
    assert run(["job", "export", str(source), str(out / "a.mkv"), str(tmp_path / "job.json"), *options]) == 0
    assert run(["job", "paint", str(out / "a.mkv.framebrush"), "0", "--device", "cpu"]) == 0
    source.write_bytes(whole if change == "grows" else whole[::-1] + whole)
    capsys.readouterr()
    status = run(["batch", str(source), "--out", str(out), *options])
    if change == "grows":
        assert (status, leftovers(out)) == (0, [NAMES, "a.mkv"])
        assert shown(out / "a.mkv")[0] == shown(CLIPS / "extras.mkv")[0]
    else:
        assert status != 0
        assert (out / "a.mkv.framebrush").is_dir()


def test_a_batch_writes_no_numbered_pictures(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"--name \{stem\}-%d\.png: a batch writes videos"):
        Names(tmp_path, "{stem}-%d.png", "none")


@pytest.mark.slow
def test_names_files_and_patterns(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, pattern = tmp_path / "out", str(folder / "*.m[kp][v4]")
    name = "{number}-{stem}-{style}{suffix}"
    names = Names(out, name, "scream:0.6,udnie:0.4")
    found = targets_of([str(folder / "b.mkv"), pattern], names, recursive=False)
    assert [pair.target.name for pair in found] == [
        "001-b-scream-0.6-udnie-0.4.mkv",
        "002-a-scream-0.6-udnie-0.4.mp4",
        "003-broken-scream-0.6-udnie-0.4.mp4",
    ]
    for bad, words in (("{nonesuch}.mp4", "nonesuch"), ("../{stem}.mp4", "folders"), ("", "not one of")):
        assert run(["batch", str(folder), "--out", str(out), "--name", bad, *PLAIN]) == 1
        assert words in capsys.readouterr().err
        assert not out.exists()
    assert run(["batch", str(tmp_path / "out"), "--out", str(out), *PLAIN]) == 2
    assert "no video found" in capsys.readouterr().err
    assert not out.exists()
    for source in (folder / "a.mp4", folder, folder / "*.mp4"):
        assert run(["batch", str(source), "--out", str(folder), *PLAIN]) == 2
        assert f"files in {folder}, the folder of the results, are not painted again; give another --out" in " ".join(
            capsys.readouterr().err.split()
        )


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
def test_names_are_shown_as_they_are_and_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in[").mkdir()
    for name in ("x].mp4", "[bold]y.mp4", "z\x1b[31m.mp4", f"{100 * 'a'}0.mp4"):
        shutil.copy(CLIPS / "cfr.mp4", Path("in[") / name)
    assert run(["batch", "in[", "--out", "out", "--frames", "1", *PLAIN]) == 0
    table = capsys.readouterr().err.split("video ")[-1]
    assert "\x1b" not in table
    assert "in[/x].mp4" in table
    assert "in[/[bold]y.mp4" in table
    assert table.count("a") >= 100


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
@pytest.mark.parametrize("out", ["loop", "loop/inside"])
def test_a_folder_that_is_a_circular_link_is_named(
    out: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("loop").symlink_to("loop")
    assert run(["batch", str(CLIPS / "cfr.mp4"), "--out", out, *PLAIN]) == 1
    assert f"the folder {Path(out)} cannot be created (" in capsys.readouterr().err


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with job_runner(SPEC) as run:
        yield run


SPEC = JobSpec("in", "out", Recipe(StyleSpec("none"), Look(steady=0.0)), device="cpu", output=FAST)


def painted(
    run: Runner, sources: list[Path], out: Path, job: JobSpec = SPEC, *, anew: bool = False
) -> dict[str, Result]:
    """What became of the videos of a batch in this process, by the names of sources. anew: -y."""
    names = Names(out, "{stem}{suffix}", job.style.name)
    job = replace(job, output=replace(job.output, overwrite=anew))

    def one(pair: Pair, made_here: bool) -> Result:
        made = replace(job, source=str(pair.source), target=str(pair.target))
        return do_one(made, run, restart=False, made_here=made_here)

    batch = Batch(one, ignore)
    pairs = targets_of([str(source) for source in sources], names, recursive=False)
    out.mkdir(exist_ok=True)
    names.save()
    batch.do(pairs)
    return {Path(result.source).name: result for result in batch.results}


@pytest.mark.parametrize("is_replaced", [False, True])
def test_what_one_job_has_lost_the_next_does_not_paint_on(
    is_replaced: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether another device has painted the rest of the first job, or that ended early."""
    used: list[CpuDevice] = []
    lost: list[CpuDevice] = []
    real_stylizer, real_submit = CpuDevice.stylizer_of, CpuStylizer.submit

    def stylizer(device: CpuDevice, plan: StylizerPlan) -> Any:  # noqa: ANN401
        if device in lost:
            raise DeviceLostError("it is still gone")
        used.append(device)
        return real_stylizer(device, plan)

    def lose() -> None:
        if not lost:
            lost.append(used[-1])
            raise DeviceLostError("it is gone")

    def submit(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401
        if is_replaced and named["place"] == 5:
            lose()
        return real_submit(*arguments, **named)

    def follow(painted: OutputFrame, _: VideoInfo) -> None:
        if not is_replaced and painted.number == 5:
            lose()

    monkeypatch.setattr(CpuDevice, "stylizer_of", stylizer)
    monkeypatch.setattr(CpuStylizer, "submit", submit)
    job = replace(
        SPEC,
        recipe=replace(SPEC.recipe, style=StyleSpec("ink")),
        source=str(CLIPS / "cfr.mp4"),
        range=TimeRange(frames=9),
    )
    with job_runner(job) as paint:
        states = [paint(replace(job, target=str(tmp_path / f"{n}.mp4")), Listener(frame=follow)) for n in (1, 2)]
    assert [state.status for state in states] == [Status.DONE if is_replaced else Status.LOSSES, Status.DONE]


def test_two_videos_never_write_one_file(runner: Runner, folder: Path, tmp_path: Path) -> None:
    """Each video keeps its own target name, in later runs and after a move."""
    shutil.copy(CLIPS / "bframes.avi", folder / "b.avi")
    (folder / "broken.mp4").unlink()
    out = tmp_path / "out"
    names = {"b.avi": "b.mp4", "b.mkv": "b.mkv", "a.mp4": "a.mp4"}
    found = painted(runner, [folder], out)
    assert {name: Path(result.target).name for name, result in found.items()} == names
    shutil.copy(CLIPS / "cfr.mp4", folder / "B.mp4")
    shutil.copy(CLIPS / "bframes.avi", folder / "a.avi")  # comes before a.mp4, whose name it would have
    found = painted(runner, [folder], out)
    new = {"B.mp4": "B-2.mp4", "a.avi": "a-2.mp4"}
    assert {name: Path(result.target).name for name, result in found.items()} == names | new
    assert {name: result.state for name, result in found.items()} == dict.fromkeys(names, "skipped") | dict.fromkeys(
        new, "done"
    )
    moved = folder.rename(tmp_path / "moved")
    found = painted(runner, [moved / "a.mp4", moved / "b.mkv"], out)
    assert {result.state for result in found.values()} == {"skipped"}
    other = tmp_path / "other" / "a.mp4"
    other.parent.mkdir()
    shutil.copy(CLIPS / "vfr.mp4", other)
    found = painted(runner, [other], out)
    assert (found["a.mp4"].state, Path(found["a.mp4"].target).name) == ("done", "a-3.mp4")


def test_a_number_stays_with_its_video(folder: Path, tmp_path: Path) -> None:
    out, name = tmp_path / "out", "{number}{suffix}"
    (folder / "broken.mp4").rename(folder / "z.mp4")

    def targets() -> dict[str, str]:
        names = Names(out, name, "none")
        found = {pair.source.name: pair.target.name for pair in targets_of([str(folder)], names, recursive=False)}
        out.mkdir(exist_ok=True)
        names.save()
        return found

    (folder / "a.mp4").rename(tmp_path / "a.mp4")
    assert targets() == {"b.mkv": "001.mkv", "z.mp4": "002.mp4"}
    (tmp_path / "a.mp4").rename(folder / "a.mp4")
    assert targets() == {"a.mp4": "003.mp4", "b.mkv": "001.mkv", "z.mp4": "002.mp4"}
    (folder / "z.mp4").unlink()
    assert targets() == {"a.mp4": "003.mp4", "b.mkv": "001.mkv"}
    text = (out / NAMES).read_text()
    assert not any(word in text for word in (folder.name + "/", "b.mkv", str(tmp_path)))
    (out / NAMES).write_text("{")
    assert targets() == {"a.mp4": "001.mp4", "b.mkv": "002.mkv"}


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".mp4", ".mov", ".mkv", ".webm"])
def test_what_a_result_was_made_of_decides(suffix: str, runner: Runner, tmp_path: Path) -> None:
    source, out = tmp_path / f"a{suffix}", tmp_path / "out"
    content = (CLIPS / "extras.mkv").read_bytes()
    source.write_bytes(content[: len(content) // 2])
    codec = OutputOptions("vp9", preset="8") if suffix == ".webm" else SPEC.output
    plain = replace(SPEC, output=codec)
    weaker = replace(plain, recipe=replace(plain.recipe, look=replace(plain.look, strength=0.5)))

    def state(job: JobSpec = plain, *, anew: bool = False) -> str:
        result = painted(runner, [source], out, job, anew=anew)[source.name]
        cut = source.stat().st_size < len(content)
        assert result.status == {"done": 0, "losses": 3, "skipped": 3 if cut else 0, "differs": 1}[result.state]
        incomplete = [loss.text for loss in result.losses if loss.incomplete]
        assert any("the source is truncated: " in text for text in incomplete) is (result.status == 3)
        assert all(text in result.message for text in incomplete)
        return result.state

    assert state() == "losses"
    half = len(list(jobs.numbers(out / source.name)))
    assert state() == "skipped"
    assert state(anew=True) == "skipped"
    assert state(replace(plain, device="0")) == "skipped"
    assert state(weaker) == "differs"
    assert state(weaker, anew=True) in ("done", "losses")
    assert state() == "differs"
    assert state(anew=True) in ("done", "losses")
    source.write_bytes(content)  # a copy that had stopped goes on
    assert state(weaker) == "differs"
    assert state() == "done"
    assert state() == "skipped"
    assert len(list(jobs.numbers(out / source.name))) > half
    source.write_bytes((CLIPS / "cfr.mp4").read_bytes())
    assert state() == "differs"
    assert state(anew=True) == "done"
    (out / source.name).write_bytes(content)  # it was another program's
    assert state() == "differs"


def test_what_another_version_made_stays(
    runner: Runner, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = folder / "a.mp4"
    painted(runner, [source], tmp_path / "out")
    here = Versions.here()
    monkeypatch.setattr(Versions, "here", lambda: replace(here, framebrush="0.0.1"))
    result = painted(runner, [source], tmp_path / "out")["a.mp4"]
    assert (result.state, result.status) == ("skipped", 0)
    assert "the versions (framebrush) changed" in result.message
    assert painted(runner, [source], tmp_path / "out", anew=True)["a.mp4"].state == "done"


@pytest.mark.parametrize("room", ["grows", "is there from the beginning"])
def test_a_watched_copy_that_pauses_is_painted_again_once_it_is_whole(
    room: str, runner: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_module, "LOOK_S", 0.0)
    source, out = tmp_path / "a.mkv", tmp_path / "out"
    content = (CLIPS / "extras.mkv").read_bytes()
    half = content[: len(content) // 2]
    source.write_bytes(half if room == "grows" else half.ljust(len(content), b"\0"))
    names, looks = Names(out, "{stem}{suffix}", "none"), itertools.count()

    def look() -> list[Pair]:
        match next(looks):
            case 2:
                source.write_bytes(content)
            case 4:
                raise KeyboardInterrupt
        return targets_of([str(source)], names, recursive=False)

    def one(pair: Pair, made_here: bool) -> Result:
        made = replace(SPEC, source=str(pair.source), target=str(pair.target))
        return do_one(made, runner, restart=False, made_here=made_here)

    states: list[list[str]] = []
    batch = Batch(one, lambda results: states.append([result.state for result in results]))
    with pytest.raises(KeyboardInterrupt):
        batch.watch(look, settled_s=0.0)
    assert [state[-1] in ("done", "losses") for state in states] == [True, True]
    assert states[-1] == ["done"]
    assert len(list(jobs.numbers(out / "a.mkv"))) == len(list(jobs.numbers(CLIPS / "extras.mkv")))
    assert batch.summary(batch.status) == "1 video: 1 done; exit status 0"


def test_a_video_that_found_the_disk_full_is_painted_once_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_module, "LOOK_S", 0.0)
    monkeypatch.setattr(batch_module, "FREED_BYTES", 1 << 20)
    source, looks, states = tmp_path / "a.mp4", itertools.count(), list[str]()
    shutil.copy(CLIPS / "cfr.mp4", source)
    with small_disk(tmp_path / "disk", "2m") as disk:
        pair, ballast = Pair(source, disk / "a.mp4"), disk / "ballast"
        ballast.write_bytes(bytes(2 << 20))

        def look() -> list[Pair]:
            match next(looks):
                case 4:
                    ballast.unlink()
                case 8:
                    raise KeyboardInterrupt
            return [pair]

        def one(pair: Pair, made_here: bool) -> Result:
            if made_here or pair.target.exists():
                return Result(str(source), str(pair.target), "skipped")
            with job_runner(SPEC) as run:
                made = replace(SPEC, source=str(pair.source), target=str(pair.target))
                return do_one(made, run, restart=False, made_here=made_here)

        batch = Batch(one, lambda results: states.append(results[0].state))
        with pytest.raises(KeyboardInterrupt):
            batch.watch(look, settled_s=0.0)
    assert states == ["failed", "done"]


@pytest.mark.parametrize("lock", [FolderLock, OutputFile])
@pytest.mark.parametrize("end", ["done", "died"])
def test_a_watched_video_that_another_job_writes_is_tried_again_once_it_is_free(
    lock: type[FolderLock | OutputFile], end: str, runner: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_module, "LOOK_S", 0.0)
    source, looks, states = tmp_path / "a.mp4", itertools.count(), list[str]()
    shutil.copy(CLIPS / "cfr.mp4", source)
    pair = Pair(source, tmp_path / "out" / "a.mp4")
    pair.target.parent.mkdir()
    other = lock(pair.target)

    def look() -> list[Pair]:
        match next(looks):
            case 4:
                left = list(pair.target.parent.rglob(".*.part-*"))
                other.close() if isinstance(other, FolderLock) else other.discard()
                if end == "died":  # its part file is still there, without a lock
                    for path in left:
                        path.parent.mkdir(exist_ok=True)
                        path.touch()
            case 8:
                raise KeyboardInterrupt
        return [pair]

    def one(pair: Pair, made_here: bool) -> Result:
        made = replace(SPEC, source=str(pair.source), target=str(pair.target))
        return do_one(made, runner, restart=False, made_here=made_here)

    batch = Batch(one, lambda results: states.append(results[0].state))
    with pytest.raises(KeyboardInterrupt):
        batch.watch(look, settled_s=0.0)
    assert states == ["skipped", "done"]
    assert leftovers(pair.target.parent) == ["a.mp4"]


def test_a_watched_folder_may_be_gone_for_a_while(tmp_path: Path) -> None:
    folder, out, said = tmp_path / "in", tmp_path / "out", list[str]()
    folder.mkdir()
    shutil.copy(CLIPS / "cfr.mp4", folder / "a.mp4")
    names = Names(out, "{number}{suffix}", "none")

    def find(sources: list[str]) -> list[Pair]:
        if (folder / "unreadable").exists():
            raise InputError(f"{folder}: cannot be read")
        return targets_of(sources, names, recursive=False)

    watched = Watched(find, [str(folder)], out, said.append)
    folder.rename(tmp_path / "away")
    assert [watched.videos(), watched.videos()] == [[], []]
    (tmp_path / "away").rename(folder)
    shutil.copy(CLIPS / "cfr.mp4", folder / "b.mp4")
    assert [pair.target.name for pair in watched.videos()] == ["001.mp4", "002.mp4"]
    (folder / "unreadable").touch()
    assert [watched.videos(), watched.videos()] == [[], []]
    (folder / "unreadable").unlink()
    assert len(watched.videos()) == 2
    assert said == [f"{folder}: no longer there; waiting", f"{folder}: cannot be read; trying again"]


@pytest.mark.slow
def test_a_batch_refuses_what_it_could_only_wait_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    for name, out, words, status in (
        ("im", "out", "im: no such file or folder", 2),
        ("in", "in", "in: results in in are not painted again", 2),
        ("-", "out", "framebrush transcode paints a video from standard input", 1),
        ("raw:size=8x8", "out", "framebrush transcode paints a video from standard input", 1),
    ):
        assert run(["batch", name, "--out", out, "--watch", *PLAIN]) == status
        assert words in capsys.readouterr().err
        assert not Path("out").exists()


@pytest.mark.slow
def test_a_result_says_nothing_of_the_disk_that_it_came_from(tmp_path: Path) -> None:
    secret = tmp_path / "secret place"
    secret.mkdir()
    shutil.copy(CLIPS / "cfr.mp4", secret / "a.mp4")
    shutil.copy(bundled()["ink"], secret / "hidden.onnx")
    style = ["--style", str(secret / "hidden.onnx")]
    for suffix in (".mp4", ".mkv"):
        target = tmp_path / f"out{suffix}"
        assert run(["transcode", str(secret / "a.mp4"), str(target), *PLAIN, *style]) == 0
        content = target.read_bytes()
        assert b"style_sha256" in content
        assert not any(word in content for word in (b"secret", b"hidden", str(tmp_path).encode()))


def test_a_matroska_is_the_same_each_time(tmp_path: Path) -> None:
    for name in ("1.mkv", "2.mkv"):
        assert run(["transcode", str(CLIPS / "cfr.mp4"), str(tmp_path / name), *PLAIN]) == 0
    assert (tmp_path / "1.mkv").read_bytes() == (tmp_path / "2.mkv").read_bytes()


def test_progress_comes_at_once_and_then_five_times_a_second(tmp_path: Path) -> None:
    """Each frame's would take longer than its painting."""
    seen, said = list[Progress](), list[str]()
    job = JobSpec("IN", "OUT", Recipe(StyleSpec("none")), device="cpu", output=FAST, range=TimeRange(frames=500))
    source = "lavfi:testsrc2=size=64x48:rate=25"
    with batch_process.BatchProcess(job, NO_DIAGNOSIS, None, restart=False, say=said.append) as process:
        for number in range(2):
            seen.clear()
            began = time.monotonic()
            target = tmp_path / f"{number}.mkv"
            result = process.do(Path(source), target, made_here=False, on_progress=seen.append)
            assert (result.state, result.frames) == ("done", 500), result
            assert seen[0].frames < 10
            assert len(seen) <= 1 + (time.monotonic() - began) / 0.2
        (broken := tmp_path / f"film{PROJECT_SUFFIX}").write_text("{")
        result = process.do(broken, tmp_path / "2.mkv", made_here=False, on_progress=seen.append)
        assert (result.state, result.status) == ("failed", 2)
        assert str(broken) in result.message


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="processes are ended by signals")
def test_what_paints_dies_and_the_next_video_is_painted(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Signal: SIGKILL, for missing memory; `test_devices.py` sends SIGSEGV."""
    out, report = tmp_path / "out", tmp_path / "report.json"

    def kill() -> None:
        until = time.monotonic() + 60
        while len(jobs.records(out / film.name)) < 2:
            assert time.monotonic() < until
            time.sleep(0.005)
        painter, *_ = psutil.Process().children()
        os.kill(painter.pid, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    command = ["batch", str(film), str(CLIPS / "vfr.mkv"), "--out", str(out), "--report", str(report), *PLAIN]
    assert run([*command, "--style", "ink", "--segments", str(jobs.SEGMENT)]) == 1
    thread.join()
    dead, done = json.loads(report.read_text())
    assert (dead["state"], dead["status"], done["state"]) == ("failed", 1, "done")
    assert "the process that painted it was ended by SIGKILL" in dead["message"]
    assert "kept; run the same command again to resume" in dead["message"]
    assert capsys.readouterr().err.splitlines()[-1] == "2 videos: 1 done, 1 failed; exit status 1"
    assert leftovers(out) == [NAMES, f"{film.name}.framebrush", "vfr.mkv"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="processes are ended by signals")
@pytest.mark.parametrize("deaths", [2, 3])
def test_what_paints_dies_before_it_begins(
    deaths: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is started again, twice; and the counts come in any case."""
    (tmp_path / "dies.py").write_text("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    started: list[str] = []

    def dying(module: str, **told: Any) -> Child:  # noqa: ANN401 - as Child takes it
        started.append(module)
        return Child(module if len(started) > deaths else "dies", **told)

    monkeypatch.setattr(batch_process, "Child", dying)
    status = run(["batch", str(CLIPS / "cfr.mp4"), "--out", str(tmp_path / "out"), *PLAIN, "--frames", "2"])
    said = capsys.readouterr().err
    assert status == (deaths > 2)
    assert said.count("was ended by SIGSEGV before it could begin; restarting it") == 2
    assert ("1 video: 1 done; exit status 0" if deaths == 2 else "0 videos: 0 done; exit status 1") in said
    assert said.rstrip().endswith("before it could begin") is (deaths > 2)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
def test_names_that_are_no_text_are_written_as_json_that_any_program_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = Path(shutil.copy(CLIPS / "cfr.mp4", tmp_path / os.fsdecode(b"a\xff.mp4")))
    target = str(tmp_path / os.fsdecode(b"b\xfe.mp4"))
    command = [str(source), target, "--json", "--style", "none", "--device", "cpu", "--progress", "none"]
    assert run(["transcode", *command, "--frames", "1"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["source"].encode().endswith(b"/a\\udcff.mp4")
    assert result["target"].encode().endswith(b"/b\\udcfe.mp4")
    write_json(tmp_path / "report.json", (Result(str(source), target, "done"),))
    [entry] = json.loads((tmp_path / "report.json").read_text())
    assert entry["source"].encode() == result["source"].encode()


def test_the_outcome_of_one_job_as_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target, auto = str(CLIPS / "cfr.mp4"), str(tmp_path / "a.mp4"), PLAIN[:-2]
    assert run(["transcode", source, target, "--json", *auto]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["state"], result["status"], result["frames"], result["target"]) == ("done", 0, 30, target)
    assert run(["transcode", source, target, "--json", *auto, "--progress", "json"]) == 1
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (result["state"], result["status"]) == ("failed", 1)
    assert "exists already" in result["message"]
    assert run(["transcode", str(tmp_path / "no.mp4"), target, "--json", *auto]) == 2
    assert json.loads(capsys.readouterr().out)["status"] == 2


@pytest.mark.slow
def test_a_job_file_holds_the_settings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made, out = tmp_path / "job.json", tmp_path / "out"
    source, target = str(CLIPS / "cfr.mp4"), str(tmp_path / "a.mp4")
    assert run(["transcode", source, target, "--save-spec", str(made), *PLAIN, "--frames", "7", "--crf", "30"]) == 0
    assert not Path(target).exists()
    saved = JobSpec.from_json(made.read_text())
    assert (saved.source, saved.target, saved.range.frames, saved.output.crf) == (source, target, 7, 30)
    assert run(["transcode", "--spec", str(made), "--progress", "none"]) == 0
    assert shown(Path(target))[0] == list(range(7))
    assert run(["transcode", "--spec", str(made), "--progress", "none"]) == 1  # it is there
    assert run(["transcode", "--spec", str(made), "--progress", "none", "-y"]) == 0
    assert run(["batch", str(CLIPS / "vfr.mkv"), "--out", str(out), "--spec", str(made), "--progress", "none"]) == 0
    assert shown(out / "vfr.mkv")[0] == list(range(7))
    capsys.readouterr()
    assert run(["transcode", "--spec", str(made), "--crf", "3"]) == 1
    assert "leave out --crf" in capsys.readouterr().err
    look = tmp_path / "a.look"
    look.write_text('{"framebrush_look": 1, "style": {"name": "ink"}, "look": {"keep_colours": true}}')
    for more in ([], ["--no-keep-colours"]):
        assert run(["transcode", source, target, "--look", str(look), *more, "--save-spec", str(made)]) == 0
        assert JobSpec.from_json(made.read_text()).look.keep_colours == (not more)
    picture = str(tmp_path / "photo.jpg")
    values = {"palette": "photo.jpg", "lut": "film.cube", "lut_first": True}  # beside the look
    look.write_text(json.dumps({"framebrush_look": 1, "style": {"name": "ink"}, "colours": values}))
    for more, palette in (([], picture), (["--palette", "film"], "film")):
        assert run(["transcode", source, target, "--look", str(look), *more, "--save-spec", str(made)]) == 0
        colours = ColourSpec(palette, None, str(tmp_path / "film.cube"), lut_first=True)
        assert JobSpec.from_json(made.read_text()).colours == colours
    assert run(["transcode", "--spec", str(made), "--look", str(look)]) == 1
    assert "leave out --look\n" in capsys.readouterr().err
    assert run(["transcode", source, target, "--save-spec", str(made), *PLAIN, "-y"]) == 0
    assert run(["transcode", "--spec", str(made), "--progress", "none", "-n"]) == 1
    assert "exists already" in capsys.readouterr().err
    assert run(["transcode", "--spec", str(made), "--progress", "none", "-n", "-y"]) == 1
    assert "contradict" in capsys.readouterr().err
    assert run(["transcode", "--spec", str(tmp_path / "none.json")]) == 2
    assert "none.json: cannot be read" in capsys.readouterr().err
    for content in (b'{"version": 1}', b"no JSON", '{"version": 1}'.encode("utf-16")):
        made.write_bytes(content)
        assert run(["transcode", "--spec", str(made)]) == 1
        assert capsys.readouterr().err.startswith(f"framebrush: {made}: ")
    assert run(["transcode"]) == 1
    assert "Missing argument 'IN'" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_watched_folder_waits_until_a_file_is_whole(tmp_path: Path) -> None:
    videos, out, report = tmp_path / "in", tmp_path / "out", tmp_path / "report.json"
    videos.mkdir()
    (videos / "text.mp4").write_text("text")
    command = [sys.executable, "-P", "-m", "framebrush", "batch", str(videos), "--out", str(out), "--watch"]
    watching = subprocess.Popen(
        [*command, "--report", str(report), *PLAIN],
        cwd=jobs.ROOT,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        content = (CLIPS / "cfr.mp4").read_bytes()
        with (videos / "slow.mp4").open("wb") as file:
            for begin in range(0, len(content), len(content) // 8):
                file.write(content[begin : begin + len(content) // 8])
                file.flush()
                os.fsync(file.fileno())
                time.sleep(1)
                assert not out.exists() or leftovers(out) == [NAMES]
        until = time.monotonic() + 60
        while not report.exists() or "done" not in report.read_text():
            assert time.monotonic() < until
            time.sleep(0.1)
    finally:
        watching.send_signal(signal.SIGINT)
        _, said = watching.communicate(timeout=60)
    assert watching.returncode == 4
    assert f"\nfailed: {videos / 'text.mp4'} is not a video that can be read" in said  # before the table
    assert said.splitlines()[-1] == "framebrush: interrupted; 1 video is complete"
    assert [entry["state"] for entry in json.loads(report.read_text())] == ["failed", "done"]
    assert shown(out / "slow.mp4")[0] == list(range(30))
