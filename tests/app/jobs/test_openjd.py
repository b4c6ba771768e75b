"""The template for render farms, run by Open Job Description's own program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from framebrush.cli.command_line import run
from tests.app.jobs import jobs
from tests.app.jobs.footage import leftovers

pytestmark = pytest.mark.media

SCRIPTS = Path(sys.executable).parent
IN_THREE = ("--segments", str(jobs.FRAMES // 3))


@pytest.mark.slow
def test_a_farm_makes_the_file_of_one_process(film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jobs.finish(film, tmp_path / "whole.mp4", *IN_THREE)
    made, target = tmp_path / "job.json", tmp_path / "{{out}}.mp4"
    options = [*jobs.SETTINGS, *IN_THREE, "--device", "cpu"]
    assert run(["job", "export", str(film), str(target), str(made), "--format", "openjd", *options]) == 0
    assert "3 segments" in capsys.readouterr().err
    assert json.loads(made.read_text())["steps"][0]["parameterSpace"]["taskParameterDefinitions"][0]["range"] == "0-2"
    environment = {**os.environ, "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"}
    openjd = SCRIPTS / ("openjd.exe" if sys.platform == "win32" else "openjd")
    subprocess.run([openjd, "check", str(made)], check=True, capture_output=True, timeout=60)
    command = [openjd, "run", str(made), "--step", "Join", "--run-dependencies"]
    done = subprocess.run(command, env=environment, cwd=jobs.ROOT, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    assert target.read_bytes() == (tmp_path / "whole.mp4").read_bytes()
    assert leftovers(tmp_path) == ["job.json", "whole.mp4", "{{out}}.mp4"]


def test_a_long_name_is_cut_to_128_characters(film: Path, tmp_path: Path) -> None:
    made = tmp_path / "job.json"
    target = tmp_path / f"{'n' * 150}.mp4"
    options = ["--style", "none", *IN_THREE, "--device", "cpu", "--format", "openjd"]
    assert run(["job", "export", str(film), str(target), str(made), *options]) == 0
    assert json.loads(made.read_text())["name"] == f"Framebrush {'n' * 117}"


def test_a_short_film_is_not_shared(film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = tmp_path / "job.json"
    options = ["--style", "none", "--device", "cpu", "--segments", "10000"]
    assert run(["job", "export", str(film), str(tmp_path / "out.mp4"), str(made), *options]) == 1
    assert "is too short for a farm" in capsys.readouterr().err
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "says"),
    [("a.mp4", "named like a video"), ("folder", "is a folder"), ("nowhere/job.json", "there is no folder")],
)
def test_a_template_that_cannot_be_written_plans_nothing(
    name: str, says: str, film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    command = ["job", "export", str(film), str(tmp_path / "out.mp4"), str(tmp_path / name), "--style", "none"]
    assert run([*command, *IN_THREE, "--preset", "ultrafast"]) == 1
    assert says in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [tmp_path / "folder"]


def test_a_segment_is_painted_once_and_the_join_paints_what_is_missing(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target, made = tmp_path / "out.mp4", tmp_path / "job.json"
    options = ["--style", "none", *IN_THREE, "--device", "cpu", "--preset", "ultrafast"]
    assert run(["job", "export", str(film), str(target), str(made), *options]) == 0
    folder = str(tmp_path / "out.mp4.framebrush")
    assert run(["job", "paint", folder, "1", "--device", "cpu"]) == 0
    assert run(["job", "paint", folder, "1", "--device", "cpu"]) == 0
    assert "segment 1 is already complete" in capsys.readouterr().err
    assert run(["job", "paint", folder, "3"]) == 1
    assert run(["job", "join", folder, "--device", "cpu"]) == 0
    assert "1 of 3 segments is done" in capsys.readouterr().err
    assert list(jobs.numbers(target)) == list(range(jobs.FRAMES))
    assert run(["job", "join", folder]) == 2
    assert "does not contain the plan" in capsys.readouterr().err
