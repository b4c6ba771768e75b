"""Folders of videos: every one is painted, skipped or named with what was wrong with it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assets.make_clips import CLIPS
from framebrush.cli import run
from framebrush.jobs.batch import targets_of
from framebrush.jobs.folder import FolderLock
from framebrush.jobs.spec import JobSpec
from framebrush.media.output_file import OutputFile
from tests.app import jobs
from tests.app.footage import shown

pytestmark = pytest.mark.media

PLAIN = ["--style", "none", "--device", "cpu", "--preset", "ultrafast", "--codec", "h264", "--progress", "none"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three videos, one of them below, a damaged one, and what is no video."""
    videos = tmp_path / "in"
    (videos / "below").mkdir(parents=True)
    shutil.copy(CLIPS / "cfr.mp4", videos / "a.mp4")
    shutil.copy(CLIPS / "vfr.mkv", videos / "b.mkv")
    shutil.copy(CLIPS / "bframes.avi", videos / "below" / "c.avi")
    (videos / "broken.mp4").write_bytes(b"no video at all" * 100)
    (videos / "notes.txt").write_text("no video")
    (videos / ".hidden.mp4").write_bytes(b"")
    return videos


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
        "a.mp4",
        "b.mkv",
        str(Path("below") / "c.mp4"),
    ]
    assert shown(out / "below" / "c.mp4")[0] == list(range(30))
    table = capsys.readouterr().err
    assert "broken.mp4" in table
    before = (out / "a.mp4").stat().st_mtime_ns
    (folder / "broken.mp4").unlink()
    assert run(["batch", str(folder), "-r", "--out", str(out), "--report", str(report), *PLAIN]) == 0
    assert {entry["state"] for entry in json.loads(report.read_text())} == {"skipped"}
    assert (out / "a.mp4").stat().st_mtime_ns == before
    assert run(["batch", str(folder), "--out", str(out), *PLAIN, "-y"]) == 0
    assert (out / "a.mp4").stat().st_mtime_ns != before


def test_what_another_job_paints_is_left_to_it(folder: Path, tmp_path: Path) -> None:
    out, report = tmp_path / "out", tmp_path / "report.json"
    out.mkdir()
    with FolderLock(out / "a.mp4"), OutputFile(out / "b.mkv"):
        assert run(["batch", *map(str, folder.glob("[ab].*")), "--out", str(out), "--report", str(report), *PLAIN]) == 0
    results = [(entry["state"], entry["message"]) for entry in json.loads(report.read_text())]
    assert results == [("skipped", "another job writes to it")] * 2
    assert not list(out.glob("*.*"))


def test_names_files_and_patterns(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, pattern = tmp_path / "out", str(folder / "*.m[kp][v4]")
    name = "{number}-{stem}-{style}{suffix}"
    found = targets_of([str(folder / "b.mkv"), pattern], out, name, "scream:0.6,udnie:0.4", recursive=False)
    assert [pair.target.name for pair in found] == [
        "001-b-scream-0.6-udnie-0.4.mkv",
        "002-a-scream-0.6-udnie-0.4.mp4",
        "003-broken-scream-0.6-udnie-0.4.mp4",
    ]
    for bad, words in (("{nonesuch}.mp4", "nonesuch"), ("../{stem}.mp4", "folders"), ("", "not one of")):
        assert run(["batch", str(folder), "--out", str(out), "--name", bad, *PLAIN]) == 1
        assert words in capsys.readouterr().err
    assert run(["batch", str(tmp_path / "out"), "--out", str(out), *PLAIN]) == 2
    assert "there is no video" in capsys.readouterr().err


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


def test_two_videos_never_write_one_file(folder: Path, tmp_path: Path) -> None:
    shutil.copy(CLIPS / "bframes.avi", folder / "a.avi")
    report = tmp_path / "report.json"
    (folder / "broken.mp4").unlink()
    assert run(["batch", str(folder), "--out", str(tmp_path / "out"), "--report", str(report), *PLAIN]) == 1
    states = {Path(entry["source"]).name: entry for entry in json.loads(report.read_text())}
    assert states["a.mp4"]["state"] == "failed"
    assert "has the same name" in states["a.mp4"]["message"]
    assert states["a.avi"]["state"] == "done"


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
    assert run(["transcode", "--spec", str(made), "--look", str(look)]) == 1
    assert "leave out --look\n" in capsys.readouterr().err
    assert run(["transcode", source, target, "--save-spec", str(made), *PLAIN, "-y"]) == 0
    assert run(["transcode", "--spec", str(made), "--progress", "none", "-n"]) == 1
    assert "exists already" in capsys.readouterr().err
    assert run(["transcode", "--spec", str(made), "--progress", "none", "-n", "-y"]) == 1
    assert "contradict" in capsys.readouterr().err
    assert run(["transcode", "--spec", str(tmp_path / "none.json")]) == 2
    made.write_text('{"version": 1}')
    assert run(["transcode", "--spec", str(made)]) == 1
    assert run(["transcode"]) == 1
    assert "Missing argument 'IN'" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_watched_folder_waits_until_a_file_is_whole(tmp_path: Path) -> None:
    videos, out, report = tmp_path / "in", tmp_path / "out", tmp_path / "report.json"
    videos.mkdir()
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
                assert not out.exists() or not list(out.iterdir())
        until = time.monotonic() + 60
        while not report.exists():
            assert time.monotonic() < until
            time.sleep(0.1)
    finally:
        watching.send_signal(signal.SIGINT)
        _, said = watching.communicate(timeout=60)
    assert watching.returncode == 4
    assert "slow.mp4" in said
    assert said.splitlines()[-1] == "framebrush: interrupted; 1 video is whole"
    assert [entry["state"] for entry in json.loads(report.read_text())] == ["done"]
    assert shown(out / "slow.mp4")[0] == list(range(30))
