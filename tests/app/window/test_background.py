"""Work beside the window's thread: its result comes back, its failure is left out."""

from __future__ import annotations

import threading
import time

import pytest
from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtWidgets import QApplication

from framebrush.window.background import Background

pytestmark = pytest.mark.unit


def results_of(work: object) -> list[object]:
    """What arrives in this thread."""
    owner, found = QObject(), []
    background = Background(work, found.append, owner)  # type: ignore[arg-type, var-annotated]
    background._thread.join()
    end = time.monotonic() + 0.2
    while time.monotonic() < end and not found:
        QCoreApplication.processEvents()
    return found


def test_the_result_comes_back(application: QApplication) -> None:
    assert results_of(lambda: 42) == [42]


def test_a_failure_ends_nothing_and_gives_nothing(application: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    failures: list[object] = []
    monkeypatch.setattr(threading, "excepthook", failures.append)
    assert results_of(lambda: 1 / 0) == []
    assert failures == []


def test_what_has_ended_begins_nothing_more(application: QApplication) -> None:
    """A window that ends in the middle of its work: the result is there, and would begin the next work."""
    owner, found = QObject(), []
    background = Background(lambda: 42, found.append, owner)
    background._thread.join()  # the result waits in the queue of events
    background.end()
    end = time.monotonic() + 0.2
    while time.monotonic() < end:
        QCoreApplication.processEvents()
    assert found == []
