"""What reader and writer tell each other: a video's facts, a frame with its time, where frames come from, a range, and
the errors."""

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
"""Frames a second of a video that says none; FFmpeg takes it for raw video and numbered pictures, too."""

MAX_RATE = 1000
"""Frames a second. Faster, two frames would have the same time in Matroska, which counts milliseconds."""


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a video: a time in seconds from its first shown frame, or the number of a frame, from 0."""

    value: Fraction
    unit: Literal["s", "frame"]


@dataclass(frozen=True, slots=True)
class TimeRange:
    """Part of a video: from start (included) to end (excluded), at most `frames` of them. None means all of it.

    A still, one frame without an end, may begin while the last frame is shown, and is that frame.
    """

    start: Position | None = None
    end: Position | None = None
    frames: int | None = None


Deinterlace = Literal["auto", "off", "single", "double", "ivtc"]
"""What becomes of fields. auto: frames that are flagged as interlaced become progressive. off: they stay woven. single:
every frame becomes progressive, flagged or not. double: every field of every frame becomes a frame. ivtc: inverse
telecine, of five frames of 3:2 pulldown become the four of the film."""


@dataclass(frozen=True, slots=True)
class OpenOptions:
    """What may be opened besides a plain file. playlists: whether a playlist may name files in its own folder.
    rate: frames a second of numbered pictures, whose name holds "%d" or "%05d"; None where the name is a file's.
    dolby_vision: whether colours that only Dolby Vision's own decoders know are read as if they were others."""

    playlists: bool = False
    rate: Fraction | None = None
    dolby_vision: bool = False


PLAIN_FILE = OpenOptions()


@dataclass(frozen=True, slots=True)
class ColourTags:
    """The codes of ITU-T H.273 as the file has them; 2 is "unspecified". They are what the writer passes on for SDR,
    while `FrameFormat` holds what they were resolved to."""

    primaries: int = 2
    transfer: int = 2
    matrix: int = 2


@dataclass(frozen=True, slots=True)
class MasteringDisplay:
    """The display that HDR was made on (SMPTE ST 2086). red, green, blue, white: x and y. least_nits, most_nits: of its
    light."""

    red: tuple[float, float]
    green: tuple[float, float]
    blue: tuple[float, float]
    white: tuple[float, float]
    least_nits: float
    most_nits: float


@dataclass(frozen=True, slots=True)
class LightLevel:
    """How bright HDR is, in nits (CTA-861.3). most: MaxCLL, of the brightest pixel. mean: MaxFALL, of the brightest
    frame. 0: not known."""

    most: int
    mean: int


@dataclass(frozen=True, slots=True)
class Chapter:
    """start_s: from the first shown frame of the film."""

    start_s: Fraction
    title: str


class Orientation(NamedTuple):
    """How a picture is shown: flipped left to right where mirrored, then rotated counter-clockwise."""

    rotation_degrees: int = 0
    mirrored: bool = False


@dataclass(frozen=True, slots=True)
class VideoInfo:
    """The facts of the video stream that is read.

    path: the file, None for frames that are generated. description: what generates them, as `open_frame_source` takes
    it. format: of the frames that the reader returns, after deinterlacing and before rotation (frames are not turned:
    the rotation is a tag that the writer carries over). pix_fmt: FFmpeg's name of the coded format. start_pts: of the
    first shown frame, in time_base. frame_count: exact number of frames in the requested range where the container's
    index records it, else None. rotation_degrees: counter-clockwise, as FFmpeg's display matrix has it. mirrored:
    whether the picture is flipped left to right before it is rotated. opening: how the file was opened, to open it
    again. rate, time_base: of the frames that the reader returns, too. interlaced: whether the file says that its
    frames are woven of two fields. top_first: whether the upper one is shown first, of frames that are given woven.
    deinterlaced: how frames were made progressive, None where they are given as they are in the file. mastering,
    light: what the first frame says of its HDR. in_srgb: the colours were brought from the profile of a photograph to
    sRGB, so that samples are not those of the file. chapters: in the order of the film. coded_timecode: of the first
    frame, in the bitstream.
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
    coded_timecode: str | None = None

    @property
    def orientation(self) -> Orientation:
        """How frames are turned to be shown."""
        return Orientation(self.rotation_degrees, self.mirrored)

    @property
    def usual_rate(self) -> Fraction:
        """Frames a second; USUAL_RATE where the video says none."""
        return self.rate or USUAL_RATE

    def seconds_of(self, place: Position) -> Fraction:
        """A place in seconds from the first shown frame, as exact as the rate is constant where it counts frames."""
        return place.value if place.unit == "s" else place.value / self.usual_rate

    @property
    def woven(self) -> bool:
        """Whether frames hold two fields each."""
        return self.interlaced and self.deinterlaced is None

    @property
    def name(self) -> str:
        """What the video is called: the file's name, or what generates it."""
        return self.path.name if self.path is not None else self.description

    def time_s(self, frame: VideoFrame) -> Fraction:
        """When a frame is shown, in seconds from the first shown frame."""
        return (frame.pts - self.start_pts) * self.time_base

    @property
    def source(self) -> str:
        """The text from which `open_frame_source` opens the same video again, from any folder."""
        return str(self.path.absolute()) if self.path is not None else self.description


@dataclass(frozen=True, slots=True)
class VideoFrame:
    """One decoded frame. number: from 0, in the order shown, counted from the first frame of the file; pts, duration:
    in the stream's time_base, the duration 0 where the container does not record it. frame: in host memory, unless the
    source was opened for a device whose decoder made it. context: outside the requested range, and returned only
    because frames of the range need it as a neighbour. captured_s: when a device delivered it, on `time.perf_counter`;
    None for frames of a file."""

    number: int
    pts: int
    duration: int
    frame: Frame | DeviceFrame
    context: bool = False
    captured_s: float | None = None

    @property
    def host(self) -> Frame:
        """The frame of a source that was opened without a device."""
        assert isinstance(self.frame, Frame)
        return self.frame


class FrameSource(Closing):
    """An open video: iterate over it for the frames of its range, each once, in the order shown; before and behind them
    come the neighbours that were asked for, as far as there are any, marked as context.

    For one thread at a time. Errors of the video are InputError. name: what users call it: the file's name, or the text
    from which it was opened. Frames that were returned stay valid after `close`.
    """

    name: str
    info: VideoInfo

    can_seek: bool = False
    """Whether `seek` works."""

    has_end: bool = True
    """Whether the iteration ends on its own."""

    live: bool = False
    """Whether frames come at their own pace: those that nobody takes in time are dropped. Others wait."""

    lost_frames: int = 0
    """Frames that should have come so far and could not be decoded."""

    cut_off: bool = False
    """Whether the end was reached and the source is shorter than it should be."""

    @property
    def warnings(self) -> list[str]:
        """Sentences for the user about what was found so far."""
        return []

    def __iter__(self) -> Iterator[VideoFrame]:
        return self

    @abstractmethod
    def __next__(self) -> VideoFrame: ...

    def seek(self, position: Position) -> None:
        """Make the next frame the one at a position, exactly; the last one where that is behind the end.

        Raises InputError where the source cannot seek.
        """
        raise InputError(f"{self.name} cannot seek: its frames come once, in order")
