"""Training capabilities of this machine, asked of the Python that will train."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Signal

from framebrush.base.child import Ended
from framebrush.window.widgets.process_runner import Attempt, ProcessRunner

IN_BUNDLE = bool(getattr(sys, "frozen", False))
"""Whether this is the frozen program, into which PyTorch cannot be installed."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Training capabilities.

    Attributes:
        missing: why training is impossible, or "".
        device: its name.
        gpu: whether it is a GPU.
        crop_s: seconds per crop of a step, None until measured.
    """

    missing: str = ""
    device: str = ""
    gpu: bool = False
    crop_s: float | None = None


def about(seconds: float) -> str:
    """Format an approximate time."""
    minutes = max(1, round(seconds / 60))
    if minutes < 90:
        return QCoreApplication.translate("TrainingCapabilities", "about {number} min").format(number=minutes)
    return QCoreApplication.translate("TrainingCapabilities", "about {number} h").format(number=round(minutes / 60))


class TrainingCapabilities(ProcessRunner[Attempt]):
    """Queries a Python: seconds for the first answer, longer for the measurement."""

    found = Signal(object)  # Facts

    def __init__(self, python: str, parent: QObject) -> None:
        """python: the interpreter; "" for this one."""
        super().__init__(parent)
        self.python = python or sys.executable
        self.facts: Facts | None = None

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
        self._run(Attempt(), "framebrush.window.training.probe", python=self.python)

    def end(self) -> None:
        """Stop the query, because the machine is needed otherwise."""
        self._end(0)
        self._attempt = None  # nothing more is heard of it

    def _take(self, _: Attempt, line: dict[str, Any]) -> None:
        if "absent" in line:
            self._tell(Facts(missing=self.tr("Not installed: {names}.").format(names=", ".join(line["absent"]))))
        elif "broken" in line:
            self._tell(Facts(missing=str(line["broken"])))
        elif "device" in line:
            self._tell(Facts("", str(line["device"]), bool(line["gpu"])))
        elif "crop_s" in line and self.facts is not None:
            self._tell(replace(self.facts, crop_s=float(line["crop_s"])))

    def _ended(self, _: Attempt, how: Ended, message: str) -> None:
        if self.facts is None:
            last = how.errors.rpartition("\n")[2][:200]
            self._tell(Facts(missing=last or message or self.tr("It does not answer.")))

    def _tell(self, facts: Facts) -> None:
        self.facts = facts
        self.found.emit(facts)
