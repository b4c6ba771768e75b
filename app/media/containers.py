"""Which file format a name asks for, and what that format does with the streams other than the picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Literal

from framebrush.media.reading.open import NUMBER
from framebrush.media.video import OutputError

Stream = Literal["y4m", "nut", "raw", "mkv"]
"""What `--format` takes."""


@dataclass(frozen=True, slots=True)
class Container:
    """A file format that can be written.

    muxer: FFmpeg's name. codecs: the picture codecs it holds, the first being what "auto" means for 8 bits.
    text_codec: what text subtitles are converted to where they cannot be copied. audio_encoder: the same for sound.
    lossless_audio: the same for sound whose every sample can be kept, None where that goes to audio_encoder too.
    pictures: whether each picture is a file of its own. alone: whether nothing but the picture is kept.
    piped: whether it goes to standard output. constant_rate: whether frames are counted and no times are kept.
    attachments: whether it holds files (fonts). starts_below_zero: whether packets before time 0 are possible, as the
    edit list of MP4 has them. options: of the muxer. tick_s: the unit of an animation, whose every picture is shown for
    a whole number of them, None for other files. copies: the codecs of sound and subtitles that may be copied, None for
    all that the muxer takes. rates: of frames a second that it can have, None for any. packet_bytes: what it takes for
    itself with a picture. payload: the share of its bytes that is left for all streams.
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

    @property
    def is_one_file(self) -> bool:
        """Whether a result is a file, which can be made of segments: no pictures each on its own, and no pipe."""
        return not (self.pictures or self.piped)

    @property
    def is_isobmff(self) -> bool:
        """Whether it is of the MP4 family, with sample entries, edit lists and a moov box."""
        return self.muxer in ("mp4", "mov")

    @property
    def is_matroska(self) -> bool:
        """Whether it is of the Matroska family, as WebM is."""
        return self.muxer in ("matroska", "webm")

    @property
    def keeps_films(self) -> bool:
        """Whether chapters, a rotation and what the file was made of have a place in it, as in MP4, MOV, MKV and
        WebM."""
        return self.is_isobmff or self.is_matroska

    @property
    def is_counted(self) -> bool:
        """Whether it is a file whose frames and samples are counted from 0 and have no times of their own."""
        return self.constant_rate and not self.piped

    @property
    def is_animation(self) -> bool:
        """Whether it is a picture that moves. Such pictures are upright, and segments hold them without loss."""
        return self.tick_s is not None


# No numbers drawn at random and no version of the muxer: the same job makes the same file.
_EXACT = (("fflags", "+bitexact"),)

# The index goes first, so that a player on the network starts at once; colr tells the colours to players that do not
# look into the bitstream.
_MOOV_FIRST = (("movflags", "+faststart+write_colr"),)

# What FFmpeg's muxer has numbers of samples a frame for. Its file is an OP1a, for editing programs and archives.
_MXF_RATES = (
    *(Fraction(rate * 1000, 1001) for rate in (24, 30, 60)),
    *map(Fraction, (24, 25, 30, 48, 50, 60, 100, 120)),
)

_MP4 = Container(
    "MP4", "mp4", ("h264", "hevc", "av1", "vp9"), "mov_text", "aac", starts_below_zero=True, options=_MOOV_FIRST
)
# Pictures that each stand alone, and PCM.
_AVI = Container(
    "AVI",
    "avi",
    ("utvideo", "ffv1"),
    audio_encoder="pcm_s16le",
    lossless_audio="pcm_s16le",
    options=_EXACT,
    constant_rate=True,
    copies=frozenset(),
)
# Its muxer takes any codec and says of some only that they are data.
_TS = Container(
    "MPEG-TS",
    "mpegts",
    ("h264", "hevc"),
    audio_encoder="aac",
    starts_below_zero=True,
    options=(*_EXACT, ("max_delay", "700000")),  # as FFmpeg's command line has it: its -muxdelay is 0.7 s
    copies=frozenset({"aac", "ac3", "eac3", "mp2", "mp3", "dts", "truehd", "dvb_subtitle", "dvb_teletext"}),
    # The last of a picture's packets is half empty; some more hold the tables, forty times a second.
    packet_bytes=260,
    payload=Fraction(184, 188),
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
    ".webm": Container("WebM", "webm", ("av1", "vp9"), "webvtt", "libopus", options=_EXACT),
    ".avi": _AVI,
    ".mxf": replace(_AVI, name="MXF", muxer="mxf", codecs=("dnxhr", "prores", "ffv1"), rates=_MXF_RATES),
    ".ts": _TS,
    ".m2ts": replace(_TS, options=(*_TS.options, ("mpegts_m2ts_mode", "1")), payload=Fraction(184, 192)),
    ".gif": _animation("GIF", "gif", Fraction(1, 100)),
    ".webp": _animation("WebP", "webp", Fraction(1, 1000)),
}


def _pictures(name: str, codec: str) -> Container:
    return Container(name, "image2", (codec,), pictures=True, alone=True)


PICTURES = {
    ".png": _pictures("PNG", "png"),
    ".tif": _pictures("TIFF", "tiff"),
    ".tiff": _pictures("TIFF", "tiff"),
    ".dpx": _pictures("DPX", "dpx"),
    ".exr": _pictures("EXR", "exr"),
    ".jpg": _pictures("JPEG", "jpeg"),
    ".jpeg": _pictures("JPEG", "jpeg"),
}
"""Of numbered pictures, whose name holds a number such as %04d."""


_RAW = Container("raw video", "rawvideo", ("raw",), alone=True, piped=True, constant_rate=True)

STREAMS = {
    # More than 8 bits are an extension.
    "y4m": replace(_RAW, name="YUV4MPEG", muxer="yuv4mpegpipe", codecs=("y4m",), options=(("strict", "-1"),)),
    "nut": replace(_RAW, name="NUT", muxer="nut", constant_rate=False),
    "raw": _RAW,
    "mkv": replace(CONTAINERS[".mkv"], piped=True),
}
"""What standard output gets, by `--format`."""


# What a segment of a job is written to: NUT keeps any time exactly and packets as the encoder made them; it knows none
# of the editing codecs, whose pictures stand alone and do as well in MOV. What becomes an animation is there as
# `between` of encoders.py has it.
SEGMENTS = (
    Container(
        "NUT",
        "nut",
        ("h264", "hevc", "av1", "vp9", "ffv1", "utvideo", "gif", "webp"),
        options=(("avoid_negative_ts", "disabled"),),
    ),
    Container("MOV", "mov", ("prores", "dnxhr", "cineform")),
)


def segment_container(codec: str) -> Container:
    """What a segment of a job is written to, whose pictures are of a codec."""
    return next(container for container in SEGMENTS if codec in container.codecs)


def container_for(target: Path, stream: Stream | None = None) -> Container:
    """The format that the name's ending asks for; that of standard output ("-") is `stream`, or YUV4MPEG.

    Raises OutputError for an unknown ending, for numbered pictures without a number or with two, and for a `stream`
    where a name decides.
    """
    if target.name == "-":
        return STREAMS[stream or "y4m"]
    if stream is not None:
        raise OutputError(f"--format {stream}: {target.name} tells its format; --format is for -, standard output")
    ending = target.suffix.lower()
    numbers = len(NUMBER.findall(target.name))
    if ending in PICTURES and (numbers != 1 or target.name.count("%") != 1):
        raise OutputError(
            f"{target.name}: numbered pictures need one number in their name, as in frames/%04d{ending}; one frame is "
            "painted by framebrush frame"
        )
    if numbers and ending in CONTAINERS and CONTAINERS[ending].is_animation:
        raise OutputError(
            f"{target.name}: {ending} is one file that moves; numbered pictures are {', '.join(PICTURES)}"
        )
    known = PICTURES if numbers and ending not in CONTAINERS else CONTAINERS
    try:
        return (CONTAINERS | PICTURES)[ending]
    except KeyError:
        raise OutputError(
            f"{target.name or target}: cannot tell the file format from {ending or 'no ending'}; use one of "
            f"{', '.join(known)}"
        ) from None


def usual_ending(source: Path) -> str:
    """The ending of a result whose name follows from its source's: the same for a film, ".mp4" for anything else."""
    ending = source.suffix.lower()
    return ending if ending in CONTAINERS and CONTAINERS[ending].keeps_films else ".mp4"
