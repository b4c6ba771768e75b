"""Who paints what when workers come, go and crash: workers that paint nothing, but put segments into a real folder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import pytest

from assets.make_clips import CLIPS
from framebrush.gpu.errors import DeviceError
from framebrush.jobs.opened_source import OpenedSource
from framebrush.jobs.prepare import open_job_source, open_job_style, prepare
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.segments.job_folder import JobFolder, SegmentRecord
from framebrush.jobs.segments.segment_plan import Segment
from framebrush.jobs.segments.segmented import SegmentedJob, plan_folder
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener, Progress
from framebrush.jobs.workers.dispatch import TRIES, Dispatcher, Report
from framebrush.media.video import DiskFullError, InputError, OutputError
from framebrush.styles.specs import StyleSpec

pytestmark = pytest.mark.media

COUNT = 6


@dataclass(eq=False)
class Painter:
    """A worker that crashes on some segments, or on all."""

    name: str
    dispatcher: Dispatcher
    folder: JobFolder
    crashes_on: set[int] = field(default_factory=set)
    leaves_on: set[int] = field(default_factory=set)
    painted: list[int] = field(default_factory=list)
    closed: bool = False
    longest_run = 1

    def give(self, run: list[Segment]) -> None:
        [segment] = run
        if segment.number in self.leaves_on:
            self.dispatcher.reports.put(Report(self, "gone"))
        elif segment.number in self.crashes_on:
            self.dispatcher.reports.put(Report(self, "crashed", text="was ended by SIGSEGV"))
        else:
            self.painted.append(segment.number)
            self.folder.media(segment).write_bytes(b"painted")
            digest = hashlib.sha256(b"painted").hexdigest()
            self.folder.record(segment, SegmentRecord(7, digest, "", (0,), (1,), 0, False, (), self.name))
            self.dispatcher.reports.put(Report(self, "whole", number=segment.number))
            self.begin_again()

    def begin_again(self) -> None:
        self.dispatcher.reports.put(Report(self, "ready"))

    def close(self) -> None:
        self.closed = True


@dataclass
class Work:
    folder: JobFolder
    dispatcher: Dispatcher
    said: list[str]
    shown: list[Progress]

    def worker(self, name: str, *, crashes_on: range = range(0), leaves_on: range = range(0)) -> Painter:
        made = Painter(name, self.dispatcher, self.folder, set(crashes_on), set(leaves_on))
        self.dispatcher.add(made)
        made.begin_again()
        return made


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Work]:
    spec = JobSpec(str(CLIPS / "cfr.mp4"), str(tmp_path / "out.mp4"), Recipe(StyleSpec("none")), segments=5)
    spec = replace(spec, output=replace(spec.output, codec="libx264"))
    said: list[str] = []
    shown: list[Progress] = []
    with OpenedSource.of(spec) as held:
        with open_job_source(spec) as source:
            job = prepare(spec, open_job_style(spec, said.append), source, held)
            folder = plan_folder(job, source, on_cpu=True, say=said.append)
        assert folder is not None
        assert len(folder.journal.segments) == COUNT
        yield Work(folder, Dispatcher(SegmentedJob(job, folder, Listener(said.append, shown.append))), said, shown)


def test_a_sick_seat_is_given_up_and_the_job_is_done(work: Work) -> None:
    sick, well = work.worker("sick", crashes_on=range(COUNT)), work.worker("well")
    gone: list[str] = []
    work.dispatcher.run(lambda worker, why: gone.append(f"{worker.name}: {why}"))
    assert len(work.folder.complete_segments) == COUNT
    assert (sick.painted, sorted(well.painted)) == ([], list(range(COUNT)))
    assert len(gone) <= 1
    assert all(line.startswith("sick: the process of sick was ended by SIGSEGV before it had") for line in gone)


def test_a_segment_that_ends_every_process_ends_the_job(work: Work) -> None:
    workers = [work.worker(f"worker {number}", crashes_on=range(2, 3)) for number in range(4)]
    with pytest.raises(DeviceError, match=r"the process that painted frames \d+ to \d+ crashed 3 times; .* SIGSEGV"):
        work.dispatcher.run(lambda worker, why: None)
    assert len([line for line in work.said if "restarting it" in line]) == TRIES - 1
    assert all(worker.closed for worker in workers)


class Restless(Painter):
    """Worker that crashes after each painted segment, before it is ready for another one."""

    def give(self, run: list[Segment]) -> None:
        self.begins = False
        super().give(run)

    def begin_again(self) -> None:
        if self.begins:
            super().begin_again()
        else:
            self.begins = True
            self.dispatcher.reports.put(Report(self, "crashed", text="was ended by SIGSEGV"))

    begins = True


def test_a_segment_that_is_whole_is_not_blamed_for_a_crash(work: Work) -> None:
    worker = Restless("restless", work.dispatcher, work.folder)
    work.dispatcher.add(worker)
    worker.begin_again()
    gone: list[str] = []

    def on_gone(worker: object, why: DeviceError) -> None:
        gone.append(why.cause)
        work.worker("well")

    work.dispatcher.run(on_gone)
    words = "the process of restless was ended by SIGSEGV before it could begin"
    assert [line for line in work.said if "SIGSEGV" in line] == [f"{words}; restarting it"] * (TRIES - 1)
    assert gone == [words]
    assert worker.painted == list(range(TRIES))


class Silent(Painter):
    """Worker that reports nothing by itself."""

    def give(self, run: list[Segment]) -> None:
        self.painted += (segment.number for segment in run)

    def begin_again(self) -> None: ...


def test_a_worker_that_restarts_is_given_nothing_before_it_is_ready(work: Work) -> None:
    busy = [Silent(f"worker {number}", work.dispatcher, work.folder) for number in range(COUNT)]
    spare, reports = Silent("spare", work.dispatcher, work.folder), work.dispatcher.reports
    for worker in (*busy, spare):
        work.dispatcher.add(worker)
        reports.put(Report(worker, "ready"))
    for worker in (spare, busy[0]):  # the spare one has nothing to paint when it crashes
        reports.put(Report(worker, "crashed", text="was ended by SIGSEGV"))
    given: list[list[int]] = []

    def look() -> None:
        if reports.empty():
            given.append(list(spare.painted))
            if len(given) == 2:
                raise KeyboardInterrupt
            reports.put(Report(spare, "ready"))

    with pytest.raises(KeyboardInterrupt):
        work.dispatcher.run(lambda worker, why: None, look)
    assert [worker.painted for worker in busy] == [[number] for number in range(COUNT)]
    assert given == [[], [0]]


class Sick(Painter):
    """Worker that never starts."""

    def begin_again(self) -> None:
        self.dispatcher.reports.put(Report(self, "crashed", text="was ended by SIGSEGV"))


def test_a_seat_that_never_begins_is_given_up_at_the_limit(work: Work) -> None:
    sick = Sick("sick", work.dispatcher, work.folder)
    work.dispatcher.add(sick)
    sick.begin_again()
    gone: list[str] = []

    def on_gone(worker: object, why: DeviceError) -> None:
        gone.append(why.cause)
        work.worker("well")

    work.dispatcher.run(on_gone)
    assert gone == ["the process of sick was ended by SIGSEGV before it could begin"]
    assert len([line for line in work.said if "restarting it" in line]) == TRIES - 1


def test_seats_that_go_away_count_against_no_segment(work: Work) -> None:
    for number in range(2 * TRIES):
        work.worker(f"worker {number}", leaves_on=range(COUNT))
    left: list[str] = []

    def on_gone(worker: object, why: DeviceError) -> None:
        left.append(why.cause)
        if len(left) == 2 * TRIES:
            work.worker("the last")

    work.dispatcher.run(on_gone)
    assert len(work.folder.complete_segments) == COUNT
    assert left == [""] * (2 * TRIES)


class Telling(Painter):
    """A worker that says how far it is, and the same sentence before each segment."""

    def give(self, run: list[Segment]) -> None:
        self.dispatcher.reports.put(Report(self, "message", text="the device is old"))
        self.dispatcher.reports.put(Report(self, "progress", frames=2, size_bytes=30))
        super().give(run)


def test_what_several_seats_have_written_is_added_up_and_said_once(work: Work) -> None:
    for name in ("one", "other"):
        worker = Telling(name, work.dispatcher, work.folder)
        work.dispatcher.add(worker)
        worker.begin_again()
    work.dispatcher.run(lambda worker, why: None)
    assert work.said.count("the device is old") == 1
    assert [(state.frames, state.size_bytes) for state in work.shown[:2]] == [(2, 30), (4, 60)]


@pytest.mark.parametrize(("crashes_on", "after"), [({1}, (2, 30)), ({4, 5}, (4, 44))])
def test_what_is_made_stays_counted_where_a_seat_crashes(
    work: Work, crashes_on: set[int], after: tuple[int, int]
) -> None:
    """after: with two segments of 7 bytes that it has made itself."""
    workers = Telling("one", work.dispatcher, work.folder), Painter("other", work.dispatcher, work.folder, crashes_on)
    for worker in workers:
        work.dispatcher.add(worker)
        worker.begin_again()
    work.dispatcher.run(lambda worker, why: None)
    assert {(state.frames, state.size_bytes) for state in work.shown} == {(2, 30), after}


class Late(Painter):
    """A worker that says something when it has gone."""

    def give(self, run: list[Segment]) -> None:
        super().give(run)
        self.dispatcher.reports.put(Report(self, "message", text="it is late"))


def test_a_seat_that_is_gone_is_listened_to_no_more(work: Work) -> None:
    late = Late("late", work.dispatcher, work.folder, leaves_on=set(range(COUNT)))
    work.dispatcher.add(late)
    late.begin_again()
    looks: list[int] = []

    def on_gone(worker: object, why: DeviceError) -> None:
        work.worker("well")

    work.dispatcher.run(on_gone, lambda: looks.append(1))
    assert "it is late" not in work.said
    assert late not in work.dispatcher.workers
    assert looks


@dataclass(eq=False)
class Hungry(Painter):
    """A worker that takes many segments at a time."""

    longest_run = 8
    runs: list[int] = field(default_factory=list)

    def give(self, run: list[Segment]) -> None:
        self.runs.append(len(run))
        for segment in run:
            super().give([segment])


def test_a_seat_gets_a_third_of_its_share_at_a_time(work: Work) -> None:
    """The rest is left for the others, should it be slower or go."""
    worker = Hungry("hungry", work.dispatcher, work.folder)
    work.dispatcher.add(worker)
    worker.begin_again()
    work.dispatcher.run(lambda worker, why: None)
    assert worker.runs[0] == COUNT // 3
    assert worker.painted == list(range(COUNT))


class Slow(Painter):
    """Worker that paints its first segment when the test says so."""

    held: list[Segment] | None = None

    def give(self, run: list[Segment]) -> None:
        if self.held is None:
            self.held = run
        else:
            super().give(run)


def test_a_segment_that_crashed_on_a_seat_waits_for_another_one(work: Work) -> None:
    slow = Slow("slow", work.dispatcher, work.folder)

    class Sick(Painter):
        def give(self, run: list[Segment]) -> None:
            super().give(run)
            if self.painted == [2, 3, 4, 5]:
                slow.give(slow.held or [])

    sick = Sick("sick", work.dispatcher, work.folder, {0})
    for worker in (sick, slow):
        work.dispatcher.add(worker)
        worker.begin_again()
    work.dispatcher.run(lambda worker, why: None)
    assert (sick.painted, slow.painted) == ([2, 3, 4, 5], [1, 0])


def test_a_segment_that_crashed_on_every_seat_is_tried_again(work: Work) -> None:
    class Unlucky(Painter):
        def give(self, run: list[Segment]) -> None:
            super().give(run)
            self.crashes_on.discard(run[0].number)

    workers = [Unlucky(name, work.dispatcher, work.folder, {0}) for name in ("one", "other")]
    for worker in workers:
        work.dispatcher.add(worker)
        worker.begin_again()
    work.dispatcher.run(lambda worker, why: None)
    assert [worker.crashes_on for worker in workers] == [set(), set()]
    assert sorted(number for worker in workers for number in worker.painted) == list(range(COUNT))


class Holding(Painter):
    """Worker that never paints its segments."""

    def give(self, run: list[Segment]) -> None:
        pass


def test_what_a_seat_had_goes_to_one_that_waits_and_is_still_there(work: Work) -> None:
    holding = [Holding(f"worker {number}", work.dispatcher, work.folder) for number in range(COUNT)]
    for worker in holding:
        work.dispatcher.add(worker)
        worker.begin_again()
    gone, waits = work.worker("gone"), work.worker("waits")
    work.dispatcher.reports.put(Report(gone, "gone"))
    work.dispatcher.reports.put(Report(holding[3], "gone"))
    work.dispatcher.reports.put(Report(waits, "failed", text="it is over", what="output"))
    with pytest.raises(OutputError, match="it is over"):
        work.dispatcher.run(lambda worker, why: None)
    assert (gone.painted, waits.painted) == ([], [3])


def test_what_a_seat_that_is_gone_had_written_counts_no_more(work: Work) -> None:
    for name, leaves_on in (("one", set(range(COUNT))), ("other", set[int]())):
        worker = Telling(name, work.dispatcher, work.folder, leaves_on=leaves_on)
        work.dispatcher.add(worker)
        worker.begin_again()
    work.dispatcher.run(lambda worker, why: None)
    assert {(state.frames, state.size_bytes) for state in work.shown} == {(2, 30)}


class Hasty(Painter):
    """A worker that is gone before it can say that its segment is whole."""

    def give(self, run: list[Segment]) -> None:
        self.dispatcher.reports.put(Report(self, "gone"))
        super().give(run)


def test_a_segment_that_is_whole_counts_whatever_was_said(work: Work) -> None:
    hasty = Hasty("hasty", work.dispatcher, work.folder)
    work.dispatcher.add(hasty)
    hasty.begin_again()
    well = work.worker("well")
    work.dispatcher.run(lambda worker, why: None)
    assert hasty.painted == [0]
    assert sorted(well.painted) == list(range(1, COUNT))


@pytest.mark.parametrize(
    ("what", "kind"), [("input", InputError), ("disk", DiskFullError), ("output", OutputError), ("", OutputError)]
)
def test_what_fails_anywhere_ends_the_job(
    work: Work, what: Literal["input", "disk", "output", ""], kind: type[Exception]
) -> None:
    worker = Holding("worker", work.dispatcher, work.folder)
    work.dispatcher.add(worker)
    work.dispatcher.reports.put(Report(worker, "failed", text="it is full", what=what))
    with pytest.raises(kind, match="it is full") as caught:
        work.dispatcher.run(lambda worker, why: None)
    assert type(caught.value) is kind
    assert worker.closed
