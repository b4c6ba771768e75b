"""Client of the learning process."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal

from framebrush.base.child import Ended
from framebrush.playback.events import Notification
from framebrush.window.training.capabilities import IN_BUNDLE
from framebrush.window.widgets.process_runner import Attempt, ProcessRunner

GRACE_S = 60.0
"""Maximum seconds for the process's last step and for saving."""

INSTALL = 'pip install torch --index-url https://download.pytorch.org/whl/cpu\npip install "framebrush[train]"'
"""Installation commands for a CPU, as in docs/painted-keys.md."""


@dataclass(slots=True, eq=False)
class Lesson(Attempt):
    """Learning process for a film. absent: PyTorch is missing."""

    ending: bool = False
    absent: bool = False


class ShotLearner(ProcessRunner[Lesson]):
    """Runs the open film's learning process; one window per folder."""

    changed = Signal()  # learning state or progress
    learnt = Signal(str)  # the style has changed; argument for `open_style`
    unrelated = Signal(int)  # a frame's picture does not look like a painting of it

    def __init__(self) -> None:
        super().__init__()
        self.python = sys.executable
        self.learning = False
        """Whether learning is running or about to start."""
        self.share: float | None = None
        """Progress, 0..1; None until the process is ready."""
        self.searched: float | None = None
        """Searched share of the film while shots are being detected, else None."""
        self._film: Path | None = None  # film for which a process is wanted
        self._waiting: list[object] = []  # orders until the film's process has started
        self._order = 0

    def begin(self, film: Path) -> bool:
        """Prepare a process for a film; return whether one is available."""
        if film != self._film:
            self.end()
            self._film = film
        return not self.is_idle or self._launch(film)

    def learn(self, film: Path, numbers: Sequence[int] | None) -> None:
        """Learn the shots of these frames, or all."""
        if self.begin(film):
            self._give(learn=numbers if numbers is None else list(numbers))
            self.learning, self.share, self.searched = True, None, None
            self.changed.emit()

    def stop(self) -> None:
        """Stop learning and keep the results."""
        if self.learning:
            self._give(stop=True)

    def end(self) -> None:
        """End the process with the film, and keep the results."""
        self._film = None
        self._waiting.clear()
        if self._attempt is not None:
            self._attempt.ending = True
            self._end(GRACE_S)
        self._rest()

    def _give(self, **order: object) -> None:
        self._order += 1
        values = {"order": self._order, **order}
        if self._attempt is not None and self._attempt.ending:
            self._waiting.append(values)
        else:
            self._send(values)

    def _launch(self, film: Path) -> bool:
        if IN_BUNDLE and self.python == sys.executable:
            self._tell_absent(self.tr("this program does not include Python"))
            return False
        self._run(Lesson(), "framebrush.window.painted.learning_worker", python=self.python)
        for order in [{"film": str(film)}, *self._waiting]:
            self._send(order)
        self._waiting.clear()
        return True

    def _take(self, lesson: Lesson, line: dict[str, Any]) -> None:
        if lesson.ending:
            return
        if "read" in line:
            self.searched = float(line["read"])
        elif "step" in line:
            self.searched, self.share = None, (int(line["shot"]) + float(line["done"])) / int(line["shots"])
        elif "style" in line:
            self.learnt.emit(str(line["style"]))
        elif "message" in line:
            self.notified.emit(Notification(str(line["message"])))
        elif "unrelated" in line:
            self.unrelated.emit(int(line["unrelated"]))
        elif "absent" in line:
            lesson.absent = True
            self._tell_absent(str(line["absent"]))
        elif "over" in line:
            self._over(line)
        self.changed.emit()

    def _over(self, line: dict[str, Any]) -> None:
        if line["over"] == self._order:
            self._rest()
        if "busy" in line:
            text = self.tr("Another window of Framebrush is learning from these frames.")
            self.notified.emit(Notification(text, severity="problem"))
        elif "problem" in line:
            self.notified.emit(Notification(str(line["problem"]), severity="problem"))

    def _ended(self, lesson: Lesson, how: Ended, message: str) -> None:
        if lesson.ending:
            if self._film is not None and not self._launch(self._film):
                self._rest()
            return
        self._film = None
        self._rest()
        if not lesson.absent:
            ended = message or self.tr("Its process ended with status {status}.").format(status=how.status)
            text = self.tr("Learning from the painted frames failed: {reason}").format(reason=ended)
            self.notified.emit(Notification(text, how.errors, "problem"))

    def _tell_absent(self, why: str) -> None:
        if IN_BUNDLE:
            text = self.tr(
                "What you paint is kept, but not learnt: PyTorch is missing ({reason}). Choose a Python that has it "
                "under “Train a style from a picture”."
            ).format(reason=why)
        else:
            text = self.tr(
                "What you paint is kept, but not learnt: PyTorch is missing ({reason}). Install it with {command}, "
                "then choose “Learn on”."
            ).format(reason=why, command='pip install "framebrush[train]"')
        self.notified.emit(Notification(text, INSTALL, "problem"))

    def _rest(self) -> None:
        self.learning, self.share, self.searched = False, None, None
        self.changed.emit()
