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
    """Part of a video from start to end (exclusive), at most `frames` frames. None for no limit.

    A still, one frame without an end, may begin while the last frame is shown, and is that frame.
    """

    start: Position | None = None
    end: Position | None = None
    frames: int | None = None


Deinterlace = Literal["auto", "off", "single", "double", "ivtc"]
"""Treatment of fields. auto: deinterlace flagged frames. off: keep interlaced. single: deinterlace every frame. double:
one frame per field. ivtc: inverse telecine, four film frames from five of 3:2 pulldown."""


@dataclass(frozen=True, slots=True)
class OpenOptions:
    """What may be opened besides plain files.

    Attributes:
        playlists: playlists may name files in their folder.
        rate: of numbered pictures ("%d", "%05d"); None for ordinary names.
        dolby_vision: read Dolby Vision's own colours as if they were others.
    """

    playlists: bool = False
    rate: Fraction | None = None
    dolby_vision: bool = False


PLAIN_FILE = OpenOptions()


@dataclass(frozen=True, slots=True)
class ColourTags:
    """H.273 codes of the file; 2 is "unspecified". The writer passes them on for SDR; `FrameFormat` has the resolved
    values."""

    primaries: int = 2
    transfer: int = 2
    matrix: int = 2


@dataclass(frozen=True, slots=True)
class MasteringDisplay:
    """Mastering display (SMPTE ST 2086): x, y of primaries and white, luminance range in nits."""

    red: tuple[float, float]
    green: tuple[float, float]
    blue: tuple[float, float]
    white: tuple[float, float]
    least_nits: float
    most_nits: float


@dataclass(frozen=True, slots=True)
class LightLevel:
    """Light level of HDR in nits (CTA-861.3). most: MaxCLL. mean: MaxFALL. 0: unknown."""

    most: int
    mean: int


@dataclass(frozen=True, slots=True)
class Chapter:
    """Chapter. start_s: from the first shown frame."""

    start_s: Fraction
    title: str


class Orientation(NamedTuple):
    """How a picture is shown: flipped left to right where mirrored, then rotated counter-clockwise."""

    rotation_degrees: int = 0
    mirrored: bool = False


@dataclass(frozen=True, slots=True)
class VideoInfo:
    """Facts of a video stream.

    Attributes:
        path: the file, None for generated frames.
        description: text of `open_frame_source` for generated frames.
        format: of returned frames, after deinterlacing, before rotation (a tag that the writer keeps).
        pix_fmt: FFmpeg's name of the coded format.
        start_pts: of the first shown frame, in time_base.
        frame_count: exact, in the requested range, if the container's index has it.
        rotation_degrees: counter-clockwise, as FFmpeg's display matrix.
        mirrored: horizontally flipped before rotation.
        opening: options to open the file again.
        rate, time_base: of returned frames.
        interlaced: tagged as interlaced.
        top_first: field order of frames returned interlaced.
        deinterlaced: method, None without.
        mastering, light: HDR metadata of the first frame.
        in_srgb: converted from a photograph's profile to sRGB.
        chapters: in order.
        timecode: of the first frame, as the container or the bitstream has it; `first_timecode` parses it.
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
        """How frames are turned to be shown."""
        return Orientation(self.rotation_degrees, self.mirrored)

    @property
    def usual_rate(self) -> Fraction:
        """Return the frame rate; USUAL_RATE if unknown."""
        return self.rate or USUAL_RATE

    def seconds_of(self, place: Position) -> Fraction:
        """Convert a position to seconds from the first shown frame; exact for frame numbers only at constant rates."""
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
        """Return a frame's time in seconds from the first shown frame."""
        return (frame.pts - self.start_pts) * self.time_base

    @property
    def source(self) -> str:
        """Return the text for `open_frame_source` that opens the video from any folder."""
        return str(self.path.absolute()) if self.path is not None else self.description


@dataclass(frozen=True, slots=True)
class VideoFrame:
    """Decoded frame.

    Attributes:
        number: from 0 in display order, from the file's first frame.
        pts, duration: in the stream's time_base; duration 0 if unknown.
        frame: in host memory, unless opened for a device.
        context: outside the range, returned as a neighbour.
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
    """Open video. Iteration yields the frames of its range in display order, with requested neighbours marked as
    context.

    For one thread at a time. Raises InputError. Returned frames stay valid after `close`.

    Attributes:
        name: the file's name or the source's text, for users.
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
        """How many frames of the range are not in the source: in holes, and before the end that it promises. Numbers
        do not count them."""
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
        """Make the next frame the one at a position, or the last one if it is beyond the end. Raises InputError if the
        source cannot seek."""
        raise InputError(f"{self.name} cannot seek: its frames come once, in order")
