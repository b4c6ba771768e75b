"""Standard input as source and standard output as target.

One test of each kind runs Framebrush in a child process; the others only inspect the stream.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

import av
import numpy as np
import numpy.typing as npt
import pytest

from assets import frame_number
from assets.make_clips import CLIPS
from framebrush.cli.command_line import run
from framebrush.media.containers import STREAMS
from framebrush.media.ffmpeg_planes import packing
from framebrush.media.writing.standard_output import PipeFile
from tests.app.jobs.footage import leftovers

FRAMEBRUSH = [sys.executable, "-P", "-m", "framebrush"]
PLAIN = ["--style", "none", "--device", "cpu", "--progress", "none"]


class Done(NamedTuple):
    """What became of a command."""

    status: int
    stdout: bytes
    said: str


class Stream:
    """Output like a pipe: written bytes cannot be changed."""

    def __init__(self) -> None:
        self.content = bytearray()

    def write(self, data: bytes) -> int:
        self.content += data
        return len(data)


@cache
def sent(name: str, form: str = "nut", codec: str = "rawvideo", pix_fmt: str = "yuv420p") -> bytes:
    """ffmpeg -i CLIP -f FORMAT -c:v CODEC -, by the same libraries: no program of that name may be here."""
    stream = Stream()
    with av.open(str(CLIPS / name)) as film, av.open(stream, "w", form, container_options={"strict": "-1"}) as out:
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
    return bytes(stream.content)


def process(given: bytes, *arguments: str) -> Done:
    """Run Framebrush between two pipes, in a child process."""
    done = subprocess.run([*FRAMEBRUSH, *arguments], input=given, capture_output=True, timeout=120)
    return Done(done.returncode, done.stdout, done.stderr.decode())


def framebrush(given: bytes, *arguments: str) -> Done:
    """The same in this process: standard input is a pipe, standard output a file that is only written to."""
    reading, writing = os.pipe()

    def send() -> None:
        with suppress(BrokenPipeError), os.fdopen(writing, "wb") as pipe:
            pipe.write(given)

    sender = threading.Thread(target=send)
    sender.start()
    with os.fdopen(reading) as stdin, TemporaryFile("w+") as stdout, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", stdin)
        with redirect_stdout(stdout), redirect_stderr(io.StringIO()) as said:
            status = run(arguments)
        stdout.seek(0)
        content = stdout.buffer.read()
    sender.join()
    return Done(status, content, said.getvalue())


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
    """Check that frames equal a clip's in every sample and in pixel format."""
    want = pictures(CLIPS / name)
    assert len(found) == len(want)
    for one, other in zip(found, want, strict=True):
        assert one.format.name == other.format.name
        for a, b in zip(samples(one), samples(other), strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    ("name", "form", "way"),
    [
        pytest.param("cfr.mp4", "y4m", process, marks=pytest.mark.slow),
        ("422.mp4", "y4m", framebrush),
        ("10bit.mp4", "y4m", framebrush),
        ("cfr.mp4", "nut", framebrush),
        ("444.mp4", "nut", framebrush),
    ],
)
def test_frames_pass_through(name: str, form: str, way: Callable[..., Done]) -> None:
    """decode | framebrush - - | decode: every sample and time of the source."""
    pix_fmt = pictures(CLIPS / name)[0].format.name
    done = way(sent(name, pix_fmt=pix_fmt), "transcode", "-", "-", "--format", form, *PLAIN)
    assert done.status == 0, done.said
    found = pictures(done.stdout)
    assert_alike(found, name)
    want = [frame.time for frame in pictures(CLIPS / name)]
    assert [frame.time for frame in found] == pytest.approx([time - want[0] for time in want], abs=1e-6)
    assert "lossless" in done.said


def test_frames_of_any_times_are_counted() -> None:
    """YUV4MPEG keeps both frames where a film has two in one tick."""
    done = framebrush(b"", "transcode", str(CLIPS / "vfr.mp4"), "-", *PLAIN)
    assert done.status == 0, done.said
    found = pictures(done.stdout)
    assert_alike(found, "vfr.mp4")
    assert [frame.pts for frame in found] == list(range(len(found)))
    assert "frames a second, as YUV4MPEG keeps no other times" in done.said


@pytest.mark.parametrize(("form", "codec"), [("yuv4mpegpipe", "rawvideo"), ("matroska", "ffv1"), ("mpegts", "libx264")])
def test_what_comes_by_a_pipe_is_painted_into_a_file(form: str, codec: str, tmp_path: Path) -> None:
    given = sent("cfr.mp4", form, codec)
    done = framebrush(given, "transcode", "-", str(tmp_path / "o.mp4"), *PLAIN, "--crf", "10")
    assert done.status == 0, done.said
    numbers = [frame_number.read(frame.reformat(format="gray").to_ndarray()) for frame in pictures(tmp_path / "o.mp4")]
    assert numbers == list(range(len(pictures(CLIPS / "cfr.mp4"))))


@pytest.mark.parametrize(
    ("target", "more", "status"), [("o.mp4", [], 3), ("o.mp4", ["--audio", "none"], 3), ("o.gif", [], 0)]
)
def test_sound_and_subtitles_that_a_pipe_loses_are_missing_in_what_could_hold_them(
    target: str, more: list[str], status: int, tmp_path: Path
) -> None:
    """--audio none: sound is no loss, the subtitles still are."""
    options = ["--style", "none", "--device", "cpu", "--json", "--frames", "3", *more]
    done = framebrush((CLIPS / "extras.mkv").read_bytes(), "transcode", "-", str(tmp_path / target), *options)
    assert done.status == status, done.said
    outcome = json.loads(done.stdout)
    assert outcome["status"] == status
    assert any(loss["incomplete"] for loss in outcome["losses"]) is (status == 3)
    assert any(loss["text"].startswith("audio stream") for loss in outcome["losses"]) is not bool(more)


@pytest.mark.parametrize(
    ("span", "numbers"),
    [
        (["--start", "5f", "--frames", "4"], [5, 6, 7, 8]),
        (["--start", "0.2", "--end", "0.4"], [5, 6, 7, 8, 9]),
        (["--end", "3f"], [0, 1, 2]),
    ],
)
def test_ranges(span: list[str], numbers: list[int], tmp_path: Path) -> None:
    target = tmp_path / "o.mkv"
    done = framebrush(sent("cfr.mp4"), "transcode", "-", str(target), *PLAIN, "--codec", "ffv1", *span)
    assert done.status == 0, done.said
    assert [frame_number.read(frame.reformat(format="gray").to_ndarray()) for frame in pictures(target)] == numbers


@pytest.mark.slow
def test_a_range_has_its_neighbours_through_a_pipe_too(tmp_path: Path) -> None:
    painting = ["--style", "ink", "--device", "cpu", "--progress", "none", "--codec", "ffv1", "--steady", "0.8"]
    span = ["--start", "6f", "--frames", "5"]
    given = sent("cfr.mp4", "matroska", "ffv1")  # NUT would not say the matrix
    for source, target in (("-", "piped.mkv"), (str(CLIPS / "cfr.mp4"), "file.mkv")):
        done = framebrush(given, "transcode", source, str(tmp_path / target), *painting, *span)
        assert done.status == 0, done.said
    one, other = (pictures(tmp_path / f"{name}.mkv") for name in ("piped", "file"))
    assert len(one) == len(other) == 5
    for a, b in zip(one, other, strict=True):
        for mine, theirs in zip(samples(a), samples(b), strict=True):
            np.testing.assert_array_equal(mine, theirs)


def test_matroska_on_a_pipe_has_sound_and_colours() -> None:
    film = str(CLIPS / "extras.mkv")
    done = framebrush(b"", "transcode", film, "-", "--format", "mkv", *PLAIN, "--codec", "ffv1")
    assert done.status == 0, done.said
    with av.open(io.BytesIO(done.stdout)) as file:
        assert {stream.type for stream in file.streams} >= {"video", "audio", "subtitle"}
        assert file.streams.video[0].codec_context.color_range == 1


def test_raw_video_is_the_planes_and_nothing_else() -> None:
    done = framebrush(b"", "transcode", str(CLIPS / "422.mp4"), "-", "--format", "raw", *PLAIN, "--frames", "3")
    want = b"".join(plane.tobytes() for frame in pictures(CLIPS / "422.mp4")[:3] for plane in samples(frame))
    assert done.stdout == want
    assert "colours: bt709" in done.said or "colours: bt601" in done.said


@pytest.mark.parametrize(("name", "form"), [("422.mp4", "yuv422p"), ("10bit.mp4", "yuv420p10le")])
def test_raw_video_comes_in_as_it_goes_out(name: str, form: str) -> None:
    frames = pictures(CLIPS / name)
    given = b"".join(plane.tobytes() for frame in frames for plane in samples(frame))
    source = f"raw:size={frames[0].width}x{frames[0].height}:pix_fmt={form}:rate=25"
    assert framebrush(given, "transcode", source, "-", "--format", "raw", *PLAIN).stdout == given
    done = framebrush(given, "transcode", source, "-", "--format", "nut", *PLAIN)
    assert_alike(pictures(done.stdout), name)
    assert [frame.time for frame in pictures(done.stdout)][:3] == [0.0, 0.04, 0.08]


def test_raw_floats_pass_bit_for_bit() -> None:
    given = np.random.default_rng(1).normal(0.5, 1.0, (2, 3, 48, 64)).astype("<f4").tobytes()
    source = "raw:size=64x48:pix_fmt=gbrpf32le"
    done = framebrush(given, "transcode", source, "-", "--format", "raw", "--pix-fmt", "source", *PLAIN)
    assert done.stdout == given


def test_raw_video_that_breaks_off_leaves_whole_frames() -> None:
    given = bytes(range(256)) * (5 * 64 * 48 * 3 // 2 // 256)
    done = framebrush(given[:-100], "transcode", "raw:size=64x48", "-", "--format", "raw", *PLAIN)
    assert done.stdout == given[: 4 * 64 * 48 * 3 // 2]
    assert done.status == 3, done.said


def test_a_pipe_counts_what_it_took(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as reader, os.fdopen(writing, "wb") as out:
        monkeypatch.setattr(sys, "stdout", out)
        pipe = PipeFile()
        pipe.completing = bytes.upper
        assert (pipe.size, pipe.write(b"first"), pipe.write(memoryview(b"second")), pipe.size) == (0, 5, 6, 11)
        assert not pipe.reader_is_gone
        assert reader.read(11) == b"FIRSTsecond"
        reader.close()
        with pytest.raises(BrokenPipeError):
            pipe.write(b"more")
        assert (pipe.reader_is_gone, pipe.size) == (True, 11)
    monkeypatch.undo()


@pytest.mark.slow
def test_a_delivered_pipe_takes_nothing_more() -> None:
    pipe = PipeFile()
    assert pipe.deliver(overwrite=False) == Path("-")
    assert pipe.closed
    with pytest.raises(ValueError, match="standard output is closed"):
        pipe.write(b"more")


@pytest.mark.slow
def test_progress_and_messages_stay_out_of_the_video() -> None:
    done = process(b"", "transcode", str(CLIPS / "cfr.mp4"), "-", *PLAIN[:-1], "json", "--frames", "4")
    assert len(pictures(done.stdout)) == 4
    states = [json.loads(line) for line in done.said.splitlines() if line.startswith("{")]
    assert states[-1]["frame"] == 4
    assert states[-1]["size_bytes"] == len(done.stdout)


@pytest.mark.slow
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
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_standard_output_without_room_is_said() -> None:
    with Path("/dev/full").open("wb") as full:
        command = [*FRAMEBRUSH, "transcode", str(CLIPS / "cfr.mp4"), "-", *PLAIN]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert done.returncode == 1
    assert "writing to standard output failed: No space left on device" in done.stderr


def test_a_sender_that_stops_early_leaves_what_came(tmp_path: Path) -> None:
    whole = sent("cfr.mp4")
    done = framebrush(whole[: len(whole) // 2], "transcode", "-", str(tmp_path / "o.mp4"), *PLAIN)
    assert done.status in (0, 3), done.said
    assert 0 < len(pictures(tmp_path / "o.mp4")) <= len(pictures(CLIPS / "cfr.mp4")) // 2 + 1


def test_colours_that_change_into_others_are_said(tmp_path: Path) -> None:
    film = b""
    for matrix in (1, 8):  # BT.709, YCgCo
        stream = Stream()
        with av.open(stream, "w", "h264") as out:
            target = out.add_stream("libx264", rate=25, options={"preset": "ultrafast"})
            target.width, target.height, target.pix_fmt = 64, 48, "yuv420p"
            target.codec_context.colorspace = matrix
            for _ in range(3):
                out.mux(target.encode(av.VideoFrame(64, 48, "yuv420p")))
            out.mux(target.encode(None))
        film += stream.content
    done = framebrush(film, "transcode", "-", str(tmp_path / "o.mp4"), *PLAIN)
    assert done.status == 2, done.said
    assert "-: its colours change from BT709 to YCGCO" in done.said
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "-: standard input is empty; check the program before the pipe"),
        (b"no video at all" * 1000, "-: standard input is not a video that can be read from a pipe"),
        (b"#EXTM3U\n#EXTINF:1,\nfile:///etc/hostname\n#EXT-X-ENDLIST\n", "-: standard input is not a video"),
        (b"ffconcat version 1.0\nfile /etc/hostname\n", "-: standard input is not a video"),
        (b"YUV4MPEG2 W12000 H12000 F25:1\nFRAME\n" + bytes(1000), "-: standard input claims 12000x12000, more than"),
    ],
    ids=["nothing", "text", "a playlist", "a list of files", "too large"],
)
def test_what_is_no_video_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    done = framebrush(content, "transcode", "-", str(tmp_path / "o.mp4"), *PLAIN)
    assert done.status == 2
    assert message in done.said
    assert leftovers(tmp_path) == []


def test_an_index_that_comes_too_late_is_the_reason(tmp_path: Path) -> None:
    film = tmp_path / "film.mov"
    with av.open(str(film), "w") as out:
        stream = out.add_stream("rawvideo", rate=25)
        stream.width, stream.height, stream.pix_fmt = 640, 480, "yuv420p"
        for _ in range(4):
            grey = np.full((720, 640), 128, np.uint8)  # the memory of a new frame may hold anything
            out.mux(stream.encode(av.VideoFrame.from_ndarray(grey, format="yuv420p")))
    done = framebrush(film.read_bytes(), "transcode", "-", str(tmp_path / "o.mp4"), *PLAIN)
    assert done.status == 2
    assert "-: the index of this MP4 or MOV is at its end, which comes too late from a pipe; name the file" in done.said


@pytest.mark.parametrize(
    ("span", "message"),
    [
        (["--start", "99"], "-: the range starts after the last frame ("),
        (
            ["--start", "0.5", "--end", "3f"],
            "-: the requested range contains no frame; choose a later end or an earlier start",
        ),
    ],
)
def test_a_range_of_a_pipe_without_a_frame_is_the_persons(span: list[str], message: str, tmp_path: Path) -> None:
    done = framebrush(sent("cfr.mp4"), "transcode", "-", str(tmp_path / "o.mp4"), *PLAIN, *span)
    assert done.status == 1
    assert message in done.said
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["in.mp4", "o.mp4", "--format", "nut"], "o.mp4 tells its format; --format nut is for -"),
        (["in.mp4", "-", "--json"], "--json would write to standard output, which already carries the video"),
        (["in.mp4", "-", "--pix-fmt", "gbrp"], "no encoder for YUV4MPEG writes gbrp here; use --pix-fmt yuv420p or"),
        (["in.mp4", "-", "--codec", "h264"], "YUV4MPEG cannot hold H.264 (h264); it holds YUV4MPEG"),
        (["-", "o.mp4", "--device", "cpu,cpu"], "only one process can read standard input: give a single --device"),
        (["raw:size=64x48", "o.mp4", "--device", "cpu,cpu"], "only one process can read standard input"),
        (["raw:", "o.mp4"], "raw video needs its size, as in raw:size=640x360:pix_fmt=yuv420p:rate=25"),
        (["raw:size=99999x99999", "o.mp4"], "raw video needs its size"),
        (
            ["raw:size=64x48:codec=h264", "o.mp4"],
            "'codec' is no option of raw video; its options are size, pix_fmt, rate",
        ),
        (["raw:size=64x48:pix_fmt=yuv42", "o.mp4"], "FFmpeg has no pixel format 'yuv42'"),
        (["raw:size=64x48:rate=0", "o.mp4"], "'0' is no rate; give frames a second"),
        (["raw:size=64x48:rate=1/0", "o.mp4"], "'1/0' is no rate; give frames a second"),
        (["-", "o.mp4", "--statistics", "shot"], "- can only be read once, so its shots are not known in advance"),
        (["-", "o.mp4", "--palette", "film"], "- can only be read once, so its colours are not known in advance"),
    ],
)
def test_what_does_not_go_together_is_refused(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = [str(CLIPS / "cfr.mp4") if one == "in.mp4" else one for one in arguments]
    style = ["--style", "great-wave"] if "film" in made else []
    done = framebrush(sent("cfr.mp4"), "transcode", "--device", "cpu", *made, *style)
    assert done.status in (1, 2)
    assert message in done.said
    assert done.stdout == b""
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize(
    ("command", "name", "more", "said"),
    [
        ("layers", "o.####.exr", ("--brush", "1"), "and .* twice; use a file"),
        ("frame", "o.png", ("--style", "ink", "--save-colours", "o.cube"), "and .* twice; use a file"),
        ("frame", "o.png", ("--style", "ink", "--palette", "film"), "so its colours are not known in advance"),
    ],
)
def test_a_pipe_is_not_read_twice(
    command: str, name: str, more: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = framebrush(sent("cfr.mp4"), command, "-", name, "--device", "cpu", *more)
    assert done.status == 2
    assert re.search(rf"- can only be read once, {said}", done.said)
    assert leftovers(tmp_path) == []


def test_every_format_of_a_pipe_writes_what_it_is() -> None:
    """Each is a muxer of this FFmpeg that needs no seeking."""
    for name, container in STREAMS.items():
        done = framebrush(b"", "transcode", str(CLIPS / "cfr.mp4"), "-", "--format", name, *PLAIN, "--frames", "2")
        assert done.status == 0, done.said
        if name != "raw":
            with av.open(io.BytesIO(done.stdout)) as file:
                assert container.muxer in file.format.name
                assert [frame.time for frame in file.decode(video=0)] == [0.0, 0.04]
