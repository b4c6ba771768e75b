"""Clocks that jump, streams that come and go, sound that is damaged: the picture is whole and the sound is with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest

from framebrush.gpu.device import open_device
from framebrush.jobs.transcode import Listener, Outcome, Status
from framebrush.media.reading.reader import Reader
from framebrush.media.video import Position, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from tests.app.jobs.footage import job, transcode
from tests.media.writing.writer_clips import seconds, stream_types

pytestmark = pytest.mark.media

FRAMES = 75  # 3 s
RATE = 48000
FAST = OutputOptions(codec="h264", preset="ultrafast")


def film(
    path: Path,
    audio: Sequence[str] = ("aac",),
    *,
    frames: int = FRAMES,
    starts_s: int = 0,
    sound_from: int = 0,
    codec: str = "libx264",
    noise: int = 0,
) -> Path:
    """25 fps with B-frames. Every 25th frame is bright, and a burst of sound begins with it. sound_from: a frame.
    noise: added to the picture, in codes, which makes the file large."""
    options = {"preset": "ultrafast", "bf": "2", "b-adapt": "0"} if codec == "libx264" else {"bf": "2"}
    with av.open(str(path), "w") as out:
        picture = out.add_stream(codec, rate=25, options=options)
        picture.width, picture.height, picture.pix_fmt = 128, 96, "yuv420p"
        tracks = [out.add_stream(name, rate=RATE) for name in audio]
        for number in range(frames):
            level = 220 if number % 25 == 0 else 30 + number % 60
            codes = np.full((144, 128), level) + np.random.default_rng(number).integers(0, noise + 1, (144, 128))
            frame = av.VideoFrame.from_ndarray(codes.astype(np.uint8), "yuv420p")
            frame.pts, frame.time_base = number + 25 * starts_s, Fraction(1, 25)
            out.mux(picture.encode(frame))
            for track in tracks if number >= sound_from else []:
                tone = np.sin(np.arange(1920) / 5) * (0.5 if number % 25 < 2 else 0.0)
                samples = np.stack([tone, tone]).astype(np.float32)
                sound = av.AudioFrame.from_ndarray(samples, "fltp", "stereo")
                sound.sample_rate, sound.time_base = RATE, Fraction(1, RATE)
                sound.pts = number * 1920 + RATE * starts_s
                out.mux(track.encode(sound))
        for stream in (picture, *tracks):
            out.mux(stream.encode(None))
    return path


def joined(path: Path, *parts: Path) -> Path:
    path.write_bytes(b"".join(part.read_bytes() for part in parts))
    return path


def paint(source: Path, target: Path, span: TimeRange | None = None) -> tuple[Outcome, list[str]]:
    """Run a film through the identity network; return outcome and messages."""
    said: list[str] = []
    with open_device("cpu") as device:
        outcome = transcode(job(source, target, device, options=FAST, span=span), Listener(said.append))
    return outcome, said


def check_sync(path: Path, flashes: int) -> None:
    """The bursts of sound are heard with the bright frames, to within a packet of sound."""
    bright, bursts, quiet = [], [], True
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            if frame.to_ndarray(format="gray").mean() > 150:
                bright.append(frame.time)
    with av.open(str(path)) as container:
        for sound in container.decode(audio=0):
            samples = np.abs(sound.to_ndarray()).max(axis=0)
            assert sound.time is not None
            for place in range(0, len(samples), 64):
                loud = samples[place : place + 64].max() > 0.2
                if loud and quiet:
                    bursts.append(sound.time + place / RATE)
                quiet = not loud and (quiet or bool(samples[place:].max() < 0.05))
    assert len(bright) == flashes
    for flash in bright:
        assert min(abs(burst - flash) for burst in bursts) < 0.045, (flash, bursts)


def increasing(times: Sequence[Fraction]) -> bool:
    return all(later > earlier for earlier, later in pairwise(times))


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".mp4", ".mkv"])
@pytest.mark.parametrize(
    ("starts_s", "gap_s"), [((0, 0), 0), ((0, 4), 1), ((0, 72000), 0), ((72000, 0), 0), ((3, 0), 0), ((95440, 0), 0.72)]
)
def test_joined_transport_streams(tmp_path: Path, ending: str, starts_s: tuple[int, int], gap_s: float) -> None:
    """The second begins anywhere. A short gap may be a lost signal, and stays; 33 bits of the clock are 95443.72 s."""
    parts = [film(tmp_path / f"{place}.ts", starts_s=start) for place, start in enumerate(starts_s)]
    target = tmp_path / f"out{ending}"
    outcome, said = paint(joined(tmp_path / "film.ts", *parts), target)
    times = seconds(target, 0)
    assert outcome.progress.frames == len(times) == 2 * FRAMES
    assert increasing(sorted(times))
    assert abs(float(max(times) - min(times)) - (2 * FRAMES - 1) / 25 - gap_s) < 0.1
    assert increasing(seconds(target, 1))
    assert any("clock jumps in 1 place" in line for line in said) == (not gap_s)
    check_sync(target, 6)


@pytest.mark.slow
def test_a_clock_that_wraps(tmp_path: Path) -> None:
    """Its 33 bits end 1.7 s after the beginning."""
    outcome, said = paint(film(tmp_path / "film.ts", starts_s=95442), tmp_path / "out.mkv")
    assert (outcome.status, outcome.progress.frames) == (Status.DONE, FRAMES)
    assert not any("jump" in line for line in said)
    assert max(seconds(tmp_path / "out.mkv")) < 3.1
    check_sync(tmp_path / "out.mkv", 3)


@pytest.mark.slow
def test_a_range_of_joined_streams(tmp_path: Path) -> None:
    """Frame 100 is in the second part."""
    path = joined(tmp_path / "film.ts", film(tmp_path / "a.ts"), film(tmp_path / "b.ts"))
    span = TimeRange(Position(Fraction(90), "frame"), Position(Fraction(140), "frame"))
    outcome, _ = paint(path, tmp_path / "out.mkv", span=span)
    assert outcome.progress.frames == 50
    assert abs(max(seconds(tmp_path / "out.mkv", 0)) - Fraction(49, 25)) < Fraction(1, 500)
    check_sync(tmp_path / "out.mkv", 2)
    with Reader(path) as reader:
        reader.seek(Position(Fraction(100), "frame"))
        assert [frame.number for frame in reader] == list(range(100, 150))
        assert reader.lost_frames == 0


@pytest.mark.slow
def test_a_programme_that_changes(tmp_path: Path) -> None:
    """One track of sound, then two, then one: the table of programmes names a stream where FFmpeg does not look for it
    when it opens the file, neither near its beginning nor in the last 250 kB."""
    single, double = film(tmp_path / "a.ts", frames=200), film(tmp_path / "b.ts", ("aac", "ac3"))
    path = joined(tmp_path / "film.ts", single, double, film(tmp_path / "c.ts", frames=100, noise=30))
    outcome, said = paint(path, tmp_path / "out.mp4")
    assert outcome.progress.frames == 200 + FRAMES + 100
    assert outcome.status is Status.LOSSES
    assert any("streams that begin in mid-file are left out" in line for line in said)
    assert stream_types(tmp_path / "out.mp4") == [("video", "h264"), ("audio", "aac")]
    check_sync(tmp_path / "out.mp4", 15)


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".ts", ".flv"])
def test_sound_that_begins_late(tmp_path: Path, ending: str) -> None:
    """Later than FFmpeg looks for it."""
    path = film(tmp_path / f"film{ending}", ("ac3" if ending == ".ts" else "aac",), frames=400, sound_from=275)
    for name in ("out.mp4", "out.mkv"):
        outcome, _ = paint(path, tmp_path / name)
        assert outcome.progress.frames == 400
        sound = seconds(tmp_path / name, 1)
        assert abs(sound[0] - seconds(tmp_path / name, 0)[0] - 11) < Fraction(1, 10)
        assert abs(sound[-1] - 16) < Fraction(1, 5)


@pytest.mark.parametrize("audio", ["copy", "none"])
@pytest.mark.parametrize(("ending", "names"), [(".mkv", [b"A_AAC"]), (".mp4", [b"mp4a", b"esds"])])
def test_sound_that_ffmpeg_does_not_know(tmp_path: Path, ending: str, names: list[bytes], audio: str) -> None:
    path = film(tmp_path / f"film{ending}")
    content = path.read_bytes()
    for name in names:
        assert name in content
        content = content.replace(name, b"A_XPU"[: len(name)])
    path.write_bytes(content)
    said: list[str] = []
    options = OutputOptions(codec="h264", preset="ultrafast", audio=audio)  # type: ignore[arg-type]
    with open_device("cpu") as device:
        outcome = transcode(job(path, tmp_path / "out.mkv", device, options=options), Listener(said.append))
    assert outcome.progress.frames == FRAMES
    assert stream_types(tmp_path / "out.mkv") == [("video", "h264")]
    if audio == "copy":
        assert outcome.status is Status.LOSSES
        assert any("left out: FFmpeg cannot decode it" in line for line in said)


def pes(content: bytearray, first: int) -> list[int]:
    """Where the headers of a transport stream's PES packets of sound begin. first: 0xC0 for MPEG's."""
    places = []
    for at in range(0, len(content), 188):
        if content[at + 1] & 0x40:
            body = at + 4 + (content[at + 4] + 1 if content[at + 3] & 0x20 else 0)
            if content[body : body + 3] == b"\0\0\1" and content[body + 3] & 0xE0 == first:
                places.append(body)
    return places


def restamp(content: bytearray, at: int, change: Callable[[int], int]) -> None:
    """Change the presentation time of a PES packet (ISO/IEC 13818-1, 2.4.3.7), in ticks of 90 kHz."""
    q = content[at + 9 : at + 14]
    old = ((q[0] >> 1) & 7) << 30 | q[1] << 22 | (q[2] >> 1) << 15 | q[3] << 7 | q[4] >> 1
    new = change(old) & ((1 << 33) - 1)
    high, middle, low = new >> 30, new >> 15 & 0x7FFF, new & 0x7FFF
    content[at + 9] = q[0] & 0xF1 | high << 1
    content[at + 10 : at + 14] = (middle << 1 | 1).to_bytes(2, "big") + (low << 1 | 1).to_bytes(2, "big")


@pytest.mark.slow
@pytest.mark.parametrize("later_s", [5, -2, 100, 72000])
def test_one_wrong_time_costs_no_more_than_its_packet(tmp_path: Path, later_s: int) -> None:
    path = film(tmp_path / "film.ts")
    content = bytearray(path.read_bytes())
    places = pes(content, 0xC0)
    restamp(content, places[40], lambda old: old + later_s * 90000)
    path.write_bytes(content)
    outcome, _ = paint(path, tmp_path / "out.mp4")
    assert outcome.progress.frames == FRAMES
    assert len(seconds(tmp_path / "out.mp4", 1)) >= len(places) - 1
    assert increasing(seconds(tmp_path / "out.mp4", 1))
    check_sync(tmp_path / "out.mp4", 3)


@pytest.mark.parametrize("ending", [".mp4", ".mkv"])
def test_times_of_sound_that_come_twice(tmp_path: Path, ending: str) -> None:
    path = film(tmp_path / "film.ts")
    content = bytearray(path.read_bytes())
    places = pes(content, 0xC0)
    restamp(content, places[41], lambda old: old - 1920)  # a packet of AAC lasts 21.33 ms
    path.write_bytes(content)
    outcome, said = paint(path, tmp_path / f"out{ending}")
    assert (outcome.status, outcome.progress.frames) == (Status.LOSSES, FRAMES)
    assert any("1 packet left out, whose times are wrong" in line for line in said), said
    assert increasing(seconds(tmp_path / f"out{ending}", 1))


@pytest.mark.parametrize("ending", [".mp4", ".mkv"])
def test_sound_that_an_edit_list_hides_is_no_loss(tmp_path: Path, ending: str) -> None:
    """A film that was cut without encoding: its sound begins at a keyframe before the first frame, and is hidden."""
    cut = tmp_path / "cut.mp4"
    with av.open(str(film(tmp_path / "film.mp4"))) as old, av.open(str(cut), "w") as new:
        streams = [new.add_stream_from_template(stream) for stream in old.streams]
        for packet in old.demux():
            if packet.pts is not None and packet.dts is not None:
                earlier = round(1 / packet.time_base) if packet.stream_index == 1 else 0
                packet.pts, packet.dts = packet.pts - earlier, packet.dts - earlier
                packet.stream = streams[packet.stream_index]
                new.mux(packet)
    with av.open(str(cut)) as made:
        assert sum(packet.is_discard for packet in made.demux(audio=0)) > 40
    outcome, said = paint(cut, tmp_path / f"out{ending}")
    assert (outcome.status, outcome.progress.frames) == (Status.DONE, FRAMES), said


@pytest.mark.slow
def test_damaged_sound_costs_no_picture(tmp_path: Path) -> None:
    """Headers of AAC that are none: the muxer refuses those packets."""
    path = film(tmp_path / "film.ts")
    content = bytearray(path.read_bytes())
    for place in pes(content, 0xC0)[30:60:3]:
        body = place + 9 + content[place + 8]
        content[body : body + 7] = bytes(7)
    path.write_bytes(content)
    for name in ("out.mp4", "out.mkv"):
        outcome, said = paint(path, tmp_path / name)
        assert outcome.progress.frames == len(seconds(tmp_path / name, 0)) == FRAMES
        assert outcome.status is Status.LOSSES, said
        assert 0 < len(seconds(tmp_path / name, 1)) < 142


def test_the_first_packet_of_sound_is_kept(tmp_path: Path) -> None:
    """The sound of a transport stream begins before its picture, by less than a millisecond of Matroska here."""
    path = film(tmp_path / "film.ts")
    with av.open(str(path)) as source:
        wanted = sum(bool(packet.size) for packet in source.demux(audio=0))
    outcome, _ = paint(path, tmp_path / "out.mkv")
    assert outcome.status is Status.DONE
    assert len(seconds(tmp_path / "out.mkv", 1)) == wanted


@pytest.mark.slow
@pytest.mark.parametrize("codec", ["libx264", "mpeg4"])
def test_decode_times_given_as_presentation_times(tmp_path: Path, codec: str) -> None:
    """MP4 as some tools make it of AVI: frames change places, and their times say nothing of it."""
    path = tmp_path / "film.mp4"
    with av.open(str(film(tmp_path / "good.mp4", (), codec=codec))) as source, av.open(str(path), "w") as out:
        stream = out.add_stream_from_template(source.streams.video[0])
        for number, packet in enumerate(packet for packet in source.demux(video=0) if packet.size):
            assert stream.time_base is not None
            packet.stream, packet.pts, packet.dts = stream, number * 512, number * 512
            out.mux(packet)
    outcome, said = paint(path, tmp_path / "out.mp4")
    assert (outcome.status, outcome.lost, outcome.progress.frames) == (Status.DONE, 0, FRAMES), said
    assert sorted(seconds(tmp_path / "out.mp4")) == [Fraction(number, 25) for number in range(FRAMES)]
    with av.open(str(tmp_path / "out.mp4")) as painted:
        levels = [frame.to_ndarray(format="gray").mean() for frame in painted.decode(video=0)]
    assert [number for number, level in enumerate(levels) if level > 150] == [0, 25, 50]
    outcome, _ = paint(path, tmp_path / "part.mp4", span=TimeRange(frames=50))
    assert outcome.progress.frames == 50


@pytest.mark.parametrize("ending", [".mp4", ".mkv"])
def test_a_gap_of_thirteen_days(tmp_path: Path, ending: str) -> None:
    """No container of the MP4 family holds it."""
    path = tmp_path / "film.mkv"
    with av.open(str(film(tmp_path / "good.mp4"))) as source, av.open(str(path), "w") as out:
        streams = {stream.index: out.add_stream_from_template(stream) for stream in source.streams}
        packets = [packet for packet in source.demux() if packet.size and packet.dts is not None]
        for packet in packets:
            assert packet.pts is not None
            assert packet.dts is not None
            if packet.dts * packet.time_base > 1:
                gap = int(13 * 86400 / packet.time_base)
                packet.pts, packet.dts = packet.pts + gap, packet.dts + gap
            packet.stream = streams[packet.stream_index]
            out.mux(packet)
    outcome, said = paint(path, tmp_path / f"out{ending}")
    assert outcome.progress.frames >= FRAMES - 2
    assert max(seconds(tmp_path / f"out{ending}")) < 4
    assert any("clock jumps in 1 place" in line for line in said)


def slow_film(path: Path, rate: Fraction, ticks: Sequence[int]) -> Path:
    """Frames of these times in 1/rate, in which a frame comes long after its decode time, as others refer to it."""
    with av.open(str(path), "w") as out:
        picture = out.add_stream("libx264", rate=rate, options={"preset": "ultrafast", "bf": "3", "b-adapt": "0"})
        picture.width, picture.height, picture.pix_fmt = 128, 96, "yuv420p"
        for number, tick in enumerate(ticks):
            frame = av.VideoFrame.from_ndarray(np.full((144, 128), 30 + number * 9, np.uint8), "yuv420p")
            frame.pts, frame.time_base = tick, 1 / rate
            out.mux(picture.encode(frame))
        out.mux(picture.encode(None))
    with av.open(str(path)) as made:
        assert any(packet.pts - (packet.dts or 0) > 14 / packet.time_base for packet in made.demux() if packet.pts)
    return path


@pytest.mark.parametrize(
    ("ending", "rate", "ticks"),
    [
        (".mp4", Fraction(25), [number + 1500 * (number > 8) for number in range(20)]),  # a screen recording
        (".mkv", Fraction(25), [number + 1500 * (number > 8) for number in range(20)]),
        (".mp4", Fraction(25), [number + 23 * 90_000 * (number > 8) for number in range(20)]),  # most of a day
        (".mp4", Fraction(1, 60), range(20)),  # a time lapse
        (".ts", Fraction(1, 5), range(20)),
    ],
)
def test_a_picture_that_stands_for_long(tmp_path: Path, ending: str, rate: Fraction, ticks: Sequence[int]) -> None:
    outcome, said = paint(slow_film(tmp_path / f"film{ending}", rate, ticks), tmp_path / "out.mp4")
    assert (outcome.status, outcome.progress.frames) == (Status.DONE, 20), said
    assert sorted(seconds(tmp_path / "out.mp4", 0)) == pytest.approx([tick / rate for tick in ticks], abs=1e-3)


def test_packets_without_change_are_no_losses(tmp_path: Path) -> None:
    """Screen codecs in AVI write a few bytes where nothing changed, for which decoders give no frame."""
    path = tmp_path / "film.avi"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("mjpeg", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuvj420p"
        for number in range(30):
            frame = av.VideoFrame.from_ndarray(np.full((72, 64), 8 * number, np.uint8), "yuvj420p")
            frame.pts = number
            for packet in stream.encode(frame):
                short = av.Packet(bytes(packet) if number % 5 == 0 else b"\0\0")
                short.stream, short.pts, short.dts, short.time_base = stream, number, number, Fraction(1, 25)
                out.mux(short)
        out.mux(stream.encode(None))
    with Reader(path) as reader:
        assert sum(1 for _ in reader) == 6
        assert reader.lost_frames == 0
