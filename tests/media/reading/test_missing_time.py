"""Time that a film lacks is a loss in every container, and an honest gap is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Literal

import av
import numpy as np
import pytest
from av.audio.stream import AudioStream
from av.video.stream import VideoStream

from framebrush.gpu.device import open_device
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Status
from framebrush.jobs.workers.run import run_job
from framebrush.media.reading import missing_time
from framebrush.media.reading.completeness import promises_duration
from framebrush.media.reading.missing_time import Hole, MissingTime
from framebrush.media.reading.reader import Reader
from framebrush.media.video import InputError, Position, TimeRange
from framebrush.styles.specs import StyleSpec

pytestmark = pytest.mark.media

FRAMES, RATE = 100, 25
SIZE = (128, 72)
Damage = Callable[[bytes], bytes]


@dataclass(frozen=True)
class Kind:
    """A kind of film. counts: which damages have their frames counted; the others are only said."""

    name: str
    codec: str
    sound: str = ""
    options: dict[str, str] = field(default_factory=dict)
    container: dict[str, str] = field(default_factory=dict)
    counts: tuple[str, ...] = ("hole", "80 %", "35 %")


X264 = {"preset": "ultrafast", "g": "12", "bf": "2", "b-adapt": "0"}
VP8 = {"deadline": "realtime", "cpu-used": "8", "b": "400k"}
KINDS = (
    Kind("sound.mkv", "libx264", "libopus", X264),
    Kind("silent.mkv", "libx264", "", X264),
    Kind("sound.webm", "libvpx", "libopus", VP8),
    Kind("sound.mp4", "libx264", "aac", X264, {"movflags": "faststart"}),
    Kind("fragments.mp4", "libx264", "aac", X264, {"movflags": "frag_keyframe+empty_moov"}, counts=()),
    Kind("sound.mxf", "mpeg2video", "pcm_s16le"),
    Kind("silent.mxf", "mpeg2video"),
    Kind("sound.nut", "libx264", "flac", X264, counts=("hole",)),
    Kind("silent.nut", "ffv1", counts=("hole",)),
    Kind("sound.flv", "libx264", "aac", X264),
    Kind("silent.flv", "flv"),
    Kind("sound.avi", "mpeg4", "ac3"),
    Kind("sound.ogg", "libvpx", "libopus", VP8, counts=("hole",)),
    Kind("silent.ogg", "libvpx", "", VP8, counts=("hole",)),
    Kind("sound.asf", "wmv2", "wmav2", counts=("hole",)),
    Kind("reordered.asf", "libx264", "wmav2", X264, counts=("hole",)),
    Kind("sound.ts", "libx264", "aac", X264, counts=("hole",)),
    Kind("silent.ts", "libx264", "", X264, counts=("hole",)),
    Kind("sound.mpg", "mpeg2video", "mp2", {"bf": "2"}, counts=("hole",)),
    Kind("silent.mpg", "mpeg2video", "", {"bf": "2"}, counts=("hole",)),
    Kind("sound.rm", "rv20", "ac3"),
    Kind("silent.ivf", "libvpx", "", VP8, counts=("80 %", "35 %")),
    Kind("silent.gif", "gif", counts=()),
)
BY_NAME = {kind.name: kind for kind in KINDS}


def hole(data: bytes) -> bytes:
    """A fifth of the file as a damaged disk returns it."""
    begin, length = len(data) // 3, len(data) // 5
    return data[:begin] + bytes(length) + data[begin + length :]


def cut(percent: int) -> Damage:
    return lambda data: data[: len(data) * percent // 100 | 1]


DAMAGES: dict[str, Damage] = {"hole": hole, "80 %": cut(80), "35 %": cut(35)}


def pictures() -> list[np.ndarray]:
    """A ball over noise, which moves a little, so that each frame takes about as many bytes as any other."""
    noise = np.random.default_rng(1).integers(0, 256, (SIZE[1], SIZE[0] + FRAMES, 3), np.uint8)
    return [np.ascontiguousarray(noise[:, number : number + SIZE[0]]) for number in range(FRAMES)]


def film(path: Path, kind: Kind, times: Iterable[int] = range(FRAMES), sound: Iterable[int] = range(FRAMES)) -> Path:
    """Write a film. times, sound: of frames and of pieces as long as a frame, in frames."""
    noise = pictures()
    with av.open(str(path), "w", container_options=kind.container) as out:
        stream = out.add_stream(kind.codec, rate=RATE, options=kind.options)
        assert isinstance(stream, VideoStream)
        stream.width, stream.height = SIZE
        stream.pix_fmt = "rgb8" if kind.codec == "gif" else "yuv420p"
        stream.codec_context.thread_count = 1
        stream.codec_context.time_base = Fraction(1, RATE)
        tracks = [out.add_stream(kind.sound, rate=48000)] if kind.sound else []
        packets = []
        for time in times:
            frame = av.VideoFrame.from_ndarray(noise[time % FRAMES], "rgb24").reformat(format=stream.pix_fmt)
            frame.pts, frame.time_base = time, Fraction(1, RATE)
            packets += stream.encode(frame)
        packets += stream.encode(None)
        for track in tracks:
            assert isinstance(track, AudioStream)
            track.bit_rate = 128_000
            shaper = av.AudioResampler(track.codec_context.format, "stereo", 48000, track.codec_context.frame_size)
            wave = np.random.default_rng(2).integers(-9000, 9000, (1, 2 * 48000 // RATE), np.int16)
            for time in sound:
                piece = av.AudioFrame.from_ndarray(wave, "s16", "stereo")
                piece.sample_rate, piece.pts, piece.time_base = 48000, time * 48000 // RATE, Fraction(1, 48000)
                packets += [packet for part in shaper.resample(piece) for packet in track.encode(part)]
            packets += track.encode(None)
        for packet in sorted(packets, key=lambda packet: (packet.dts or 0) * packet.time_base):
            out.mux(packet)
    return path


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Makes a film when it is first asked for."""
    folder = tmp_path_factory.mktemp("films")

    def made(name: str) -> Path:
        path = folder / name
        return path if path.exists() else film(path, BY_NAME[name])

    return made


def read(path: Path, span: TimeRange | None = None) -> tuple[int, int, bool]:
    """How many frames came, how many were lost or absent, and whether the film is cut off."""
    with Reader(path, span, threads=1) as reader:
        count = sum(1 for _ in reader)
        return count, reader.lost_frames + reader.absent_frames, reader.cut_off


@pytest.mark.slow
@pytest.mark.parametrize("name", [kind.name for kind in KINDS])
def test_whole_films_lack_nothing(films: Callable[[str], Path], name: str) -> None:
    assert read(films(name)) == (FRAMES, 0, False)
    assert read(films(name), TimeRange(end=Position(Fraction(1, 2), "s")))[1:] == (0, False)


@pytest.mark.parametrize("ending", [".mkv", ".webm", ".flv"])
@pytest.mark.parametrize("late", [0, 25])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.7, 0.9])
def test_the_end_is_counted_once_in_films_that_begin_late(tmp_path: Path, ending: str, late: int, share: float) -> None:
    whole, cut = tmp_path / f"whole{ending}", tmp_path / f"cut{ending}"
    noise = np.random.default_rng(1)
    with av.open(str(whole), "w") as out:
        stream = out.add_stream("libvpx-vp9" if ending == ".webm" else "libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for number in range(50):
            frame = av.VideoFrame.from_ndarray(noise.integers(0, 255, (48, 64, 3), np.uint8), format="rgb24")
            frame.pts = number + late
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    with Reader(whole) as reader:
        assert reader.info.duration_s == pytest.approx(2, abs=0.1)
    content = whole.read_bytes()
    cut.write_bytes(content[: int(share * len(content))])
    count, lost, cut_off = read(cut)
    assert cut_off
    assert abs(count + lost - 50) <= (2 if ending == ".flv" else 1)  # FLV's duration includes the encoder's delay


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", [kind.name for kind in KINDS])
def test_missing_time_is_a_loss(films: Callable[[str], Path], tmp_path: Path, name: str, damage: str) -> None:
    path = tmp_path / name
    path.write_bytes(DAMAGES[damage](films(name).read_bytes()))
    count, lost, cut_off = read(path)
    assert count < FRAMES
    assert lost or cut_off
    if damage in BY_NAME[name].counts:
        assert abs(count + lost - FRAMES) <= 6


STILL = tuple(range(20)) + tuple(range(55, 70)) + tuple(range(130, 160))
DROPS = tuple(time for time in range(140) if time % 7 not in (2, 5))
SLIDES = tuple(range(0, 20 * 75, 75))


@pytest.mark.slow
@pytest.mark.parametrize("times", [STILL, DROPS, SLIDES], ids=["still", "drops", "slides"])
@pytest.mark.parametrize(
    "name", ["sound.mkv", "silent.mkv", "sound.webm", "sound.flv", "sound.nut", "sound.ts", "silent.ts"]
)
def test_honest_gaps_are_no_loss(tmp_path: Path, name: str, times: tuple[int, ...]) -> None:
    path = film(tmp_path / name, BY_NAME[name], times, range(times[-1]))
    assert read(path) == (len(times), 0, False)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sound.mkv", "sound.flv", "sound.nut"])
def test_sound_that_is_longer_or_shorter_is_no_loss(tmp_path: Path, name: str) -> None:
    for sound in (range(40), range(200)):
        path = film(tmp_path / f"{len(sound)}-{name}", BY_NAME[name], sound=sound)
        assert read(path) == (FRAMES, 0, False)


def test_sound_that_pauses_elsewhere_is_no_loss(tmp_path: Path) -> None:
    pauses = [time for time in range(160) if time not in range(135, 150)]
    path = film(tmp_path / "film.mkv", BY_NAME["sound.mkv"], STILL, pauses)
    assert read(path) == (len(STILL), 0, False)


def test_a_recorder_that_stood_still_is_a_loss(tmp_path: Path) -> None:
    """Picture and sound lack the same time, and no byte is damaged."""
    times = [time for time in range(FRAMES) if time not in range(40, 60)]
    path = film(tmp_path / "film.mkv", BY_NAME["sound.mkv"], times, times)
    assert read(path) == (80, 20, False)
    with Reader(path) as reader:
        assert reader.absent_frames == 0, "nothing has been read"
        assert reader.count_absent_frames() == reader.absent_frames == 20


@pytest.mark.parametrize("name", ["sound.mkv", "sound.webm", "sound.flv"])
def test_a_film_that_says_no_duration(tmp_path: Path, name: str) -> None:
    kind = BY_NAME[name]
    live = Kind(name, kind.codec, kind.sound, kind.options, {"flvflags": "no_duration_filesize", "live": "1"})
    path = film(tmp_path / name, live)
    data = path.read_bytes()
    assert not promises_duration(path)
    path.write_bytes(data[: len(data) // 2])
    read(path)  # nobody knows how much is missing


@pytest.fixture(scope="module")
def broken(films: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film without the frames 40 to 59."""
    times = [time for time in range(FRAMES) if time not in range(40, 60)]
    return film(tmp_path_factory.mktemp("broken") / "film.mkv", BY_NAME["sound.mkv"], times, times)


def at(seconds: str) -> Position:
    return Position(Fraction(seconds), "s")


def number(frame: int) -> Position:
    return Position(Fraction(frame), "frame")


@pytest.mark.parametrize(
    ("span", "count", "lost"),
    [
        (TimeRange(frames=40), 40, 0),
        (TimeRange(frames=41), 41, 20),
        (TimeRange(number(39), frames=1), 1, 0),
        (TimeRange(number(40), frames=9), 9, 0),
        (TimeRange(number(30), number(50)), 20, 20),
        (TimeRange(end=at("1.6")), 40, 0),
        (TimeRange(end=at("2")), 40, 10),
        (TimeRange(at("2"), at("3")), 15, 10),
        (TimeRange(at("2.4")), 40, 0),
        (TimeRange(at("1")), 55, 20),
    ],
)
def test_a_range_lacks_what_lies_in_it(broken: Path, span: TimeRange, count: int, lost: int) -> None:
    assert read(broken, span) == (count, lost, False)


def test_a_range_behind_a_promised_end_is_no_mistake_of_the_person(
    films: Callable[[str], Path], tmp_path: Path
) -> None:
    path = tmp_path / "film.mxf"
    path.write_bytes(cut(50)(films("sound.mxf").read_bytes()))
    with pytest.raises(InputError, match="because the file is cut off"):
        Reader(path, TimeRange(start=number(80)))
    count = read(path)[0]
    assert read(path, TimeRange(number(10), frames=count)) == (count - 10, 10, False)
    assert read(path, TimeRange(number(10), frames=5)) == (5, 0, False)


@pytest.mark.slow
@pytest.mark.parametrize("segments", ["off", 7])
def test_a_job_says_it(films: Callable[[str], Path], tmp_path: Path, segments: Literal["off"] | int) -> None:
    path = tmp_path / "film.mkv"
    path.write_bytes(hole(films("silent.mkv").read_bytes()))
    count, lost, _ = read(path)
    with open_device("cpu") as device:
        outcome = run_job(
            JobSpec(str(path), str(tmp_path / "out.mkv"), Recipe(StyleSpec("none")), segments=segments), device
        )
    assert (outcome.progress.frames, outcome.lost, outcome.status) == (count, lost, Status.LOSSES)


@pytest.mark.slow
def test_an_intact_film_is_read_once(films: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(missing_time, "open_media", lambda *_: pytest.fail("it is read again"))
    for name in ("sound.mkv", "sound.ts", "sound.mpg", "sound.mxf"):
        assert read(films(name)) == (FRAMES, 0, False)
        assert read(films(name), TimeRange(number(3)))[0] == FRAMES - 3


def test_a_short_cut_of_a_format_that_knows_its_durations(films: Callable[[str], Path], tmp_path: Path) -> None:
    path = tmp_path / "film.mxf"
    path.write_bytes(cut(92)(films("sound.mxf").read_bytes()))
    count, lost, _ = read(path)
    assert 0 < lost < 12
    assert count + lost in range(FRAMES - 1, FRAMES + 1)


def test_a_demuxer_that_gives_up(tmp_path: Path) -> None:
    path = film(tmp_path / "film.y4m", Kind("film.y4m", "wrapped_avframe"))
    assert read(path) == (FRAMES, 0, False)
    path.write_bytes(hole(path.read_bytes()))
    count, lost, cut_off = read(path)
    assert cut_off
    assert count + lost == FRAMES


def test_an_avi_out_of_a_pipe_knows_no_size(films: Callable[[str], Path], tmp_path: Path) -> None:
    path, data = tmp_path / "film.avi", films("sound.avi").read_bytes()
    path.write_bytes(data[:4] + b"\xff" * 4 + data[8:])
    assert not promises_duration(path)
    assert read(path) == (FRAMES, 0, False)


def test_a_file_that_is_gone_by_the_end_is_read_nevertheless(films: Callable[[str], Path], tmp_path: Path) -> None:
    path = tmp_path / "film.mkv"
    path.write_bytes(hole(films("sound.mkv").read_bytes()))
    with Reader(path, threads=1) as reader:
        path.unlink()
        assert sum(1 for _ in reader) > 50


def test_parts_of_a_hole() -> None:
    missing = MissingTime((Hole(100, 200, 9),))
    assert missing.within(0, None) == 9
    assert missing.within(0, 100) == missing.within(200, None) == 0
    assert (missing.within(0, 150), missing.within(150, None)) == (4, 5)
