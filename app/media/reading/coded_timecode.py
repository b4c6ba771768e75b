"""Timecode of the first frame in the bitstream."""

from __future__ import annotations

import struct
from fractions import Fraction
from itertools import islice
from pathlib import Path

from av.video.frame import VideoFrame

from framebrush.media.reading.open import open_media, packets
from framebrush.media.reading.timecode import Timecode
from framebrush.media.side_data import side_data
from framebrush.media.video import InputError, OpenOptions

_WITH_GROUPS = ("mpeg1video", "mpeg2video")
_MOST_PACKETS = 100  # enough to reach the first group header of a recording that starts within a group
_GROUP, _PICTURE = b"\0\0\1\xb8", b"\0\0\1\0"


def coded_timecode(
    frame: VideoFrame, time_s: Fraction, rate: Fraction, codec: str, path: Path, opening: OpenOptions, stream_index: int
) -> str | None:
    """Return the first shown frame's timecode, unless zero. time_s: file time."""
    if codec in _WITH_GROUPS:  # FFmpeg attaches the timecodes of one-picture groups to the previous frame
        return _of_groups(time_s, rate, path, opening, stream_index)
    data = side_data(frame, "S12M_TIMECODE")
    if data is None:
        return None
    count, word = struct.unpack_from("=2I", data)
    return _said(_of_smpte(word, rate)) if count else None


def _of_groups(time_s: Fraction, rate: Fraction, path: Path, opening: OpenOptions, stream_index: int) -> str | None:
    try:
        with open_media(path, opening) as source:
            for packet in islice(packets(source, [source.streams[stream_index]]), _MOST_PACKETS):
                _, header, data = bytes(packet).partition(_GROUP)
                if not header or len(data) < 4:
                    continue
                bits = int.from_bytes(data[:4], "big") >> 7
                picture = data.partition(_PICTURE)[2]
                is_first = packet.pts is not None and packet.pts * packet.time_base == time_s
                skipped = int.from_bytes(picture[:2], "big") >> 6 if is_first else 0
                text = _said(_of_group(bits))
                start = Timecode.parsed(text, rate) if text else None
                return text if start is None else str(start.after(skipped))
    except InputError:
        return None
    return None


def _said(text: str) -> str | None:
    return text if text.strip("0:;") else None


def _of_group(bits: int) -> str:
    hours, minutes, seconds, frames = bits >> 19 & 31, bits >> 13 & 63, bits >> 6 & 63, bits & 63
    return f"{hours:02}:{minutes:02}:{seconds:02}{';' if bits >> 24 & 1 else ':'}{frames:02}"


def _of_smpte(word: int, rate: Fraction) -> str:
    frames, seconds, minutes, hours = (
        _decimal(word >> shift & mask) for shift, mask in ((24, 0x3F), (16, 0x7F), (8, 0x7F), (0, 0x3F))
    )
    if rate > 30:  # counts frame pairs, with a flag for the second frame (ST 12-1, 12.1)
        frames = 2 * frames + (word >> (7 if rate == 50 else 23) & 1)
    return f"{hours:02}:{minutes:02}:{seconds:02}{';' if word >> 30 & 1 else ':'}{frames:02}"


def _decimal(digits: int) -> int:
    return 10 * (digits >> 4) + (digits & 15)
