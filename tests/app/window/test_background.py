"""Work beside the window's thread: its result comes back, its failure is left out."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Callable, Iterator

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication

from framebrush.window.widgets import background
from framebrush.window.widgets.background import Background, Latest

pytestmark = pytest.mark.unit


@pytest.fixture(autouse=True)
def none_left(application: QApplication) -> Iterator[None]:
    """Whatever becomes of the work, no object of it stays."""
    yield
    wait(lambda: not application.findChildren(Background))


def wait(until: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not until():
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert time.monotonic() < end


def test_the_result_comes_back_to_this_thread(application: QApplication) -> None:
    owner, found = QObject(), []
    Background(lambda: 42, lambda result: found.append((result, threading.current_thread())), owner)
    wait(lambda: found == [(42, threading.main_thread())])


def test_a_failure_ends_nothing_and_gives_nothing(application: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    failures: list[object] = []
    monkeypatch.setattr(threading, "excepthook", failures.append)
    owner, found = QObject(), []
    Background(lambda: 1 / 0, found.append, owner)
    wait(lambda: not application.findChildren(Background))
    assert found == failures == []


def test_what_has_ended_begins_nothing_more(application: QApplication) -> None:
    """A window ends in mid-work: a waiting result does not start the next step."""
    owner, found = QObject(), []
    made = Background(lambda: 42, found.append, owner)
    made.worker.join()  # the result waits in the queue of events
    Background.end_all()
    wait(lambda: not application.findChildren(Background))
    assert found == []


def test_a_window_that_has_ended_is_not_kept(application: QApplication) -> None:
    """Work with an end still in the event queue does not keep its window."""
    owner = QObject()
    gone = weakref.ref(owner)
    made = Background(lambda here=owner: here, lambda _, here=owner: None, owner)
    made.worker.join()
    Background.end_all()
    del owner
    gc.collect()
    assert gone() is None


def test_a_dialog_that_is_gone_gets_nothing(application: QApplication) -> None:
    """And takes nothing along that the thread still needs, which ended the process now and then."""
    owner, go, found = QObject(), threading.Event(), []
    made = Background(go.wait, found.append, owner)
    shiboken6.delete(owner)
    assert shiboken6.isValid(made)
    go.set()
    wait(lambda: not application.findChildren(Background))
    assert found == []


@pytest.mark.parametrize(("must_end", "gone"), [(False, False), (False, True), (True, True)])
def test_the_end_of_the_window_waits_not_long_for_what_nobody_needs(
    application: QApplication, monkeypatch: pytest.MonkeyPatch, must_end: bool, gone: bool
) -> None:
    """Such as a folder on a server that does not answer, or an encoder's driver, which may take a minute."""
    monkeypatch.setattr(background, "JOIN_S", 0.05)
    owner, go = QObject(), threading.Event()
    made = Background(go.wait, lambda _: None, owner, must_end=must_end)
    if gone:
        shiboken6.delete(owner)
    Background.end_all()
    assert made.worker.is_alive()
    go.set()


def test_the_end_of_the_window_waits_for_what_changes_files(
    application: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "JOIN_S", 0.0)
    owner, go, done = QObject(), threading.Event(), threading.Event()

    def change() -> None:
        go.wait()
        done.set()

    Background(change, lambda _: None, owner, must_end=True)
    threading.Timer(0.1, go.set).start()
    Background.end_all()
    assert done.is_set()


def test_owners_may_go_at_any_moment(application: QApplication) -> None:
    found: list[int] = []
    for _ in range(200):
        owners = [QObject(application) for _ in range(5)]
        for owner in owners:
            Background(lambda: 1, found.append, owner)
        for owner in owners:
            owner.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_an_equal_question_is_asked_once_and_the_latest_is_answered(application: QApplication) -> None:
    owner, found = QObject(), list[int]()
    latest = Latest(found.append, owner)
    asked = [latest.ask(question, lambda answer=question: answer) for question in (1, 2, 2)]  # type: ignore[misc]
    assert (asked, latest.is_waiting) == ([True, True, False], True)
    wait(lambda: bool(found))
    assert (found, latest.is_waiting) == ([2], False)
