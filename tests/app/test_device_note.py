"""A device that stands in for a better one is said once, wherever devices are opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import framebrush
from framebrush.cli.command_line import run
from framebrush.gpu.errors import DeviceError
from tests.gpu.test_device import listing

pytestmark = pytest.mark.media

FILM = "lavfi:testsrc2=size=96x64:rate=10:duration=1"
PICTURES = np.zeros((2, 16, 16, 3), np.uint8)


@pytest.fixture(autouse=True)
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card without a driver, and the processor."""
    listing(monkeypatch, cuda=DeviceError("no driver"))


@pytest.mark.parametrize(
    "words",
    [
        ["frame", FILM, "out.png"],
        ["transcode", FILM, "out.mkv", "--frames", "2"],
        ["reveal", FILM, "out.mkv", "--seconds", "0.5", "--fps", "4"],
        ["bench", FILM, "--frames", "10"],
    ],
    ids=lambda words: words[0],
)
def test_a_command_says_it(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([*words, "--style", "none", "--brush", "0.5"]) == 0
    assert capsys.readouterr().err.splitlines().count("no driver") == 1


@pytest.mark.parametrize(
    "paint",
    [
        lambda: framebrush.paint(PICTURES[0], "none"),
        lambda: framebrush.paint(PICTURES, "none"),
        lambda: framebrush.paint(PICTURES, "none", sequence=False),
        lambda: framebrush.paint(PICTURES, "none", sequence=False, mask=np.ones(PICTURES.shape[:3], bool)),
        lambda: framebrush.open(FILM, "none").close(),
    ],
    ids=["picture", "batch", "pictures", "masked pictures", "film"],
)
def test_a_call_warns_of_it(paint: Callable[[], Any]) -> None:
    with pytest.warns(framebrush.PaintingWarning, match="^no driver$") as said:
        paint()
    assert len(said) == 1
