"""Exports of two windows: started, paused, cancelled, killed, restarted, and left with the window.

Each runs in its own process, in segments; an ended export keeps complete segments.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from framebrush.jobs.recipe import Recipe
from framebrush.jobs.segments.job_folder import folder_of, owner_of
from framebrush.jobs.spec import JobSpec
from framebrush.media.reading.reader import Reader
from framebrush.media.video import TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import SizeSpec, StyleSpec
from framebrush.window.exports.export_queue import OVER, ExportJob, ExportQueue, State
from framebrush.window.exports.export_runner import ExportRunner
from tests.app.jobs import jobs
from tests.app.window.conftest import application, process_of  # noqa: F401 - a fixture

pytestmark = [pytest.mark.media, pytest.mark.slow, pytest.mark.long, pytest.mark.timeout(900)]

WHICH = st.integers(0, 1)
THEN = st.sampled_from(["is held", "is held", "is cancelled", "ends"])
FRAMES = 4 * jobs.SEGMENT
BEFORE: tuple[State, ...] = ()
"""Of a window without a job."""
PATIENCE_S = 120.0


@pytest.fixture(scope="module", autouse=True)
def film(application: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    Exports.film = jobs.make_film(tmp_path_factory.mktemp("film") / "film.mp4")
    return Exports.film


def on(*states: State) -> Callable[[Callable[[Exports, ExportRunner, ExportJob, str], None]], Any]:
    """Make a rule for a window with a job in one of these states."""

    def made(does: Callable[[Exports, ExportRunner, ExportJob, str], None]) -> Any:  # noqa: ANN401 - Hypothesis has no type
        @wraps(does)
        def of_one(self: Exports, which: int, then: str) -> None:
            numbers = self.those(*states)
            number = numbers[which % len(numbers)]
            job = self.job(number)
            assert job is not None
            does(self, self.windows[number], job, then)

        del of_one.__wrapped__  # whose arguments are not those of the rule
        return precondition(lambda self: bool(self.those(*states)))(rule(which=WHICH, then=THEN)(of_one))

    return made


class Exports(RuleBasedStateMachine):
    """Two windows that may export to one file.

    The model: jobs cancelled since their start, killed processes, and the owner of the segments in the file's folder.
    """

    film: Path

    @initialize()
    def begin(self) -> None:
        self.work = tempfile.TemporaryDirectory()
        self.root = Path(self.work.name)
        self.target = self.root / "out.mp4"
        self.windows = [self.opened(number) for number in range(2)]
        self.cancelled: set[str] = set()
        self.killed: set[str] = set()
        self.problems: list[str] = []  # found where an assertion would not be heard
        self.seen: list[State] = []

    def opened(self, number: int) -> ExportRunner:
        made = ExportRunner(ExportQueue(self.root / f"exports-{number}.json"))
        made.changed.connect(self.changes)
        return made

    def teardown(self) -> None:
        if not hasattr(self, "work"):
            return
        for window in self.windows:
            window.stop()
        self.wait(lambda: all(window.is_idle for window in self.windows))
        for window in self.windows:
            window.queue.flush()
            window.deleteLater()
        self.work.cleanup()

    def wait(self, until: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not until():
            QCoreApplication.processEvents()
            time.sleep(0.005)
            assert time.monotonic() < end, "waited in vain"

    @property
    def owner(self) -> str | None:
        """Return the owner of the segments in the file's folder."""
        return owner_of(folder_of(self.target))

    def changes(self, job: ExportJob) -> None:
        """Check that an attempt's end matches its own events."""
        self.seen.append(job.state)
        if job.state is State.CANCELLED and (job.name not in self.cancelled or job.message):
            self.problems.append(f"nobody has cancelled it, but {job}")
        if job.state is State.FAILED and job.name not in self.killed and not job.message:
            self.problems.append("it has failed without a reason")
        if job.state is State.DONE and job.name in self.killed:
            self.problems.append("it was killed, and is done")

    def job(self, window: int) -> ExportJob | None:
        return next(iter(self.windows[window].queue), None)

    def those(self, *states: State) -> list[int]:
        """Return the windows with a job in one of these states, or without a job if none is given."""
        QCoreApplication.processEvents()
        found = [(number, self.job(number)) for number in range(2)]
        return [number for number, job in found if (job.state in states if job is not None else not states)]

    def begins(self, job: ExportJob) -> None:
        self.cancelled.discard(job.name)
        self.killed.discard(job.name)

    def goes(self, exports: ExportRunner, job: ExportJob, then: str) -> None:
        """What comes after the beginning, up to where nothing changes by itself."""
        records = jobs.records(self.target)
        if then == "is cancelled" and not job.is_over:
            self.cancelled.add(job.name)
            exports.cancel(job)
        self.wait(lambda: job.is_over or (then == "is held" and jobs.records(self.target) != records))
        exports.pause(job, True)
        self.wait(lambda: exports.is_idle == job.is_over)

    @precondition(lambda self: self.those(*BEFORE))
    @rule(which=WHICH, then=THEN)
    def add(self, which: int, then: str) -> None:
        window = self.windows[self.those(*BEFORE)[which % len(self.those(*BEFORE))]]
        output, sizes = OutputOptions(codec="libx264", preset="veryslow"), SizeSpec(size="2x")
        spec = JobSpec(
            str(self.film), str(self.target), Recipe(StyleSpec("none"), sizes=sizes), output=output, device="cpu"
        )
        spec = replace(spec, segments=jobs.SEGMENT, range=TimeRange(None, None, FRAMES))
        job = ExportJob(spec)
        window.add(job)
        self.goes(window, job, then)

    @on(State.PAUSED)
    def go_on(self, exports: ExportRunner, job: ExportJob, then: str) -> None:
        exports.pause(job, False)
        self.goes(exports, job, then)

    @on(State.PAUSED)
    def kill(self, exports: ExportRunner, job: ExportJob, _: str) -> None:
        self.killed.add(job.name)
        process_of(exports).kill()
        self.wait(lambda: job.is_over and exports.is_idle)

    @on(State.FAILED, State.CANCELLED, State.INTERRUPTED)
    def again(self, exports: ExportRunner, job: ExportJob, then: str) -> None:
        self.begins(job)
        exports.again(job)
        self.goes(exports, job, then)

    @on(State.FAILED, State.CANCELLED, State.INTERRUPTED)
    def start_over(self, exports: ExportRunner, job: ExportJob, then: str) -> None:
        self.begins(job)
        exports.start_over(job)
        self.goes(exports, job, then)

    @on(*OVER)
    def remove(self, exports: ExportRunner, job: ExportJob, _: str) -> None:
        owner = self.owner
        exports.remove(job)
        if owner not in (None, job.name):
            assert self.owner == owner, "it has removed what is another job's"
        else:
            assert job.state is State.DONE or self.owner != job.name, "it has left what it had kept"

    @on(*State)
    def close_and_open(self, former: ExportRunner, job: ExportJob, _: str) -> None:
        running = not job.is_over
        former.stop()
        self.wait(lambda: former.is_idle)
        former.queue.flush()
        if running:
            assert job.state in (State.INTERRUPTED, State.DONE)  # it may have ended meanwhile
        number = self.windows.index(former)
        self.windows[number] = self.opened(number)
        former.deleteLater()
        again = self.job(number)
        assert again is not None
        assert (again.name, again.state) == (job.name, job.state)

    @invariant()
    def what_is_done_is_whole(self) -> None:
        if not hasattr(self, "windows"):
            return
        QCoreApplication.processEvents()
        assert self.problems == []
        while self.seen:
            event(f"{self.seen.pop()}, {'with' if self.owner else 'without'} segments")
        found = [job for number in range(2) if (job := self.job(number)) is not None]
        if any(job.state is State.DONE for job in found):
            with Reader(self.target) as reader:
                assert reader.info.frame_count == FRAMES
        if all(job.is_over for job in found) and all(window.is_idle for window in self.windows):
            assert list(self.root.glob(".out*.part")) == [], "something half-written was left"
            assert self.owner in (None, *(job.name for job in found)), "segments of nobody"


TestExports = Exports.TestCase
TestExports.settings = settings(max_examples=4, stateful_step_count=8)
