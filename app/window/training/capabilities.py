"""Training capabilities of this machine."""

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

    missing: why training is impossible, or "". crop_s: seconds per crop of a step, None until measured.
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
    """Asks the Python that will train, for seconds, then measures its speed."""

    found = Signal(object)  # Facts

    def __init__(self, python: str, parent: QObject) -> None:
        """Create it. python: the interpreter; "" for this one."""
        super().__init__(parent)
        self.python = python or sys.executable
        self.facts: Facts | None = None

    def use(self, python: str) -> None:
        self.python = python
        self.ask()

    def ask(self) -> None:
        """Query the same Python again."""
        self.end()
        self.facts = None
        if IN_BUNDLE and self.python == sys.executable:
            self._tell(Facts(missing=self.tr("This program does not include Python.")))
            return
        self._run(Attempt(), "framebrush.window.training.training_probe", python=self.python)

    def end(self) -> None:
        """Stop the query, because the machine is needed."""
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
