"""What this machine can learn a style with: asked of the Python that is to do it, in a process of its own."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QProcess, Signal

IN_BUNDLE = bool(getattr(sys, "frozen", False))
"""Whether this is the program that needs no Python: PyTorch cannot be installed into it."""


@dataclass(frozen=True, slots=True)
class Facts:
    """missing: why there is no learning, "" where there is. device: of a GPU. gpu: whether one is used. features: the
    weights that judge, where they were found. crop_s: seconds for a crop of a step, None until it is measured."""

    missing: str = ""
    device: str = ""
    gpu: bool = False
    features: str = ""
    crop_s: float | None = None


def about(seconds: float) -> str:
    """A time in words, as exact as an estimate can be."""
    minutes = max(1, round(seconds / 60))
    if minutes < 90:
        return QCoreApplication.translate("TrainingFacts", "about {number} min").format(number=minutes)
    return QCoreApplication.translate("TrainingFacts", "about {number} h").format(number=round(minutes / 60))


class TrainingFacts(QObject):
    """Asks a Python, which takes seconds for the first answer and more for the figure."""

    found = Signal(object)  # Facts

    def __init__(self, python: str, parent: QObject) -> None:
        """python: the program; this one's own where empty."""
        super().__init__(parent)
        self.python = python or sys.executable
        self.facts: Facts | None = None
        self._process: QProcess | None = None

    def use(self, python: str) -> None:
        """Ask another Python."""
        self.python = python
        self.ask()

    def ask(self) -> None:
        """Ask anew."""
        self.end()
        self.facts = None
        if IN_BUNDLE and self.python == sys.executable:
            self._tell(Facts(missing=self.tr("This program comes without Python.")))
            return
        process = QProcess(self)
        process.readyReadStandardOutput.connect(self._read)
        process.finished.connect(self._finished)
        process.errorOccurred.connect(self._failed_to_start)
        self._process = process
        process.start(self.python, ["-P", "-m", "framebrush.window.training.probe"])
        process.closeWriteChannel()

    def end(self) -> None:
        """Ask no longer: the machine is needed for something else."""
        process, self._process = self._process, None
        if process is not None:
            process.readyReadStandardOutput.disconnect(self._read)
            process.finished.disconnect(self._finished)
            process.errorOccurred.disconnect(self._failed_to_start)
            process.setParent(QCoreApplication.instance())  # it may outlive the dialog by a moment
            process.finished.connect(process.deleteLater)
            process.kill()

    def _read(self) -> None:
        process = self._process
        while process is not None and process.canReadLine():
            try:
                line: dict[str, Any] = json.loads(bytes(process.readLine().data()))
            except ValueError:
                continue  # a library that prints
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
            self._tell(Facts(missing=errors[-1][:200] if errors else self.tr("It cannot be asked.")))
        process.deleteLater()

    def _failed_to_start(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self._process = None
            self._tell(Facts(missing=self.tr("{program} could not be started.").format(program=self.python)))

    def _tell(self, facts: Facts) -> None:
        self.facts = facts
        self.found.emit(facts)
