"""What becomes of each stream beside the picture, decided before the work."""

from __future__ import annotations

import io
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import av
from av.container import InputContainer
from av.packet import Packet
from av.stream import AttachmentStream, Discard, Disposition, Stream

from framebrush.media.containers import Container
from framebrush.media.open import packets
from framebrush.media.video import VideoInfo
from framebrush.models.text import printable

Treatment = Literal["copy", "convert", "cover", "attach"]

# How far into a file its sound is looked for before it is tried in the new container.
_PACKETS_TO_TRY, _PACKETS_IF_LATE = 1000, 20_000


@dataclass(frozen=True, slots=True)
class Item:
    """A stream of the source, by index, that comes along."""

    index: int
    treatment: Treatment


def plan_streams(
    source: InputContainer, info: VideoInfo, container: Container, audio: Literal["copy", "none"]
) -> tuple[tuple[Item, ...], tuple[str, ...], tuple[str, ...]]:
    """What becomes of each stream beside the picture, a sentence for each that is not simply copied, and one for each
    that is lost because FFmpeg cannot read it."""
    items: list[Item] = []
    said: list[str] = []
    lost: list[str] = []
    sounds = first_sounds(source) if audio == "copy" else {}
    for stream in source.streams:
        if stream.index == info.stream_index:
            continue
        treatment, words = _treatment(stream, container, audio, sounds.get(stream.index))
        if treatment is not None:
            items.append(Item(stream.index, treatment))
        if words:
            unknown = treatment is None and stream.type == "audio" and not _can_decode(stream) and audio == "copy"
            (lost if unknown else said).append(f"{stream.type} stream {stream.index} ({_name_of(stream)}) {words}")
    if container.muxer == "webm" and source.chapters():
        said.append("chapters kept; some WebM players do not show them")
    return tuple(items), tuple(said), tuple(lost)


def _name_of(stream: Stream) -> str:
    """The codec of a stream, the name of an attached file; both come from the file."""
    if isinstance(stream, AttachmentStream):
        return printable(f"{stream.name}, {stream.metadata.get('mimetype')}")
    if stream.type in ("audio", "video", "subtitle") and not _can_decode(stream):
        return "unknown"
    return printable(getattr(stream, "name", None) or "unknown")


def _can_decode(stream: Stream) -> bool:
    """PyAV gives a stream whose codec FFmpeg does not know no codec context, and says so nowhere in its types."""
    context: object = stream.codec_context
    return context is not None


def _treatment(
    stream: Stream, container: Container, audio: str, sound: Packet[Stream] | None
) -> tuple[Treatment | None, str]:
    cannot = f"{container.name} cannot hold it"
    match stream.type:
        case "video" if stream.disposition & Disposition.attached_pic and _can_decode(stream):
            if container.attachments:
                return "attach", ""
            if container.muxer == "mp4" and holds(container, stream):
                return "cover", ""
            return None, f"(cover art) left out: {cannot}"
        case "video":
            return None, "left out: only the picture that is painted is written"
        case "audio" if audio == "none":
            return None, "left out, as asked"
        case "audio" if sound is None and is_unknown(stream):
            return None, "left out: it holds no sound, or none near the beginning"
        case "audio" if holds(container, stream, sound):
            return "copy", ""
        case "audio" if not _can_decode(stream):
            return None, "left out: FFmpeg cannot decode it"
        case "audio":
            return "convert", f"encoded anew with {container.audio_encoder}: {cannot}"
        case "subtitle" if holds(container, stream):
            return "copy", ""
        case "subtitle" if _can_decode(stream) and stream.codec_context.codec.text_sub:
            return "convert", f"converted to {container.text_codec}: {cannot}"
        case "attachment" if container.attachments:
            return "copy", ""
        case "data" if stream.discard == Discard.all:
            return None, ""  # the text track in which MP4 keeps its chapters, which are carried as chapters
        case "data":
            return None, "left out: data, such as timecodes, do not come along"
    return None, f"left out: {cannot}"


def holds(container: Container, stream: Stream, packet: Packet[Stream] | None = None) -> bool:
    """Whether the format takes this very stream, found by writing a file of it to memory.

    packet: one of the stream, with which MP4 comes to what it checks only when it completes a file.
    """
    trial = av.open(io.BytesIO(), "w", format=container.muxer)
    try:
        target = trial.add_stream_from_template(stream, opaque=True)
        trial.start_encoding()
        if packet is not None:
            packet.stream, packet.pts, packet.dts = target, 0, 0
            trial.mux(packet)
            trial.close()
    except (av.FFmpegError, ValueError):
        return False
    return True


def first_sounds(source: InputContainer) -> dict[int, Packet[Stream]]:
    """The first packet of each audio stream that has one near the beginning of the file.

    Reading them also tells FFmpeg the parameters of sound that begins late.
    """
    wanted = {stream.index for stream in source.streams.audio}
    found: dict[int, Packet[Stream]] = {}
    if wanted:
        late = any(is_unknown(stream) for stream in source.streams.audio)
        for packet in islice(packets(source, list(source.streams)), _PACKETS_IF_LATE if late else _PACKETS_TO_TRY):
            if packet.stream_index in wanted:
                found.setdefault(packet.stream_index, packet)
            if len(found) == len(wanted):
                break
    return found


def is_unknown(stream: Stream) -> bool:
    """Whether a stream's sound did not begin in that part of the file that FFmpeg looks at when it opens it."""
    return stream.type == "audio" and _can_decode(stream) and not getattr(stream.codec_context, "sample_rate", 0)
