"""Windows in child processes, on virtual screens or a display."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from PySide6.QtWidgets import QApplication

from framebrush.window import main_window
from framebrush.window.exports import trial_export
from framebrush.window.styles import film_tiles
from tests.app.window.conftest import NEVER_MS

ROOT = Path(__file__).parents[3]

Screen = dict[str, object]
Scene = Callable[[Path], None]
"""A module's function that acts and asserts on the screens; called with its own folder."""


def screen(x: int, size: tuple[int, int], dots: int) -> Screen:
    """Return a screen. dots: per inch, by which Qt scales."""
    width, height = size
    rectangle = {"x": x, "y": 0, "width": width, "height": height}
    return {"name": f"at {x}", **rectangle, "logicalDpi": dots, "logicalBaseDpi": 96, "dpr": 1}


def play(folder: Path, screens: Sequence[Screen], *scenes: Scene) -> None:
    (folder / "screens.json").write_text(json.dumps({"screens": list(screens)}))
    run(folder, *scenes, QT_QPA_PLATFORM="offscreen:configfile=screens.json")  # relative, without a drive's colon


def run(folder: Path, *scenes: Scene, **variables: str) -> None:
    """Run scenes in one process; fail on warnings of Qt."""
    paths = os.pathsep.join([str(ROOT), *sys.path])
    names = [f"{scene.__module__}:{scene.__name__}" for scene in scenes]
    command = [sys.executable, "-m", __name__, str(folder), *names]
    environment = {**os.environ, "PYTHONPATH": paths, **variables}
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
    unable = (
        "propagateSizeHints",
        "raise()",
        "grabbing the keyboard",
    )  # messages of the offscreen platform about missing features
    assert [line for line in done.stderr.splitlines() if not any(words in line for words in unable)] == [], done.stderr


def main(folder: str, *names: str) -> None:
    app = QApplication(["framebrush"])
    app.setQuitOnLastWindowClosed(False)
    film_tiles.REST_MS = trial_export.REST_MS = NEVER_MS
    main_window.memory_budget = lambda: 0  # as in every other test of the window
    for name in names:
        module, _, function = name.partition(":")
        scene: Scene = getattr(import_module(module), function)
        own = Path(folder) / function
        own.mkdir()
        scene(own)


if __name__ == "__main__":
    main(*sys.argv[1:])
