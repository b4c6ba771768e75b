"""Losses against the source: known before the work, as text and data, and avoided if possible."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from av.stream import Disposition

from assets.make_clips import CLIPS
from framebrush.gpu.frame import Matrix, PlaneOrder, Transfer, gbrp, nv12
from framebrush.jobs.output_format import video_target
from framebrush.media.containers import CONTAINERS
from framebrush.media.encoding.encoders import ENCODERS
from framebrush.media.encoding.result_losses import Loss, picture_losses, sentence
from framebrush.media.reading.reader import Reader
from framebrush.media.video import Deinterlace, Position, TimeRange, VideoInfo
from framebrush.media.writing.file_writer import Writer
from framebrush.media.writing.output_plan import OutputOptions, OutputPlan, expected_losses, plan_output
from tests.media.writing.writer_clips import (
    ASS_HEADER,
    WHOLE,
    info_of,
    line_of_text,
    payloads,
    seconds,
    solid,
    source,
    stream_types,
)

pytestmark = pytest.mark.media
FRAMES = nv12(64, 48)
RGB = {"layout": PlaneOrder.GBR, "matrix": Matrix.RGB, "subsample": (0, 0), "full_range": True}
ENDINGS = (".mp4", ".mov", ".mkv", ".webm")
PHONE = {
    "com.apple.quicktime.make": "Apple",
    "com.apple.quicktime.model": "iPhone 15",
    "com.apple.quicktime.location.ISO6709": "+48.1+011.5+520/",
}


def plan(info: VideoInfo, target: Path, span: TimeRange = WHOLE, **options: object) -> OutputPlan:
    options = {"codec": "vp9" if target.suffix == ".webm" else "h264", "preset": None} | options
    return plan_output(info, target, OutputOptions(**options), FRAMES, span)  # type: ignore[arg-type]


def lost(info: VideoInfo, target: Path, span: TimeRange = WHOLE) -> dict[str, str]:
    """The losses of a plan by key."""
    return {loss.key: loss.text for loss in plan(info, target, span).losses}


def written(info: VideoInfo, target: Path, frames: int = 10) -> None:
    with Writer(plan(info, target)) as writer:
        for number in range(frames):
            writer.write(solid(FRAMES, 16 + number, 128, 128), round(Fraction(number, 25) / info.time_base), 0)
        writer.finish()


def film(
    path: Path,
    metadata: dict[str, str] | None = None,
    picture: dict[str, str] | None = None,
    sound: dict[str, str] | None = None,
    text: Disposition = Disposition.default,
    **options: str,
) -> VideoInfo:
    """A film of a few frames, with sound and a line of text where their marks are given."""
    with av.open(str(path), "w", container_options=options) as out:
        out.metadata.update(metadata or {})
        stream = out.add_stream("libx264", rate=25, options={"preset": "ultrafast"})
        stream.width, stream.height = 64, 48
        stream.metadata.update(picture or {})
        if sound is not None:
            tone = out.add_stream("aac", rate=48000)
            tone.metadata.update(sound)
            words = out.add_stream("mov_text" if path.suffix in (".mp4", ".mov") else "subrip")
            words.codec_context.subtitle_header = ASS_HEADER
            words.disposition = text
            out.start_encoding()
            silence = av.AudioFrame.from_ndarray(np.zeros((2, 1024), np.float32), "fltp", "stereo")
            silence.sample_rate, silence.pts = 48000, 0
            out.mux([*tone.encode(silence), *tone.encode(None), line_of_text(words, 0, Fraction(0))])
        for number in range(5):
            frame = av.VideoFrame(64, 48)
            frame.pts = number
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return info_of(path)


@pytest.mark.parametrize(
    ("clip", "deinterlace", "pix_fmt", "said"),
    [
        ("cfr.mp4", "auto", None, ""),
        ("10bit.mp4", "auto", None, ""),
        ("grey.mkv", "auto", None, ""),
        ("10bit.mp4", "auto", "yuv420p", "lost: 2 of 10 bits per colour"),
        ("422.mp4", "auto", None, "lost: chroma resolution (4:2:2 becomes 4:2:0)"),
        ("rgb.mkv", "auto", None, "lost: chroma resolution (4:4:4 becomes 4:2:0)"),
        (
            "interlaced.mp4",
            "auto",
            None,
            "lost: half of the fields (50 a second become 25 frames; --deinterlace double keeps all)",
        ),
        ("interlaced.mp4", "double", None, ""),
        (
            "interlaced.mp4",
            "off",
            None,
            "lost: the order of the fields (woven, as asked, into frames marked progressive)",
        ),
        (
            "pq.mp4",
            "auto",
            "yuv420p",
            "lost: 2 of 10 bits per colour; HDR and its metadata (tone-mapped to SDR; --hdr keep keeps it)",
        ),
    ],
)
def test_what_the_picture_loses(clip: str, deinterlace: Deinterlace, pix_fmt: str | None, said: str) -> None:
    with Reader(CLIPS / clip, deinterlace=deinterlace) as reader:
        info = reader.info
    frames = video_target(info.format, pix_fmt)
    encoder = next(one for one in ENCODERS if one.codec == "hevc")
    assert sentence(expected_losses(info, CONTAINERS[".mp4"], encoder, "copy", frames, WHOLE, woven=False)) == said


@pytest.mark.parametrize(
    ("pix_fmt", "changes", "keys"),
    [
        ("yuv444p12le", {"bits": 12, "subsample": (0, 0)}, ["chroma", "bits"]),
        ("yuv440p", {"subsample": (0, 1)}, ["chroma"]),
        ("yuv411p", {"subsample": (2, 0)}, ["chroma"]),
        ("yuv410p", {"subsample": (2, 2)}, []),
        ("gray16le", {"bits": 16, "layout": PlaneOrder.GREY, "subsample": (0, 0)}, ["bits"]),
        ("gbrpf32le", RGB | {"bits": 32, "floating": True}, ["chroma", "bits"]),
        ("yuva420p", {}, ["alpha"]),
        ("yuv420p10le", {"bits": 10, "transfer": Transfer.HLG}, ["hdr"]),
    ],
)
def test_the_table_of_pixel_formats(tmp_path: Path, pix_fmt: str, changes: dict[str, object], keys: list[str]) -> None:
    info = film(tmp_path / "film.mp4")
    info = replace(info, pix_fmt=pix_fmt, format=replace(info.format, **changes))  # type: ignore[arg-type]
    losses = picture_losses(info, video_target(info.format), "h264", CONTAINERS[".mkv"])
    assert [loss.key for loss in losses] == keys


def test_exr_has_halves(tmp_path: Path) -> None:
    info = film(tmp_path / "film.mp4")
    for bits, losses in ((32, ["16 of 32 bits per colour"]), (16, [])):
        floats = replace(info, pix_fmt=f"gbrpf{bits}le", format=gbrp(64, 48, bits=bits, floating=True))
        target = video_target(floats.format, "gbrpf32le")
        plan = plan_output(floats, tmp_path / "%d.exr", OutputOptions(), target, TimeRange())
        assert [loss.text for loss in plan.losses if loss.key == "bits"] == losses
        assert "video: exr, floats of 16 bits R'G'B'" in plan.decisions


def test_alpha_beside_the_picture(tmp_path: Path) -> None:
    """VP8 and VP9 have it in packets of their own, which FFmpeg's own decoders leave out."""
    info = film(tmp_path / "film.mkv", picture={"alpha_mode": "1"})
    assert lost(info, tmp_path / "o.mkv").keys() == {"alpha"}
    written(info, tmp_path / "out.mkv")
    with av.open(str(tmp_path / "out.mkv")) as out:
        assert "ALPHA_MODE" not in {key.upper() for key in out.streams[0].metadata}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("origin", ["film.mkv", "track.mov", "stream.mkv"])
def test_a_timecode_is_kept(tmp_path: Path, origin: str, ending: str) -> None:
    marks = {"timecode": "10:00:00:00"}
    info = film(tmp_path / origin, **({"picture": marks} if origin == "stream.mkv" else {"metadata": marks}))  # type: ignore[arg-type]
    if origin == "track.mov":
        assert len(stream_types(tmp_path / origin)) == 2, "the clip was meant to have a track of it"
    target = tmp_path / f"out{ending}"
    assert "timecode" not in lost(info, target)
    assert "stream" not in lost(info, target)
    written(info, target)
    with av.open(str(target)) as out:
        assert {key.lower(): value for key, value in out.streams.video[0].metadata.items()}["timecode"] == "10:00:00:00"


def test_mxf_keeps_the_timecode_beside_sound(tmp_path: Path) -> None:
    info = film(tmp_path / "track.mov", {"timecode": "10:00:00:00"}, sound={})
    frames = video_target(info.format, "yuv422p")
    plan = plan_output(info, tmp_path / "o.mxf", OutputOptions(), frames, TimeRange())
    assert str(plan.timecode) == "10:00:00:00"
    assert "timecode" not in {loss.key for loss in plan.losses}


def test_a_timecode_that_cannot_be_kept(tmp_path: Path) -> None:
    info = film(tmp_path / "film.mkv", {"timecode": "what\nis this"})
    assert lost(info, tmp_path / "o.mp4") == {"timecode": "the timecode what is this (MP4 cannot hold it)"}
    written(info, tmp_path / "out.mp4")
    info = film(tmp_path / "film2.mkv", {"timecode": "10:00:00:00"})
    strange = replace(info, rate=Fraction(1, 10**9))
    assert lost(strange, tmp_path / "o.mp4") == {"timecode": "the timecode 10:00:00:00 (MP4 cannot hold it)"}


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_a_phone_writes_is_kept(tmp_path: Path, ending: str) -> None:
    info = film(tmp_path / "phone.mov", PHONE, movflags="use_metadata_tags")
    with av.open(str(tmp_path / "phone.mov")) as origin:
        assert origin.metadata.items() >= PHONE.items(), "the clip was meant to have them"
    target = tmp_path / f"out{ending}"
    assert lost(info, target) == {}
    written(info, target)
    with av.open(str(target)) as out:
        found = {key.lower(): value for key, value in out.metadata.items()}
    assert found.items() >= {key.lower(): value for key, value in PHONE.items()}.items()


def test_metadata_that_a_container_has_no_place_for(tmp_path: Path) -> None:
    marks = {"title": "A film", "director's cut": "yes", "lens\n": "50 mm"} | {f"key{n}": f"{n}" for n in range(9)}
    info = film(tmp_path / "film.mkv", marks)
    text = lost(info, tmp_path / "o.mp4")["metadata"]
    assert "KEY0" in text
    assert "3 more: MP4 cannot hold it" in text
    assert "title" not in text.lower()
    assert text.isprintable()
    assert lost(info, tmp_path / "o.mkv") == {}


def test_languages_and_marks(tmp_path: Path) -> None:
    """MOV counts the languages of the Macintosh and knows no marks."""
    german = film(tmp_path / "german.mkv", sound={"language": "deu"}, text=Disposition.forced | Disposition.comment)
    said = [loss.text for loss in plan(german, tmp_path / "o.mov").losses if loss.key == "metadata"]
    assert said == ['metadata of subtitle stream 2 (the mark "comment", the mark "forced": MOV cannot hold it)']
    written(german, tmp_path / "out.mov")
    with av.open(str(tmp_path / "out.mov")) as out:
        assert out.streams[1].metadata["language"] == "ger"
    assert "metadata" not in lost(german, tmp_path / "o.mp4")
    swiss = film(tmp_path / "swiss.mkv", sound={"language": "gsw"})
    assert "audio stream 1 (language gsw: MOV cannot" in lost(swiss, tmp_path / "o.mov")["metadata"]
    assert "metadata" not in lost(swiss, tmp_path / "o.mp4")


def samples(path: Path) -> np.ndarray:
    with av.open(str(path)) as out:
        pieces = [frame.to_ndarray() for frame in out.decode(audio=0)]
        planar = len(pieces[0]) > 1 or out.streams.audio[0].codec_context.format.is_planar
    return np.concatenate(pieces, axis=1).T if planar else np.concatenate(pieces, axis=1).reshape(-1, 2)


@pytest.mark.parametrize(
    ("codec", "origin", "ending", "becomes"),
    [("pcm_mulaw", ".mov", ".mkv", "flac"), ("adpcm_ms", ".avi", ".mkv", "flac"), ("flac", ".mkv", ".mov", "alac")],
)
def test_sound_of_whole_numbers_is_kept_to_the_last_bit(
    tmp_path: Path, codec: str, origin: str, ending: str, becomes: str
) -> None:
    clip = source(tmp_path / f"film{origin}", audio=[codec], seconds=1)
    info, target = info_of(clip), tmp_path / f"out{ending}"
    made = plan(info, target)
    assert made.losses == ()
    assert f"re-encoded with {becomes}, which keeps every sample" in "\n".join(made.decisions)
    written(info, target, 25)
    assert stream_types(target)[1] == ("audio", becomes)
    before, after = samples(clip), samples(target)
    assert len(before) > 40_000
    np.testing.assert_array_equal(after[: len(before)], before)


def test_sound_that_must_lose_says_so(tmp_path: Path) -> None:
    clip = source(tmp_path / "film.mov", audio=["pcm_mulaw"], seconds=1)
    assert lost(info_of(clip), tmp_path / "o.webm").keys() == {"sound"}


def test_text_of_an_unknown_form(tmp_path: Path) -> None:
    """WebVTT in the form that Matroska has for it now, which FFmpeg does not read."""
    clip = source(tmp_path / "film.mkv", subtitles=["webvtt"], seconds=1)
    data = clip.read_bytes()
    assert data.count(b"D_WEBVTT/SUBTITLES") == 1
    clip.write_bytes(data.replace(b"D_WEBVTT/SUBTITLES", b"S_TEXT/WEBVTT".ljust(18, b"\0")))
    assert lost(info_of(clip), tmp_path / "o.mkv") == {
        "stream": "subtitle stream 1 (unknown) left out: FFmpeg does not know its form"
    }


def test_the_beginning_of_sound(tmp_path: Path) -> None:
    """AAC fades in without the packet that its encoder wrote before the first sample. Matroska cannot be given it, and
    says so; who encodes anew decodes it."""
    clip = source(tmp_path / "film.mp4", audio=["aac"], seconds=1)
    info = info_of(clip)
    with av.open(str(clip)) as film:
        assert next(film.demux(audio=0)).pts < 0  # type: ignore[operator]
    assert lost(info, tmp_path / "o.mkv").keys() == {"priming"}
    assert lost(info, tmp_path / "o.mp4") == {}
    assert lost(info, tmp_path / "o.webm").keys() == {"sound"}
    written(info, tmp_path / "out.webm", 25)
    whole, begun = samples(clip), samples(tmp_path / "out.webm")
    loud = [float(np.sqrt(np.mean(np.square(sound[:480].astype(float))))) for sound in (whole, begun)]
    assert loud[1] > 0.8 * loud[0]


@pytest.mark.parametrize("ending", [".mov", ".webm"])
def test_sound_encoded_anew_begins_with_the_range(tmp_path: Path, ending: str) -> None:
    """What its decoder needs of the time before is not heard, and moves nothing."""
    info = info_of(source(tmp_path / "film.mkv", audio=["flac"], seconds=2))
    target = tmp_path / f"out{ending}"
    span = TimeRange(start=Position(Fraction(25), "frame"))
    with Writer(plan(info, target, span)) as writer:
        for number in range(25, 50):
            writer.write(solid(FRAMES, 16, 128, 128), round(Fraction(number, 25) / info.time_base), 0)
        writer.finish()
    assert seconds(target, 0)[0] == 0
    assert 0 <= 48000 - len(samples(target)) < 4608, "one frame of FLAC may begin before the range"


def test_opus_keeps_its_beginning(tmp_path: Path) -> None:
    info = info_of(source(tmp_path / "film.mp4", audio=["libopus"], seconds=1))
    with av.open(str(tmp_path / "film.mp4")) as film:
        assert next(film.demux(audio=0)).pts < 0  # type: ignore[operator]
    assert lost(info, tmp_path / "o.mkv") == {}


def test_the_losses_of_a_plan_can_be_known_without_one(tmp_path: Path) -> None:
    clip = source(tmp_path / "film.mkv", audio=["flac"], subtitles=["ass"], cover=True, font=b"font", seconds=1)
    info = replace(info_of(clip), sample_aspect=Fraction(16, 11))
    for ending in ENDINGS:
        made = plan(info, tmp_path / f"o{ending}")
        encoder = made.choice.encoder
        assert expected_losses(info, CONTAINERS[ending], encoder, "copy", FRAMES, WHOLE, woven=False) == made.losses
    assert [loss.key for loss in made.losses] == ["sound", "subtitles", "stream", "stream"]
    assert payloads(clip, 1)


def test_one_sentence() -> None:
    assert sentence([]) == ""
    assert (
        sentence([Loss("bits", "2 of 10 bits per colour"), Loss("hdr", "HDR")]) == "lost: 2 of 10 bits per colour; HDR"
    )
