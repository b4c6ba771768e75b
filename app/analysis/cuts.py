"""Detection of cuts: sudden, lasting changes of luma thumbnails.

Blank frames belong to the shot before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from statistics import median

import numpy as np
import numpy.typing as npt

from framebrush.gpu.frame import DeviceFrame, Frame
from framebrush.media.video import VideoFrame

Thumbnail = npt.NDArray[np.float32]

ROWS, COLUMNS = 9, 16  # blocks, about square in a 16:9 film
SAMPLES = 16  # of each block and axis; more would add nothing

BLANK_CODES = 4.0  # standard deviation of a thumbnail, of 255
ALIKE = 0.7  # correlation of two thumbnails of one scene
SUDDEN = 2.5  # times the change by motion around; change is 1 minus correlation
LEAST_MOTION = 0.05  # assumed for still films, where any flicker would be sudden
LASTS = 3
"""Frames within which a flash ends."""

MOTION_FRAMES = 5
"""Frames whose median is the motion around: a torn or flashing one hides no cut."""


def thumbnail(frame: Frame | DeviceFrame) -> Thumbnail:
    """Return means of luma, or green, at most (ROWS, COLUMNS), float32, 0..255."""
    assert isinstance(frame, Frame)
    plane, *_ = frame.components
    for axis, count in enumerate((ROWS, COLUMNS)):
        step = max(1, plane.shape[axis] // (count * SAMPLES))
        plane = plane[::step] if axis == 0 else plane[:, ::step]
    values = frame.format.codes(plane).astype(np.float32) * (255 / frame.format.top)
    for axis, count in enumerate((ROWS, COLUMNS)):
        edges = np.linspace(0, values.shape[axis], min(count, values.shape[axis]) + 1).astype(int)
        shape = [1, 1]
        shape[axis] = -1
        values = np.add.reduceat(values, edges[:-1], axis) / np.diff(edges).reshape(shape)
    return np.asarray(values, np.float32)


def is_blank(picture: Thumbnail) -> bool:
    """Return whether a thumbnail shows one colour."""
    return float(picture.std()) < BLANK_CODES


def with_cuts(frames: Iterable[VideoFrame]) -> Iterator[tuple[bool, VideoFrame, Thumbnail]]:
    """Yield whether a shot begins, frame and thumbnail, LASTS frames late."""
    cuts = Cuts()
    for frame in frames:
        yield from cuts.add(frame)
    yield from cuts.rest()


class Cuts:
    """`with_cuts` for frames that arrive one by one."""

    def __init__(self) -> None:
        self._ahead: deque[tuple[VideoFrame, Thumbnail]] = deque()
        self._finder = _Finder()

    def add(self, frame: VideoFrame) -> Iterator[tuple[bool, VideoFrame, Thumbnail]]:
        self._ahead.append((frame, thumbnail(frame.host)))
        if len(self._ahead) > LASTS:
            yield self._oldest()

    def rest(self) -> Iterator[tuple[bool, VideoFrame, Thumbnail]]:
        while self._ahead:
            yield self._oldest()

    def _oldest(self) -> tuple[bool, VideoFrame, Thumbnail]:
        frame, picture = self._ahead.popleft()
        return self._finder.is_cut(picture, [later for _, later in self._ahead]), frame, picture


class _Finder:
    def __init__(self) -> None:
        self._first = True
        self._last: Thumbnail | None = None
        self._before: Thumbnail | None = None
        self._blank_before = False
        self._motion: deque[float] = deque(maxlen=MOTION_FRAMES)

    def is_cut(self, picture: Thumbnail, ahead: list[Thumbnail]) -> bool:
        first, self._first = self._first, False
        before, self._before = self._before, picture
        if is_blank(picture):
            self._blank_before = True
            return first
        last, blank_before = self._last, self._blank_before
        self._blank_before = False
        if last is None or before is None:
            self._last = picture
            return first
        change = 1 - _correlation(before, picture)
        changed = _unlike(last, picture)
        lasts = changed and all(_unlike(last, later) for later in ahead[:LASTS] if not is_blank(later))
        next_change = 1 - _correlation(picture, ahead[0]) if ahead and not is_blank(ahead[0]) else 0.0
        motion = max(median(self._motion or [0.0]), next_change, LEAST_MOTION)
        cut = lasts and (blank_before or change > SUDDEN * motion)
        if cut:
            self._motion.clear()
        else:
            self._motion.append(change)
        if lasts or not changed:
            self._last = picture
        return cut


def _unlike(one: Thumbnail, other: Thumbnail) -> bool:
    return _correlation(one, other) < ALIKE


def _correlation(one: Thumbnail, other: Thumbnail) -> float:
    a, b = one - one.mean(), other - other.mean()
    return float((a * b).mean() / max(float(a.std() * b.std()), 1e-6))
