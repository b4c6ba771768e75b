"""`framebrush.open`: painted frames of a film as arrays with timestamps."""

from __future__ import annotations

import asyncio
import inspect
import operator
import os
import threading
import warnings
import weakref
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from typing import Any, Literal, NamedTuple, Self, Unpack

import numpy as np
import numpy.typing as npt

from framebrush.api.keywords import FilmOptions, check_device, job_of, own_points, text_of
from framebrush.api.mask_array import with_mask_file
from framebrush.api.paint import PaintingWarning
from framebrush.base.closing import Closing
from framebrush.base.prefetch import Prefetcher
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.frame import Frame, PlaneOrder, gbrp, rgba8
from framebrush.gpu.sizes import Size, Sizes
from framebrush.jobs.film_strokes import DEVICE, film_strokes
from framebrush.jobs.job_shots import find_shots
from framebrush.jobs.pipeline import PREFETCH_DEPTH, Pipeline
from framebrush.jobs.prepare import (
    check_shots,
    film_notes,
    job_pipeline,
    job_sizes,
    open_job_source,
    open_job_style,
    opened_device,
)
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.still import as_seen, seen_size
from framebrush.jobs.stroke_array import StrokeArray
from framebrush.jobs.transcode import OnMessage, ignore
from framebrush.media.reading.standard_input import PipeSource
from framebrush.media.video import FrameSource, InputError, NothingDecodedError, RangeError, TimeRange, VideoInfo
from framebrush.styles.shot_styles import Shot

Picture = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]


class PaintedFrame(NamedTuple):
    """Painted frame. time_s: from the first frame.

    picture: (H, W, 3) uint8 or uint16, encoded full-range R'G'B', upright, with square pixels; owns its memory.
    """

    picture: Picture
    time_s: float


class Film(Closing):
    """Painted frames of a film, to iterate once, with `for` or `async for`.

    Several threads, but one task, may take frames. They raise InputError, StyleError, DeviceError.
    """

    def __init__(
        self, spec: JobSpec, device: Device | None = None, bits: Literal[8, 16] = 8, on_message: OnMessage | None = None
    ) -> None:
        if bits not in (8, 16):
            raise ValueError(f"pictures have 8 or 16 bits, not {bits}")
        tell_progress = on_message or ignore
        on_message = on_message or _warn
        self._closed, self._turn = threading.Event(), threading.RLock()
        self._spec, self._say = spec, on_message
        with ExitStack() as stack:
            style = open_job_style(spec, on_message)
            for note in film_notes(spec, style):
                on_message(note)
            another_device = None
            if device is None:
                another_device = partial(open_device, spec.device)
                device = stack.enter_context(opened_device(another_device, on_message))
            source = stack.enter_context(open_job_source(spec, device, style))
            check_shots(spec, style, source)
            sizes = job_sizes(spec.sizes, source.info.format, style.style)
            self._rereadable = not (source.live or isinstance(source, PipeSource))
            self.info: VideoInfo = source.info
            """Facts of the source video: rate, duration, and frame count if the container declares it."""
            self.size: Size = seen_size(source.info, sizes)
            """Width and height of the pictures."""
            given = spec, style, device, source.info
            pipeline_of = partial(job_pipeline, *given, sizes=sizes, say=on_message, another_device=another_device)
            find = partial(
                find_shots, spec, style, sizes, on_message, partial(_check_open, self._closed), progress=tell_progress
            )
            frames = _painted(source, sizes, bits, pipeline_of, find, on_message)
            self._frames = stack.enter_context(closing(frames))
            # A film that is never closed is closed by the garbage collector or at exit.
            self._release = weakref.finalize(self, stack.pop_all().close)
        self._reader: ThreadPoolExecutor | None = None
        self._awaited: Future[PaintedFrame | None] | None = None

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> PaintedFrame:
        with self._turn:
            _check_open(self._closed)
            return next(self._frames)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> PaintedFrame:
        """Return the next frame; after a cancelled wait, the same again."""
        _check_open(self._closed)
        self._reader = self._reader or ThreadPoolExecutor(1, thread_name_prefix="framebrush-film")
        awaited = self._awaited = self._awaited or self._reader.submit(next, self, None)
        try:
            frame = await asyncio.shield(asyncio.wrap_future(awaited))
        except asyncio.CancelledError:
            raise
        except BaseException:
            self._awaited = None
            raise
        self._awaited = None
        if frame is None:
            raise StopAsyncIteration
        return frame

    def strokes(self, frame: int) -> StrokeArray:
        """Paint a frame on the CPU; return its strokes, bottom to top.

        Raises InputError, also for a film that is read once, TypeError, ValueError without strokes.
        """
        _check_open(self._closed)
        if not self._rereadable:
            raise InputError(f"{self._spec.source} can only be read once; give a file to read the strokes of a frame")
        try:
            frame = operator.index(frame)
        except TypeError:
            raise TypeError(f"frame is {frame!r:.60}; it must be a whole number, such as 12") from None
        if frame < 0:
            raise ValueError(f"frame {frame} is none; frames are numbered from 0")
        span = TimeRange.of_frame(frame)
        [painted] = film_strokes(replace(self._spec, range=span, device=DEVICE), self._say)
        return painted.strokes

    def close(self) -> None:
        """Stop after the current frame; free all but a device passed in."""
        self._closed.set()
        if self._reader is not None:
            self._reader.shutdown()
        with self._turn:
            self._release()

    async def aclose(self) -> None:
        await asyncio.to_thread(self.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.aclose()


def open_film(
    source: str | os.PathLike[str],
    style: str | os.PathLike[str] | None = None,
    *,
    device: Device | str = "auto",
    bits: Literal[8, 16] = 8,
    on_message: OnMessage | None = None,
    **options: Unpack[FilmOptions],
) -> Film:
    """Open a film and paint its frames as `framebrush transcode` does.

        with framebrush.open("holiday.mov", "great-wave", strength=0.8) as film:
            for picture, time_s in film:
                ...

    Args:
        source: a file, a camera, or any other source of `framebrush transcode`; a project gives default settings.
        style: a name, blend, network or picture, as for `--style`; "none" for unpainted frames.
        device: a name as for `--device`, or an open device to share.
        bits: per sample of the pictures.
        on_message: receives messages. Without it, problems raise `framebrush.PaintingWarning`.
        options: see `framebrush.api.keywords.FilmOptions`. A mask may also be an array (H, W) for all frames.

    Raises: InputError, StyleError, DeviceError, and TypeError or ValueError for an invalid option.
    """
    check_device(device)
    name = device if isinstance(device, str) else "auto"
    with ExitStack() as stack:
        options = with_mask_file(stack, options)
        text = text_of("source", source)
        spec = job_of(text, style, options, FilmOptions.__optional_keys__, on_message or _warn)
        spec = replace(spec, device=name)
        try:
            film = Film(spec, None if isinstance(device, str) else device, bits, on_message)
        except RangeError as error:
            raise RangeError(f"{error}{own_points(text, options, spec)}") from None
        weakref.finalize(film, stack.pop_all().close)  # the film needs the mask file until it ends
    return film


def _warn(sentence: str) -> None:
    level, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "framebrush":
        level, frame = level + 1, frame.f_back
    warnings.warn(sentence, PaintingWarning, stacklevel=level)


def _check_open(closed: threading.Event) -> None:
    if closed.is_set():
        raise RuntimeError("the film is closed")


def _painted(
    source: FrameSource,
    sizes: Sizes,
    bits: int,
    pipeline_of: Callable[..., Pipeline],
    find_shots: Callable[[], tuple[Shot, ...]],
    on_message: OnMessage,
) -> Generator[PaintedFrame]:
    info = source.info
    target = rgba8(*sizes.target) if bits == 8 else gbrp(*sizes.target, bits=bits)
    shots = find_shots()
    depth = 1 if source.live else PREFETCH_DEPTH
    none_yet = True
    with (
        pipeline_of(target=target, shots=shots) as pipeline,
        Prefetcher(source, depth=depth, name="decode") as decoded,
        Prefetcher(pipeline.frames(decoded), depth=depth, name="paint") as painted,
    ):
        for frame in painted:
            none_yet = False
            time_s = float((frame.pts - info.start_pts) * info.time_base)
            yield PaintedFrame(as_seen(_rgb(frame.host), info, sizes), time_s)
    if none_yet:
        raise NothingDecodedError(source.name)
    for warning in source.warnings:
        on_message(warning)


def _rgb(frame: Frame) -> npt.NDArray[Any]:
    if frame.format.layout is PlaneOrder.RGBA:
        (rgba,) = frame.planes
        return rgba[..., :3]
    green, blue, red = frame.planes
    return np.dstack((red, green, blue))
