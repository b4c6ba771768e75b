"""Metadata, languages, dispositions and timecode."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, cast

import av
from av.audio.stream import AudioStream
from av.container import InputContainer, OutputContainer
from av.packet import Packet
from av.stream import Disposition, Stream
from av.subtitles.codeccontext import SubtitleCodecContext
from av.video.stream import VideoStream

from framebrush.base.text import printable
from framebrush.media.containers import Container
from framebrush.media.encoding.result_losses import Loss

# Rewritten by the muxer, or untrue of the new file: mkvmerge's statistics, sizes, alpha. Timecode is handled
# separately.
_STALE = frozenset(
    {"bps", "duration", "number_of_bytes", "number_of_frames", "source_id"}
    | {"encoder", "handler_name", "vendor_id", "timecode", "rotate", "alpha_mode", "framebrush"}
    | {"major_brand", "minor_version", "compatible_brands"}
)
# MOV counts Macintosh languages; FFmpeg's muxer knows one code each, not always the usual one.
_MAC_LANGUAGES = {"deu": "ger", "nld": "dut", "ell": "gre", "isl": "ice", "zho": "chi", "sqi": "alb", "hye": "arm"} | {
    "kat": "geo", "bod": "tib", "mya": "bur", "msa": "may", "cym": "wel", "eus": "baq", "fre": "fra", "rum": "ron",
    "cze": "ces", "slo": "slk", "swe": "sve", "fas": "per",
}  # fmt: skip
_MARKS = (
    *("dub", "original", "comment", "lyrics", "karaoke", "forced", "hearing_impaired", "visual_impaired"),
    *("clean_effects", "captions", "descriptions"),
)
_FRAGMENTS = "+empty_moov"  # makes a header readable alone
_MOST_KEYS = 8  # in one sentence; files may have any number


@dataclass(frozen=True, slots=True)
class StreamLabels:
    """A stream's metadata and FFmpeg's dispositions."""

    metadata: dict[str, str]
    disposition: int


def carried(metadata: dict[str, str], container: Container) -> dict[str, str]:
    """Return metadata still true of the new file."""
    kept = {
        key: value
        for key, value in metadata.items()
        if key.lower().partition("-")[0] not in _STALE and not key.startswith("_STATISTICS")
    }
    if kept.get("language") == "und":
        del kept["language"]  # MP4's default
    if container.mac_languages and "language" in kept:
        kept["language"] = _MAC_LANGUAGES.get(kept["language"], kept["language"])
    if "name" in kept:
        kept.setdefault("title", kept.pop("name"))  # MP4's name for a track's title
    return kept


def with_table_of_keys(container: Container, metadata: dict[str, str]) -> Container:
    """Add a table for keys such as com.apple.quicktime.make."""
    if not container.is_isobmff or not any(key.startswith("com.") for key in metadata):
        return container
    options = dict(container.options)
    options["movflags"] += "+use_metadata_tags"
    return replace(container, options=tuple(options.items()))


def metadata_losses(
    source: InputContainer,
    picture: Stream,
    others: Sequence[Stream],
    container: Container,
    rate: Fraction,
    timecode: str | None,
) -> tuple[list[Loss], bool]:
    """Return losses of metadata, and whether timecode is kept, by a trial."""
    streams = [picture, *others]
    asked = [StreamLabels(carried(stream.metadata, container), stream.disposition) for stream in streams]
    whole = carried(source.metadata, container)
    losses: list[Loss] = []
    if container.alone:
        written: tuple[dict[str, str], list[StreamLabels]] | None = (
            {},
            [StreamLabels({}, mark.disposition) for mark in asked],
        )
    else:
        written = _trial(container, rate, whole, asked, [stream.type for stream in streams], timecode)
    found, marks = written or (whole, asked)  # at an invalid rate only the timecode is in doubt
    kept = any(key.lower() == "timecode" for key in (*marks[0].metadata, *found))
    if timecode is not None and not kept:
        losses.append(Loss("timecode", f"the timecode {printable(timecode)[:20]} ({container.name} cannot hold it)"))
    if missing := _missing(whole, found):
        losses.append(Loss("metadata", f"metadata ({_listed(missing)}: {container.name} cannot hold it)"))
    for stream, before, after in zip(streams, asked, marks, strict=True):
        names = [
            f"language {before.metadata[key]}" if key == "language" else key
            for key in _missing(before.metadata, after.metadata)
            if key != "creation_time"  # the file has its own
        ]
        lost = before.disposition & ~after.disposition
        names += [f'the mark "{mark.replace("_", " ")}"' for mark in _MARKS if Disposition[mark] & lost]
        if names:
            whose = f"{stream.type} stream {stream.index}"
            losses.append(Loss("metadata", f"metadata of {whose} ({_listed(names)}: {container.name} cannot hold it)"))
    return losses, kept


def _missing(asked: dict[str, str], found: dict[str, str]) -> list[str]:
    keys, values = {key.lower() for key in found}, set(found.values())
    return [key for key, value in asked.items() if value and key.lower() not in keys and value not in values]


def _listed(names: list[str]) -> str:
    more = [f"{len(names) - _MOST_KEYS} more"] if len(names) > _MOST_KEYS else []
    return ", ".join([*(printable(name)[:60] for name in names[:_MOST_KEYS]), *more])


def _trial(
    container: Container,
    rate: Fraction,
    whole: dict[str, str],
    streams: list[StreamLabels],
    kinds: list[str],
    timecode: str | None,
) -> tuple[dict[str, str], list[StreamLabels]] | None:
    options = dict(container.options)
    if container.is_isobmff:
        options["movflags"] += _FRAGMENTS
    memory = io.BytesIO()
    try:
        with av.open(memory, "w", format=container.muxer, container_options=options) as out:
            out.metadata.update(whole)
            for marks, kind in zip(streams, kinds, strict=True):
                stream = _stand_in(out, kind, container, rate)
                stream.metadata.update(marks.metadata)
                stream.disposition = Disposition(marks.disposition)
            if timecode is not None:
                out.streams[0].metadata["timecode"] = timecode
            out.start_encoding()
            out.mux_one(_first_packet(out.streams.video[0], rate))
            if container.writes_late:
                for sound in out.streams.audio:
                    out.mux_one(_silence(sound, rate))
        memory.seek(0)
        with av.open(memory) as written:
            found = [StreamLabels(dict(stream.metadata), stream.disposition) for stream in written.streams]
            return dict(written.metadata), found[: len(streams)]
    except (av.FFmpegError, ValueError, OSError):
        return None


def _first_packet(picture: VideoStream, rate: Fraction) -> Packet[Any]:
    packet: Packet[Any] = Packet(b"\0")
    if picture.name == "ffv1":
        (packet,) = [*picture.encode(av.VideoFrame(16, 16, "yuv420p")), *picture.encode(None)]
    packet.stream, packet.pts, packet.dts, packet.time_base = picture, 0, 0, 1 / rate
    packet.is_keyframe = True
    return packet


def _silence(sound: AudioStream, rate: Fraction) -> Packet[Any]:
    samples = math.ceil(sound.rate / rate)
    packet: Packet[Any] = Packet(bytes(samples * sound.channels * 2))
    packet.stream, packet.pts, packet.dts, packet.time_base = sound, 0, 0, Fraction(1, sound.rate)
    packet.duration = samples
    return packet


def _stand_in(out: OutputContainer, kind: str, container: Container, rate: Fraction) -> Stream:
    if kind == "video":
        codec, pix_fmt = container.stand_in
        picture = cast(VideoStream, out.add_stream(codec, rate=rate))
        picture.width, picture.height, picture.pix_fmt = 16, 16, pix_fmt
        return picture
    if kind == "audio":
        return out.add_stream(container.audio_encoder, rate=48000)
    text = out.add_stream(container.text_codec)
    cast(SubtitleCodecContext, text.codec_context).subtitle_header = _ASS_HEADER
    return text


_ASS_HEADER = (
    b"[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name\nStyle: Default\n\n[Events]\nFormat: Text\n"
)
