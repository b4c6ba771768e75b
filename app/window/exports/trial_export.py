"""Trial exports, as clips or for estimates."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from framebrush.jobs.spec import JobSpec
from framebrush.media.containers import CONTAINERS
from framebrush.media.reading.fields import CADENCES, as_read
from framebrush.media.video import Position, TimeRange, VideoInfo
from framebrush.media.writing.expected_size import PartSize, expected_size, measure_part
from framebrush.playback.events import Notification
from framebrush.playback.reading.reading_process import ReadingProcess, call
from framebrush.window.exports.export_queue import ExportJob, ExportQueue, State
from framebrush.window.exports.export_runner import ExportRunner
from framebrush.window.transport.seekbar import clock
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import choice, faint, push_button, unseen_name
from framebrush.window.widgets.debounce import Debounce
from framebrush.window.widgets.numbers import data_size, decimal
from framebrush.window.widgets.theme import SPACE

LENGTHS_S = (2, 5, 15)

PLACES, FEW_FRAMES = 3, 16
"""Parts of a range that are measured, and frames of each."""

MANY_FRAMES = 100_000
"""Frames for the size of a second of a film without a known length."""

REST_MS = 700
"""Delay in milliseconds before they are measured, restarted by every change of a setting."""


def frames_of(info: VideoInfo, span: TimeRange) -> int | None:
    """Return the number of frames in a range, if known."""
    ends = [info.expected_frames, None if span.end is None else int(span.end.value)]
    known = [end for end in ends if end is not None]
    first = int(span.start.value) if span.start is not None else 0
    return max(0, min(known) - first) if known else None


@dataclass(slots=True, eq=False)
class Part:
    """One job of a trial.

    Attributes:
        first, last: frames and seconds of the first report after loading, and of the latest.
        size: None until the job's file is read.
    """

    job: ExportJob
    first: tuple[int, float] | None = None
    last: tuple[int, float] = (0, 0.0)
    size: PartSize | None = None

    def report(self, frames: int, elapsed_s: float) -> None:
        """Note progress, except before the first frame."""
        if frames:
            self.last = frames, elapsed_s
            self.first = self.first or self.last

    @property
    def loaded(self) -> tuple[int, float]:
        """Frames and seconds after loading; of the whole job if there was one report."""
        frames, seconds = self.last
        begun, begun_s = self.first or self.last
        if frames > begun and seconds > begun_s:
            return frames - begun, seconds - begun_s
        return self.last if self.job.is_over else (0, 0.0)


@dataclass(slots=True, eq=False)
class Attempt:
    """One trial.

    Attributes:
        asked: the export to try.
        info: of the film as that export reads it.
        quiet: only for an estimate.
    """

    asked: JobSpec
    info: VideoInfo
    quiet: bool
    parts: list[Part] = field(default_factory=list)

    @property
    def fps(self) -> float:
        """Frames per second after loading; 0 if unknown."""
        frames, seconds = (sum(each) for each in zip(*(part.loaded for part in self.parts), strict=True))
        return frames / seconds if seconds > 0 else 0.0


class Trial(QWidget):
    """Button and progress of a trial. The dialog shows `estimate`."""

    asked = Signal()  # the button was pressed: the dialog answers with `run`
    wanted = Signal()  # no estimate of the current settings is known: the dialog answers with `measure`

    def __init__(self, info: VideoInfo, reading: ReadingProcess | None = None) -> None:
        super().__init__()
        self._info, self._reading = info, reading
        # Removed at exit at the latest, in case the window is closed while its dialog is open.
        self._work = tempfile.TemporaryDirectory(prefix="framebrush-trial-", ignore_cleanup_errors=True)
        self.folder = Path(self._work.name)
        self.runner = ExportRunner(ExportQueue(self.folder / "trial.json"))
        self.attempt: Attempt | None = None  # until it is stopped; its process may still be ending then
        self._shown: ExportJob | None = None
        """The trial with its progress in view."""
        self._rest = Debounce(REST_MS, self.wanted.emit, self)
        self.length = choice({self.tr("{number} seconds").format(number=seconds): seconds for seconds in LENGTHS_S})
        self.length.setCurrentIndex(1)
        unseen_name(self.length, self, self.tr("Length of the trial"))
        self.button = push_button(self.tr("Try it"), self._ask)
        self.play = push_button(self.tr("Play"), lambda: self.runner.open_file(self.target))
        self.play.hide()
        self.stop = push_button(self.tr("Stop"), self._stop)
        self.stop.hide()
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.bar.hide()
        self.result = faint()
        self.result.hide()
        self.estimate = faint()
        row = fill(QHBoxLayout(), self.length, self.button, self.stop, self.play, None, between=SPACE)
        fill(QVBoxLayout(self), row, self.bar, self.result, around=0, between=SPACE // 2)
        self.runner.progressed.connect(self._progress)
        self.runner.changed.connect(self._change)
        self.runner.notified.connect(self._tell)

    @property
    def target(self) -> Path:
        """The file of the latest trial."""
        return Path(self.attempt.parts[0].job.spec.target) if self.attempt is not None else self.folder

    def run(self, spec: JobSpec, at_frame: int) -> None:
        """Export a few seconds from a frame, or the range's last ones."""
        mode = spec.decode.deinterlace
        rate = as_read(self._info, mode).usual_rate
        count = max(1, round(self.length.currentData() * rate))
        (self._shown,) = self._begin(spec, [CADENCES[mode].first_shown(at_frame)], count, quiet=False)
        self.bar.setRange(0, 0)  # indeterminate until the first frame is painted
        self._show_running(True)
        self.play.hide()

    def measure(self, spec: JobSpec, at_frame: int) -> None:
        """Export a few frames for an estimate, at three places or `at_frame`."""
        self._say_estimating()
        (first, total), count = self._range_of(spec), FEW_FRAMES
        places = [CADENCES[spec.decode.deinterlace].first_shown(at_frame)]
        if total is not None:
            places = [first + total * (2 * place + 1) // (2 * PLACES) - count // 2 for place in range(PLACES)]
            if total <= PLACES * count:
                places, count = [first], total
        self._begin(spec, places, count, quiet=True)

    def _range_of(self, spec: JobSpec) -> tuple[int, int | None]:
        first = int(spec.range.start.value) if spec.range.start else 0
        return first, frames_of(as_read(self._info, spec.decode.deinterlace), spec.range)

    def _say_estimating(self) -> None:
        self.estimate.setText(self.tr("Estimating size and time…"))

    def _begin(self, spec: JobSpec, places: Sequence[int], count: int, *, quiet: bool) -> list[ExportJob]:
        self._end_attempt()
        self._rest.stop()
        info = as_read(self._info, spec.decode.deinterlace)
        (first, total), last = self._range_of(spec), None
        if total is not None:
            count = max(1, min(count, total))
            last = first + total - count
        output = spec.output
        if quiet:
            output = replace(output, target_bytes=None)  # too few frames to keep to a size
        elif output.target_bytes is not None and total:  # the picture's share of the file
            output = replace(output, target_bytes=max(1, output.target_bytes * count // total))
        jobs = []
        for place in places:
            begin = max(first, place if last is None else min(place, last))
            span = TimeRange(Position.of_frame(begin), spec.range.end, count)
            target = self.folder / f"trial-{begin}-{count}{Path(spec.target).suffix}"
            target.unlink(missing_ok=True)
            jobs.append(ExportJob(replace(spec, target=str(target), range=span, output=output, segments="off")))
        self.attempt = Attempt(spec, info, quiet, [Part(job) for job in jobs])
        self.runner.add(*jobs)
        return jobs

    def follow(self, spec: JobSpec) -> None:
        """End an outdated trial, and request a new estimate."""
        attempt = self.attempt
        if attempt is not None:
            if replace(attempt.asked, target=_alike(attempt.asked)) == replace(spec, target=_alike(spec)):
                return
            if attempt.quiet:
                self._end_attempt()
            elif attempt.parts[0].job.is_over:
                self.refuse("")
            else:
                self._stop()
        self._say_estimating()
        self._rest.start()

    def refuse(self, why: str) -> None:
        """Show why this export cannot be tried."""
        self._end_attempt()
        self.play.hide()
        self._say(why)

    def end(self) -> None:
        """Stop a running trial, and delete its files."""
        self._rest.stop()
        for signal in (self.runner.progressed, self.runner.changed, self.runner.notified):
            signal.disconnect()
        runner, work = self.runner, self._work
        runner.stop()

        def remove() -> None:
            runner.queue.flush()  # the queue may still be writing its list there
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

    def _tell(self, notification: Notification) -> None:
        if self.attempt is None or not self.attempt.quiet:
            self._say(notification.text)

    def _show_running(self, on: bool) -> None:
        comes, goes = (self.stop, self.button) if on else (self.button, self.stop)
        had_focus = goes.hasFocus()
        comes.show()
        if had_focus:
            comes.setFocus()
        goes.hide()
        self.length.setEnabled(not on)
        self.bar.setVisible(on)

    def _stop(self) -> None:
        if self.attempt is not None:
            self._say(self.tr("Stopping…"))
            self._end_attempt()
            self._rest.start()

    def _end_attempt(self) -> None:
        attempt, self.attempt = self.attempt, None
        if attempt is not None:
            self._cancel(attempt)

    def _cancel(self, attempt: Attempt) -> None:
        for part in reversed(attempt.parts):  # the running one last, or the next would follow it
            if not part.job.is_over:
                self.runner.cancel(part.job)

    def _part_of(self, job: ExportJob) -> tuple[Attempt | None, Part | None]:
        parts = self.attempt.parts if self.attempt is not None else ()
        return self.attempt, next((part for part in parts if part.job is job), None)

    def _progress(self, job: ExportJob, line: dict[str, Any]) -> None:
        attempt, part = self._part_of(job)
        if attempt is None or part is None:
            return
        part.report(int(line["frame"]), float(line["elapsed_s"]))
        if attempt.quiet:
            return
        self.bar.setRange(0, line["frames"] or 0)
        self.bar.setValue(part.last[0])
        if line["left_s"]:
            left = self.tr("{time} left").format(time=clock(line["left_s"], precise=False))
            self._say("   ".join((self.tr("Trying…"), left)))

    def _change(self, job: ExportJob) -> None:
        if not job.is_over:
            return
        if job is self._shown:
            self._shown = None
            self._show_running(False)
            if job.state is not State.FAILED:  # a failed job shows the reason
                self._say("")
        attempt, part = self._part_of(job)
        if attempt is None or part is None:
            return
        if job.state is State.DONE:
            path = Path(job.spec.target)
            find = partial(call, self._reading, path, measure_part, path, part.last[0] or 1)
            Background(find, partial(self._take_size, attempt, part), self)
            self.play.setVisible(not attempt.quiet and path.suffix.lower() != ".webp")  # FFmpeg reads none
        elif job.state is State.FAILED:
            self._cancel(attempt)
            self.say_no_estimate(job.message)

    def _take_size(self, attempt: Attempt, part: Part, size: PartSize) -> None:
        part.size = size
        if attempt is self.attempt:
            self._show_estimate(attempt)

    def say_no_estimate(self, reason: str) -> None:
        """Show why size and time are unknown."""
        self.estimate.setText(self.tr("No estimate: {reason}").format(reason=reason))

    def _show_estimate(self, attempt: Attempt) -> None:
        total, fps, facts = frames_of(attempt.info, attempt.asked.range), attempt.fps, []
        sizes, container = [part.size for part in attempt.parts if part.size], CONTAINERS[self.target.suffix.lower()]
        most = attempt.asked.output.target_bytes
        if most is not None:
            facts.append(self.tr("at most {size}").format(size=data_size(most)))
        elif total is not None:
            facts.append(self.tr("about {size}").format(size=data_size(expected_size(sizes, total, container))))
        else:
            second_bytes = expected_size(sizes, MANY_FRAMES, container) / MANY_FRAMES * attempt.info.usual_rate
            facts.append(self.tr("{size} per second").format(size=data_size(round(second_bytes))))
        if fps and total is not None:
            facts.append(self.tr("in about {time}").format(time=clock(ceil(total / fps), precise=False)))
        elif fps:
            facts.append(self.tr("{number} frames per second").format(number=decimal(fps)))
        self.estimate.setText(self.tr("Estimate: {facts}").format(facts=", ".join(facts)))


def _alike(spec: JobSpec) -> str:
    return f"trial{Path(spec.target).suffix}"
