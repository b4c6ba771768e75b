"""The streams in the other streams: copied whole, converted where they must be, and otherwise left out aloud."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from av.stream import Disposition

from framebrush.gpu.frame import nv12
from framebrush.media.streams import remux
from framebrush.media.video import Position, TimeRange, VideoInfo
from framebrush.media.writing.file_writer import Writer
from framebrush.media.writing.output_plan import OutputOptions, plan_output
from tests.media.pgs import cleared, film_with_pgs, shown
from tests.media.writing.writer_clips import (
    ASS_HEADER,
    WHOLE,
    info_of,
    jpeg,
    line_of_text,
    packets,
    payloads,
    seconds,
    solid,
    source,
    stream_types,
    write,
)

pytestmark = pytest.mark.media
FONT = bytes(range(256)) * 8
FRAMES = nv12(64, 48)


@pytest.fixture(scope="module")
def matroska(tmp_path_factory: pytest.TempPathFactory) -> VideoInfo:
    """Everything at once."""
    folder = tmp_path_factory.mktemp("matroska")
    return info_of(
        source(
            folder / "film.mkv",
            audio=["libopus", "flac"],
            subtitles=["subrip", "ass"],
            cover=True,
            font=FONT,
            chapters=True,
        )
    )


@pytest.fixture(scope="module")
def mp4(tmp_path_factory: pytest.TempPathFactory) -> VideoInfo:
    folder = tmp_path_factory.mktemp("mp4")
    return info_of(source(folder / "film.mp4", audio=["aac"], subtitles=["mov_text"], cover=True, chapters=True))


def times(info: VideoInfo, count: int = 100, first: int = 0) -> list[int]:
    """Times of frames of 25 fps in the clip's ticks."""
    return [round(Fraction(first + number, 25) / info.time_base) for number in range(count)]


def decisions(info: VideoInfo, target: Path, **options: str) -> str:
    options = {"codec": "av1" if target.suffix == ".webm" else "h264"} | options
    plan = plan_output(info, target, OutputOptions(**options), FRAMES, WHOLE)  # type: ignore[arg-type]
    return "\n".join([*plan.decisions, *(loss.text for loss in plan.losses)])


def texts(path: Path, index: int) -> list[str]:
    """Return the shown lines of a subtitle stream."""
    lines = []
    with av.open(str(path)) as film:
        for packet in film.demux(film.streams[index]):
            if packet.size:
                lines += [text.dialogue.decode() for text in packet.decode()]  # type: ignore[union-attr]
    return [line for line in lines if line]


def chapters(path: Path) -> list[tuple[float, float, str]]:
    with av.open(str(path)) as film:
        return [
            (float(c["start"] * c["time_base"]), float(c["end"] * c["time_base"]), c["metadata"]["title"])  # type: ignore[operator]
            for c in film.chapters()
        ]


def test_matroska_to_matroska_copies_everything(tmp_path: Path, matroska: VideoInfo) -> None:
    target = tmp_path / "out.mkv"
    write(matroska, target, times=times(matroska))
    assert stream_types(target) == stream_types(matroska.path)
    for index in range(1, 5):
        assert payloads(target, index) == payloads(matroska.path, index)
        assert seconds(target, index) == seconds(matroska.path, index)
    with av.open(str(target)) as new, av.open(str(matroska.path)) as old:
        assert new.metadata["title"] == "A film"
        for now, before in zip(new.streams, old.streams, strict=True):
            assert now.disposition == before.disposition
            assert now.metadata.get("language") == before.metadata.get("language")
            assert now.metadata.get("title") == before.metadata.get("title")
        assert new.streams[2].disposition == Disposition.comment | Disposition.dub
        assert new.streams.attachments[0].data == FONT
        assert new.streams.attachments[0].name == "font.ttf"
    assert payloads(target, 6) == [jpeg()]
    assert chapters(target) == [(0, 1, "First"), (1, 3, "Second"), (3, 4, "Third")]


def test_mp4_to_mp4_copies_everything(tmp_path: Path, mp4: VideoInfo) -> None:
    target = tmp_path / "out.mp4"
    said = decisions(mp4, target)
    assert said.count("\n") == 0, said  # nothing to say but the encoder
    write(mp4, target, times=times(mp4))
    assert stream_types(target) == stream_types(mp4.path)
    for index in (1, 2):
        assert payloads(target, index) == payloads(mp4.path, index)
    assert seconds(target, 1) == seconds(mp4.path, 1)
    assert seconds(target, 1)[0] < 0, "the priming of AAC lies before 0"
    assert payloads(target, 4) == [jpeg()]
    with av.open(str(target)) as new:
        assert new.streams[4].disposition == Disposition.attached_pic
        assert new.streams[1].metadata["language"] == "eng"
        assert new.metadata["artist"] == "Somebody"
    assert chapters(target) == [(0, 1, "First"), (1, 3, "Second"), (3, 4, "Third")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "wanted", "lines"),
    [
        (
            ".mp4",
            ["opus", "flac", "mov_text", "mov_text", "mjpeg"],
            ["(srt) converted to mov_text: MP4 cannot hold it", "attachment stream 5 (font.ttf, font/ttf) left out"],
        ),
        (
            ".mov",
            ["aac", "alac", "mov_text", "mov_text"],
            [
                "audio stream 1 (opus) re-encoded with aac: MOV",
                "(flac) re-encoded with alac, which keeps",
                "cover art",
            ],
        ),
        (
            ".webm",
            ["opus", "opus", "webvtt", "webvtt"],
            ["(flac) re-encoded with libopus: WebM cannot hold it", "(ssa) converted to webvtt", "cover art", "font"],
        ),
    ],
)
def test_what_a_container_cannot_hold_is_converted_or_left_out_aloud(
    tmp_path: Path, matroska: VideoInfo, ending: str, wanted: list[str], lines: list[str]
) -> None:
    target = tmp_path / f"out{ending}"
    said = decisions(matroska, target)
    for line in lines:
        assert line in said
    write(matroska, target, times=times(matroska), codec="libsvtav1" if ending == ".webm" else "libx264")
    kinds = [codec for kind, codec in stream_types(target)[1:] if kind != "data"]
    assert kinds == wanted
    for index in (3, 4):
        assert texts(target, index) == [f"Line {number}" for number in range(4)]
        starts = [time for time in seconds(target, index) if time % 1 == Fraction(1, 5)]
        assert len(starts) == 4
    assert [title for _, _, title in chapters(target)] == ["First", "Second", "Third"]


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".mov", ".webm"])
def test_sound_encoded_anew_stays_in_time(tmp_path: Path, matroska: VideoInfo, ending: str) -> None:
    """The tone crosses zero at known samples, so a shift of half a millisecond would show."""
    target = tmp_path / f"out{ending}"
    index = 1 if ending == ".mov" else 2
    write(matroska, target, times=times(matroska), codec="libsvtav1" if ending == ".webm" else "libx264")
    with av.open(str(target)) as film:
        stream = film.streams[index]
        shaper = av.AudioResampler("s16", "mono", 48000)
        pieces = [piece for frame in film.decode(stream) for piece in shaper.resample(frame)]  # type: ignore[arg-type]
    first = pieces[0]
    assert first.pts is not None
    assert first.time_base is not None
    heard = np.concatenate([piece.to_ndarray()[0] for piece in pieces]).astype(float)
    begin = round(first.pts * first.time_base * 48000)
    assert abs(begin + len(heard) - 4 * 48000) < 2000
    window = slice(48000 - begin, 144000 - begin)  # the seconds 1 to 3
    phase = np.exp(1j * np.arange(48000, 144000) / 20)
    angle = np.angle(np.sum(heard[window] * phase.conj()) * 1j)
    assert abs(angle) * 20 < 24, "samples"


def test_mp4_to_matroska_keeps_the_picture_at_its_time(tmp_path: Path, mp4: VideoInfo) -> None:
    """Matroska has no place for the priming of AAC before 0; moving all by it would be wrong for the picture."""
    target = tmp_path / "out.mkv"
    said = decisions(mp4, target)
    assert "(mov_text) converted to subrip: MKV cannot hold it" in said
    assert "audio stream 1 (aac) fades in" in said
    write(mp4, target, times=times(mp4))
    assert seconds(target, 0)[:2] == [0, Fraction(1, 25)]
    assert payloads(target, 1) == payloads(mp4.path, 1)[1:]
    assert texts(target, 2) == [f"Line {number}" for number in range(4)]
    assert payloads(target, 3) == [jpeg()]


def test_audio_none(tmp_path: Path, mp4: VideoInfo) -> None:
    assert "audio stream 1 (aac) left out, as asked" in decisions(mp4, tmp_path / "o.mp4", audio="none")
    write(mp4, tmp_path / "out.mp4", times=times(mp4, 10), audio="none")
    assert "audio" not in [kind for kind, _ in stream_types(tmp_path / "out.mp4")]


@pytest.mark.parametrize("ending", [".mkv", ".mp4"])
@pytest.mark.parametrize("unit", ["s", "frame"])
def test_a_range_cuts_every_stream_alike(tmp_path: Path, matroska: VideoInfo, ending: str, unit: str) -> None:
    """From 1.4 s (in the text from 1.2 to 1.7 s) to 3.3 s (in the text from 3.2 to 3.7 s)."""
    target = tmp_path / f"out{ending}"
    scale = 1 if unit == "s" else 25
    start, end = (Position(Fraction(value) * scale, unit) for value in ("1.4", "3.3"))  # type: ignore[arg-type]
    write(matroska, target, times=times(matroska, 48, first=35), span=TimeRange(start, end))
    assert seconds(target, 0)[0] == 0
    sound = seconds(target, 1)
    assert 0 <= sound[0] < Fraction(1, 40)
    assert Fraction("1.88") < sound[-1] < Fraction("1.92")
    kept = payloads(target, 1)
    whole = payloads(matroska.path, 1)
    first = whole.index(kept[0])
    assert whole[first : first + len(kept)] == kept
    assert abs(seconds(matroska.path, 1)[first] - Fraction("1.4") - sound[0]) <= Fraction(1, 1000)
    lines = [packet for packet in packets(target, 3) if len(bytes(packet)) > 2]
    shown = [[float(p.pts * p.time_base), float(p.duration * p.time_base)] for p in lines]  # type: ignore[operator]
    assert np.array(shown) == pytest.approx(np.array([[0, 0.3], [0.8, 0.5], [1.8, 0.1]]), abs=0.021)
    assert shown[0][0] == 0
    assert texts(target, 3) == ["Line 1", "Line 2", "Line 3"]
    assert chapters(target) == [
        (0, pytest.approx(1.6), "Second"),
        (pytest.approx(1.6), pytest.approx(1.9, abs=0.021), "Third"),
    ]


def test_a_range_without_end_takes_the_rest(tmp_path: Path, matroska: VideoInfo) -> None:
    target = tmp_path / "out.mkv"
    write(matroska, target, times=times(matroska, 25, first=75), span=TimeRange(start=Position(Fraction(3), "s")))
    assert payloads(target, 1)[-1] == payloads(matroska.path, 1)[-1]
    assert chapters(target) == [(0, 1, "Third")]


@pytest.mark.parametrize("span", [WHOLE, TimeRange(frames=50)])
def test_subtitles_far_ahead_in_the_file_do_not_hold_the_sound_back(tmp_path: Path, span: TimeRange) -> None:
    clip = tmp_path / "film.mkv"
    with av.open(str(clip), "w") as out:
        picture = out.add_stream("libx264", rate=25, options={"preset": "ultrafast", "tune": "zerolatency"})
        picture.width, picture.height = 64, 48
        sound, text = out.add_stream("pcm_s16le", rate=48000), out.add_stream("subrip")
        text.codec_context.subtitle_header = ASS_HEADER
        for second in (0, 30):
            line = line_of_text(text, second, Fraction(0))
            line.dts = 0  # which decides on the place in the file
            out.mux(line)
        for number in range(100):
            frame = av.VideoFrame(64, 48)
            frame.pts, frame.time_base = number, Fraction(1, 25)
            out.mux(picture.encode(frame))
            tone = av.AudioFrame.from_ndarray(np.zeros((1, 3840), np.int16), "s16", "stereo")
            tone.sample_rate, tone.pts, tone.time_base = 48000, number * 1920, Fraction(1, 48000)
            out.mux(sound.encode(tone))
    with av.open(str(clip)) as film:
        order = [(packet.stream.type, packet.pts) for packet in film.demux()]
    assert order.index(("subtitle", 30200)) < 10, "the clip was meant to be badly interleaved"
    info = info_of(clip)
    # MP4 refuses PCM whose channels have no places only when it completes the file; the plan knows it before.
    assert "(pcm_s16le) re-encoded with aac: MP4 cannot hold it" in decisions(info, tmp_path / "o.mp4")
    count = span.frames or 100
    target = tmp_path / "out.mp4"
    write(info, target, times=times(info, count), span=span)
    sound_s = seconds(target, 1)[-1]
    assert abs(sound_s - Fraction(count, 25)) < Fraction(1, 20)


def test_a_second_picture_is_left_out_aloud(tmp_path: Path) -> None:
    clip = tmp_path / "two.mkv"
    with av.open(str(clip), "w") as out:
        for _ in range(2):
            stream = out.add_stream("libx264", rate=25)
            stream.width, stream.height = 64, 48
        for number in range(5):
            for stream in out.streams.video:
                frame = av.VideoFrame(64, 48)
                frame.pts = number
                out.mux(stream.encode(frame))
        for stream in out.streams.video:
            out.mux(stream.encode(None))
    info = info_of(clip)
    assert "video stream 1 (h264) left out: only the picture that is painted" in decisions(info, tmp_path / "o.mp4")
    write(info, tmp_path / "out.mp4", times=times(info, 5))
    assert stream_types(tmp_path / "out.mp4") == [("video", "h264")]


def test_a_clock_that_runs_backwards_costs_packets_and_not_the_job(tmp_path: Path) -> None:
    clip = source(tmp_path / "film.mkv", audio=["flac"], seconds=12)
    data = bytearray(clip.read_bytes())
    place = data.find(b"\x1f\x43\xb6\x75", data.find(b"\x1f\x43\xb6\x75") + 4)  # the second cluster
    assert place > 0
    stamp = data.find(b"\xe7", place, place + 20)  # its time
    size = data[stamp + 1] & 0x7F
    data[stamp + 2 : stamp + 2 + size] = bytes(size)
    clip.write_bytes(data)
    info = info_of(clip)
    result = write(info, tmp_path / "out.mp4", times=times(info, 300))
    assert result.frames == 300
    assert 0 < len(packets(tmp_path / "out.mp4", 1)) < len(packets(clip, 1))


@pytest.mark.slow
def test_memory_stays_flat(tmp_path: Path) -> None:
    """Ten times the frames, and Python holds no more; the sound is not read ahead."""
    clip = source(tmp_path / "film.mkv", audio=["flac"], seconds=40)
    info = info_of(clip)

    def peak(count: int) -> int:
        tracemalloc.start()
        write(info, tmp_path / f"{count}.mkv", times=times(info, count), pictures=[solid(FRAMES, 99, 128, 128)])
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(10)
    few, many = peak(100), peak(1000)
    assert many < few * 1.3 + 300_000
    assert len(packets(tmp_path / "1000.mkv", 1)) == len(packets(clip, 1))


def test_sound_is_read_in_step_with_the_picture(tmp_path: Path, matroska: VideoInfo) -> None:
    """After one second of picture no more than a little over one second of sound has been taken."""
    taken, packets_of = list[float](), remux.packets

    def noted(*source: Any) -> Iterator[av.Packet]:  # type: ignore[type-arg]  # noqa: ANN401
        for packet in packets_of(*source):
            taken.append(float((packet.pts or 0) * packet.time_base))
            yield packet

    plan = plan_output(replace(matroska), tmp_path / "out.mkv", OutputOptions(codec="libx264"), FRAMES, WHOLE)
    with pytest.MonkeyPatch.context() as patch, Writer(plan) as writer:
        patch.setattr(remux, "packets", noted)
        for pts in times(matroska, 25):
            writer.write(solid(FRAMES, 16, 128, 128), pts, 0)
    assert 0.9 < max(taken) < 1.3


def test_a_picture_subtitle_that_is_shown_when_the_range_begins(tmp_path: Path) -> None:
    clip = film_with_pgs(tmp_path / "film.mkv", sets={0.1: shown(), 0.2: shown(), 0.6: cleared(), 0.8: shown()})
    info = info_of(clip)
    target = tmp_path / "out.mkv"
    begin = Position(Fraction(2, 5), "s")
    write(info, target, times=[400 + 40 * number for number in range(15)], span=TimeRange(start=begin))
    assert seconds(target, 1) == [0, Fraction(1, 5), Fraction(2, 5)]
    assert payloads(target, 1) == [shown(), cleared(), shown()]
