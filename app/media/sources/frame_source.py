"""Frame sources by their text."""

from __future__ import annotations

from pathlib import Path

from framebrush.gpu.device import Device
from framebrush.gpu.temporal_window import NO_WINDOW, TemporalWindow
from framebrush.media.live import camera, generated
from framebrush.media.live.camera import open_live_camera
from framebrush.media.live.generated import open_live_generator
from framebrush.media.reading import generator, standard_input
from framebrush.media.reading.generator import Generator
from framebrush.media.reading.reader import Reader
from framebrush.media.reading.standard_input import PipeSource
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
    """Open a video by its text. Raises InputError, RangeError.

    A path, "-" (standard input), "raw:..." (`PipeSource`), "lavfi:..." (`Generator`), "live:..."
    (`open_live_generator`) or "camera:..." (`open_live_camera`).

    Args:
        hwaccel: see `open_source`.
        device: for painting; frames may stay there.
        deinterlace: the range counts its frames.
        context: neighbours to read around the range.
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
    if standard_input.is_pipe(text):
        return PipeSource(text, span, context, deinterlace)
    if text.startswith(generator.PREFIX):
        return Generator(text, span, context)
    if text.startswith(generated.PREFIX):
        return open_live_generator(text, span)
    if text.startswith(camera.PREFIX):
        return open_live_camera(text, span)
    return None


def local_path(text: str) -> Path | None:
    """Return a text's file, None for other sources."""
    drawn = text.startswith((generator.PREFIX, generated.PREFIX, camera.PREFIX))
    return None if drawn or standard_input.is_pipe(text) else Path(text)


def file_of(text: str) -> Path:
    """Return a file's path. Raises InputError for pipes, cameras and test sources."""
    path = local_path(text)
    if path is None:
        raise InputError(f"{text} is not a file, and this command reads nothing else; give the name of a file")
    return path


def absolute_source(text: str) -> str:
    """Make the file path in a text absolute."""
    path = local_path(text)
    return text if path is None else str(path.absolute())
