"""Shots of a job, found by reading the video."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from framebrush.analysis.cuts import Thumbnail, is_blank, with_cuts
from framebrush.analysis.dissolves import Dissolve, Dissolves
from framebrush.analysis.to_rgb import Picture, ToRgb, small
from framebrush.base.text import count_of
from framebrush.gpu.frame import FrameFormat
from framebrush.gpu.sizes import Sizes
from framebrush.jobs.prepare import open_job_source
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import OnMessage, ignore
from framebrush.media.video import VideoFrame
from framebrush.models.colours.oklab import Floats
from framebrush.models.colours.palette import lacks_colour
from framebrush.models.shot_statistics import folded, measure
from framebrush.models.style import Style
from framebrush.styles.palettes import film_colours
from framebrush.styles.passthrough import passthrough_style
from framebrush.styles.reference_pictures import shows_nothing
from framebrush.styles.shot_styles import Shot
from framebrush.styles.style_names import OpenedStyle

SAMPLES = 6
"""Frames of a shot for its statistics, spread evenly without knowing its end."""

SAMPLED_PX = 1 << 20
"""Pixels of all samples; larger frames are cropped at different places. A network of 32 channels needs half a
gigabyte."""

COLOURS = 2048
"""Colours that are kept of a shot."""


def find_shots(
    spec: JobSpec,
    style: OpenedStyle,
    sizes: Sizes,
    say: OnMessage,
    on_read: Callable[[], None] = ignore,
    *,
    progress: OnMessage | None = None,
) -> tuple[Shot, ...]:
    """Find a job's shots by reading its range; () if it needs none.

    on_read: called per frame, may raise. progress: replaces `say`. Raises InputError, StyleError, DeviceError.
    """
    by_shot = spec.statistics == "shot"
    if not by_shot and style.palette is None:
        return ()
    taken = " and ".join(["statistics"] * by_shot + ["colours"] * (style.palette is not None))
    say_so = ignore if spec.range.frames == 1 else progress or say
    say_so(f"looking for cuts in {spec.source} and measuring the {taken} of each shot")
    with open_job_source(spec) as source:
        shots = shots_in(source, source.info.format, spec, style, sizes, say, on_read)
    say_so(f"{count_of(len(shots), 'shot')} found")
    return shots


def shots_in(
    frames: Iterable[VideoFrame],
    form: FrameFormat,
    spec: JobSpec,
    style: OpenedStyle,
    sizes: Sizes,
    say: OnMessage,
    on_read: Callable[[], None] = ignore,
) -> tuple[Shot, ...]:
    """Return shots in frames of one format.

    on_read: called per frame, may raise. Raises StyleError, DeviceError.
    """
    by_shot = spec.statistics == "shot"
    size = sizes.working if style.style.card.paints else small(sizes.working)
    found = _Found(style, by_shot=by_shot)
    with ExitStack() as stack:
        unpainted = replace(passthrough_style(), before=style.style.before)
        to_rgb = ToRgb(stack, form, size, unpainted, spec.look)
        for begins, frame, thumbnail in with_cuts(frames):
            on_read()
            found.add(frame, thumbnail, begins=begins)
            found.samples.offer(lambda: to_rgb(frame.frame), blank=is_blank(thumbnail), number=frame.number)  # noqa: B023
        shots = found.rest()
    if style.palette is None or not shots:
        return shots
    if all(shows_nothing(shot.film) for shot in shots):
        say(f"{spec.source} shows a single colour, so it keeps its own colours")
    elif all(lacks_colour(shot.film) for shot in shots):
        say(f"{spec.source} is grey: its new colours depend on lightness only")
    return shots


class _Found:
    def __init__(self, opened: OpenedStyle, *, by_shot: bool) -> None:
        self._opened, self._by_shot = opened, by_shot
        self._shots: list[Shot] = []
        self._dissolves = Dissolves()
        self._begin = Dissolve(0, 0)  # beginning of the latest shot
        self.samples = Samples()

    def add(self, frame: VideoFrame, thumbnail: Thumbnail, *, begins: bool) -> None:
        if not self._by_shot:
            self._split(self._dissolves.add(frame.number, thumbnail, begins=begins), more=not begins)
        if begins:
            self._end()
            self._begin, self.samples = Dissolve(frame.number, frame.number), Samples()

    def rest(self) -> tuple[Shot, ...]:
        self._split(self._dissolves.rest(), more=False)
        self._end()
        return tuple(self._shots)

    def _split(self, dissolve: Dissolve | None, *, more: bool) -> None:
        if dissolve is None:
            return
        before, behind = self.samples.split(dissolve)
        if before.count and (behind.count or more):
            self.samples = before
            self._end()
            self._begin, self.samples = dissolve, behind

    def _end(self) -> None:
        if not self.samples.count:
            return
        style, palette, samples = self._opened.style, self._opened.palette, self.samples
        row, second = self._row(style), self._row(style.second)
        film: Floats | None = None
        own: Floats | None = None
        if palette is not None:
            film, own = film_colours(style if row is None else folded(style, row), palette, samples.pictures)
        self._shots.append(Shot.of(self._begin.first, row, _few(film), _few(own), self._begin.frames, second))

    def _row(self, network: Style | None) -> Floats | None:
        if network is None or not (self._by_shot and network.card.frame_statistics):
            return None
        return measure(network, self.samples.batch(network.card.stride))


def _few(colours: Floats | None) -> Floats | None:
    if colours is None:
        return None
    places = np.linspace(0, len(colours) - 1, min(COLOURS, len(colours))).round().astype(int)
    return np.ascontiguousarray(colours[places], np.float32)


@dataclass(slots=True)
class Samples:
    """Every 2^n-th frame of a shot; blank ones only without others."""

    count: int = 0
    seen: int = 0
    _step: int = 1
    _blank: bool = True
    _kept: list[tuple[int, Picture]] = field(default_factory=list)

    def offer(self, picture: Callable[[], Picture], *, blank: bool, number: int = 0) -> None:
        """Offer the next frame. picture: called if kept."""
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
        """Return samples around a dissolve."""
        sides = (
            [(n, p) for n, p in self._kept if n < dissolve.first],
            [(n, p) for n, p in self._kept if n >= dissolve.end],
        )
        before, behind = (Samples(len(side), len(side), 1, self._blank, side) for side in sides)
        return before, behind

    @property
    def pictures(self) -> list[Picture]:
        """SAMPLES pictures or fewer, evenly spread."""
        places = np.linspace(0, len(self._kept) - 1, min(SAMPLES, len(self._kept))).round().astype(int)
        return [self._kept[place][1] for place in places]

    def batch(self, stride: int) -> npt.NDArray[np.float32]:
        """Return crops (N, 3, H, W), 0..1, with sides divisible by the stride."""
        pictures = [_padded(picture, stride) for picture in self.pictures]
        height, width = pictures[0].shape[:2]
        share = min(1.0, (SAMPLED_PX / len(pictures) / (height * width)) ** 0.5)
        rows, columns = (max(stride, int(side * share) // stride * stride) for side in (height, width))
        parts = []
        for index, picture in enumerate(pictures):
            # low-discrepancy sequence: any first places are well spread (Roberts 2018, "R2")
            down, across = ((0.5 + index * step) % 1 for step in (0.7548776662466927, 0.5698402909980532))
            top, left = round(down * (height - rows)), round(across * (width - columns))
            parts.append(picture[top : top + rows, left : left + columns])
        return np.stack(parts).transpose(0, 3, 1, 2).astype(np.float32) / np.float32(255)


def _padded(picture: Picture, stride: int) -> Picture:
    return np.pad(picture, [(0, -side % stride) for side in picture.shape[:2]] + [(0, 0)], "edge")
