"""Pipeline rules, on the reference device with tiny frames.

The encoder's input, the look of each frame, frames in flight, and takeover by another device.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from framebrush.gpu.device import Device, open_device
from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.frame import (
    DeviceFrame,
    Frame,
    FrameFormat,
    HostMemoryFrame,
    Matrix,
    Primaries,
    Siting,
    Transfer,
    gbrp,
    nv12,
    rgba8,
    yuv420p,
)
from framebrush.gpu.look import Look
from framebrush.gpu.reference.device import ReferenceDevice, ReferenceSlot, ReferenceStylizer, list_devices
from framebrush.gpu.settings import StylizerPlan
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages.strokes import WARM_UP_FRAMES, layout_of
from framebrush.gpu.stages.strokes.stroke_samples import looks_at
from framebrush.gpu.stylizer import Stylizer, Ticket
from framebrush.gpu.temporal_window import CENTRED
from framebrush.jobs.cached_frames import CachedFrames, CachedFramesChangedError, UnverifiedFrames, with_cached_frames
from framebrush.jobs.frame_pipeline import FramePipeline
from framebrush.jobs.output_format import target_aspect, video_target
from framebrush.jobs.pipeline import KnownFrame, OutputFrame, Pipeline, ReplaceDevice, Role, SizesOf, roles
from framebrush.jobs.prepare import job_pipeline, job_sizes
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.media.video import VideoFrame
from framebrush.models.brushes import PRESETS
from framebrush.models.style import Style, StyleError
from framebrush.styles.brush_tips import open_brush_tip
from framebrush.styles.shot_styles import Shot, ShotStyles
from framebrush.styles.specs import SizeSpec, StyleSpec
from framebrush.styles.style_names import OpenedStyle
from tests import networks
from tests.app.styles.test_map_films import encode, grey
from tests.app.styles.test_marks import wedge
from tests.gpu.test_carrying import pan

pytestmark = pytest.mark.unit

PICTURE = rgba8(4, 2)


# What the encoder gets


@pytest.mark.parametrize("matrix", [Matrix.BT601, Matrix.BT709, Matrix.BT2020])
def test_the_target_keeps_the_gamut_of_sdr_video(matrix: Matrix) -> None:
    tags = {"matrix": matrix, "primaries": Primaries.BT2020, "siting": Siting.TOP_LEFT}
    for source in (yuv420p(62, 48), nv12(62, 48)):
        target = video_target(replace(source, **tags))  # type: ignore[arg-type]
        assert target == replace(nv12(62, 48), **tags)  # type: ignore[arg-type]


def test_the_target_is_in_bt709_where_players_do_not_know_the_matrix() -> None:
    assert video_target(replace(yuv420p(62, 48), matrix=Matrix.SMPTE240M)).matrix is Matrix.BT709
    assert video_target(rgba8(62, 48)) == nv12(62, 48)


def test_the_target_has_full_range_where_it_is_asked_for_and_the_source_has_it() -> None:
    limited, full = yuv420p(62, 48), replace(yuv420p(62, 48), full_range=True)
    assert [video_target(source).full_range for source in (limited, full)] == [False, False]
    assert [video_target(source, full_range=True).full_range for source in (limited, full)] == [False, True]


def test_the_target_of_hdr_is_sdr_in_bt709() -> None:
    bt2020 = {"matrix": Matrix.BT2020, "primaries": Primaries.BT2020, "siting": Siting.TOP_LEFT}
    source = replace(yuv420p(62, 48, bits=10), transfer=Transfer.PQ, **bt2020)  # type: ignore[arg-type]
    assert video_target(source) == nv12(62, 48, bits=10)


def test_chroma_of_hdr_is_where_players_of_bt2020_look_for_it_only_where_it_is_halved() -> None:
    bt2020 = {"matrix": Matrix.BT2020, "primaries": Primaries.BT2020, "siting": Siting.LEFT, "transfer": Transfer.PQ}
    halved = replace(yuv420p(62, 48, bits=10), **bt2020)  # type: ignore[arg-type]
    whole = replace(halved, subsample=(0, 0))
    for source, siting in ((halved, Siting.LEFT), (whole, Siting.TOP_LEFT)):
        assert video_target(source, hdr="keep").siting is siting
    assert video_target(whole, "yuv444p10le", hdr="keep").siting is Siting.LEFT


def test_the_target_has_the_bits_and_the_size_that_are_asked_for() -> None:
    assert [video_target(yuv420p(62, 48, bits=bits)).bits for bits in (8, 9, 10, 12)] == [8, 10, 10, 10]
    assert video_target(yuv420p(62, 48), pix_fmt="yuv420p10le").bits == 10
    assert video_target(yuv420p(62, 48, bits=10), pix_fmt="yuv420p").bits == 8
    smaller = video_target(yuv420p(62, 48), size=(30, 20))
    assert (smaller.width, smaller.height) == (30, 20)


def test_the_target_keeps_the_shape_of_the_picture() -> None:
    def aspect(source: Size, target: Size) -> Fraction:
        return target_aspect(Fraction(4, 3), Sizes.of(source, None, target))

    assert aspect((1000, 1000), (1009, 1000)) == Fraction(4, 3)  # rounded sizes
    assert aspect((1000, 1000), (1000, 1009)) == Fraction(4, 3)
    assert aspect((1000, 1000), (2000, 1000)) == Fraction(4, 3) / 2
    assert aspect((1000, 1000), (1000, 2000)) == Fraction(4, 3) * 2
    assert aspect((1000, 1000), (1000, 1011)) == Fraction(4, 3) * Fraction(1011, 1000)
    assert aspect((720, 576), (360, 288)) == Fraction(4, 3)


def test_an_output_frame_comes_to_the_host() -> None:
    frame = flat(7)
    assert OutputFrame(0, 0, 1, frame).host is frame
    copied = OutputFrame(0, 0, 1, HostMemoryFrame(frame, object())).host
    np.testing.assert_array_equal(copied.planes[0], frame.planes[0])


# Frames in order


class _Stylizer(ReferenceStylizer):
    """Reference stylizer that fails when its device is lost; device memory is the host's."""

    def submit(self, *frame: Any, **options: Any) -> Ticket:  # noqa: ANN401
        self._owner.step("run")
        return super().submit(*frame, **options)

    def follow(self, *frame: Any, **options: Any) -> None:  # noqa: ANN401
        self._owner.step("follow")
        super().follow(*frame, **options)

    def fetch(self, ticket: Ticket, into: Frame | None = None) -> Frame:
        self._owner.step("fetch")
        return super().fetch(ticket, into)

    def store(self, ticket: Ticket, into: DeviceFrame) -> None:
        self._owner.step("fetch")
        super().store(ticket, into)

    def _store(self, slot: ReferenceSlot, into: DeviceFrame, look: Look) -> bool:
        assert isinstance(into, HostMemoryFrame)
        return self._fetch(slot, into.content, look)

    @property
    def _owner(self) -> _Device:
        assert isinstance(self._device, _Device)
        return self._device


class _Device(ReferenceDevice):
    """A device that is lost at these calls, counted from 0."""

    stylizer_class = _Stylizer

    def __init__(self, *lost_at: tuple[str, int]) -> None:
        super().__init__(list_devices()[0])
        self._lost_at, self._calls = lost_at, dict.fromkeys(("run", "fetch", "follow"), 0)

    def step(self, name: str) -> None:
        self._calls[name] += 1
        if (name, self._calls[name] - 1) in self._lost_at:
            raise DeviceLostError(f"lost at {name} {self._calls[name] - 1}")

    def allocate(self, picture: FrameFormat) -> DeviceFrame:
        return HostMemoryFrame(picture.allocate(), self.identity)

    @property
    def is_closed(self) -> bool:
        return self.closed

    @property
    def stylizers(self) -> int:
        """How many are open."""
        return len(self._children)


@pytest.fixture
def device() -> Iterator[_Device]:
    with _Device() as opened:
        yield opened


def flat(level: int) -> Frame:
    frame = PICTURE.allocate()
    frame.planes[0][:] = level
    return frame


def film(count: int, *, context: Iterable[int] = ()) -> list[VideoFrame]:
    """Return frames of unlike greys, with timestamps that differ from their numbers."""
    return [VideoFrame(n, 100 + 3 * n, 3, flat(10 * n), n in set(context)) for n in range(count)]


def pipeline(
    device: Device,
    style: Style | None = None,
    *,
    shots: ShotStyles | None = None,
    sizes_of: SizesOf | None = None,
    replace_device: ReplaceDevice | None = None,
    **plan: object,
) -> Pipeline:
    used = shots.style(0) if shots else style or networks.identity()
    made = StylizerPlan(used, PICTURE, PICTURE, **{"look": Look(dither=False)} | plan)  # type: ignore[arg-type]
    frames = FramePipeline(device, made)
    return Pipeline(frames, shots=shots, sizes_of=sizes_of, replace_device=replace_device)


def test_a_job_says_what_its_brush_is_and_else_the_style_does(device: Device) -> None:
    own, asked = (PRESETS[name].kind for name in ("bristle", "fine"))
    style = networks.identity()
    style = replace(style, card=replace(style.card, brush_kind=own))
    for name, kind in ((None, own), ("fine", asked)):
        sizes = SizeSpec(brush_kind=name)
        spec = JobSpec("in.mp4", "out.mp4", Recipe(StyleSpec("x"), sizes=sizes))
        planned = job_sizes(sizes, PICTURE, style)
        with job_pipeline(spec, OpenedStyle(style), device, PICTURE, PICTURE, planned) as painting:
            assert painting.stylizer.settings.kind == kind


def test_a_job_may_leave_out_the_finest_strokes(device: Device) -> None:
    style = networks.identity()
    layers = []
    for few in (False, True):
        sizes = SizeSpec(brush_kind="oil", few_strokes=few)
        spec = JobSpec("in.mp4", "out.mp4", Recipe(StyleSpec("x"), sizes=sizes))
        planned = job_sizes(sizes, PICTURE, style)
        with job_pipeline(spec, OpenedStyle(style), device, PICTURE, PICTURE, planned) as painting:
            layers.append(layout_of(painting.stylizer.settings).layers)
    every, without = layers
    assert len(every) > 1
    assert without == every[:-1]


def test_a_mark_of_ones_own_goes_with_any_kind_of_brush(device: Device, tmp_path: Path) -> None:
    path = wedge(tmp_path / "mark.png")
    style = networks.identity()
    for name in (None, "fine"):
        sizes = SizeSpec(brush_kind=name, brush_mark=path)
        spec = JobSpec("in.mp4", "out.mp4", Recipe(StyleSpec("x"), sizes=sizes))
        planned = job_sizes(sizes, PICTURE, style)
        with job_pipeline(spec, OpenedStyle(style), device, PICTURE, PICTURE, planned) as painting:
            assert painting.stylizer.settings.kind == replace(PRESETS[name or "oil"].kind, mark=open_brush_tip(path))


@pytest.mark.media
def test_each_frame_that_is_painted_has_the_map_of_its_own_time(
    device: Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a neighbour, too, and on the device that takes the place of a lost one."""
    path = encode(tmp_path / "sizes.mkv", [grey(code) for code in range(50)], qp="0")  # 10 a second
    spec = JobSpec("in.mp4", "out.mp4", Recipe(StyleSpec("x"), Look(brush=1.0), sizes=SizeSpec(brush_sizes=str(path))))
    style, seen, lost = networks.identity(), [], [DeviceLostError("gone")]
    planned = job_sizes(spec.sizes, PICTURE, style)
    submit = Stylizer.submit

    def noted(self: Stylizer[Any], *given: Any, **named: Any) -> Ticket:  # noqa: ANN401
        if self.maps.sizes is not None:  # of the film, and not what reads the map
            if named["place"] == 13 and lost:
                raise lost.pop()
            seen.append((named["place"], self.maps.sizes[0]))
        return submit(self, *given, **named)

    monkeypatch.setattr(Stylizer, "submit", noted)
    with job_pipeline(
        spec,
        OpenedStyle(style),
        device,
        PICTURE,
        PICTURE,
        planned,
        time_of=lambda frame: Fraction(frame.number, 4),
        another_device=lambda: open_device("cpu"),
    ) as painting:
        frames = [VideoFrame(number, number, 1, flat(0), context=number < 12) for number in range(8, 17)]
        assert len(list(painting.frames(frames))) == 5
    assert {place for place, _ in seen} >= set(range(10, 17))
    assert seen == [(place, place * 10 // 4) for place, _ in seen]
    assert len(seen) > len({place for place, _ in seen})
    with pytest.raises(StyleError, match="it is a film, which goes by time, and these frames have no times"):
        job_pipeline(spec, OpenedStyle(style), device, PICTURE, PICTURE, planned)


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


def levels(frames: Iterable[OutputFrame]) -> list[int]:
    return [int(output.host.planes[0][0, 0, 0]) for output in frames]


def test_frames_keep_their_numbers_and_times_in_the_memory_that_was_given(device: Device) -> None:
    given: list[Frame] = []

    def allocate() -> Frame:
        given.append(PICTURE.allocate())
        return given[-1]

    with pipeline(device) as painting:
        outputs = list(painting.frames(film(5), allocate))
    assert [(output.number, output.pts, output.duration) for output in outputs] == [
        (n, 100 + 3 * n, 3) for n in range(5)
    ]
    assert all(output.frame is frame for output, frame in zip(outputs, given, strict=True))
    assert levels(outputs) == [0, 10, 20, 30, 40]


def test_as_many_frames_are_in_flight_as_there_are_slots(device: Device) -> None:
    read: list[int] = []

    def frames() -> Iterator[VideoFrame]:
        for frame in film(8):
            read.append(frame.number)
            yield frame

    with pipeline(device) as painting:
        outputs = painting.frames(frames())
        assert next(outputs).number == 0
        assert len(read) == painting.stylizer.slots + 1
        assert painting.stylizer.counters.runs == painting.stylizer.slots
        assert [output.number for output in outputs] == list(range(1, 8))


def test_an_iteration_that_is_given_up_gives_its_slots_back(device: Device) -> None:
    with pipeline(device) as painting:
        outputs = painting.frames(film(8))
        next(outputs)
        outputs.close()  # type: ignore[attr-defined]
        for _ in range(painting.stylizer.slots):
            painting.stylizer.submit(flat(0))


def test_context_is_painted_and_not_given(device: Device) -> None:
    allocated = []

    def allocate() -> Frame:
        allocated.append(1)
        return PICTURE.allocate()

    with pipeline(device, look=Look(steady=1.0, dither=False), window=CENTRED) as painting:
        outputs = list(painting.frames(film(7, context=(0, 1, 6)), allocate))
        assert painting.stylizer.counters.runs == 7
    assert [output.number for output in outputs] == [2, 3, 4, 5]
    assert len(allocated) == 4


def test_frames_that_nothing_changes_are_passed_on_but_for_context(device: Device) -> None:
    picture = gbrp(4, 2)

    def grey(level: int) -> Frame:
        frame = picture.allocate()
        for plane in frame.planes:
            plane[:] = level
        return frame

    frames = [replace(frame, frame=grey(frame.number)) for frame in film(4, context=(0,))]
    plan = StylizerPlan(networks.identity(), picture, picture, look=Look(strength=0.0))
    with Pipeline(FramePipeline(device, plan)) as painting:
        outputs = list(painting.frames(frames))
        assert painting.stylizer.counters.runs == 0
    assert [(output.number, output.pts, output.duration) for output in outputs] == [
        (n, 100 + 3 * n, 3) for n in (1, 2, 3)
    ]
    assert [int(output.host.planes[2][1, 3]) for output in outputs] == [1, 2, 3]


def test_a_frame_that_is_not_finite_is_named(device: Device) -> None:
    frames = [VideoFrame(n, n, 1, flat(level)) for n, level in ((41, 200), (42, 0))]
    with pipeline(device, networks.not_finite()) as painting:
        outputs = painting.frames(frames)
        assert next(outputs).number == 41
        with pytest.raises(DeviceError, match=r"^frame 42: the output of style 'test' holds NaN or infinity"):
            next(outputs)


@pytest.mark.parametrize("carries", [True, False])
def test_what_becomes_of_a_frame_is_known_as_soon_as_it_can_be(carries: bool) -> None:
    read: list[int] = []

    def frames() -> Iterator[VideoFrame]:
        for frame in film(14, context=(*range(5), *range(6, 12), 13)):
            read.append(frame.number)
            yield frame

    found, far = [], Role.FOLLOWED if carries else Role.LEFT
    looked = Role.NEIGHBOUR if carries else Role.LEFT
    for frame, role in roles(frames(), CENTRED, carries=carries):
        found.append(role)
        assert len(read) <= frame.number + 1 + CENTRED.before
    near = [Role.NEIGHBOUR] * 2
    painted = [Role.PAINTED]
    assert found == [looked, far, far, *near, *painted, *near, looked, far, *near, *painted, Role.NEIGHBOUR]


@pytest.mark.parametrize("carries", [True, False])
def test_frames_before_the_neighbours_of_a_range_are_followed(device: Device, carries: bool) -> None:
    """Only frames that strokes sample are painted, too."""
    look = Look(steady=1.0, dither=False)
    with pipeline(device, look=look, window=CENTRED, carries=carries) as painting:
        outputs = list(painting.frames(film(10, context=(*range(6), 9))))
        assert painting.stylizer.counters.runs == (7 if carries else 6)
        assert painting.stylizer.counters.uploads == (10 if carries else 6)
    assert [output.number for output in outputs] == [6, 7, 8]


@pytest.mark.slow
@pytest.mark.parametrize("carries", [True, False])
def test_frames_that_are_known_are_given_in_their_turn(device: Device, carries: bool) -> None:
    """Few of many cached frames are held back.

    Strokes sample some cached frames ahead of a painted frame, beside its neighbours.
    """
    given: list[int] = []
    known, missing = 200, (50, 90, 190)

    def frames() -> Iterator[VideoFrame]:
        for n in range(known):
            assert n - len(given) <= 8
            frame, painted = flat(n), flat(n + 1)
            is_known = n not in missing
            cold = not any(n < each <= n + WARM_UP_FRAMES for each in missing)
            known_frame = KnownFrame(n, n, 1, frame, True, painted=painted, is_cold=cold)
            yield known_frame if is_known else VideoFrame(n, n, 1, frame)

    with pipeline(device, look=Look(steady=0.1, dither=False), window=CENTRED, carries=carries) as painting:
        for output in painting.frames(frames()):
            given.append(output.number)
            assert levels([output]) == [output.number + (output.number not in missing)]
        looked = [n for n in range(188) if looks_at(n) and n not in range(88, 127) and n not in range(48, 53)]
        assert painting.stylizer.counters.runs == (15 + len(looked) if carries else 15)
    assert given == list(range(known))


class _Shelf:
    """A stock of painted frames. wrong: numbers of frames that only seem to be there."""

    def __init__(self, painted: Sequence[OutputFrame], missing: Iterable[int], wrong: Iterable[int] = ()) -> None:
        self._there = {output.number: output.host for output in painted if output.number not in set(missing)}
        self._wrong = set(wrong)

    def find(self, frame: VideoFrame) -> Frame | None:
        return None if frame.number in self._wrong else self._there.get(frame.number)

    def numbers(self) -> frozenset[int]:
        return frozenset(self._there)


@pytest.mark.slow
def test_strokes_of_a_frame_that_is_missing_are_those_of_the_whole(submitted: list[int]) -> None:
    """Few frames before a missing one are painted; a frame missing by surprise is read again."""
    first, count = 3, 2 * WARM_UP_FRAMES + 30
    frames = [VideoFrame(n, n, 1, frame, n < first) for n, frame in enumerate(pan(first + count))]
    settings = {"look": Look(brush=1.0, steady=0.5, dither=False), "window": CENTRED, "carries": True}
    with open_device("cpu") as device:

        def painted(shelf: CachedFrames | None, length: int | None = count) -> list[OutputFrame]:
            form = frames[0].frame.format
            plan = StylizerPlan(networks.identity(), form, form, **settings)  # type: ignore[arg-type]
            with Pipeline(FramePipeline(device, plan)) as made:
                submitted.clear()
                end = None if length is None else first + length
                return list(
                    made.frames(frames if shelf is None else with_cached_frames(made, shelf, first, end, frames))
                )

        whole = painted(None)

        def assert_whole(shelf: CachedFrames, length: int | None = count) -> list[int]:
            for ours, theirs in zip(painted(shelf, length), whole, strict=True):
                one, other = (each.host.planes[0][..., :3] for each in (ours, theirs))
                np.testing.assert_array_equal(one, other, err_msg=f"frame {ours.number}")
            return submitted.copy()

        assert assert_whole(_Shelf(whole, ())) == []
        last = range(first + count - WARM_UP_FRAMES, first + count - 2)
        assert assert_whole(_Shelf(whole, ()), None) == [n for n in last if looks_at(n)]  # the end is not known
        early, late = first + 4, first + 2 * WARM_UP_FRAMES + 20
        near = {*range(early - 2, early + 3), *range(late - 2, late + 3)}
        before = {*range(early), *range(late - WARM_UP_FRAMES, late)}
        assert assert_whole(_Shelf(whole, (early, late))) == sorted(near | {n for n in before if looks_at(n)})
        for shelf in (
            _Shelf(whole, (early,), (late,)),
            _Shelf(whole, (), (first + 1,)),
            _Shelf(whole, (late,), (late - 9,)),
        ):
            with pytest.raises(CachedFramesChangedError):
                painted(shelf)
            assert_whole(UnverifiedFrames(shelf))
        assert_whole(_Shelf(whole, (late,), (late + 1,)))  # whose strokes were carried for another


@pytest.mark.slow
def test_a_lost_device_loses_no_frame_that_is_known() -> None:
    frames = [
        KnownFrame(n, n, 1, flat(n), True, painted=flat(n)) if n % 8 else VideoFrame(n, n, 1, flat(n))
        for n in range(24)
    ]
    for loss in (("run", 5), ("fetch", 1), ("follow", 2)):
        settings = {"look": Look(steady=0.1, dither=False), "window": CENTRED, "carries": True}
        with _Device(loss) as first, pipeline(first, replace_device=_Spares(_Device()), **settings) as painting:
            assert levels(painting.frames(frames)) == list(range(24))
            assert painting.device is not first


# Shots


class _Styles(ShotStyles):
    """Three shots, at frames 0, 3 and 6, with unlike statistics; `asked`: requested styles."""

    def __init__(self) -> None:
        rows = [np.full(6, value, np.float32) for value in (0.25, 0.5, 0.75)]
        super().__init__(networks.instance_norm(), [Shot.of(3 * n, row) for n, row in enumerate(rows)])
        self.asked: list[int] = []

    def style(self, shot: int) -> Style:
        self.asked.append(shot)
        return super().style(shot)


def test_each_shot_is_painted_by_its_style_and_the_look_stays(device: _Device) -> None:
    styles = _Styles()
    with pipeline(device, networks.identity(), shots=styles) as painting:
        assert painting.frame_pipeline.plan.style == ShotStyles.style(styles, 0)
        painting.stylizer.look = Look(strength=0.5)
        outputs = [output.number for output in painting.frames(film(8))]
        assert device.stylizers == 1
        assert painting.stylizer.look.strength == 0.5
        assert painting.stylizer.counters.runs == 2  # those of the last shot, by a stylizer of its own
    assert outputs == list(range(8))
    assert [shot for shot, _ in groupby(styles.asked)] == [0, 1, 2]


def test_a_shot_of_context_alone_is_not_painted(device: _Device) -> None:
    styles = _Styles()
    with pipeline(device, networks.identity(), shots=styles) as painting:
        outputs = [output.number for output in painting.frames(film(7, context=(0, 1, 2, 3, 6)))]
        assert painting.stylizer.counters.runs == 2
    assert outputs == [4, 5]
    assert [shot for shot, _ in groupby(styles.asked)] == [0, 1]


# Sizes that change


def sizes_from(*changes: tuple[int, Size]) -> SizesOf:
    """Working sizes, each from that number of a frame on."""
    return lambda frame: Sizes.of((4, 2), next(size for n, size in reversed(changes) if n <= frame.number), (4, 2))


def test_each_working_size_has_its_stylizer_and_frames_of_another_are_no_neighbours(device: _Device) -> None:
    whole, half = (4, 2), (2, 1)
    sizes_of = sizes_from((0, whole), (3, half), (5, whole))
    look = Look(steady=1.0, dither=False)
    with pipeline(device, working=half, sizes_of=sizes_of, look=look, window=CENTRED) as painting:
        painting.stylizer.look = replace(look, strength=0.5)
        used = [(output.number, painting.stylizer.sizes.working) for output in painting.frames(film(8))]
        assert device.stylizers == 1
        assert painting.stylizer.look.strength == 0.5
        assert painting.stylizer.counters.runs == 3
        assert painting.stylizer.sizes.stroke_px == Sizes.of((4, 2), whole, (4, 2)).stroke_px
    assert used == [(n, half if n in (3, 4) else whole) for n in range(8)]


def test_a_size_that_stays_keeps_its_stylizer_and_one_of_context_alone_has_none(device: _Device) -> None:
    sizes_of = sizes_from((0, (2, 1)), (3, (4, 2)), (6, (1, 1)))
    with pipeline(device, sizes_of=sizes_of) as painting:
        made = painting.stylizer
        outputs = [output.number for output in painting.frames(film(7, context=(0, 1, 2, 6)))]
        assert painting.stylizer is made
        assert painting.stylizer.counters.runs == 3
    assert outputs == [3, 4, 5]


# Devices that are lost


class _Spares:
    """Gives these devices, one after the other."""

    def __init__(self, *devices: _Device) -> None:
        self._devices = iter(devices)
        self.asked: list[str] = []

    def __call__(self, lost: DeviceLostError) -> Device:
        self.asked.append(str(lost))
        return next(self._devices)


@pytest.mark.parametrize("loss", [("run", 0), ("run", 5), ("fetch", 0), ("fetch", 7)])
def test_another_device_goes_on_where_one_was_lost(loss: tuple[str, int]) -> None:
    first, second = _Device(loss), _Device()
    spares = _Spares(second)
    with first, pipeline(first, replace_device=spares, look=Look(dither=False, strength=1.0)) as painting:
        painting.stylizer.look = Look(dither=False, strength=0.5)
        outputs = list(painting.frames(film(8)))
        assert painting.device is second
        assert painting.stylizer.look.strength == 0.5
        assert first.stylizers == 0
        assert not first.is_closed  # it is the caller's
    assert spares.asked == [f"lost at {loss[0]} {loss[1]}"]
    assert levels(outputs) == [10 * n for n in range(8)]
    assert second.is_closed


class _DeviceOfEngines(_Device):
    engines = ("auto", "shader")


def test_another_device_without_the_engine_takes_its_own() -> None:
    first = _DeviceOfEngines(("run", 2))
    with first, pipeline(first, replace_device=_Spares(_Device()), engine="shader") as painting:
        assert levels(painting.frames(film(8))) == [10 * n for n in range(8)]
        assert painting.stylizer.settings.engine == "auto"


def test_no_frame_follows_the_last_on_another_device_either() -> None:
    """Which would wait for it."""
    still = Look(steady=0.0, dither=False)
    with (
        _Device(("fetch", 7)) as first,
        pipeline(first, replace_device=_Spares(_Device()), look=still, window=CENTRED) as painting,
    ):
        assert levels(painting.frames(film(8))) == [10 * n for n in range(8)]


def test_a_device_that_painted_is_replaced_again_and_closed() -> None:
    first, second, third = _Device(("fetch", 2)), _Device(("fetch", 2)), _Device()
    spares = _Spares(second, third)
    with first, pipeline(first, replace_device=spares) as painting:
        assert levels(painting.frames(film(8))) == [10 * n for n in range(8)]
        assert second.is_closed
        assert not third.is_closed
    assert third.is_closed
    assert len(spares.asked) == 2


@pytest.mark.parametrize("losses", [(("run", 0),), (("fetch", 0),)])
def test_a_device_that_is_lost_before_it_painted_is_the_last(losses: tuple[tuple[str, int], ...]) -> None:
    """However many frames came from the one before it."""
    first, second = _Device(("fetch", 4)), _Device(*losses)
    spares = _Spares(second, _Device())
    with first, pipeline(first, replace_device=spares) as painting:
        outputs = painting.frames(film(8))
        assert [next(outputs).number for _ in range(4)] == [0, 1, 2, 3]
        with pytest.raises(DeviceLostError, match=r"^lost at "):
            next(outputs)
    assert len(spares.asked) == 1
    assert second.is_closed


def test_without_another_device_the_loss_is_raised() -> None:
    with _Device(("run", 2)) as device, pipeline(device) as painting:
        with pytest.raises(DeviceLostError, match=r"^lost at run 2$"):
            list(painting.frames(film(8)))
        assert device.stylizers == 0


def test_planes_that_went_with_the_device_end_the_film() -> None:
    spares = _Spares(_Device())
    with _Device(("fetch", 1)) as device, pipeline(device, replace_device=spares) as painting:
        frames = [replace(frame, frame=device.upload(frame.host)) for frame in film(8)]
        with pytest.raises(DeviceLostError, match=r"^lost at fetch 1$"):
            list(painting.frames(frames))
    assert not spares.asked


@pytest.mark.parametrize("loss", [(), (("fetch", 1),)])
def test_memory_of_the_encoder_is_stored_to_and_goes_with_the_device(loss: tuple[tuple[str, int], ...]) -> None:
    spares = _Spares(_Device())
    with _Device(*loss) as device, pipeline(device, replace_device=spares) as painting:
        allocate: Callable[[], DeviceFrame] = lambda: device.allocate(PICTURE)  # noqa: E731
        outputs = painting.frames(film(5), allocate)
        if loss:
            with pytest.raises(DeviceLostError, match=r"^lost at fetch 1$"):
                list(outputs)
        else:
            assert levels(outputs) == [0, 10, 20, 30, 40]
            assert painting.stylizer.counters.host_copies == 5  # up; nothing comes down
    assert not spares.asked
