"""Plan for the streams besides the picture."""

from __future__ import annotations

import io
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Literal

import av
from av.audio.codeccontext import AudioCodecContext
from av.audio.layout import AudioLayout
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.packet import Packet
from av.stream import AttachmentStream, Discard, Disposition, Stream
from av.video.stream import VideoStream

from framebrush.base.text import printable
from framebrush.media.containers import Container
from framebrush.media.encoding.result_losses import Key, Loss
from framebrush.media.reading.open import can_decode, packets
from framebrush.media.reading.sound_decoding import is_in_order, layout_of
from framebrush.media.streams.stream_conversion import (
    FLAC_USUAL,
    PCM,
    PCM_BITS,
    PCM_RATE,
    PCM_USUAL,
    layout_for,
    layout_words,
    places,
)
from framebrush.media.video import VideoInfo

Treatment = Literal["copy", "convert", "cover", "attach"]

# how far into a file sound is searched before a trial
_PACKETS_TO_TRY = 1000
_PACKETS_IF_LATE = 20_000  # if FFmpeg's probing found none
PRIMING_S = Fraction(1, 5)
"""Longest priming of sound encoders."""
_MATROSKA_TICK_S = Fraction(1, 1000)  # FFmpeg's and the default TimestampScale (RFC 9559)


@dataclass(frozen=True, slots=True)
class Item:
    """Stream that is carried over. encoder: for sound."""

    index: int
    treatment: Treatment
    encoder: str = ""


@dataclass(frozen=True, slots=True)
class _Fate:
    """Plan for a stream; treatment None skips it."""

    treatment: Treatment | None
    words: str = ""
    loss: Key | None = None
    encoder: str = ""
    incomplete: bool = False


def plan_streams(
    source: InputContainer,
    info: VideoInfo,
    container: Container,
    audio: Literal["copy", "none"],
    zero_s: Fraction | None,
) -> tuple[tuple[Item, ...], tuple[str, ...], tuple[Loss, ...]]:
    """Plan other streams; return them, sentences, and losses.

    zero_s: source time that becomes 0, None for the first frame's.
    """
    items: list[Item] = []
    said: list[str] = []
    lost: list[Loss] = []
    sounds = first_sounds(source) if audio == "copy" and not container.alone else {}
    for stream in source.streams:
        if stream.index == info.stream_index or stream.disposition & Disposition.dependent:  # a tile of the picture
            continue
        if isinstance(stream, VideoStream) and _is_item(stream):
            continue
        first = sounds.get(stream.index)
        fades, cut = False, list[Loss]()
        if first is not None and zero_s is not None:  # before a trial moves the packet
            fades, cut = not keeps_priming(first, container, zero_s), cut_words(first, container, zero_s)
        fate = _fate(stream, container, audio, first)
        if fate.treatment is not None:
            items.append(Item(stream.index, fate.treatment, fate.encoder))
            lost += cut
        whose = f"{stream.type} stream {stream.index} ({_name_of(stream)})"
        if fate.loss is not None:
            lost.append(Loss(fate.loss, f"{whose} {fate.words}", fate.incomplete))
        elif fate.words:
            said.append(f"{whose} {fate.words}")
        if fate.treatment == "copy" and fades:
            lost.append(
                Loss(
                    "priming",
                    f"{whose} fades in over some 10 ms: {container.name} as written here has no place for what its "
                    "encoder wrote before 0",
                )
            )
    if not container.keeps_films and source.chapters():
        lost.append(Loss("metadata", f"the chapters ({container.name} cannot hold them)"))
    if not container.shows_chapters and source.chapters():
        said.append(f"chapters kept; some {container.name} players do not show them")
    return tuple(items), tuple(said), tuple(lost)


def _is_item(stream: VideoStream) -> bool:
    """Return whether a stream is one timeless picture."""
    timeless = stream.duration is None and stream.time_base == 1 and stream.frames == 1
    return timeless and "mov" in stream.container.format.name.split(",")


def cut_words(first: Packet[Stream], container: Container, zero_s: Fraction) -> list[Loss]:
    """Return lost sound before the picture."""
    missing_s = Fraction(0) if first.pts is None else zero_s - _audible_from_s(first, first.pts)
    if missing_s <= PRIMING_S or container.starts_below_zero:
        return []
    words = f"the first {float(missing_s):.2f} s of audio stream {first.stream_index} ({container.name} begins with"
    return [Loss("sound", f"{words} the picture)")]


def _name_of(stream: Stream) -> str:
    if isinstance(stream, AttachmentStream):
        return printable(f"{stream.name}, {stream.metadata.get('mimetype')}")
    return printable(getattr(stream, "name", None) or "unknown")


def _fate(stream: Stream, container: Container, audio: str, sound: Packet[Stream] | None) -> _Fate:
    cannot = f"{container.name} cannot hold it"
    if container.alone and not (stream.type == "audio" and audio == "none"):
        silent = stream.type == "data" and (stream.discard == Discard.all or "timecode" in stream.metadata)
        return _Fate(None) if silent else _Fate(None, f"left out: {container.name} holds only pictures", "stream")
    match stream.type:
        case "video" if stream.disposition & Disposition.attached_pic and can_decode(stream):
            if container.attachments:
                return _Fate("attach")
            if container.covers and accepts_stream(container, stream):
                return _Fate("cover")
            return _Fate(None, f"(cover art) left out: {cannot}", "stream")
        case "video":
            return _Fate(None, "left out: only the picture that is painted is written", "stream")
        case "audio" if audio == "none":
            return _Fate(None, "left out, as asked")
        case "audio" if sound is None and is_unknown(stream):
            return _Fate(None, "left out: it holds no sound, or none near the beginning")
        case "audio" if accepts_stream(container, stream, sound) and not _loses_layout(container, stream):
            return _Fate("copy")
        case "audio" if not can_decode(stream):
            return _Fate(None, "left out: FFmpeg cannot decode it", "stream", incomplete=True)
        case "audio" if container.lossless_audio is not None and has_exact_samples(stream, container):
            encoder = _pcm_encoder(stream) if container.lossless_audio in PCM else container.lossless_audio
            return _Fate("convert", f"re-encoded with {encoder}, which keeps every sample", encoder=encoder)
        # exactness matters most for samples that no encoder here keeps
        case "audio" if container.is_matroska and accepts_stream(container, stream, sound):
            return _Fate("copy", f"copied, but {container.name} does not say where its channels are heard", "sound")
        case "audio" if container.audio_encoder in PCM:
            encoder = _pcm_encoder(stream)
            form = f"{PCM_BITS[encoder]} bits and {PCM_RATE // 1000} kHz"
            words = f"converted to PCM of {form}: {container.name} as written here holds no other sound"
            words += layout_words(encoder, _layout(stream))
            if not container.records_channels and _layout(stream).nb_channels > 2:
                words += "; where its channels are heard is not recorded"
            return _Fate("convert", words, "sound", encoder)
        case "audio":
            encoder = container.audio_encoder
            words = f"re-encoded with {encoder}: {cannot}{layout_words(encoder, _layout(stream))}"
            return _Fate("convert", words, "sound", encoder)
        case "subtitle" if not can_decode(stream):
            return _Fate(None, "left out: FFmpeg does not know its form", "stream")
        case "subtitle" if accepts_stream(container, stream):
            return _Fate("copy")
        case "subtitle" if container.text_codec and stream.codec_context.codec.text_sub:
            return _Fate("convert", f"converted to {container.text_codec}: {cannot}", "subtitles")
        case "attachment" if container.attachments:
            return _Fate("copy")
        case "data" if stream.discard == Discard.all or "timecode" in stream.metadata:
            return _Fate(None)  # MP4's text track of chapters, carried over as chapters
        case "data":
            return _Fate(None, "left out: data is not carried over", "stream")
    return _Fate(None, f"left out: {cannot}", "stream")


def _loses_layout(container: Container, stream: Stream) -> bool:
    if container.is_isobmff and stream.name == "flac":
        usual = FLAC_USUAL
    elif container.is_matroska and (stream.name or "").startswith("pcm_"):
        usual = PCM_USUAL
    else:
        return False
    layout = _layout(stream)
    assumed = AudioLayout(usual[layout.nb_channels]) if layout.nb_channels in usual else layout
    return places(layout) not in (None, places(assumed))


def _sound_of(stream: Stream) -> AudioCodecContext:
    sound = stream.codec_context
    assert isinstance(sound, AudioCodecContext)
    return sound


def _layout(stream: Stream) -> AudioLayout:
    return layout_of(_sound_of(stream))


def _pcm_encoder(stream: Stream) -> str:
    sound = _sound_of(stream)
    deep = sound.codec.lossless and sound.format.bytes > 2
    return "pcm_s24le" if deep else "pcm_s16le"


def has_exact_samples(stream: Stream, container: Container) -> bool:
    """Return whether a lossless encoder keeps the samples."""
    sound = _sound_of(stream)
    if container.lossless_audio in PCM and sound.sample_rate != PCM_RATE:
        return False
    layout = layout_of(sound)
    if layout.nb_channels > 2 and layout_for(container.lossless_audio or "", layout) != layout:
        return False
    exact = ("flac", "pcm_s24le", "pcm_s24be") if container.lossless_audio in PCM else ("flac",)
    samples: object = sound.format  # None if FFmpeg does not know it yet, unlike PyAV's types say
    return getattr(samples, "name", "") in ("u8", "u8p", "s16", "s16p") or stream.name in exact


def accepts_stream(container: Container, stream: Stream, packet: Packet[Stream] | None = None) -> bool:
    """Return whether a trial file accepts a stream."""
    if container.copies is not None and stream.type != "video":
        known = stream.codec_context.codec.canonical_name if can_decode(stream) else ""
        if known not in container.copies:
            return False
    listed = isinstance(stream, AudioStream) and can_decode(stream) and not is_in_order(stream.codec_context)
    if listed and not container.own_channel_order:  # others assume FFmpeg's channel order
        return False
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
    """Return audio streams' first packets, completing FFmpeg's parameters."""
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
    """Return whether sound begins after FFmpeg's probing."""
    return stream.type == "audio" and can_decode(stream) and not getattr(stream.codec_context, "sample_rate", 0)


def is_priming(stream: Stream, begins_s: Fraction) -> bool:
    """Return whether sound before 0 is a codec's delay."""
    sound = stream.codec_context
    if not isinstance(sound, AudioCodecContext) or not sound.delay:
        return False
    return -begins_s <= Fraction(sound.delay, sound.sample_rate) + _MATROSKA_TICK_S


def keeps_priming(first: Packet[Stream], container: Container, zero_s: Fraction) -> bool:
    """Return whether the container keeps sound before the picture."""
    if first.pts is None or container.starts_below_zero:
        return True
    begins_s = first.pts * first.time_base - zero_s
    is_cut = zero_s - _audible_from_s(first, first.pts) > PRIMING_S
    return begins_s >= 0 or is_cut or is_priming(first.stream, begins_s)


def _audible_from_s(first: Packet[Stream], pts: int) -> Fraction:
    begins_s, sound = pts * first.time_base, first.stream.codec_context
    if not first.has_sidedata("skip_samples") or not isinstance(sound, AudioCodecContext) or not sound.sample_rate:
        return begins_s
    # samples that an edit list or the encoder's delay hides
    hidden_samples = int.from_bytes(bytes(first.get_sidedata("skip_samples"))[:4], "little")
    return begins_s + Fraction(hidden_samples, sound.sample_rate)
