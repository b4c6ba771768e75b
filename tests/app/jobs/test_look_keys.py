"""Keyframed look values: each frame's value, equal wherever the frame is painted."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import av
import numpy as np
import pytest

from framebrush.cli.command_line import run
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.frame import FrameFormat, gbrp, rgba8, yuv420p
from framebrush.gpu.look import Look
from framebrush.jobs.job_shots import find_shots
from framebrush.jobs.keyframes import (
    STROKE,
    STYLE,
    Track,
)
from framebrush.jobs.pipeline import OutputFrame
from framebrush.jobs.prepare import job_pipeline, job_sizes, open_job_source, open_job_style
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.segments.job_folder import folder_of
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener, Progress, ignore
from framebrush.jobs.workers.run import run_job
from framebrush.media.video import OutputError, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import ColourSpec, SizeSpec, StyleSpec
from tests.app.jobs.footage import paint_in_processes
from tests.app.jobs.test_look_key_rules import frame, ramp, second

SIZE, FRAMES, RATE = (64, 48), 40, 25
LOSSLESS = OutputOptions(codec="libx264", crf=0, preset="ultrafast")


# What lies between keys


# As data, and as text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("strength=1", "give NAME@PLACE=VALUE"),
        ("strength@0", "give NAME@PLACE=VALUE"),
        ("mix@0=1", "mix cannot have keyframes; give one of strength, exposure"),
        ("strength@soon=1", "'soon' is not a time"),
        ("strength@0=much", "'much' is not a number"),
        ("strength@0=nan", "strength nan is not between 0 and 1"),
        ("strength@0=2", "strength 2 is not between 0 and 1"),
        ("strength@0=1,bounce", "'1,bounce' is not a number"),
        ("style@0=own.onnx", "name paintings, not files"),
        ("stroke@0=2,ease", "a stroke holds until its next key"),
        ("stroke@0=broad", "'broad' is not a number"),
    ],
)
def test_texts_that_are_no_keys(text: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["transcode", "in.mp4", "out.mp4", "--save-spec", str(tmp_path / "job.json"), "--key", text]) == 1
    said = capsys.readouterr().err
    assert says in said.replace("\n", " ")
    assert not (tmp_path / "job.json").exists()


@pytest.mark.media
def test_a_job_with_paintings_of_another_network_does_not_begin(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "out.mp4"
    keys = ("--key", "style@0=ink", "--key", "style@1=scream")
    assert run(["transcode", str(film), str(target), "--style", "ink", "--segments", "8", *keys]) == 1
    said = capsys.readouterr().err
    assert said.startswith("framebrush: ")  # ahead of anything that is decided
    assert "is no painting of" in said
    assert list(tmp_path.iterdir()) == []


# In every frame


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Stripes that move, with a keyframe every eight frames."""
    path = tmp_path_factory.mktemp("keys") / "film.mp4"
    rows, columns = np.mgrid[: SIZE[1], : SIZE[0]]
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=RATE, options={"crf": "6", "g": "8", "preset": "ultrafast"})
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        for number in range(FRAMES):
            waves = [np.sin((columns + number) / 5 + rows / scale) for scale in (9, 14, 23)]
            picture = np.stack([120 + 80 * wave for wave in waves], -1).astype(np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    return path


DEVICES = ["cpu", *(["d3d12"] if sys.platform == "win32" else [])]

# The reference would take half a minute for strokes of forty frames.
on_fast_devices = pytest.mark.parametrize("device", DEVICES, indirect=True)


@pytest.fixture(scope="module", params=["reference", *DEVICES])
def device(request: pytest.FixtureRequest) -> Iterator[Device]:
    with open_device(request.param) as opened:
        yield opened


def painted(
    spec: JobSpec, device: Device, target: FrameFormat | None = None, numbers: range = range(FRAMES)
) -> list[OutputFrame]:
    """Return the painted frames of a job's range.

    Args:
        target: default: RGBA8.
        numbers: of the existing frames.
    """
    style = open_job_style(spec, ignore)
    with open_job_source(spec, style=style) as source:
        info = source.info
        sizes = job_sizes(spec.sizes, info.format, style.style)
        with job_pipeline(
            spec, style, device, info.format, target or rgba8(*sizes.target), sizes, time_of=info.time_s
        ) as pipeline:
            return list(pipeline.frames(each for each in source if each.number in numbers))


def planes(frames: list[OutputFrame]) -> dict[int, np.ndarray[Any, Any]]:
    return {each.number: each.host.planes[0] for each in frames}


BLENDED = (
    ramp("strength", (second(0), 0.25), (second(1), 1.0), ease="ease"),
    ramp("steady", (frame(0), 0.0), (frame(20), 1.0)),
    ramp("brush", (frame(5), 0.0), (frame(30), 1.0)),
    ramp("relief", (frame(12), 0.0), (frame(36), 1.0)),
    ramp("lamp_degrees", (frame(0), 0.0), (frame(39), 270.0)),
    ramp(STYLE, (second(0.2), "udnie"), (second(1), "scream:0.75,udnie:0.25"), (second(1.2), "udnie")),
    ramp(STROKE, (frame(0), "auto"), (frame(15), 2.0), (frame(31), 1.5), ease="hold"),
)


@pytest.mark.slow
@on_fast_devices
def test_a_range_is_that_of_the_whole(film: Path, device: Device) -> None:
    never = Look(steady=0.0, relief=0.0, brush=0.0)  # but for the keys
    whole_spec = JobSpec(str(film), "out", Recipe(StyleSpec("udnie"), never, keys=BLENDED))
    whole = planes(painted(whole_spec, device))
    assert list(whole) == list(range(FRAMES))
    for first, last in ((14, 17), (29, 33)):
        span = TimeRange(frame(first), frame(last))
        part = planes(painted(replace(whole_spec, range=span), device))
        assert list(part) == list(range(first, last))
        for number, picture in part.items():
            np.testing.assert_array_equal(picture, whole[number], err_msg=f"frame {number}")


def test_a_blend_at_rest_is_that_of_one_that_moved_before(film: Path, device: Device) -> None:
    """Devices paint faster where weights stand still, by a network that rounds differently."""
    alone, fine = Look(steady=0.0, relief=0.0, brush=0.0), gbrp(*SIZE, bits=16)
    turn = ramp(STYLE, (frame(0), "udnie"), (frame(4), "scream:0.5,udnie:0.5"), ease="hold")
    spec = JobSpec(str(film), "out", Recipe(StyleSpec("udnie"), alone, keys=(turn,)))
    (part,) = painted(replace(spec, range=TimeRange(frame(20), frames=1)), device, fine)
    whole = painted(replace(spec, range=TimeRange(frames=21)), device, fine)
    for plane, other in zip(part.host.planes, whole[20].host.planes, strict=True):
        np.testing.assert_array_equal(plane, other)


@pytest.mark.slow
@on_fast_devices
def test_frames_with_another_stroke_are_as_those_of_another_shot(film: Path, device: Device) -> None:
    strokes = ramp(STROKE, (frame(3), 1.0), (frame(8), 2.0), (frame(15), 1.0), ease="hold")
    spec = JobSpec(str(film), "out", Recipe(StyleSpec("udnie"), Look(steady=1.0, relief=1.0), keys=(strokes,)))
    found = planes(painted(spec, device, numbers=range(20)))
    assert list(found) == list(range(20))
    for stroke, first, last in ((1.0, 0, 8), (2.0, 8, 15), (1.0, 15, 20)):
        shot = planes(
            painted(
                replace(spec, recipe=replace(spec.recipe, sizes=SizeSpec(stroke), keys=())),
                device,
                numbers=range(first, last),
            )
        )
        assert list(shot) == list(range(first, last))
        for number, picture in shot.items():
            np.testing.assert_array_equal(found[number], picture, err_msg=f"frame {number}")


def test_each_frame_is_that_of_a_look_with_its_values(film: Path, device: Device) -> None:
    """Frames are still in flight while those behind them come, in other looks."""
    tracks = (
        ramp("strength", (frame(0), 0.0), (frame(8), 1.0)),
        ramp("detail", (frame(0), 0.0), (frame(8), 0.5)),
        ramp("exposure_ev", (second(0), -1.0), (second(0.32), 1.0)),
        ramp("steady", (frame(0), 0.0), (frame(8), 1.0)),
    )
    never = Look(steady=0.0)
    spec = JobSpec(str(film), "out", Recipe(StyleSpec("ink"), never, keys=tracks), range=TimeRange(frames=9))
    found = planes(painted(spec, device))
    for number in (0, 1, 5, 8):
        share = number / 8
        look = Look(strength=share, detail=share / 2, exposure_ev=2 * share - 1, steady=share)
        alone = replace(spec, recipe=replace(spec.recipe, look=look, keys=()), range=TimeRange(frame(number), frames=1))
        np.testing.assert_array_equal(found[number], planes(painted(alone, device))[number])
    assert len({picture.tobytes() for picture in found.values()}) == 9


def test_the_shots_of_a_range_are_those_of_its_own_frames(film: Path) -> None:
    """Without the neighbours that keys of steadiness and relief need."""
    colours, span = ColourSpec(palette="film"), TimeRange(frame(20), frames=4)
    spec = JobSpec(str(film), "out", Recipe(StyleSpec("ink"), Look(steady=0.0), colours=colours), range=span)
    style = open_job_style(spec, ignore)
    sizes = job_sizes(spec.sizes, yuv420p(*SIZE), style.style)
    found = find_shots(spec, style, sizes, ignore)
    assert found[0].first == 20
    assert find_shots(replace(spec, recipe=replace(spec.recipe, keys=BLENDED[:4])), style, sizes, ignore) == found


def test_a_still_has_the_values_of_its_time(film: Path, tmp_path: Path) -> None:
    def still(name: str, *more: str) -> bytes:
        target = tmp_path / name
        assert run(["frame", str(film), str(target), "--at", "0.4", "--style", "ink", "--device", "cpu", *more]) == 0
        return target.read_bytes()

    keyed = still("keyed.png", "--key", "strength@0=0", "--key", "strength@0.8=1")
    assert keyed == still("half.png", "--strength", "0.5")
    assert keyed != still("whole.png")
    assert still("keyed-stroke.png", "--key", "stroke@0=1", "--key", "stroke@0.2=2") == still(
        "broad.png", "--stroke", "2"
    )


# In jobs


def job(film: Path, target: Path, *tracks: Track, segments: Literal["off"] | int = 8) -> JobSpec:
    look = Look(brush=0.0, relief=0.0, dither=False)
    style = StyleSpec("udnie")
    return JobSpec(
        str(film), str(target), Recipe(style, look, keys=tracks), output=LOSSLESS, segments=segments, device="cpu"
    )


FADE = (
    ramp("strength", (second(0), 0.0), (second(1.5), 1.0)),
    ramp(STYLE, (frame(4), "udnie"), (frame(30), "scream"), ease="ease"),
    ramp(STROKE, (frame(0), 1.0), (frame(19), 2.0), ease="hold"),
)


def pictures(path: Path) -> list[np.ndarray[Any, Any]]:
    with av.open(str(path)) as container:
        return [each.to_ndarray() for each in container.decode(video=0)]


def check_same(one: Path, other: Path) -> None:
    found, expected = pictures(one), pictures(other)
    assert len(found) == len(expected) == FRAMES
    for number, (a, b) in enumerate(zip(found, expected, strict=True)):
        np.testing.assert_array_equal(a, b, err_msg=f"frame {number}")


@pytest.fixture(scope="module")
def whole(film: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The job in one piece."""
    target = tmp_path_factory.mktemp("whole") / "out.mp4"
    with open_device("cpu") as device:
        run_job(job(film, target, *FADE, segments="off"), device)
    return target


class _EndedError(Exception):
    pass


@pytest.mark.slow
@pytest.mark.media
def test_an_interrupted_job_goes_on_with_the_same_keys_alone(film: Path, whole: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.mp4"

    def end(state: Progress) -> None:
        if state.frames == 20:
            raise _EndedError

    with open_device("cpu") as device:
        with pytest.raises(_EndedError):
            run_job(job(film, target, *FADE), device, Listener(progress=end))
        assert folder_of(target).is_dir()
        with pytest.raises(OutputError, match=r"the settings \(keys\) changed"):
            run_job(job(film, target, FADE[0]), device)
        said: list[str] = []
        run_job(job(film, target, *FADE), device, Listener(message=said.append))
    assert any("resuming" in each for each in said)
    check_same(target, whole)


@pytest.mark.slow
@pytest.mark.media
def test_several_devices_paint_what_one_does(film: Path, whole: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.mp4"
    paint_in_processes(replace(job(film, target, *FADE), device="cpu,cpu"))
    check_same(target, whole)
