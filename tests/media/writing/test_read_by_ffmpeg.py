"""Results as FFmpeg's own programs read them: frames, times and sound, whatever the container.

FRAMEBRUSH_REQUIRE_FFMPEG=1 promises `ffmpeg` and `ffprobe`, and then their absence fails.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from framebrush.gpu.frame import Frame, FrameFormat, yuv420p
from framebrush.jobs.output_format import video_target
from framebrush.media.containers import CONTAINERS, PICTURES, STREAMS, Container, Stream
from framebrush.media.encoding.encoders import CODECS, ENCODERS, pixel_format_for
from framebrush.media.encoding.pixels import AUTO
from framebrush.media.video import TimeRange, VideoInfo
from framebrush.media.writing.file_writer import Writer
from framebrush.media.writing.numbered_pictures import PictureWriter
from framebrush.media.writing.output_plan import OutputOptions, OutputPlan, plan_output
from tests.media.writing.writer_clips import FAST, info_of, source
from tools import dev

MISSING = dev.missing_packages(dev.FFMPEG_NEEDS)

pytestmark = [
    pytest.mark.media,
    pytest.mark.skipif(
        bool(MISSING) and os.environ.get("FRAMEBRUSH_REQUIRE_FFMPEG") != "1",
        reason="no FFmpeg without its programs ffmpeg and ffprobe",
    ),
]

COUNT = 12
EVEN = tuple(range(0, 512 * COUNT, 512))  # of 25 frames a second, in ticks of the source
UNEVEN = tuple(tick + 128 * (number % 2) for number, tick in enumerate(EVEN))  # whole hundredths of a second, as of GIF

UNREADABLE = {
    (".mxf", "ffv1"): "FFmpeg 5.1 takes FFV1 in MXF for data",
    (".webp", "webp"): "FFmpeg 5.1 reads no WebP that moves",
}

CASES = [
    (ending, codec)
    for ending, container in {**CONTAINERS, **PICTURES}.items()
    for codec in container.codecs
    if (ending, codec) not in UNREADABLE
]


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> VideoInfo:
    """A film with a second of sound."""
    path = tmp_path_factory.mktemp("film") / "film.mov"
    return info_of(source(path, audio=("aac",), seconds=1))


def planned(
    film: VideoInfo,
    target: Path,
    container: Container,
    codec: str,
    stream: Stream | None = None,
    size: tuple[int, int] = (64, 48),
) -> OutputPlan:
    """The plan for a result of the pixel format that is usual for its codec, encoded fast."""
    source_format = yuv420p(*size)
    frames = video_target(source_format, pixel_format_for(AUTO, codec, container, source_format))
    software = next(encoder.name for encoder in ENCODERS if encoder.codec == codec and not encoder.is_hardware)
    options = OutputOptions(codec=software if codec in CODECS else codec, preset=FAST.get(software), stream=stream)
    return plan_output(film, target, options, frames, TimeRange(frames=COUNT))


def pattern(frames: FrameFormat, number: int) -> Frame:
    """Bars that move, in legal codes."""
    frame = frames.allocate()
    for plane in frame.planes:
        columns = (np.arange(plane.shape[1]) + 5 * number) % 40 / 40
        bars = (0.2 + 0.6 * columns)[:, None] if plane.ndim == 3 else 0.2 + 0.6 * columns
        codes = bars if frames.floating else np.round(bars * ((1 << frames.bits) - 1))
        plane[...] = codes if frames.floating else codes.astype(frames.dtype) << frames.shift
    return frame


def write(plan: OutputPlan, times: tuple[int, ...]) -> None:
    with PictureWriter(plan) if plan.container.pictures else Writer(plan) as writer:
        for number, pts in enumerate(times):
            writer.write(pattern(plan.frames, number), pts, 0)
        writer.finish()


def test_memory_of_written_pictures_is_used_again(film: VideoInfo, tmp_path: Path) -> None:
    plan = planned(film, tmp_path / "%03d.png", PICTURES[".png"], "png")
    with PictureWriter(plan) as writer:
        frames = [pattern(plan.frames, number) for number in range(2)]
        for number, frame in enumerate(frames):
            writer.write(frame, number, 0)
        writer.finish()
        again = [writer.allocate() for _ in range(2)]
        assert {id(frame) for frame in again} == {id(frame) for frame in frames}


@pytest.mark.slow
def test_an_interruption_keeps_the_painted_pictures(film: VideoInfo, tmp_path: Path) -> None:
    """Pictures that wait for an encoder are kept, too."""
    plan = planned(film, tmp_path / "%03d.png", PICTURES[".png"], "png", size=(4096, 2048))

    def interrupted() -> None:
        with PictureWriter(plan) as writer:
            for number in range(4):
                writer.write(pattern(plan.frames, number), number, 0)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert len([*tmp_path.glob("*.png")]) == 4


@pytest.mark.parametrize(("degrees", "size", "aspect"), [(0, (64, 48), Fraction(4, 3)), (90, (48, 64), Fraction(3, 4))])
def test_pictures_are_upright_with_the_shape_of_their_pixels(
    film: VideoInfo, tmp_path: Path, degrees: int, size: tuple[int, int], aspect: Fraction
) -> None:
    turned = replace(film, sample_aspect=Fraction(4, 3), rotation_degrees=degrees)
    write(planned(turned, tmp_path / "%03d.png", PICTURES[".png"], "png"), EVEN[:1])
    with av.open(str(tmp_path / "001.png")) as picture:
        stream = picture.streams.video[0]
        assert ((stream.width, stream.height), stream.sample_aspect_ratio) == (size, aspect)


def asked(program: str, *arguments: str) -> str:
    """What one of FFmpeg's programs prints, which has to be without a complaint."""
    done = subprocess.run([program, "-v", "error", *arguments], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def probed(*file: str) -> dict[str, Any]:
    """Streams, and the frames of the picture. file: the name, after options that FFmpeg needs to read it."""
    asked("ffmpeg", *file[:-1], "-i", file[-1], "-f", "null", "-")
    told = "-show_streams", "-show_frames", "-show_format", "-of", "json"
    found: dict[str, Any] = json.loads(asked("ffprobe", *told, *file))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("ending", "codec"), CASES)
def test_files(tmp_path: Path, film: VideoInfo, ending: str, codec: str) -> None:
    """Frames, times, size and sound are right in every container with each codec."""
    container = {**CONTAINERS, **PICTURES}[ending]
    target = tmp_path / f"{'%04d' if container.pictures else 'o'}{ending}"
    plan = planned(film, target, container, codec)
    times = EVEN if container.constant_rate or container.pictures else UNEVEN
    write(plan, times)
    found = probed(str(target))
    shown = [frame for frame in found["frames"] if frame["media_type"] == "video"]
    check_times(shown, times, moved=container.muxer == "mpegts")  # whose clock begins where it likes
    assert {(frame["width"], frame["height"]) for frame in shown} == {(plan.choice.width, plan.choice.height)}
    kinds = [stream["codec_type"] for stream in found["streams"]]
    assert (kinds.count("video"), kinds.count("audio")) == (1, 0 if container.alone else 1)
    heard = sum(frame["nb_samples"] for frame in found["frames"] if frame["media_type"] == "audio")
    assert heard / 48000 == pytest.approx(0 if container.alone else COUNT / 25, abs=3 * 1024 / 48000)  # packets of AAC


@pytest.mark.parametrize("name", STREAMS)
def test_streams(tmp_path: Path, film: VideoInfo, monkeypatch: pytest.MonkeyPatch, name: Stream) -> None:
    """Frames and times of what goes to standard output."""
    container = STREAMS[name]
    plan = planned(film, Path("-"), container, container.codecs[0], name)
    times = EVEN if container.constant_rate else UNEVEN
    target = tmp_path / "stream"
    with target.open("wb") as output:
        monkeypatch.setattr(sys, "stdout", output)
        write(plan, times)
        monkeypatch.undo()
    told = "-f", "rawvideo", "-video_size", "64x48", "-pixel_format", plan.choice.pix_fmt, "-framerate", "25"
    found = probed(*(told if name == "raw" else ()), str(target))
    shown = [frame for frame in found["frames"] if frame["media_type"] == "video"]
    check_times(shown, times)
    assert {(frame["width"], frame["height"]) for frame in shown} == {(64, 48)}


def check_times(shown: list[dict[str, Any]], times: tuple[int, ...], *, moved: bool = False) -> None:
    """Compare times of frames with written ticks. moved: whether all may be shifted alike."""
    found = [Fraction(frame["pts_time"]) for frame in shown]
    first = found[0] if moved else Fraction(0)
    assert len(found) == len(times)
    for time, tick in zip(found, times, strict=True):
        assert abs(time - first - Fraction(tick, 12800)) < Fraction(1, 90_000)
