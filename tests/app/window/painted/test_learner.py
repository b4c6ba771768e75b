"""Orders to the process that learns, when the window goes from film to film."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framebrush.window.painted.learner import ShotLearner

pytestmark = [
    pytest.mark.unit,
    pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there"),
]


def wait(until: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not until():
        QTest.qWait(5)
        assert time.monotonic() < end


def test_an_order_waits_for_its_own_film_alone(application: QApplication, tmp_path: Path) -> None:
    python, orders = tmp_path / "python", tmp_path / "orders"
    python.write_text(f'#!/bin/sh\nexec cat >> "{orders}"\n')
    python.chmod(0o755)
    first, second, third = (tmp_path / f"{number}.mp4" for number in range(3))
    learner = ShotLearner()
    learner.python = str(python)
    learner.begin(first)
    learner.learn(second, [4])  # the first film's process is still ending
    learner.begin(third)
    learner.learn(third, [5])
    wait(lambda: orders.is_file() and '"learn"' in orders.read_text())
    learner.end()
    wait(lambda: learner.is_idle)
    told = [json.loads(line) for line in orders.read_text().splitlines()]
    assert told == [{"film": str(first)}, {"film": str(third)}, {"order": 2, "learn": [5]}]
