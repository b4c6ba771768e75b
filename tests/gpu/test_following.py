"""Frames that are followed for their motion alone: rules of the base class, tried on the reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from framebrush.gpu.frame import Frame, rgba8
from framebrush.gpu.look import Look, ToneMap
from framebrush.gpu.reference.device import ReferenceDevice, ReferenceSlot, ReferenceStylizer
from framebrush.gpu.reference.device import list_devices as reference_devices
from framebrush.gpu.stylizer import Stylizer
from framebrush.gpu.temporal_window import NO_WINDOW, PAST_ONE, TemporalWindow
from tests import networks
from tests.inside import free_slots

pytestmark = pytest.mark.unit

PICTURE = rgba8(4, 2)


@dataclass
class Step:
    """Inputs of a frame, which its level names. last: frame that its strokes are advected from."""

    level: int
    place: int
    last: int | None
    before: list[int] = field(default_factory=list)
    after: list[int] = field(default_factory=list)
    follows: bool = False


class _Noting(ReferenceStylizer):
    """Stylizer that records the calls for each frame; a frame's level is its source's."""

    steps: list[Step]

    def _combine(
        self,
        slot: ReferenceSlot,
        before: Sequence[ReferenceSlot],
        after: Sequence[ReferenceSlot],
        last: ReferenceSlot | None,
        look: Look,
        place: int,
    ) -> None:
        super()._combine(slot, before, after, last, look, place)
        sides = ([level(near) for near in side] for side in (before, after))
        self.steps.append(Step(level(slot), place, last and level(last), *sides))

    def _follow(self, slot: ReferenceSlot, last: ReferenceSlot | None, look: Look, place: int) -> None:
        super()._follow(slot, last, look, place)
        self.steps.append(Step(level(slot), place, last and level(last), follows=True))


class _NotingDevice(ReferenceDevice):
    stylizer_class = _Noting


def level(slot: ReferenceSlot) -> int:
    return round(255 * float(slot.source[0, 0, 0]))


def flat(value: int) -> Frame:
    frame = PICTURE.allocate()
    frame.planes[0][:] = value
    return frame


@pytest.fixture
def carrying() -> Iterator[Stylizer[Any]]:
    with (
        _NotingDevice(reference_devices()[0]) as device,
        device.stylizer(
            networks.identity(), PICTURE, PICTURE, slots=2, window=TemporalWindow(1, 1), carries=True
        ) as stylizer,
    ):
        stylizer.steps = []  # type: ignore[attr-defined]
        yield stylizer


def steps(stylizer: Stylizer[Any]) -> list[Step]:
    found: list[Step] = stylizer.steps  # type: ignore[attr-defined]
    return found


def test_strokes_go_from_each_frame_to_the_next_and_followed_ones_are_no_neighbours(carrying: Stylizer[Any]) -> None:
    carrying.follow(flat(1))
    carrying.follow(flat(2))
    assert steps(carrying) == [Step(1, 0, None, follows=True), Step(2, 1, 1, follows=True)]
    tickets = [carrying.submit(flat(value)) for value in (3, 4)]
    carrying.follow(flat(5))
    assert steps(carrying)[2:] == [Step(3, 2, 2, [], [4]), Step(4, 3, 3, [3], []), Step(5, 4, 4, follows=True)]
    for ticket in tickets:
        carrying.release(ticket)
    carrying.release(carrying.submit(flat(6)))
    carrying.flush()
    assert steps(carrying)[5:] == [Step(6, 5, 5, [], [])]


def test_a_followed_frame_waits_for_those_before_it(carrying: Stylizer[Any]) -> None:
    carrying.window = TemporalWindow(1, 2)
    carrying.release(carrying.submit(flat(1)))
    carrying.follow(flat(2))
    assert steps(carrying) == []
    carrying.follow(flat(3))
    assert [(step.level, step.last) for step in steps(carrying)] == [(1, None), (2, 1), (3, 2)]


def test_strokes_begin_anew_after_a_flush(carrying: Stylizer[Any]) -> None:
    carrying.follow(flat(1), place=7)
    carrying.flush()
    carrying.release(carrying.submit(flat(2)))
    carrying.flush()
    carrying.follow(flat(3))
    assert [(step.last, step.place) for step in steps(carrying)] == [(None, 7), (None, 8), (None, 9)]


def test_strokes_are_carried_from_a_frame_that_was_painted_otherwise(carrying: Stylizer[Any]) -> None:
    carrying.release(carrying.submit(flat(1), look=Look(tone_map=ToneMap.HABLE)))
    carrying.release(carrying.submit(flat(2), look=Look(brush=0.0)))
    carrying.flush()
    assert [(step.last, step.before) for step in steps(carrying)] == [(None, []), (1, [])]


@pytest.mark.slow
def test_followed_frames_give_their_slots_back(carrying: Stylizer[Any]) -> None:
    every, window = carrying.window.frames(2), carrying.window
    carrying.window = TemporalWindow(4, 1)  # a neighbour of a painted frame would be kept for longer
    for number in range(100):
        carrying.follow(flat(number))
        assert len(free_slots(carrying)) >= every - 1
    carrying.flush()
    carrying.window = window
    free = free_slots(carrying)
    assert len({id(slot) for slot in free}) == len(free) == every
    tickets = [carrying.submit(flat(value)) for value in (1, 2)]
    for number in range(20):
        carrying.follow(flat(number))
    for ticket in tickets:
        carrying.release(ticket)
    carrying.flush()
    free = free_slots(carrying)
    assert len({id(slot) for slot in free}) == len(free) == every


def test_no_frame_is_followed_that_cannot_be(carrying: Stylizer[Any]) -> None:
    with pytest.raises(ValueError, match="was given to a stylizer of"):
        carrying.follow(rgba8(8, 2).allocate())
    tickets = [carrying.submit(flat(value)) for value in range(carrying.slots)]
    with pytest.raises(RuntimeError, match=r"^all 3 slots are taken; fetch or release a frame first$"):
        carrying.follow(flat(9))
    carrying.release(tickets[0])
    carrying.follow(flat(9))
    carrying.close()
    with pytest.raises(RuntimeError, match=r"^the stylizer is closed$"):
        carrying.follow(flat(9))


def test_a_frame_that_cannot_be_followed_leaves_its_slot(
    carrying: Stylizer[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for step in ("_upload", "_follow"):
        with monkeypatch.context() as failing:
            failing.setattr(carrying, step, lambda *_: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                carrying.follow(flat(1))
        carrying.flush()
        assert (
            len({id(slot) for slot in free_slots(carrying)}) == len(free_slots(carrying)) == carrying.window.frames(2)
        )


def test_only_a_stylizer_that_carries_strokes_follows() -> None:
    with _NotingDevice(reference_devices()[0]) as device:
        stylizer = device.stylizer(networks.identity(), PICTURE, PICTURE, window=PAST_ONE)
        with pytest.raises(RuntimeError, match="carries no strokes"):
            stylizer.follow(flat(1))
        with pytest.raises(ValueError, match="carried from the frame before"):
            device.stylizer(networks.identity(), PICTURE, PICTURE, window=NO_WINDOW, carries=True)
