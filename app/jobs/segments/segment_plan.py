"""Plan of segments, cut by presentation time."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from itertools import pairwise

from framebrush.gpu.sizes import Size
from framebrush.media.reading.index import FrameIndex

LEAST_FRAMES, MOST_FRAMES = 250, 6000
"""Range of a segment's length: x264's and x265's default GOP, so that cuts add no key frames, and a limit of lost work.
On a CPU, 250 large pictures take over a minute."""

CPU_PIXELS, GPU_PIXELS = 150_000_000, 3_000_000_000
"""Pixels of network input in 10 to 60 seconds with default styles on two cores, and on a mid-range GPU."""

LONG_S, LEAST_PART, LONGEST_S = 20.0, 8, 50.0
"""Time and frames after which a segment continues in another file, and the time in any case: a kill loses no more."""

SHORT = 10
"""Divisor of these pixels below which a job is done in one piece."""

NEAR = 4
"""Divisor of a segment's length within which a boundary moves to a key frame of the source."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Frames first to first + frames - 1, until end_pts (None at the file's end).

    frames: None if only decoding tells. before: leading frames of a reveal, in `frames`.
    """

    number: int
    first: int
    frames: int | None
    start_pts: int
    end_pts: int | None
    before: int = 0

    @property
    def words(self) -> str:
        if self.frames is None:
            return f"the frames from {self.first} on"
        return f"frames {self.first} to {self.behind_last - 1}"

    @property
    def behind_last(self) -> int:
        """Source frame number after the segment."""
        assert self.frames is not None
        return self.first + self.frames - self.before

    def after(self, before: int, ticks: int) -> Segment:
        """Return the segment behind a reveal. ticks: its duration."""
        frames = None if self.frames is None else self.frames + before
        return replace(self, frames=frames, start_pts=self.start_pts - ticks, before=before)

    def behind(self, frames: int, pts: int) -> Segment:
        """Return the rest after some frames. Raises ValueError."""
        left = None if self.frames is None else self.frames - frames
        within = pts > self.start_pts and (self.end_pts is None or pts < self.end_pts)
        if frames <= 0 or (left is not None and left <= 0) or not within:
            raise ValueError(f"segment {self.number} does not continue after frame {frames} at {pts}")
        shown = min(frames, self.before)
        return replace(self, first=self.first + frames - shown, frames=left, start_pts=pts, before=self.before - shown)


def segment_frames(working: Size, *, on_cpu: bool) -> int:
    """Return a segment's length. working: network input size."""
    pixels = CPU_PIXELS if on_cpu else GPU_PIXELS
    return max(LEAST_FRAMES, min(pixels // (working[0] * working[1]), MOST_FRAMES))


def is_short(frames: int, working: Size, *, on_cpu: bool) -> bool:
    """Return whether frames take only seconds."""
    return frames * working[0] * working[1] <= (CPU_PIXELS if on_cpu else GPU_PIXELS) // SHORT


def plan_segments(index: FrameIndex, numbers: range, length: int) -> tuple[Segment, ...]:
    """Cut a range into segments of about `length` frames."""
    keys = [bisect_left(index.pts, pts) for pts in index.keyframes]
    usual = max((b - a for a, b in pairwise(keys)), default=0)
    cuts = {b for a, b in pairwise(keys) if b - a < usual}
    bounds = [numbers.start]
    while numbers.stop - bounds[-1] > length + length // 2:
        ideal = bounds[-1] + length
        near = keys[bisect_left(keys, ideal - length // NEAR) : bisect_right(keys, ideal + length // NEAR)]
        bounds.append(min(near, key=lambda key: (key not in cuts, abs(key - ideal)), default=ideal))
    bounds.append(numbers.stop)
    return tuple(
        Segment(
            number,
            first,
            behind - first,
            index.pts[first],
            index.pts[behind] if behind < len(index.pts) else None,
        )
        for number, (first, behind) in enumerate(pairwise(bounds))
    )


def consecutive(segments: list[Segment]) -> list[list[Segment]]:
    """Group segments into contiguous runs."""
    runs: list[list[Segment]] = []
    for segment in segments:
        if runs and runs[-1][-1].number + 1 == segment.number:
            runs[-1].append(segment)
        else:
            runs.append([segment])
    return runs
