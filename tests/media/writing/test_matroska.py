"""Additions to the Matroska header: their position, and no other change."""

from __future__ import annotations

import io
import sys
import zlib
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import pytest

from framebrush.gpu.frame import nv12
from framebrush.media.streams.matroska import completed, display, time_before_zero, with_room
from framebrush.media.video import OutputError, VideoInfo
from tests.media.writing.writer_clips import info_of, payloads, source, write

pytestmark = pytest.mark.media
TRACKS, SIZE_BYTES = bytes.fromhex("1654ae6b"), 2


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> VideoInfo:
    path = tmp_path_factory.mktemp("film") / "film.mkv"
    return info_of(source(path, audio=["aac"], subtitles=["subrip"], seconds=1))


def description(file: Path) -> bytes:
    """The content of the element Tracks, which the index of elements names before it."""
    data = file.read_bytes()
    begin = data.index(TRACKS, data.index(TRACKS) + 4) + len(TRACKS)
    size = int.from_bytes(data[begin : begin + SIZE_BYTES], "big") & 0x3FFF
    return data[begin + SIZE_BYTES : begin + SIZE_BYTES + size]


@pytest.mark.parametrize("title", ["", "Picture"])
def test_a_shape_moves_nothing(tmp_path: Path, film: VideoInfo, title: str) -> None:
    """Sound, text, name and checksum, with a shape and without."""
    assert film.path is not None
    titled = tmp_path / "titled.mkv"
    with av.open(str(film.path)) as origin, av.open(str(titled), "w") as out:
        copies = {stream.index: out.add_stream_from_template(stream) for stream in origin.streams}
        copies[0].metadata["title"] = title
        for packet in origin.demux():
            if packet.size:
                packet.stream = copies[packet.stream.index]
                out.mux(packet)
    info = replace(film, path=titled)
    plain, shaped = tmp_path / "plain.mkv", tmp_path / "shaped.mkv"
    write(info, plain, codec="ffv1")
    write(replace(info, sample_aspect=Fraction(16, 11)), shaped, codec="ffv1")
    for index in range(3):
        assert payloads(shaped, index) == payloads(plain, index)
    with av.open(str(shaped)) as out:
        assert out.streams.video[0].sample_aspect_ratio == Fraction(16, 11)
        assert out.streams.video[0].metadata.get("title", "") == title
        out.seek(400_000)  # by the index
    content = description(shaped)
    assert content[:2] == b"\xbf\x84"
    assert int.from_bytes(content[2:6], "little") == zlib.crc32(content[6:])


def test_a_stream_has_a_shape_too(tmp_path: Path, film: VideoInfo, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "piped.mkv"
    with target.open("wb") as output:
        monkeypatch.setattr(sys, "stdout", output)
        write(replace(film, sample_aspect=Fraction(16, 11)), Path("-"), codec="ffv1", stream="mkv")
        monkeypatch.undo()
    with av.open(str(target)) as out:
        assert out.streams.video[0].sample_aspect_ratio == Fraction(16, 11)
        assert sum(1 for _ in out.decode(video=0)) == 10


def test_a_description_that_has_not_ended_is_refused(tmp_path: Path, film: VideoInfo) -> None:
    write(film, tmp_path / "o.mkv", frames=nv12(64, 48))
    head = (tmp_path / "o.mkv").read_bytes()
    video = display(64, 48, Fraction(2), webm=False)
    for length in (40, head.rindex(TRACKS) + 50):
        with pytest.raises(OutputError, match="too long for standard output; write a file"):
            completed(io.BytesIO(head[:length]), "", video, b"")


def test_webm_has_whole_pixels() -> None:
    assert display(63, 47, Fraction(16, 15), webm=True) == bytes.fromhex("54b0 81 43 54ba 81 2f")
    assert display(64, 48, Fraction(16, 11), webm=False) == bytes.fromhex("54b0 81 40 54ba 81 21 54b2 81 03")
    assert len(with_room("a")) - 1 > len(display(65535, 65521, Fraction(65519, 65497), webm=False))


def test_a_cluster_within_data_has_no_time() -> None:
    """The element behind its identifier would end after the bytes that are read."""
    block = b"\x81\xff\xf6\x80" + bytes(8)
    content = bytes(20) + bytes.fromhex("1f43b675 00 a3 8c") + block
    assert time_before_zero(io.BytesIO(content), len(content) - len(block)) is None
    content = bytes.fromhex("1f43b675 80 e7 81 02") + block
    assert time_before_zero(io.BytesIO(content), len(content) - len(block)) == -8


class Counted(io.BytesIO):
    """File that counts read bytes."""

    bytes_read = 0

    def read(self, size: int | None = -1) -> bytes:
        content = super().read(size)
        self.bytes_read += len(content)
        return content


@pytest.mark.parametrize("distance", [0, 1000, 1 << 16, 100_000, 3_000_000, 20_000_000, (32 << 20) + 1])
@pytest.mark.parametrize("before", [0, 40 << 20])
def test_a_block_s_time_below_zero_is_read_from_the_bytes_up_to_its_cluster(distance: int, before: int) -> None:
    cluster = bytes.fromhex("1f43b675") + b"\x01" + bytes(7) + b"\xe7\x81\x05"  # its time is 5
    block = b"\x81" + (-12).to_bytes(2, "big", signed=True) + bytes(20)
    file = Counted(bytes(before) + cluster + bytes(distance) + block)
    is_far = before + distance > 32 << 20 < distance
    found = time_before_zero(file, before + len(cluster) + distance)
    assert found == (None if is_far else -7)
    assert file.bytes_read <= 4 * distance + (1 << 17)
