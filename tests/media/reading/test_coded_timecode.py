"""Timecodes that only the bitstream has: groups of pictures of MPEG-1 and MPEG-2, messages of HEVC."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Literal

import av
import pytest

from framebrush.gpu.frame import nv12
from framebrush.media.reading.reader import Reader
from framebrush.media.video import Position, TimeRange
from framebrush.media.writing.output_plan import OutputOptions, plan_output

pytestmark = pytest.mark.media
GROUPS = [("mpeg2video", ".mpg"), ("mpeg2video", ".ts"), ("mpeg2video", ".mkv"), ("mpeg1video", ".mpg")]


def film(path: Path, timecode: str, codec: str = "mpeg2video", rate: Fraction | int = 25, **options: str) -> Path:
    """Write twelve frames with timecodes in their groups; the first group may be one picture."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream(codec, rate=Fraction(rate), options={"gop_timecode": timecode, "g": "6", **options})
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for number in range(12):
            frame = av.VideoFrame(64, 48, "yuv420p")
            for plane in frame.planes:
                plane.update(bytes([40 + number]) * plane.buffer_size)
            frame.pts = number
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


def planned(
    path: Path, target: str, start: int | None = None, deinterlace: Literal["auto", "single"] = "auto"
) -> tuple[str | None, set[str]]:
    """Return the timecode of a result's first frame, and the losses of timecode."""
    span = TimeRange() if start is None else TimeRange(Position(Fraction(start), "frame"))
    with Reader(path, span, deinterlace=deinterlace) as reader:
        first = next(reader)
        plan = plan_output(reader.info, path.with_name(target), OutputOptions(), nv12(64, 48), span)
    return plan.timecode_at(first.pts), {loss.text for loss in plan.losses if loss.key == "timecode"}


@pytest.mark.parametrize(("codec", "ending"), GROUPS)
@pytest.mark.parametrize("target", ["o.mov", "o.mp4", "o.mkv"])
def test_the_timecode_of_a_group_is_kept(codec: str, ending: str, target: str, tmp_path: Path) -> None:
    path = film(tmp_path / f"film{ending}", "01:02:03:04", codec)
    assert planned(path, target) == ("01:02:03:04", set())
    assert planned(path, target, start=8) == ("01:02:03:12", set())


def test_it_is_in_the_file(tmp_path: Path) -> None:
    path = film(tmp_path / "film.mpg", "10:00:00:00")
    with Reader(path) as reader:
        assert reader.info.timecode == "10:00:00:00"
    assert planned(path, "o.ts") == (None, {"the timecode 10:00:00:00 (MPEG-TS cannot hold it)"})


def test_a_film_that_begins_in_an_open_group(tmp_path: Path) -> None:
    """Its first two pictures lack the group before, and are skipped unless it is marked as closed."""
    whole = film(tmp_path / "whole.mpg", "01:02:03:04", g="6", bf="2", sc_threshold="1000000000")
    path = tmp_path / "cut.mpg"
    with av.open(str(whole)) as source, av.open(str(path), "w") as out:
        stream = out.add_stream_from_template(source.streams.video[0])
        cut = False
        for packet in source.demux(video=0):
            cut |= packet.is_keyframe and packet.pts != source.streams.video[0].start_time
            if cut and packet.size:
                packet.stream = stream
                out.mux(packet)
    with Reader(whole) as reader, Reader(path, deinterlace="double") as later:
        assert reader.info.timecode == "01:02:03:04"
        assert later.info.timecode == "01:02:03:10"
    data = bytearray(path.read_bytes())
    data[data.index(b"\0\0\1\xb8") + 7] |= 0x40
    path.write_bytes(data)
    with Reader(path) as reader:
        assert reader.info.timecode == "01:02:03:08"


def test_dropped_numbers_and_frames_that_are_deinterlaced(tmp_path: Path) -> None:
    path = film(tmp_path / "film.mpg", "01:00:59;28", rate=Fraction(30000, 1001))
    assert planned(path, "o.mov") == ("01:00:59;28", set())
    assert planned(path, "o.mov", start=2) == ("01:01:00;02", set())
    assert planned(path, "o.mov", deinterlace="single") == ("01:00:59;28", set())


def test_zeros_say_nothing(tmp_path: Path) -> None:
    for path in (film(tmp_path / "a.mpg", "00:00:00:00"), film(tmp_path / "b.mpg", "00:00:00;00", rate=30)):
        with Reader(path) as reader:
            assert reader.info.timecode is None
        assert planned(path, "o.ts") == (None, set())


def message(hours: int, minutes: int, seconds: int, frames: int) -> bytes:
    """The time code message of HEVC (ITU-T H.265, D.2.27) as a unit of the bitstream."""
    fields = [(1, 2), (1, 1), (0, 1), (0, 5), (1, 1), (0, 1), (0, 1), (frames, 9), (seconds, 6), (minutes, 6)]
    fields += [(hours, 5), (0, 5)]
    bits = "".join(f"{value:0{width}b}" for value, width in fields)
    bits += "1" + "0" * (-(len(bits) + 1) % 8)
    content = int(bits, 2).to_bytes(len(bits) // 8, "big")
    unit = bytes([39 << 1, 1, 136, len(content)]) + content + b"\x80"
    return b"\0\0\0\1" + unit.replace(b"\0\0\1", b"\0\0\3\1").replace(b"\0\0\0", b"\0\0\3\0")


@pytest.mark.parametrize(("rate", "frames"), [(25, 7), (50, 31), (60, 45), (Fraction(24000, 1001), 23), (30, 0)])
def test_a_message_of_hevc(rate: Fraction | int, frames: int, tmp_path: Path) -> None:
    path, raw = tmp_path / "film.mkv", tmp_path / "film.hevc"
    options = {"x265-params": "log-level=none:repeat-headers=1:bframes=0", "preset": "ultrafast"}
    film(raw, "", "libx265", rate, **options)
    data = raw.read_bytes()
    place = data.index(b"\0\0\1\x26") if b"\0\0\1\x26" in data else data.index(b"\0\0\1\x28")
    raw.write_bytes(data[:place] + message(10, 11, 12, frames)[1:] + data[place:])
    with av.open(str(raw), options={"framerate": str(rate)}) as coded, av.open(str(path), "w") as out:
        stream = out.add_stream_from_template(coded.streams.video[0])
        for number, packet in enumerate(coded.demux(video=0)):
            if packet.size:
                packet.stream, packet.time_base = stream, 1 / Fraction(rate)
                packet.pts = packet.dts = number
                out.mux(packet)
    with Reader(path) as reader:
        assert reader.info.timecode == f"10:11:12:{frames:02}"
    assert planned(path, "o.mov")[0] == f"10:11:12:{frames:02}"
