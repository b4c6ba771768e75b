"""Processes that paint or train for another one: they end when it does, at any moment, and say nothing of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from framebrush.base.status import Status

ROOT = Path(__file__).parents[3]
MODULES = ["jobs.workers.worker_child", "jobs.batch.batch_child", "window.training.training_worker"]
LATE = {"jobs.workers.segment_painter", "jobs.workers.runner", "models.training.cli"}


@pytest.mark.parametrize("module", MODULES)
def test_without_orders_it_ends_while_it_still_loads(module: str, tmp_path: Path) -> None:
    """Before it would find that the folder holds no job."""
    done = subprocess.run(
        [sys.executable, "-P", "-X", "importtime", "-m", f"framebrush.{module}", str(tmp_path), "cpu"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (Status.INTERRUPTED, "")
    said = [line for line in done.stderr.splitlines() if not line.startswith("import time:")]
    assert said == []
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "framebrush.base.parent" in loaded
    assert not loaded & {f"framebrush.{module}" for module in LATE}


@pytest.mark.parametrize("module", ["window.exports.export_worker", "playback.ahead.ahead_worker"])
def test_it_loads_nothing_of_terminals_and_of_the_player(module: str) -> None:
    """Each costs a twentieth of the start."""
    code = (
        f"import sys, framebrush.{module}; sys.exit(bool({{'rich', 'framebrush.playback.events'}} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-P", "-c", code], cwd=ROOT).returncode == 0
