"""What this machine can train a style with: determined by the Python that will do it, in a separate process."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QProcess, Signal

IN_BUNDLE = bool(getattr(sys, "frozen", False))
"""Whether this is the frozen program, into which PyTorch cannot be installed."""


@dataclass(frozen=True, slots=True)
class Facts:
    """missing: why training is impossible, "" if it is possible. device: its name. gpu: whether it is a GPU. features:
    the file of VGG16 weights, if found. crop_s: seconds per crop of a step, None until measured."""

    missing: str = ""
    device: str = ""
    gpu: bool = False
    features: str = ""
    crop_s: float | None = None


def about(seconds: float) -> str:
    """An approximate time in words."""
    minutes = max(1, round(seconds / 60))
    if minutes < 90:
        return QCoreApplication.translate("TrainingFacts", "about {number} min").format(number=minutes)
    return QCoreApplication.translate("TrainingFacts", "about {number} h").format(number=round(minutes / 60))


class TrainingFacts(QObject):
    """Queries a Python, which takes seconds for the first answer and longer for the measurement."""

    found = Signal(object)  # Facts

    def __init__(self, python: str, parent: QObject) -> None:
        """python: the program; if empty, the one that is running."""
        super().__init__(parent)
        self.python = python or sys.executable
        self.facts: Facts | None = None
        self._process: QProcess | None = None

    def use(self, python: str) -> None:
        """Query another Python."""
        self.python = python
        self.ask()

    def ask(self) -> None:
        """Query again."""
        self.end()
        self.facts = None
        if IN_BUNDLE and self.python == sys.executable:
            self._tell(Facts(missing=self.tr("This program does not include Python.")))
            return
        process = QProcess(self)
        process.readyReadStandardOutput.connect(self._read)
        process.finished.connect(self._finished)
        process.errorOccurred.connect(self._failed_to_start)
        self._process = process
        process.start(self.python, ["-P", "-m", "framebrush.window.training.probe"])
        process.closeWriteChannel()

    def end(self) -> None:
        """Stop the query, as the machine is needed for something else."""
        process, self._process = self._process, None
        if process is not None:
            process.readyReadStandardOutput.disconnect(self._read)
            process.finished.disconnect(self._finished)
            process.errorOccurred.disconnect(self._failed_to_start)
            process.setParent(QCoreApplication.instance())  # it may briefly outlive the dialog
            process.finished.connect(process.deleteLater)
            process.kill()

    def _read(self) -> None:
        process = self._process
        while process is not None and process.canReadLine():
            try:
                line: dict[str, Any] = json.loads(bytes(process.readLine().data()))
            except ValueError:
                continue  # printed by a library
            if "absent" in line:
                self._tell(Facts(missing=self.tr("Not installed: {names}.").format(names=", ".join(line["absent"]))))
            elif "broken" in line:
                self._tell(Facts(missing=str(line["broken"])))
            elif "device" in line:
                self._tell(Facts("", str(line["device"]), bool(line["gpu"]), str(line["features"])))
            elif "crop_s" in line and self.facts is not None:
                known = self.facts
                self._tell(Facts("", known.device, known.gpu, known.features, float(line["crop_s"])))

    def _finished(self) -> None:
        self._read()
        process, self._process = self._process, None
        if process is None:
            return
        if self.facts is None:
            errors = bytes(process.readAllStandardError().data()).decode(errors="replace").strip().splitlines()
            self._tell(Facts(missing=errors[-1][:200] if errors else self.tr("It does not answer.")))
        process.deleteLater()

    def _failed_to_start(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self._process = None
            self._tell(Facts(missing=self.tr("{program} could not be started.").format(program=self.python)))

    def _tell(self, facts: Facts) -> None:
        self.facts = facts
        self.found.emit(facts)
