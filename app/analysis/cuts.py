"""Where one shot ends and the next begins, found from the frames alone.

Frames are compared as thumbnails of luma, by the correlation of their patterns, which a change of light leaves alone. A
cut is a change that is sudden and lasts: motion is not sudden, a flash does not last. Black and other blank frames
belong to the shot before them; behind them a new one begins unless the picture is the same. A dissolve is not a cut:
`analysis.dissolves` finds it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from statistics import median

import numpy as np
import numpy.typing as npt

from framebrush.gpu.frame import DeviceFrame, Frame, Layout
from framebrush.media.video import VideoFrame

Thumbnail = npt.NDArray[np.float32]

ROWS, COLUMNS = 9, 16  # blocks that are about square in a film of 16:9
SAMPLES = 16  # of each block and axis: more would reveal nothing more

BLANK_CODES = 4.0  # standard deviation of a thumbnail, of 255
ALIKE = 0.7  # correlation of two thumbnails of the same scene
SUDDEN = 2.5  # times the change that motion makes around, where change is what correlation lacks of 1
LEAST_MOTION = 0.05  # taken for that of a film that stands still: any flicker would be sudden there
LASTS = 3
"""A change that is undone within so many frames is a flash."""

MOTION_FRAMES = 5
"""The motion around is the median of so many frames: one that is torn or flashes does not hide the cut behind it."""


def thumbnail(frame: Frame | DeviceFrame) -> Thumbnail:
    """Luma, or green, of a frame in host memory as at most (ROWS, COLUMNS) means of blocks, float32, 0..255."""
    assert isinstance(frame, Frame)
    plane = frame.planes[0]
    if frame.format.layout is Layout.RGBA:
        plane = plane[..., 1]
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
    """Whether a thumbnail shows one colour, such as black."""
    return float(picture.std()) < BLANK_CODES


def with_cuts(frames: Iterable[VideoFrame]) -> Iterator[tuple[bool, VideoFrame, Thumbnail]]:
    """Every frame, whether a shot begins with it, and its thumbnail. Runs LASTS frames ahead."""
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
        """The frame LASTS before this one, for which it is now known whether a shot begins with it."""
        self._ahead.append((frame, thumbnail(frame.host)))
        if len(self._ahead) > LASTS:
            yield self._oldest()

    def rest(self) -> Iterator[tuple[bool, VideoFrame, Thumbnail]]:
        """The frames that were not returned yet, as no others follow."""
        while self._ahead:
            yield self._oldest()

    def _oldest(self) -> tuple[bool, VideoFrame, Thumbnail]:
        frame, picture = self._ahead.popleft()
        return self._finder.is_cut(picture, [later for _, later in self._ahead]), frame, picture


class _Finder:
    """last: the latest picture of the shot that was neither blank nor a flash."""

    def __init__(self) -> None:
        self._first = True
        self._last: Thumbnail | None = None
        self._before: Thumbnail | None = None
        self._blank_before = False
        self._motion: deque[float] = deque(maxlen=MOTION_FRAMES)

    def is_cut(self, picture: Thumbnail, ahead: list[Thumbnail]) -> bool:
        """Whether a shot begins with a picture; ahead: those behind it."""
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
