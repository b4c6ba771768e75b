"""Video stream and decoder of a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import av
from av.codec.context import Flags
from av.codec.hwaccel import HWAccel, hwdevices_available
from av.container import InputContainer
from av.packet import Packet
from av.stream import Discard, Disposition
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from framebrush.base.text import first_line
from framebrush.gpu.device import Device
from framebrush.media.reading.cmyk import Inks, inks_of
from framebrush.media.reading.continuous_clock import Timeline
from framebrush.media.reading.heif import HeifPicture, assembled, read_heif
from framebrush.media.reading.open import (
    DECODER_OPTIONS,
    FFMPEG,
    Problems,
    can_decode,
    check_size,
    first_picture,
    open_media,
    packets,
    picture_path,
)
from framebrush.media.reading.sample_entry import auxiliary_tracks
from framebrush.media.video import PLAIN_FILE, InputError, OpenOptions

MOST_PTS = (1 << 63) - 1  # range of FFmpeg's timestamps
PHOTOGRAPHS = ("_pipe", "image2", "apng")
"""Suffixes of FFmpeg's demuxer names for single, numbered and animated pictures."""
SHAPE_TOLERANCE = 0.02
OF_DXGI = ("d3d12va", "d3d11va")
HARDWARE = (*OF_DXGI, "cuda")  # in the order that "auto" tries

# Keep FFmpeg's log off, PyAV's default: its callback takes the interpreter lock in decoder threads, while a flush or
# close holding the lock waits for them. Errors show as exceptions and in the frame count.


@dataclass(frozen=True, slots=True)
class Source:
    """Open file and its video stream.

    hardware: kind of GPU decoder. problems: damage. failures: decoder errors. declared: (width, height).
    """

    container: InputContainer
    stream: VideoStream
    hardware: str | None
    timeline: Timeline
    problems: Problems = field(default_factory=Problems)
    failures: list[str] = field(default_factory=list)
    picture: HeifPicture | None = None
    inks: Inks | None = None
    declared: tuple[int, int] = (0, 0)

    @property
    def is_photograph(self) -> bool:
        """Whether this is one or more pictures."""
        return self.picture is not None or self.container.format.name.endswith(PHOTOGRAPHS)

    @property
    def time_base(self) -> Fraction:
        """Seconds per timestamp unit."""
        return self.stream.time_base or Fraction(1, 1000)

    def size_of_growing(self, first: VideoFrame) -> tuple[int, int] | None:
        """Return the track's size if the first frame is smaller, as from WebRTC."""
        width, height = self.declared
        if "matroska" not in self.container.format.name or width <= first.width or height <= first.height:
            return None
        is_same_shape = abs(width * first.height - height * first.width) <= SHAPE_TOLERANCE * width * first.height
        return (width, height) if is_same_shape else None

    @property
    def codec(self) -> str:
        """FFmpeg's codec name."""
        return self.stream.codec_context.codec.canonical_name

    def packets(self) -> Iterator[Packet[VideoStream]]:
        """Yield packets from the current position."""
        for packet in packets(self.container, [self.stream], self.problems):
            self.timeline.place(packet)
            yield packet

    def decode(self, packet: Packet[VideoStream] | None) -> list[VideoFrame]:
        """Decode a packet; None drains. Damage yields no frames."""
        if self.inks is not None and packet is not None:
            frame = self.inks.decode(packet)
            if self.inks.problem:
                self.problems.append(self.inks.problem)
            if frame is not None:
                return [frame]
        try:
            return self.stream.codec_context.decode(packet)
        except av.error.FFmpegError as error:
            self.failures.append(first_line(error))
            return []

    def seek(self, pts: int) -> None:
        """Seek to or before a time. Raises FFmpegError."""
        self.container.seek(min(max(pts, -MOST_PTS), MOST_PTS), stream=self.stream)
        self.timeline.restart()

    def close(self) -> None:
        """Release file and decoder."""
        self.container.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class TiledSource(Source):
    """HEIF picture of tile streams; `stream` is the first."""

    picture: HeifPicture
    tiles: tuple[VideoStream, ...]
    _held: dict[int, Packet[VideoStream]] = field(default_factory=dict)

    def packets(self) -> Iterator[Packet[VideoStream]]:
        """Yield the first tile's packet; `decode` gets others."""
        for packet in packets(self.container, list(dict.fromkeys(self.tiles)), self.problems):
            self._held.setdefault(packet.stream.index, packet)
        first = self._held.get(self.stream.index)
        if first is not None:
            self.timeline.place(first)
            yield first

    def decode(self, packet: Packet[VideoStream] | None) -> list[VideoFrame]:
        """Decode the picture, if all tiles can be."""
        if packet is None:
            return []
        decoded: dict[int, VideoFrame] = {}
        for stream in dict.fromkeys(self.tiles):
            frames: list[VideoFrame] = []
            if (held := self._held.get(stream.index)) is not None:
                tile = Source(self.container, stream, None, self.timeline)
                frames = [*tile.decode(held), *tile.decode(None)]
                stream.codec_context.flush_buffers()
            if not frames:
                return []
            decoded[stream.index] = frames[0]
        whole = assembled(self.picture, [decoded[stream.index] for stream in self.tiles])
        return [] if whole is None else [whole]


def open_source(
    path: Path,
    opening: OpenOptions = PLAIN_FILE,
    *,
    hardware: str | None = None,
    device: Device | None = None,
    threads: int = 0,
) -> Source:
    """Open a file's best video stream. Raises InputError.

    hardware: "d3d12va", "d3d11va", "cuda", "auto", or None for the CPU. device: for painting; frames may stay there.
    threads: 0 for one per core.
    """
    own, number = (device.decoder if device is not None else None) or ("", 0)
    for kind in _candidates(hardware, own):
        address = number if kind == own else None
        if device is not None and kind in OF_DXGI:
            address = device.dxgi_number
        where = None if address is None else str(address)
        try:
            accelerator = HWAccel(kind, where, allow_software_fallback=False, is_hw_owned=kind == own)
            return _open(path, opening, accelerator, kind, threads)
        except (av.error.FFmpegError, RuntimeError, NotImplementedError, OSError):
            continue  # no such device, or it does not support the codec
    return _open(path, opening, None, None, threads)


def _candidates(hardware: str | None, own: str) -> list[str]:
    if hardware is None:
        return []
    built_in = hwdevices_available()
    ordered = sorted(HARDWARE, key=lambda kind: kind != own) if hardware == "auto" else [hardware]
    return [kind for kind in ordered if kind in built_in]


def _open(path: Path, opening: OpenOptions, hwaccel: HWAccel | None, kind: str | None, threads: int) -> Source:
    container = open_media(path, opening, hwaccel=hwaccel, options=DECODER_OPTIONS)
    try:
        picture = _heif_picture(container, path)
        tiles = _tiles(container, path, picture) if picture is not None else ()
        stream = tiles[0] if tiles else _video_stream(container, path)
        for other in container.streams:
            if other is not stream and other not in tiles:
                other.discard = Discard.all
        context = stream.codec_context
        width, height = (context.width, context.height) if picture is None else (picture.width, picture.height)
        check_size(path, width, height)
        if picture is not None and kind is not None:
            raise NotImplementedError("pictures of HEIF are decoded on the CPU")
        if kind is not None and not context.is_hwaccel:
            raise NotImplementedError(f"{kind} does not decode {context.name}")
        if kind == "cuda" and (context.width % 2 or context.height % 2):
            raise NotImplementedError("FFmpeg takes the chroma of NVDEC from a row too early where the height is odd")
        inks = _inks(container, path, opening, stream)
        for decoder in dict.fromkeys(each.codec_context for each in tiles or (stream,)):
            # Frame and slice threads, as the codec supports; NVDEC fails if several threads send it frames.
            decoder.thread_type = "AUTO" if kind is None else "SLICE"
            decoder.thread_count = threads if inks is None else 1  # otherwise FFmpeg's frame would come after Pillow's
            decoder.flags |= Flags.unaligned  # otherwise FFmpeg crops less at the left, to keep rows aligned
            decoder.options = DECODER_OPTIONS
    except BaseException:
        container.close()
        raise
    timeline = Timeline.of(container, stream)
    if picture is not None:
        return TiledSource(container, stream, kind, timeline, picture=picture, tiles=tiles)
    return Source(container, stream, kind, timeline, inks=inks, declared=(width, height))


def _inks(container: InputContainer, path: Path, opening: OpenOptions, stream: VideoStream) -> Inks | None:
    if not container.format.name.endswith(PHOTOGRAPHS):
        return None
    first = path if opening.rate is None else picture_path(path, first_picture(path).start)
    context = stream.codec_context
    return inks_of(first, context.codec.canonical_name, context.format)


def _heif_picture(container: InputContainer, path: Path) -> HeifPicture | None:
    if "mov" not in container.format.name.split(","):
        return None
    try:
        return read_heif(path)
    except (ValueError, OSError) as error:
        raise InputError(f"{path}: {first_line(error)}, which cannot be read; convert it to JPEG first") from None


def _tiles(container: InputContainer, path: Path, picture: HeifPicture) -> tuple[VideoStream, ...]:
    by_id = {stream.id: stream for stream in container.streams.video if can_decode(stream)}
    if not all(tile in by_id for tile in picture.tiles):
        raise InputError(f"{path}: parts of its picture are missing or cannot be decoded; convert it to JPEG first")
    return tuple(by_id[tile] for tile in picture.tiles)


def _video_stream(container: InputContainer, path: Path) -> VideoStream:
    pictures = Disposition.attached_pic | Disposition.timed_thumbnails
    films = [stream for stream in container.streams.video if not stream.disposition & pictures]
    if len(films) > 1 and "mov" in container.format.name.split(","):
        auxiliary = auxiliary_tracks(path)
        films = [stream for stream in films if stream.id not in auxiliary] or films
    if not films:
        what = "only sound" if container.streams.audio else "no video"
        raise InputError(f"{path} holds {what}; name a file with a video stream")
    best = container.streams.best("video")
    stream = best if isinstance(best, VideoStream) and best in films else films[0]
    if not can_decode(stream):
        raise InputError(f"{path} is coded in a way that {FFMPEG} cannot decode; convert it to H.264 first")
    return stream
