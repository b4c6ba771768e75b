"""Times: every frame out with its own, whatever the container, and ranges that begin at zero."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, cast

import av
import pytest

from framebrush.gpu.frame import nv12
from framebrush.media.streams.stream_timing import Durations, chapters_within, expected_end, later
from framebrush.media.video import OutputError, Position, TimeRange, VideoInfo
from framebrush.media.writing.file_writer import Writer
from framebrush.media.writing.output_plan import OutputOptions, plan_output
from tests.media.writing.writer_clips import CFR, WHOLE, info_of, packets, seconds, solid, source, write

if TYPE_CHECKING:
    from av.container.core import Chapter  # only in the stub

pytestmark = pytest.mark.media

VFR = (0, 511, 700, 2048, 2049, 4000, 4512, 9999, 10001, 20480)
EXACT = [(".mp4", "libx264"), (".mov", "libx265"), (".mp4", "libsvtav1"), (".mp4", "libvpx-vp9")]


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> VideoInfo:
    return info_of(source(tmp_path_factory.mktemp("film") / "film.mp4", seconds=1))


def shown(path: Path) -> list[Fraction]:
    """The times of the frames as a decoder gives them."""
    with av.open(str(path)) as film:
        return [frame.pts * frame.time_base for frame in film.decode(video=0)]  # type: ignore[operator]


@pytest.mark.parametrize(("ending", "codec"), EXACT)
@pytest.mark.parametrize(
    ("base", "times"),
    [
        (Fraction(1, 12800), CFR),
        (Fraction(1, 12800), VFR),
        (Fraction(1, 90000), tuple(3003 * number for number in range(10))),
        (Fraction(1001, 30000), tuple(range(10))),
        (Fraction(1, 1000), (0, 33, 67, 100, 133, 167, 200, 233)),
        (Fraction(1, 12800), tuple(1281 + time for time in VFR)),  # no whole millisecond
    ],
    ids=["cfr", "vfr", "ntsc90k", "ntsc", "milliseconds", "late"],
)
def test_mp4_keeps_times_exactly(
    tmp_path: Path, film: VideoInfo, ending: str, codec: str, base: Fraction, times: tuple[int, ...]
) -> None:
    target = tmp_path / f"out{ending}"
    info = replace(film, time_base=base, start_pts=times[0])
    result = write(info, target, times=times, codec=codec)
    assert shown(target) == [time * base for time in times]
    assert result.frames == len(times)


@pytest.mark.parametrize("rate", [Fraction(1000), Fraction(300), Fraction(1, 2)])
@pytest.mark.parametrize(
    ("ending", "codec"),
    [*EXACT, (".mkv", "libx264"), (".mkv", "libx265"), (".mkv", "ffv1"), (".mov", "libx264")],
)
def test_fast_and_slow_films_keep_times_and_rate(
    tmp_path: Path, film: VideoInfo, ending: str, codec: str, rate: Fraction
) -> None:
    target = tmp_path / f"out{ending}"
    info = replace(film, time_base=1 / rate, start_pts=0, rate=rate)
    write(info, target, times=tuple(range(10)), codec=codec)
    tick = Fraction(1, 1000) if ending in (".mkv", ".webm") else Fraction(0)
    assert all(abs(time - number / rate) <= tick for number, time in enumerate(shown(target)))
    with av.open(str(target)) as written:
        stream = written.streams.video[0]
        assert float(stream.average_rate or 0) == pytest.approx(rate, rel=0.01)
        # SVT-AV1 takes at most 240 frames a second, and FFmpeg's guess is never below one in Matroska
        if codec != "libsvtav1" and rate >= 1:
            assert float(stream.base_rate or 0) == pytest.approx(rate, rel=0.01)


@pytest.mark.parametrize("rate", [Fraction(1000), Fraction(300), Fraction(1, 2)])
def test_av1_keeps_times_above_its_highest_rate(tmp_path: Path, film: VideoInfo, rate: Fraction) -> None:
    target = tmp_path / "out.webm"
    info = replace(film, time_base=1 / rate, start_pts=0, rate=rate)
    write(info, target, times=tuple(range(10)), codec="libsvtav1")
    assert all(abs(time - number / rate) <= Fraction(1, 1000) for number, time in enumerate(shown(target)))


@pytest.mark.parametrize(("ending", "codec"), [(".mkv", "libx264"), (".mkv", "libx265"), (".webm", "libsvtav1")])
@pytest.mark.parametrize("times", [CFR, tuple(1280 + time for time in VFR)])
def test_matroska_rounds_to_milliseconds(
    tmp_path: Path, film: VideoInfo, ending: str, codec: str, times: tuple[int, ...]
) -> None:
    target = tmp_path / f"out{ending}"
    write(replace(film, start_pts=times[0]), target, times=times, codec=codec)
    got = shown(target)
    assert len(got) == len(times)
    for time, wanted in zip(got, times, strict=True):
        assert abs(time - wanted * film.time_base) <= Fraction(1, 2000)


def test_b_frames_do_not_move_the_first_frame(tmp_path: Path, film: VideoInfo) -> None:
    target = tmp_path / "out.mp4"
    times = tuple(range(0, 512 * 40, 512))
    write(film, target, times=times, preset="medium")
    order = [packet.pts for packet in packets(target, 0)]
    assert order != sorted(order), "the encoder was meant to reorder"  # type: ignore[type-var]
    assert shown(target) == [time * film.time_base for time in times]


@pytest.mark.parametrize("ending", [".mp4", ".mkv"])
def test_a_negative_beginning_moves_every_stream_alike(tmp_path: Path, ending: str) -> None:
    clip = source(tmp_path / "film.mkv", audio=["libopus"], seconds=1)
    info = replace(info_of(clip), start_pts=-80)
    plan = plan_output(info, tmp_path / f"o{ending}", OutputOptions(), nv12(64, 48), WHOLE)
    assert any("moved by 0.080 s" in line for line in plan.decisions)
    target = tmp_path / f"out{ending}"
    write(info, target, times=[-80, -40, 0, 40])
    assert shown(target) == [Fraction(n, 25) for n in range(4)]
    before, after = seconds(clip, 1), seconds(target, 1)
    for old, new in zip(before, after, strict=True):
        assert abs(new - old - Fraction(80, 1000)) <= Fraction(1, 900)


def test_matroska_keeps_the_priming_of_sound_from_matroska(tmp_path: Path) -> None:
    clip = source(tmp_path / "film.mkv", audio=["aac", "ac3", "libopus"], seconds=1)
    target = tmp_path / "out.mkv"
    write(info_of(clip), target)
    assert seconds(target)[0] == 0
    for stream in (1, 2, 3):
        assert seconds(clip, stream)[0] < 0
        assert seconds(target, stream) == seconds(clip, stream)


def test_a_broadcast_begins_at_zero(tmp_path: Path) -> None:
    clip = tmp_path / "film.ts"
    with av.open(str(clip), "w", container_options={"mpegts_copyts": "1"}) as out:
        stream = out.add_stream("libx264", rate=25, options={"preset": "ultrafast", "bf": "0"})
        stream.width, stream.height = 64, 48
        for number in range(10):
            frame = av.VideoFrame(64, 48)
            frame.pts, frame.time_base = 25 * 3600 + number, Fraction(1, 25)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    info = info_of(clip)
    assert info.start_pts == 3600 * 90000
    write(info, tmp_path / "out.mp4", times=[info.start_pts + 3600 * number for number in range(10)])
    assert shown(tmp_path / "out.mp4") == [Fraction(n, 25) for n in range(10)]


@pytest.mark.parametrize("ending", [".mp4", ".mkv"])
@pytest.mark.parametrize(("duration", "last"), [(1000, Fraction(1000, 12800)), (0, Fraction(512, 12800))])
def test_the_last_frame_keeps_its_duration(
    tmp_path: Path, film: VideoInfo, ending: str, duration: int, last: Fraction
) -> None:
    """Unknown, it is as long as the one before."""
    target = tmp_path / f"out{ending}"
    write(film, target, duration=duration)
    packet = max(packets(target, 0), key=lambda packet: packet.pts or 0)
    assert packet.pts is not None
    assert abs((packet.duration or 0) * packet.time_base - last) <= Fraction(1, 2000)


@pytest.mark.parametrize("ending", [".mp4", ".mov", ".mkv"])
@pytest.mark.parametrize("codec", ["libx264", "libx265"])
@pytest.mark.parametrize("joined", [False, True])
@pytest.mark.parametrize("times", [(*range(0, 512 * 22, 512), 512 * 30), VFR, tuple(n * n * 64 for n in range(24))])
def test_a_track_lasts_until_its_last_frame_has_been_shown(
    tmp_path: Path, film: VideoInfo, ending: str, codec: str, joined: bool, times: tuple[int, ...]
) -> None:
    """MP4 adds the durations of packets in the order of decoding, in which another one than the last shown is last."""
    ends = times[-1] + 4096
    plan = plan_output(film, tmp_path / f"out{ending}", OutputOptions(codec, preset="medium"), nv12(64, 48), WHOLE)
    coded: list[tuple[bytes, int, int, int, bool]] = []

    def keep(one: av.Packet[av.VideoStream]) -> None:
        assert one.pts is not None
        assert one.dts is not None
        coded.append((bytes(one), one.pts, one.dts, one.duration or 0, one.is_keyframe))

    with Writer(plan, on_packet=keep) as writer:
        for pts in times:
            writer.write(solid(plan.frames, 16 + pts % 200, 128, 128), pts, 4096 if pts == times[-1] else 0)
        writer.finish()
    assert coded[-1][1] != times[-1] or codec == "libx265" or times is VFR, "the encoder was meant to reorder"
    if joined:
        plan = replace(plan, target=tmp_path / f"joined{ending}")
        with Writer(plan) as writer:
            writer.begin(0)
            for data, pts, dts, duration, key in coded:
                again = av.Packet(data)
                again.pts, again.dts, again.duration, again.is_keyframe = pts, dts, duration, key
                writer.copy(cast("av.Packet[av.VideoStream]", again))
            writer.finish()
    with av.open(str(plan.target)) as out:
        track = out.streams.video[0]
        whole_s = Fraction(out.duration or 0, av.time_base)
        lasts_s = whole_s if track.duration is None else track.duration * (track.time_base or 0)
    assert abs(lasts_s - ends * film.time_base) < Fraction(1, 900)
    assert abs(whole_s - lasts_s) < Fraction(1, 900)
    assert shown(plan.target) == [pytest.approx(pts * film.time_base, abs=0.0006) for pts in times]


@pytest.mark.parametrize("ending", [".mp4", ".mov", ".mkv", ".webm"])
def test_a_range_begins_at_zero(tmp_path: Path, film: VideoInfo, ending: str) -> None:
    target = tmp_path / f"out{ending}"
    span = TimeRange(start=Position(Fraction(2, 5), "s"))
    codec = "libsvtav1" if ending == ".webm" else "libx264"
    write(film, target, times=[5120 + time for time in CFR], span=span, codec=codec)
    assert shown(target) == [Fraction(n, 25) for n in range(10)]


def test_times_that_run_backwards_are_refused(tmp_path: Path, film: VideoInfo) -> None:
    with pytest.raises(OutputError, match="frame at 512 does not come after the one at 1024"):
        write(film, tmp_path / "out.mp4", times=[0, 1024, 512])
    assert list(tmp_path.iterdir()) == []


def test_unknown_durations_are_the_gaps() -> None:
    durations = Durations(usual=512)
    for pts in (0, 100, 400):
        durations.add(pts, 0)
    durations.add(1000, 50)
    durations.add(1100, 0)
    assert [durations.pop(pts) for pts in (0, 100, 400, 1000)] == [100, 300, 600, 50]
    assert durations.end == 1700


def test_expected_end_of_a_range(film: VideoInfo) -> None:
    info = replace(film, start_pts=1280, rate=Fraction(25))  # begins at 0.1 s

    def s(value: str) -> Position:
        return Position(Fraction(value), "s")

    zero = Fraction(0)
    assert expected_end(info, WHOLE, zero) is None
    assert expected_end(info, TimeRange(end=s("2")), zero) == Fraction("2.1")
    assert expected_end(info, TimeRange(start=s("1"), end=s("2")), Fraction("1.1")) == 1
    assert expected_end(info, TimeRange(start=s("1"), end=s("2"), frames=5), Fraction("1.1")) == Fraction(5, 25)
    assert expected_end(info, TimeRange(end=Position(Fraction(50), "frame")), zero) == Fraction("2.1")
    assert expected_end(info, TimeRange(frames=50), zero) == Fraction("2.1")


@pytest.mark.parametrize(
    ("start", "end", "end_s", "kept"),
    [
        (1000, 2000, None, (500, 1500)),
        (1000, 2000, 1, (500, 1000)),
        (1000, 2000, 2, (500, 1500)),
        (1499, 2000, 1, (999, 1000)),
        (1500, 2000, 1, None),  # begins at the end
        (0, 501, None, (0, 1)),
        (0, 500, None, None),  # ends before the beginning
        (0, 2000, None, (0, 1500)),
    ],
)
def test_chapters_of_a_range_are_cut_to_it(
    start: int, end: int, end_s: int | None, kept: tuple[int, int] | None
) -> None:
    chapter: Chapter = {"id": 3, "start": start, "end": end, "time_base": Fraction(1, 1000), "metadata": {"title": "T"}}
    shown = chapters_within([chapter, chapter | {"time_base": Fraction(0)}], Fraction(1, 2), end_s and Fraction(end_s))
    assert shown == ([] if kept is None else [chapter | {"start": kept[0], "end": kept[1]}])


def test_chapters_behind_a_reveal_are_later() -> None:
    chapter: Chapter = {"id": 3, "start": 10, "end": 30, "time_base": Fraction(1, 1000), "metadata": {}}
    endless = chapter | {"time_base": Fraction(0)}
    assert later([chapter, endless], Fraction(3, 2)) == [chapter | {"start": 1510, "end": 1530}, endless]


def test_clip_times_are_what_they_seem(film: VideoInfo) -> None:
    """The clips that all this rests on."""
    assert all(b - a == Fraction(1, 25) for a, b in pairwise(seconds(film.path)))
