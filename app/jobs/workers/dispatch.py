"""Dispatcher of segments to child processes or cluster workers.

A segment counts once its file is complete. Lost workers' segments go to others; TRIES crashes end a worker.
"""

from __future__ import annotations

import contextlib
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Literal, Protocol

from framebrush.base.text import count_of
from framebrush.gpu.errors import SMALLER_OR_SMALL_TILES, DeviceError
from framebrush.jobs.segments.segment_plan import Segment, consecutive
from framebrush.jobs.segments.segmented import SegmentedJob
from framebrush.media.video import DiskFullError, InputError, OutputError

TRIES = 3
"""Crashes after which a segment or a worker is given up."""


class Worker(Protocol):
    """Painter of segments that sends `Report`s."""

    @property
    def name(self) -> str:
        """Name for messages."""

    longest_run: int
    """Most segments in a run."""

    def give(self, run: list[Segment]) -> None:
        """Start painting consecutive segments."""

    def begin_again(self) -> None:
        """Restart after a crash; report when ready."""

    def close(self) -> None:
        """Stop at once. Idempotent."""


@dataclass(frozen=True, slots=True)
class Report:
    """Message of a worker.

    ready: idle; whole, part: segment `number`, or a part, is on disk; crashed: text says how; gone: ended; failed:
    `what` makes the job impossible.
    """

    worker: Worker
    kind: Literal["ready", "whole", "part", "progress", "message", "crashed", "gone", "failed"]
    number: int = -1
    frames: int = 0
    size_bytes: int = 0
    text: str = ""
    do: str = ""
    what: Literal["input", "disk", "output", ""] = ""


Reports = SimpleQueue[Report]


class Dispatcher:
    """Distribution of segments to workers."""

    def __init__(self, segmented: SegmentedJob) -> None:
        self._segmented, self._folder, self._say = segmented, segmented.folder, segmented.listener.message
        self.reports: Reports = SimpleQueue()
        self.workers: list[Worker] = []
        self._waiting = deque(self._folder.missing)
        self._held: dict[Worker, list[Segment]] = {}
        self._idle: dict[Worker, None] = {}  # in order
        self._crashed_on: dict[int, list[str]] = defaultdict(list)  # names of workers by segment number
        self._crashes: Counter[Worker] = Counter()
        self._before = self._folder.frames_done, self._folder.bytes_done
        self._written: dict[Worker, tuple[int, int]] = {}
        self._made: dict[Worker, tuple[int, int]] = {}  # in complete segments
        self._said: set[str] = set()

    def add(self, worker: Worker) -> None:
        """Add a worker that will report when ready."""
        self.workers.append(worker)
        self._held[worker] = []

    def run(self, on_gone: Callable[[Worker, DeviceError], None], look: Callable[[], None] = lambda: None) -> None:
        """Work until all segments are complete, then close all workers.

        on_gone: receives ended workers. look: called twice a second. Raises InputError, OutputError,
        DeviceError.
        """
        try:
            while self._folder.missing:
                with contextlib.suppress(Empty):
                    self._take(self.reports.get(timeout=0.5), on_gone)
                look()
        finally:
            for worker in self.workers:
                worker.close()

    def drop(self, worker: Worker) -> None:
        """Remove a lost worker, freeing its segments."""
        if worker not in self.workers:
            return
        self.workers.remove(worker)
        self._take_back(worker)

    def _take_back(self, worker: Worker) -> None:
        """Give a worker's segments to idle ones; it is not idle until it is ready again."""
        self._idle.pop(worker, None)
        held, self._held[worker] = self._held[worker], []
        planned = [self._folder.journal.segments[segment.number] for segment in held]
        for segment in planned:
            self._folder.read_segment(segment)
        left = [part for segment in planned if (part := self._folder.unpainted_rest(segment)) is not None]
        self._waiting = deque(sorted([*left, *self._waiting], key=lambda segment: segment.number))
        self._written.pop(worker, None)
        self._made.pop(worker, None)
        frames, size_bytes = (sum(made[index] for made in self._made.values()) for index in (0, 1))
        self._before = self._folder.frames_done - frames, self._folder.bytes_done - size_bytes
        for other in list(self._idle):
            self._give(other)

    def _take(self, report: Report, on_gone: Callable[[Worker, DeviceError], None]) -> None:
        worker = report.worker
        if worker not in self.workers:
            return
        match report.kind:
            case "ready":
                self._give(worker)
            case "whole":
                self._whole(worker, report.number)
            case "progress":
                self._written[worker] = report.frames, report.size_bytes
                self._show()
            case "message":
                if report.text not in self._said:
                    self._said.add(report.text)
                    self._say(report.text)
            case "failed":
                kinds = {"input": InputError, "disk": DiskFullError}
                raise kinds.get(report.what, OutputError)(report.text, report.do)
            case "crashed":
                self._crash(worker, report.text, on_gone)
            case "gone":
                self.drop(worker)
                on_gone(worker, DeviceError(report.text, report.do))

    def _crash(self, worker: Worker, how: str, on_gone: Callable[[Worker, DeviceError], None]) -> None:
        first = next(iter(self._held[worker]), None)
        self._crashes[worker] += 1
        what = "could begin"
        if first is not None:
            what = f"had painted {first.words}"
            crashed_on = self._crashed_on[first.number]
            crashed_on.append(worker.name)
            if len(crashed_on) >= TRIES:
                raise DeviceError(
                    f"the process that painted {first.words} crashed {TRIES} times; the last time, it {how}",
                    do=f"memory may be too small: try {SMALLER_OR_SMALL_TILES}",
                )
        words = f"the process of {worker.name} {how} before it {what}"
        if self._crashes[worker] >= TRIES:
            self.drop(worker)
            on_gone(worker, DeviceError(words))
        else:
            self._say(f"{words}; restarting it")
            self._take_back(worker)
            worker.begin_again()

    def _give(self, worker: Worker) -> None:
        others = {other.name for other in self.workers}
        fit = [
            segment
            for segment in self._waiting
            if worker.name not in self._crashed_on[segment.number] or others <= set(self._crashed_on[segment.number])
        ]
        if not fit:
            self._idle[worker] = None
            return
        self._idle.pop(worker, None)
        fair = len(self._waiting) // (3 * len(self.workers))
        run = consecutive(fit)[0][: max(1, min(fair, worker.longest_run))]
        for segment in run:
            self._waiting.remove(segment)
        self._held[worker] = run
        worker.give(run)

    def _whole(self, worker: Worker, number: int) -> None:
        segment = self._folder.journal.segments[number]
        self._held[worker] = [other for other in self._held[worker] if other.number != number]
        frames, size_bytes = self._folder.frames_done, self._folder.bytes_done
        self._folder.read_segment(segment)
        if self._folder.unpainted_rest(segment) is not None:
            raise OutputError(f"segment {number} of {count_of(len(self._folder.journal.segments), 'segment')} vanished")
        made = self._made.get(worker, (0, 0))
        frames, size_bytes = self._folder.frames_done - frames, self._folder.bytes_done - size_bytes
        self._made[worker] = made[0] + frames, made[1] + size_bytes
        self._segmented.note_kept(segment)

    def _show(self) -> None:
        frames = self._before[0] + sum(frames for frames, _ in self._written.values())
        self._segmented.show(frames, self._before[1] + sum(size for _, size in self._written.values()))
