"""Trainings of two windows that share a folder: begun, stopped, killed, failed, finished, begun again, discarded, and
left with the window, at any moment; in processes of their own, which learn nothing."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from framebrush.playback.events import Notification
from framebrush.window.training.training_folder import TrainingFolder
from framebrush.window.training.training_runner import AT_REST, State, TrainingRunner
from framebrush.window.training.training_spec import TrainingSpec
from framebrush.window.widgets.background import Background
from tests.app.window.conftest import application, process_of  # noqa: F401 - a fixture

pytestmark = [
    pytest.mark.media,
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there"),
]

LEARNS_NOTHING = Path(__file__).parents[1] / "learns_nothing.py"
WINDOWS = st.integers(0, 1)
PRESSED = st.sampled_from(["nothing", "start", "resume", "discard", "finish"])
"""While it starts, when none of it has an effect."""
THEN = st.sampled_from(["runs", "runs", "is stopped at once", "fails", "is closed at once"])
PATIENCE_S = 60.0
LONG = 100_000  # steps


@pytest.fixture(scope="module", autouse=True)
def material(application: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """A picture, and a Python that learns nothing."""
    folder = tmp_path_factory.mktemp("material")
    (folder / "painting.png").write_bytes(b"a picture")
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P "{LEARNS_NOTHING}" "$@"\n')
    python.chmod(0o755)
    Trainings.material = folder
    return folder


class Trainings(RuleBasedStateMachine):
    """Model of trainings: the window that trains, the folder's training, and each window's own.

    All have one name and are told apart by their number of steps. A window never changes another's training, nor an
    unknown one.
    """

    material: Path

    @initialize()
    def begin(self) -> None:
        self.work = tempfile.TemporaryDirectory()
        self.folder = Path(self.work.name) / "data" / "training"
        self.photos = Path(self.work.name) / "photos"
        self.photos.mkdir()
        self.told: list[list[str]] = [[], []]
        self.changes = [0, 0]
        self.kept: list[list[Path]] = [[], []]  # the styles that a window was told of
        self.trains: int | None = None
        self.there: int | None = None
        self.knows: list[int | None] = [None, None]
        self.learnt = 0  # the steps of what is there that will not be lost
        self.count = LONG
        self.windows = [self.opened(number) for number in range(2)]

    def opened(self, window: int) -> TrainingRunner:
        made = TrainingRunner(self.folder)
        made.python = str(self.material / "python")
        self.told[window], self.kept[window] = [], []
        self.changes[window] = 0

        def tell(notification: Notification) -> None:
            self.told[window].append(notification.text)

        def change() -> None:
            self.changes[window] += 1

        made.notified.connect(tell)
        made.changed.connect(change)
        made.trained.connect(self.kept[window].append)
        made.begin()
        self.settle()
        self.knows[window] = self.there if self.trains is None else None
        return made

    def teardown(self) -> None:
        if not hasattr(self, "windows"):
            return
        for window in self.windows:
            window.close()
        self.wait(lambda: all(window.is_idle for window in self.windows), "the end")
        Background.end_all()
        for window in self.windows:
            window.deleteLater()
        self.work.cleanup()

    def wait(self, until: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE_S
        while not until():
            QCoreApplication.processEvents()
            time.sleep(0.002)
            assert time.monotonic() < end, f"waited in vain for {what}"

    def settle(self) -> None:
        """Until the files are as they were to be."""
        app = QCoreApplication.instance()
        assert app is not None

        def over() -> bool:
            return not any(each.worker.is_alive() for each in app.findChildren(Background))

        self.wait(over, "what is done beside")
        QCoreApplication.processEvents()

    def spec(self, picture: str = "painting.png") -> TrainingSpec:
        self.count += 1
        return TrainingSpec("Style", str(self.material / picture), str(self.photos), "", steps=self.count)

    def steps(self) -> int | None:
        """Which training is in the folder."""
        found = TrainingFolder(self.folder).find()
        return found.spec.steps if found is not None else None

    def is_refused(self, window: int, does: Callable[[], None]) -> bool:
        """Do it; whether that is without effect since another window trains."""
        runner = self.windows[window]
        before, told = (runner.state, runner.spec, runner.step), len(self.told[window])
        changes = self.changes[window]
        does()
        if runner.state is before[0] and self.trains not in (None, window):
            assert self.told[window][told:] == ["Another window of Framebrush is training a style."]
            assert (runner.state, runner.spec, runner.step) == before
            assert runner.message == self.told[window][-1]
            assert self.changes[window] == changes + 1  # for the dialog, which has the message
            event("refused")
            return True
        assert self.trains is None
        return False

    def met(self, window: int) -> None:
        """Check that the window shows the folder's training, not the former one."""
        runner = self.windows[window]
        self.wait(lambda: runner.state in AT_REST, "an answer")
        assert runner.state is State.STOPPED
        assert runner.spec is not None
        assert runner.spec.steps == self.there
        assert "is not finished" in self.told[window][-1]
        assert runner.preview.isNull() != (self.folder / "Style.preview.png").exists()
        self.knows[window] = self.there
        event("met")

    def launched(self, window: int, then: str, pressed: str) -> None:
        """Follow a training that the window has begun."""
        runner = self.windows[window]
        assert (runner.state, runner.prepared, runner.message) == (State.STARTING, 0.0, "")
        match pressed:
            case "start":
                runner.start(self.spec())
            case "resume":
                runner.resume()
            case "discard":
                runner.discard()
            case "finish":
                runner.finish()
        assert runner.state is State.STARTING
        event(f"{then}, {pressed} is pressed")
        match then:
            case "is stopped at once":
                runner.stop()
            case "is closed at once":
                self.leave(window)
                return
            case "fails":
                (self.photos / "broken").touch()
        self.wait(lambda: runner.state is State.RUNNING or runner.state in AT_REST, "its first step")
        self.knows[window] = self.there = self.steps()
        if then == "runs":
            assert runner.state is State.RUNNING
            assert runner.step > self.learnt
            assert runner.prepared == 0.5
            self.wait(lambda: not runner.preview.isNull(), "a preview")
            noted = TrainingFolder(self.folder).find()
            assert noted is not None
            assert noted.step > 0  # also for a window that is killed
            step, changes = runner.step, self.changes[window]
            self.wait(lambda: runner.step > step, "a step")
            assert self.changes[window] > changes
            self.trains = window
        else:
            assert runner.state is State.STOPPED
            assert runner.is_idle
        assert runner.message == ("these photographs are broken" if then == "fails" else "")
        assert runner.spec is not None
        assert runner.spec.steps == self.there
        assert runner.spec.picture == str(self.folder / "picture.png")  # its copy
        (self.photos / "broken").unlink(missing_ok=True)

    def leave(self, window: int) -> None:
        """Close the window, and open it again."""
        former, trained = self.windows[window], self.trains == window
        former.close()
        self.wait(lambda: former.is_idle and former.state in AT_REST, "its end")
        if self.trains == window:
            self.trains, self.learnt = None, former.step
        former._folder.lock.release()  # as the end of its program does
        former.deleteLater()
        self.there = self.steps()
        self.windows[window] = self.opened(window)
        wanted = State.STOPPED if self.knows[window] is not None else State.NONE
        assert self.windows[window].state is wanted
        if trained:
            assert self.windows[window].step == former.step

    @rule(window=WINDOWS, then=THEN, pressed=PRESSED)
    def start(self, window: int, then: str, pressed: str) -> None:
        runner, spec = self.windows[window], self.spec()
        if self.trains == window:
            before = runner.spec
            runner.start(spec)
            assert runner.spec is before
        elif not self.is_refused(window, lambda: runner.start(spec)):
            if self.there is not None and self.knows[window] != self.there:
                self.met(window)
            else:
                self.learnt = 0
                assert (runner.step, runner.left_s, runner.preview.isNull()) == (0, None, True)
                self.launched(window, then, pressed)
                assert self.there == spec.steps

    @rule(window=WINDOWS)
    def start_without_a_picture(self, window: int) -> None:
        runner = self.windows[window]
        if self.trains == window or self.is_refused(window, lambda: runner.start(self.spec("gone.png"))):
            return
        if self.there is not None and self.knows[window] != self.there:
            self.met(window)
            return
        self.wait(lambda: runner.state in AT_REST, "an answer")
        assert runner.state is State.STOPPED
        assert "cannot be copied" in runner.message

    @rule(window=WINDOWS, then=THEN, pressed=PRESSED)
    def resume(self, window: int, then: str, pressed: str) -> None:
        runner = self.windows[window]
        if runner.state is not State.STOPPED:
            before = runner.state
            runner.resume()
            assert runner.state is before
        elif not self.is_refused(window, runner.resume):
            if self.there is None:
                self.wait(lambda: runner.state in AT_REST, "an answer")
                assert runner.state is State.NONE
                assert "There is no training to resume" in runner.message
                self.knows[window] = None
                event("nothing to resume")
            elif self.knows[window] != self.there:
                self.met(window)
            else:
                there = self.there
                self.launched(window, then, pressed)
                assert self.there == there

    @precondition(lambda self: self.trains is not None)
    @rule(crashes=st.booleans(), twice=st.booleans())
    def stop(self, crashes: bool, twice: bool) -> None:
        assert self.trains is not None
        runner = self.windows[self.trains]
        if crashes:
            process_of(runner).kill()
        else:
            runner.stop()
            assert runner.state is State.STOPPING
            self.learnt = runner.step
        if twice:
            runner.start(self.spec())
            runner.resume()
            runner.discard()
            runner.finish()
        self.wait(lambda: runner.is_idle, "its end")
        assert runner.state is State.STOPPED
        assert runner.message == ("Its process ended unexpectedly." if crashes else "")
        assert runner.step >= 1
        self.trains = None
        event("crashed" if crashes else "stopped")

    @precondition(lambda self: self.trains is not None)
    @rule(is_closed=st.booleans())
    def finish(self, is_closed: bool) -> None:
        """is_closed: the window, before the style is among the styles."""
        window = self.trains
        assert window is not None
        runner = self.windows[window]
        self.kept[window].clear()
        runner.finish()
        assert runner.state is State.STOPPING
        self.wait(lambda: runner.state not in (State.RUNNING, State.STOPPING), "the style")
        for does in (lambda: runner.start(self.spec()), runner.resume, runner.discard, runner.stop):
            does()
        assert runner.state is State.TRAINED
        assert self.kept[window] == [self.folder / "Style.onnx"]
        if is_closed:
            runner.close()
            runner._folder.lock.release()
            runner.deleteLater()
            self.trains = None
            runner = self.windows[window] = self.opened(window)
            assert runner.state is State.TRAINED
            assert self.kept[window] == [self.folder / "Style.onnx"]
        runner.clear()
        self.settle()
        self.trains, self.there, self.knows[window], self.learnt = None, None, None, 0
        assert runner.state is State.NONE
        event("finished")

    @rule(window=WINDOWS)
    def discard(self, window: int) -> None:
        runner = self.windows[window]
        if self.trains == window:
            runner.discard()
        elif not self.is_refused(window, runner.discard):
            self.settle()
            if self.there is not None and self.knows[window] != self.there:
                self.met(window)
            else:
                self.there = self.knows[window] = None
                self.learnt = 0
                assert runner.state is State.NONE
                event("discarded")

    @rule(window=WINDOWS)
    def close_and_open(self, window: int) -> None:
        self.leave(window)

    @invariant()
    def one_trains_what_is_there(self) -> None:
        if not hasattr(self, "windows"):
            return
        self.settle()
        busy = [number for number in range(2) if self.windows[number].state not in AT_REST]
        assert busy == ([] if self.trains is None else [self.trains])
        assert [number for number in range(2) if not self.windows[number].is_idle] == busy
        assert self.steps() == self.there
        assert not self.folder.with_name("training.damaged").exists()
        assert [path for path in self.folder.parent.rglob("*.part") if not busy] == []
        left = {path.name for path in self.folder.parent.iterdir() if not path.name.endswith(".new")}
        assert left <= {"training", "training.lock"}
        assert os.path.isdir(self.folder) == (self.there is not None)  # noqa: PTH112


TestTrainings = Trainings.TestCase
TestTrainings.settings = settings(max_examples=25, stateful_step_count=20)
