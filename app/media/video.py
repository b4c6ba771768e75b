"""Videos as data: facts, frames, sources, ranges."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal, NamedTuple

from framebrush.base.closing import Closing
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat
from framebrush.gpu.sizes import Size
from framebrush.media.media_errors import BusyOutputError as BusyOutputError
from framebrush.media.media_errors import ClosedPipeError as ClosedPipeError
from framebrush.media.media_errors import DiskFullError as DiskFullError
from framebrush.media.media_errors import InputError as InputError
from framebrush.media.media_errors import KeptOutputError as KeptOutputError
from framebrush.media.media_errors import NothingDecodedError as NothingDecodedError
from framebrush.media.media_errors import OtherNameError as OtherNameError
from framebrush.media.media_errors import OutputError as OutputError
from framebrush.media.media_errors import OverSizeError as OverSizeError
from framebrush.media.media_errors import RangeError as RangeError
from framebrush.media.media_errors import SourceChangedError as SourceChangedError

USUAL_RATE = Fraction(25)
"""Default frame rate, as FFmpeg's for raw video and numbered pictures."""

MAX_RATE = 1000
"""Largest frame rate: Matroska counts milliseconds."""


@dataclass(frozen=True, slots=True)
class Position:
    """Seconds from the first shown frame, or frame number."""

    value: Fraction
    unit: Literal["s", "frame"]

    @classmethod
    def of_frame(cls, number: int) -> Position:
        return cls(Fraction(number), "frame")


@dataclass(frozen=True, slots=True)
class TimeRange:
    """Part of a video. end: exclusive. frames: at most.

    A still (one frame, no end) may start during the last frame.
    """

    start: Position | None = None
    end: Position | None = None
    frames: int | None = None

    @classmethod
    def of_frame(cls, number: int) -> TimeRange:
        return cls(Position.of_frame(number), frames=1)


Deinterlace = Literal["auto", "off", "single", "double", "ivtc"]
"""Treatment of fields. auto: deinterlace flagged frames. off: keep interlaced. single: deinterlace every frame. double:
one frame per field. ivtc: inverse telecine, four film frames from five of 3:2 pulldown."""


@dataclass(frozen=True, slots=True)
class OpenOptions:
    """Permissions beyond plain files.

    Attributes:
        playlists: with files in their own folder.
        rate: of numbered pictures.
        dolby_vision: read its colours as ordinary ones.
    """

    playlists: bool = False
    rate: Fraction | None = None
    dolby_vision: bool = False


PLAIN_FILE = OpenOptions()


@dataclass(frozen=True, slots=True)
class ColourTags:
    """H.273 codes of the file; 2 is unspecified."""

    primaries: int
    transfer: int
    matrix: int


@dataclass(frozen=True, slots=True)
class MasteringDisplay:
    """Mastering display (SMPTE ST 2086) with chromaticities x, y."""

    red: tuple[float, float]
    green: tuple[float, float]
    blue: tuple[float, float]
    white: tuple[float, float]
    least_nits: float
    most_nits: float


@dataclass(frozen=True, slots=True)
class LightLevel:
    """MaxCLL and MaxFALL in nits; 0 is unknown."""

    most: int
    mean: int


@dataclass(frozen=True, slots=True)
class Chapter:
    """Chapter. start_s: from the first shown frame."""

    start_s: Fraction
    title: str


class Orientation(NamedTuple):
    """Display orientation: mirrored, then rotated counter-clockwise."""

    rotation_degrees: int = 0
    mirrored: bool = False

    @property
    def quarters(self) -> int:
        """Quarter turns, 0..3."""
        return round(self.rotation_degrees / 90) % 4

    def turned(self, size: Size) -> Size:
        """Return the size upright."""
        return size[::-1] if self.quarters % 2 else size


@dataclass(frozen=True, slots=True)
class VideoInfo:
    """Facts of a video stream.

    Attributes:
        path: None for generated frames.
        description: text for `open_frame_source`.
        format: of returned frames: deinterlaced, not rotated.
        pix_fmt: of coded frames.
        start_pts: of the first shown frame.
        frame_count: of the range, if exactly known.
        rotation_degrees: counter-clockwise.
        rate, time_base: of returned frames.
        mastering, light: of the first frame.
        in_srgb: converted from an ICC profile.
        timecode: of the first frame, unparsed.
    """

    path: Path | None
    container: str
    codec: str
    stream_index: int
    pix_fmt: str
    format: FrameFormat
    tags: ColourTags
    time_base: Fraction
    rate: Fraction | None
    start_pts: int
    duration_s: float | None = None
    frame_count: int | None = None
    sample_aspect: Fraction = Fraction(1)
    rotation_degrees: int = 0
    interlaced: bool = False
    description: str = ""
    mirrored: bool = False
    opening: OpenOptions = PLAIN_FILE
    top_first: bool = True
    deinterlaced: Deinterlace | None = None
    mastering: MasteringDisplay | None = None
    light: LightLevel | None = None
    in_srgb: bool = False
    chapters: tuple[Chapter, ...] = ()
    timecode: str | None = None

    @property
    def orientation(self) -> Orientation:
        return Orientation(self.rotation_degrees, self.mirrored)

    @property
    def shape(self) -> float:
        """Width by height of upright frames."""
        lies = self.format.width * float(self.sample_aspect) / self.format.height
        return 1 / lies if self.rotation_degrees % 180 else lies

    @property
    def start_s(self) -> Fraction:
        return self.start_pts * self.time_base

    @property
    def expected_frames(self) -> int | None:
        """`frame_count`, else by duration."""
        if self.frame_count is None and self.duration_s and self.rate:
            return round(self.duration_s * float(self.rate))
        return self.frame_count

    @property
    def usual_rate(self) -> Fraction:
        """Frame rate, or USUAL_RATE if unknown."""
        return self.rate or USUAL_RATE

    def seconds_of(self, place: Position) -> Fraction:
        """Convert a position to seconds, assuming a constant rate."""
        return place.value if place.unit == "s" else place.value / self.usual_rate

    @property
    def woven(self) -> bool:
        """Whether frames are interlaced."""
        return self.interlaced and self.deinterlaced is None

    @property
    def name(self) -> str:
        return self.path.name if self.path is not None else self.description

    def time_s(self, frame: VideoFrame) -> Fraction:
        """Return a frame's time from the first."""
        return (frame.pts - self.start_pts) * self.time_base

    @property
    def source(self) -> str:
        """Text for `open_frame_source`, valid in any folder."""
        return str(self.path.absolute()) if self.path is not None else self.description


def on_host(frame: Frame | DeviceFrame) -> Frame:
    """Download a device frame."""
    if isinstance(frame, Frame):
        return frame
    host = frame.format.allocate()
    frame.download(host)
    return host


@dataclass(frozen=True, slots=True)
class VideoFrame:
    """Decoded frame.

    Attributes:
        number: in display order from 0.
        pts, duration: in the stream's time_base; duration 0 if unknown.
        context: neighbour outside the range.
        captured_s: live frames' arrival on `time.perf_counter`.
    """

    number: int
    pts: int
    duration: int
    frame: Frame | DeviceFrame
    context: bool = False
    captured_s: float | None = None

    @property
    def host(self) -> Frame:
        """The frame, if opened without a device."""
        assert isinstance(self.frame, Frame)
        return self.frame


class FrameSource(Closing):
    """Frames of a range and its context, in display order, for one thread.

    Raises InputError. Frames stay valid after `close`.
    """

    name: str
    info: VideoInfo

    can_seek: bool = False
    """Whether `seek` works."""

    has_end: bool = True
    """Whether iteration ends on its own."""

    live: bool = False
    """Whether frames come at their own pace and unread ones are dropped."""

    lost_frames: int = 0
    """Frames so far that could not be decoded."""

    cut_off: bool = False
    """Whether the end was reached and the source is shorter than it should be."""

    @property
    def absent_frames(self) -> int:
        """Number of missing frames without a number."""
        return 0

    @property
    def warnings(self) -> list[str]:
        """Sentences about problems so far."""
        return []

    def __iter__(self) -> Iterator[VideoFrame]:
        return self

    @abstractmethod
    def __next__(self) -> VideoFrame: ...

    def seek(self, position: Position) -> None:
        """Continue at a position. Raises InputError."""
        raise InputError(f"{self.name} cannot seek: its frames come once, in order")
