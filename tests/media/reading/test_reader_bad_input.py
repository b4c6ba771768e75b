"""Files that are missing, wrong, broken or hostile: one plain sentence, or what decodes with the losses counted."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from assets import frame_number
from assets.make_clips import CLIPS
from framebrush.base.text import printable
from framebrush.media.reading.reader import Reader
from framebrush.media.video import InputError, Position, TimeRange
from tests.media.writing.writer_clips import jpeg

pytestmark = pytest.mark.media


def _missing(folder: Path) -> Path:
    return folder / "nowhere" / "film.mp4"


def _folder(folder: Path) -> Path:
    return folder


def _empty(folder: Path) -> Path:
    return _write(folder, b"")


def _text(folder: Path) -> Path:
    return _write(folder, b"Dear diary, this is not a film.\n" * 200)


def _nul(folder: Path) -> Path:
    return folder / "a\0b.mp4"


def _write(folder: Path, content: bytes, name: str = "film.mp4") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def _sound(folder: Path) -> Path:
    path = folder / "sound.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("aac", rate=16000, layout="mono")
        silence = av.AudioFrame.from_ndarray(np.zeros((1, 4096), np.float32), "fltp", "mono")
        silence.sample_rate = 16000
        container.mux(stream.encode(silence))
        container.mux(stream.encode(None))
    return path


def _sound_with_cover(folder: Path) -> Path:
    path = folder / "cover.mp4"
    with av.open(str(path), "w") as container, av.open(str(CLIPS / "extras.mp4")) as source:
        sound = container.add_stream_from_template(source.streams.audio[0])
        cover = container.add_stream("mjpeg", rate=1)
        cover.width, cover.height, cover.pix_fmt = 32, 32, "yuvj420p"
        cover.disposition = av.stream.Disposition.attached_pic
        picture = av.VideoFrame.from_ndarray(np.zeros((32, 32, 3), np.uint8), "rgb24")
        container.mux(cover.encode(picture))
        container.mux(cover.encode(None))
        for packet in source.demux(source.streams.audio[0]):
            if packet.size:
                packet.stream = sound
                container.mux(packet)
    return path


def _zeroed(folder: Path) -> Path:
    content = bytearray((CLIPS / "cfr.mp4").read_bytes())
    start = content.index(b"mdat") + 4
    content[start:] = bytes(len(content) - start)
    return _write(folder, bytes(content))


def _unknown_codec(folder: Path) -> Path:
    return _write(folder, (CLIPS / "cfr.mp4").read_bytes().replace(b"avc1", b"zzzz"))


def _encrypted(folder: Path) -> Path:
    path = folder / "film.mp4"
    key = {"encryption_scheme": "cenc-aes-ctr", "encryption_key": "11" * 16, "encryption_kid": "22" * 16}
    with av.open(str(CLIPS / "cfr.mp4")) as source, av.open(str(path), "w", container_options=key) as container:
        stream = container.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(video=0):
            if packet.size:
                packet.stream = stream
                container.mux(packet)
    return path


def _bmp(width: int, height: int) -> Callable[[Path], Path]:
    header = b"BM" + struct.pack("<IHHIIiiHHIIiiII", 1 << 20, 0, 0, 54, 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0)
    return lambda folder: _write(folder, header + bytes(4096), f"{width}x{height}.bmp")


def _png(folder: Path) -> Path:
    head = b"IHDR" + struct.pack(">IIBBBBB", 30000, 30000, 8, 2, 0, 0, 0)
    data = b"IDAT" + zlib.compress(bytes(90001))
    chunks = [
        struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) for chunk in (head, data)
    ]
    return _write(folder, b"\x89PNG\r\n\x1a\n" + b"".join(chunks), "large.png")


def _jpeg(folder: Path) -> Path:
    data = bytearray(jpeg())
    place = data.index(b"\xff\xc0") + 5
    data[place : place + 4] = struct.pack(">HH", 30000, 30000)
    return _write(folder, bytes(data), "large.jpg")


def _tiff(folder: Path) -> Path:
    entries = [(256, 30000), (257, 30000), (258, 8), (259, 1), (262, 1), (273, 200), (277, 1), (278, 30000), (279, 900)]
    tags = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in entries)
    head = b"II*\0" + struct.pack("<IH", 8, len(entries)) + tags + bytes(4)
    return _write(folder, head.ljust(200, b"\0") + bytes(900), "large.tif")


def _gif(folder: Path) -> Path:
    head = b"GIF89a" + struct.pack("<HHBBB", 30000, 30000, 0x80, 0, 0) + bytes(6)
    picture = b"," + struct.pack("<HHHHB", 0, 0, 30000, 30000, 0) + b"\x02\x02\x44\x01\x00;"
    return _write(folder, head + picture, "large.gif")


def _y4m(width: int, height: int) -> Callable[[Path], Path]:
    header = f"YUV4MPEG2 W{width} H{height} F25:1 Ip A1:1 C420\nFRAME\n".encode()
    return lambda folder: _write(folder, header + bytes(4096), f"{width}x{height}.y4m")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (_missing, "no such file; check"),
        (_folder, "is a folder; name a video"),
        (_empty, "is empty; copy"),
        (_text, "is not a video that can be read .*; check"),
        (_nul, "cannot be opened .*; check"),
        (_sound, "only sound; name"),
        (_sound_with_cover, "only sound; name"),
        (_zeroed, "no frame of it can be decoded; check"),
        (_unknown_codec, "cannot decode; convert"),
        (_encrypted, "is encrypted; decrypt"),
        (_y4m(0, 0), "; check"),
        (_y4m(20000, 16), "claims 20000x16, more than .*; scale"),
        (_y4m(12000, 12000), "claims 12000x12000, more than .*; scale"),
        (_bmp(60000, 60000), "claims 60000x60000, more than .*; scale"),
        (_png, "claims 30000x30000, more than .*; scale"),
        (_jpeg, "claims 30000x30000, more than .*; scale"),
        (_tiff, "claims 30000x30000, more than .*; scale"),
        (_gif, "claims 30000x30000, more than .*; scale"),
    ],
)
def test_one_plain_sentence(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], make: Callable[[Path], Path], message: str
) -> None:
    path = make(tmp_path)
    with pytest.raises(InputError, match=message) as caught:
        Reader(path)
    sentence = str(caught.value)
    assert printable(str(path)) in sentence
    assert "\n" not in sentence
    assert capfd.readouterr() == ("", "")


@contextmanager
def _unreadable(path: Path) -> Iterator[None]:
    """Make a file unreadable for this process, even as root."""
    if os.name == "nt":
        subprocess.run(["icacls", str(path), "/deny", "*S-1-1-0:(R)"], check=True, capture_output=True)
        yield
        subprocess.run(["icacls", str(path), "/remove:d", "*S-1-1-0"], check=True, capture_output=True)
        return
    path.chmod(0)
    user = os.geteuid()
    if user == 0:
        path.parent.chmod(0o755)
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.mark.skipif(os.name == "nt", reason="Windows takes no reading away by mode bits")
def test_no_permission(tmp_path: Path) -> None:
    path = _write(tmp_path, (CLIPS / "cfr.mp4").read_bytes())
    for parent in list(tmp_path.parents)[:3]:
        parent.chmod(parent.stat().st_mode | 0o111)  # so that only the file is in the way
    with _unreadable(path), pytest.raises(InputError, match="no permission to read it; change"):
        Reader(path)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no named pipes in folders")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "film.mp4")
    with pytest.raises(InputError, match=r"not a regular file; copy .*; or pipe it"):
        Reader(tmp_path / "film.mp4")


@pytest.mark.skipif(os.name == "nt", reason="Windows forbids a colon in names")
def test_a_name_that_looks_like_a_protocol_is_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(CLIPS / "cfr.mp4", "http:film.mp4")
    with Reader("http:film.mp4") as reader:
        assert sum(1 for _ in reader) == 30


@pytest.mark.parametrize(
    "name", ["bframes.mp4", "cfr.mp4", "extras.mkv", "bframes.ts", "10bit.mp4", "raw.h264", "odd.webm"]
)
@pytest.mark.parametrize("share", [0.65, 0.8, 0.95])
def test_truncated_file_gives_what_decodes(tmp_path: Path, name: str, share: float) -> None:
    whole = (CLIPS / name).read_bytes()
    path = _write(tmp_path, whole[: int(len(whole) * share)], name)
    with Reader(path) as reader:
        frames = [(frame.number, frame_number.read(frame.frame.planes[0])) for frame in reader]
        lost = reader.lost_frames
    assert 1 < len(frames) < 30
    # The last frame or two may be concealed; all others are themselves, under their own number.
    assert all(number == drawn for number, drawn in frames[:-2])
    assert [number for number, _ in frames] == sorted({number for number, _ in frames})
    if name.endswith("mp4"):  # only MP4 tells how many there were
        assert len(frames) + lost == 30
        assert lost > 0


def _without(name: str, folder: Path, wanted: Callable[[int], bool]) -> Path:
    """A copy of a clip in which the packets at some places hold rubbish."""
    path = folder / "film.mkv"
    with av.open(str(CLIPS / name)) as source, av.open(str(path), "w") as container:
        stream = container.add_stream_from_template(source.streams.video[0])
        packets = [packet for packet in source.demux(video=0) if packet.size]
        for place, packet in enumerate(packets):
            if wanted(place):
                packet.update(bytes(packet.size))
            packet.stream = stream
            container.mux(packet)
    return path


@pytest.mark.parametrize("threads", [1, 0])
@pytest.mark.parametrize("places", [{3}, {12, 13}, {28}, {29}])
def test_lost_frames_are_counted_and_numbers_stay_true(tmp_path: Path, places: set[int], threads: int) -> None:
    """Without B-frames the packet at a place is the frame of that number; what refers to a lost one still decodes."""
    path = _without("cfr.mp4", tmp_path, lambda place: place in places)
    with Reader(path, threads=threads) as reader:
        numbers = [frame.number for frame in reader]
        assert reader.lost_frames == 30 - len(numbers)
    assert numbers == [number for number in range(30) if number not in places]


def test_a_lost_keyframe_costs_no_more_than_its_group(tmp_path: Path) -> None:
    with Reader(_without("cfr.mp4", tmp_path, lambda place: place == 10)) as reader:
        frames = [(frame.number, frame_number.read(frame.frame.planes[0])) for frame in reader]
        assert reader.lost_frames == 30 - len(frames) > 0
    assert frames[:10] == [(number, number) for number in range(10)]
    assert frames[-10:] == [(number, number) for number in range(20, 30)]


@pytest.mark.parametrize("name", ["cfr.mp4", "interlaced.mp4"])
def test_losses_are_the_same_for_a_range(tmp_path: Path, name: str) -> None:
    path = _without(name, tmp_path, lambda place: place in {12, 13})
    with Reader(path) as reader:
        shown = [frame.number for frame in reader if 11 <= frame.number < 16]
    with Reader(path, TimeRange(Position(Fraction(11), "frame"), Position(Fraction(16), "frame"))) as reader:
        assert reader.info.frame_count == 5
        assert [frame.number for frame in reader] == shown
        assert reader.lost_frames == 5 - len(shown) > 0


def test_only_losses_within_the_range_count(tmp_path: Path) -> None:
    path = _without("cfr.mp4", tmp_path, lambda place: place in {12, 13})
    for span in (TimeRange(frames=13), TimeRange(end=Position(Fraction(13), "frame"))):
        with Reader(path, span) as reader:
            assert [frame.number for frame in reader] == list(range(12))
            assert reader.lost_frames == 1


@pytest.mark.parametrize("name", ["cfr.mp4", "odd.mp4", "odd.webm"])
def test_seeks_behind_damage_show_what_reading_from_the_start_shows(tmp_path: Path, name: str) -> None:
    with Reader(_without(name, tmp_path, lambda place: place in {10, 24})) as reader:
        whole = [(frame.number, frame.frame.planes[0].tobytes()) for frame in reader]
        assert reader.lost_frames > 0
        for target in range(whole[-1][0] + 1):
            reader.seek(Position(Fraction(target), "frame"))
            frame = next(reader)
            assert (frame.number, frame.frame.planes[0].tobytes()) == next(w for w in whole if w[0] >= target)


def _png(width: int, height: int) -> bytes:
    """A black picture of one bit a pixel: a file of a few kilobytes whatever its size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    lines = zlib.compress(bytes((-(-width // 8) + 1) * height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", lines) + chunk(b"IEND", b"")


def test_a_size_that_explodes_within_the_stream_is_refused(tmp_path: Path) -> None:
    path = _write(tmp_path, _png(64, 48) + _png(12000, 12000) + _png(64, 48), "film.png")
    with Reader(path, threads=1) as reader:
        assert sum(1 for _ in reader) == 2
        assert reader.lost_frames == 1
