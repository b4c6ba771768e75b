"""Answers of the Python that will train, and the error without one."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from framebrush.window.training import capabilities
from framebrush.window.training.capabilities import Facts, TrainingCapabilities
from tests.app.window.conftest import process_of
from tests.app.window.test_background import wait

pytestmark = [
    pytest.mark.unit,
    pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script"),
]


@pytest.fixture
def owner(application: QApplication) -> Iterator[QObject]:
    made = QObject()
    yield made
    shiboken6.delete(made)


def python(folder: Path, *lines: str) -> str:
    """Write a Python that runs these lines of a shell."""
    path = folder / "python"
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)
    return str(path)


def report(answer: dict[str, object]) -> str:
    return f"echo '{json.dumps(answer)}'"


SPEED = report({"crop_s": 0.25})


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([report({"absent": ["PyTorch", "Pillow"]})], [Facts("Not installed: PyTorch, Pillow.")]),
        ([report({"broken": "no libcudart"})], [Facts("no libcudart")]),
        (
            [report({"device": "A card", "gpu": True}), SPEED],
            [Facts("", "A card", True), Facts("", "A card", True, 0.25)],
        ),
        ([report({"device": "", "gpu": False}), report({"other": 1})], [Facts()]),
        ([SPEED], [Facts("It does not answer.")]),  # a speed of what?
        (["echo first >&2", "echo the last line >&2", "exit 1"], [Facts("the last line")]),
        ([f"echo {300 * 'x'} >&2"], [Facts(200 * "x")]),
        (["kill -KILL $$"], [Facts("Its process ended unexpectedly.")]),
    ],
)
def test_a_python_says_what_it_can_or_why_not(
    owner: QObject, tmp_path: Path, lines: list[str], expected: list[Facts]
) -> None:
    told = list[Facts]()
    asking = TrainingCapabilities(python(tmp_path, *lines), owner)
    assert asking.facts is None
    asking.found.connect(told.append)
    for _ in range(2):  # the second answer is a new one
        told.clear()
        asking.ask()
        assert asking.facts is None
        wait(lambda: asking.is_idle)
        assert told == expected
        assert asking.facts == expected[-1]


def test_another_python_is_asked_and_one_that_was_ended_is_not_heard(owner: QObject, tmp_path: Path) -> None:
    assert TrainingCapabilities("", owner).python == sys.executable
    told = list[Facts]()
    asking = TrainingCapabilities(python(tmp_path, report({"device": "First", "gpu": True}), "exec sleep 60"), owner)
    asking.found.connect(told.append)
    asking.ask()
    wait(lambda: bool(told))
    first = process_of(asking)
    asking.end()
    assert asking.is_idle
    wait(lambda: not first.is_running())
    other = tmp_path / "other"
    other.mkdir()
    second = python(other, report({"device": "Second", "gpu": False}))
    asking.use(second)
    assert asking.python == second
    wait(lambda: asking.is_idle)
    assert [facts.device for facts in told] == ["First", "Second"]
    asking.use(str(tmp_path / "none"))
    wait(lambda: asking.is_idle)
    assert told[-1].missing == f"{tmp_path / 'none'} could not be started."


def test_a_question_takes_the_place_of_the_one_before(owner: QObject, tmp_path: Path) -> None:
    asking = TrainingCapabilities(python(tmp_path, "exec sleep 60"), owner)
    asking.ask()
    first = process_of(asking)
    asking.ask()
    wait(lambda: not first.is_running())
    second = process_of(asking)
    assert second.is_running()
    asking.end()
    wait(lambda: not second.is_running())


def test_a_frozen_program_trains_only_with_another_python(
    owner: QObject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not capabilities.IN_BUNDLE
    monkeypatch.setattr(capabilities, "IN_BUNDLE", True)
    told = list[Facts]()
    own = TrainingCapabilities("", owner)
    own.found.connect(told.append)
    own.ask()
    assert told == [own.facts] == [Facts("This program does not include Python.")]
    assert own.is_idle
    own.use(python(tmp_path, report({"device": "A card", "gpu": True})))
    wait(lambda: own.is_idle)
    assert told[1:] == [Facts("", "A card", True)]
