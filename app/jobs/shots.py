"""The shots of a job, with their statistics and colours: found by reading the video once before the work, and kept in
the job's plan."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from framebrush.analysis.cuts import Thumbnail, is_blank, with_cuts
from framebrush.analysis.dissolves import Dissolve, Dissolves
from framebrush.analysis.to_rgb import Picture, ToRgb, small
from framebrush.base.text import count_of
from framebrush.gpu.sizes import Sizes
from framebrush.jobs.prepare import open_job_source
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import OnMessage, ignore
from framebrush.media.video import InputError, VideoFrame
from framebrush.models.colours.oklab import Floats
from framebrush.models.colours.palette import lacks_colour
from framebrush.models.shot_statistics import check, folded, measure
from framebrush.styles.names import OpenedStyle
from framebrush.styles.palettes import film_colours
from framebrush.styles.pictures import shows_nothing
from framebrush.styles.plain import plain_style
from framebrush.styles.shots import Shot

SAMPLES = 6
"""How many frames of a shot its statistics are taken from, spread as evenly as possible without knowing its end."""

SAMPLED_PX = 1 << 20
"""Pixels of all samples together; larger frames are cropped, each at a different place. This limits memory: a network
of 32 channels needs half a gigabyte."""

COLOURS = 2048
"""How many colours are kept of a shot."""


def find_shots(
    spec: JobSpec,
    style: OpenedStyle,
    sizes: Sizes,
    say: OnMessage,
    on_read: Callable[[], None] = ignore,
    *,
    progress: OnMessage | None = None,
) -> tuple[Shot, ...]:
    """The shots of a job that needs them, each with the statistics that the spec asks for and the colours that the
    style's palette needs; empty for other jobs.

    The same file, range, sizes and style give the same shots on the same machine; elsewhere, segments agree because
    they share the plan. Reads the whole range. on_read: called for each frame; it may raise to stop. progress: is told
    what is being done and what was found, in place of `say`. Raises InputError, StyleError for a style that does not
    use such statistics, and DeviceError.
    """
    by_shot = spec.statistics == "shot"
    if not by_shot and style.palette is None:
        return ()
    if by_shot:
        check(style.style)
    taken = " and ".join(["statistics"] * by_shot + ["colours"] * (style.palette is not None))
    say_so = ignore if spec.range.frames == 1 else progress or say
    say_so(f"looking for cuts in {spec.source} and measuring the {taken} of each shot")
    size = sizes.working if style.style.card.paints else small(sizes.working)
    found = _Found(style, by_shot=by_shot)
    with ExitStack() as stack:
        source = stack.enter_context(open_job_source(spec))
        unpainted = replace(plain_style(), before=style.style.before)
        to_rgb = ToRgb(stack, source.info.format, size, unpainted, spec.look.tone_map)
        for begins, frame, thumbnail in with_cuts(source):
            on_read()
            found.add(frame, thumbnail, begins=begins)
            found.samples.offer(lambda: to_rgb(frame.frame), blank=is_blank(thumbnail), number=frame.number)  # noqa: B023
        shots = found.rest()
    if not shots:
        raise InputError(f"{spec.source}: no frame in the requested range can be decoded")
    say_so(f"{count_of(len(shots), 'shot')} found")
    if style.palette is not None and all(shows_nothing(shot.film) for shot in shots):
        say(f"{spec.source} shows a single colour, so it keeps its own colours")
    elif style.palette is not None and all(lacks_colour(shot.film) for shot in shots):
        say(f"{spec.source} has no colours: its new ones depend on lightness only")
    return tuple(shots)


class _Found:
    """Finds the shots of a film while its frames arrive. samples: of the latest one.

    With statistics for each shot, a dissolve does not end a shot, as a network cannot fade from one set of statistics
    to another."""

    def __init__(self, opened: OpenedStyle, *, by_shot: bool) -> None:
        self._opened, self._by_shot = opened, by_shot
        self._shots: list[Shot] = []
        self._dissolves = Dissolves()
        self._begin = Dissolve(0, 0)  # how the latest shot begins
        self.samples = Samples()

    def add(self, frame: VideoFrame, thumbnail: Thumbnail, *, begins: bool) -> None:
        """Add the next frame. Its picture is offered to `samples` afterwards."""
        if not self._by_shot:
            self._split(self._dissolves.add(frame.number, thumbnail, begins=begins), more=not begins)
        if begins:
            self._end()
            self._begin, self.samples = Dissolve(frame.number, frame.number), Samples()

    def rest(self) -> tuple[Shot, ...]:
        """All shots, after the last frame."""
        self._split(self._dissolves.rest(), more=False)
        self._end()
        return tuple(self._shots)

    def _split(self, dissolve: Dissolve | None, *, more: bool) -> None:
        """Split where a shot has dissolved into another. more: the frames of that one follow; nothing may be known
        about a shot that has ended."""
        if dissolve is None:
            return
        before, behind = self.samples.split(dissolve)
        if before.count and (behind.count or more):
            self.samples = before
            self._end()
            self._begin, self.samples = dissolve, behind

    def _end(self) -> None:
        """Finish a shot: its statistics, and the colours that the network produces with these statistics."""
        if not self.samples.count:
            return
        style, palette, samples = self._opened.style, self._opened.palette, self.samples
        row = measure(style, samples.batch(style.card.stride)) if self._by_shot else None
        film: Floats | None = None
        own: Floats | None = None
        if palette is not None:
            film, own = film_colours(style if row is None else folded(style, row), palette, samples.pictures)
        self._shots.append(Shot.of(self._begin.first, row, _few(film), _few(own), self._begin.frames))


def _few(colours: Floats | None) -> Floats | None:
    """At most COLOURS of them, evenly divided among the frames."""
    if colours is None:
        return None
    places = np.linspace(0, len(colours) - 1, min(COLOURS, len(colours))).round().astype(int)
    return np.ascontiguousarray(colours[places], np.float32)


@dataclass(slots=True)
class Samples:
    """Samples of the frames of one shot: every 2^n-th frame so far, between SAMPLES and twice as many. Blank ones are
    kept only while there are no others. seen: frames that were offered. count: frames that were kept."""

    count: int = 0
    seen: int = 0
    _step: int = 1
    _blank: bool = True
    _kept: list[tuple[int, Picture]] = field(default_factory=list)

    def offer(self, picture: Callable[[], Picture], *, blank: bool, number: int = 0) -> None:
        """Offer the next frame of the shot. picture: called if the frame is kept. number: of the frame, for `split`."""
        if blank and not self._blank:
            return
        if self._blank and not blank:
            self.count, self._step, self.seen, self._blank, self._kept = 0, 1, 0, False, []
        if self.seen % self._step == 0:
            self._kept.append((number, picture()))
            self.count += 1
            if len(self._kept) == 2 * SAMPLES:
                self._kept, self._step = self._kept[::2], 2 * self._step
        self.seen += 1

    def split(self, dissolve: Dissolve) -> tuple[Samples, Samples]:
        """The samples before a dissolve, and those after it."""
        sides = (
            [(n, p) for n, p in self._kept if n < dissolve.first],
            [(n, p) for n, p in self._kept if n >= dissolve.end],
        )
        before, behind = (Samples(len(side), len(side), 1, self._blank, side) for side in sides)
        return before, behind

    @property
    def pictures(self) -> list[Picture]:
        """At most SAMPLES of them, evenly spread."""
        places = np.linspace(0, len(self._kept) - 1, min(SAMPLES, len(self._kept))).round().astype(int)
        return [self._kept[place][1] for place in places]

    def batch(self, stride: int) -> npt.NDArray[np.float32]:
        """(N, 3, H, W) R'G'B' 0..1: crops of one size, with sides that are multiples of the stride, at different
        places."""
        pictures = [_padded(picture, stride) for picture in self.pictures]
        height, width = pictures[0].shape[:2]
        share = min(1.0, (SAMPLED_PX / len(pictures) / (height * width)) ** 0.5)
        rows, columns = (max(stride, int(side * share) // stride * stride) for side in (height, width))
        parts = []
        for index, picture in enumerate(pictures):
            # A low-discrepancy sequence: any number of its first places are well spread (Roberts 2018, "R2").
            down, across = ((0.5 + index * step) % 1 for step in (0.7548776662466927, 0.5698402909980532))
            top, left = round(down * (height - rows)), round(across * (width - columns))
            parts.append(picture[top : top + rows, left : left + columns])
        return np.stack(parts).transpose(0, 3, 1, 2).astype(np.float32) / np.float32(255)


def _padded(picture: Picture, stride: int) -> Picture:
    """The picture padded to multiples of the stride by repeating its last row and column, as devices do."""
    return np.pad(picture, [(0, -side % stride) for side in picture.shape[:2]] + [(0, 0)], "edge")
