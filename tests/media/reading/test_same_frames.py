"""Ranges show the whole film's frames: counted as displayed, even if packets yield no picture."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from hashlib import blake2b
from pathlib import Path

import av
import numpy as np
import pytest
from av.packet import Packet
from av.video.codeccontext import VideoCodecContext
from av.video.stream import VideoStream

from assets.make_clips import CLIPS
from framebrush.media.reading.reader import Reader
from framebrush.media.video import Position, TimeRange, VideoFrame
from framebrush.playback.reading.reading_process import ReadingProcess
from tests.clips import each_name

pytestmark = pytest.mark.media

FRAMES = 60
RANGES = 20
VOP = b"\0\0\1\xb6"


def seen(frame: VideoFrame) -> tuple[int, int, bytes]:
    samples = blake2b(digest_size=16)
    for plane in frame.host.planes:
        samples.update(np.ascontiguousarray(plane))
    return frame.number, frame.pts, samples.digest()


def whole_and_ranges(path: Path, ranges: int = RANGES) -> int:
    """Compare ranges with the whole, and return how many frames that has."""
    with Reader(path) as reader:
        whole = [seen(frame) for frame in reader]
        assert reader.lost_frames == 0
    assert [number for number, _, _ in whole] == list(range(len(whole)))
    chance = random.Random(path.name)
    for _ in range(ranges):
        start = chance.randrange(len(whole))
        count = chance.randint(1, 5)
        span = TimeRange(Position(Fraction(start), "frame"), frames=count)
        with Reader(path, span) as reader:
            assert [seen(frame) for frame in reader] == whole[start : start + count]
            assert reader.lost_frames == 0
            assert reader.info.frame_count in (None, len(whole[start : start + count]))
    return len(whole)


@each_name
def test_every_clip(name: str) -> None:
    whole_and_ranges(CLIPS / name)


def encoded(codec: str, options: dict[str, str], size: tuple[int, int] = (64, 48)) -> Iterator[Packet[VideoStream]]:
    """A square that moves over noise."""
    encoder = av.CodecContext.create(codec, "w")
    assert isinstance(encoder, VideoCodecContext)
    encoder.width, encoder.height, encoder.pix_fmt = *size, "yuv420p"
    encoder.time_base, encoder.framerate, encoder.options = Fraction(1, 25), Fraction(25), options
    encoder.thread_count = 1
    noise = np.random.default_rng(1).integers(0, 256, (size[1] * 3 // 2, size[0]), np.uint8)
    for number in range(FRAMES):
        picture = noise.copy()
        picture[8:24, number % 40 : number % 40 + 16] = 4 * number
        frame = av.VideoFrame.from_ndarray(picture, "yuv420p")
        frame.pts = number
        yield from encoder.encode(frame)
    yield from encoder.encode(None)


def film(
    path: Path,
    codec: str,
    options: dict[str, str],
    changed: Callable[[int, bytes], bytes] = lambda _, data: data,
    size: tuple[int, int] = (64, 48),
) -> Path:
    """changed: makes the bytes of a packet from its place and bytes; none of them leave it out."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=25)
        assert isinstance(stream, VideoStream)
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        for place, packet in enumerate(encoded(codec, options, size)):
            other = Packet(changed(place, bytes(packet)))
            other.stream, other.time_base = stream, Fraction(1, 25)
            other.pts, other.dts, other.is_keyframe = packet.pts, packet.dts, packet.is_keyframe
            container.mux(other)
    return path


def not_coded(vop: bytes) -> bytes:
    """The VOP with its flag "coded" cleared, and nothing behind it."""
    bits = f"{int.from_bytes(vop[4:12]):064b}"
    end = bits.index("0", 2) + 1 + 1 + 5 + 1  # modulo time, marker, time in 25ths of a second, marker
    bits = bits[:end] + "0"
    bits += "0" + "1" * (-(len(bits) + 1) % 8)
    return VOP + int(bits, 2).to_bytes(len(bits) // 8)


def sometimes(place: int, data: bytes) -> bytes:
    return not_coded(data) if place % 7 in (3, 4, 6) and data.startswith(VOP) else data


@pytest.mark.parametrize("ending", [".mp4", ".mkv", ".nut", ".avi"])
@pytest.mark.parametrize("b_frames", ["0", "2"])
def test_vops_that_are_not_coded(tmp_path: Path, ending: str, b_frames: str) -> None:
    path = film(tmp_path / f"film{ending}", "mpeg4", {"g": "20", "bf": b_frames, "qscale": "5"}, sometimes)
    assert whole_and_ranges(path) < FRAMES - 10


def test_vops_that_are_all_coded(tmp_path: Path) -> None:
    assert whole_and_ranges(film(tmp_path / "film.mp4", "mpeg4", {"g": "20", "bf": "2"})) == FRAMES


def test_vops_of_few_bytes(tmp_path: Path) -> None:
    path = film(tmp_path / "film.mp4", "mpeg4", {"g": "20", "qmin": "31", "qmax": "31"}, size=(16, 16))
    assert whole_and_ranges(path) == FRAMES


@pytest.mark.parametrize(
    ("codec", "options"),
    [
        ("libvpx", {"auto-alt-ref": "1", "lag-in-frames": "16", "g": "20"}),
        ("libvpx-vp9", {"auto-alt-ref": "1", "lag-in-frames": "16", "g": "20", "cpu-used": "8"}),
    ],
)
def test_hidden_frames(tmp_path: Path, codec: str, options: dict[str, str]) -> None:
    assert whole_and_ranges(film(tmp_path / "film.webm", codec, {**options, "b": "100k"})) == FRAMES


@pytest.mark.parametrize(
    ("codec", "ending"), [("h263p", ".avi"), ("flv", ".flv"), ("wmv2", ".wmv"), ("msmpeg4", ".mkv"), ("rv20", ".rm")]
)
def test_codecs_of_old_films(tmp_path: Path, codec: str, ending: str) -> None:
    assert whole_and_ranges(film(tmp_path / f"film{ending}", codec, {"g": "20"})) == FRAMES


def test_the_window_counts_as_the_export(tmp_path: Path) -> None:
    path = film(tmp_path / "film.mp4", "mpeg4", {"g": "20", "qscale": "5"}, sometimes)
    with Reader(path) as reader:
        whole = [seen(frame) for frame in reader]
    process = ReadingProcess()
    try:
        with process.film(path) as window:
            for number in (30, 3, len(whole) - 1, 0):
                window.seek(Position(Fraction(number), "frame"))
                assert seen(next(window)) == whole[number]
    finally:
        process.close()
