"""Target size of a result, and its bit rate."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import cast

from av.audio.codeccontext import AudioCodecContext
from av.stream import AttachmentStream, Discard, Stream

from framebrush.base.text import count_of
from framebrush.gpu.errors import SMALLER_RESULT
from framebrush.media.containers import Container
from framebrush.media.reading.open import open_media, packets
from framebrush.media.reading.sound_decoding import layout_of
from framebrush.media.streams.stream_conversion import LOSSLESS, LOSSY_BITS_PER_CHANNEL, layout_for
from framebrush.media.streams.stream_plan import Item
from framebrush.media.streams.stream_timing import expected_end
from framebrush.media.video import OutputError, TimeRange, VideoInfo

MARGIN = Fraction(4, 100)
"""Reserve for encoders that exceed their rate, as a mail server's limit is absolute."""

HEAD_BYTES, PACKET_BYTES = 8192, 16
"""Bytes of a container's header with provenance, and of a packet in its tables."""

LEAST_BITS_PER_PIXEL = Fraction(1, 50)
"""Bits per pixel below which encoders' coarsest quantisers decide: 1 Mbit/s for 1080p at 25 fps."""

MOST_BITS_PER_PIXEL = 12
"""Bits per pixel of uncompressed 8-bit 4:2:0, more than encoders need."""

LEAST_SAMPLES = 960
"""Least samples of an AAC or Opus packet: 20 ms."""

_LOWER = 0.98
"""Factor below the proportional size for the next try."""

_LEAST_FOLLOWED = 0.25
"""Least assumed response of an encoder to its rate."""

_UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
_SIZE = re.compile(rf"(\d{{1,6}}(?:\.\d{{1,3}})?)({'|'.join(_UNITS)})", re.ASCII)


def parse_size(text: str) -> int:
    """Parse a size such as "25MB", "1.5GB", "200KiB". Raises ValueError."""
    match = _SIZE.fullmatch(text)
    size = 0 if match is None else math.floor(Fraction(match[1]) * _UNITS[match[2]])
    if not size:
        raise ValueError(f"'{text[:40]}' is not a size: give a number with {', '.join(_UNITS)}, such as 25MB")
    return size


def size_text(size_bytes: int) -> str:
    """Format a size for `parse_size`."""
    unit = "KB" if size_bytes < 10**9 else "MB"
    whole, rest = divmod(1000 * size_bytes // _UNITS[unit], 1000)
    return f"{whole}.{rest:03}{unit}"


def size_words(size_bytes: int) -> str:
    """Format a size in megabytes."""
    return f"{size_bytes / 1e6:.4g} MB"


class TooSmallError(OutputError):
    """Target size below the minimum, least_bytes."""

    def __init__(self, cause: str, exact_bytes: int, least_bytes: int) -> None:
        super().__init__(cause, do=f"give that, or {SMALLER_RESULT}")
        self.exact_bytes, self.least_bytes = exact_bytes, least_bytes


def next_aim(tries: Sequence[tuple[int, int]], target_bytes: int) -> int:
    """Return the next size to aim at, after too large (aim, result) tries."""
    aim, size = tries[-1]
    follows = 1.0
    if len(tries) > 1:
        former_aim, former_size = tries[-2]
        follows = math.log(former_size / size) / math.log(former_aim / aim)
    step: float = (target_bytes / size * _LOWER) ** (1 / min(1.0, max(_LEAST_FOLLOWED, follows)))
    return int(aim * step)


@dataclass(frozen=True, slots=True)
class Beside:
    """Parts of a result besides its picture."""

    size_bytes: int = 0
    packets: int = 0
    packet_bytes: int = PACKET_BYTES
    payload: Fraction = Fraction(1)


NOTHING = Beside()


def picture_rate(
    target_bytes: int, info: VideoInfo, pixels: int, span: TimeRange, beside: Beside, *, before: int = 0
) -> int:
    """Return the picture's bit rate. Raises TooSmallError, OutputError.

    before: frames ahead of the source's.
    """
    rate = info.usual_rate
    frames = expected_frames(info, span)
    if frames is None:
        raise OutputError(f"{info.name} has no known length, which a target size needs", do="give --end or --frames")
    frames += before
    overhead = HEAD_BYTES + beside.packet_bytes * frames + PACKET_BYTES * beside.packets + beside.size_bytes
    left_bits: Fraction = 8 * (target_bytes * (1 - MARGIN) * beside.payload - overhead)
    least_bits = LEAST_BITS_PER_PIXEL * pixels * frames
    if left_bits < least_bits:
        exact = math.ceil((least_bits / 8 + overhead) / (1 - MARGIN) / beside.payload)
        least = -(-exact // 100_000) * 100_000
        sound = f", {size_words(beside.size_bytes)} of which is sound and text" if beside.packets else ""
        raise TooSmallError(
            f"a target size of {size_words(target_bytes)} is too small for {count_of(frames, 'frame')}, which take at "
            f"least {size_words(least)}{sound}",
            exact,
            least,
        )
    bits = min(left_bits, Fraction(MOST_BITS_PER_PIXEL * pixels * frames))
    return int(bits / frames * rate)


def expected_frames(info: VideoInfo, span: TimeRange) -> int | None:
    """Return the expected number of frames, if known."""
    if info.frame_count is not None:
        return max(1, info.frame_count)
    rate = info.usual_rate
    begin_s = info.seconds_of(span.start) if span.start is not None else Fraction(0)
    lasts_s = expected_end(info, span, info.start_s + begin_s)
    if info.duration_s is not None:
        left_s = Fraction(info.duration_s) - begin_s
        lasts_s = left_s if lasts_s is None else min(lasts_s, left_s)
    return None if lasts_s is None else max(1, round(lasts_s * rate))


def measure_beside(info: VideoInfo, container: Container, items: Sequence[Item], span: TimeRange) -> Beside:
    """Measure other streams and overhead. Raises InputError."""
    alone = Beside(0, 0, container.packet_bytes, container.payload)
    if info.path is None or not items:
        return alone
    with open_media(info.path, info.opening) as source:
        begin_s = info.start_s + (info.seconds_of(span.start) if span.start is not None else 0)
        lasts_s = expected_end(info, span, begin_s)
        frames, rate = expected_frames(info, span) or 0, info.usual_rate
        size = number = 0
        counted: list[Stream] = []
        for item in items:
            stream = source.streams[item.index]
            if isinstance(stream, AttachmentStream):
                size += len(stream.data or b"")
            elif item.encoder and item.encoder not in LOSSLESS:
                sound = cast(AudioCodecContext, stream.codec_context)
                channels = layout_for(item.encoder, layout_of(sound)).nb_channels
                size += math.ceil(LOSSY_BITS_PER_CHANNEL * channels * frames / rate / 8)
                number += math.ceil(sound.sample_rate * frames / rate / LEAST_SAMPLES)
            else:
                counted.append(stream)
        for stream in source.streams:
            stream.discard = Discard.default if stream in counted else Discard.all
        for packet in packets(source, counted) if counted else ():
            at_s = None if packet.pts is None else packet.pts * packet.time_base
            is_early = at_s is not None and span.start is not None and at_s < begin_s
            is_late = at_s is not None and lasts_s is not None and at_s >= begin_s + lasts_s
            if not is_early and not is_late:
                size, number = size + packet.size, number + 1
    return replace(alone, size_bytes=size, packets=number)
