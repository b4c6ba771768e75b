"""Painting ahead, in a process, into the render cache.

With the context of jobs, frames equal an export's bit for bit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise

from framebrush.base.files import FileState
from framebrush.base.translators import QT_TRANSLATE_NOOP
from framebrush.base.worker_thread import Worker
from framebrush.gpu.device import DeviceInfo
from framebrush.gpu.errors import DeviceError, is_memory_full
from framebrush.gpu.frame import FrameFormat
from framebrush.jobs.prepare import open_job_style
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import ignore
from framebrush.media.video import InputError, VideoInfo
from framebrush.models.style import StyleError
from framebrush.playback import events
from framebrush.playback.ahead.ahead_process import PaintingProcess
from framebrush.playback.ahead.ahead_worker import Order, StoppedError
from framebrush.playback.ahead.cache_keys import frames_key, render_format, render_key
from framebrush.playback.ahead.render_cache import Course, Painted, RenderCache, frame_bytes
from framebrush.playback.ahead.store import CHECKSUM_BYTES, RenderStore, Stored
from framebrush.playback.display.screen import Emit

REST_S = 0.3
"""A look must be unchanged for this long before frames are painted in it, because sliders are dragged."""

TELL_S = 0.25
"""How often the window is notified of the frames that are ready."""

IDLE_S = 5.0
"""After this long without work, the process closes film and network."""

NOT_AHEAD = QT_TRANSLATE_NOOP("Player", "Internal error in Framebrush: nothing is painted ahead in this look.")

NO_MEMORY_AHEAD = QT_TRANSLATE_NOOP("Player", "Memory is full: nothing is painted ahead in this look.")

WORTH_SHARE = 0.5
"""Frames that take less than this share of their duration to paint are not saved to disk: that would only wear the
disk."""

SPARE = 2
"""How many frames fewer than would fit on the disk, to leave room for the other files."""


class _ChangedError(Exception):
    pass


@dataclass(frozen=True, slots=True)
class Wanted:
    """Request for painting.

    spec: an export's. opening: counts openings. style: digest. files: states of files.
    """

    spec: JobSpec
    info: VideoInfo
    opening: int
    device: DeviceInfo
    style: str
    files: tuple[FileState | None, ...]


@dataclass(slots=True, eq=False)
class Rendering:
    """Attempt at a request. paint_s: mean per frame. no_room: rejected frames."""

    wanted: Wanted
    since_s: float = field(default_factory=time.monotonic)
    key: str | None = None
    frame_bytes: int = 0
    paint_s: float | None = None
    no_room: set[int] = field(default_factory=set)
    failed: bool = False

    @property
    def is_slow(self) -> bool:
        """Whether frames are worth saving on disk."""
        return self.paint_s is not None and self.paint_s > WORTH_SHARE * _period_s(self.wanted.info)


class Renderer(Worker):
    """Painter ahead for the player's thread; only `close` blocks."""

    def __init__(
        self, cache: RenderCache, emit: Emit, on_fresh: Callable[[int], None], store: RenderStore | None = None
    ) -> None:
        """Start. Callbacks run in its thread and must not block.

        on_fresh: receives new frames' numbers. emit: also called in `use`.
        """
        self._cache, self._emit, self._on_fresh, self._store = cache, emit, on_fresh, store
        self._rendering: Rendering | None = None
        self._course = Course()
        self._absent: set[int] = set()  # numbers for which the film has no frame
        self._room_bytes = 0  # on the disk
        self._cleaned_for = 0  # the opening for which old files were deleted
        self._version = 0  # of the player's requests
        self._held = False
        self._orders: list[Callable[[], None]] = []
        self._process = PaintingProcess()
        self._told = events.Ready(())
        self._told_s = 0.0
        self._told_memory = False
        super().__init__("render ahead")

    def use(self, wanted: Wanted | None) -> None:
        """Set the request to paint, or None."""
        with self._changed:
            before = None if self._rendering is None else self._rendering.wanted
            if wanted == before:
                return
            if wanted is None or before is None or wanted.opening != before.opening:
                self._course, self._absent = Course(), set()
            self._rendering = None if wanted is None else Rendering(wanted)
            self._say(events.Ready(()))  # frames of a former film or look are ready no longer, whatever is read first
            self._process.stop()
            self._notify()

    def follow(self, course: Course) -> None:
        """Set the playing order; an unknown end is found here."""
        with self._changed:
            course = replace(course, end=course.end if course.end is not None else self._course.end)
            if course != self._course:
                self._course = course
                if self._rendering is not None:
                    self._rendering.no_room.clear()
                self._notify()

    def hold(self, on: bool) -> None:
        """Suspend or resume painting, but not loading."""
        with self._changed:
            if on != self._held:
                self._held = on
                self._notify()

    def get(self, number: int) -> Painted | None:
        """Return the current request's frame, if ready."""
        rendering = self._rendering
        return None if rendering is None or rendering.key is None else self._cache.get(rendering.key, number)

    def clear(self) -> None:
        """Delete all frames, on disk as well."""
        store = self._store
        self._order(self._cache.clear, *([store.clear] if store is not None else []))

    def limit_disk(self, limit_bytes: int) -> None:
        store = self._store
        if store is not None:
            self._order(lambda: store.limit(limit_bytes))

    def close(self) -> None:
        """End process and thread."""
        with self._changed:
            self._ended = True
            self._process.end()
            self._notify()
        self.join()

    def _order(self, *calls: Callable[[], None]) -> None:
        with self._changed:
            self._orders += calls
            if self._rendering is not None and self._rendering.failed:  # the disk may have been why
                self._rendering = Rendering(self._rendering.wanted)
            self._process.stop()
            self._notify()

    def _notify(self) -> None:
        self._version += 1
        self._changed.notify()

    # The thread. It never holds the lock while it works, because the player's thread may be waiting for it.

    def _run(self) -> None:
        try:
            while not self._ended:
                rendering = self._rendering
                try:
                    rendering = self._work()
                    if rendering is not None:
                        self._provide(rendering)
                except (_ChangedError, StoppedError):
                    pass
                except Exception as error:
                    if rendering is not None:
                        rendering.failed = True
                    if is_memory_full(error):
                        self._tell_memory(error)
                    elif not isinstance(error, InputError | StyleError | DeviceError | OSError):
                        self._tell_bug(error)  # a bug must not stop playback; the preview or an export reports it
        finally:
            self._process.close()

    def _tell_bug(self, error: Exception) -> None:
        if not self._ended:
            self._emit(events.Notification.of(NOT_AHEAD, error))

    def _tell_memory(self, error: Exception) -> None:
        if not (self._ended or self._told_memory):  # once, or every dragged slider would tell it again
            self._told_memory = True
            self._emit(events.Notification.of(NO_MEMORY_AHEAD, error))

    def _work(self) -> Rendering | None:
        while True:
            with self._changed:
                version, rendering = self._version, self._rendering
                order = self._orders.pop(0) if self._orders else None
            if self._ended:
                return None
            if order is not None:
                self._carry_out(order)
            elif rendering is not None and not rendering.failed and (rendering.key is None or self._next(rendering)):
                return rendering
            else:
                self._tell()
                self._wait(version)

    def _carry_out(self, order: Callable[[], None]) -> None:
        try:
            order()
        except OSError:  # files that are in use, for example, go with the next order
            pass
        except Exception as error:
            self._tell_bug(error)

    def _wait(self, version: int, timeout_s: float | None = None) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._version != version, timeout_s)

    def _next(self, rendering: Rendering) -> tuple[int, bool] | None:
        """Return the next frame, and whether it is on disk."""
        cache, course, key = self._cache, self._course, rendering.key
        stored = self._store.known.keys() if self._store is not None else set()
        assert key is not None
        near = cache.limit_bytes // rendering.frame_bytes
        number = cache.next_missing(key, islice(course.numbers(), near), of=stored)
        if number is not None:
            return number, True
        if self._held:
            return None
        far = self._room_bytes // (rendering.frame_bytes + CHECKSUM_BYTES) - SPARE if rendering.is_slow else 0
        if rendering.no_room:  # other windows may use up the room that is left
            far = 0
        without = stored | self._absent | rendering.no_room
        number = cache.next_missing(key, islice(course.numbers(), max(near, far)), without=without)
        return None if number is None else (number, False)

    def _provide(self, rendering: Rendering) -> None:
        wanted = rendering.wanted
        style = open_job_style(wanted.spec, ignore)
        rendered = render_key(wanted.spec, wanted.info, style, wanted.device)
        form = render_format(wanted.spec, wanted.info, style)
        key = self._latest(rendered)
        self._begin(rendering, key, form)
        device, opened = wanted.device, False

        def is_wanted() -> bool:
            return self._is_current(rendering)

        while (found := self._missing(rendering)) is not None:
            number, stored = found
            if stored:
                assert self._store is not None
                self._keep(rendering, key, self._store.read(number, form))
                continue
            if not opened:
                self._process.start()
                if not self._rest(rendering):  # or else the end of the film may be known by now, and nothing missing
                    order = Order(wanted.spec, form, wanted.opening, device.address, device.kind, device.name)
                    made = frames_key(rendered, self._process.open(order, is_wanted))
                    opened = True
                    if key != made:  # nothing was known yet, or there is more memory now, or less
                        key = made
                        self._begin(rendering, key, form)
                continue
            began_s = time.perf_counter()
            painted = self._process.frame(number, form, is_wanted)
            spent_s = time.perf_counter() - began_s
            before_s = rendering.paint_s
            rendering.paint_s = spent_s if before_s is None else 0.8 * before_s + 0.2 * spent_s
            if painted is None:
                self._end_at(rendering, number)
                continue
            if painted.number > number:
                self._lacks(rendering, range(number, painted.number))
            self._keep(rendering, key, painted, fresh=True)
        self._process.rest()

    def _latest(self, key: str) -> str:
        return self._cache.latest(key) or (self._store and self._store.latest(key)) or key

    def _begin(self, rendering: Rendering, key: str, form: FrameFormat) -> None:
        wanted = rendering.wanted
        store, path = self._store, wanted.info.path
        if store is not None and path is not None:
            store.use(key, path)
            if self._cleaned_for != wanted.opening:
                self._cleaned_for = wanted.opening
                store.prune()
            self._room_bytes = store.room_bytes()
        elif store is not None:
            store.leave()
            self._room_bytes = 0
        self._cache.use(key)
        with self._changed:
            self._check(rendering)
            rendering.frame_bytes, rendering.paint_s, rendering.key = frame_bytes(form.allocate()), None, key
        self._tell()
        self._on_fresh(self._course.here)

    def _rest(self, rendering: Rendering) -> bool:
        waited = False
        with self._changed:
            while (left_s := rendering.since_s + REST_S - time.monotonic()) > 0:
                waited = True
                self._changed.wait(left_s)
                self._check(rendering)
        return waited

    def _missing(self, rendering: Rendering) -> tuple[int, bool] | None:
        end_s = time.monotonic() + IDLE_S
        while True:
            with self._changed:
                self._check(rendering)
                version = self._version
            found = self._next(rendering)
            if found is not None or time.monotonic() > end_s:
                return found
            self._tell()
            self._wait(version, IDLE_S)

    def _keep(self, rendering: Rendering, key: str, frame: Painted | None, *, fresh: bool = False) -> None:
        if frame is None:
            return
        course, path, stored = self._course, rendering.wanted.info.path, False
        if fresh and rendering.is_slow and self._store is not None and path is not None:
            stored = self._store.write(frame, path, course)
            self._room_bytes = self._store.room_bytes()
        kept = self._cache.add(key, frame, course)
        with self._changed:
            self._check(rendering)
            if fresh and not kept and not stored:
                rendering.no_room.add(frame.number)
        if time.monotonic() - self._told_s >= TELL_S:
            self._tell()
        self._on_fresh(frame.number)

    def _lacks(self, rendering: Rendering, numbers: range) -> None:
        with self._changed:
            self._check(rendering)
            self._absent.update(numbers)

    def _end_at(self, rendering: Rendering, number: int) -> None:
        with self._changed:
            self._check(rendering)
            self._course = replace(self._course, end=number)

    def _is_current(self, rendering: Rendering) -> bool:
        return not self._ended and not self._orders and self._rendering is rendering

    def _check(self, rendering: Rendering) -> None:
        if not self._is_current(rendering):
            raise _ChangedError

    def _tell(self) -> None:
        rendering = self._rendering
        frames: dict[int, Painted | Stored] = {}
        if rendering is not None and rendering.key is not None:
            frames |= self._store.known if self._store is not None else {}
            frames |= {painted.number: painted for painted in self._cache.all(rendering.key)}
        ready = events.Ready(_spans(frames, rendering.wanted.info) if rendering is not None else ())
        with self._changed:
            if rendering is self._rendering:
                self._told_s = time.monotonic()
                self._say(ready)

    def _say(self, ready: events.Ready) -> None:
        if ready != self._told:
            self._told = ready
            self._emit(ready)


def _spans(frames: Mapping[int, Painted | Stored], info: VideoInfo) -> tuple[tuple[float, float], ...]:
    numbers = sorted(frames)
    ends = [place for place, (a, b) in enumerate(pairwise(numbers), 1) if b != a + 1]
    spans = []
    for begin, end in pairwise([0, *ends, len(numbers)] if numbers else []):
        first, last = frames[numbers[begin]], frames[numbers[end - 1]]
        start_s, last_s = (float((frame.pts - info.start_pts) * info.time_base) for frame in (first, last))
        spans.append((start_s, last_s + (float(last.duration * info.time_base) or _period_s(info))))
    return tuple(spans)


def _period_s(info: VideoInfo) -> float:
    return float(1 / info.usual_rate)
