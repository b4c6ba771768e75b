"""Planning a job: cutting its frames into segments of presentation time."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from itertools import pairwise

from framebrush.gpu.sizes import Size
from framebrush.media.reading.index import FrameIndex

LEAST_FRAMES, MOST_FRAMES = 250, 6000
"""Limits of a segment's length: the default GOP of x264 and x265, so that the cuts add no key frames; and few enough
that a crash does not cost too much. On a CPU, 250 large pictures are more than a minute of work."""

CPU_PIXELS, GPU_PIXELS = 150_000_000, 3_000_000_000
"""How many pixels of the network's input take 10 to 60 seconds, with the networks of the default styles on two cores
and on a mid-range GPU."""

LONG_S, LEAST_PART, LONGEST_S = 20.0, 8, 50.0
"""A segment is continued in another file once it has taken LONG_S and has LEAST_PART frames, and after LONGEST_S in any
case: being killed then costs at most that much work, however slow painting is and however long the segments are."""

SHORT = 10
"""A job of less than a tenth of those pixels is done in one piece."""

NEAR = 4
"""A boundary moves to a key frame of the source within this fraction of a segment's length."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Frames first to first + frames - 1 of the source, shown from start_pts until end_pts, in its time base; end_pts
    is None at the end of the file.

    If frames can only be told apart by decoding, one segment is the whole job: frames is None, and first counts from
    the start of the range."""

    number: int
    first: int
    frames: int | None
    start_pts: int
    end_pts: int | None

    @property
    def words(self) -> str:
        """A description for messages."""
        if self.frames is None:
            return f"the frames from {self.first} on"
        return f"frames {self.first} to {self.first + self.frames - 1}"

    def behind(self, frames: int, pts: int) -> Segment:
        """The rest of it after `frames` frames. pts: of the next frame. Raises ValueError if that is not within the
        segment."""
        left = None if self.frames is None else self.frames - frames
        within = pts > self.start_pts and (self.end_pts is None or pts < self.end_pts)
        if frames <= 0 or (left is not None and left <= 0) or not within:
            raise ValueError(f"segment {self.number} does not continue after frame {frames} at {pts}")
        return replace(self, first=self.first + frames, frames=left, start_pts=pts)


def segment_frames(working: Size, *, on_cpu: bool) -> int:
    """How many frames a segment should have. working: size of the network's input in pixels.

    This does not depend on the speed of this machine, so that the same job has the same segments everywhere.
    """
    pixels = CPU_PIXELS if on_cpu else GPU_PIXELS
    return max(LEAST_FRAMES, min(pixels // (working[0] * working[1]), MOST_FRAMES))


def is_short(frames: int, working: Size, *, on_cpu: bool) -> bool:
    """Whether this number of frames takes only a few seconds, which need not be kept. Arguments as for
    `segment_frames`."""
    return frames * working[0] * working[1] <= (CPU_PIXELS if on_cpu else GPU_PIXELS) // SHORT


def plan_segments(index: FrameIndex, numbers: range, length: int) -> tuple[Segment, ...]:
    """Cut the frames of a range, about every `length` of them, at key frames of the source where one is near.

    At a key frame nothing is decoded twice, and irregular key frames mark cuts in the film. numbers: of the frames,
    within the index.
    """
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
    """The segments, which are in order, grouped into contiguous runs."""
    runs: list[list[Segment]] = []
    for segment in segments:
        if runs and runs[-1][-1].number + 1 == segment.number:
            runs[-1].append(segment)
        else:
            runs.append([segment])
    return runs
