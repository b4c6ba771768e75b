"""VapourSynth filter: `framebrush.vapoursynth.paint(clip, style="starry-night")`."""

from __future__ import annotations

import os
import threading
import weakref
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, closing
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, Unpack

import av
import numpy as np
import vapoursynth as vs

from framebrush.api.keywords import PaintingOptions, job_of
from framebrush.gpu.device import open_device
from framebrush.gpu.frame import Frame, FrameFormat, Matrix, Plane, PlaneOrder, Siting, Transfer, check_target
from framebrush.gpu.sizes import Size
from framebrush.jobs.output_format import target_aspect, video_target
from framebrush.jobs.pipeline import OutputFrame, Pipeline
from framebrush.jobs.prepare import context_of, job_pipeline, job_sizes, open_job_style, opened_device
from framebrush.media.tags import FULL_RANGE, LIMITED_RANGE, peak_of, resolve
from framebrush.media.video import VideoFrame

AHEAD = 4
"""Source frames requested ahead, so that upstream filters work concurrently."""

BT709 = 1
"""H.273 code of BT.709 as matrix, primaries and transfer function."""

OF_HDR = ("MasteringDisplay", "ContentLightLevel")
"""Prefixes of frame properties that are invalid for SDR results."""


def paint(
    clip: vs.VideoNode,
    style: str | os.PathLike[str] | None = None,
    *,
    device: str = "auto",
    **options: Unpack[PaintingOptions],
) -> vs.VideoNode:
    """Paint a clip as `framebrush transcode` does, in any order of requests.

    A request out of order also paints frames that it depends on. A style with the whole film's colours needs
    `palette_from`.

    Args:
        clip: constant format and size; RGB, or YUV 4:2:0, 4:2:2 or 4:4:4; 8 to 16 bits or float (YUV float is converted
            to 16 bits). Colours follow the first frame's properties, guessed where missing. HDR becomes SDR.
        style, device, options: as for `framebrush.open`.

    Returns: A clip in the same format, and the same size by default.

    Raises: TypeError or ValueError for an invalid clip or option, StyleError, DeviceError.
    """
    if not isinstance(clip, vs.VideoNode):
        raise TypeError(f"{type(clip).__name__} is no clip; give what a source plug-in of VapourSynth returns")
    whole = clip.format
    if whole.color_family == vs.UNDEFINED or not clip.width:
        raise ValueError("the clip changes its format or size: pass each part to `paint` on its own")
    spec = job_of("clip", style, options, PaintingOptions.__optional_keys__)
    if whole.sample_type == vs.FLOAT and whole.color_family != vs.RGB:
        painted = paint(clip.resize.Point(format=_codes_of(whole)), style, device=device, **options)
        return painted.resize.Point(format=whole.id)
    source, aspect = _first_of(clip)
    opened = open_job_style(spec, _say)
    if opened.palette is not None:
        raise ValueError(
            f"{opened.style.card.title}: the colours of a whole clip are not known; give palette_from a picture"
        )
    sizes = job_sizes(spec.sizes, source, opened.style)
    target = _target(source, sizes.target)
    tags = _tags(source, target)
    if sizes.target != sizes.source:
        aspect = target_aspect(aspect, sizes)
        tags |= {"_SARNum": aspect.numerator, "_SARDen": aspect.denominator}
    with ExitStack() as stack:
        another = partial(open_device, device)
        pipeline = stack.enter_context(
            job_pipeline(
                *(spec, opened, stack.enter_context(opened_device(another, _say)), source, target, sizes),
                say=_say,
                another_device=another,
                time_of=(lambda frame: frame.number / clip.fps) if clip.fps else None,
            )
        )
        painter = stack.enter_context(closing(_Painter(clip, pipeline, source, tags, context_of(spec, opened).before)))

        def painted_frame(n: int, f: vs.VideoFrame) -> vs.VideoFrame:
            return painter.frame(n)

        weakref.finalize(painted_frame, stack.pop_all().close)  # the core drops it with the clip
    shape = clip.std.BlankClip(width=target.width, height=target.height, keep=True)
    return shape.std.ModifyFrame(shape, painted_frame)


def _first_of(clip: vs.VideoNode) -> tuple[FrameFormat, Fraction]:
    with clip.get_frame(0) as first:
        return _format_of(first), Fraction(first.props.get("_SARNum") or 1, first.props.get("_SARDen") or 1)


def _codes_of(form: vs.VideoFormat) -> int:
    subsampling = form.subsampling_w, form.subsampling_h
    codes: int = vs.core.query_video_format(form.color_family, vs.INTEGER, 16, *subsampling).id
    return codes


class _Painter:
    """Provider of painted frames by number, in any thread, one at a time."""

    def __init__(
        self, clip: vs.VideoNode, pipeline: Pipeline, source: FrameFormat, tags: dict[str, int], before: int
    ) -> None:
        """Prepare. tags: changed frame properties. before: preceding frames needed."""
        self._clip, self._pipeline, self._source, self._tags, self._before = clip, pipeline, source, tags, before
        self._near = max(pipeline.frame_pipeline.plan.window.before, int(vs.core.num_threads))
        self._lock = threading.Lock()
        self._run: Generator[OutputFrame] = pipeline.frames(())
        self._coming: int | None = None  # number of the next frame of the run
        self._wanted = 0
        self._asked: dict[int, Future[vs.VideoFrame]] = {}
        self._latest: vs.VideoFrame | None = None  # of the source
        self._made: deque[vs.VideoFrame] = deque()  # targets of the frames in flight
        self._ready: dict[int, vs.VideoFrame] = {}  # passed on the way to another frame

    def frame(self, n: int) -> vs.VideoFrame:
        with self._lock:
            if n not in self._ready:
                self._paint_to(n)
            for number in [number for number in self._ready if number < n - self._near]:
                del self._ready[number]
            return self._ready.pop(n)

    def close(self) -> None:
        with self._lock:
            self._stop()

    def _stop(self) -> None:
        # The core frees its frames before Python frees this object, and reports what it could not free.
        self._run.close()
        self._latest = None
        for held in (self._asked, self._made, self._ready):
            held.clear()

    def _paint_to(self, n: int) -> None:
        self._wanted = n
        if self._coming is None or not self._coming <= n <= self._coming + self._near:
            self._begin(n)
        while n not in self._ready:
            try:
                painted = next(self._run, None)
            except BaseException:
                self._coming = None
                raise
            if painted is None:  # it ended before a frame that could not be read
                self._begin(n)
                continue
            self._ready[painted.number] = self._made.popleft()
            self._coming = painted.number + 1

    def _begin(self, n: int) -> None:
        self._stop()
        self._run = self._pipeline.frames(self._frames_from(n), self._allocate)
        self._coming = n

    def _frames_from(self, n: int) -> Iterator[VideoFrame]:
        for number in range(max(0, n - self._before), self._clip.num_frames):
            try:
                self._latest = self._fetched(number)
            except vs.Error:
                if number <= self._wanted:
                    raise
                return  # only its neighbours miss it: mpv's clips have no length, and fail after the film's last frame
            planes = _in_order(self._source, self._latest)
            yield VideoFrame(number, number, 1, Frame(self._source, planes), context=number < n)

    def _fetched(self, number: int) -> vs.VideoFrame:
        for later in range(number + 1, min(number + 1 + AHEAD, self._clip.num_frames)):
            if later not in self._asked:
                self._asked[later] = self._clip.get_frame_async(later)
        asked = self._asked.pop(number, None)
        return asked.result() if asked is not None and asked.done() else self._clip.get_frame(number)

    def _allocate(self) -> Frame:
        assert self._latest is not None
        target = self._pipeline.frame_pipeline.plan.target
        made = vs.core.create_video_frame(self._latest.format, target.width, target.height)
        for name, value in self._latest.props.items():
            if not (target.transfer is not self._source.transfer and name.startswith(OF_HDR)):
                made.props[name] = value
        made.props.update(self._tags)
        self._made.append(made)
        return Frame(target, _in_order(target, made))


def _say(sentence: str) -> None:
    vs.core.log_message(vs.MESSAGE_TYPE_INFORMATION, f"framebrush: {sentence}")


def _in_order(picture: FrameFormat, frame: vs.VideoFrame) -> tuple[Plane, ...]:
    planes: list[Any] = [np.asarray(frame[index]) for index in range(frame.format.num_planes)]
    return (planes[1], planes[2], planes[0]) if picture.layout is PlaneOrder.GBR else tuple(planes)


def _format_of(frame: vs.VideoFrame) -> FrameFormat:
    kind, props = frame.format, frame.props
    if kind.color_family not in (vs.RGB, vs.YUV):
        raise ValueError(f"{kind.name} is not painted; convert the clip to RGB24 or YUV444P8")
    layout = PlaneOrder.GBR if kind.color_family == vs.RGB else PlaneOrder.PLANAR
    subsample = kind.subsampling_w, kind.subsampling_h
    tagged = av.VideoFrame(frame.width, frame.height, "gbrp" if layout is PlaneOrder.GBR else "yuv444p")
    tagged.color_primaries, tagged.color_trc = props.get("_Primaries", 2), props.get("_Transfer", 2)
    tagged.colorspace = props.get("_Matrix", 2)
    if "_Range" in props:
        tagged.color_range = FULL_RANGE if props["_Range"] else LIMITED_RANGE
    colour = resolve(tagged, layout, subsample, "")
    floating = kind.sample_type == vs.FLOAT
    siting = props.get("_ChromaLocation")
    found = FrameFormat(
        frame.width,
        frame.height,
        layout,
        kind.bits_per_sample,
        0,
        subsample,
        colour.matrix,
        colour.full_range or floating,
        colour.transfer,
        colour.primaries,
        colour.siting if siting is None else list(Siting)[siting],
        peak_of(props.get("ContentLightLevelMax", 0), props.get("MasteringDisplayMaxLuminance", 0)),
        floating=floating,
    )
    try:
        check_target(found)
    except ValueError:
        raise ValueError(
            f"{kind.name} is not painted; convert the clip to RGB, or to YUV of 4:2:0, 4:2:2 or 4:4:4, in 8 to 16 bits"
        ) from None
    return found


def _target(source: FrameFormat, size: Size) -> FrameFormat:
    colours = video_target(source, size=size)
    return replace(
        colours,
        layout=source.layout,
        bits=source.bits,
        shift=0,
        subsample=source.subsample,
        full_range=source.full_range,
        floating=source.floating,
        matrix=Matrix.RGB if source.layout is PlaneOrder.GBR else colours.matrix,
        siting=source.siting,
    )


def _tags(source: FrameFormat, target: FrameFormat) -> dict[str, int]:
    tags = {} if target.matrix is source.matrix else {"_Matrix": BT709}
    return tags if source.transfer is Transfer.SDR else tags | {"_Transfer": BT709, "_Primaries": BT709}
