"""Orders to the learning process, and its messages to the window."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framebrush.playback.events import Notification
from framebrush.window.painted.learner import INSTALL, ShotLearner

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
    assert learner.learning
    learner.end()
    wait(lambda: learner.is_idle)
    told = [json.loads(line) for line in orders.read_text().splitlines()]
    assert told == [{"film": str(first)}, {"film": str(third)}, {"order": 2, "learn": [5]}]


TELLING = """#!/bin/sh
exec 3<&0
cat <&3 >> "{orders}" &
exec cat "{told}"
"""
"""A Python that keeps its orders, and says what is written to `told`."""


class Teacher:
    """Process of a learner, by a test's hand."""

    def __init__(self, folder: Path, learner: ShotLearner) -> None:
        self.learner, self.film = learner, folder / "film.mp4"
        self.python, self.told, self._orders = folder / "python", folder / "told", folder / "orders"
        self.python.write_text(TELLING.format(orders=self._orders, told=self.told))
        self.python.chmod(0o755)
        os.mkfifo(self.told)
        self.learner.python = str(self.python)
        self.seen = list[object]()
        self.learner.notified.connect(self.seen.append)
        self.learner.learnt.connect(self.seen.append)
        self.learner.unrelated.connect(self.seen.append)

    def orders(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self._orders.read_text().splitlines()] if self._orders.exists() else []

    def say(self, **line: object) -> None:
        self.lines.write(json.dumps(line) + "\n")
        self.lines.flush()

    def begin(self) -> None:
        assert self.learner.begin(self.film)
        self.listen()

    def listen(self) -> None:
        self.lines = self.told.open("w")  # once the process reads

    def leave(self) -> None:
        self.lines.close()
        wait(lambda: self.learner.is_idle)

    @property
    def state(self) -> tuple[bool, float | None, float | None]:
        return self.learner.learning, self.learner.searched, self.learner.share


@pytest.fixture
def teacher(application: QApplication, tmp_path: Path) -> Iterator[Teacher]:
    made = Teacher(tmp_path, ShotLearner())
    made.begin()
    yield made
    made.leave()


def test_what_the_process_tells_is_shown(teacher: Teacher) -> None:
    learner, changes = teacher.learner, list[tuple[bool, float | None, float | None]]()
    learner.changed.connect(lambda: changes.append(teacher.state))
    learner.stop()  # nothing is being learnt
    learner.learn(teacher.film, (3, 5))
    assert changes == [(True, None, None)]
    for line, state in (
        ({"read": 0.25}, (True, 0.25, None)),
        ({"step": 9, "shot": 1, "done": 0.5, "shots": 2}, (True, None, 0.75)),
        ({"unknown": 1}, (True, None, 0.75)),
    ):
        changes.clear()
        teacher.say(**line)
        wait(lambda: changes != [])
        assert changes == [state]
    teacher.say(style="a.keys")
    teacher.say(message="No GPU.")
    teacher.say(unrelated=5)
    wait(lambda: len(teacher.seen) == 3)
    assert teacher.seen == ["a.keys", Notification("No GPU."), 5]
    teacher.say(over=0)  # an earlier order
    teacher.say(read=1.0)
    wait(lambda: learner.searched == 1.0)
    assert learner.learning
    learner.stop()
    teacher.say(over=2)
    wait(lambda: not learner.learning)
    wait(lambda: len(teacher.orders()) == 3)
    assert teacher.orders() == [{"film": str(teacher.film)}, {"order": 1, "learn": [3, 5]}, {"order": 2, "stop": True}]
    assert teacher.state == (False, None, None)
    learner.learn(teacher.film, None)
    teacher.say(over=3, busy=True)
    wait(lambda: len(teacher.seen) == 4)
    busy = "Another window of Framebrush is learning from these frames."
    assert teacher.seen[3] == Notification(busy, severity="problem")
    teacher.say(over=3, problem="The disk is full.")
    wait(lambda: len(teacher.seen) == 5)
    assert teacher.seen[4] == Notification("The disk is full.", severity="problem")
    learner.learn(teacher.film, None)
    teacher.leave()
    assert teacher.state == (False, None, None)
    failed = "Learning from the painted frames failed: Its process ended with status 0."
    assert teacher.seen[5:] == [Notification(failed, "", "problem")]
    assert teacher.orders()[-1] == {"order": 4, "learn": None}


def test_a_missing_pytorch_is_told_once_with_its_remedy(teacher: Teacher) -> None:
    teacher.learner.learn(teacher.film, None)
    teacher.say(absent="No module named 'torch'")
    teacher.leave()
    (said,) = teacher.seen
    assert isinstance(said, Notification)
    assert "PyTorch is missing (No module named 'torch')" in said.text
    assert (said.details, said.severity) == (INSTALL, "problem")
    assert not teacher.learner.learning


def test_a_process_that_is_ending_says_nothing_and_the_next_begins_once(teacher: Teacher, tmp_path: Path) -> None:
    teacher.learner.end()
    teacher.say(message="Saved.")
    teacher.learner.learn(tmp_path / "next.mp4", [4])
    assert teacher.learner.learning
    teacher.learner.python = str(tmp_path / "none")  # the next one cannot start
    teacher.leave()
    assert not teacher.learner.learning
    (failed,) = teacher.seen
    assert isinstance(failed, Notification)
    assert f"{tmp_path / 'none'} could not be started." in failed.text


def test_a_bundle_without_a_python_says_where_to_choose_one(
    application: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("framebrush.window.painted.learner.IN_BUNDLE", True)
    learner, said = ShotLearner(), list[Notification]()
    learner.notified.connect(said.append)
    learner.learn(tmp_path / "film.mp4", None)
    assert (learner.is_idle, learner.learning) == (True, False)
    (note,) = said
    assert "this program does not include Python" in note.text
    assert "Choose a Python" in note.text
