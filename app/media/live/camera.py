"""Cameras by FFmpeg's input devices."""

from __future__ import annotations

import errno
import re
import sys
from collections.abc import Iterator
from fractions import Fraction

import av
from av.packet import Packet
from av.video.frame import VideoFrame as AVFrame
from av.video.stream import VideoStream

from framebrush.base.text import first_line, printable
from framebrush.gpu.frame import Frame
from framebrush.media.ffmpeg_planes import Planes
from framebrush.media.live.camera_list import KINDS, Camera, find_devices
from framebrush.media.live.live_sound import SUFFIX, sound_of
from framebrush.media.live.live_sources import LiveSource, open_live
from framebrush.media.reading.open import DECODER_OPTIONS, check_size, open_camera
from framebrush.media.video import InputError, TimeRange, VideoInfo

PREFIX = "camera:"
_TEXT = re.compile(
    r"(?P<camera>.+?)(?::size=(?P<size>\d{1,5}x\d{1,5}))?(?::rate=(?P<rate>\d{1,4}(?:\.\d{1,3})?))?" + SUFFIX,
    re.ASCII,
)


class CameraCapture:
    """`Capture` of a camera."""

    has_end = False

    def __init__(self, camera: Camera, text: str, size: str | None, rate: str | None) -> None:
        """Open a camera. size: "WxH". Raises InputError."""
        self._name = camera.name
        kind = KINDS[sys.platform]
        # FFmpeg's default on AVFoundation is NTSC's rate, which few Mac cameras have
        options = {"video_size": size, "framerate": rate or ("30" if kind == "avfoundation" else None)}
        device = f"video={camera.device}" if kind == "dshow" else camera.device
        try:
            self._container = open_camera(
                kind, device, {key: value for key, value in options.items() if value is not None}
            )
        except (av.error.FFmpegError, OSError, ValueError) as error:
            raise InputError(_why_not(camera.name, error)) from None
        try:
            stream = self._container.streams.video[0]
            context = stream.codec_context
            context.thread_type, context.thread_count = "SLICE", 1  # frame threads delay frames
            context.options = DECODER_OPTIONS
            self._own_memory = context.name == "rawvideo"
            self._frames = self._decoded()
            first = next(self._frames)
            check_size(self._name, first.width, first.height)
            self._planes = Planes(first, context.name)
            self._first: AVFrame | None = first
            self.info = VideoInfo(
                path=None,
                container="live",
                codec=context.name,
                stream_index=0,
                pix_fmt=first.format.name,
                format=self._planes.format,
                tags=self._planes.tags,
                time_base=Fraction(1, 1000),
                rate=stream.average_rate or None,
                start_pts=0,
                description=text,
            )
        except BaseException:
            self._container.close()
            raise

    def read(self) -> Frame | None:
        first, self._first = self._first, None
        frame = self._planes.wrap(first if first is not None else next(self._frames))
        assert isinstance(frame, Frame)
        if not self._own_memory:
            return frame
        return Frame(frame.format, tuple(plane.copy() for plane in frame.planes))

    def close(self) -> None:
        self._first = None
        self._container.close()

    def _decoded(self) -> Iterator[AVFrame]:
        stream = self._container.streams.video[0]
        try:
            while True:
                try:
                    for packet in self._container.demux(stream):
                        yield from _decode(packet)
                    raise InputError(f"{self._name} has ended; plug it in and open it again")
                except av.error.BlockingIOError:
                    continue
        except (av.error.FFmpegError, OSError) as error:
            raise InputError(
                f"{self._name} was unplugged or stopped ({first_line(error)}); plug it in and open it again"
            ) from None


def _decode(packet: Packet[VideoStream]) -> list[AVFrame]:
    try:
        return [frame for frame in packet.decode() if isinstance(frame, AVFrame)]
    except av.error.FFmpegError:  # partial pictures, as USB sometimes delivers
        return []


def open_live_camera(text: str, span: TimeRange | None = None) -> LiveSource:
    """Open "camera:WHICH[:size=1280x720][:rate=30][+microphone:WHICH]". Raises InputError.

    WHICH: number, beginning of a name, or system's name.
    """
    match = _TEXT.fullmatch(text.removeprefix(PREFIX))
    if match is None:
        raise InputError(f"{text}: name a camera, as in camera:0", do="framebrush cameras lists them")
    if sys.platform not in KINDS:
        raise InputError("cameras can be opened on Windows, Linux and macOS; record to a file first")
    capture = CameraCapture(_find(match["camera"]), text, match["size"], match["rate"])
    return open_live(capture, span, sound_of(match["sound"]))


def _find(which: str) -> Camera:
    if which.startswith(("/dev/", "@device")):  # the system's name
        return Camera(which, which)
    found = find_devices()
    by_number = [camera for number, camera in enumerate(found.cameras) if str(number) == which]
    named = [camera for camera in found.cameras if camera.name == which]
    begun = [camera for camera in found.cameras if camera.name.casefold().startswith(which.casefold())]
    for camera in (*named, *by_number, *begun):
        return camera
    names = ", ".join(camera.name for camera in found.cameras) or found.problem or "none"
    raise InputError(f"there is no camera {printable(which)!r}; found: {names}")


def _why_not(name: str, error: BaseException) -> str:
    match getattr(error, "errno", None):
        case errno.EACCES | errno.EPERM:
            return f"{name}: no permission to use it; on Linux join the group 'video', then log in again"
        case errno.EBUSY:
            return f"{name} is in use by another program; close it there and open it here again"
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return f"{name} is not there; plug it in and look again with framebrush cameras"
    return (
        f"{name} cannot be opened ({first_line(error)}): another program may use it, the system's privacy settings may "
        "forbid it, or it has no such size or rate"
    )
