"""Every clip: each frame once, in order, at its time; ranges and seeks exact to the frame and to the sample."""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
import pytest
from av.codec.hwaccel import HWAccel

from assets import frame_number
from assets.make_clips import CLIPS, Clip, make
from framebrush.gpu.device import open_device
from framebrush.gpu.frame import PlaneOrder
from framebrush.gpu.temporal_window import TemporalWindow
from framebrush.media.reading import decoder
from framebrush.media.reading import source as reading
from framebrush.media.reading.decoder import Decoder
from framebrush.media.reading.index import FrameIndex, is_shown
from framebrush.media.reading.reader import Reader
from framebrush.media.video import PLAIN_FILE, Position, RangeError, TimeRange, VideoFrame
from tests.clips import each_clip
from tests.media.writing.writer_clips import source

pytestmark = pytest.mark.media

COUNTED = {"bframes.avi", "raw.h264"}  # no usable timestamps in the file


def luma(frame: VideoFrame) -> npt.NDArray[np.generic]:
    """What shows the number best: Y, or green."""
    first = frame.frame.planes[0]
    return first[:, :, 1] if frame.frame.format.layout is PlaneOrder.RGBA else first


def drawn_number(frame: VideoFrame) -> int | None:
    return frame_number.read(luma(frame))


def samples(frame: VideoFrame) -> bytes:
    return b"".join(plane.tobytes() for plane in frame.frame.planes)


@cache
def linear(name: str) -> list[tuple[int, int, bytes]]:
    """(number, pts, samples) of a whole clip, read from start to end."""
    with Reader(CLIPS / name) as reader:
        return [(frame.number, frame.pts, samples(frame)) for frame in reader]


def seconds(value: Fraction | int | str) -> Position:
    return Position(Fraction(value), "s")


def numbered(value: int) -> Position:
    return Position(Fraction(value), "frame")


def demuxed_times(clip: Clip) -> list[int]:
    """Timestamps of the shown frames as the demuxer tells them, from the packets alone."""
    with av.open(str(CLIPS / clip.name)) as container:
        return sorted(p.pts for p in container.demux(video=0) if p.size and not p.is_discard and p.pts is not None)


@each_clip
def test_every_frame_once_in_order_with_its_own_time(clip: Clip) -> None:
    with Reader(CLIPS / clip.name) as reader:
        frames = [(drawn_number(frame), frame.number, frame.pts) for frame in reader]
        info = reader.info
        assert (reader.lost_frames, reader.warnings) == (0, [])
    assert [number for number, _, _ in frames] == list(clip.shown)
    assert [number for _, number, _ in frames] == list(range(len(clip.shown)))
    times = [(pts - info.start_pts) * info.time_base for _, _, pts in frames]
    made = [(clip.times[number] - clip.times[clip.shown[0]]) * clip.time_base for number in clip.shown]
    assert max(abs(a - b) for a, b in zip(times, made, strict=True)) <= info.time_base / 2
    if clip.name not in COUNTED:
        assert [pts for _, _, pts in frames] == demuxed_times(clip)


@each_clip
def test_seeks_in_any_order_land_on_the_frame_and_its_samples(clip: Clip) -> None:
    whole = linear(clip.name)
    chance = random.Random(clip.name)
    with Reader(CLIPS / clip.name) as reader:
        start, tick = reader.info.start_pts, reader.info.time_base
        for target in chance.sample(range(len(whole)), len(whole)):
            if target % 2:
                reader.seek(numbered(target))
            else:
                reader.seek(seconds((whole[target][1] - start) * tick))
            for expected in whole[target : target + 2]:
                frame = next(reader)
                assert (frame.number, frame.pts) == expected[:2]
                assert samples(frame) == expected[2]
        assert reader.lost_frames == 0


@each_clip
@pytest.mark.parametrize(("first", "end"), [(0, 1), (1, 9), (7, 12), (11, 99)])
def test_range_by_number(clip: Clip, first: int, end: int) -> None:
    with Reader(CLIPS / clip.name, TimeRange(numbered(first), numbered(end))) as reader:
        frames = [(frame.number, frame.pts, samples(frame)) for frame in reader]
        assert next(iter(reader), None) is None  # the end is an end
        assert reader.lost_frames == 0
    assert frames == linear(clip.name)[first:end]


@each_clip
def test_ranges_by_time_that_touch_share_no_frame(clip: Clip) -> None:
    cuts = [None, Fraction("0.1"), Fraction(1, 7), Fraction("0.36"), None]
    read = []
    for start, end in pairwise(cuts):
        span = TimeRange(seconds(start) if start else None, seconds(end) if end else None)
        with Reader(CLIPS / clip.name, span) as reader:
            part = [(frame.number, frame.pts, samples(frame)) for frame in reader]
            origin, tick = reader.info.start_pts, reader.info.time_base
        for _, pts, _ in part:
            assert start is None or (pts - origin) * tick >= start - tick / 2
            assert end is None or (pts - origin) * tick < end + tick / 2
        read += part
    assert read == linear(clip.name)


@each_clip
@pytest.mark.parametrize("by_number", [True, False])
@pytest.mark.parametrize(("first", "end"), [(0, 1), (1, 9), (7, 9), (11, 99)])
def test_a_range_comes_with_its_neighbours(clip: Clip, by_number: bool, first: int, end: int) -> None:
    whole = linear(clip.name)
    with Reader(CLIPS / clip.name) as reader:
        start, tick = reader.info.start_pts, reader.info.time_base

    def place(number: int) -> Position:
        last = whole[-1][1] + 1  # behind the last frame
        pts = whole[number][1] if number < len(whole) else last
        return numbered(number) if by_number else seconds((pts - start) * tick)

    context = TemporalWindow(before=2, after=3)
    with Reader(CLIPS / clip.name, TimeRange(place(first), place(end)), context=context) as reader:
        frames = list(reader)
        assert next(iter(reader), None) is None
        assert (reader.lost_frames, reader.cut_off) == (0, False)
        assert reader.info.frame_count in (None, len(whole[first:end]))
    read = [(frame.number, frame.pts, samples(frame)) for frame in frames]
    assert read == whole[max(0, first - 2) : end + 3]
    assert [frame.number for frame in frames if not frame.context] == [number for number, _, _ in whole[first:end]]


def test_neighbours_of_so_many_frames_from_the_start() -> None:
    with Reader(CLIPS / "cfr.mp4", TimeRange(frames=3), context=TemporalWindow(2, 2)) as reader:
        assert [(frame.number, frame.context) for frame in reader] == [
            (0, False),
            (1, False),
            (2, False),
            (3, True),
            (4, True),
        ]


def test_a_seek_has_no_context() -> None:
    with Reader(CLIPS / "cfr.mp4", TimeRange(numbered(10)), context=TemporalWindow(2, 2)) as reader:
        next(reader)
        reader.seek(numbered(5))
        assert (next(reader).number, next(reader).context) == (5, False)


@pytest.mark.parametrize("name", ["open-gop.mp4", "open-gop.ts", "bframes.avi"])
def test_frame_limit_counts_from_the_start_of_the_range(name: str) -> None:
    with Reader(CLIPS / name, TimeRange(start=numbered(12), frames=5)) as reader:
        assert [frame.number for frame in reader] == [12, 13, 14, 15, 16]


@pytest.mark.parametrize(
    ("name", "span", "count"),
    [
        ("cfr.mp4", TimeRange(), 30),
        ("edit-list.mp4", TimeRange(), 23),
        ("cfr.mp4", TimeRange(frames=7), 7),
        ("cfr.mp4", TimeRange(end=numbered(4)), 4),
        ("cfr.mp4", TimeRange(frames=99), 30),
        ("vfr.mkv", TimeRange(), None),
        ("vfr.mkv", TimeRange(start=numbered(3)), 27),
        ("vfr.mkv", TimeRange(start=seconds("0.1"), end=seconds("0.5")), 5),
        ("negative.ts", TimeRange(start=numbered(29)), 1),
        ("raw.h264", TimeRange(end=seconds("0.4")), None),
    ],
)
def test_frame_count_of_a_range(name: str, span: TimeRange, count: int | None) -> None:
    with Reader(CLIPS / name, span) as reader:
        assert reader.info.frame_count == count
        assert count in (None, sum(1 for _ in reader))


@pytest.mark.parametrize("name", ["open-gop.mkv", "bframes.avi"])
def test_seek_behind_the_last_frame_shows_the_last(name: str) -> None:
    with Reader(CLIPS / name) as reader:
        for position in (numbered(10_000), seconds(10_000)):
            reader.seek(position)
            assert [drawn_number(frame) for frame in reader] == [29]
        reader.seek(numbered(0))
        assert drawn_number(next(reader)) == 0


@pytest.mark.parametrize("name", ["cfr.mp4", "bframes.avi"])
@pytest.mark.parametrize(
    ("span", "message"),
    [
        (TimeRange(start=numbered(30)), "starts after the last"),
        (TimeRange(start=seconds(5)), "starts after the last"),
        (TimeRange(start=numbered(9), end=numbered(9)), "contains no frame"),
        (TimeRange(start=seconds("0.5"), end=seconds("0.2")), "contains no frame"),
        (TimeRange(frames=0), "contains no frame"),
    ],
)
def test_range_without_a_frame_is_refused(name: str, span: TimeRange, message: str) -> None:
    with pytest.raises(RangeError, match=message):
        Reader(CLIPS / name, span)


@pytest.mark.parametrize("name", ["cfr.mp4", "vfr.mkv", "bframes.ts", "raw.h264"])
def test_a_still_while_the_last_frame_is_shown_is_that_frame(name: str) -> None:
    number, pts, last = linear(name)[-1]
    with Reader(CLIPS / name) as reader:
        base, first = reader.info.time_base, reader.info.start_pts
    just_behind, long_behind = (
        Position((pts - first) * base + after, "s") for after in (Fraction(1, 100), Fraction(9))
    )
    with Reader(CLIPS / name, TimeRange(just_behind, frames=1)) as reader:
        assert [(frame.number, samples(frame)) for frame in reader] == [(number, last)]
    for span in (TimeRange(long_behind, frames=1), TimeRange(just_behind), TimeRange(numbered(number + 1), frames=1)):
        with pytest.raises(RangeError, match="after the last frame"):
            Reader(CLIPS / name, span)


def test_deinterlacing_changes_samples_but_neither_times_nor_numbers() -> None:
    path = CLIPS / "interlaced.mp4"
    with Reader(path) as reader, Reader(path, deinterlace="off") as woven:
        assert reader.info.interlaced
        assert woven.info.interlaced
        pairs = list(zip(reader, woven, strict=True))
    assert [(a.number, a.pts, a.duration) for a, _ in pairs] == [(b.number, b.pts, b.duration) for _, b in pairs]

    def comb(frame: VideoFrame) -> float:
        """Return the mean difference of rows from their neighbours: high where fields differ."""
        picture = luma(frame)[50:].astype(float)
        return float(np.abs(picture[1:-1] - (picture[:-2] + picture[2:]) / 2).mean())

    assert np.mean([comb(a) for a, _ in pairs]) < 0.6 * np.mean([comb(b) for _, b in pairs])


def test_frames_outlive_the_reader_and_close_twice_is_harmless() -> None:
    reader = Reader(CLIPS / "bframes.mp4")
    frames = list(reader)
    reader.close()
    reader.close()
    assert [drawn_number(frame) for frame in frames] == list(range(30))
    assert next(reader, None) is None


@pytest.mark.parametrize("hardware", ["cuda", "d3d12va", "d3d11va", "auto"])
def test_hardware_that_is_not_there_falls_back_to_software(hardware: str) -> None:
    with Reader(CLIPS / "bframes.mp4", hardware=hardware) as reader:
        assert [drawn_number(frame) for frame in reader] == list(range(30))
        on_device = reader.info.format.layout is PlaneOrder.SEMI_PLANAR  # a device gives NV12
        assert [("decoding on the CPU" in line) for line in reader.warnings] == ([] if on_device else [True])


@pytest.mark.parametrize(
    ("hardware", "decoder", "dxgi", "asked"),
    [
        ("d3d12va", None, 2, [("d3d12va", "2", False)]),
        ("d3d11va", None, 0, [("d3d11va", "0", False)]),
        ("d3d11va", None, None, [("d3d11va", None, False)]),
        ("cuda", ("cuda", 1), None, [("cuda", "1", True)]),
        ("cuda", None, 1, [("cuda", None, False)]),
        ("auto", None, 1, [("d3d12va", "1", False), ("d3d11va", "1", False), ("cuda", None, False)]),
        ("auto", ("cuda", 3), None, [("cuda", "3", True), ("d3d12va", None, False), ("d3d11va", None, False)]),
    ],
)
def test_the_card_that_paints_is_asked_to_decode(
    hardware: str,
    decoder: tuple[str, int] | None,
    dxgi: int | None,
    asked: list[tuple[str, str | None, bool]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And where none of them opens, the processor decodes."""
    found = []

    def refuse(kind: str, device: str | None, *, allow_software_fallback: bool, is_hw_owned: bool) -> HWAccel:
        assert not allow_software_fallback
        found.append((kind, device, is_hw_owned))
        raise RuntimeError("no such hardware")

    monkeypatch.setattr(reading, "HWAccel", refuse)
    monkeypatch.setattr(reading, "hwdevices_available", lambda: list(reading.HARDWARE))
    with open_device("cpu") as device:
        monkeypatch.setattr(type(device), "decoder", decoder)
        monkeypatch.setattr(type(device), "dxgi_number", dxgi)
        with Reader(CLIPS / "bframes.mp4", hardware=hardware, device=device) as reader:
            assert [drawn_number(frame) for frame in reader] == list(range(30))
            assert any(f"no hardware decoder ({hardware})" in line for line in reader.warnings)
    assert found == asked


def test_an_interlaced_film_is_decoded_on_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if a card opens the film; only the card's name is here."""

    def on_a_card(*given: Any, hardware: str | None, **named: Any) -> reading.Source:  # noqa: ANN401
        return replace(reading.open_source(*given, **named), hardware=hardware)

    monkeypatch.setattr(decoder, "open_source", on_a_card)
    with open_device("cpu") as device, Reader(CLIPS / "interlaced.mp4", hardware="cuda", device=device) as reader:
        assert "interlaced video is not decoded on the GPU: decoding on the CPU" in reader.warnings


def remux(source: Path, path: Path, change: Callable[[int, av.Packet[av.video.stream.VideoStream]], bool]) -> Path:
    """Copy a clip's packets to another file; `change` may alter each and says whether to keep it."""
    with av.open(str(source)) as container, av.open(str(path), "w") as out:
        stream = out.add_stream_from_template(container.streams.video[0])
        packets = [packet for packet in container.demux(video=0) if packet.size]
        for place, packet in enumerate(packets):
            if change(place, packet):
                packet.stream = stream
                out.mux(packet)
    return path


def test_a_file_cut_before_its_first_keyframe_begins_with_the_first_frame_that_decodes(tmp_path: Path) -> None:
    path = remux(CLIPS / "bframes.mp4", tmp_path / "cut.ts", lambda place, _: place >= 4)
    with Reader(path) as reader:
        whole = [(frame.number, frame.pts, drawn_number(frame)) for frame in reader]
        assert reader.lost_frames == 0
        for target in (0, 7, 3):
            reader.seek(numbered(target))
            assert [(frame.number, frame.pts, drawn_number(frame)) for frame in reader] == whole[target:]
    assert [drawn for _, _, drawn in whole] == list(range(10, 30))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows deletes no file that is open")
@pytest.mark.parametrize("name", ["cfr.mp4", "odd.webm", "open-gop.ts"])
@pytest.mark.parametrize("fate", ["deleted", "moved", "another's place", "cut", "gone with its drive"])
def test_a_file_that_goes_while_it_is_read_is_whole_and_one_that_shrinks_is_cut_off(
    tmp_path: Path, name: str, fate: str
) -> None:
    drive = tmp_path / "drive"
    drive.mkdir()
    path = Path(shutil.copy(CLIPS / name, drive))
    with Reader(path) as reader:
        next(reader)
        if fate == "deleted":
            path.unlink()
        elif fate == "moved":
            path.rename(tmp_path / name)
        elif fate == "another's place":
            (tmp_path / name).write_bytes(path.read_bytes()[:-100])
            (tmp_path / name).replace(path)
        elif fate == "cut":
            os.truncate(path, path.stat().st_size - 100)
        else:
            drive.rename(tmp_path / "elsewhere")
        for _ in reader:
            pass
        assert reader.cut_off is (fate in ("cut", "gone with its drive"))
        assert any("is cut off" in warning for warning in reader.warnings) is reader.cut_off


def test_a_file_that_names_no_keyframe_is_decoded_from_the_start(tmp_path: Path) -> None:
    def deny(_: int, packet: av.Packet[av.video.stream.VideoStream]) -> bool:
        packet.is_keyframe = False
        return True

    # A codec for which FFmpeg has no parser that would put the flags right.
    honest = make(Clip("honest.avi", codec="zmbv", pix_fmt="bgr0", codec_options={"g": "10"}), tmp_path)
    with Reader(remux(honest, tmp_path / "denies.nut", deny)) as reader:
        for target in (17, 4):
            reader.seek(numbered(target))
            frame = next(reader)
            assert (frame.number, drawn_number(frame)) == (target, target)
        assert reader.lost_frames == 0


def check_mended(path: Path, drawn: list[int], times: list[Fraction | int]) -> None:
    with Reader(path) as reader:
        whole = [(frame.number, frame.pts, drawn_number(frame)) for frame in reader]
        assert [(number, seen) for number, _, seen in whole] == list(enumerate(drawn))
        assert [(pts - whole[0][1]) / Fraction(3600) for _, pts, _ in whole] == times
        (warning,) = reader.warnings
        assert "does not increase" in warning or "clock jumps in 1 place" in warning
        for target in (20, 14, 15, len(drawn) - 1):
            reader.seek(numbered(target))
            assert [(frame.number, frame.pts, drawn_number(frame)) for frame in reader] == whole[target:]
        assert reader.lost_frames == 0


def test_a_time_that_comes_twice_is_moved_a_little(tmp_path: Path) -> None:
    def repeat(place: int, packet: av.Packet[av.video.stream.VideoStream]) -> bool:
        packet.pts = 512 * (15 if place == 14 else place)
        return True

    path = remux(CLIPS / "cfr.mp4", tmp_path / "twice.ts", repeat)
    check_mended(path, list(range(30)), [*range(14), 15, 15 + Fraction(1, 3600), *range(16, 30)])


@pytest.mark.parametrize("later_s", [0, 10])
def test_joined_recordings_go_on_at_the_frame_rate(tmp_path: Path, later_s: int) -> None:
    """Of the first the times are the same as of the second, or later ones."""

    def delay(_: int, packet: av.Packet[av.video.stream.VideoStream]) -> bool:
        packet.pts, packet.dts = (packet.pts or 0) + later_s * 90000, (packet.dts or 0) + later_s * 90000
        return True

    first = remux(CLIPS / "bframes.ts", tmp_path / "first.ts", delay)
    path = tmp_path / "joined.ts"
    path.write_bytes(first.read_bytes() + (CLIPS / "bframes.ts").read_bytes())
    check_mended(path, [*range(30), *range(30)], list(range(60)))


def test_hidden_vp8_frames_have_packets_but_are_not_frames(tmp_path: Path) -> None:
    make(Clip("shown.webm", codec="libvpx", codec_options={"b": "100k", "g": "10", "threads": "1"}), tmp_path)

    def hide(place: int, packet: av.Packet[av.video.stream.VideoStream]) -> bool:
        if place in (3, 4, 17):
            data = bytearray(bytes(packet))
            data[0] &= ~0x10  # show_frame, RFC 6386, 9.1
            packet.update(bytes(data))
        return True

    expected = [number for number in range(30) if number not in (3, 4, 17)]
    with Reader(remux(tmp_path / "shown.webm", tmp_path / "hidden.webm", hide)) as reader:
        assert [(frame.number, drawn_number(frame)) for frame in reader] == list(enumerate(expected))
        reader.seek(numbered(20))
        assert drawn_number(next(reader)) == expected[20]
        assert reader.lost_frames == 0


@pytest.mark.parametrize(
    ("first", "last", "shown"),
    [
        (0b10_00_0_0_1_0, 0x00, True),  # frame marker, profile 0, no show_existing_frame, key frame, show_frame
        (0b10_00_0_1_0_0, 0x00, False),
        (0b10_01_0_1_0_0, 0x00, False),  # profile 2
        (0b10_11_0_0_1_1, 0x00, True),  # profile 3 has a bit more
        (0b10_11_0_0_1_0, 0x00, False),
        (0b10_00_1_0_0_0, 0x00, True),  # show_existing_frame
        (0b10_00_0_1_0_0, 0b110_00_001, True),  # a superframe's index
    ],
)
def test_hidden_vp9_frames_are_told_by_their_header(first: int, last: int, shown: bool) -> None:
    assert is_shown(av.Packet(bytes([first, 0x55, last])), "vp9") is shown


def test_only_a_keyframe_shown_in_time_will_do() -> None:
    index = FrameIndex(pts=list(range(30)), keyframes=[0, 12, 22])
    assert index.keyframes_before(11) == [0]  # decoded after the keyframe at 12, and needs the one at 0
    assert index.keyframes_before(12) == [12, 0]
    decoder = Decoder(CLIPS / "cfr.mp4", PLAIN_FILE, hardware=None, threads=1, deinterlace="auto")
    assert decoder.start_at(0, 0)
    assert not decoder.start_at(-9999, 0)  # the demuxer goes to the first keyframe, which is too late
    decoder.close()


def test_frames_of_another_size_and_format_come_in_that_of_the_first(tmp_path: Path) -> None:
    path = tmp_path / "mixed.mjpeg"
    with path.open("wb") as file:
        kinds = [((160, 96), "yuvj420p"), ((240, 160), "yuvj444p"), ((240, 160), "yuvj420p"), ((160, 96), "yuvj420p")]
        for number, (size, name) in enumerate(kinds):
            picture = np.full((size[1], size[0], 3), 90, np.uint8)
            frame_number.draw(picture, number)
            encoder = av.CodecContext.create("mjpeg", "w")
            encoder.width, encoder.height, encoder.pix_fmt, encoder.time_base = *size, name, Fraction(1, 25)
            frame = av.VideoFrame.from_ndarray(picture, "rgb24").reformat(format=name, dst_color_range="JPEG")
            for packet in [*encoder.encode(frame), *encoder.encode(None)]:
                file.write(bytes(packet))
    with Reader(path) as reader:
        frames = list(reader)
        assert [drawn_number(frame) for frame in frames] == [0, 1, 2, 3]
        assert {frame.frame.format for frame in frames} == {reader.info.format}
        assert abs(float(luma(frames[0])[-9:].mean()) - float(luma(frames[1])[-9:].mean())) < 2
        assert ["2 frames differ" in line for line in reader.warnings] == [True]


def test_seeks_in_a_stream_without_index_do_not_decode_from_the_start(tmp_path: Path) -> None:
    """In a transport stream the demuxer lands behind the keyframe at first."""
    options = {"bf": "2", "g": "10", "qscale": "6", "threads": "1"}
    clip = Clip("some.ts", codec="mpeg4", codec_options=options, times=tuple(range(90)))
    decoder = Decoder(make(clip, tmp_path), PLAIN_FILE, hardware=None, threads=1, deinterlace="auto")
    times = [frame.pts for frame in decoder.frames]
    assert None not in times
    for number in (80, 50):
        keyframe = times[number] or 0
        assert decoder.start_at(keyframe, keyframe)
        reached = [frame.pts or 0 for frame in decoder.frames]
        assert keyframe - 40 * 3600 <= reached[0] <= keyframe
        assert reached[-1] == times[-1]
    decoder.close()


def refreshed_in_parts(path: Path) -> Path:
    """100 frames as live encoders write them: one keyframe, then a column of each picture that is coded anew."""
    with av.open(str(path), "w") as out:
        parameters = {"x264-params": "intra-refresh=1:keyint=30:bframes=0"}
        stream = out.add_stream("libx264", rate=25, options=parameters)
        stream.width, stream.height, stream.pix_fmt = 320, 180, "yuv420p"
        for number in range(100):
            picture = np.full((180, 320, 3), 128, np.uint8)
            frame_number.draw(picture, number)
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture, "rgb24")))
        out.mux(stream.encode())
    return path


@pytest.mark.parametrize("ending", ["mp4", "ts"])
def test_a_stream_without_whole_keyframes_is_read_from_anywhere(tmp_path: Path, ending: str) -> None:
    """The last pictures, too, come after a place to enter the stream at that gives none of them."""
    path = refreshed_in_parts(tmp_path / f"live.{ending}")
    with Reader(path) as reader:
        whole = [(frame.number, drawn_number(frame), samples(frame)) for frame in reader]
    assert [drawn for _, drawn, _ in whole] == list(range(100))
    for first in (15, 30, 35, 60, 73, 91, 99):
        with Reader(path, TimeRange(numbered(first), frames=2)) as reader:
            assert [(frame.number, drawn_number(frame), samples(frame)) for frame in reader] == whole[first : first + 2]
            assert reader.lost_frames == 0


@pytest.mark.parametrize(
    ("container", "codec"), [("mov", "mpeg4"), ("mov", "libx264"), ("asf", "libx264")], ids=["part2", "avc", "asf"]
)
def test_times_of_decoding_become_those_of_showing(tmp_path: Path, container: str, codec: str) -> None:
    """Of frames that change places, in files that know only when each is decoded, as SVQ3 and VC-1 are kept: one after
    the other, from the first on. FFmpeg says that the first lasts twice as long."""
    path, packets = tmp_path / f"film.{container}", []
    with av.open(path, "w") as out:
        stream = out.add_stream(codec, rate=25)
        stream.width, stream.height, stream.pix_fmt = 96, 64, "yuv420p"
        stream.codec_context.max_b_frames = 2
        for number in range(16):
            frame = av.VideoFrame.from_ndarray(np.full((64, 96, 3), 12 * number, np.uint8), "rgb24")
            frame.pts, frame.time_base = number, Fraction(1, 25)
            packets += stream.encode(frame)
        packets += stream.encode(None)
        assert len({packet.pts - packet.dts for packet in packets if packet.pts is not None}) > 1  # they change places
        began = packets[0].dts
        for packet in packets:
            if container == "mov":
                packet.dts -= began
                packet.pts = packet.dts
            out.mux(packet)
    with Reader(path) as reader:
        frames = list(reader)
        times = [(frame.pts - frames[0].pts) * reader.info.time_base for frame in frames]
        assert times == [Fraction(number, 25) for number in range(16)]
        brightness = [float(frame.host.planes[0].mean()) for frame in frames]
        assert brightness == sorted(brightness)
        assert reader.warnings == []
        assert reader.lost_frames == 0
        reader.seek(Position(Fraction(9), "frame"))
        assert float(next(reader).host.planes[0].mean()) == brightness[9]


@pytest.mark.parametrize(
    ("declared", "shown"), [((320, 180), (320, 180)), ((160, 90), (160, 90)), ((320, 90), (160, 90))]
)
def test_a_film_that_grows_has_the_size_of_its_track(
    tmp_path: Path, declared: tuple[int, int], shown: tuple[int, int]
) -> None:
    """As WebRTC records it: the connection is slow at first. A track of another shape says nothing of the pictures."""
    path = tmp_path / "film.webm"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libvpx", rate=25)
        stream.width, stream.height = declared
        for begin, (width, height) in ((0, (160, 90)), (5, (320, 180))):
            encoder = av.CodecContext.create("libvpx", "w")
            encoder.width, encoder.height, encoder.pix_fmt, encoder.time_base = (
                width,
                height,
                "yuv420p",
                Fraction(1, 25),
            )
            packets = []
            for number in range(begin, begin + 5):
                codes = np.full((height * 3 // 2, width), 20 * number, np.uint8)
                frame = av.VideoFrame.from_ndarray(codes, "yuv420p")
                frame.pts = number
                packets += encoder.encode(frame)
            for packet in [*packets, *encoder.encode(None)]:
                packet.stream, packet.time_base = stream, Fraction(1, 25)
                out.mux(packet)
    with Reader(path) as reader:
        assert (reader.info.format.width, reader.info.format.height) == shown
        frames = list(reader)
        assert len(frames) == 10
        assert {frame.host.planes[0].shape for frame in frames} == {shown[::-1]}
        assert [abs(int(frame.host.planes[0].mean()) - 20 * frame.number) < 4 for frame in frames] == [True] * 10


def test_chapters_count_from_the_first_frame(tmp_path: Path) -> None:
    late = source(tmp_path / "late.mp4", chapters=True, starts_s=Fraction(12, 25))
    with Reader(late) as reader:
        assert [each.start_s for each in reader.info.chapters] == [0, Fraction(13, 25), Fraction(63, 25)]
