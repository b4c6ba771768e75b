"""Data between reader and writer: video facts, frames, sources, ranges."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal, NamedTuple

from framebrush.base.closing import Closing
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat
from framebrush.media.errors import BusyOutputError as BusyOutputError
from framebrush.media.errors import ClosedPipeError as ClosedPipeError
from framebrush.media.errors import DiskFullError as DiskFullError
from framebrush.media.errors import InputError as InputError
from framebrush.media.errors import KeptOutputError as KeptOutputError
from framebrush.media.errors import OtherNameError as OtherNameError
from framebrush.media.errors import OutputError as OutputError
from framebrush.media.errors import OverSizeError as OverSizeError
from framebrush.media.errors import RangeError as RangeError
from framebrush.media.errors import SourceChangedError as SourceChangedError

USUAL_RATE = Fraction(25)
"""Default frame rate, as FFmpeg's for raw video and numbered pictures."""

MAX_RATE = 1000
"""Largest frame rate: Matroska counts milliseconds."""


@dataclass(frozen=True, slots=True)
class Position:
    """Position in a video: seconds from the first shown frame, or a frame number from 0."""

    value: Fraction
    unit: Literal["s", "frame"]


@dataclass(frozen=True, slots=True)
class TimeRange:
    """Part of a video from start to end (exclusive), at most `frames` frames.

    A still, one frame without an end, may begin while the last frame is shown.
    """

    start: Position | None = None
    end: Position | None = None
    frames: int | None = None


Deinterlace = Literal["auto", "off", "single", "double", "ivtc"]
"""Treatment of fields. auto: deinterlace flagged frames. off: keep interlaced. single: deinterlace every frame. double:
one frame per field. ivtc: inverse telecine, four film frames from five of 3:2 pulldown."""


@dataclass(frozen=True, slots=True)
class OpenOptions:
    """Permitted sources besides plain files.

    Attributes:
        playlists: they may name files in their folder.
        rate: of numbered pictures ("%d", "%05d").
        dolby_vision: read Dolby Vision's own colours as if they were others.
    """

    playlists: bool = False
    rate: Fraction | None = None
    dolby_vision: bool = False


PLAIN_FILE = OpenOptions()


@dataclass(frozen=True, slots=True)
class ColourTags:
    """H.273 codes of the file; 2 is unspecified. `FrameFormat` has the resolved values."""

    primaries: int = 2
    transfer: int = 2
    matrix: int = 2


@dataclass(frozen=True, slots=True)
class MasteringDisplay:
    """Mastering display (SMPTE ST 2086): x, y of primaries and white, luminance in nits."""

    red: tuple[float, float]
    green: tuple[float, float]
    blue: tuple[float, float]
    white: tuple[float, float]
    least_nits: float
    most_nits: float


@dataclass(frozen=True, slots=True)
class LightLevel:
    """HDR light in nits (CTA-861.3): MaxCLL, MaxFALL; 0 is unknown."""

    most: int
    mean: int


@dataclass(frozen=True, slots=True)
class Chapter:
    """Chapter. start_s: from the first shown frame."""

    start_s: Fraction
    title: str


class Orientation(NamedTuple):
    """Orientation of a shown picture: mirrored, then rotated counter-clockwise."""

    rotation_degrees: int = 0
    mirrored: bool = False


@dataclass(frozen=True, slots=True)
class VideoInfo:
    """Facts of a video stream.

    Attributes:
        path: None for generated frames.
        description: text of `open_frame_source` for generated frames.
        format: of returned frames, after deinterlacing, before rotation.
        pix_fmt: of the coded frames.
        start_pts: of the first shown frame, in time_base.
        frame_count: in the range, if exactly known.
        rotation_degrees: counter-clockwise.
        opening: options to open the file again.
        rate, time_base: of returned frames.
        top_first: field order of frames returned interlaced.
        mastering, light: of the first frame.
        in_srgb: converted from a photograph's profile.
        timecode: of the first frame, unparsed; see `first_timecode`.
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
        """Return how frames are turned to be shown."""
        return Orientation(self.rotation_degrees, self.mirrored)

    @property
    def usual_rate(self) -> Fraction:
        """Return the frame rate; USUAL_RATE if unknown."""
        return self.rate or USUAL_RATE

    def seconds_of(self, place: Position) -> Fraction:
        """Convert a position to seconds; frame numbers need a constant rate to be exact."""
        return place.value if place.unit == "s" else place.value / self.usual_rate

    @property
    def woven(self) -> bool:
        """Return whether frames are interlaced."""
        return self.interlaced and self.deinterlaced is None

    @property
    def name(self) -> str:
        """Return the file's name, or the generator's text."""
        return self.path.name if self.path is not None else self.description

    def time_s(self, frame: VideoFrame) -> Fraction:
        """Return a frame's time from the first shown frame."""
        return (frame.pts - self.start_pts) * self.time_base

    @property
    def source(self) -> str:
        """Return the text for `open_frame_source` in any folder."""
        return str(self.path.absolute()) if self.path is not None else self.description


@dataclass(frozen=True, slots=True)
class VideoFrame:
    """Decoded frame.

    Attributes:
        number: in display order from 0.
        pts, duration: in the stream's time_base; duration 0 if unknown.
        context: neighbour outside the range.
        captured_s: arrival on `time.perf_counter`; None for files.
    """

    number: int
    pts: int
    duration: int
    frame: Frame | DeviceFrame
    context: bool = False
    captured_s: float | None = None

    @property
    def host(self) -> Frame:
        """Return the frame of a source opened without a device."""
        assert isinstance(self.frame, Frame)
        return self.frame


class FrameSource(Closing):
    """Open video, for one thread at a time: its range in display order, with marked context.

    Raises InputError. Returned frames stay valid after `close`.
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
        """Return the number of missing frames without numbers, in holes and at the end."""
        return 0

    @property
    def warnings(self) -> list[str]:
        """Return sentences for users about problems so far."""
        return []

    def __iter__(self) -> Iterator[VideoFrame]:
        return self

    @abstractmethod
    def __next__(self) -> VideoFrame: ...

    def seek(self, position: Position) -> None:
        """Continue at a position, or the last frame. Raises InputError."""
        raise InputError(f"{self.name} cannot seek: its frames come once, in order")
