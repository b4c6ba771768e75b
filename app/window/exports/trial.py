"""Short trial export that shows appearance, size and duration of the result."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from framebrush.jobs.spec import JobSpec
from framebrush.media.reading.fields import CADENCES, as_read
from framebrush.media.video import USUAL_RATE, Position, TimeRange, VideoInfo
from framebrush.window.exports.queue import ExportJob, ExportQueue, State
from framebrush.window.exports.runner import ExportRunner
from framebrush.window.transport.seekbar import clock
from framebrush.window.widgets.controls import choice, faint, push_button, unseen_name
from framebrush.window.widgets.layouts import fill
from framebrush.window.widgets.numbers import data_size, decimal
from framebrush.window.widgets.theme import SPACE

LENGTHS_S = (2, 5, 15)


def frames_of(info: VideoInfo, span: TimeRange) -> int | None:
    """The number of frames in a range of a video; None if unknown."""
    ends = [] if span.end is None else [int(span.end.value)]
    if info.frame_count is not None:
        ends.append(info.frame_count)
    elif info.duration_s is not None and info.rate:
        ends.append(round(info.duration_s * info.rate))
    first = int(span.start.value) if span.start is not None else 0
    return max(0, min(ends) - first) if ends else None


@dataclass(slots=True, eq=False)
class _Attempt:
    """One trial.

    Attributes:
        asked: the export that it is of.
        info: of the film, as that export reads it.
        frames, fps: as last reported.
    """

    job: ExportJob
    asked: JobSpec
    info: VideoInfo
    frames: int = 0
    fps: float = 0.0


class Trial(QWidget):
    """A button, and the result of the trial. The trial's files are deleted with it."""

    asked = Signal()  # the button was pressed: the dialog answers with `run`

    def __init__(self, info: VideoInfo) -> None:
        super().__init__()
        self._info = info
        # Removed at exit at the latest, in case the window is closed while its dialog is open.
        self._work = tempfile.TemporaryDirectory(prefix="framebrush-trial-", ignore_cleanup_errors=True)
        self._folder = Path(self._work.name)
        self._runner = ExportRunner(ExportQueue(self._folder / "trial.json"))
        self._attempt: _Attempt | None = None  # until it is stopped; its process may still be ending then
        self.length = choice({self.tr("{number} seconds").format(number=seconds): seconds for seconds in LENGTHS_S})
        self.length.setCurrentIndex(1)
        unseen_name(self.length, self, self.tr("Length of the trial"))
        self.button = push_button(self.tr("Try it"), self._ask)
        self.play = push_button(self.tr("Play"), lambda: self._runner.open_file(self.target))
        self.play.hide()
        self.stop = push_button(self.tr("Stop"), self._stop)
        self.stop.hide()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.bar.hide()
        self.result = faint()
        self.result.hide()
        row = fill(QHBoxLayout(), self.length, self.button, self.stop, self.play, None, between=SPACE)
        fill(QVBoxLayout(self), row, self.bar, self.result, around=0, between=SPACE // 2)
        self._runner.progressed.connect(self._progress)
        self._runner.changed.connect(self._change)
        self._runner.notified.connect(lambda notification: self._say(notification.text))

    @property
    def target(self) -> Path:
        """The file of the latest trial."""
        return Path(self._attempt.job.spec.target) if self._attempt is not None else self._folder

    def run(self, spec: JobSpec, at_frame: int) -> None:
        """Export a few seconds of a job, starting at a frame, or as late as its range allows."""
        mode = spec.decode.deinterlace
        info = as_read(self._info, mode)
        rate, total = info.rate or USUAL_RATE, frames_of(info, spec.range)
        first = int(spec.range.start.value) if spec.range.start else 0
        count = max(1, round(self.length.currentData() * rate))
        begin = max(first, CADENCES[mode].first_shown(at_frame))
        if total is not None:
            count = max(1, min(count, total))
            begin = max(first, min(begin, first + total - count))
        span = TimeRange(Position(Fraction(begin), "frame"), spec.range.end, count)
        target = self._folder / f"trial-{begin}{Path(spec.target).suffix}"
        target.unlink(missing_ok=True)
        output = spec.output
        if output.target_bytes is not None and total:  # its share of the file
            output = replace(output, target_bytes=max(1, output.target_bytes * count // total))
        job = ExportJob(replace(spec, target=str(target), range=span, output=output, segments="off"))
        self._attempt = _Attempt(job, spec, info)
        self.bar.setRange(0, 0)  # indeterminate until the first frame is painted
        self._show_running(True)
        self.play.hide()
        self._runner.add(job)

    def follow(self, spec: JobSpec) -> None:
        """End a trial that is not of this export any more, or forget its result."""
        attempt = self._attempt
        if attempt is None or replace(attempt.asked, target=_alike(attempt.asked)) == replace(
            spec, target=_alike(spec)
        ):
            return
        if attempt.job.is_over:
            self.refuse("")
        else:
            self._stop()

    def refuse(self, why: str) -> None:
        """Say why this export cannot be tried."""
        self._attempt = None
        self.play.hide()
        self._say(why)

    def end(self) -> None:
        """Stop a running trial, and remove its files."""
        for signal in (self._runner.progressed, self._runner.changed, self._runner.notified):
            signal.disconnect()
        runner, work = self._runner, self._work
        runner.stop()

        def remove() -> None:
            runner.queue.flush()  # which may still be writing its list there
            work.cleanup()
            runner.deleteLater()

        if runner.is_idle:
            remove()
        else:
            runner.idle.connect(remove)

    def _ask(self) -> None:
        self._say(self.tr("Trying…"))
        self.asked.emit()

    def _say(self, text: str) -> None:
        self.result.setText(text)
        self.result.setVisible(bool(text))

    def _show_running(self, on: bool) -> None:
        """Show the button to stop, or the one to try, and move the focus to it."""
        comes, goes = (self.stop, self.button) if on else (self.button, self.stop)
        had_focus = goes.hasFocus()
        comes.show()
        if had_focus:
            comes.setFocus()
        goes.hide()
        self.length.setEnabled(not on)
        self.bar.setVisible(on)

    def _stop(self) -> None:
        if self._attempt is not None:
            job, self._attempt = self._attempt.job, None
            self._say(self.tr("Stopping…"))
            self._runner.cancel(job)

    def _progress(self, _: ExportJob, line: dict[str, Any]) -> None:
        if self._attempt is None:
            return
        self._attempt.frames, self._attempt.fps = int(line["frame"]), float(line["fps"])
        self.bar.setRange(0, line["frames"] or 0)
        self.bar.setValue(self._attempt.frames)
        if line["left_s"]:
            left = self.tr("{time} left").format(time=clock(line["left_s"], precise=False))
            self._say("   ".join((self.tr("Trying…"), left)))

    def _change(self, job: ExportJob) -> None:
        if not job.is_over:
            return
        self._show_running(False)
        if job.state is not State.FAILED:  # which shows the reason
            self._say("")
        if job.state is State.DONE and self._attempt is not None:
            self.play.setVisible(self.target.suffix.lower() != ".webp")  # FFmpeg reads no animated WebP
            if self._attempt.frames:
                self._estimate(self._attempt)

    def _estimate(self, attempt: _Attempt) -> None:
        """Estimate size and duration of the whole export from the trial."""
        size = self.target.stat().st_size / attempt.frames
        total = frames_of(attempt.info, attempt.asked.range)
        if total is None:
            text = self.tr("{size} per second, {number} frames per second")
            values = {"size": data_size(round(size * float(attempt.info.rate or USUAL_RATE)))}
            values["number"] = decimal(attempt.fps)
        else:
            text = self.tr("The whole result: about {size}, in about {time}")
            values = {"size": data_size(round(size * total))}
            values["time"] = clock(total / max(1e-3, attempt.fps), precise=False)
        self._say(text.format(**values))


def _alike(spec: JobSpec) -> str:
    """Return the property of the target that a trial shares: its type."""
    return f"trial{Path(spec.target).suffix}"
