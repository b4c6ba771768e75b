"""Trains a style in a separate process, without blocking, and finds an unfinished training after a restart."""

from __future__ import annotations

import json
import shutil
import sys
import uuid
from contextlib import suppress
from dataclasses import replace
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


class TrainingRunner(ProcessRunner):
    """Runs one training at a time, as two would only share the device. Its files stay in a folder until it is done."""

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
        self.python = sys.executable
        self.spec: TrainingSpec | None = None
        self.state = State.NONE
        self.step, self.message = 0, ""
        self.left_s: float | None = None
        self.prepared = 0.0
        """The share of the material that is prepared before the first step, 0..1."""
        self.preview = QImage()

    def begin(self) -> None:
        """Look for an unfinished training."""
        Background(self._find, self._found, self)

    def start(self, spec: TrainingSpec) -> None:
        """Train a style, replacing a stopped training. Its picture is copied, since the original may be moved before
        the training is resumed."""
        if self.state not in (State.NONE, State.STOPPED):
            return
        self.spec, self.step, self.left_s, self.message = spec, 0, None, ""
        self._show(QImage())
        self._set(State.STARTING)
        Background(lambda: self._prepare(spec), self._prepared, self)

    def resume(self) -> None:
        """Resume a stopped training."""
        if self.state is State.STOPPED and self.spec is not None:
            self.message, self.left_s = "", None
            self._set(State.STARTING)
            self._launch(self.spec)

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

    def discard(self) -> None:
        """Delete a stopped training."""
        if self._process is None:
            self.clear()

    def close(self) -> None:
        """When the window closes, the process saves a checkpoint and ends."""
        self._closing = True
        self.stop()

    def clear(self) -> None:
        """Delete the training, which was completed or discarded."""
        self.spec = None
        self.step, self.left_s, self.message = 0, None, ""
        gone = self._folder.with_name(f"{self._folder.name}.{uuid.uuid4().hex}.old")
        with suppress(OSError):
            self._folder.rename(gone)  # so that the next one can start at once, as deleting may take a while
        self._lock.unlock()
        Background(self._sweep, self._swept, self)
        self._set(State.NONE)

    # Files, in separate threads

    def _swept(self, _: None) -> None:
        """Nothing to do afterwards."""

    def _find(self) -> tuple[TrainingSpec, int, bool, QImage] | None:
        try:
            facts = json.loads((self._folder / FACTS).read_text(encoding="utf-8"))
            spec, step = TrainingSpec.from_values(facts["spec"]), int(facts["step"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            with suppress(OSError):
                self._folder.replace(self._folder.with_name(f"{self._folder.name}.damaged"))
            return None
        out = spec.out(self._folder)
        return spec, step, out.is_file(), QImage(str(out.with_suffix(".preview.png")))

    def _found(self, found: tuple[TrainingSpec, int, bool, QImage] | None) -> None:
        if found is None or self.state is not State.NONE:
            return
        self.spec, self.step, whole, preview = found
        self._show(preview)
        if whole and self._lock.tryLock(0):
            self._set(State.TRAINED)
            self.trained.emit(self.spec.out(self._folder))
            return
        self._set(State.STOPPED)
        text = self.tr("The training of the style {name} is not finished; resume it under “New style from a picture”.")
        self.notified.emit(Notification(text.format(name=self.spec.name)))

    def _prepare(self, spec: TrainingSpec) -> TrainingSpec | OSError:
        folder, picture = self._folder, Path(spec.picture)
        fresh = folder.with_name(f"{folder.name}.new")  # the picture may belong to the previous training
        spec = replace(spec, picture=str(folder / f"picture{picture.suffix.lower()}"))
        try:
            self._sweep()
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir(parents=True)
            copy_whole(picture, fresh / Path(spec.picture).name)
            _save(fresh, spec, 0)
            shutil.rmtree(folder, ignore_errors=True)
            fresh.rename(folder)
        except OSError as error:
            return error
        return spec

    def _sweep(self) -> None:
        for gone in self._folder.parent.glob(f"{self._folder.name}.*.old"):
            shutil.rmtree(gone, ignore_errors=True)

    def _prepared(self, spec: TrainingSpec | OSError) -> None:
        if isinstance(spec, TrainingSpec):
            self.spec = spec
            self._launch(spec)
        else:
            self._end(self.tr("The picture cannot be copied ({reason}).").format(reason=spec))

    # The process

    def _launch(self, spec: TrainingSpec) -> None:
        if self._closing:
            self._set(State.STOPPED)
            return
        if not self._lock.tryLock(0):
            self._end(self.tr("Another window of Framebrush is training a style."))
            return
        self._problem, self.prepared = "", 0.0
        first = json.dumps({"spec": spec.to_values(), "folder": str(self._folder)})
        self._run(self.python, "framebrush.window.training.worker", first)

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
                _save(self._folder, self.spec, self.step)
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
            ended = self.tr("Its process ended with status {status}.").format(status=status)
            self._end("" if status == 4 else message or self._problem or ended, errors)

    def _end(self, problem: str, details: str = "") -> None:
        """Note that the training has stopped; its files are kept for resuming."""
        self._lock.unlock()
        self.message = problem
        self._set(State.STOPPED)
        if self.spec is not None:
            with suppress(OSError):
                _save(self._folder, self.spec, self.step)
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


def _save(folder: Path, spec: TrainingSpec, step: int) -> None:
    write_whole(folder / FACTS, json.dumps({"spec": spec.to_values(), "step": step}, indent=1))
