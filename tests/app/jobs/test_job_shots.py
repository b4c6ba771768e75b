"""Statistics of each shot in a job: the same frames in one piece and in segments, and a cut changes the style."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from framebrush.analysis.dissolves import Dissolve
from framebrush.base.json_values import from_values, to_values
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.frame import rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.settings import StylizerPlan
from framebrush.jobs.frame_pipeline import FramePipeline
from framebrush.jobs.job_shots import SAMPLES, Samples, find_shots
from framebrush.jobs.opened_source import OpenedSource
from framebrush.jobs.prepare import open_job_source, prepare
from framebrush.jobs.segments.job_folder import JobFolder, folder_of
from framebrush.jobs.transcode import Listener, ignore
from framebrush.jobs.workers.run import run_job
from framebrush.media.video import Position, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.models.shot_statistics import folded, measure
from framebrush.models.style import Style, StyleError
from framebrush.styles.shot_styles import Shot, ShotStyles
from framebrush.styles.specs import StyleSpec
from framebrush.styles.style_names import OpenedStyle
from tests import networks
from tests.app.jobs.footage import Job, job, paint_in_processes, transcode
from tests.gpu.pictures import scene

pytestmark = pytest.mark.media

SIZE = (96, 64)
LOSSLESS = OutputOptions(codec="libx264", crf=0, preset="veryfast")
FIRST, SECOND = 30, 34  # frames of the two shots


@pytest.fixture(scope="module", params=["cpu", "d3d12"] if sys.platform == "win32" else ["cpu"])
def device(request: pytest.FixtureRequest) -> Iterator[Device]:
    with open_device(request.param) as opened:
        yield opened


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two shots: stripes across that grow brighter, and darker stripes down. A keyframe every ten frames."""
    path = tmp_path_factory.mktemp("shots") / "two.mp4"
    rows, columns = np.mgrid[: SIZE[1], : SIZE[0]]
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25, options={"crf": "6", "g": "10", "preset": "veryfast"})
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        for number in range(FIRST + SECOND):
            if number < FIRST:
                level, wave = 80 + 2 * number, 60 * np.sin(rows / 9 + number / 20)
            else:
                level, wave = 70, 40 * np.sin(columns / 7 + number / 20)
            picture = np.repeat((level + wave).clip(0, 255).astype(np.uint8)[..., None], 3, -1)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    return path


def made(clip: Path, target: Path, device: Device, **more: object) -> Job:
    plain = job(clip, target, device, style=networks.instance_norm(), options=LOSSLESS, statistics="shot", **more)  # type: ignore[arg-type]
    return replace(
        plain, spec=replace(plain.spec, recipe=replace(plain.spec.recipe, look=Look(dither=False, steady=0.0)))
    )


def shots_of(made: Job) -> tuple[Shot, ...]:
    with OpenedSource.of(made.spec) as held, open_job_source(made.spec) as source:
        ready = prepare(made.spec, OpenedStyle(made.style), source, held)
    return find_shots(ready.spec, ready.style, ready.sizes, ignore)


def luma(path: Path) -> np.ndarray:
    with av.open(str(path)) as container:
        return np.stack([frame.to_ndarray(format="gray") for frame in container.decode(video=0)]).astype(int)


@pytest.mark.slow
def test_each_shot_is_painted_with_its_own_statistics(clip: Path, tmp_path: Path, device: Device) -> None:
    """A picture that grows brighter stays so; by the statistics of the frame it would not."""
    found = shots_of(made(clip, tmp_path / "a.mp4", device))
    assert [shot.first for shot in found] == [0, FIRST]
    assert found == shots_of(made(clip, tmp_path / "b.mp4", device))
    source = luma(clip)
    for shot, part in zip(found, (source[:FIRST], source[FIRST:]), strict=True):
        assert abs(shot.row[0] * 255 - part.mean()) < 12
        assert abs(shot.row[3] ** 0.5 * 255 - part.std()) < 12
    transcode(made(clip, tmp_path / "a.mp4", device))
    painted = luma(tmp_path / "a.mp4").mean((1, 2))
    assert len(painted) == FIRST + SECOND
    assert painted[FIRST - 1] > painted[0] + 40
    assert np.ptp(painted[FIRST:]) < 12
    assert abs(painted[FIRST:].mean() - 0.5 * 255) < 8


@pytest.mark.slow
def test_a_second_style_has_the_statistics_of_each_shot(clip: Path, tmp_path: Path, device: Device) -> None:
    """The film shows nobody, so outside people is the whole frame."""

    def around(target: Path, style: Style, **more: object) -> Job:
        plain = made(clip, target, device, **more)
        look = Look(dither=False, steady=0.0, faces=0.0, second_outside=1.0)
        return replace(plain, style=style, spec=replace(plain.spec, recipe=replace(plain.spec.recipe, look=look)))

    both = replace(networks.identity(), second=networks.instance_norm())
    found = shots_of(around(tmp_path / "whole.mp4", both))
    assert [(shot.first, shot.statistics) for shot in found] == [(0, ""), (FIRST, "")]
    alone = shots_of(made(clip, tmp_path / "alone.mp4", device))
    assert [shot.second for shot in found] == [shot.statistics for shot in alone]
    transcode(around(tmp_path / "whole.mp4", both, segments="off"))
    transcode(made(clip, tmp_path / "alone.mp4", device))
    whole = luma(tmp_path / "whole.mp4")
    away = np.abs(whole - luma(tmp_path / "alone.mp4")).mean((1, 2))
    assert away[:FIRST].max() < 1  # the mask of people is not quite empty among stripes across
    assert away[FIRST:].max() == 0
    transcode(around(tmp_path / "pieces.mp4", both, segments=10))
    assert np.array_equal(whole, luma(tmp_path / "pieces.mp4"))


@pytest.mark.slow
def test_segments_and_one_piece_agree(clip: Path, tmp_path: Path, device: Device) -> None:
    """The plan carries the statistics, so pieces painted apart are the same frames."""
    transcode(made(clip, tmp_path / "whole.mp4", device, segments="off"))
    transcode(made(clip, tmp_path / "pieces.mp4", device, segments=10))
    assert np.array_equal(luma(tmp_path / "whole.mp4"), luma(tmp_path / "pieces.mp4"))


@pytest.mark.slow
def test_processes_take_the_statistics_from_the_plan(clip: Path, tmp_path: Path, device: Device) -> None:
    style = tmp_path / "theirs.onnx"
    style.write_bytes(networks.instance_norm().model)
    work = made(clip, tmp_path / "children.mp4", device, segments=10)
    spec = replace(work.spec, recipe=replace(work.spec.recipe, style=StyleSpec(str(style))), device="cpu")
    paint_in_processes(spec)
    run_job(replace(spec, target=str(tmp_path / "here.mp4")), device)
    assert np.array_equal(luma(tmp_path / "children.mp4"), luma(tmp_path / "here.mp4"))


@pytest.mark.slow
def test_the_plan_of_an_interrupted_job_keeps_the_shots(clip: Path, tmp_path: Path, device: Device) -> None:
    target = tmp_path / "out.mp4"
    work, seen = made(clip, target, device, segments=10), []

    def stop(_: object) -> None:
        seen.append(1)
        if len(seen) == 25:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        transcode(work, Listener(progress=stop))
    journal = JobFolder.read(folder_of(target)).journal
    assert journal.shots == shots_of(work)
    assert from_values(type(journal), to_values(journal), "journal") == journal
    messages: list[str] = []
    transcode(work, Listener(messages.append))
    assert not any("looking for cuts" in message for message in messages)
    transcode(made(clip, tmp_path / "whole.mp4", device, segments="off"))
    assert np.array_equal(luma(target), luma(tmp_path / "whole.mp4"))


def test_a_range_has_the_shots_of_its_own_frames(clip: Path, tmp_path: Path, device: Device) -> None:
    def of(first: int, end: int) -> tuple[Shot, ...]:
        places = [Position(Fraction(number), "frame") for number in (first, end)]
        return shots_of(made(clip, tmp_path / "a.mp4", device, span=TimeRange(*places)))

    assert [shot.first for shot in of(10, 40)] == [10, FIRST]
    assert [shot.first for shot in of(35, 50)] == [35]
    assert of(0, 15)[0].row[0] < of(15, 30)[0].row[0] - 0.05
    places = Position(Fraction(10), "frame"), Position(Fraction(20), "frame")
    work = made(clip, tmp_path / "a.mp4", device, span=TimeRange(*places))
    steadied = replace(
        work, spec=replace(work.spec, recipe=replace(work.spec.recipe, look=Look(dither=False, steady=1.0)))
    )
    assert shots_of(steadied) == shots_of(work)  # without the neighbours that steadying reads


@pytest.mark.slow
def test_neighbours_of_another_shot_are_not_mixed_in(clip: Path, tmp_path: Path, device: Device) -> None:
    """Steadied, each shot is painted as if it were alone."""
    work = made(clip, tmp_path / "a.mp4", device)
    spec = replace(work.spec, recipe=replace(work.spec.recipe, look=Look(dither=False, steady=1.0)))
    found = shots_of(work)

    def painted(span: TimeRange) -> list[np.ndarray]:
        part = replace(spec, range=span)
        with OpenedSource.of(part) as held, open_job_source(part) as source:
            ready = replace(prepare(part, OpenedStyle(work.style), source, held), shots=found)
            with ready.pipeline(device) as pipeline:
                return [output.frame.planes[0].copy() for output in pipeline.frames(source)]

    whole = painted(TimeRange())
    second = painted(TimeRange(start=Position(Fraction(FIRST), "frame")))
    assert len(whole) == FIRST + SECOND
    assert all(np.array_equal(one, other) for one, other in zip(whole[FIRST:], second, strict=True))


def test_tiles_are_exact_and_say_nothing(device: Device) -> None:
    style = networks.instance_norm()
    frame = scene(200, 150)
    pictures = frame.planes[0][None, ..., :3].transpose(0, 3, 1, 2).astype(np.float32) / 255
    shots = ShotStyles(style, [Shot.of(0, measure(style, pictures))])
    results = []
    for tiling in ("off", 64):
        target = rgba8(200, 150)
        plan = StylizerPlan(shots.style(0), frame.format, target, tiling=tiling)  # type: ignore[arg-type]
        with FramePipeline(device, plan) as pipeline:
            results.append(pipeline.stylizer.fetch(pipeline.stylizer.submit(frame)).planes[0])
            assert not any("statistics" in note for note in pipeline.notes)
    assert np.array_equal(*results)
    with FramePipeline(device, StylizerPlan(style, frame.format, target, tiling=64)) as pipeline:
        assert any("statistics" in note for note in pipeline.notes)


def test_a_style_without_such_statistics_is_refused(clip: Path, tmp_path: Path, device: Device) -> None:
    """Before a word about the result."""
    spec = made(clip, tmp_path / "a.mp4", device).spec
    said: list[str] = []
    with pytest.raises(StyleError, match="Test takes no statistics of the frame; leave --statistics out"):
        run_job(spec, device, Listener(said.append), style=OpenedStyle(networks.box_blur()))
    assert said == []
    assert list(tmp_path.iterdir()) == []


def test_samples_are_spread_over_a_shot() -> None:
    for length in (1, 3, 6, 7, 50, 1000):
        samples = Samples()
        for number in range(length):
            shade = 255 * number // length
            samples.offer(lambda shade=shade: np.full((16, 16, 3), shade, np.uint8), blank=False)  # type: ignore[misc]
        batch = samples.batch(8)
        assert len(batch) == min(SAMPLES, length)
        assert samples.count < 2 * SAMPLES * (2 + np.log2(length))
        assert np.ptp(batch) >= 0.5 * (length - 1) / length  # from the shot's beginning well into its second half
    samples = Samples()
    for number in range(9):
        samples.offer(lambda: np.zeros((9, 9, 3), np.uint8), blank=number < 8)
    assert samples.batch(4).shape == (1, 3, 12, 12)  # the blank ones are dropped, and sides padded


def test_samples_are_split_at_a_dissolve() -> None:
    """Its own frames are of neither shot; the first frame behind it is of the new one."""
    samples = Samples()
    for number in range(9):
        samples.offer(lambda shade=number: np.full((8, 8, 3), shade, np.uint8), blank=False, number=number)  # type: ignore[misc]
    before, behind = samples.split(Dissolve(3, 6))
    assert [int(picture[0, 0, 0]) for picture in before.pictures] == [0, 1, 2]
    assert [int(picture[0, 0, 0]) for picture in behind.pictures] == [6, 7, 8]
    assert (before.count, behind.count) == (3, 3)


def test_large_frames_give_parts_at_different_places() -> None:
    samples = Samples()
    picture = np.random.default_rng(0).integers(0, 256, (1080, 1920, 3), dtype=np.uint8)
    for _ in range(SAMPLES):
        samples.offer(lambda: picture, blank=False)
    batch = samples.batch(4)
    assert batch.shape[0] == SAMPLES
    assert 0.9 * (1 << 20) < batch[:, 0].size <= 1 << 20
    assert len({part.tobytes() for part in batch}) == SAMPLES


def test_the_style_of_a_frame_is_that_of_its_shot() -> None:
    style = networks.instance_norm()
    rows = [np.full(6, value, np.float32) for value in (0.25, 0.5)]
    styles = ShotStyles(style, [Shot.of(10, rows[0]), Shot.of(20, rows[1])])
    assert [styles.shot_of(number) for number in (0, 10, 19, 20, 99)] == [0, 0, 0, 1, 1]
    assert styles.style(1) == folded(style, rows[1])
    with pytest.raises(StyleError, match="the statistics of the shot at frame 3 are damaged"):
        ShotStyles(style, [Shot(3, "no base64")]).style(0)
