"""Which file format a name asks for, and what that format does with the streams beside the picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from framebrush.media.video import OutputError


@dataclass(frozen=True, slots=True)
class Container:
    """A file format that can be written.

    muxer: FFmpeg's name. codecs: the picture codecs it holds, the first being what "auto" means for 8 bits.
    text_codec: what text subtitles are converted to where they cannot be copied. audio_encoder: the same for sound.
    lossless_audio: the same for sound whose every sample can be kept, None where that goes to audio_encoder too.
    attachments: whether it holds files (fonts). starts_below_zero: whether packets before time 0 are possible, as the
    edit list of MP4 has them. options: of the muxer.
    """

    name: str
    muxer: str
    codecs: tuple[str, ...]
    text_codec: str
    audio_encoder: str
    attachments: bool
    starts_below_zero: bool
    lossless_audio: str | None = None
    options: tuple[tuple[str, str], ...] = ()

    @property
    def is_isobmff(self) -> bool:
        """Whether it is of the MP4 family, with sample entries, edit lists and a moov box."""
        return self.muxer in ("mp4", "mov")


# No numbers drawn at random and no version of the muxer: the same job makes the same file.
_EXACT = (("fflags", "+bitexact"),)

# The index goes first, so that a player on the network starts at once; colr says the colours to players that do not
# look into the bitstream.
_MOOV_FIRST = (("movflags", "+faststart+write_colr"),)

CONTAINERS = {
    ".mp4": Container("MP4", "mp4", ("h264", "hevc", "av1", "vp9"), "mov_text", "aac", False, True, None, _MOOV_FIRST),
    ".mov": Container("MOV", "mov", ("h264", "hevc"), "mov_text", "aac", False, True, "alac", _MOOV_FIRST),
    ".mkv": Container("MKV", "matroska", ("h264", "hevc", "av1", "vp9"), "subrip", "aac", True, False, "flac", _EXACT),
    ".webm": Container("WebM", "webm", ("av1", "vp9"), "webvtt", "libopus", False, False, None, _EXACT),
}


# What a segment of a job is written to: NUT keeps any time exactly and packets as the encoder gave them.
SEGMENT = Container(
    "NUT", "nut", ("h264", "hevc", "av1", "vp9"), "", "", False, False, None, (("avoid_negative_ts", "disabled"),)
)


def container_for(target: Path) -> Container:
    """The format that the name's ending asks for. Raises OutputError for an ending that none has."""
    try:
        return CONTAINERS[target.suffix.lower()]
    except KeyError:
        ending = target.suffix or "no ending"
        raise OutputError(
            f"{target.name}: cannot tell the file format from {ending}; use one of {', '.join(CONTAINERS)}"
        ) from None
