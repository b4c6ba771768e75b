"""Advected strokes: a part of a film has the whole film's strokes, for every kind of job."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
import pytest

import framebrush
from framebrush.cli.command_line import run
from framebrush.gpu.device import Device
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.strokes import WARM_UP_FRAMES
from framebrush.jobs.prepare import open_job_source, open_job_style
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener, Progress, ignore
from framebrush.jobs.workers.run import run_job
from framebrush.media.video import Position, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.playback.ahead.ahead_worker import FilmPainter, Order
from framebrush.playback.ahead.cache_keys import render_format
from framebrush.styles.specs import SizeSpec, StyleSpec
from tests.app.jobs.changes import otherwise
from tests.gpu.test_steady import texture

pytestmark = [pytest.mark.media, pytest.mark.slow]

FRAMES, FIRST, COUNT = WARM_UP_FRAMES + 17, WARM_UP_FRAMES + 9, 4
OUTPUT = OutputOptions("libx264", crf=0, preset="veryfast")
PAINTING = ("--style", "none", "--brush", "1", "--codec", "libx264", "--crf", "0", "--progress", "none")
SIZES, DIRECTIONS = "sizes.mkv", "directions.mkv"

Pictures = list[npt.NDArray[np.uint8]]


def encode(path: Path, size: Size, frames: Iterable[npt.NDArray[np.uint8]], rate: int) -> None:
    """Write a film with frames that refer to earlier frames."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=rate, options={"crf": "10", "g": "8", "bf": "0"})
        stream.pix_fmt, (stream.width, stream.height) = "yuv420p", size
        for frame in frames:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(frame, "rgb24")))
        container.mux(stream.encode())


@pytest.fixture(scope="module", params=["by the film", "by maps"])
def pan(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More than one life of a stroke: a camera that turns past a scene; and, beside it, maps of other sizes and rates
    that move."""
    path, scene = tmp_path_factory.mktemp("pan") / "pan.mkv", texture(96 + 2 * FRAMES, 64).astype(np.uint8)
    encode(
        path, (96, 64), (np.ascontiguousarray(scene[:, 2 * number : 2 * number + 96]) for number in range(FRAMES)), 25
    )
    if request.param == "by maps":
        y, x, _ = np.mgrid[:32, :48, :3]
        sizes = (127.5 + 127.5 * np.sin(0.2 * x + number) for number in range(FRAMES * 10 // 25 + 1))
        encode(path.with_name(SIZES), (48, 32), (frame.astype(np.uint8) for frame in sizes), 10)
        turning = (np.array([np.cos(a), np.sin(a), 0.0]) for a in 0.1 * np.arange(FRAMES * 30 // 25 + 1))
        directions = (128.0 + 120.0 * (y > 8) * leads for leads in turning)
        encode(path.with_name(DIRECTIONS), (48, 32), (frame.astype(np.uint8) for frame in directions), 30)
    return path


def maps_of(pan: Path) -> SizeSpec:
    """Return the brush maps beside a film, if any."""
    if not pan.with_name(SIZES).exists():
        return SizeSpec()
    return SizeSpec(brush_sizes=str(pan.with_name(SIZES)), brush_directions=str(pan.with_name(DIRECTIONS)))


def options(pan: Path) -> dict[str, Any]:
    """The same as keywords."""
    return {name: path for name, path in maps_of(pan).brush_pictures.items() if path}


def words(pan: Path) -> list[str]:
    """The same for the command line."""
    return [word for name, path in options(pan).items() for word in (f"--{name.replace('_', '-')}", path)]


def spec_of(pan: Path, target: Path | str, **changes: Any) -> JobSpec:  # noqa: ANN401
    spec = JobSpec(
        str(pan),
        str(target),
        Recipe(StyleSpec("none"), Look(brush=1.0), sizes=maps_of(pan)),
        output=OUTPUT,
        segments="off",
    )
    return otherwise(spec, **changes)


def pictures(path: Path) -> Pictures:
    with av.open(str(path)) as container:
        return [frame.to_ndarray() for frame in container.decode(video=0)]


def assert_same(found: Pictures, expected: Pictures) -> None:
    assert len(found) == len(expected)
    for number, (one, other) in enumerate(zip(found, expected, strict=True)):
        np.testing.assert_array_equal(one, other, err_msg=f"frame {number}")


@pytest.fixture(scope="module")
def whole(pan: Path, device: Device, tmp_path_factory: pytest.TempPathFactory) -> Pictures:
    target = tmp_path_factory.mktemp("whole") / "whole.mkv"
    run_job(spec_of(pan, target), device)
    return pictures(target)


@pytest.fixture
def part(whole: Pictures) -> Pictures:
    return whole[FIRST : FIRST + COUNT]


@pytest.mark.parametrize("start", [Position(Fraction(FIRST), "frame"), Position(Fraction(FIRST, 25), "s")])
def test_of_a_range(start: Position, pan: Path, part: Pictures, device: Device, tmp_path: Path) -> None:
    for name, look in (("carried", Look(brush=1.0)), ("plain", Look(brush=0.0))):
        run_job(spec_of(pan, tmp_path / f"{name}.mkv", look=look, range=TimeRange(start, frames=COUNT)), device)
    assert_same(pictures(tmp_path / "carried.mkv"), part)
    assert any(np.any(a != b) for a, b in zip(pictures(tmp_path / "plain.mkv"), part, strict=True))


def test_of_a_brush_that_comes_late(pan: Path, part: Pictures, tmp_path: Path) -> None:
    """Strokes were carried all the time."""
    command = [
        "transcode",
        str(pan),
        str(tmp_path / "late.mkv"),
        *PAINTING,
        "--device",
        "cpu",
        "--segments",
        "off",
        *words(pan),
    ]
    keys = ("brush@0f=0", f"brush@{FIRST - 1}f=0", f"brush@{FIRST}f=1")
    assert run([*command, *(word for key in keys for word in ("--key", key))]) == 0
    assert_same(pictures(tmp_path / "late.mkv")[FIRST : FIRST + COUNT], part)


def test_of_segments_after_an_interruption(pan: Path, whole: Pictures, device: Device, tmp_path: Path) -> None:
    spec = spec_of(pan, tmp_path / "resumed.mkv", segments=20)

    def stop(state: Progress) -> None:
        if state.frames == 70:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_job(spec, device, Listener(progress=stop))
    said: list[str] = []
    run_job(spec, device, Listener(said.append))
    assert any(line.startswith("resuming resumed.mkv: ") for line in said)
    assert_same(pictures(tmp_path / "resumed.mkv"), whole)


def test_of_two_seats(pan: Path, whole: Pictures, tmp_path: Path) -> None:
    target = tmp_path / "workers.mkv"
    assert (
        run(["transcode", str(pan), str(target), *PAINTING, "--segments", "16", "--device", "cpu,cpu", *words(pan)])
        == 0
    )
    assert_same(pictures(target), whole)


def test_of_a_still(pan: Path, tmp_path: Path) -> None:
    painting = ("--style", "none", "--brush", "1", "--device", "cpu", *words(pan))
    assert run(["frame", str(pan), str(tmp_path / "still.png"), "--at", f"{FIRST}f", *painting]) == 0
    with framebrush.open(pan, "none", brush=1.0, device="cpu", **options(pan)) as film:
        expected = next(frame for number, frame in enumerate(film) if number == FIRST)
    with framebrush.open(pan, "none", brush=1.0, device="cpu", start=f"{FIRST}f", **options(pan)) as film:
        np.testing.assert_array_equal(next(film).picture, expected.picture)
    with av.open(str(tmp_path / "still.png")) as file:
        np.testing.assert_array_equal(next(file.decode(video=0)).to_ndarray(format="rgb24"), expected.picture)


@pytest.mark.parametrize("start", [f"{FIRST}f", f"{FIRST / 25:g}"])
def test_of_what_comes_by_a_pipe(
    start: str, pan: Path, part: Pictures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, writing = os.pipe()

    def send() -> None:
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(pan.read_bytes())

    sender = threading.Thread(target=send)
    sender.start()
    with os.fdopen(reading) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        span = ("--start", start, "--frames", str(COUNT))
        assert (
            run(["transcode", "-", str(tmp_path / "piped.mkv"), *PAINTING, "--device", "cpu", *span, *words(pan)]) == 0
        )
    sender.join()
    assert_same(pictures(tmp_path / "piped.mkv"), part)


def test_of_what_is_painted_ahead(pan: Path, part: Pictures, device: Device) -> None:
    spec = spec_of(pan, "out.mkv")
    style = open_job_style(spec, ignore)
    with open_job_source(spec) as source:
        form = render_format(spec, source.info, style)
    info = device.info
    with closing(FilmPainter(lambda: None)) as painter:
        painter.open(Order(spec, form, 0, info.address, info.kind, info.name))
        for number, expected in enumerate(part, FIRST):
            painted = painter.frame(number)
            assert painted is not None
            luma = painted.host.planes[0]
            np.testing.assert_array_equal(luma, expected[: len(luma)])
