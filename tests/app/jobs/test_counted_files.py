"""AVI and MXF output, which counts frames and samples: pictures, pace, sound from 0, timecode, refusals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from assets.make_clips import CLIPS
from framebrush.gpu.device import Device
from framebrush.gpu.look import Look
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener, Status
from framebrush.jobs.workers.run import run_job
from framebrush.media.reading.reader import Reader
from framebrush.media.video import OutputError, Position, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import SizeSpec, StyleSpec
from tests.app.jobs.footage import interrupt, job, leftovers, shown, transcode
from tests.media.writing.writer_clips import source as with_streams

pytestmark = pytest.mark.media
ENDINGS = pytest.mark.parametrize("ending", [".avi", ".mxf"])
RATE = 48000


def film(
    path: Path,
    frames: Sequence[int] = range(25),
    *,
    rate: Fraction | int = 25,
    sound_s: tuple[float, float] | None = None,
    codec: str = "pcm_s16le",
    sample_rate: int = RATE,
    picture_s: float = 0.0,
    metadata: dict[str, str] | None = None,
) -> Path:
    """Pictures of a grey that counts up, at places counted at a rate, and a tone of 1000 of 32768 from a time to
    another."""
    with av.open(str(path), "w") as out:
        out.metadata.update({"title": "A film"})
        stream = out.add_stream("libx264", rate=Fraction(rate), options={"preset": "ultrafast"})
        stream.width, stream.height, stream.pix_fmt = 256, 128, "yuv420p"
        stream.metadata.update(metadata or {})
        tone = None
        if sound_s is not None:
            tone = out.add_stream(codec, rate=sample_rate, layout="stereo")
        for number, place in enumerate(frames):
            frame = av.VideoFrame(256, 128, "yuv420p")
            for plane, code in zip(frame.planes, (40 + 5 * number, 128, 128), strict=True):
                plane.update(bytes([code]) * plane.buffer_size)
            frame.time_base = Fraction(1, 90_000)
            frame.pts = round((place / Fraction(rate) + Fraction(picture_s)) * 90_000)
            stream.codec_context.time_base = Fraction(1, 90_000)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
        if tone is not None and sound_s is not None:
            begin, end = (round(time * sample_rate) for time in sound_s)
            samples = np.full((1, 2 * (end - begin)), 1000, np.int16)
            heard = av.AudioFrame.from_ndarray(samples, "s16", "stereo")
            heard.sample_rate, heard.time_base, heard.pts = sample_rate, Fraction(1, sample_rate), begin
            shaper = av.AudioResampler(
                tone.codec_context.format, "stereo", sample_rate, tone.codec_context.frame_size or 1024
            )
            for piece in (*shaper.resample(heard), *shaper.resample(None)):
                out.mux(tone.encode(piece))
            out.mux(tone.encode(None))
    return path


def greys(path: Path) -> list[int]:
    """Which of the pictures of `film` a file shows, one a frame."""
    with av.open(str(path)) as result:
        means = [float(frame.to_ndarray(format="gray").mean()) for frame in result.decode(video=0)]
    return [round((mean - means[0]) * 219 / 255 / 5) for mean in means]


def samples(path: Path) -> tuple[str, int, npt.NDArray[np.int64]]:
    """Codec, rate and the left channel of a file's sound, in 16 bits."""
    with av.open(str(path)) as result:
        stream = result.streams.audio[0]
        frames = list(result.decode(stream))
        parts = [frame.to_ndarray().reshape(-1, 2)[:, 0].astype(np.int64) for frame in frames]
        heard = np.concatenate(parts) >> (16 if frames[0].format.name == "s32" else 0)
        return stream.name, stream.sample_rate, heard


def planes(path: Path) -> list[npt.NDArray[np.generic]]:
    with av.open(str(path)) as result:
        return [frame.to_ndarray() for frame in result.decode(video=0)]


@pytest.mark.parametrize(
    ("name", "target", "codec", "want"),
    [
        ("cfr.mp4", "o.avi", "auto", ("utvideo", "yuv420p")),
        ("422.mp4", "o.avi", "auto", ("utvideo", "yuv422p")),
        ("444.mp4", "o.avi", "auto", ("utvideo", "yuv444p")),
        ("10bit.mp4", "o.avi", "auto", ("ffv1", "yuv420p10le")),
        ("cfr.mp4", "o.avi", "ffv1", ("ffv1", "yuv420p")),
        ("10bit.mp4", "o.mxf", "prores", ("prores", "yuv422p10le")),
        ("cfr.mp4", "o.mxf", "ffv1", ("ffv1", "yuv420p")),
    ],
    ids=str,
)
def test_pictures_and_times(
    name: str, target: str, codec: str, want: tuple[str, str], device: Device, tmp_path: Path
) -> None:
    path = tmp_path / target
    spec = JobSpec(
        str(CLIPS / name), str(path), Recipe(StyleSpec("none"), Look(steady=0.0)), output=OutputOptions(codec=codec)
    )
    assert run_job(spec, device).status is Status.DONE
    assert shown(path) == shown(CLIPS / name)
    with av.open(str(path)) as result:
        stream = result.streams.video[0]
        assert (stream.name, stream.codec_context.pix_fmt) == want
        assert stream.guessed_rate == 25
    with Reader(path) as reader:
        assert [float(reader.info.time_s(frame)) for frame in reader] == [number / 25 for number in range(30)]
    if want[0] in ("utvideo", "ffv1"):
        for found, own in zip(planes(path), planes(CLIPS / name), strict=True):
            np.testing.assert_array_equal(found, own)


@pytest.mark.parametrize(("pix_fmt", "want"), [("auto", "yuv422p"), ("yuv444p10le", "yuv444p10le")])
def test_dnxhr_is_the_usual_codec_of_mxf(pix_fmt: str, want: str, device: Device, tmp_path: Path) -> None:
    source = film(tmp_path / "film.mp4")
    transcode(job(source, tmp_path / "o.mxf", device, options=OutputOptions(pix_fmt=pix_fmt)))
    assert greys(tmp_path / "o.mxf") == [*range(25)]
    with av.open(str(tmp_path / "o.mxf")) as result:
        stream = result.streams.video[0]
        assert (stream.name, stream.codec_context.pix_fmt) == ("dnxhd", want)
        assert stream.codec_context.colorspace == 1  # as its players take it, whatever the source's is


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "ending", "codec"),
    [
        ("extras.mp4", ".avi", "utvideo"),
        ("bframes.ts", ".avi", "ffv1"),
        ("extras.mp4", ".mxf", "dnxhr"),
        ("extras.mp4", ".mxf", "prores"),
        ("cfr.mp4", ".mxf", "ffv1"),
    ],
)
def test_segments_become_what_one_piece_is(name: str, ending: str, codec: str, device: Device, tmp_path: Path) -> None:
    whole, joined = tmp_path / f"whole{ending}", tmp_path / f"joined{ending}"
    options = OutputOptions(codec=codec)
    transcode(job(CLIPS / name, whole, device, options=options, segments="off"))
    made = job(CLIPS / name, joined, device, options=options, segments=7)
    interrupt(made, 17)
    assert transcode(made).status is Status.DONE
    assert leftovers(tmp_path) == sorted([whole.name, joined.name])
    assert joined.read_bytes() == whole.read_bytes()


@ENDINGS
@pytest.mark.parametrize("codec", ["pcm_s16le", "flac", "aac"])
def test_sound_that_begins_late_has_silence_before_it(ending: str, codec: str, device: Device, tmp_path: Path) -> None:
    source = film(tmp_path / "film.mkv", sound_s=(0.3, 1.0), codec=codec)
    assert transcode(job(source, tmp_path / f"o{ending}", device)).status is Status.DONE
    name, rate, heard = samples(tmp_path / f"o{ending}")
    assert (name, rate) == ("pcm_s16le", RATE)
    near = 1100 if codec == "aac" else 60  # which fades in and out
    (loud,) = np.nonzero(np.abs(heard) > 500)
    assert abs(loud[0] - 0.3 * RATE) <= near
    assert abs(loud[-1] - RATE) <= near
    if codec != "aac":
        assert set(heard.tolist()) == {0, 1000}


@ENDINGS
def test_sound_before_the_picture_is_cut_and_said(ending: str, device: Device, tmp_path: Path) -> None:
    source, said = film(tmp_path / "film.mkv", sound_s=(0.0, 1.5), picture_s=0.5), list[str]()
    assert transcode(job(source, tmp_path / f"o{ending}", device), Listener(said.append)).status is Status.DONE
    assert any("the first 0.50 s of audio stream 1" in words for words in said), said
    assert any("0.500 s of the source becomes 0" in words for words in said)
    assert shown(tmp_path / f"o{ending}")[1] == [Fraction(number, 25) for number in range(25)]
    _, _, heard = samples(tmp_path / f"o{ending}")
    assert abs(len(heard) - RATE) <= RATE // 25
    assert np.count_nonzero(heard != 1000) < RATE // 1000  # MKV rounds times to a millisecond


@ENDINGS
def test_a_range_has_its_own_sound(ending: str, device: Device, tmp_path: Path) -> None:
    source = film(tmp_path / "film.mkv", sound_s=(0.6, 1.0))
    span = TimeRange(start=Position(Fraction(10), "frame"), frames=10)
    transcode(job(source, tmp_path / f"o{ending}", device, span=span))
    assert greys(tmp_path / f"o{ending}") == [*range(10)]
    (loud,) = np.nonzero(samples(tmp_path / f"o{ending}")[2] > 500)
    assert abs(loud[0] - 0.2 * RATE) <= 60


@ENDINGS
def test_sound_that_ends_early_has_silence_behind_it(ending: str, device: Device, tmp_path: Path) -> None:
    source = film(tmp_path / "film.mkv", sound_s=(0, 0.3))
    assert transcode(job(source, tmp_path / f"o{ending}", device)).status is Status.DONE
    assert greys(tmp_path / f"o{ending}") == [*range(25)]
    _, _, heard = samples(tmp_path / f"o{ending}")
    assert len(heard) == RATE
    assert abs(np.count_nonzero(heard) - 0.3 * RATE) < RATE // 1000


@ENDINGS
def test_a_range_behind_the_sound_is_silent(ending: str, device: Device, tmp_path: Path) -> None:
    source = film(tmp_path / "film.mkv", sound_s=(0, 0.2))
    span = TimeRange(start=Position(Fraction(10), "frame"))
    assert transcode(job(source, tmp_path / f"o{ending}", device, span=span)).status is Status.DONE
    assert greys(tmp_path / f"o{ending}") == [*range(15)]
    with av.open(str(tmp_path / f"o{ending}")) as result:
        assert all(not frame.to_ndarray().any() for frame in result.decode(audio=0))


@ENDINGS
@pytest.mark.parametrize(
    ("sample_rate", "codec", "becomes", "words"),
    [
        (RATE, "pcm_s24le", "pcm_s24le", "re-encoded with pcm_s24le, which keeps every sample"),
        (44100, "pcm_s16le", "pcm_s16le", "converted to PCM of 16 bits and 48 kHz: {} as written here holds no other"),
        (96000, "pcm_s24le", "pcm_s24le", "converted to PCM of 24 bits and 48 kHz: {} as written here holds no other"),
        (44100, "flac", "pcm_s16le", "converted to PCM of 16 bits and 48 kHz"),
        (RATE, "alac", "pcm_s24le", "converted to PCM of 24 bits and 48 kHz"),  # which may have 32
        (RATE, "pcm_s32le", "pcm_s24le", "converted to PCM of 24 bits and 48 kHz"),
        (RATE, "pcm_f32le", "pcm_s24le", "converted to PCM of 24 bits and 48 kHz"),
        (RATE, "aac", "pcm_s16le", "converted to PCM of 16 bits and 48 kHz"),
    ],
)
def test_bits_and_rate_of_samples(
    sample_rate: int, codec: str, becomes: str, words: str, ending: str, device: Device, tmp_path: Path
) -> None:
    source, said = film(tmp_path / "film.mkv", sound_s=(0, 1), codec=codec, sample_rate=sample_rate), list[str]()
    transcode(job(source, tmp_path / f"o{ending}", device), Listener(said.append))
    assert any(words.format(ending[1:].upper()) in line for line in said), said
    name, rate, heard = samples(tmp_path / f"o{ending}")
    assert (name, rate) == (becomes, RATE)
    assert abs(len(heard) - RATE) <= RATE // 25
    assert codec == "aac" or np.median(heard) in (999, 1000)


@ENDINGS
def test_a_gap_is_filled_with_the_frame_before_it(ending: str, device: Device, tmp_path: Path) -> None:
    source, said = film(tmp_path / "film.mkv", [0, 1, 2, 5, 6, 7, 8, 9, 11, 12], sound_s=(0, 0.5)), list[str]()
    for segments in ("off", 4):
        made = job(source, tmp_path / f"o{ending}", device, options=OutputOptions(overwrite=True), segments=segments)  # type: ignore[arg-type]
        assert transcode(made, Listener(said.append)).status is Status.DONE
        assert greys(tmp_path / f"o{ending}") == [0, 1, 2, 2, 2, 3, 4, 5, 6, 7, 7, 8, 9]
        assert shown(tmp_path / f"o{ending}")[1] == [Fraction(number, 25) for number in range(13)]
        assert any("3 frames added to fill gaps" in words for words in said)


@ENDINGS
def test_an_uneven_pace_is_refused_before_the_work(ending: str, device: Device, tmp_path: Path) -> None:
    reason = r"shows 25 frames a second at an even pace, and frame \d+ of vfr\.mkv follows sooner; use \.mkv"
    with pytest.raises(OutputError, match=reason):
        transcode(job(CLIPS / "vfr.mkv", tmp_path / f"o{ending}", device))
    assert leftovers(tmp_path) == []


@ENDINGS
def test_the_pace_is_that_of_the_range(ending: str, device: Device, tmp_path: Path) -> None:
    """Frames outside the range are neither counted nor refused."""
    said = list[str]()
    for span, frames, fills in (
        (TimeRange(frames=3), 3, 0),
        (TimeRange(Position(Fraction(8), "frame"), Position(Fraction(565, 1000), "s")), 2, 0),
        (TimeRange(Position(Fraction(12), "frame"), frames=3), 12, 9),
    ):
        options = OutputOptions(overwrite=True)
        made = job(CLIPS / "vfr.mkv", tmp_path / f"o{ending}", device, span=span, options=options)
        assert transcode(made, Listener(said.append)).status is Status.DONE
        assert len(shown(tmp_path / f"o{ending}")[1]) == frames
        assert any(f"{fills} frames added to fill gaps" in words for words in said) == bool(fills)


@pytest.mark.slow
@pytest.mark.parametrize("rate", [Fraction(24000, 1001), 24, 25, 30, Fraction(60000, 1001), 50, 100])
@ENDINGS
def test_rates(rate: Fraction | int, ending: str, device: Device, tmp_path: Path) -> None:
    source = film(tmp_path / "film.mp4", rate=rate, sound_s=(0, 2), codec="aac")
    transcode(job(source, tmp_path / f"o{ending}", device))
    numbers, times = greys(tmp_path / f"o{ending}"), shown(tmp_path / f"o{ending}")[1]
    assert numbers == [*range(25)]
    assert times == [number / Fraction(rate) for number in range(25)]


def test_a_rate_by_its_usual_name(device: Device, tmp_path: Path) -> None:
    source = film(tmp_path / "film.mkv", rate=Fraction(2997, 100))
    transcode(job(source, tmp_path / "o.mxf", device))
    with av.open(str(tmp_path / "o.mxf")) as result:
        assert result.streams.video[0].guessed_rate == Fraction(30000, 1001)
    assert greys(tmp_path / "o.mxf") == [*range(25)]


def test_an_odd_size(device: Device, tmp_path: Path) -> None:
    for codec, size in (("utvideo", (64, 48)), ("ffv1", (63, 47))):
        options = OutputOptions(codec=codec, overwrite=True)
        transcode(job(CLIPS / "cfr.mp4", tmp_path / "o.avi", device, options=options, sizes=SizeSpec(size="63x47")))
        with av.open(str(tmp_path / "o.avi")) as result:
            shown = next(result.decode(video=0))
            assert (shown.width, shown.height) == size


def test_a_rate_that_mxf_cannot_have_is_refused(device: Device, tmp_path: Path) -> None:
    source = film(tmp_path / "film.mp4", rate=15)
    with pytest.raises(OutputError, match=r"MXF cannot have 15 frames a second as film\.mp4 has, only 23\.976, 24, 25"):
        transcode(job(source, tmp_path / "o.mxf", device))


@pytest.mark.parametrize(
    ("rate", "start", "span", "want"),
    [
        (25, "01:00:00:10", TimeRange(), "01:00:00:10"),
        (25, "01:00:00:10", TimeRange(start=Position(Fraction(20), "frame")), "01:00:01:05"),
        (Fraction(30000, 1001), "00:59:59;29", TimeRange(), "00:59:59;29"),
    ],
)
def test_the_timecode_of_the_first_frame(
    rate: Fraction | int, start: str, span: TimeRange, want: str, device: Device, tmp_path: Path
) -> None:
    source = film(tmp_path / "film.mov", rate=rate, metadata={"timecode": start})
    transcode(job(source, tmp_path / "o.mxf", device, span=span))
    with av.open(str(tmp_path / "o.mxf")) as result:
        assert result.metadata["timecode"] == want
    said: list[str] = []
    transcode(job(source, tmp_path / "o.avi", device, span=span), Listener(said.append))
    assert any(f"the timecode {start} (AVI cannot hold it)" in words for words in said)


@ENDINGS
def test_live_pictures_are_refused(ending: str, device: Device, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"counts frames at an even pace, and .* has no even pace; use"):
        transcode(job("live:testsrc2=size=256x128:rate=25", tmp_path / f"o{ending}", device, span=TimeRange(frames=5)))
    assert leftovers(tmp_path) == []


@pytest.mark.slow
def test_the_same_job_makes_the_same_file(device: Device, tmp_path: Path) -> None:
    source = film(tmp_path / "film.mp4", sound_s=(0, 1), codec="aac")
    for ending in (".avi", ".mxf"):
        for name in ("one", "two"):
            transcode(job(source, tmp_path / f"{name}{ending}", device))
        assert (tmp_path / f"one{ending}").read_bytes() == (tmp_path / f"two{ending}").read_bytes()


def test_names_that_avi_holds_and_what_is_lost(device: Device, tmp_path: Path) -> None:
    said: list[str] = []
    texts = with_streams(tmp_path / "texts.mkv", subtitles=["subrip"], chapters=True)
    transcode(job(texts, tmp_path / "o.avi", device), Listener(said.append))
    (lost,) = [words for words in said if words.startswith("lost: ")]
    assert "the chapters (AVI cannot hold them)" in lost
    assert "left out: AVI cannot hold it" in lost
    assert any("which AVI does not record" in words for words in said)
    said.clear()
    transcode(job(CLIPS / "anamorphic.mp4", tmp_path / "a.avi", device), Listener(said.append))
    assert any("the sample aspect 16/11 (AVI has no place for it with Ut Video)" in words for words in said)
    source = film(tmp_path / "film.mp4")
    transcode(job(source, tmp_path / "t.avi", device))
    with av.open(str(tmp_path / "t.avi")) as result:
        assert result.metadata["title"] == "A film"


@pytest.mark.parametrize(
    ("target", "options", "reason"),
    [
        ("o.avi", OutputOptions(codec="h264"), r"AVI cannot hold H\.264 \(h264\); it holds Ut Video, FFV1"),
        ("o.mxf", OutputOptions(codec="cineform"), r"MXF cannot hold CineForm .*; it holds DNxHR, ProRes, FFV1"),
        ("o.mkv", OutputOptions(codec="utvideo"), r"MKV cannot hold Ut Video \(utvideo\); it holds H\.264"),
        (
            "o.avi",
            OutputOptions(codec="utvideo", pix_fmt="yuv420p10le"),
            "cannot write yuv420p10le here; use",
        ),
        ("o.avi", OutputOptions(codec="utvideo", crf=20), "has no quality numbers; it keeps everything"),
        ("o.mxf", OutputOptions(target_bytes=1 << 20), "DNxHR cannot aim at a size"),
    ],
)
def test_what_is_refused(target: str, options: OutputOptions, reason: str, device: Device, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=reason):
        transcode(job(CLIPS / "cfr.mp4", tmp_path / target, device, options=options))
    assert leftovers(tmp_path) == []
