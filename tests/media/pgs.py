"""Film with PGS subtitles, which FFmpeg cannot encode."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import av

from tests.media.subtitle_clips import CLIPS

WIDTH, HEIGHT = 160, 96
X, Y = 40, 72
WHITE = {0: (16, 128, 128, 0), 1: (235, 128, 128, 255), 2: (16, 128, 128, 255)}
"""Y', Cr, Cb and alpha by palette index."""


def _segment(kind: int, content: bytes) -> bytes:
    return bytes([kind]) + len(content).to_bytes(2, "big") + content


def _two(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(2, "big") for number in numbers)


def shown(colours: Mapping[int, tuple[int, int, int, int]] = WHITE) -> bytes:
    """Return a display set with four by two pixels: 0 1 1 0, and 2 2 2 2."""
    composition = _two(WIDTH, HEIGHT) + b"\x10" + _two(0) + b"\x80\x00\x00\x01" + _two(0) + b"\x00\x00" + _two(X, Y)
    windows = b"\x01\x00" + _two(X, Y, 4, 2)
    palette = b"\x00\x00" + b"".join(bytes([index, *values]) for index, values in colours.items())
    rows = b"\x00\x01" + b"\x01\x01" + b"\x00\x01" + b"\x00\x00" + b"\x02" * 4 + b"\x00\x00"  # runs of index 0: 00 LL
    coded = _two(4, 2) + rows
    picture = _two(0) + b"\x00\xc0" + len(coded).to_bytes(3, "big") + coded
    segments = [(0x16, composition), (0x17, windows), (0x14, palette), (0x15, picture), (0x80, b"")]
    return b"".join(_segment(kind, content) for kind, content in segments)


def cleared() -> bytes:
    composition = _two(WIDTH, HEIGHT) + b"\x10" + _two(1) + b"\x00\x00\x00\x00"
    return _segment(0x16, composition) + _segment(0x17, b"\x01\x00" + _two(X, Y, 4, 2)) + _segment(0x80, b"")


def film_with_pgs(
    path: Path,
    colours: Mapping[int, tuple[int, int, int, int]] = WHITE,
    sets: Mapping[float, bytes] | None = None,
) -> Path:
    """Write a clip with a display set from 0.2 s to 0.6 s, or with `sets` by seconds."""
    sets = {0.2: shown(colours), 0.6: cleared()} if sets is None else sets
    with av.open(CLIPS / "cfr.mp4") as source, av.open(path, "w") as out:
        picture, track = out.add_stream_from_template(source.streams.video[0]), out.add_mux_stream("hdmv_pgs_subtitle")
        packets: list[av.Packet[av.stream.Stream]] = []
        for at_s, data in sets.items():
            packet = av.Packet(data)
            packet.stream, packet.time_base = track, Fraction(1, 1000)
            packet.pts = packet.dts = round(1000 * at_s)
            packets.append(packet)
        for packet in source.demux(source.streams.video[0]):
            if packet.size:
                packet.stream = picture
                packets.append(packet)
        for packet in sorted(packets, key=lambda packet: (packet.dts or 0) * packet.time_base):
            out.mux(packet)
    return path
