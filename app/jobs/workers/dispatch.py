"""Distribution of a job's segments among workers: child processes or workers of a cluster.

A segment counts once its file is complete. Segments of a lost worker go to another; after TRIES native crashes the
worker is dropped.
"""

from __future__ import annotations

import contextlib
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Literal, Protocol

from framebrush.base.text import count_of
from framebrush.gpu.errors import DeviceError
from framebrush.jobs.segments.plan import Segment, consecutive
from framebrush.jobs.segments.segmented import SegmentedJob
from framebrush.media.video import DiskFullError, InputError, OutputError

TRIES = 3
"""Crashes after which a segment or a worker is given up."""


class Seat(Protocol):
    """Painter of segments, run by run, that sends `Report`s."""

    @property
    def name(self) -> str:
        """Return a name for messages."""

    longest_run: int
    """Most segments in a run."""

    def give(self, run: list[Segment]) -> None:
        """Start painting consecutive segments."""

    def begin_again(self) -> None:
        """Start again after a crash, and report when ready."""

    def close(self) -> None:
        """Stop at once. Idempotent."""


@dataclass(frozen=True, slots=True)
class Report:
    """Message of a worker.

    ready: waits; whole, part: segment `number`, or a part, is in the folder; progress: frames and bytes; message: text;
    crashed: text says how; gone: ended; failed: the job is impossible because of `what`.
    """

    seat: Seat
    kind: Literal["ready", "whole", "part", "progress", "message", "crashed", "gone", "failed"]
    number: int = -1
    frames: int = 0
    size_bytes: int = 0
    text: str = ""
    what: Literal["input", "disk", "output", ""] = ""


Reports = SimpleQueue[Report]


class Dispatcher:
    """Work of a job on its workers."""

    def __init__(self, segmented: SegmentedJob) -> None:
        self._segmented, self._folder, self._say = segmented, segmented.folder, segmented.listener.message
        self.reports: Reports = SimpleQueue()
        self.seats: list[Seat] = []
        self._waiting = deque(self._folder.missing)
        self._held: dict[Seat, list[Segment]] = {}
        self._idle: list[Seat] = []
        self._crashed_on: dict[int, list[str]] = defaultdict(list)  # names of seats by segment number
        self._crashes: Counter[Seat] = Counter()
        self._before = self._folder.frames_done, self._folder.bytes_done
        self._written: dict[Seat, tuple[int, int]] = {}
        self._made: dict[Seat, tuple[int, int]] = {}  # in complete segments
        self._said: set[str] = set()

    def add(self, seat: Seat) -> None:
        """Add a worker that will report when it is ready."""
        self.seats.append(seat)
        self._held[seat] = []

    def run(self, on_gone: Callable[[Seat, str], None], look: Callable[[], None] = lambda: None) -> None:
        """Work until every segment is complete, then close all workers.

        Args:
            on_gone: Receives a worker that ended and the reason; may raise.
            look: Called twice a second.

        Raises: InputError, OutputError, DeviceError.
        """
        try:
            while self._folder.missing:
                with contextlib.suppress(Empty):
                    self._take(self.reports.get(timeout=0.5), on_gone)
                look()
        finally:
            for seat in self.seats:
                seat.close()

    def drop(self, seat: Seat) -> None:
        """Remove a lost worker; its segments go to others."""
        if seat not in self.seats:
            return
        self.seats.remove(seat)
        if seat in self._idle:
            self._idle.remove(seat)
        self._take_back(seat)
        for other in list(self._idle):
            self._give(other)

    def _take_back(self, seat: Seat) -> None:
        held, self._held[seat] = self._held[seat], []
        planned = [self._folder.journal.segments[segment.number] for segment in held]
        for segment in planned:
            self._folder.take(segment)
        left = [part for segment in planned if (part := self._folder.left_of(segment)) is not None]
        self._waiting = deque(sorted([*left, *self._waiting], key=lambda segment: segment.number))
        self._written.pop(seat, None)
        self._made.pop(seat, None)
        frames, size_bytes = (sum(made[index] for made in self._made.values()) for index in (0, 1))
        self._before = self._folder.frames_done - frames, self._folder.bytes_done - size_bytes

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
            case "crashed":
                self._crash(seat, report.text, on_gone)
            case "gone":
                self.drop(seat)
                on_gone(seat, report.text)

    def _crash(self, seat: Seat, how: str, on_gone: Callable[[Seat, str], None]) -> None:
        first = next(iter(self._held[seat]), None)
        self._crashes[seat] += 1
        what = "could begin"
        if first is not None:
            what = f"had painted {first.words}"
            crashed_on = self._crashed_on[first.number]
            crashed_on.append(seat.name)
            if len(crashed_on) >= TRIES:
                raise DeviceError(
                    f"the process that painted {first.words} crashed "
                    f"{TRIES} times; the last time, it {how}; memory may be too small: try --max-size, "
                    "or --tile with a small number"
                )
        words = f"the process of {seat.name} {how} before it {what}"
        if self._crashes[seat] >= TRIES:
            self.drop(seat)
            on_gone(seat, words)
        else:
            self._say(f"{words}; restarting it")
            self._take_back(seat)
            seat.begin_again()
            for other in list(self._idle):
                self._give(other)

    def _give(self, seat: Seat) -> None:
        others = {other.name for other in self.seats}
        fit = [
            segment
            for segment in self._waiting
            if seat.name not in self._crashed_on[segment.number] or others <= set(self._crashed_on[segment.number])
        ]
        if not fit:
            if seat not in self._idle:
                self._idle.append(seat)
            return
        if seat in self._idle:
            self._idle.remove(seat)
        fair = len(self._waiting) // (3 * len(self.seats))
        run = consecutive(fit)[0][: max(1, min(fair, seat.longest_run))]
        for segment in run:
            self._waiting.remove(segment)
        self._held[seat] = run
        seat.give(run)

    def _whole(self, seat: Seat, number: int) -> None:
        segment = self._folder.journal.segments[number]
        self._held[seat] = [other for other in self._held[seat] if other.number != number]
        frames, size_bytes = self._folder.frames_done, self._folder.bytes_done
        self._folder.take(segment)
        if self._folder.left_of(segment) is not None:
            raise OutputError(f"segment {number} of {count_of(len(self._folder.journal.segments), 'segment')} vanished")
        made = self._made.get(seat, (0, 0))
        frames, size_bytes = self._folder.frames_done - frames, self._folder.bytes_done - size_bytes
        self._made[seat] = made[0] + frames, made[1] + size_bytes
        self._segmented.job.plan.ending.kept = self._folder.kept_words

    def _show(self) -> None:
        frames = self._before[0] + sum(frames for frames, _ in self._written.values())
        self._segmented.show(frames, self._before[1] + sum(size for _, size in self._written.values()))
