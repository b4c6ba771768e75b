"""The plan of a job: its frames cut into segments of presentation time."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from itertools import pairwise

from framebrush.gpu.sizes import Size
from framebrush.media.reading.index import FrameIndex

LEAST_FRAMES, MOST_FRAMES = 250, 6000
"""Of a segment: the GOP that x264 and x265 make by themselves, so that the cuts cost no more key frames than one piece
has; and few enough that what a crash costs stays bearable. On a processor 250 large pictures are more than a minute of
work."""

CPU_PIXELS, GPU_PIXELS = 150_000_000, 3_000_000_000
"""How many pixels of the network's input make 10 to 60 seconds of work, with the networks of the default styles on two
cores and on a GPU of the middle class."""

LONG_S, LEAST_PART, LONGEST_S = 20.0, 8, 50.0
"""A segment is continued in another file when it has taken the first and has so many frames, and after the last in any
case: so a kill costs no more than that of painting, however slow it is, and however long its segments are."""

SHORT = 10
"""What is less than a tenth of those pixels is done in one piece."""

NEAR = 4
"""A boundary moves by up to a segment's length over this, to a key frame of the source."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Frames first to first + frames - 1 of the source, which are shown from start_pts to before end_pts, in its time
    base; end_pts is None at the end of the file.

    Where only decoding tells the frames apart, one segment is the whole job: frames is None, and first counts from the
    start of the range."""

    number: int
    first: int
    frames: int | None
    start_pts: int
    end_pts: int | None

    @property
    def words(self) -> str:
        """What people call it."""
        if self.frames is None:
            return f"the frames from {self.first} on"
        return f"frames {self.first} to {self.first + self.frames - 1}"

    def behind(self, frames: int, pts: int) -> Segment:
        """What is left of it after so many frames. pts: of the next frame. Raises ValueError where it is not in it."""
        left = None if self.frames is None else self.frames - frames
        within = pts > self.start_pts and (self.end_pts is None or pts < self.end_pts)
        if frames <= 0 or (left is not None and left <= 0) or not within:
            raise ValueError(f"segment {self.number} does not go on behind frame {frames} at {pts}")
        return replace(self, first=self.first + frames, frames=left, start_pts=pts)


def segment_frames(working: Size, *, on_cpu: bool) -> int:
    """How many frames a segment should have. working: size of the network's input in pixels.

    It does not depend on how fast this machine is, so that the same job has the same segments everywhere.
    """
    pixels = CPU_PIXELS if on_cpu else GPU_PIXELS
    return max(LEAST_FRAMES, min(pixels // (working[0] * working[1]), MOST_FRAMES))


def is_short(frames: int, working: Size, *, on_cpu: bool) -> bool:
    """Whether so many frames are a second or a few of work, which needs not be kept: the arguments are those of
    `segment_frames`."""
    return frames * working[0] * working[1] <= (CPU_PIXELS if on_cpu else GPU_PIXELS) // SHORT


def plan_segments(index: FrameIndex, numbers: range, length: int) -> tuple[Segment, ...]:
    """Cut the frames of a range, about every `length` of them, at key frames of the source where one is near.

    There nothing is decoded twice, and where key frames come out of turn they mark the cuts of the film. numbers: of
    the frames, within the index.
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
    """The segments, in order, grouped into runs without a gap."""
    runs: list[list[Segment]] = []
    for segment in segments:
        if runs and runs[-1][-1].number + 1 == segment.number:
            runs[-1].append(segment)
        else:
            runs.append([segment])
    return runs
