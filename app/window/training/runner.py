"""Trains a style in a separate process, without blocking, and finds an unfinished training after a restart."""

from __future__ import annotations

import json
import shutil
import sys
import uuid
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLockFile, QObject, Signal
from PySide6.QtGui import QImage

from framebrush.base.files import write_whole
from framebrush.playback.events import Notification
from framebrush.styles.folder import copy_whole
from framebrush.window.training.spec import TrainingSpec
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.process_runner import ProcessRunner

GRACE_MS = 120_000
"""How long a stopped process may take to finish its step and save a checkpoint: a step can take long on a CPU."""

FINISH_GRACE_MS = 600_000
"""The same for one that is to write the style as it is."""

FACTS = "training.json"


class State(StrEnum):
    """The state of the training. NONE: there is none. STARTING: PyTorch is being loaded. STOPPED: it can be resumed.
    TRAINED: the style file is complete and waits to be added to the styles."""

    NONE = "none"
    STARTING = "starting"
    RUNNING = "running"
    STOPPING = "stopping"
    STOPPED = "stopped"
    TRAINED = "trained"


@dataclass(frozen=True, slots=True)
class Found:
    """A training in the folder. name: no other has it. whole: whether the style file is complete."""

    name: str
    spec: TrainingSpec
    step: int
    whole: bool
    preview: QImage


class TrainingRunner(ProcessRunner):
    """Runs one training at a time, as two would only share the device. Its files stay in a folder until it is done.

    The windows share the folder. Only the one that holds the lock, from `start` or `resume` until the training has
    stopped or was cleared, changes anything there, and only to a training that it knows: what another window has left
    in the meantime is shown instead.
    """

    changed = Signal()  # of state, message or progress
    previewed = Signal(QImage)
    trained = Signal(object)  # the path of the style file; `clear` is to be called once it has been copied

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        """folder: of the training, created when one starts. parent: the application by default."""
        super().__init__(parent)
        self._folder = folder
        self._lock = QLockFile(str(folder.with_suffix(".lock")))
        self._lock.setStaleLockTime(0)  # never by age; a dead owner is detected anyway
        self._closing, self._problem = False, ""
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
            Background(self._find, self._found, self)

    def start(self, spec: TrainingSpec) -> None:
        """Train a style, replacing a stopped training. Its picture is copied, since the original may be moved before
        the training is resumed."""
        if self.state not in (State.NONE, State.STOPPED) or not self._hold_or_tell():
            return
        self.spec, self.step, self.left_s, self.message = spec, 0, None, ""
        self._show(QImage())
        self._set(State.STARTING)
        known = self._name
        Background(lambda: self._prepare(spec, known), self._prepared, self, must_end=True)

    def resume(self) -> None:
        """Resume a stopped training."""
        if self.state is State.STOPPED and self.spec is not None and self._hold_or_tell():
            self.message, self.left_s = "", None
            self._set(State.STARTING)
            Background(self._find, self._resumed, self)

    def stop(self) -> None:
        """Save a checkpoint and end the process."""
        if self._process is not None and self.state in (State.STARTING, State.RUNNING):
            self._send("cancel")
            self._set(State.STOPPING)
            self._kill_after(GRACE_MS)

    def finish(self) -> None:
        """Finish the style in its current state."""
        if self.state is State.RUNNING:
            self._send("finish")
            self._set(State.STOPPING)
            self._kill_after(FINISH_GRACE_MS)

    def discard(self) -> None:
        """Delete a stopped training."""
        if self._process is None and self._hold_or_tell():
            found = self._find()
            if found is None or found.name == self._name:
                self.clear()
            else:
                self._meet(found)

    def close(self) -> None:
        """When the window closes, the process saves a checkpoint and ends."""
        self._closing = True
        self.stop()
        self._kill_after(GRACE_MS)

    def clear(self) -> None:
        """Delete the training, which was completed or discarded."""
        self.spec, self._name = None, ""
        self.step, self.left_s, self.message = 0, None, ""
        gone = self._folder.with_name(f"{self._folder.name}.{uuid.uuid4().hex}.old")
        with suppress(OSError):
            self._folder.rename(gone)  # so that the next one can start at once, as deleting may take a while
        self._lock.unlock()
        Background(self._sweep, self._swept, self, must_end=True)
        self._set(State.NONE)

    # The folder, which is another window's as long as that has the lock

    def _hold(self) -> bool:
        with suppress(OSError):  # reported when the files are written
            self._folder.parent.mkdir(parents=True, exist_ok=True)
        lock = self._lock
        return lock.isLocked() or lock.tryLock(0) or lock.error() is not QLockFile.LockError.LockFailedError

    def _hold_or_tell(self) -> bool:
        held = self._hold()
        if not held:
            self.message = self.tr("Another window of Framebrush is training a style.")
            self.changed.emit()
            self.notified.emit(Notification(self.message, severity="problem"))
        return held

    def _meet(self, found: Found) -> None:
        """Show a training that is in the folder as this window's."""
        self._name, self.spec, self.step, self.left_s, self.message = found.name, found.spec, found.step, None, ""
        self._show(found.preview)
        if found.whole:
            self._set(State.TRAINED)
            self.trained.emit(found.spec.out(self._folder))
            return
        self._lock.unlock()
        self._set(State.STOPPED)
        text = self.tr("The training of the style {name} is not finished; resume it under “New style from a picture”.")
        self.notified.emit(Notification(text.format(name=found.spec.name)))

    def _found(self, found: Found | None) -> None:
        if self.state is not State.NONE:
            return
        if found is not None:
            self._meet(found)
        else:
            self._lock.unlock()

    def _resumed(self, found: Found | None) -> None:
        if found is None:
            self._lock.unlock()
            text = self.tr("There is no training to resume: another window has completed or discarded it.")
            self.spec, self.step, self.message, self._name = None, 0, text, ""
            self._set(State.NONE)
        elif found.whole or found.name != self._name:
            self._meet(found)
        else:
            self._launch(found.spec)

    # Files, in separate threads

    def _swept(self, _: None) -> None:
        """Nothing to do afterwards."""

    def _find(self) -> Found | None:
        try:
            facts = json.loads((self._folder / FACTS).read_text(encoding="utf-8"))
            name, spec, step = str(facts.get("name", "")), TrainingSpec.from_values(facts["spec"]), int(facts["step"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            with suppress(OSError):
                self._folder.replace(self._folder.with_name(f"{self._folder.name}.damaged"))
            return None
        out = spec.out(self._folder)
        return Found(name, spec, step, out.is_file(), QImage(str(out.with_suffix(".preview.png"))))

    def _prepare(self, spec: TrainingSpec, known: str) -> tuple[str, TrainingSpec] | Found | OSError:
        """The name and the settings of the new training. known: the name of the one that it may replace; another one is
        returned."""
        there = self._find()
        if there is not None and there.name != known:
            return there
        folder, picture, name = self._folder, Path(spec.picture), uuid.uuid4().hex
        fresh = folder.with_name(f"{folder.name}.new")  # the picture may belong to the previous training
        spec = replace(spec, picture=str(folder / f"picture{picture.suffix.lower()}"))
        try:
            self._sweep()
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir(parents=True)
            copy_whole(picture, fresh / Path(spec.picture).name)
            _save(fresh, name, spec, 0)
            shutil.rmtree(folder, ignore_errors=True)
            fresh.rename(folder)
        except OSError as error:
            return error
        return name, spec

    def _sweep(self) -> None:
        for gone in self._folder.parent.glob(f"{self._folder.name}.*.old"):
            shutil.rmtree(gone, ignore_errors=True)

    def _prepared(self, made: tuple[str, TrainingSpec] | Found | OSError) -> None:
        if isinstance(made, Found):
            self._meet(made)
        elif isinstance(made, OSError):
            self._end(self.tr("The picture cannot be copied ({reason}).").format(reason=made))
        else:
            self._name, self.spec = made
            self._launch(self.spec)

    # The process

    def _launch(self, spec: TrainingSpec) -> None:
        if self._closing:
            self._lock.unlock()
            self._set(State.STOPPED)
            return
        self._problem, self.prepared = "", 0.0
        first = json.dumps({"spec": spec.to_values(), "folder": str(self._folder)})
        self._run(self.python, "framebrush.window.training.training_worker", first)

    def _take(self, line: dict[str, Any]) -> None:
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
            with suppress(OSError):  # only the step number is lost
                assert self.spec is not None
                _save(self._folder, self._name, self.spec, self.step)
        elif "message" in line:
            self.message = str(line["message"])
            self.changed.emit()
        elif "problem" in line:
            self._problem = str(line["problem"])

    def _ended(self, status: int, message: str, errors: str) -> None:
        if status == 0 and self.spec is not None:
            self._set(State.TRAINED)
            self.trained.emit(self.spec.out(self._folder))
        else:
            if self.spec is not None:  # its files are kept for resuming
                with suppress(OSError):
                    _save(self._folder, self._name, self.spec, self.step)
            ended = self.tr("Its process ended with status {status}.").format(status=status)
            self._end("" if status == 4 else message or self._problem or ended, errors)

    def _end(self, problem: str, details: str = "") -> None:
        """Note that the training has stopped, or did not begin."""
        self._lock.unlock()
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


def _save(folder: Path, name: str, spec: TrainingSpec, step: int) -> None:
    write_whole(folder / FACTS, json.dumps({"name": name, "spec": spec.to_values(), "step": step}, indent=1))
