"""A full disk ends every command with its own exit status, and with a sentence."""

from __future__ import annotations

import gc
import subprocess
from pathlib import Path

import pytest

from assets.make_clips import CLIPS
from framebrush.base.status import Status
from framebrush.cli.command_line import run
from tests.app.window.exports.test_hard_ends import fill
from tests.media.writing.test_writer_refusals import small_disk

pytestmark = pytest.mark.media

CLIP = str(CLIPS / "cfr.mp4")


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    "command",
    [
        ["frame", CLIP, "{disk}/../still.png", "--save-colours", "{disk}/colours.cube", "--style", CLIP + "@0"],
        ["keys", "{disk}/film.mp4", "extract"],
        ["strokes", CLIP, "{disk}/strokes.json", "--style", "oil"],
        ["strokes", CLIP, "{disk}/strokes.jsonl", "--style", "oil"],
        ["job", "export", CLIP, "{disk}/out.mkv", "{disk}/../job.json", "--style", "none", "--segments", "5"],
        ["styles", "--add", CLIP + "@0"],
    ],
    ids=lambda command: command[0],
)
def test_a_full_disk_has_a_status(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with small_disk(tmp_path / "disk", "256k") as disk:
        monkeypatch.setenv("XDG_DATA_HOME", str(disk))
        (disk / "film.mp4").write_bytes(Path(CLIP).read_bytes())
        fill(disk)
        assert run([part.format(disk=disk) for part in command]) == Status.DISK_FULL
        assert f"the disk of {disk}" in (said := capsys.readouterr().err)
        assert "free some space or write elsewhere" in said
        kept = {path.name for path in disk.rglob("*") if path.is_file() and path.stat().st_size}
        assert kept == {"film.mp4", "ballast"}
        gc.collect()  # of generators that nobody closed


@pytest.mark.parametrize("has_folder", [False, True])
def test_frames_are_not_looked_for_on_a_disk_that_is_only_read(
    has_folder: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with small_disk(tmp_path / "disk", "256k") as disk:
        (disk / "film.mp4").write_bytes(Path(CLIP).read_bytes())
        if has_folder:
            (disk / "film.keys").mkdir()
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        assert run(["keys", str(disk / "film.mp4"), "extract"]) == Status.USAGE
    said = capsys.readouterr().err
    folder = disk / "film.keys" if has_folder else disk
    assert said.splitlines() == [f"framebrush: cannot write to the folder {folder}: Read-only file system"]
