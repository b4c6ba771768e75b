"""Processes that paint for another one: they end when it does, at any moment, and say nothing of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from framebrush.base.child import Child
from framebrush.base.signals import INTERRUPTED

ROOT = Path(__file__).parents[3]
MODULES = ["framebrush.jobs.workers.child", "framebrush.jobs.batch.child"]


@pytest.mark.parametrize("module", MODULES)
def test_without_orders_it_ends_while_it_still_loads(module: str, tmp_path: Path) -> None:
    """Before it would find that the folder holds no job."""
    done = subprocess.run(
        [sys.executable, "-P", "-X", "importtime", "-m", module, str(tmp_path), "cpu"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (INTERRUPTED, "")
    said = [line for line in done.stderr.splitlines() if not line.startswith("import time:")]
    assert said == []
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "framebrush.base.child" in loaded
    assert not loaded & {"framebrush.jobs.workers.painter", "framebrush.jobs.runner"}


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe without a reader")
def test_a_process_whose_parent_does_not_listen_ends_quietly(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with subprocess.Popen(
        [sys.executable, "-P", "-m", MODULES[0], str(tmp_path), "cpu"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        os.close(writing)
        assert process.stderr is not None
        assert process.stderr.read() == ""
        assert process.wait(60) == INTERRUPTED


@pytest.mark.skipif(sys.platform == "win32", reason="sessions")
def test_an_interruption_from_the_terminal_does_not_reach_it(tmp_path: Path) -> None:
    process = Child(MODULES[0], str(tmp_path), "cpu", take=print, gone=print)
    assert os.getsid(process._process.pid) == process._process.pid
    process.end(60)
