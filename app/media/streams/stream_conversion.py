"""Conversion of sound and subtitles."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import cast

import av
from av.audio.codeccontext import AudioCodecContext
from av.audio.frame import AudioFrame
from av.audio.layout import AudioLayout
from av.audio.stream import AudioStream
from av.container import OutputContainer
from av.filter import Graph
from av.packet import Packet
from av.stream import Stream
from av.subtitles.codeccontext import SubtitleCodecContext
from av.subtitles.stream import SubtitleStream

from framebrush.media.filters import sound_filter, through
from framebrush.media.reading.sound_decoding import SoundDecoder, layout_of

_FEW = ("mono", "stereo", "3.0")
_LAYOUTS = {
    # Vorbis order, mapping family 1 (RFC 7845, 5.1.1.2). FFmpeg 8.1 mixes up channels of 5.0 and 6.1.
    "libopus": (*_FEW, "quad", "5.1", "7.1"),
    "alac": (*_FEW, "4.0", "5.0", "5.1", "6.1(back)", "7.1(wide)"),
    "aac": (*_FEW, "4.0", "5.0", "5.1", "7.1"),  # layouts with a number; few players know others
}
"""Layouts of encoders; others accept any."""
FLAC_USUAL = {3: "3.0", 4: "quad", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1"}
"""FLAC's layouts by number of channels, without a comment (RFC 9639, 9.1.3)."""
PCM_USUAL = {3: "2.1", 4: "4.0", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1"}
"""FFmpeg's layouts of PCM by number of channels."""

_SIDES = {"SL": "BL", "SR": "BR"}
_NOWHERE = {"NONE", "UNK", "UNSD"}  # FFmpeg's names of channels without a place
_OPUS_RATE = 48000  # of its clock, for any input (RFC 7845, 4)
PCM = {"pcm_s16le": "s16", "pcm_s24le": "s32"}
PCM_BITS = {"pcm_s16le": 16, "pcm_s24le": 24}
PCM_RATE = 48000
_FROM_ZERO = ("aresample", {"async": "1", "min_comp": "0.005", "min_hard_comp": "0.01", "first_pts": "0"})
"""Filter to gapless frames from time 0, with silence for missing sound; rounding of containers is no gap."""
LOSSLESS = ("flac", "alac")
# rates with a number in its header (ISO/IEC 14496-3, 1.6.3.4)
_AAC_RATES = (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000)
LOSSY_BITS_PER_CHANNEL = 96_000  # explicit, as results of given size depend on it


def layout_for(encoder: str, source: AudioLayout) -> AudioLayout:
    """Return an encoder's channel layout for a source.

    The same; else the smallest with its channels; else a downmix, or stereo.
    """
    takes = [AudioLayout(name) for name in _LAYOUTS.get(encoder, (*_FEW, "4.0", "5.0", "5.1", "7.1"))]
    ordered = sorted(takes, key=lambda layout: layout.nb_channels)
    own = places(source)
    if own is not None and encoder not in _LAYOUTS:
        return source
    if own is not None:
        holding = (layout for layout in ordered if own <= (places(layout) or own))
        smaller = [layout for layout in ordered if layout.nb_channels <= source.nb_channels]
        return next(holding, smaller[-1])
    return next((layout for layout in ordered if layout.nb_channels == source.nb_channels), AudioLayout("stereo"))


def layout_words(encoder: str, source: AudioLayout) -> str:
    """Describe a change of channels, "" for none."""
    becomes = layout_for(encoder, source)
    if becomes.nb_channels < source.nb_channels:
        return f"; its {source.nb_channels} channels are mixed down to {becomes.name}"
    named = places(source) is not None
    return f"; {source.name} becomes {becomes.name}" if named and places(source) != places(becomes) else ""


def places(layout: AudioLayout) -> frozenset[str] | None:
    """Return channels' positions, if known; lone sides count as back."""
    names = {channel.name for channel in layout.channels}
    if (
        names & _NOWHERE
        or len(names) < layout.nb_channels
        or not all(name.isalpha() and name.isupper() for name in names)
    ):
        return None
    if names.isdisjoint({"BL", "BR"}):
        names = {_SIDES.get(name, name) for name in names}
    return frozenset(names)


class Copier:
    """Copier of packets. target: output stream. failed: undecodable packets."""

    def __init__(self, target: Stream) -> None:
        self.target = target
        self.failed = 0

    def convert(self, packet: Packet[Stream]) -> list[Packet[Stream]]:
        """Return the packets that one packet completes."""
        packet.stream = self.target
        return [packet]

    def flush(self) -> list[Packet[Stream]]:
        """Return the last packets."""
        return []


class TextConverter(Copier):
    """Converter of text subtitles."""

    def __init__(self, out: OutputContainer, stream: SubtitleStream, codec: str) -> None:
        self._decoder = stream.codec_context
        self._decoder.open(strict=False)
        super().__init__(out.add_stream(codec))
        self.target.time_base = stream.time_base
        self._encoder = cast(SubtitleCodecContext, self.target.codec_context)
        self._encoder.subtitle_header = self._decoder.subtitle_header

    def convert(self, packet: Packet[Stream]) -> list[Packet[Stream]]:
        try:
            text = self._decoder.decode2(packet)
            encoded = self._encoder.encode_subtitle(text) if text is not None and len(text) else None
        except (av.FFmpegError, ValueError):
            self.failed += 1
            return []
        if encoded is None or not encoded.size:
            return []
        encoded.pts, encoded.dts, encoded.duration = packet.pts, packet.dts, packet.duration
        encoded.time_base = packet.time_base
        encoded.stream = self.target
        return [encoded]


class SoundEncoder:
    """Sound encoder and its output stream."""

    def __init__(
        self, out: OutputContainer, encoder: str, rate: int, layout: AudioLayout, sample_bytes: int = 0
    ) -> None:
        """Open FFmpeg's encoder. sample_bytes: minimum, if lossless."""
        self.target: Stream = out.add_stream(encoder, rate=rate)
        self.context = context = cast(AudioCodecContext, self.target.codec_context)
        context.layout = layout
        if encoder in LOSSLESS:
            takes = [form for form in context.codec.audio_formats or () if form.bytes >= sample_bytes]
            context.format = min(takes, key=lambda form: form.bytes)
        if encoder in PCM:
            context.format = PCM[encoder]
        context.bit_rate = LOSSY_BITS_PER_CHANNEL * context.layout.nb_channels
        context.open()
        self._resampler = self._new_resampler()

    def _new_resampler(self) -> av.AudioResampler:
        encoder = self.context
        return av.AudioResampler(encoder.format, encoder.layout, encoder.sample_rate, encoder.frame_size or None)

    def resampled(self, frame: AudioFrame | None) -> list[AudioFrame]:
        """Resample sound; None drains. Raises FFmpegError."""
        try:
            return self._resampler.resample(frame)
        except ValueError:  # the sound's form changes
            pieces = self._resampler.resample(None)
            self._resampler = self._new_resampler()
            return pieces + self._resampler.resample(frame)

    def encoded(self, pieces: Iterable[AudioFrame | None]) -> list[Packet[Stream]]:
        """Encode resampled sound; None drains. Raises FFmpegError."""
        packets = [packet for piece in pieces for packet in self.context.encode(piece)]
        for packet in packets:
            packet.stream = self.target
        return packets


class AudioConverter(Copier):
    """Converter of sound from time 0; PCM's gaps become silence."""

    film_s = Fraction(0)

    def __init__(self, out: OutputContainer, stream: Stream, encoder: str) -> None:
        source = cast(AudioStream, stream).codec_context
        self._decoder = SoundDecoder(source)
        if encoder == "libopus":
            rate = _OPUS_RATE
        elif encoder in PCM:
            rate = PCM_RATE
        else:
            keeps = encoder in LOSSLESS or source.sample_rate in _AAC_RATES
            rate = source.sample_rate if keeps else _OPUS_RATE
        sample_bytes = source.format.bytes if encoder in LOSSLESS else 0
        self._encoder = SoundEncoder(out, encoder, rate, layout_for(encoder, layout_of(source)), sample_bytes)
        super().__init__(self._encoder.target)
        self._from_zero = None
        if encoder in PCM:
            context = self._encoder.context
            self._from_zero = sound_filter(rate, context.format, context.layout, Fraction(1, rate), _FROM_ZERO)
        self._heard = 0  # samples so far
        self._last_dts = -(1 << 63)

    def convert(self, packet: Packet[Stream]) -> list[Packet[Stream]]:
        """Convert a packet; damaged ones leave a gap."""
        try:
            heard = self._decoder.decode(packet)
            if self._from_zero is None:
                heard = [frame for frame in heard if (frame.pts or 0) >= 0]
            return self._in_order([out for frame in heard for out in self._encoder.encoded(self._pieces(frame))])
        except (av.FFmpegError, ValueError):
            self.failed += 1
            return []

    def flush(self) -> list[Packet[Stream]]:
        packets: list[Packet[Stream]] = []
        try:
            for frame in [*self._decoder.decode(None), None]:
                packets += self._encoder.encoded(self._pieces(frame))
            if self._from_zero is not None:
                packets += self._encoder.encoded([*self._silence(), *_through(self._from_zero, None)])
            packets += self._encoder.encoded([None])
        except (av.FFmpegError, ValueError):
            self.failed += 1
        return self._in_order(packets)

    def _silence(self) -> Iterator[AudioFrame]:
        last = math.ceil(self.film_s * PCM_RATE) - 1
        if self._from_zero is None or last < self._heard:
            return
        encoder = self._encoder.context
        frame = AudioFrame(encoder.format.name, encoder.layout.name, 1)
        frame.sample_rate, frame.pts, frame.time_base = PCM_RATE, last, Fraction(1, PCM_RATE)
        for plane in frame.planes:
            plane.update(bytes(plane.buffer_size))
        yield from _through(self._from_zero, frame)

    def _pieces(self, frame: AudioFrame | None) -> list[AudioFrame]:
        pieces = self._encoder.resampled(frame)
        if self._from_zero is not None:
            pieces = [whole for piece in pieces for whole in _through(self._from_zero, piece)]
            self._heard += sum(piece.samples for piece in pieces)
        return pieces

    def _in_order(self, packets: list[Packet[Stream]]) -> list[Packet[Stream]]:
        kept = []
        for packet in packets:
            if packet.dts is not None and packet.dts <= self._last_dts:
                self.failed += 1  # sound was cut: the encoder's times would go back
                continue
            self._last_dts = packet.dts if packet.dts is not None else self._last_dts
            kept.append(packet)
        return kept


def _through(graph: Graph, frame: AudioFrame | None) -> Iterator[AudioFrame]:
    if frame is not None and frame.pts is not None and frame.time_base is not None:
        frame.pts, frame.time_base = round(frame.pts * frame.time_base * PCM_RATE), Fraction(1, PCM_RATE)
    return through(graph, frame)
