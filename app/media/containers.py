"""Container formats and their capabilities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Literal

from framebrush.base.file_names import NUMBER
from framebrush.media.video import OutputError

Stream = Literal["y4m", "nut", "raw", "mkv"]
"""Values of `--format`."""


@dataclass(frozen=True, slots=True)
class Container:
    """Container format for writing.

    Attributes:
        codecs: for pictures; the first is the default for 8 bits.
        text_codec, audio_encoder: for streams that cannot be copied.
        lossless_audio: encoder for exact samples.
        pictures: each frame becomes a file.
        alone: no other streams.
        constant_rate: frames have no timestamps.
        tick_s: an animation's time unit.
        copies: codecs that may be copied, None for all.
        rates: possible frame rates, None for any.
        payload: stream data's share of the file.
        on_request: codecs that few programs read here.
        without_aspect: codecs without a sample aspect here.
        records_colours: primaries, transfer and matrix.
        records_range: for codecs without it.
        records_channels: PCM's channel layout.
        own_channel_order: audio channels may have any order.
        writes_late: waits for data of each stream.
        display_units: sample aspects may have a unit.
        stand_in: quick (encoder, pixel format) for trials.
        palette: number of colours, 0 for no limit.
        jfif_range: range of BT.601 as in JFIF; "" for the film's colours.
        alpha_codec: for transparency, if the first has none.
    """

    name: str
    muxer: str
    codecs: tuple[str, ...]
    text_codec: str = ""
    audio_encoder: str = ""
    attachments: bool = False
    starts_below_zero: bool = False
    lossless_audio: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    pictures: bool = False
    alone: bool = False
    piped: bool = False
    constant_rate: bool = False
    tick_s: Fraction | None = None
    copies: frozenset[str] | None = None
    rates: tuple[Fraction, ...] | None = None
    packet_bytes: int = 16
    payload: Fraction = Fraction(1)
    on_request: tuple[str, ...] = ()
    without_aspect: tuple[str, ...] = ()
    records_colours: bool = True
    records_range: bool = True
    records_channels: bool = True
    interlaced: bool = True
    covers: bool = False
    shows_chapters: bool = True
    own_channel_order: bool = False
    mac_languages: bool = False
    writes_late: bool = False
    display_units: bool = True
    stand_in: tuple[str, str] = ("mjpeg", "yuvj420p")
    palette: int = 0
    blends: bool = False
    jfif_range: Literal["", "full", "limited"] = ""
    holds_segments: bool = False
    alpha_codec: str | None = None

    @property
    def is_one_file(self) -> bool:
        """Whether the result is a single file, no pipe."""
        return not (self.pictures or self.piped)

    @property
    def is_isobmff(self) -> bool:
        """Whether it has MP4's boxes."""
        return self.muxer in ("mp4", "mov")

    @property
    def is_matroska(self) -> bool:
        return self.muxer in ("matroska", "webm")

    @property
    def keeps_films(self) -> bool:
        """Whether it holds chapters, rotation and provenance."""
        return self.is_isobmff or self.is_matroska

    @property
    def is_counted(self) -> bool:
        """Whether the file has no timestamps."""
        return self.constant_rate and not self.piped

    @property
    def is_animation(self) -> bool:
        return self.tick_s is not None


# No random numbers and no muxer version: the same job makes the same file.
_EXACT = (("fflags", "+bitexact"),)

# The index goes first, for players on the network; colr has the colours for players that ignore the
# bitstream.
_MOOV_FIRST = (("movflags", "+faststart+write_colr"),)

# Rates for which FFmpeg's muxer knows samples per frame. The file is OP1a, for editors and archives.
_MXF_RATES = (
    *(Fraction(rate * 1000, 1001) for rate in (24, 30, 60)),
    *map(Fraction, (24, 25, 30, 48, 50, 60, 100, 120)),
)

_MP4 = Container(
    "MP4",
    "mp4",
    ("h264", "hevc", "av1", "vp9"),
    "mov_text",
    "aac",
    starts_below_zero=True,
    options=_MOOV_FIRST,
    covers=True,
)
# Intra-only pictures and PCM.
_AVI = Container(
    "AVI",
    "avi",
    ("utvideo", "ffv1"),
    audio_encoder="pcm_s16le",
    lossless_audio="pcm_s16le",
    options=_EXACT,
    constant_rate=True,
    copies=frozenset(),
    without_aspect=("utvideo", "ffv1"),
    records_colours=False,
    records_range=False,
)
# The muxer accepts any codec and only marks some as data.
_TS = Container(
    "MPEG-TS",
    "mpegts",
    ("h264", "hevc"),
    audio_encoder="aac",
    starts_below_zero=True,
    options=(*_EXACT, ("max_delay", "700000")),  # as FFmpeg's command line, whose -muxdelay is 0.7 s
    copies=frozenset({"aac", "ac3", "eac3", "mp2", "mp3", "dts", "truehd", "dvb_subtitle", "dvb_teletext"}),
    # A picture's last packet is half empty; more packets hold tables, forty times a second.
    packet_bytes=260,
    payload=Fraction(184, 188),
    stand_in=("mpeg2video", "yuv420p"),
)


def _animation(name: str, muxer: str, tick_s: Fraction) -> Container:
    return Container(name, muxer, (muxer,), options=(("loop", "0"),), alone=True, tick_s=tick_s)


CONTAINERS = {
    ".mp4": _MP4,
    ".mov": replace(
        _MP4,
        name="MOV",
        muxer="mov",
        codecs=("h264", "hevc", "prores", "dnxhr", "cineform"),
        lossless_audio="alac",
        covers=False,
        own_channel_order=True,
        mac_languages=True,
        alpha_codec="prores",
    ),
    ".mkv": Container(
        "MKV",
        "matroska",
        ("h264", "hevc", "av1", "vp9", "prores", "ffv1"),
        "subrip",
        "aac",
        attachments=True,
        lossless_audio="flac",
        options=_EXACT,
    ),
    ".webm": Container(
        "WebM",
        "webm",
        ("av1", "vp9"),
        "webvtt",
        "libopus",
        options=_EXACT,
        shows_chapters=False,
        display_units=False,
        stand_in=("libvpx", "yuv420p"),
    ),
    ".avi": _AVI,
    ".mxf": replace(
        _AVI,
        name="MXF",
        muxer="mxf",
        codecs=("dnxhr", "prores", "ffv1"),
        rates=_MXF_RATES,
        on_request=("ffv1",),  # FFmpeg 5.1 takes FFV1 in MXF for data
        without_aspect=("dnxhr",),
        records_colours=True,
        records_range=True,
        records_channels=False,
        interlaced=False,  # FFmpeg's muxer marks all pictures as progressive
        writes_late=True,
        stand_in=("ffv1", "yuv420p"),
    ),
    ".ts": _TS,
    ".m2ts": replace(_TS, options=(*_TS.options, ("mpegts_m2ts_mode", "1")), payload=Fraction(184, 192)),
    ".gif": replace(_animation("GIF", "gif", Fraction(1, 100)), palette=256),
    ".webp": replace(_animation("WebP", "webp", Fraction(1, 1000)), blends=True, jfif_range="limited"),
}


def _pictures(name: str, codec: str, jfif_range: Literal["", "full"] = "") -> Container:
    return Container(name, "image2", (codec,), pictures=True, alone=True, jfif_range=jfif_range)


PICTURES = {
    ".png": _pictures("PNG", "png"),
    ".tif": _pictures("TIFF", "tiff"),
    ".tiff": _pictures("TIFF", "tiff"),
    ".dpx": _pictures("DPX", "dpx"),
    ".exr": _pictures("EXR", "exr"),
    ".jpg": _pictures("JPEG", "jpeg", "full"),
    ".jpeg": _pictures("JPEG", "jpeg", "full"),
}
"""Containers of numbered pictures, with names such as %04d."""


_RAW = Container("raw video", "rawvideo", ("raw",), alone=True, piped=True, constant_rate=True, records_colours=False)

STREAMS = {
    # more than 8 bits are an extension
    "y4m": replace(_RAW, name="YUV4MPEG", muxer="yuv4mpegpipe", codecs=("y4m",), options=(("strict", "-1"),)),
    "nut": replace(_RAW, name="NUT", muxer="nut", constant_rate=False, records_range=False),
    "raw": _RAW,
    "mkv": replace(CONTAINERS[".mkv"], piped=True),
}
"""Containers of standard output, by `--format`."""


# Segments of jobs: NUT keeps exact times and packets as encoded. It lacks the editing codecs, whose intra-only
# pictures go into MOV. Animations: `segment_settings` in encoders.py.
SEGMENTS = (
    Container(
        "NUT",
        "nut",
        ("h264", "hevc", "av1", "vp9", "ffv1", "utvideo", "gif", "webp"),
        options=(("avoid_negative_ts", "disabled"),),
        records_range=False,
        holds_segments=True,
    ),
    Container(
        "MOV",
        "mov",
        ("prores", "dnxhr", "cineform"),
        own_channel_order=True,
        mac_languages=True,
        holds_segments=True,
    ),
)


def segment_container(codec: str) -> Container:
    """Return the container for a codec's segments."""
    return next(container for container in SEGMENTS if codec in container.codecs)


def container_for(target: Path, stream: Stream | None = None) -> Container:
    """Return a target's container. stream: for "-". Raises OutputError."""
    if target.name == "-":
        return STREAMS[stream or "y4m"]
    if stream is not None:
        raise OutputError(f"{target.name} tells its format", do=f"--format {stream} is for -, standard output")
    ending = target.suffix.lower()
    numbers = len(NUMBER.findall(target.name))
    if ending in PICTURES and (numbers != 1 or target.name.count("%") != 1):
        raise OutputError(
            f"{target.name}: numbered pictures need one number in their name, as in frames/%04d{ending}; one frame is "
            "painted by framebrush frame"
        )
    if numbers and ending in CONTAINERS and CONTAINERS[ending].is_animation:
        raise OutputError(f"{target.name}: {ending} is one animated file; numbered pictures are {', '.join(PICTURES)}")
    known = PICTURES if numbers and ending not in CONTAINERS else CONTAINERS
    try:
        return (CONTAINERS | PICTURES)[ending]
    except KeyError:
        raise OutputError(
            f"{target.name or target}: cannot tell the file format from {ending or 'no ending'}; use one of "
            f"{', '.join(known)}"
        ) from None


def usual_ending(source: Path) -> str:
    """Return a result's suffix: the film's own, else ".mp4"."""
    ending = source.suffix.lower()
    return ending if ending in CONTAINERS and CONTAINERS[ending].keeps_films else ".mp4"
