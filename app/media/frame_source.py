"""Opening a source of frames from a text."""

from __future__ import annotations

from pathlib import Path

from framebrush.gpu.device import Device
from framebrush.gpu.stages.steady import NO_WINDOW, TemporalWindow
from framebrush.media.live import camera, generated
from framebrush.media.live.camera import open_live_camera
from framebrush.media.live.generated import open_live_generator
from framebrush.media.reading import generator, pipe
from framebrush.media.reading.generator import Generator
from framebrush.media.reading.pipe import PipeSource
from framebrush.media.reading.reader import Reader
from framebrush.media.video import (
    PLAIN_FILE,
    Deinterlace,
    FrameSource,
    InputError,
    OpenOptions,
    TimeRange,
)


def open_frame_source(
    text: str,
    span: TimeRange | None = None,
    *,
    hwaccel: str | None = None,
    device: Device | None = None,
    deinterlace: Deinterlace = "auto",
    opening: OpenOptions = PLAIN_FILE,
    context: TemporalWindow = NO_WINDOW,
) -> FrameSource:
    """Open a video from a text: the path of a file, "-" for standard input, or "raw:" and what it holds (see
    `PipeSource`), "lavfi:" and one of FFmpeg's test sources (see `Generator`), "live:" and the same for one in real
    time, or "camera:" and a camera (see `open_live_camera`).

    span: what to read, everything by default. hwaccel: "d3d12va", "d3d11va", "cuda" or "auto" to decode on the GPU
    where that works. device: where frames may stay that its decoder made. deinterlace: what becomes of
    fields; a range counts the frames that this gives. opening: what may be opened besides a plain file. context: how
    many neighbours of the range's first and last frame to return as well. Raises InputError, RangeError.
    """
    try:
        source = _open_other(text, span, deinterlace, context)
    except InputError as error:
        if Path(text).is_file():
            raise InputError(f"{error}; the file of this name is ./{text}") from None
        raise
    return source or Reader(
        Path(text), span, opening=opening, hardware=hwaccel, device=device, deinterlace=deinterlace, context=context
    )


def _open_other(
    text: str, span: TimeRange | None, deinterlace: Deinterlace, context: TemporalWindow
) -> FrameSource | None:
    """What is not a file, None where a text names one."""
    if pipe.is_pipe(text):
        return PipeSource(text, span, context, deinterlace)
    if text.startswith(generator.PREFIX):
        return Generator(text, span, context)
    if text.startswith(generated.PREFIX):
        return open_live_generator(text, span)
    if text.startswith(camera.PREFIX):
        return open_live_camera(text, span)
    return None


def local_path(text: str) -> Path | None:
    """The file that `open_frame_source` would open for a text, None where it is not a file."""
    drawn = text.startswith((generator.PREFIX, generated.PREFIX, camera.PREFIX))
    return None if drawn or pipe.is_pipe(text) else Path(text)


def absolute_source(text: str) -> str:
    """The text with an absolute path where it is a file, which stays the same in another folder."""
    path = local_path(text)
    return text if path is None else str(path.absolute())
