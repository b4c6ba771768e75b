"""Messages of commands after the death of their worker process."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from assets.make_clips import CLIPS
from framebrush.base import supervision
from framebrush.cli import death
from framebrush.cli.command_line import run

pytestmark = pytest.mark.unit

CLIP = str(CLIPS / "cfr.mp4")


@pytest.fixture(autouse=True)
def died(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "death", "was ended by SIGKILL")


@pytest.mark.parametrize(
    ("command", "target"),
    [
        ("transcode", "out.mp4"),
        ("frame", "out.png"),
        ("strokes", "out.svg"),
        ("reveal", "out.mp4"),
        ("layers", "out.####.exr"),
    ],
)
def test_painting_says_so_and_paints_nothing(
    command: str, target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, CLIP, str(tmp_path / target), "--brush=1"]) == 1
    said = f"framebrush: the process that painted {CLIP} was ended by SIGKILL; nothing was written"
    assert capsys.readouterr().err.splitlines() == [said]
    assert not list(tmp_path.iterdir())


def test_the_terminal_has_its_cursor_again(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(death, "console", Console(file=shown, force_terminal=True))
    assert run(["devices"]) == 1
    assert shown.getvalue() == "\x1b[?25h\n"


def test_so_does_the_window(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("PySide6")
    assert run(["play"]) == 1
    assert "the process of the window was ended by SIGKILL, which most often" in capsys.readouterr().err


def test_so_do_other_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["devices"]) == 1
    assert capsys.readouterr().err == "framebrush: the process that did this was ended by SIGKILL\n"
