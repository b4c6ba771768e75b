"""Standard input as a source and standard output as a target, between real processes."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from assets import frame_number
from assets.make_clips import CLIPS
from framebrush.media.planes import packing
from framebrush.media.writing.containers import STREAMS
from tests.app.jobs.footage import leftovers

FRAMEBRUSH = [sys.executable, "-P", "-m", "framebrush"]
PLAIN = ["--style", "none", "--device", "cpu", "--progress", "none"]

# ffmpeg -i FILE -f FORMAT -c:v CODEC -, by the same libraries: no program of that name may be here.
SENDER = """
import sys, av
name, form, codec, pix_fmt = sys.argv[1:]
with av.open(name) as film, av.open(sys.stdout.buffer, "w", format=form, container_options={"strict": "-1"}) as out:
    source = film.streams.video[0]
    target = out.add_stream(codec, rate=source.average_rate)
    target.width, target.height, target.pix_fmt = source.width, source.height, pix_fmt
    counted = form == "yuv4mpegpipe"
    target.time_base = target.codec_context.time_base = 1 / source.average_rate if counted else source.time_base
    target.codec_context.colorspace = source.codec_context.colorspace
    target.codec_context.color_range = source.codec_context.color_range
    for number, frame in enumerate(film.decode(source)):
        frame = frame.reformat(format=pix_fmt)
        if counted:
            frame.pts, frame.time_base = number, 1 / source.average_rate
        out.mux(target.encode(frame))
    out.mux(target.encode(None))
"""


def sender(name: str, form: str = "nut", codec: str = "rawvideo", pix_fmt: str = "yuv420p") -> subprocess.Popen[bytes]:
    """A process that decodes a clip and pipes it on."""
    command = [sys.executable, "-c", SENDER, str(CLIPS / name), form, codec, pix_fmt]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def piped(name: str, *arguments: str, **form: str) -> subprocess.CompletedProcess[bytes]:
    """A clip through a pipe to Framebrush."""
    with sender(name, **form) as sent:
        return subprocess.run([*FRAMEBRUSH, *arguments], stdin=sent.stdout, capture_output=True, timeout=120)


def pictures(content: bytes | Path) -> list[av.VideoFrame]:
    with av.open(io.BytesIO(content) if isinstance(content, bytes) else str(content)) as file:
        return list(file.decode(video=0))


def samples(frame: av.VideoFrame) -> list[npt.NDArray[np.generic]]:
    kind = packing(frame.format.name)
    assert kind is not None
    dtype = np.uint8 if kind.bits == 8 else np.uint16
    return [
        np.frombuffer(plane, dtype).reshape(plane.height, -1)[:, : plane.width].copy()  # type: ignore[call-overload]
        for plane in frame.planes[:3]
    ]


def assert_alike(found: list[av.VideoFrame], name: str) -> None:
    """Frame by frame, sample by sample those of a clip, in the clip's own pixel format."""
    want = pictures(CLIPS / name)
    assert len(found) == len(want)
    for one, other in zip(found, want, strict=True):
        assert one.format.name == other.format.name
        for a, b in zip(samples(one), samples(other), strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    ("name", "form"),
    [("cfr.mp4", "y4m"), ("422.mp4", "y4m"), ("10bit.mp4", "y4m"), ("cfr.mp4", "nut"), ("444.mp4", "nut")],
)
def test_frames_pass_through_a_whole_pipeline(name: str, form: str) -> None:
    """decode | framebrush - - | decode: every sample and time of the source."""
    pix_fmt = pictures(CLIPS / name)[0].format.name
    done = piped(name, "transcode", "-", "-", "--format", form, *PLAIN, pix_fmt=pix_fmt)
    assert done.returncode == 0, done.stderr.decode()
    found = pictures(done.stdout)
    assert_alike(found, name)
    want = [frame.time for frame in pictures(CLIPS / name)]
    assert [frame.time for frame in found] == pytest.approx([time - want[0] for time in want], abs=1e-6)
    assert b"lossless" in done.stderr


@pytest.mark.slow
def test_frames_of_any_times_are_counted() -> None:
    """YUV4MPEG keeps every frame of a film with two of them in one of its ticks."""
    command = [*FRAMEBRUSH, "transcode", str(CLIPS / "vfr.mp4"), "-", *PLAIN]
    done = subprocess.run(command, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    found = pictures(done.stdout)
    assert_alike(found, "vfr.mp4")
    assert [frame.pts for frame in found] == list(range(len(found)))
    assert b"frames a second, as YUV4MPEG keeps no other times" in done.stderr


@pytest.mark.parametrize(("form", "codec"), [("yuv4mpegpipe", "rawvideo"), ("matroska", "ffv1"), ("mpegts", "libx264")])
def test_what_comes_by_a_pipe_is_painted_into_a_file(form: str, codec: str, tmp_path: Path) -> None:
    arguments = ["transcode", "-", str(tmp_path / "o.mp4"), *PLAIN, "--crf", "10"]
    done = piped("cfr.mp4", *arguments, form=form, codec=codec)
    assert done.returncode == 0, done.stderr.decode()
    numbers = [frame_number.read(frame.reformat(format="gray").to_ndarray()) for frame in pictures(tmp_path / "o.mp4")]
    assert numbers == list(range(len(pictures(CLIPS / "cfr.mp4"))))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("span", "numbers"),
    [
        (["--start", "5f", "--frames", "4"], [5, 6, 7, 8]),
        (["--start", "0.2", "--end", "0.4"], [5, 6, 7, 8, 9]),
        (["--end", "3f"], [0, 1, 2]),
    ],
)
def test_ranges(span: list[str], numbers: list[int], tmp_path: Path) -> None:
    done = piped("cfr.mp4", "transcode", "-", str(tmp_path / "o.mkv"), *PLAIN, "--codec", "ffv1", *span)
    assert done.returncode == 0, done.stderr.decode()
    found = [frame_number.read(frame.reformat(format="gray").to_ndarray()) for frame in pictures(tmp_path / "o.mkv")]
    assert found == numbers


@pytest.mark.slow
def test_a_range_has_its_neighbours_through_a_pipe_too(tmp_path: Path) -> None:
    painting = ["--style", "ink", "--device", "cpu", "--progress", "none", "--codec", "ffv1", "--steady", "0.8"]
    span = ["--start", "6f", "--frames", "5"]
    tagged = {"form": "matroska", "codec": "ffv1"}  # NUT would not say the matrix
    done = piped("cfr.mp4", "transcode", "-", str(tmp_path / "piped.mkv"), *painting, *span, **tagged)
    assert done.returncode == 0, done.stderr.decode()
    command = [*FRAMEBRUSH, "transcode", str(CLIPS / "cfr.mp4"), str(tmp_path / "file.mkv"), *painting, *span]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    one, other = (pictures(tmp_path / f"{name}.mkv") for name in ("piped", "file"))
    assert len(one) == len(other) == 5
    for a, b in zip(one, other, strict=True):
        for mine, theirs in zip(samples(a), samples(b), strict=True):
            np.testing.assert_array_equal(mine, theirs)


@pytest.mark.slow
def test_matroska_on_a_pipe_has_sound_and_colours() -> None:
    command = [*FRAMEBRUSH, "transcode", str(CLIPS / "extras.mkv"), "-", "--format", "mkv", *PLAIN]
    done = subprocess.run([*command, "--codec", "ffv1"], capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    with av.open(io.BytesIO(done.stdout)) as file:
        assert {stream.type for stream in file.streams} >= {"video", "audio", "subtitle"}
        assert file.streams.video[0].codec_context.color_range == 1


def test_raw_video_is_the_planes_and_nothing_else() -> None:
    command = [*FRAMEBRUSH, "transcode", str(CLIPS / "422.mp4"), "-", "--format", "raw", *PLAIN, "--frames", "3"]
    done = subprocess.run(command, capture_output=True, timeout=120)
    want = b"".join(plane.tobytes() for frame in pictures(CLIPS / "422.mp4")[:3] for plane in samples(frame))
    assert done.stdout == want
    assert b"colours: bt709" in done.stderr or b"colours: bt601" in done.stderr


def test_progress_and_messages_stay_out_of_the_video() -> None:
    command = [*FRAMEBRUSH, "transcode", str(CLIPS / "cfr.mp4"), "-", *PLAIN[:-1], "json", "--frames", "4"]
    done = subprocess.run(command, capture_output=True, timeout=120)
    assert len(pictures(done.stdout)) == 4
    states = [json.loads(line) for line in done.stderr.decode().splitlines() if line.startswith("{")]
    assert states[-1]["frame"] == 4
    assert states[-1]["size_bytes"] == len(done.stdout)


def test_a_reader_that_has_enough_ends_it_quietly(tmp_path: Path) -> None:
    command = [*FRAMEBRUSH, "transcode", "lavfi:testsrc2=size=640x360:rate=25:duration=60", "-", *PLAIN]
    with (
        (tmp_path / "said").open("wb") as said,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said) as process,
    ):
        assert process.stdout is not None
        assert process.stdout.read(1 << 16).startswith(b"YUV4MPEG2 W640 H360 F25:1 ")
        process.stdout.close()
        assert process.wait(60) == 0
    words = (tmp_path / "said").read_text()
    assert "framebrush:" not in words
    assert "Traceback" not in words
    assert "Broken pipe" not in words
    assert leftovers(tmp_path) == ["said"]


@pytest.mark.slow
def test_a_sender_that_stops_early_leaves_what_came(tmp_path: Path) -> None:
    whole = subprocess.run(
        [sys.executable, "-c", SENDER, str(CLIPS / "cfr.mp4"), "nut", "rawvideo", "yuv420p"],
        capture_output=True,
        check=True,
    ).stdout
    command = [*FRAMEBRUSH, "transcode", "-", str(tmp_path / "o.mp4"), *PLAIN]
    done = subprocess.run(command, input=whole[: len(whole) // 2], capture_output=True, timeout=120)
    assert done.returncode in (0, 3), done.stderr.decode()
    assert 0 < len(pictures(tmp_path / "o.mp4")) <= len(pictures(CLIPS / "cfr.mp4")) // 2 + 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "-: standard input is not a video that can be read from a pipe"),
        (b"no video at all" * 1000, "-: standard input is not a video that can be read from a pipe"),
        (b"#EXTM3U\n#EXTINF:1,\nfile:///etc/hostname\n#EXT-X-ENDLIST\n", "-: standard input is not a video"),
        (b"ffconcat version 1.0\nfile /etc/hostname\n", "-: standard input is not a video"),
    ],
    ids=["nothing", "text", "a playlist", "a list of files"],
)
def test_what_is_no_video_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    command = [*FRAMEBRUSH, "transcode", "-", str(tmp_path / "o.mp4"), *PLAIN]
    done = subprocess.run(command, input=content, capture_output=True, timeout=60)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert leftovers(tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["in.mp4", "o.mp4", "--format", "nut"], "--format nut: o.mp4 tells its format; --format is for -"),
        (["in.mp4", "-", "--json"], "--json would write to standard output, which already carries the video"),
        (["in.mp4", "-", "--pix-fmt", "gbrp"], "no encoder for YUV4MPEG writes gbrp here; use --pix-fmt yuv420p or"),
        (["in.mp4", "-", "--codec", "h264"], "YUV4MPEG cannot hold H.264 (h264); it holds YUV4MPEG"),
        (["-", "o.mp4", "--device", "cpu,cpu"], "only one process can read standard input: give a single --device"),
        (["-", "o.mp4", "--statistics", "shot"], "- can only be read once, so its shots are not known in advance"),
        (["-", "o.mp4", "--palette", "film"], "- can only be read once, so its colours are not known in advance"),
    ],
)
def test_what_does_not_go_together_is_refused(arguments: list[str], message: str, tmp_path: Path) -> None:
    made = [str(CLIPS / "cfr.mp4") if one == "in.mp4" else one for one in arguments]
    style = ["--style", "great-wave"] if "film" in made else []
    with sender("cfr.mp4") as sent:
        done = subprocess.run(
            [*FRAMEBRUSH, "transcode", "--device", "cpu", *made, *style],
            stdin=sent.stdout,
            capture_output=True,
            timeout=60,
            cwd=tmp_path,
        )
    assert done.returncode in (1, 2)
    assert message in done.stderr.decode()
    assert done.stdout == b""


@pytest.mark.slow
def test_every_format_of_a_pipe_writes_what_it_is(tmp_path: Path) -> None:
    """Each is a muxer of this FFmpeg that needs no seeking."""
    for name, container in STREAMS.items():
        command = [*FRAMEBRUSH, "transcode", str(CLIPS / "cfr.mp4"), "-", "--format", name, *PLAIN, "--frames", "2"]
        done = subprocess.run(command, capture_output=True, timeout=120)
        assert done.returncode == 0, done.stderr.decode()
        if name != "raw":
            with av.open(io.BytesIO(done.stdout)) as file:
                assert container.muxer in file.format.name
                assert [frame.time for frame in file.decode(video=0)] == [0.0, 0.04]
