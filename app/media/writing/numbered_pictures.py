"""Numbered pictures, each renamed when complete."""

from __future__ import annotations

import math
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any, Self, cast

import av
import numpy as np
import numpy.typing as npt
from av.video.codeccontext import VideoCodecContext

from framebrush.base.files import write_whole
from framebrush.gpu import colour
from framebrush.gpu.frame import DeviceFrame, Frame
from framebrush.media.disk import disk_errors
from framebrush.media.reading.open import picture_names, picture_path
from framebrush.media.reading.orientation import upright
from framebrush.media.video import NothingDecodedError, OutputError
from framebrush.media.writing.file_writer import WriteResult
from framebrush.media.writing.output_plan import GROWN, OutputPlan

FIRST = 1
"""Number of the first picture."""

MOST_THREADS = 8  # twice as many frames wait in memory


def numbered(target: Path, first: int = 0, count: int | None = None) -> list[Path]:
    """Return existing pictures from a number on. count: None for all. Raises OSError."""
    name, behind = picture_names(target), math.inf if count is None else first + count
    matches = ((path, name.fullmatch(path.name)) for path in target.parent.iterdir())
    return sorted(path for path, match in matches if match and first <= int(match[1]) < behind)


def check_absent(target: Path, first: int = 0, count: int | None = None) -> None:
    """Raise OutputError for pictures that `numbered` finds."""
    if there := numbered(target, first, count):
        raise OutputError(f"{there[0]} exists already; overwrite such pictures with -y or give the output another name")


class PictureWriter:
    """`FrameWriter` of upright numbered pictures, encoded in threads."""

    resumable = True

    def __init__(self, plan: OutputPlan, done: int = 0, on_picture: Callable[[int], None] = lambda _: None) -> None:
        """done: existing pictures."""
        self._plan, self._on_picture = plan, on_picture
        self._done, self._next = done, FIRST + done
        self._written = self._bytes = 0
        self._grown = False
        threads = min(MOST_THREADS, os.cpu_count() or 1)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="pictures")
        self._waiting: deque[tuple[int, Frame, Future[bytes]]] = deque()
        self._most = 2 * threads
        self._spare: deque[Frame] = deque()
        self._contexts = threading.local()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        with suppress(OutputError):
            while self._waiting:  # after an interruption: painted pictures are kept
                self._store()
        self._pool.shutdown(cancel_futures=True)

    @property
    def bytes_written(self) -> int:
        """Size of this run's pictures."""
        return self._bytes

    @property
    def incomplete(self) -> bool:
        return self._plan.incomplete or self._grown

    @property
    def damage(self) -> list[str]:
        """Sentence if the source has grown."""
        return [GROWN] if self._grown else []

    def allocate(self) -> Frame | DeviceFrame:
        return self._spare.pop() if self._spare else self._plan.frame_format.allocate()

    def write(self, frame: Frame | DeviceFrame, pts: int, duration: int) -> None:
        """Encode the next frame. Raises OutputError, ValueError."""
        if not isinstance(frame, Frame) or frame.format != self._plan.frame_format:
            raise ValueError(f"a frame of {frame.format} among frames of {self._plan.frame_format}")
        self._waiting.append((self._next, frame, self._pool.submit(self._encode, frame)))
        self._next += 1
        while len(self._waiting) > self._most or (self._waiting and self._waiting[0][2].done()):
            self._store()

    def finish(self, lost: Iterable[str] = ()) -> WriteResult:
        """Write the last pictures. Raises OutputError, InputError."""
        while self._waiting:
            self._store()
        if not self._written and not self._done:
            raise NothingDecodedError(self._plan.info.name)
        self._grown = self._plan.source_grown() and self._plan.to_the_end
        return WriteResult(self._plan.target, self._written, self._bytes)

    def _store(self) -> None:
        number, frame, encoded = self._waiting.popleft()
        target = picture_path(self._plan.target, number)
        try:
            content = encoded.result()
        except (av.FFmpegError, ValueError) as error:
            name = self._plan.choice.encoder.name
            raise OutputError(f"{name} failed at picture {number}: {error}") from error
        with disk_errors(target.parent, f"writing {target} failed"):
            write_whole(target, content)
        self._spare.append(frame)
        self._written += 1
        self._bytes += len(content)
        self._on_picture(number)

    def _encode(self, frame: Frame) -> bytes:
        picture = self._picture(frame)
        context = getattr(self._contexts, "context", None)
        if context is None:
            context = self._contexts.context = self._context(picture.width, picture.height)
        return b"".join(bytes(packet) for packet in context.encode(picture))

    def _context(self, width: int, height: int) -> VideoCodecContext:
        choice, info = self._plan.choice, self._plan.info
        context = cast(VideoCodecContext, av.CodecContext.create(choice.encoder.name, "w"))
        choice.configure(context, Fraction(1, 25), Fraction(25))
        context.width, context.height, context.thread_count = width, height, 1
        turned = info.orientation.quarters % 2
        context.sample_aspect_ratio = 1 / info.sample_aspect if turned else info.sample_aspect
        self._plan.tags.apply(context)
        return context

    def _picture(self, frame: Frame) -> av.VideoFrame:
        info, form = self._plan.info, self._plan.choice.pix_fmt
        kept = frame.components if frame.alpha is None else (*frame.components, frame.alpha)
        parts = [upright(component, info.orientation) for component in kept]
        height, width = parts[0].shape
        planes: list[npt.NDArray[Any]] = list(parts)
        if form.startswith("rgb"):
            packed = np.stack([parts[2], *parts[:2], *parts[3:]], -1).reshape(height, len(parts) * width)
            planes = [packed.byteswap() if form.endswith("be") else packed]
        elif form.endswith("f32le"):  # EXR: light relative to white; R'G'B' is taken for sRGB
            light = [colour.srgb_to_linear(part) for part in parts[:3]] + parts[3:]
            planes = [part.astype(np.float16).astype(np.float32) for part in light]  # FFmpeg would truncate
        picture = av.VideoFrame(width, height, form)
        for plane, samples in zip(picture.planes, planes, strict=True):
            rows = np.frombuffer(plane, samples.dtype).reshape(plane.height, -1)  # type: ignore[call-overload]
            rows[:, : samples.shape[1]] = samples
        self._plan.tags.mark(picture)
        return picture
