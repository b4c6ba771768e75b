"""Small clips in every FFmpeg format, and damage to them."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from assets.make_clips import CLIPS
from tests.media import photographs

FRAMES = 24
SIZE = (96, 64)

# name: container options, video encoder with its pixel format and options, encoders of sound
_MADE: dict[str, tuple[dict[str, str], str, str, dict[str, str], tuple[str, ...]]] = {
    "h264.mp4": (
        {"movflags": "faststart"},
        "libx264",
        "yuv420p",
        {"preset": "ultrafast", "bf": "2", "b-adapt": "0"},
        ("aac",),
    ),
    "fragments.mp4": ({"movflags": "frag_keyframe+empty_moov"}, "libx264", "yuv420p", {"g": "8"}, ("aac",)),
    "hevc.mkv": ({}, "libx265", "yuv420p10le", {"preset": "ultrafast", "x265-params": "log-level=none"}, ("libopus",)),
    "prores.mov": ({}, "prores_ks", "yuv422p10le", {}, ("pcm_s16le",)),
    "vp9.webm": ({}, "libvpx-vp9", "yuv420p", {"deadline": "realtime", "cpu-used": "8"}, ("libopus",)),
    "vp8.webm": ({}, "libvpx", "yuv420p", {"deadline": "realtime"}, ("libopus",)),
    "mpeg4.avi": ({}, "mpeg4", "yuv420p", {}, ("ac3",)),
    "ffv1.mkv": ({}, "ffv1", "yuv420p", {}, ("flac",)),
    "h264.ts": ({}, "libx264", "yuv420p", {"preset": "ultrafast", "bf": "2", "b-adapt": "0"}, ("aac", "ac3")),
    "mpeg2.mpg": ({}, "mpeg2video", "yuv420p", {"bf": "2"}, ("mp2",)),
    "h264.flv": ({}, "libx264", "yuv420p", {"preset": "ultrafast"}, ("aac",)),
    "wmv2.wmv": ({}, "wmv2", "yuv420p", {}, ("wmav2",)),
    "motion.gif": ({}, "gif", "rgb8", {}, ()),
    "motion.apng": ({}, "apng", "rgb24", {}, ()),
    "motion.y4m": ({}, "wrapped_avframe", "yuv420p", {}, ()),
    "vp8.ivf": ({}, "libvpx", "yuv420p", {"deadline": "realtime"}, ()),
    "mpeg4.nut": ({}, "mpeg4", "yuv420p", {}, ("flac",)),
    "mjpeg.mov": ({}, "mjpeg", "yuvj420p", {}, ()),
}
_TAKEN = ("extras.mkv", "extras.mp4", "edit-list.mp4", "interlaced.mp4", "av1.mp4", "open-gop.ts", "raw.h264", "pq.mp4")


def make_all(folder: Path) -> list[Path]:
    """Write a clip for each encoder."""
    made = []
    for name, (container, encoder, pix_fmt, options, sounds) in _MADE.items():
        path = folder / name
        try:
            _make(path, container, encoder, pix_fmt, options, sounds)
        except (av.codec.codec.UnknownCodecError, av.error.FFmpegError, ValueError):
            path.unlink(missing_ok=True)
            continue
        made.append(path)
    for name in _TAKEN:
        path = folder / f"clip-{name}"
        path.write_bytes((CLIPS / name).read_bytes())
        made.append(path)
    grid = np.add.outer(np.arange(SIZE[1]), np.arange(SIZE[0])).astype(np.uint8)
    for kind, photograph in photographs.WRITERS.items():
        path = folder / f"photograph.{kind}"
        path.write_bytes(photograph(np.stack([grid] * 3, axis=-1), 6))
        made.append(path)
    return made


def _make(
    path: Path, container: dict[str, str], encoder: str, pix_fmt: str, options: dict[str, str], sounds: tuple[str, ...]
) -> None:
    with av.open(str(path), "w", container_options=container) as out:
        picture = out.add_stream(encoder, rate=25, options=options)
        picture.width, picture.height, picture.pix_fmt = *SIZE, pix_fmt
        tracks = [out.add_stream(name, rate=48000) for name in sounds]
        shapers = [
            av.AudioResampler(t.codec_context.format, "stereo", 48000, t.codec_context.frame_size) for t in tracks
        ]
        grid = np.add.outer(np.arange(SIZE[1]), np.arange(SIZE[0]))
        for number in range(FRAMES):
            rgb = np.stack([grid * 2 + 9 * number, grid + 3 * number, 255 - grid], axis=-1).astype(np.uint8)
            frame = av.VideoFrame.from_ndarray(rgb, "rgb24").reformat(format=pix_fmt)
            frame.pts, frame.time_base = number, Fraction(1, 25)
            out.mux(picture.encode(frame))
            for track, shaper in zip(tracks, shapers, strict=True):
                wave = (9000 * np.sin(np.arange(1920) / 9)).astype(np.int16)
                sound = av.AudioFrame.from_ndarray(np.repeat(wave, 2)[None], "s16", "stereo")
                sound.sample_rate, sound.pts, sound.time_base = 48000, 1920 * number, Fraction(1, 48000)
                for piece in shaper.resample(sound):
                    out.mux(track.encode(piece))
        for stream in (picture, *tracks):
            out.mux(stream.encode(None))


Damage = Callable[[bytearray, random.Random, list[bytes]], bytearray]


def _bits(data: bytearray, chance: random.Random, _: list[bytes]) -> bytearray:
    for _ in range(chance.choice([1, 4, 16, 64])):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return data


def _header_bits(data: bytearray, chance: random.Random, _: list[bytes]) -> bytearray:
    end = min(len(data), chance.choice([64, 512, 2048]))
    for _ in range(chance.choice([1, 2, 8])):
        at = chance.randrange(end)
        data[at if chance.random() < 0.7 else -1 - at] = chance.randrange(256)
    return data


def _truncate(data: bytearray, chance: random.Random, _: list[bytes]) -> bytearray:
    return data[: chance.randrange(1, len(data))]


def _remove(data: bytearray, chance: random.Random, _: list[bytes]) -> bytearray:
    begin, end = sorted(chance.randrange(len(data)) for _ in range(2))
    del data[begin : min(end, begin + chance.choice([1, 188, 4096, len(data)]))]
    return data


def _double(data: bytearray, chance: random.Random, _: list[bytes]) -> bytearray:
    begin, end = sorted(chance.randrange(len(data)) for _ in range(2))
    data[begin:begin] = data[begin:end]
    return data


def _blank(data: bytearray, chance: random.Random, _: list[bytes]) -> bytearray:
    begin = chance.randrange(len(data))
    end = min(len(data), begin + chance.choice([4, 64, 1024, 8192]))
    data[begin:end] = bytes([chance.choice([0, 255])]) * (end - begin)
    return data


def _size_fields(data: bytearray, chance: random.Random, _: list[bytes]) -> bytearray:
    for _ in range(chance.choice([1, 2, 4])):
        at = chance.randrange(max(1, len(data) - 8))
        number = chance.choice([0, 1, 7, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, chance.randrange(1 << 32)])
        struct.pack_into(chance.choice([">I", "<I"]), data, min(at, max(0, len(data) - 4)), number)
    return data


def _join(data: bytearray, chance: random.Random, others: list[bytes]) -> bytearray:
    return data + chance.choice(others)


def _shuffle(data: bytearray, chance: random.Random, _: list[bytes]) -> bytearray:
    size = chance.choice([188, 512, 4096])
    blocks = [data[at : at + size] for at in range(0, len(data), size)]
    first, second = chance.randrange(len(blocks)), chance.randrange(len(blocks))
    blocks[first], blocks[second] = blocks[second], blocks[first]
    return bytearray(b"".join(blocks))


DAMAGES: tuple[Damage, ...] = (
    _bits, _header_bits, _truncate, _remove, _double, _blank, _size_fields, _join, _shuffle,
)  # fmt: skip


def damaged(clip: bytes, others: list[bytes], chance: random.Random) -> bytes:
    data = bytearray(clip)
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        data = chance.choice(DAMAGES)(data or bytearray(1), chance, others)
    return bytes(data) or b"\0"
