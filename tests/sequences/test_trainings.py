"""Trainings of two windows that share a folder: begun, stopped, killed, begun again, discarded, and left with the
window; each real, on the processor, of material that teaches nothing."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

pytest.importorskip("torch")
Image = pytest.importorskip("PIL.Image")

from framebrush.window.training.runner import State, TrainingRunner  # noqa: E402
from framebrush.window.training.spec import TrainingSpec  # noqa: E402
from framebrush.window.widgets.background import Background  # noqa: E402
from tests.app.window.conftest import application, process_of  # noqa: E402, F401 - a fixture
from tests.untrained import save_features  # noqa: E402

pytestmark = [
    pytest.mark.media,
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there"),
]

FEW_CLIPS = Path(__file__).parents[1] / "few_clips.py"
WINDOWS = st.integers(0, 1)
BUSY = (State.STARTING, State.RUNNING, State.STOPPING)
PATIENCE_S = 240.0


@pytest.fixture(scope="module", autouse=True)
def material(application: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """A painting, eight photographs, features that were never trained, and a Python that takes little of them."""
    folder, dice = tmp_path_factory.mktemp("material"), np.random.default_rng(0)
    (folder / "photos").mkdir()
    for name in ("painting.png", *(f"photos/{n}.png" for n in range(8))):
        small = Image.fromarray(dice.integers(0, 256, (12, 15, 3), dtype=np.uint8))
        small.resize((300, 256), Image.Resampling.BICUBIC).save(folder / name)
    save_features(folder / "random.npz")
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P "{FEW_CLIPS}" "$@"\n')
    python.chmod(0o755)
    Trainings.material = folder
    return folder


class Trainings(RuleBasedStateMachine):
    """The model: which window trains, and the name of the training in the folder, if there is one. A training of one
    window is never another's to change."""

    material: Path

    @initialize()
    def begin(self) -> None:
        self.work = tempfile.TemporaryDirectory()
        self.folder = Path(self.work.name) / "training"
        self.windows = [self.opened() for _ in range(2)]
        self.trains: int | None = None
        self.there = ""
        self.count = 0
        self.start(0)

    def opened(self) -> TrainingRunner:
        made = TrainingRunner(self.folder)
        made.python = str(self.material / "python")
        made.begin()
        self.settle()
        return made

    def teardown(self) -> None:
        if not hasattr(self, "work"):
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
            time.sleep(0.005)
            assert time.monotonic() < end, f"waited in vain for {what}"

    def settle(self) -> None:
        """Until the files are as they were to be."""
        app = QCoreApplication.instance()
        assert app is not None

        def over() -> bool:
            return not any(each._thread.is_alive() for each in app.findChildren(Background))

        self.wait(over, "what is done beside")
        QCoreApplication.processEvents()

    @property
    def name(self) -> str:
        found = self.windows[0]._folder.find()
        return found.spec.name if found is not None else ""

    @rule(window=WINDOWS)
    def start(self, window: int) -> None:
        runner, before, known = self.windows[window], self.there, self.windows[window].spec
        self.count += 1
        places = (str(self.material / name) for name in ("painting.png", "photos", "random.npz"))
        spec = TrainingSpec(f"Style {self.count}", *places, stroke_px=4.0, steps=4000, batch=1)
        mine = not before or (known is not None and known.name == before)
        runner.start(replace(spec))
        if self.trains is not None:
            assert self.name == before, "the training of another window was replaced"
            return
        self.wait(lambda: runner.state is State.RUNNING or runner.state not in BUSY, "its first step")
        if runner.state is State.RUNNING:
            assert mine, "what another window has left was replaced unseen"
            self.trains, self.there = window, spec.name
        else:
            assert not mine, runner.message
            assert runner.spec is not None
            assert runner.spec.name == before
        event(f"started: {runner.state}")

    @rule(window=WINDOWS)
    def resume(self, window: int) -> None:
        runner = self.windows[window]
        stopped = runner.state is State.STOPPED
        runner.resume()
        if not stopped or self.trains is not None:
            return
        self.wait(lambda: runner.state is State.RUNNING or runner.state not in BUSY, "its first step")
        event(f"resumed: {runner.state}")
        if runner.state is State.RUNNING:
            self.trains = window
        else:
            assert runner.state is (State.STOPPED if self.there else State.NONE)

    @precondition(lambda self: self.trains is not None)
    @rule(crashes=st.booleans())
    def stop(self, crashes: bool) -> None:
        assert self.trains is not None
        runner = self.windows[self.trains]
        if crashes:
            process_of(runner).kill()
        else:
            runner.stop()
        self.wait(lambda: runner.is_idle, "its end")
        assert runner.state is State.STOPPED
        assert bool(runner.message) == crashes, "how it ended is told of another attempt"
        assert runner.step >= 1
        self.trains = None

    @rule(window=WINDOWS)
    def discard(self, window: int) -> None:
        runner, known = self.windows[window], self.windows[window].spec
        runner.discard()
        self.settle()
        if self.trains is None and (not self.there or (known is not None and known.name == self.there)):
            self.there = ""
            assert runner.state is State.NONE
            event("discarded")

    @rule(window=WINDOWS)
    def close_and_open(self, window: int) -> None:
        former = self.windows[window]
        former.close()
        self.wait(lambda: former.is_idle, "its end")
        if self.trains == window:
            self.trains = None
        former._folder.lock.release()  # as the end of its program does
        self.windows[window] = self.opened()
        former.deleteLater()
        if self.trains is None:
            wanted = State.STOPPED if self.there else State.NONE
            assert self.windows[window].state is wanted

    @invariant()
    def one_trains_what_is_there(self) -> None:
        if not hasattr(self, "windows"):
            return
        busy = [number for number in range(2) if self.windows[number].state in BUSY]
        assert busy == ([] if self.trains is None else [self.trains])
        assert self.name == self.there
        assert not self.folder.with_name("training.damaged").exists()
        assert [path for path in self.folder.parent.rglob("*.part") if not busy] == []
        left = {path.name for path in self.folder.parent.iterdir() if not path.name.endswith((".old", ".new"))}
        assert left <= {"training", "training.lock"}
        assert os.path.isdir(self.folder) == bool(self.there)  # noqa: PTH112


TestTrainings = Trainings.TestCase
TestTrainings.settings = settings(max_examples=2, stateful_step_count=7)
