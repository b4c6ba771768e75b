"""Exports that reuse the render cache: bit for bit equal to painting anew, and no other frames."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Literal

import av
import pytest

from framebrush.gpu.device import Device
from framebrush.gpu.frame import Frame
from framebrush.gpu.look import Look
from framebrush.gpu.stages.strokes.stroke_samples import looks_at
from framebrush.gpu.stylizer import Stylizer, Ticket
from framebrush.jobs.frame_pipeline import FramePipeline
from framebrush.jobs.pipeline import OutputFrame
from framebrush.jobs.prepare import open_job_source, open_job_style
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import NOBODY, Listener, Progress, ignore
from framebrush.jobs.workers.doing import do_job
from framebrush.jobs.workers.run import OneDevice, run_job
from framebrush.media.video import Position, TimeRange, VideoFrame, VideoInfo
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.playback.ahead import cache_keys
from framebrush.playback.ahead.cache_keys import disk_cached_frames, frames_key, render_format, render_key
from framebrush.playback.ahead.render_cache import Course, Painted
from framebrush.playback.ahead.store import RenderStore
from framebrush.styles.specs import ColourSpec, StyleSpec
from tests.app.jobs.changes import otherwise
from tests.app.playback.conftest import CLIPS

pytestmark = [pytest.mark.media, pytest.mark.slow]

LOOK = Look(brush=0.8, relief=0.6, canvas=0.3, steady=0.5)
"""All that makes a frame depend on those around it."""

FILM, FRAMES = CLIPS / "cfr.mp4", 30
OUTPUT = OutputOptions("libx264", crf=0, preset="ultrafast")
METHOD = "onnxruntime"
COURSE = Course(0, 0, FRAMES)
ALL = frozenset(range(FRAMES))
Segments = Literal["auto", "off"] | int

LOOKED_AT = [number for number in range(FRAMES - 2) if looks_at(number)]
"""What is painted where the last frame is missing: its strokes remember them."""


@pytest.fixture
def submitted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the frames that a device is given to paint, context included."""
    numbers: list[int] = []
    submit = FramePipeline.submit

    def counted(self: FramePipeline, frame: VideoFrame, into: Frame | None = None) -> Ticket:
        numbers.append(frame.number)
        return submit(self, frame, into)

    monkeypatch.setattr(FramePipeline, "submit", counted)
    return numbers


def spec_of(target: Path, **changes: Any) -> JobSpec:  # noqa: ANN401
    spec = JobSpec(str(FILM), str(target), Recipe(StyleSpec("ink"), LOOK), output=OUTPUT)
    return otherwise(spec, **changes)


class Shelf:
    """A store in which a window has kept frames, as its renderer does it."""

    def __init__(self, folder: Path, device: Device, spec: JobSpec) -> None:
        style = open_job_style(spec, ignore)
        with open_job_source(spec) as source:
            info = source.info
        self.folder, self.form = folder, render_format(spec, info, style)
        self.painted: dict[int, OutputFrame] = {}

        def keep(painted: OutputFrame, _: VideoInfo) -> None:
            frame = self.form.allocate()
            painted.host.repack_to(frame)
            self.painted[painted.number] = replace(painted, frame=frame)

        whole = replace(spec, target=str(folder.with_suffix(".whole.mkv")), range=TimeRange(), output=OUTPUT)
        run_job(whole, device, Listener(frame=keep))
        self.key = frames_key(render_key(spec, info, style, device.info), METHOD)
        self.store = RenderStore(folder, 1 << 30)
        self.store.use(self.key, FILM)

    def put(self, number: int, change: Callable[[Frame], None] = ignore) -> None:
        """Keep a frame, or something else in its place."""
        made = self.painted[number]
        assert isinstance(made.frame, Frame)
        frame = self.form.allocate()
        made.frame.repack_to(frame)
        change(frame)
        assert self.store.write(Painted(number, made.pts, made.duration, frame), FILM, COURSE)

    def file(self, number: int) -> Path:
        return next(self.folder.rglob(f"{number}_*.frame"))


@pytest.fixture(scope="module")
def frames(device: Device, tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """Return a shelf for frames of the job."""
    return Shelf(tmp_path_factory.mktemp("shelf") / "renders", device, spec_of(Path("out.mkv")))


@pytest.fixture
def shelf(frames: Shelf, device: Device, tmp_path: Path) -> Shelf:
    """An empty one."""
    made = Shelf.__new__(Shelf)
    made.folder, made.form, made.painted = tmp_path / "renders", frames.form, frames.painted
    made.store = RenderStore(made.folder, 1 << 30)
    made.store.use(frames.key, FILM)
    return made


def export_from(folder: Path | None, spec: JobSpec, device: Device, listener: Listener = NOBODY) -> None:
    """Run a job with a folder's cached frames."""
    stock_of = None if folder is None else partial(disk_cached_frames, folder)
    with OneDevice(device, stock_of=stock_of) as painter:
        do_job(spec, painter, listener)


def export(spec: JobSpec, device: Device, folder: Path | None) -> bytes:
    """The file of an export, which says nothing twice. folder: of a store."""
    said: list[str] = []
    export_from(folder, spec, device, Listener(said.append))
    assert sorted({*said}) == sorted(said)
    return Path(spec.target).read_bytes()


def twice(
    folder: Path,
    device: Device,
    shelf: Shelf,
    submitted: list[int],
    suffix: str = ".mkv",
    **changes: Any,  # noqa: ANN401
) -> tuple[list[int], list[int]]:
    """Export without and with cached frames to equal files; return the frames painted by each."""
    plain = export(spec_of(folder / f"plain{suffix}", **changes), device, None)
    without = submitted.copy()
    submitted.clear()
    assert export(spec_of(folder / f"taken{suffix}", **changes), device, shelf.folder) == plain
    return without, submitted.copy()


def test_where_all_is_there_nothing_is_painted(
    device: Device, shelf: Shelf, submitted: list[int], tmp_path: Path
) -> None:
    for number in ALL:
        shelf.put(number)
    without, taken = twice(tmp_path, device, shelf, submitted)
    assert (set(without), taken) == (ALL, [])


@pytest.mark.parametrize("seed", range(6))
def test_what_is_missing_is_painted_with_its_neighbours(
    seed: int, device: Device, shelf: Shelf, submitted: list[int], tmp_path: Path
) -> None:
    dice = random.Random(seed)
    there = sorted(dice.sample(sorted(ALL), dice.choice((1, 5, 15, 27, 29)))) if seed else list(range(24))
    for number in there:
        shelf.put(number)
    _, taken = twice(tmp_path, device, shelf, submitted)
    missing = ALL - set(there)
    near = {number for number in ALL if any(-2 <= each - number <= 2 for each in missing)}
    assert set(taken) == near | {number for number in LOOKED_AT if number < max(missing)}
    assert taken == sorted(taken)


def part(first: int, end: int) -> TimeRange:
    return TimeRange(Position(Fraction(first), "frame"), Position(Fraction(end), "frame"))


@pytest.mark.parametrize("span", [part(12, 28), TimeRange(Position(Fraction(12, 25), "s"), None, 16)])
@pytest.mark.parametrize(("gone", "painted"), [(None, []), (20, [0, 4, 8, 12, 16, 18, 19, 20, 21, 22])])
def test_what_is_before_a_range_is_painted_only_for_what_is_missing_in_it(
    span: TimeRange,
    gone: int | None,
    painted: list[int],
    device: Device,
    shelf: Shelf,
    submitted: list[int],
    tmp_path: Path,
) -> None:
    """Its start was never painted ahead."""
    for number in range(12, 28):
        if number != gone:
            shelf.put(number)
    _, taken = twice(tmp_path, device, shelf, submitted, range=span)
    assert taken == painted


@pytest.mark.parametrize("segments", ["auto", 10, "off"])
def test_of_a_film_whose_header_has_no_number_of_frames_nothing_is_painted_that_is_there(
    segments: Segments, device: Device, submitted: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    film = tmp_path / "film.mkv"
    with av.open(str(FILM)) as given, av.open(str(film), "w") as made:
        stream = made.add_stream_from_template(given.streams.video[0])
        for packet in given.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                made.mux(packet)
    monkeypatch.setattr("tests.app.jobs.test_stock.FILM", film)
    shelf = Shelf(tmp_path / "renders", device, spec_of(tmp_path / "out.mkv"))
    for number in ALL:
        shelf.put(number)
    submitted.clear()
    without, taken = twice(tmp_path, device, shelf, submitted, segments=segments)
    assert (set(without), taken) == (ALL, [])


@pytest.mark.parametrize(
    ("damage", "segments"), [("cut", "auto"), ("changed", "auto"), ("changed", 10), ("gone", "auto"), ("empty", "off")]
)
def test_what_is_damaged_is_painted(
    damage: str, segments: Segments, device: Device, shelf: Shelf, submitted: list[int], tmp_path: Path
) -> None:
    for number in ALL:
        shelf.put(number)
    path = shelf.file(29)
    match damage:
        case "cut":
            path.write_bytes(path.read_bytes()[:-9])
        case "changed":
            path.write_bytes(b"\xff" + path.read_bytes()[1:])
        case "gone":
            path.unlink()
        case "empty":
            path.write_bytes(b"")
    _, taken = twice(tmp_path, device, shelf, submitted, segments=segments)
    assert taken == [*LOOKED_AT, 27, 28, 29]


def test_a_frame_that_goes_while_others_are_read_is_painted(
    device: Device, shelf: Shelf, submitted: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where another window makes room."""
    for number in ALL:
        shelf.put(number)
    read, last = cache_keys.read_frame, shelf.file(29)

    def racing(path: Path, form: Any) -> Frame:  # noqa: ANN401
        last.unlink(missing_ok=True)
        return read(path, form)

    monkeypatch.setattr(cache_keys, "read_frame", racing)
    _, taken = twice(tmp_path, device, shelf, submitted)
    assert taken == [*LOOKED_AT, 27, 28, 29]


GREY = 77


def grey(frame: Frame) -> None:
    for plane in frame.planes:
        plane[:] = GREY << frame.format.shift


@pytest.mark.parametrize(
    ("changes", "takes"),
    [
        ({}, True),
        ({"output": OutputOptions("libx265", crf=0, preset="ultrafast")}, True),  # the same samples, in other planes
        ({"output": replace(OUTPUT, audio="none")}, True),
        ({"segments": 10}, True),
        ({"range": part(3, 21)}, True),
        ({"output": replace(OUTPUT, pix_fmt="yuv444p")}, False),
        ({"output": replace(OUTPUT, pix_fmt="yuv420p10le")}, False),
        ({"look": replace(LOOK, strength=0.9)}, False),
        ({"look": replace(LOOK, steady=0.4)}, False),
        ({"style": StyleSpec("none")}, False),
        ({"colours": ColourSpec(palette="film")}, False),
        ({"tiling": 64}, False),
    ],
)
def test_what_is_taken_is_what_is_asked_for(
    changes: dict[str, Any], takes: bool, device: Device, shelf: Shelf, tmp_path: Path
) -> None:
    """Cached frames are grey here, so a grey export has used them."""
    for number in ALL:
        shelf.put(number, grey)
    seen: set[bool] = set()

    def look(painted: OutputFrame, _: VideoInfo) -> None:
        seen.add(all((plane >> painted.frame.format.shift == GREY).all() for plane in painted.host.planes))

    export_from(shelf.folder, spec_of(tmp_path / "out.mkv", **changes), device, Listener(frame=look))
    assert seen == {takes}


@pytest.mark.parametrize("method", [METHOD, f"{METHOD} in tiles of 64x64 px", None])
def test_what_another_method_made_is_not_taken(
    method: str | None, device: Device, shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a card has less memory left than when it was painted, or another engine paints."""
    for number in ALL:
        shelf.put(number, grey)
    monkeypatch.setattr(Stylizer, "method", method)
    spec = spec_of(tmp_path / "out.mkv")
    taken = export(spec, device, shelf.folder)
    assert (taken != export(replace(spec, target=str(tmp_path / "plain.mkv")), device, None)) is (method == METHOD)


@pytest.mark.parametrize("style", ["none", "ink"])
@pytest.mark.parametrize("part", [False, True])
def test_colours_of_a_part_are_its_own(
    style: str, part: bool, device: Device, submitted: list[int], tmp_path: Path
) -> None:
    """Each shot of the film has a table; a part of it has others."""
    changes: dict[str, Any] = {"colours": ColourSpec(palette=str(CLIPS / "landscape.mp4@0")), "style": StyleSpec(style)}
    shelf = Shelf(tmp_path / "renders", device, spec_of(tmp_path / "out.mkv", **changes))
    for number in ALL:
        shelf.put(number)
    if part:
        changes["range"] = TimeRange(Position(Fraction(20), "frame"))
    submitted.clear()
    without, taken = twice(tmp_path, device, shelf, submitted, **changes)
    if part:
        assert taken == without
    else:
        assert taken == []


@pytest.mark.parametrize("segments", ["auto", 6])
def test_a_job_that_was_interrupted_takes_them_too(
    segments: Segments, device: Device, shelf: Shelf, submitted: list[int], tmp_path: Path
) -> None:
    for number in (*range(8), *range(20, 29)):
        shelf.put(number)
    spec = spec_of(tmp_path / "out.mkv", segments=segments)
    plain = export(replace(spec, target=str(tmp_path / "plain.mkv")), device, None)

    def stop(state: Progress) -> None:
        if state.frames == 14:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_from(shelf.folder, spec, device, Listener(progress=stop))
    submitted.clear()
    export_from(shelf.folder, spec, device)
    assert Path(spec.target).read_bytes() == plain
    assert 29 in submitted
    assert len(submitted) < FRAMES + 15
