"""Trains a style in a process."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from framebrush.base.child import Ended
from framebrush.base.json_values import to_values
from framebrush.playback.events import Notification
from framebrush.window.training.training_folder import Found, TrainingFolder
from framebrush.window.training.training_spec import TrainingSpec
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.process_runner import Attempt, ProcessRunner

GRACE_S = 120.0
"""How long a stopped process may take to finish its step and save a checkpoint: a step can take long on a CPU."""

FINISH_GRACE_S = 600.0
"""The same for a process that should write the unfinished style."""


class State(StrEnum):
    """State of the training.

    STARTING: PyTorch is loading. STOPPED: it can be resumed. TRAINED: the file is not yet among the styles.
    """

    NONE = "none"
    STARTING = "starting"
    RUNNING = "running"
    STOPPING = "stopping"
    STOPPED = "stopped"
    TRAINED = "trained"


AT_REST = State.NONE, State.STOPPED


@dataclass(slots=True, eq=False)
class Run(Attempt):
    """Training process. problem: its reported reason of a failure."""

    spec: TrainingSpec = field(kw_only=True)
    problem: str = ""


class TrainingRunner(ProcessRunner[Run]):
    """Runs one training at a time, because two would share the device.

    A lock keeps other windows out until the training stopped or was cleared.
    """

    changed = Signal()  # of state, message or progress
    previewed = Signal(QImage)
    trained = Signal(object)  # the path of the style file; `clear` is to be called once it has been copied

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = TrainingFolder(folder)
        self._name = ""  # of the training in `spec`
        self.python = sys.executable
        self.spec: TrainingSpec | None = None
        self.state = State.NONE
        self.step, self.message = 0, ""
        self.left_s: float | None = None
        self.prepared = 0.0
        """The share of the material that is prepared before the first step, 0..1."""
        self.preview = QImage()

    def begin(self) -> None:
        """Look for an unfinished training that no other window has."""
        if self._hold():
            Background(self._folder.find, self._found, self)

    def start(self, spec: TrainingSpec) -> None:
        """Train a style, replacing a stopped training. The picture is copied."""
        if self.state not in AT_REST or not self._hold_or_tell():
            return
        self.spec, self.step, self.left_s, self.message, self.prepared = spec, 0, None, "", 0.0
        self._show(QImage())
        self._set(State.STARTING)
        known = self._name
        Background(lambda: self._begun(spec, known), self._prepared, self, must_end=True)

    def resume(self) -> None:
        """Resume a stopped training."""
        if self.state is State.STOPPED and self.spec is not None and self._hold_or_tell():
            self.message, self.left_s, self.prepared = "", None, 0.0
            self._set(State.STARTING)
            Background(self._folder.find, self._resumed, self)

    def stop(self) -> None:
        """Save a checkpoint and end the process, if started."""
        if self.state in (State.STARTING, State.RUNNING):
            self._set(State.STOPPING)
            self._end(GRACE_S)

    def finish(self) -> None:
        """Finish the style in its current state."""
        if self.state is State.RUNNING:
            self._send("finish")
            self._set(State.STOPPING)
            self._end(FINISH_GRACE_S)

    def discard(self) -> None:
        """Delete a stopped training."""
        if self.state in AT_REST and self._hold_or_tell():
            found = self._folder.find()
            if found is None or found.name == self._name:
                self.clear()
            else:
                self._meet(found)

    def close(self) -> None:
        """Save a checkpoint and end when the window closes."""
        self.stop()
        self._end(GRACE_S)

    def clear(self) -> None:
        """Delete a completed or discarded training."""
        self.spec, self._name = None, ""
        self.step, self.left_s, self.message = 0, None, ""
        self._folder.clear()
        self._folder.lock.release()
        Background(self._folder.sweep, lambda _: None, self, must_end=True)
        self._set(State.NONE)

    # The folder; it is another window's as long as that window has the lock

    def _hold(self) -> bool:
        try:
            self._folder.path.parent.mkdir(parents=True, exist_ok=True)
            return self._folder.lock.try_lock()
        except OSError:  # reported when the files are written
            return True

    def _hold_or_tell(self) -> bool:
        held = self._hold()
        if not held:
            self.message = self.tr("Another window of Framebrush is training a style.")
            self.changed.emit()
            self.notified.emit(Notification(self.message, severity="problem"))
        return held

    def _meet(self, found: Found) -> None:
        self._name, self.spec, self.step, self.left_s, self.message = found.name, found.spec, found.step, None, ""
        self._show(QImage(str(found.spec.out(self._folder.path).with_suffix(".preview.png"))))
        if found.whole:
            self._set(State.TRAINED)
            self.trained.emit(found.spec.out(self._folder.path))
            return
        self._folder.lock.release()
        self._set(State.STOPPED)
        text = self.tr(
            "The training of the style {name} is not finished; resume it under “Train a style from a picture”."
        )
        self.notified.emit(Notification(text.format(name=found.spec.name)))

    def _found(self, found: Found | None) -> None:
        if self.state is not State.NONE:
            return
        if found is not None:
            self._meet(found)
        else:
            self._folder.lock.release()

    def _resumed(self, found: Found | None) -> None:
        if found is None:
            self._folder.lock.release()
            text = self.tr("There is no training to resume: another window has completed or discarded it.")
            self.spec, self.step, self.message, self._name = None, 0, text, ""
            self._set(State.NONE)
        elif found.whole or found.name != self._name:
            self._meet(found)
        else:
            self._launch(found.spec)

    def _begun(self, spec: TrainingSpec, known: str) -> Found | OSError:
        try:
            return self._folder.begin(spec, known)
        except OSError as error:
            return error

    def _prepared(self, made: Found | OSError) -> None:
        if isinstance(made, OSError):
            self._stopped(self.tr("The picture cannot be copied ({reason}).").format(reason=made))
        elif made.is_new:
            self._name = made.name
            self._launch(made.spec)
        else:
            self._meet(made)

    # The process

    def _launch(self, spec: TrainingSpec) -> None:
        self.spec = spec
        if self.state is State.STOPPING:  # while its files were looked for or copied
            self._stopped("")
            return
        self._run(Run(spec=spec), "framebrush.window.training.training_worker", python=self.python)
        self._send({"spec": to_values(spec), "folder": str(self._folder.path)})

    def _take(self, run: Run, line: dict[str, Any]) -> None:
        if "step" in line:
            self.step, self.left_s = int(line["step"]), line["left_s"]
            if self.state is State.STARTING:
                self.message = ""
                self._set(State.RUNNING)
            else:
                self.changed.emit()
        elif "prepared" in line:
            self.prepared = float(line["prepared"])
            self.changed.emit()
        elif "preview" in line:
            self._show(QImage(str(line["preview"])))
            self._folder.note(self._name, run.spec, self.step)
        elif "message" in line:
            self.message = str(line["message"])
            self.changed.emit()
        elif "problem" in line:
            run.problem = str(line["problem"])

    def _ended(self, run: Run, how: Ended, message: str) -> None:
        if how.status == 0:
            self._set(State.TRAINED)
            self.trained.emit(run.spec.out(self._folder.path))
        else:
            self._folder.note(self._name, run.spec, self.step)  # the run's files are kept for resuming
            ended = self.tr("Its process ended with status {status}.").format(status=how.status)
            self._stopped("" if how.status == 4 else message or run.problem or ended, how.errors)

    def _stopped(self, problem: str, details: str = "") -> None:
        self._folder.lock.release()
        self.message = problem
        self._set(State.STOPPED)
        if problem:
            assert self.spec is not None
            text = self.tr("Training {name} failed: {reason}").format(name=self.spec.name, reason=problem)
            self.notified.emit(Notification(text, details, "problem"))

    def _show(self, preview: QImage) -> None:
        self.preview = preview
        self.previewed.emit(preview)

    def _set(self, state: State) -> None:
        self.state = state
        self.changed.emit()
