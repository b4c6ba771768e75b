"""Jobs of interlaced and telecined films (whole, in segments, in part), and their output's timecode."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Literal

import av
import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.device import Device
from framebrush.gpu.look import Look
from framebrush.jobs.spec import DecodeOptions
from framebrush.jobs.transcode import Listener, Progress, Status
from framebrush.media.video import Deinterlace, Position, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import SOURCE_SIZE, SizeSpec
from tests.app.jobs.footage import Job, job, leftovers, transcode
from tests.media.field_clips import NTSC, SIZE, field_order, film, interlaced, telecined, timecode_of, write

pytestmark = pytest.mark.media
LOSSLESS = OutputOptions("libx264", crf=0, preset="veryfast")
FIELDS: dict[str, tuple[Deinterlace, int, Fraction]] = {
    "fields.mov": ("double", 48, Fraction(50)),
    "pulldown.mkv": ("ivtc", 32, Fraction(24000, 1001)),
}


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fields")
    write(folder / "fields.mov", interlaced(24), timecode="09:59:59:20")
    write(folder / "bottom.mov", interlaced(4, "bottom"), fields="bottom")
    write(folder / "pulldown.mkv", telecined(film(32)), rate=NTSC, timecode="00:00:59;25")
    mpeg2 = {"b": "8M", "g": "6"}
    write(folder / "tape.mxf", interlaced(16), codec="mpeg2video", options=mpeg2, rate=NTSC, timecode="00:09:59;20")
    write(folder / "plain.mp4", film(8), fields=None, timecode="10:00:00:00")
    return folder


def asked(
    source: Path,
    target: Path,
    device: Device,
    mode: Deinterlace,
    *,
    options: OutputOptions = LOSSLESS,
    span: TimeRange | None = None,
    sizes: SizeSpec = SOURCE_SIZE,
    look: Look | None = None,
    segments: Literal["auto", "off"] | int = "auto",
) -> Job:
    made = job(source, target, device, options=options, span=span, sizes=sizes, look=look, segments=segments)
    return replace(made, spec=replace(made.spec, decode=DecodeOptions(deinterlace=mode)))


def shown(path: Path) -> tuple[list[Fraction], list[npt.NDArray[np.generic]]]:
    """Times from the first, and pictures."""
    with av.open(str(path)) as container:
        frames = list(container.decode(video=0))
    times = [(frame.pts or 0) * frame.time_base for frame in frames]
    return [time - times[0] for time in times], [frame.to_ndarray() for frame in frames]


@pytest.mark.slow
@pytest.mark.parametrize("steady", [0.0, 1.0])
@pytest.mark.parametrize("name", FIELDS)
def test_whole_in_segments_resumed_and_in_part_they_are_the_same_frames(
    name: str, steady: float, clips: Path, device: Device, tmp_path: Path
) -> None:
    mode, count, rate = FIELDS[name]
    files = {kind: tmp_path / f"{kind}.mov" for kind in ("whole", "joined", "part")}
    look = Look(steady=steady)
    whole = asked(clips / name, files["whole"], device, mode, look=look, segments="off")
    assert transcode(whole).status is Status.DONE
    joined = asked(clips / name, files["joined"], device, mode, look=look, segments=7)

    def stop(state: Progress) -> None:
        if state.frames == 17:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        transcode(joined, Listener(progress=stop))
    outcome = transcode(joined)
    assert (outcome.status, outcome.progress.resumed > 0) == (Status.DONE, True)
    span = TimeRange(Position(Fraction(5), "frame"), Position(Fraction(16), "frame"))
    part = asked(clips / name, files["part"], device, mode, look=look, span=span)
    assert transcode(part).status is Status.DONE
    times, pictures = shown(files["whole"])
    tolerance = Fraction(1, 1000) if name.endswith("mkv") else 0
    assert len(pictures) == count
    assert all(abs(time - number / rate) <= tolerance for number, time in enumerate(times))
    joined_times, joined_pictures = shown(files["joined"])
    assert joined_times == times
    np.testing.assert_array_equal(joined_pictures, pictures)
    part_times, part_pictures = shown(files["part"])
    assert part_times == [time - times[5] for time in times[5:16]]
    np.testing.assert_array_equal(part_pictures, pictures[5:16])
    assert leftovers(tmp_path) == ["joined.mov", "part.mov", "whole.mov"]


@pytest.mark.slow
def test_what_a_job_says_of_fields(clips: Path, device: Device, tmp_path: Path) -> None:
    said: dict[str, list[str]] = {}
    modes: tuple[Deinterlace, ...] = ("auto", "double", "ivtc", "off")
    for mode in modes:
        lines = said[mode] = []
        source = clips / ("pulldown.mkv" if mode == "ivtc" else "fields.mov")
        made = asked(source, tmp_path / f"{mode}.mov", device, mode, span=TimeRange(frames=2))
        transcode(made, Listener(lines.append))
    assert "lost: half of the fields (50 a second become 25 frames; --deinterlace double keeps all)" in said["auto"]
    assert "fields: a frame of each; 25 frames a second become 50" in said["double"]
    assert "fields: put together as before the pulldown; 29.97 frames a second become 23.976" in said["ivtc"]
    assert "fields: woven, as asked; the top one is shown first" in said["off"]
    for mode in ("double", "ivtc", "off"):
        assert not [line for line in said[mode] if line.startswith("lost:")]


CODECS = [("out.mp4", "libx264"), ("out.mkv", "libx264"), ("out.mov", "prores"), ("out.mkv", "ffv1")]


@pytest.mark.parametrize("first", ["top", "bottom"])
@pytest.mark.parametrize(("target", "codec"), CODECS)
def test_woven_results_say_so(target: str, codec: str, first: str, clips: Path, device: Device, tmp_path: Path) -> None:
    source = clips / ("fields.mov" if first == "top" else "bottom.mov")
    made = asked(source, tmp_path / target, device, "off", options=OutputOptions(codec), span=TimeRange(frames=3))
    assert transcode(made).status is Status.DONE
    assert field_order(tmp_path / target) == first
    if codec == "libx264":  # in the order of its pictures, too, by which FFmpeg goes for the stream
        assert (b"interlaced=bff" in (tmp_path / target).read_bytes()) == (first == "bottom")


def test_woven_results_in_segments_say_so(clips: Path, device: Device, tmp_path: Path) -> None:
    cuts: dict[str, Literal["off"] | int] = {"whole.mkv": "off", "joined.mkv": 7}
    for name, segments in cuts.items():
        transcode(asked(clips / "fields.mov", tmp_path / name, device, "off", segments=segments))
        assert field_order(tmp_path / name) == "top"
    np.testing.assert_array_equal(shown(tmp_path / "whole.mkv")[1], shown(tmp_path / "joined.mkv")[1])
    np.testing.assert_array_equal(shown(tmp_path / "whole.mkv")[0], shown(tmp_path / "joined.mkv")[0])


@pytest.mark.parametrize(
    ("mode", "codec", "size", "lost"),
    [
        ("off", "libx265", None, "woven, as asked, into frames"),
        ("off", "libx264", "64x48", "woven, as asked, and mixed by the other height"),
        ("auto", "libx264", None, "half of the fields"),
        ("double", "libx264", None, ""),
    ],
)
def test_other_results_are_progressive(
    mode: Deinterlace, codec: str, size: str | None, lost: str, clips: Path, device: Device, tmp_path: Path
) -> None:
    said: list[str] = []
    target, span = tmp_path / "out.mp4", TimeRange(frames=2)
    options = OutputOptions(codec, preset="ultrafast")
    made = asked(clips / "fields.mov", target, device, mode, options=options, span=span, sizes=SizeSpec(size=size))
    transcode(made, Listener(said.append))
    assert field_order(target) == "progressive"
    assert [line for line in said if line.startswith("lost:")] == [line for line in said if lost and lost in line]


ENDINGS = [".mov", ".mp4", ".mkv"]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    ("name", "mode", "start", "timecode"),
    [
        ("fields.mov", "auto", None, "09:59:59:20"),
        ("fields.mov", "auto", Position(Fraction(7), "frame"), "10:00:00:02"),
        ("fields.mov", "auto", Position(Fraction("0.4"), "s"), "10:00:00:05"),
        ("fields.mov", "double", None, "09:59:59:40"),
        ("fields.mov", "double", Position(Fraction(11), "frame"), "10:00:00:01"),
        ("pulldown.mkv", "auto", Position(Fraction(5), "frame"), "00:01:00;02"),
        ("pulldown.mkv", "auto", Position(Fraction(4), "frame"), "00:00:59;29"),
        ("pulldown.mkv", "ivtc", Position(Fraction(4), "frame"), "00:01:00:00"),
        ("tape.mxf", "auto", Position(Fraction(11), "frame"), "00:10:00;01"),
        ("tape.mxf", "double", Position(Fraction(19), "frame"), "00:09:59;59"),
        ("plain.mp4", "auto", Position(Fraction(3), "frame"), "10:00:00:03"),
    ],
)
def test_the_timecode_is_that_of_the_first_frame(
    name: str,
    mode: Deinterlace,
    start: Position | None,
    timecode: str,
    ending: str,
    clips: Path,
    device: Device,
    tmp_path: Path,
) -> None:
    said: list[str] = []
    target = tmp_path / f"out{ending}"
    made = asked(clips / name, target, device, mode, span=TimeRange(start, frames=2))
    transcode(made, Listener(said.append))
    assert timecode_of(target) == timecode
    assert not [line for line in said if "timecode" in line]
    with av.open(str(target)) as container:
        tracks = [stream for stream in container.streams if stream.type == "data"]
        assert [track.metadata["timecode"] for track in tracks] == ([] if ending == ".mkv" else [timecode])


def test_a_range_in_segments_has_its_timecode(clips: Path, device: Device, tmp_path: Path) -> None:
    span = TimeRange(Position(Fraction(11), "frame"))
    made = asked(clips / "fields.mov", tmp_path / "out.mov", device, "double", span=span, segments=7)
    transcode(made)
    assert timecode_of(tmp_path / "out.mov") == "10:00:00:01"
    assert len(shown(tmp_path / "out.mov")[1]) == 37


def test_the_clips_are_as_large_as_they_say(clips: Path) -> None:
    with av.open(str(clips / "fields.mov")) as container:
        context = container.streams.video[0].codec_context
        assert (context.width, context.height) == SIZE
