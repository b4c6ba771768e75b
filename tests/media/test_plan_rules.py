"""Rules of the output plan: encoder notes, time zero, each stream's handling, refused targets."""

from __future__ import annotations

import errno
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from av.container import InputContainer

from assets.make_clips import CLIPS
from framebrush.gpu.frame import FrameFormat, Matrix, PlaneOrder, Primaries, Transfer, nv12, rgba8
from framebrush.jobs.output_format import video_target
from framebrush.media.containers import CONTAINERS, PICTURES, STREAMS
from framebrush.media.encoding.encoder_frames import encoder_format, output_tags
from framebrush.media.encoding.encoders import ENCODERS, Choice, pixel_format_for
from framebrush.media.encoding.result_losses import ALPHA, Loss
from framebrush.media.encoding.scheduling import kept_scheduling
from framebrush.media.live.live_sound import LiveSound
from framebrush.media.reading.open import open_media, packets
from framebrush.media.reading.reader import Reader
from framebrush.media.streams import stream_plan
from framebrush.media.streams.stream_plan import Item
from framebrush.media.video import DiskFullError, OpenOptions, OutputError, Position, TimeRange, VideoInfo
from framebrush.media.writing import output_plan as planning
from framebrush.media.writing.output_plan import (
    OutputOptions,
    OutputPlan,
    check_folder,
    check_target,
    expected_losses,
    plan_output,
    plan_recording,
)
from tests.media.writing.writer_clips import WHOLE, info_of, source

pytestmark = pytest.mark.media

FRAMES = nv12(64, 48)
FROM_1_S = TimeRange(start=Position(Fraction(1), "s"))
FAST = OutputOptions(codec="libx264", preset="ultrafast")


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> VideoInfo:
    """Sound of three kinds, texts of two, a cover, a font and chapters."""
    path = tmp_path_factory.mktemp("film") / "film.mkv"
    sound, texts = ["libopus", "flac", "aac"], ["subrip", "ass"]
    return info_of(source(path, audio=sound, subtitles=texts, cover=True, font=b"font", chapters=True))


def plan(info: VideoInfo, target: Path, span: TimeRange = WHOLE, options: OutputOptions = FAST) -> OutputPlan:
    return plan_output(info, target, options, FRAMES, span)


def picture_film(path: Path, **metadata: str) -> VideoInfo:
    """A film of a picture alone, which has these marks."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=25, options={"preset": "ultrafast"})
        stream.width, stream.height = 64, 48
        stream.metadata.update(metadata)
        for number in range(3):
            frame = av.VideoFrame(64, 48)
            frame.pts = number
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return info_of(path)


# What is reported about the picture


def choice(name: str, *tried: str, size: tuple[int, int] = (64, 48), preset: str | None = None) -> Choice:
    encoder = next(encoder for encoder in ENCODERS if encoder.name == name)
    return Choice(encoder, "yuv420p", *size, 20, preset, tried)


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        (choice("libx264"), "video: libx264 crf 20, 8 bits"),
        (choice("libx264", preset="slow"), "video: libx264 crf 20, preset slow, 8 bits"),
        (
            choice("libx264", "h264_mf"),
            "video: libx264 crf 20, 8 bits; no hardware encoder for it works on this machine",
        ),
        (choice("h264_nvenc"), "video: h264_nvenc crf 20, 8 bits, hardware that works on this machine"),
        (choice("h264_qsv", "h264_nvenc"), "video: h264_qsv crf 20, 8 bits, hardware that works on this machine"),
    ],
)
def test_the_encoder_is_named_with_its_settings(chosen: Choice, words: str) -> None:
    assert planning.picture_words(chosen, FRAMES) == [words]


@pytest.mark.parametrize(
    ("chosen", "frames", "words"),
    [
        (choice("libx264"), nv12(63, 47), "picture of 63x47 padded to 64x48 .*: H.264 holds even sizes only in 4:2:0$"),
        (choice("libx264"), nv12(64, 47), "picture of 64x47 padded to 64x48 "),
        (choice("libx264"), nv12(63, 48), "picture of 63x48 padded to 64x48 "),
        (choice("libx265", size=(66, 64)), nv12(66, 48), "66x48 padded .*: libx265 writes no side of less than 64 px$"),
        (choice("libx265", size=(64, 66)), nv12(48, 66), "48x66 padded .*: libx265 writes no side of less than 64 px$"),
        (choice("cfhd"), nv12(62, 48), "62x48 padded .*: cfhd writes multiples of 16x4 px only$"),
        (choice("libx265", size=(66, 66)), nv12(65, 65), "65x65 padded .*: HEVC holds even sizes only in 4:2:0$"),
    ],
)
def test_padding_is_said_with_its_reason(chosen: Choice, frames: FrameFormat, words: str) -> None:
    (_, padded) = planning.picture_words(chosen, frames)
    assert re.search(words, padded), padded


# Which time becomes 0


def clock(info: VideoInfo, source: InputContainer | None = None, span: TimeRange = WHOLE) -> object:
    return planning.timing(info, source, span)


def test_the_clock_of_a_file_stays_unless_it_begins_before_0(film: VideoInfo) -> None:
    info = replace(film, time_base=Fraction(1, 1000))
    for start_pts in (0, 1, 4000):
        assert clock(replace(info, start_pts=start_pts)) == (0, [])
    words = ["time: all streams moved by 0.080 s, as the picture starts before 0"]
    assert clock(replace(info, start_pts=-80)) == (Fraction(-80, 1000), words)
    assert clock(replace(info, start_pts=-80), span=FROM_1_S) == (None, [])


def test_the_clock_of_a_broadcast_begins_with_its_first_packet_unless_that_is_far_off() -> None:
    path = CLIPS / "bframes.ts"
    info = info_of(path)
    begin, second = info.start_pts, 90_000
    with open_media(path) as source:
        for later, zero in ((0, 0), (2 * second, 0), (10 * second, 0), (10 * second + 1, 10 * second + 1)):
            at = begin + zero
            words = [f"time: {at / second:.3f} s of the source becomes 0"]
            assert clock(replace(info, start_pts=begin + later), source) == (Fraction(at, second), words)
        assert clock(replace(info, start_pts=begin - 1), source)[0] == Fraction(begin - 1, second)  # type: ignore[index]
        assert clock(info, source, FROM_1_S) == (None, [])
        coarse = replace(info, time_base=Fraction(1, 25), start_pts=36)  # 1.44 s, not before the packet at 1.4 s or so
        zero_s = clock(coarse, source)[0]  # type: ignore[index]
        assert zero_s * 25 == int(zero_s * 25) <= begin * info.time_base * 25


# Marks of the picture


def test_a_timecode_is_kept_from_the_first_frame_on(tmp_path: Path) -> None:
    info = picture_film(tmp_path / "film.mov", timecode="01:02:03:04")
    whole = plan(info, tmp_path / "out.mov")
    part = plan(info, tmp_path / "out.mov", FROM_1_S)
    for made in (whole, part):
        assert (str(made.timecode), made.losses) == ("01:02:03:04", ())
        assert made.timecode_at(info.start_pts) == "01:02:03:04"
        assert made.timecode_at(info.start_pts + round(1 / info.time_base)) == "01:02:04:04"


def test_a_timecode_that_cannot_be_counted_is_kept_for_the_first_frame_alone(tmp_path: Path) -> None:
    info = picture_film(tmp_path / "film.mkv", timecode="01:02:03:77")  # of 25 frames a second
    assert plan(info, tmp_path / "out.mkv").timecode == "01:02:03:77"
    lost = Loss("timecode", "the timecode 01:02:03:77 (it does not count frames at the rate of the film)")
    for given, span in ((info, FROM_1_S), (replace(info, deinterlaced="double"), WHOLE)):
        part = plan(given, tmp_path / "out.mkv", span)
        assert (part.timecode, part.losses) == (None, (lost,))
        assert not part.incomplete


def test_an_alpha_channel_beside_the_picture_is_lost(tmp_path: Path) -> None:
    for mark, lost in (("1", (ALPHA,)), ("0", ())):
        info = picture_film(tmp_path / f"film{mark}.mkv", ALPHA_MODE=mark)
        assert plan(info, tmp_path / "out.mkv").losses == lost
        assert plan(replace(info, pix_fmt="yuva420p"), tmp_path / "out.mkv").losses == (ALPHA,)


def test_the_losses_are_known_without_a_target(film: VideoInfo, tmp_path: Path) -> None:
    for ending in (".mp4", ".mkv"):
        made = plan(film, tmp_path / f"out{ending}")
        losses, encoder = made.losses, made.choice.encoder
        assert losses == expected_losses(film, CONTAINERS[ending], encoder, "copy", FRAMES, WHOLE, woven=False)
        assert bool(losses) is (ending == ".mp4")


class Microphone(LiveSound):
    def close(self) -> None: ...


def test_a_recording_begins_with_its_first_frame_and_has_its_sound(film: VideoInfo, tmp_path: Path) -> None:
    made = plan(film, tmp_path / "out.mkv")
    assert made.zero_s == 0
    sound = Microphone("A microphone", 2, 48_000)
    for silent in (plan_recording(made, None, "copy"), plan_recording(made, sound, "none")):
        assert silent == replace(made, zero_s=None)
    recorded = plan_recording(made, sound, "copy")
    assert (recorded.zero_s, recorded.sound) == (None, sound)
    assert recorded.decisions == (*made.decisions, "sound: A microphone, recorded as aac")
    webp = plan_output(film, tmp_path / "out.webp", OutputOptions(), FRAMES, WHOLE)
    recorded = plan_recording(webp, sound, "copy")
    assert recorded.sound is None
    assert recorded.losses[-1] == Loss("stream", "sound: A microphone left out: WebP holds only pictures")


# Colours


@pytest.mark.parametrize(("declared", "written"), [(0, 9), (2, 9), (9, 9), (12, 12)])
def test_unknown_primaries_of_hdr_are_bt2020(film: VideoInfo, declared: int, written: int) -> None:
    hdr = replace(film.format, transfer=Transfer.PQ)
    info = replace(film, format=hdr, tags=replace(film.tags, primaries=declared))
    assert output_tags(info, hdr).primaries == written
    assert output_tags(replace(info, format=film.format), film.format).primaries == declared


@pytest.mark.parametrize(
    ("samples", "matrix", "range_"),
    [
        ({"matrix": Matrix.RGB, "layout": PlaneOrder.GBR, "subsample": (0, 0)}, 0, 1),
        ({"matrix": Matrix.BT709}, 1, 1),
        ({"matrix": Matrix.BT601, "primaries": Primaries.BT601_525}, 6, 1),
        ({"matrix": Matrix.BT601, "primaries": Primaries.BT601_625}, 5, 1),
        ({"matrix": Matrix.BT2020, "full_range": True}, 9, 2),
    ],
)
def test_tags_are_codes_of_h_273(film: VideoInfo, samples: dict[str, Any], matrix: int, range_: int) -> None:
    """Primaries and transfer are the film's, or sRGB's after tone mapping; matrix and range are the samples'."""
    frames = replace(film.format, **samples)
    own = replace(film, format=frames, tags=replace(film.tags, primaries=12, transfer=16, matrix=2))
    toned = replace(own, format=replace(frames, transfer=Transfer.PQ))
    for info, primaries, transfer in ((own, 12, 16), (toned, 1, 13)):
        tags = output_tags(info, frames)
        assert (tags.primaries, tags.transfer, tags.matrix, tags.range) == (primaries, transfer, matrix, range_)
        assert tags.location == ("unspecified" if matrix == 0 else "left")
    declared = replace(film, tags=replace(film.tags, matrix=5))
    assert output_tags(declared, replace(film.format, matrix=Matrix.BT601)).matrix == 5


# Targets


def test_the_target_is_where_a_link_points(film: VideoInfo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert plan(film, Path("out.mkv")).target == tmp_path / "out.mkv"
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.mkv").symlink_to(tmp_path / "folder" / "real.mkv")
    with pytest.raises(OutputError, match=r"link\.mkv exists already; overwrite it with -y"):
        plan(film, tmp_path / "link.mkv")
    linked = plan(film, tmp_path / "link.mkv", options=replace(FAST, overwrite=True))
    assert linked.target == tmp_path / "folder" / "real.mkv"
    assert linked.overwrite


def test_what_may_be_overwritten(tmp_path: Path) -> None:
    other, target, link = tmp_path / "other", tmp_path / "target", tmp_path / "link"
    for path in (other, target):
        path.write_text(path.name)
    link.symlink_to(other)
    for overwrite in (False, True):
        check_target(other, tmp_path / "absent", overwrite=overwrite)
        for same in (other, link):
            with pytest.raises(OutputError, match=r"is the input itself; give the output another name$"):
                check_target(other, same, overwrite=overwrite)
        with pytest.raises(OutputError, match=r"is not a file; give the output another name$"):
            check_target(other, tmp_path, overwrite=overwrite)
    for film in (other, None, tmp_path / "gone"):
        check_target(film, target, overwrite=True)
        with pytest.raises(OutputError, match="target exists already; overwrite it with -y"):
            check_target(film, target, overwrite=False)
    assert target.read_text() == "target"


def test_numbered_pictures_are_not_written_over_those_that_are_read(film: VideoInfo, tmp_path: Path) -> None:
    numbered = replace(film, path=tmp_path / "%04d.png", opening=OpenOptions(rate=Fraction(25)))
    planning.check_numbered(numbered, tmp_path / "%05d.png")
    planning.check_numbered(replace(numbered, opening=OpenOptions()), tmp_path / "%04d.png")
    with pytest.raises(OutputError, match=r"%04d\.png is the input itself; give the output another name$"):
        planning.check_numbered(numbered, tmp_path / "%04d.png")


@pytest.mark.skipif(sys.platform != "linux", reason="programs that run can be overwritten elsewhere, or not be removed")
def test_a_target_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    target = Path(shutil.copy(shutil.which("sleep") or "", tmp_path / "target"))
    running = subprocess.Popen([target, "60"])
    try:
        with pytest.raises(OutputError, match=r"target cannot be overwritten \(.*Text file busy.*\); give the output"):
            check_target(None, target, overwrite=True)
    finally:
        running.kill()
        running.wait()


def test_a_folder_takes_names_as_long_as_its_disk_does(tmp_path: Path) -> None:
    check_folder(tmp_path / ("n" * 255))
    check_folder(tmp_path / "short", longest="n" * 255)
    for long in ("n" * 256, "é" * 128):
        if sys.platform == "win32" and len(long) < 256:
            continue  # which counts letters
        with pytest.raises(OutputError, match=r"the name is too long for this disk; give a shorter one$"):
            check_folder(tmp_path / long)
        with pytest.raises(OutputError, match=r"^short: the name is too long"):
            check_folder(tmp_path / "short", longest=long)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_named_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for code, kind, words in (
        (
            errno.ENOSPC,
            DiskFullError,
            r"^the disk of .* is full \([\d.]+ [kMGT]B left\); free some space or write elsewhere$",
        ),
        (errno.EROFS, OutputError, "^cannot write to the folder .*: .*no writing"),
    ):

        def touch(*_: object, code: int = code, **__: object) -> None:
            raise OSError(code, "no writing")

        monkeypatch.setattr(Path, "touch", touch)
        with pytest.raises(kind, match=words):
            check_folder(tmp_path / "out.mkv")


# Streams


def treatments(made: OutputPlan) -> list[tuple[int, str, str]]:
    return [(item.index, item.treatment, item.encoder) for item in made.items]


def test_what_becomes_of_each_stream(film: VideoInfo, tmp_path: Path) -> None:
    """The picture is stream 0, the font 6 and the cover 7."""
    copied = [(index, "copy", "") for index in range(1, 7)]
    assert treatments(plan(film, tmp_path / "out.mkv")) == [*copied, (7, "attach", "")]
    mp4 = [(1, "copy", ""), (2, "copy", ""), (3, "copy", ""), (4, "convert", ""), (5, "convert", ""), (7, "cover", "")]
    assert treatments(plan(film, tmp_path / "out.mp4")) == mp4
    mov = [(1, "convert", "aac"), (2, "convert", "alac"), (3, "copy", ""), (4, "convert", ""), (5, "convert", "")]
    made = plan(film, tmp_path / "out.mov")
    assert treatments(made) == mov
    assert [loss.key for loss in made.losses if loss.key != "metadata"] == [
        "sound",
        *["subtitles"] * 2,
        *["stream"] * 2,
    ]
    assert [loss.text for loss in made.losses if loss.key == "metadata"] == [
        f'metadata of audio stream {index} (the mark "dub", the mark "comment": MOV cannot hold it)' for index in (2, 3)
    ]
    assert any(
        "audio stream 2 (flac) re-encoded with alac, which keeps every sample" in line for line in made.decisions
    )
    silent = plan(film, tmp_path / "out.mkv", options=replace(FAST, audio="none"))
    assert treatments(silent) == [*copied[3:], (7, "attach", "")]
    assert sum("left out, as asked" in line for line in silent.decisions) == 3
    assert not silent.incomplete


def test_sound_that_never_comes_is_left_out_and_no_loss(tmp_path: Path) -> None:
    path = tmp_path / "film.ts"
    with av.open(str(path), "w") as out:
        picture = out.add_stream("libx264", rate=25, options={"preset": "ultrafast"})
        picture.width, picture.height = 64, 48
        out.add_stream("mp2", rate=48000)
        out.mux([*picture.encode(av.VideoFrame(64, 48)), *picture.encode(None)])
    made = plan(info_of(path), tmp_path / "out.mkv")
    assert (made.items, made.losses) == ((), ())
    assert any(line.endswith("left out: it holds no sound, or none near the beginning") for line in made.decisions)


def test_sound_that_comes_late_is_copied(tmp_path: Path) -> None:
    """No packet is near the beginning, but the codec is known."""
    path = tmp_path / "film.mkv"
    with av.open(str(path), "w") as out:
        picture = out.add_stream("libx264", rate=25, options={"preset": "ultrafast"})
        picture.width, picture.height = 64, 48
        out.add_stream("libopus", rate=48000)
        out.mux([*picture.encode(av.VideoFrame(64, 48)), *picture.encode(None)])
    made = plan(info_of(path), tmp_path / "out.mkv")
    assert (made.items, made.losses) == ((Item(1, "copy"),), ())


def test_sound_that_nobody_can_decode_makes_the_result_incomplete(tmp_path: Path) -> None:
    path = source(tmp_path / "film.mkv", audio=["flac"], seconds=1)
    path.write_bytes(path.read_bytes().replace(b"A_FLAC", b"A_XLAC"))
    made = plan(info_of(path), tmp_path / "out.mkv")
    assert made.items == ()
    (loss,) = made.losses
    words = "audio stream 1 (unknown) left out: FFmpeg cannot decode it"
    assert loss == Loss("stream", words, incomplete=True)
    assert made.incomplete


def test_what_a_stream_does_not_tell_its_reader_is_reported(film: VideoInfo) -> None:
    colours = "colours: bt709, limited range, which {} does not record".format
    time = "time: 25 frames a second, as {} keeps no other times".format
    repeated = "time: 3 frames added to fill gaps: each repeats the frame before it"
    for container, words in (
        (STREAMS["y4m"], [colours("YUV4MPEG"), time("YUV4MPEG")]),
        (STREAMS["raw"], [colours("raw video"), time("raw video")]),
        (STREAMS["nut"], [colours("NUT")]),
        (STREAMS["mkv"], []),
        (CONTAINERS[".mkv"], []),
        (CONTAINERS[".avi"], [colours("AVI"), time("AVI")]),
        (CONTAINERS[".mxf"], [time("MXF")]),
    ):
        assert planning.stream_words(container, FRAMES, film) == words
        assert planning.stream_words(container, FRAMES, film, 3) == (words and [*words, repeated])
    full = replace(FRAMES, full_range=True)
    assert "full range" in planning.stream_words(STREAMS["y4m"], full, film)[0]
    rgb = replace(rgba8(64, 48), alpha=False)
    assert planning.stream_words(STREAMS["raw"], rgb, film) == [time("raw video")]
    assert planning.stream_words(STREAMS["raw"], rgb, replace(film, rate=None))[0].startswith("time: ")


def test_chapters_of_webm_are_said(film: VideoInfo, tmp_path: Path) -> None:
    words = "chapters kept; some WebM players do not show them"
    vp9 = OutputOptions(codec="libvpx-vp9")
    assert words in plan(film, tmp_path / "out.webm", options=vp9).decisions
    assert words not in plan(film, tmp_path / "out.mkv").decisions
    assert words not in plan(picture_film(tmp_path / "film.mkv"), tmp_path / "out.webm", options=vp9).decisions


@pytest.fixture(scope="module")
def opened(film: VideoInfo) -> Iterator[InputContainer]:
    assert film.path is not None
    with open_media(film.path) as source:
        yield source


def test_the_first_packet_of_each_sound_is_found(opened: InputContainer) -> None:
    found = stream_plan.first_sounds(opened)
    assert {index: packet.stream_index for index, packet in found.items()} == {1: 1, 2: 2, 3: 3}
    with open_media(CLIPS / "cfr.mp4") as silent:
        assert stream_plan.first_sounds(silent) == {}


def test_the_still_of_an_animated_avif_is_no_loss(tmp_path: Path) -> None:
    path = tmp_path / "film.avif"
    with kept_scheduling(), av.open(str(path), "w") as out:
        stream = out.add_stream("libsvtav1", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 64, "yuv420p"
        for number in range(5):
            frame = av.VideoFrame.from_ndarray(np.full((96, 64), 40 * number, np.uint8), "yuv420p")
            frame.pts = number
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    with Reader(path) as reader, open_media(path) as source:
        assert len(source.streams) == 2
        assert sum(1 for _ in reader) == 5
        assert stream_plan.plan_streams(source, reader.info, CONTAINERS[".mkv"], "copy", Fraction(0)) == ((), (), ())


def test_sounds_are_looked_for_only_where_they_are_kept(
    film: VideoInfo, opened: InputContainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_plan, "first_sounds", lambda _: pytest.fail("the file is read"))
    items, _, _ = stream_plan.plan_streams(opened, film, CONTAINERS[".mkv"], "none", Fraction(0))
    assert not any(item.index in (1, 2, 3) for item in items)
    assert stream_plan.plan_streams(opened, film, CONTAINERS[".gif"], "copy", Fraction(0))[0] == ()


def test_sound_whose_samples_are_exact(opened: InputContainer) -> None:
    mkv = CONTAINERS[".mkv"]
    assert [stream_plan.has_exact_samples(stream, mkv) for stream in opened.streams.audio] == [False, True, False]


def test_no_stream_of_the_film_is_unknown(opened: InputContainer) -> None:
    assert not any(stream_plan.is_unknown(stream) for stream in opened.streams)


def test_priming_is_what_the_encoder_wrote_before_0_and_a_tick_of_matroska(opened: InputContainer) -> None:
    picture, opus, flac = (opened.streams[index] for index in range(3))
    delay_s = Fraction(opus.codec_context.delay, opus.codec_context.sample_rate)  # type: ignore[attr-defined]
    assert delay_s > 0
    limit_s = delay_s + Fraction(1, 1000)
    assert stream_plan.is_priming(opus, -limit_s)
    assert stream_plan.is_priming(opus, -delay_s / 2)
    assert not stream_plan.is_priming(opus, -limit_s - Fraction(1, 10**6))
    assert not stream_plan.is_priming(flac, -Fraction(1, 10**6))
    assert not stream_plan.is_priming(picture, -Fraction(1, 10**6))


def test_sound_fades_in_where_its_priming_has_no_place(film: VideoInfo) -> None:
    """Priming up to a fifth of a second before 0 fades in; FLAC has none. The rest is cut."""
    assert film.path is not None
    mkv, mp4 = CONTAINERS[".mkv"], CONTAINERS[".mp4"]
    tick_s = Fraction(1, 1000)
    with open_media(film.path) as source:
        packet = next(packet for packet in packets(source, [source.streams[2]]) if packet.size)
        packet.pts = 1000
        for before_s, keeps in (
            (Fraction(0), True),
            (-tick_s, True),
            (tick_s, False),
            (Fraction(1, 5), False),
            (Fraction(1, 5) + tick_s, True),
        ):
            assert stream_plan.keeps_priming(packet, mkv, 1 + before_s) is keeps
            assert stream_plan.keeps_priming(packet, mp4, 1 + before_s)
        packet.pts = None
        assert stream_plan.keeps_priming(packet, mkv, 1 + tick_s)


def test_sound_before_the_picture_is_cut_off_if_it_is_more_than_priming(film: VideoInfo) -> None:
    avi, priming_s = CONTAINERS[".avi"], stream_plan.PRIMING_S
    assert film.path is not None
    with open_media(film.path) as source:
        packet = next(packet for packet in packets(source, [source.streams[2]]) if packet.size)
        packet.pts = 1000
        assert stream_plan.cut_words(packet, avi, 1 + priming_s) == []
        (loss,) = stream_plan.cut_words(packet, avi, 1 + priming_s + Fraction(1, 1000))
        assert loss == Loss("sound", "the first 0.20 s of audio stream 2 (AVI begins with the picture)")
        packet.pts = None
        assert stream_plan.cut_words(packet, avi, Fraction(0)) == []


def test_fading_in_is_a_loss_of_what_is_copied(film: VideoInfo, tmp_path: Path) -> None:
    mkv = CONTAINERS[".mkv"]
    assert film.path is not None
    with open_media(film.path) as source:
        for zero_s, faded in ((Fraction(0), []), (Fraction(1, 10), [1, 2, 3]), (None, [])):
            items, _, losses = stream_plan.plan_streams(source, film, mkv, "copy", zero_s)
            assert items[0] == Item(1, "copy")
            assert [int(loss.text.split()[2]) for loss in losses if loss.key == "priming"] == faded


# What a container can count, and what its pictures are


def test_an_animation_shows_as_many_pictures_a_second_as_it_counts(film: VideoInfo) -> None:
    gif = CONTAINERS[".gif"]
    assert gif.tick_s is not None
    for rate in (None, 1 / gif.tick_s):
        info = replace(film, rate=rate)
        assert planning.paced(info, gif) == info
    with pytest.raises(OutputError, match=r"GIF shows 100 pictures a second at most, and film\.mkv has 101; use"):
        planning.paced(replace(film, rate=1 / gif.tick_s + 1), gif)


def test_what_an_animation_does_to_the_times_of_its_pictures_is_said(film: VideoInfo) -> None:
    tick_s = CONTAINERS[".gif"].tick_s
    assert tick_s is not None
    rounded = f"time: each picture's is rounded to 1/{1 / tick_s} s"
    slow = "time: {} pictures a second, which many players show more slowly"
    for rate, words in (
        (25, []),
        (30, [rounded]),
        (50, []),
        (60, [rounded, slow.format(60)]),
        (100, [slow.format(100)]),
    ):
        assert planning.tick_words(tick_s, replace(film, rate=Fraction(rate))) == words


def test_an_even_pace_is_a_rate_that_the_container_has_to_within_three_in_ten_thousand(film: VideoInfo) -> None:
    mxf, limit = CONTAINERS[".mxf"], Fraction(3, 10000)
    for near in (limit - Fraction(1, 10**6), Fraction(1, 10**6) - limit):
        assert planning.paced(replace(film, rate=25 * (1 + near)), mxf).rate == 25
    for far in (limit, -limit):
        with pytest.raises(OutputError, match="MXF cannot have "):
            planning.paced(replace(film, rate=25 * (1 + far)), mxf)


def test_pictures_come_as_they_are_and_frames_in_the_layout_of_the_encoder(film: VideoInfo, tmp_path: Path) -> None:
    frames = video_target(film.format, pixel_format_for("auto", "auto", PICTURES[".png"], film.format))
    assert plan_output(film, tmp_path / "%04d.png", OutputOptions(), frames, WHOLE).frame_format == frames
    made = plan(film, tmp_path / "film.mp4")
    assert made.frame_format == encoder_format(FRAMES, made.choice.frame_pixel_format)


def test_no_file_asks_which_container_it_is() -> None:
    """A container's abilities are its fields."""
    app = Path(planning.__file__).parents[2]
    asks = re.compile(r"container\.(muxer|name) (==|!=|in\b|not\b)|container (not )?in [A-Z]|\(container\.muxer,")
    tests = [path for path in app.rglob("*.py") if path.name not in ("containers.py", "encoder_worker.py")]
    assert asks.search('if container.muxer == "mxf":')
    assert [str(path) for path in tests if asks.search(path.read_text(encoding="utf-8"))] == []
