"""Opening a file: the checks before FFmpeg sees it, the choice of stream and decoder, and errors in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
from av.codec.hwaccel import HWAccel, hwdevices_available
from av.container import InputContainer
from av.packet import Packet
from av.stream import Discard, Disposition
from av.video.stream import VideoStream

from framebrush.media.video import InputError

MAX_SIDE_PX = 16384
MAX_AREA_PX = 1 << 27  # 16384x8192: a header that claims more costs gigabytes before anything is decoded
HARDWARE = ("d3d12va", "d3d11va", "cuda")  # in the order in which "auto" tries them

# FFmpeg's log stays off, as PyAV leaves it: its callback takes the interpreter's lock inside decoder threads, which a
# flush or a close that holds the lock then waits for. What went wrong is told by exceptions and by counting frames.


@dataclass(frozen=True, slots=True)
class Source:
    """An open file and its video stream. hardware: the kind of device that decodes, None for the CPU."""

    container: InputContainer
    stream: VideoStream
    hardware: str | None

    @property
    def time_base(self) -> Fraction:
        """Seconds in one unit of the stream's timestamps."""
        return self.stream.time_base or Fraction(1, 1000)

    def packets(self) -> Iterator[Packet[VideoStream]]:
        """The packets of the stream that hold data, from where the file stands. A broken file ends early."""
        try:
            for packet in self.container.demux(self.stream):
                if packet.size:
                    yield packet
        except (av.error.FFmpegError, OSError):
            return

    def close(self) -> None:
        """Release file and decoder; more than once is harmless."""
        self.container.close()


def open_source(path: Path, *, hardware: str | None = None, threads: int = 0) -> Source:
    """Open the best video stream of a file.

    hardware: "d3d12va", "d3d11va", "cuda", "auto" for the first of them that opens, None for the CPU. threads: of the
    software decoder, 0 for one a core. Raises InputError. A device that does not open is not an error: the source
    then says hardware None.
    """
    _check_file(path)
    for kind in _candidates(hardware):
        try:
            return _open(path, HWAccel(kind, allow_software_fallback=False), kind, threads)
        except (av.error.FFmpegError, RuntimeError, NotImplementedError, OSError):
            continue  # no such device, or it does not decode this codec
    return _open(path, None, None, threads)


def _candidates(hardware: str | None) -> list[str]:
    if hardware is None:
        return []
    built_in = hwdevices_available()
    return [kind for kind in (HARDWARE if hardware == "auto" else (hardware,)) if kind in built_in]


def _check_file(path: Path) -> None:
    """What the system says of the file, before a demuxer guesses from its content."""
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder; name a video file in it")
        if path.exists() and not path.is_file():
            raise InputError(f"{path} is not a regular file; copy the video to a file first")
        with path.open("rb") as file:
            empty = not file.read(1)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; check the name and the folder") from None
    except PermissionError:
        raise InputError(f"{path}: no permission to read it; change its permissions or copy it elsewhere") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise InputError(f"{path}: cannot be opened ({error}); check the name and the disk") from None
    if empty:
        raise InputError(f"{path} is empty; copy or download it again")


def _open(path: Path, hwaccel: HWAccel | None, kind: str | None, threads: int) -> Source:
    try:
        # "file:" keeps FFmpeg from reading a colon in the name as a protocol, and a play list from naming others.
        container = av.open(
            f"file:{path.absolute()}",
            "r",
            hwaccel=hwaccel,
            metadata_errors="replace",
            options={"max_pixels": str(MAX_AREA_PX)},
        )
    except (av.error.FFmpegError, OSError, ValueError) as error:
        if kind is not None:
            raise
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path} is not a video that can be read ({reason}); check that the file is whole") from None
    try:
        stream = _video_stream(container, path)
        context = stream.codec_context
        if context.width > MAX_SIDE_PX or context.height > MAX_SIDE_PX or context.width * context.height > MAX_AREA_PX:
            raise InputError(
                f"{path} claims {context.width}x{context.height}, more than the {MAX_SIDE_PX} pixels a side and "
                f"{MAX_AREA_PX >> 20} million in all that can be read; scale it down or check the file"
            )
        if kind is not None and not context.is_hwaccel:
            raise NotImplementedError(f"{kind} does not decode {context.name}")
        context.thread_type = "AUTO"  # frames and slices, whichever the codec has
        context.thread_count = threads
        context.options = {"max_pixels": str(MAX_AREA_PX)}  # the size may also change in mid-stream
    except BaseException:
        container.close()
        raise
    return Source(container, stream, kind)


def _video_stream(container: InputContainer, path: Path) -> VideoStream:
    pictures = Disposition.attached_pic | Disposition.timed_thumbnails
    films = [stream for stream in container.streams.video if not stream.disposition & pictures]
    if not films:
        what = "only sound" if container.streams.audio else "no video"
        raise InputError(f"{path} holds {what}; name a file with a video stream")
    best = container.streams.best("video")
    stream = best if isinstance(best, VideoStream) and best in films else films[0]
    if stream.codec_context is None:
        raise InputError(f"{path} is coded in a way that FFmpeg cannot decode; convert it to H.264 first")
    for other in container.streams:
        if other is not stream:
            other.discard = Discard.all
    return stream
