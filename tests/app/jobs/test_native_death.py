"""Messages after a worker process crashes in a library, for every kind of caller."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app import crashing
from tests.app.jobs import jobs
from tests.app.jobs.footage import leftovers
from tests.app.jobs.jobs import COUNT, PROGRAM, ROOT

pytestmark = pytest.mark.media

ABORTED = "was ended by SIGABRT" if sys.platform != "win32" else "ended with status"
QUICK = ["--style", "none", "--device", "cpu"]


def aborted(function: str, count: int, folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command that aborts within one of Framebrush's functions."""
    patches = folder / "patches"
    patches.mkdir()
    return subprocess.run(
        [*PROGRAM, *command],
        cwd=ROOT,
        env=crashing.environment(patches, function, count),
        capture_output=True,
        encoding="utf-8",
        errors="replace",  # standard output may carry pictures
        timeout=120,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "count"),
    [
        ("open_media", 1),  # before anything is written, as are the first frame and the streams
        ("Source.decode", 30),
        ("AudioConverter.convert", 3),
    ],
)
def test_a_crash_anywhere_in_the_input_ends_in_a_sentence_and_the_final_object(
    function: str, count: int, film: Path, tmp_path: Path
) -> None:
    made = tmp_path / "made"
    made.mkdir()
    target = made / "out.webm"
    done = aborted(function, count, tmp_path, "transcode", str(film), str(target), *QUICK, "--json")
    assert done.returncode == 1
    sentence = f"the process that painted {film} {ABORTED}"
    said = done.stderr.splitlines()[-1]
    assert said.startswith(f"framebrush: {sentence}")
    assert said.endswith("; nothing was written")
    last = json.loads(done.stdout.splitlines()[-1])
    assert (last["state"], last["status"], last["target"]) == ("failed", 1, str(target))
    assert last["message"].startswith(sentence)
    assert last["seconds"] > 0
    assert leftovers(made) == []


@pytest.mark.slow
def test_progress_ends_with_the_final_object_and_segments_stay(film: Path, tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    target = made / "out.mp4"
    command = jobs.command(film, target, "--progress", "json")[len(PROGRAM) :]
    done = aborted("Source.decode", 60, tmp_path, *command)
    kept = len(jobs.records(target))
    assert done.returncode == 1
    *progress, last = map(json.loads, done.stdout.splitlines())
    assert all("frame" in line for line in progress)
    assert last["message"].endswith(f"{kept} of {COUNT} segments are kept; run the same command again to resume")
    assert last["state"] == "failed"
    assert leftovers(made) == ["out.mp4.framebrush"]
    assert jobs.segments_done(kept) in jobs.finish(film, target)


@pytest.mark.slow
def test_numbered_pictures_that_are_kept_are_counted(film: Path, tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    command = ["transcode", str(film), str(made / "%04d.png"), *QUICK]
    done = aborted("Source.decode", 60, tmp_path, *command)
    said = re.search(r"; (\d+) pictures are kept; run the same command again to resume$", done.stderr.strip())
    assert said
    kept = int(said[1])
    # The last one may have its name, and not be in the log yet: then it is painted again.
    assert len(list(made.glob("*.png"))) - kept in (0, 1)
    again = subprocess.run([*PROGRAM, *command], capture_output=True, text=True, timeout=120, check=True)
    assert f"{kept} pictures are done" in again.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "subject"),
    [(["frame", "FILM", "out.png", *QUICK], "that painted FILM"), (["bench", "FILM", *QUICK], "that did this")],
)
def test_other_commands_end_in_a_sentence(command: list[str], subject: str, film: Path, tmp_path: Path) -> None:
    words = [str(film) if word == "FILM" else str(tmp_path / word) if word == "out.png" else word for word in command]
    done = aborted("Source.decode", 1, tmp_path, *words)
    assert done.returncode == 1
    says = subject.replace("FILM", str(film))
    assert done.stderr.splitlines()[-1].startswith(f"framebrush: the process {says} {ABORTED}")
    assert leftovers(tmp_path) == ["patches"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("ended", [signal.SIGSEGV, signal.SIGKILL])
def test_the_sentence_says_what_ended_it(ended: signal.Signals, film: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.mp4"
    parent = jobs.start(film, target, "--segments", "off")
    jobs.at_work(parent).send_signal(ended)
    _, errors = parent.communicate(timeout=60)
    assert parent.returncode == 1
    assert f"the process that painted {film} was ended by {ended.name}" in errors.splitlines()[-1]


@pytest.mark.slow
def test_what_a_process_leaves_of_standard_output_is_said(film: Path, tmp_path: Path) -> None:
    done = aborted("Source.decode", 60, tmp_path, "transcode", str(film), "-", *QUICK)
    assert done.returncode == 1
    assert done.stdout
    assert done.stderr.splitlines()[-1].endswith("; the video on standard output is incomplete")
