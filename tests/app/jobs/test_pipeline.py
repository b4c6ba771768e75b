"""Loss of the device while the pipeline paints."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from assets.make_clips import CLIPS
from framebrush.gpu.cpu.stylizer import CpuStylizer
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.errors import DeviceLostError
from framebrush.gpu.frame import rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.settings import StylizerPlan
from framebrush.gpu.sizes import Size
from framebrush.gpu.temporal_window import CENTRED
from framebrush.jobs.frame_pipeline import FramePipeline
from framebrush.jobs.output_format import video_target
from framebrush.jobs.pipeline import Pipeline
from framebrush.media.reading.reader import Reader
from framebrush.media.video import Position, TimeRange
from tests import networks

pytestmark = pytest.mark.media


class Losses:
    """Lets the CPU device be lost at these calls of `submit`, counted from 0, and opens others."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, calls: set[int]) -> None:
        self.calls, self.submitted = calls, 0
        self.replacements: list[Device] = []
        real = CpuStylizer.submit

        def submit(stylizer: CpuStylizer, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401
            self.submitted += 1
            if self.submitted - 1 in self.calls:
                raise DeviceLostError(f"lost at call {self.submitted - 1}")
            return real(stylizer, *arguments, **named)

        monkeypatch.setattr(CpuStylizer, "submit", submit)

    def another(self, lost: DeviceLostError) -> Device:
        self.replacements.append(open_device("cpu"))
        return self.replacements[-1]


def painted(losses: Losses, path: Path = CLIPS / "cfr.mp4") -> list[int]:
    with Reader(path) as reader, open_device("cpu") as device:
        source = reader.info.format
        plan = StylizerPlan(networks.identity(), source, video_target(source))
        with Pipeline(FramePipeline(device, plan), replace_device=losses.another) as pipeline:
            return [frame.number for frame in pipeline.frames(reader)]


def test_a_device_that_paints_in_between_is_replaced_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    losses = Losses(monkeypatch, {2, 12, 25})
    assert painted(losses) == list(range(30))
    assert len(losses.replacements) == 3


@pytest.mark.parametrize("calls", [set(range(2, 100)), {1, 4}], ids=["at once", "with the next frame"])
def test_a_replacement_that_is_lost_before_it_painted_is_the_last(
    calls: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    losses = Losses(monkeypatch, calls)
    with pytest.raises(DeviceLostError, match="lost at call"):
        painted(losses)
    assert len(losses.replacements) == 1


def test_a_replacement_is_closed_also_where_its_stylizer_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    losses = Losses(monkeypatch, {1})
    closed: list[Device] = []
    with Reader(CLIPS / "cfr.mp4") as reader, open_device("cpu") as device:
        source = reader.info.format
        plan = StylizerPlan(networks.identity(), source, video_target(source))
        pipeline = Pipeline(FramePipeline(device, plan), replace_device=losses.another)
        assert len([*pipeline.frames(reader)]) == 30
        (replacement,) = losses.replacements
        real = replacement.close
        monkeypatch.setattr(replacement, "close", lambda: (closed.append(replacement), real()))
        monkeypatch.setattr(pipeline.stylizer, "close", lambda: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            pipeline.close()
    assert closed == [replacement]


# Frames that need their neighbours

Picture = npt.NDArray[np.unsignedinteger[Any]]


def steady_plan(reader: Reader, working: Size | None = None) -> StylizerPlan:
    source, look = reader.info.format, Look(steady=1.0)
    return StylizerPlan(networks.identity(), source, rgba8(96, 54), working=working, look=look, window=CENTRED)


def steadied(
    span: TimeRange | None = None, name: str = "open-gop.mp4", losses: Losses | None = None
) -> dict[int, Picture]:
    """A range of a clip as the CPU paints it, steadied, by number."""
    with (
        Reader(CLIPS / name, span, context=CENTRED) as reader,
        open_device("cpu") as device,
        Pipeline(
            FramePipeline(device, steady_plan(reader, (48, 27))),
            replace_device=losses.another if losses else None,
        ) as pipeline,
    ):
        frames = list(pipeline.frames(reader))
        assert [frame.number for frame in frames] == sorted({frame.number for frame in frames})
        return {frame.number: frame.frame.planes[0] for frame in frames}


def range_of(first: int, end: int) -> TimeRange:
    return TimeRange(Position(Fraction(first), "frame"), Position(Fraction(end), "frame"))


def test_pieces_of_a_film_are_those_of_the_whole() -> None:
    whole = steadied()
    assert list(whole) == list(range(30))
    for first, end in ((0, 3), (1, 2), (7, 19), (19, 30), (29, 99)):
        part = steadied(range_of(first, end))
        assert list(part) == list(range(first, min(end, 30)))
        for number, picture in part.items():
            np.testing.assert_array_equal(picture, whole[number])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "call"),
    [*((name, call) for name in ("submit", "fetch") for call in (0, 1, 4, 6)), ("submit", 9), ("flush", 1)],
)
def test_a_replaced_device_has_the_neighbours_too(name: str, call: int, monkeypatch: pytest.MonkeyPatch) -> None:
    span = range_of(11, 18)
    expected = steadied(span)
    calls, real = [0], getattr(CpuStylizer, name)

    def lost_once(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401
        calls[0] += 1
        if calls[0] - 1 == call:
            raise DeviceLostError(f"lost at {name} {call}")
        return real(*arguments, **named)

    monkeypatch.setattr(CpuStylizer, name, lost_once)

    class Another(Losses):
        def __init__(self) -> None:
            self.replacements = []

        def another(self, lost: DeviceLostError) -> Device:
            self.replacements.append(open_device("cpu"))
            return self.replacements[-1]

    losses = Another()
    again = steadied(span, losses=losses)
    assert len(losses.replacements) == 1
    assert list(again) == list(expected)
    for number, picture in again.items():
        np.testing.assert_array_equal(picture, expected[number])


def test_frames_of_an_iteration_that_was_given_up_are_no_neighbours() -> None:
    with (
        Reader(CLIPS / "cfr.mp4") as reader,
        open_device("cpu") as device,
        Pipeline(FramePipeline(device, steady_plan(reader))) as pipeline,
    ):
        frames = list(reader)
        for given_up in (pipeline.frames(frames[:9]), pipeline.frames(frames[9:12])):
            next(given_up)
            given_up.close()
        again = [frame.frame.planes[0] for frame in pipeline.frames(frames[20:23])]
        pipeline.stylizer.flush()
        fresh = [frame.frame.planes[0] for frame in pipeline.frames(frames[20:23])]
    for ours, theirs in zip(again, fresh, strict=True):
        np.testing.assert_array_equal(ours, theirs)
