"""Gives the segments of a job to several seats: processes here, or workers of a cluster.

The files are the truth: a segment counts when its file is whole in the folder, whatever a seat says. What a seat held
that is lost goes to another.
"""

from __future__ import annotations

import contextlib
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Literal, Protocol

from framebrush import signals
from framebrush.gpu.errors import DeviceError
from framebrush.jobs.folder import JobFolder
from framebrush.jobs.segmented import SegmentedJob
from framebrush.jobs.segments import Segment, consecutive
from framebrush.media.video import DiskFullError, InputError, OutputError
from framebrush.models.text import count_of
from framebrush.transcode import OnMessage

TRIES = 3
"""How many seats a segment may cost before the job is given up."""

LONGEST_RUN = 8


class Seat(Protocol):
    """What paints segments, one run after the other. What happens it tells as `Report`s."""

    @property
    def name(self) -> str:
        """What people call it."""

    longest_run: int
    """How many segments it takes at a time."""

    def give(self, run: list[Segment]) -> None:
        """Begin to paint segments that follow each other."""

    def close(self) -> None:
        """End it at once. Idempotent."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a seat tells. ready: it waits for work; whole: segment `number` is in the folder; progress: frames and bytes
    that it has written so far; message: text for the person; gone: it ends, what it held is to be done elsewhere;
    failed: the job cannot be done anywhere, `what` is wrong."""

    seat: Seat
    kind: Literal["ready", "whole", "progress", "message", "gone", "failed"]
    number: int = -1
    frames: int = 0
    size_bytes: int = 0
    text: str = ""
    what: Literal["input", "disk", "output", ""] = ""


Reports = SimpleQueue[Report]


class Dispatcher:
    """The work of one job on its seats."""

    def __init__(self, segmented: SegmentedJob, folder: JobFolder, say: OnMessage) -> None:
        self._segmented, self._folder, self._say = segmented, folder, say
        self.reports: Reports = SimpleQueue()
        self.seats: list[Seat] = []
        self._waiting = deque(folder.missing)
        self._held: dict[Seat, list[Segment]] = {}
        self._idle: list[Seat] = []
        self._tries: Counter[int] = Counter()
        self._before = folder.frames_done, folder.bytes_done
        self._written: dict[Seat, tuple[int, int]] = {}
        self._made: dict[Seat, tuple[int, int]] = {}  # in whole segments
        self._said: set[str] = set()

    def add(self, seat: Seat) -> None:
        """A seat that will report when it is ready."""
        self.seats.append(seat)
        self._held[seat] = []

    def run(self, on_gone: Callable[[Seat, str], None], look: Callable[[], None] = lambda: None) -> None:
        """Work until every segment is whole, then close all seats.

        on_gone: called with a seat that ended and why; it may `add` another, and raises where the job cannot go on.
        look: called twice a second. Raises InputError, OutputError, DeviceError; the seats are closed then too.
        """
        try:
            while self._folder.missing:
                with contextlib.suppress(Empty):
                    self._take(self.reports.get(timeout=0.5), on_gone)
                look()
        finally:
            for seat in self.seats:
                seat.close()

    def drop(self, seat: Seat, *, blame: bool = True) -> None:
        """A seat is gone; what it held is given to others. blame: count that for the segment.

        Raises DeviceError where a segment has cost TRIES seats.
        """
        if seat not in self.seats:
            return
        self.seats.remove(seat)
        if seat in self._idle:
            self._idle.remove(seat)
        held = self._held.pop(seat)
        self._written.pop(seat, None)
        made = self._made.pop(seat, (0, 0))
        self._before = self._before[0] + made[0], self._before[1] + made[1]
        if held and blame:
            first = held[0].number
            self._tries[first] += 1
            if self._tries[first] >= TRIES:
                last_frame = held[0].first + held[0].frames - 1
                raise DeviceError(
                    f"frames {held[0].first} to {last_frame} ended the process that painted them {TRIES} times; "
                    "they may need more memory than there is: try --max-size, or --tile with a small number"
                )
        self._waiting = deque(sorted([*held, *self._waiting], key=lambda segment: segment.number))
        for other in list(self._idle):
            self._give(other)

    def _take(self, report: Report, on_gone: Callable[[Seat, str], None]) -> None:
        seat = report.seat
        if seat not in self.seats:
            return
        match report.kind:
            case "ready":
                self._give(seat)
            case "whole":
                self._whole(seat, report.number)
            case "progress":
                self._written[seat] = report.frames, report.size_bytes
                self._show()
            case "message":
                if report.text not in self._said:
                    self._said.add(report.text)
                    self._say(report.text)
            case "failed":
                kinds = {"input": InputError, "disk": DiskFullError}
                raise kinds.get(report.what, OutputError)(report.text)
            case "gone":
                self.drop(seat)
                on_gone(seat, report.text)

    def _give(self, seat: Seat) -> None:
        if not self._waiting:
            if seat not in self._idle:
                self._idle.append(seat)
            return
        if seat in self._idle:
            self._idle.remove(seat)
        fair = len(self._waiting) // (3 * len(self.seats))
        run = consecutive(list(self._waiting))[0][: max(1, min(fair, seat.longest_run))]
        for segment in run:
            self._waiting.remove(segment)
        self._held[seat] = run
        seat.give(run)

    def _whole(self, seat: Seat, number: int) -> None:
        segment = self._folder.journal.segments[number]
        self._held[seat] = [other for other in self._held[seat] if other.number != number]
        try:
            whole = self._folder.take(segment)
        except FileNotFoundError:
            whole = False
        if not whole:
            raise OutputError(f"segment {number} of {count_of(len(self._folder.journal.segments), 'segment')} vanished")
        record, made = self._folder.records[number], self._made.get(seat, (0, 0))
        self._made[seat] = made[0] + len(record.pts), made[1] + record.size_bytes
        signals.kept = self._folder.kept_words
        self._tries.pop(number, None)

    def _show(self) -> None:
        frames = self._before[0] + sum(frames for frames, _ in self._written.values())
        self._segmented.show(frames, self._before[1] + sum(size for _, size in self._written.values()))
