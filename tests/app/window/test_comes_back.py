"""A window with a crashed process returns to its place in the film, once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.app.window.conftest import CLIPS
from tests.app.window.test_application import surroundings

pytestmark = [pytest.mark.media, pytest.mark.slow]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals, and Vulkan")
NOT_IN_WINE = pytest.mark.skipif("WINRIG" in os.environ, reason="Wine takes minutes for an abort")

ROOT = Path(__file__).parents[3]

PARENT = """
import sys
from framebrush.base import supervision
status = supervision.supervise(sys.argv[1:], "tests.app.window.lives")
print(supervision.death, file=sys.stderr)
sys.exit(9 if status is None else status)
"""


def lived(home: Path, way: str, count: int, device: str) -> tuple[int, str, list[dict[str, Any]]]:
    """The status, the last word, and what each window has shown before it died, or was closed."""
    environment = {**surroundings(home), "PYTHONPATH": os.pathsep.join((str(ROOT), *sys.path)), "APPDATA": str(home)}
    command = [sys.executable, "-c", PARENT, way, str(count), device, str(CLIPS / "cfr.mp4")]
    done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, timeout=240)
    print(done.stderr)
    said = done.stderr.replace("\0", "").splitlines()  # ONNX Runtime's warnings on Windows are in UTF-16
    return done.returncode, said[-1], [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("way", "device"),
    [
        ("kill", "cpu"),
        pytest.param("abort", "cpu", marks=NOT_IN_WINE),
        pytest.param("a lost GPU", "webgpu", marks=POSIX),
    ],
)
def test_the_window_is_open_again_where_it_was(tmp_path: Path, way: str, device: str) -> None:
    status, death, (before, after) = lived(tmp_path, way, 1, device)
    assert (status, death) == (0, "")
    assert (before["device"], after["device"]) == (device, "cpu")
    assert before["number"] == after["number"] == 9
    choice = after["choice"]
    assert choice == before["choice"]
    assert [choice["range"][end]["number"] for end in ("first", "last")] == [3, 14]
    assert choice["keys"][0]["of"] == "strength"
    assert (choice["look"]["relief"], choice["look"]["split"]) == (0.3, 0.25)
    assert not after["plays"]
    assert after["message"].startswith("The window ended unexpectedly")
    words = (
        "ended with status" if sys.platform == "win32" else "was ended by SIG" + ("KILL" if way == "kill" else "ABRT")
    )
    assert after["former"].startswith(words)


@NOT_IN_WINE
@pytest.mark.parametrize(
    ("way", "lives"), [("abort", 2), ("abort when closed", 1)], ids=["dies again at once", "was closed"]
)
def test_a_window_does_not_come_back_that(tmp_path: Path, way: str, lives: int) -> None:
    status, death, seen = lived(tmp_path, way, 5, "cpu")
    assert (status, len(seen)) == (9, lives)
    assert death.startswith("ended with status" if sys.platform == "win32" else "was ended by SIGABRT")


@POSIX
@pytest.mark.parametrize(("way", "status"), [("ask parent", 0), ("kill parent", -9)])
def test_a_window_whose_parent_is_asked_to_end_or_gone_closes_as_by_hand(tmp_path: Path, way: str, status: int) -> None:
    ended, _, seen = lived(tmp_path, way, 1, "cpu")  # which waits for the window, as that has its standard output
    assert (ended, len(seen)) == (status, 1)
    (remembered,) = tmp_path.rglob("*.ini")
    assert "geometry=" in remembered.read_text()
