"""A file's video: the choice of stream and decoder, and its packets on one clock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import av
from av.codec.hwaccel import HWAccel, hwdevices_available
from av.container import InputContainer
from av.packet import Packet
from av.stream import Discard, Disposition
from av.video.stream import VideoStream

from framebrush.gpu.device import Device
from framebrush.media.open import open_media, packets
from framebrush.media.timeline import Timeline
from framebrush.media.video import PLAIN_FILE, InputError, OpenOptions

MAX_SIDE_PX = 16384
MAX_AREA_PX = 1 << 27  # 16384x8192: a header that claims more costs gigabytes before anything is decoded
HARDWARE = ("d3d12va", "d3d11va", "cuda")  # in the order in which "auto" tries them

# FFmpeg's log stays off, as PyAV leaves it: its callback takes the interpreter's lock inside decoder threads, which a
# flush or a close that holds the lock then waits for. What went wrong is told by exceptions and by counting frames.


@dataclass(frozen=True, slots=True)
class Source:
    """An open file and its video stream. hardware: the kind of device that decodes, None for the CPU. problems: what
    was found to be wrong with the container, a sentence each."""

    container: InputContainer
    stream: VideoStream
    hardware: str | None
    timeline: Timeline
    problems: list[str] = field(default_factory=list)

    @property
    def time_base(self) -> Fraction:
        """Seconds in one unit of the stream's timestamps."""
        return self.stream.time_base or Fraction(1, 1000)

    def packets(self) -> Iterator[Packet[VideoStream]]:
        """The packets of the stream that hold data, from where the file stands. A broken file ends early."""
        for packet in packets(self.container, [self.stream], self.problems.append):
            self.timeline.place(packet)
            yield packet

    def seek(self, pts: int) -> None:
        """Go on before a time, as near as the demuxer comes. Raises FFmpegError where it cannot."""
        self.container.seek(pts, stream=self.stream)
        self.timeline.restart()

    def close(self) -> None:
        """Release file and decoder; more than once is harmless."""
        self.container.close()


def open_source(
    path: Path,
    opening: OpenOptions = PLAIN_FILE,
    *,
    hardware: str | None = None,
    device: Device | None = None,
    threads: int = 0,
) -> Source:
    """Open the best video stream of a file.

    opening: what may be opened beside a plain file. hardware: "d3d12va", "d3d11va", "cuda", "auto" for the first of
    them that opens, None for the CPU. device: where frames may stay, if its decoder makes them. threads: of the
    software decoder, 0 for one a core. Raises InputError. A device that does not open is not an error: the source then
    says hardware None.
    """
    own, number = (device.decoder if device is not None else None) or ("", 0)
    for kind in _candidates(hardware, own):
        where = str(number) if kind == own else None
        try:
            accelerator = HWAccel(kind, where, allow_software_fallback=False, is_hw_owned=kind == own)
            return _open(path, opening, accelerator, kind, threads)
        except (av.error.FFmpegError, RuntimeError, NotImplementedError, OSError):
            continue  # no such device, or it does not decode this codec
    return _open(path, opening, None, None, threads)


def _candidates(hardware: str | None, own: str) -> list[str]:
    """own: the decoder of the device that paints, which "auto" tries first."""
    if hardware is None:
        return []
    built_in = hwdevices_available()
    ordered = sorted(HARDWARE, key=lambda kind: kind != own) if hardware == "auto" else [hardware]
    return [kind for kind in ordered if kind in built_in]


def _open(path: Path, opening: OpenOptions, hwaccel: HWAccel | None, kind: str | None, threads: int) -> Source:
    container = open_media(path, opening, hwaccel=hwaccel, options={"max_pixels": str(MAX_AREA_PX)})
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
        # Frames and slices, whichever the codec has; NVDEC fails where several threads send it frames.
        context.thread_type = "AUTO" if kind is None else "SLICE"
        context.thread_count = threads
        context.options = {"max_pixels": str(MAX_AREA_PX)}  # the size may also change in mid-stream
    except BaseException:
        container.close()
        raise
    return Source(container, stream, kind, Timeline.of(container, stream))


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
