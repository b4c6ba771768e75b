"""A frame's neighbours, and its wait for them: rules of the base class, tested on the reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest

from framebrush.gpu.frame import Frame, rgba8
from framebrush.gpu.look import Look, ToneMap
from framebrush.gpu.reference.device import ReferenceDevice, ReferenceSlot, ReferenceStylizer
from framebrush.gpu.reference.device import list_devices as reference_devices
from framebrush.gpu.stylizer import Stylizer, Ticket
from framebrush.gpu.temporal_window import TemporalWindow
from tests import networks
from tests.inside import free_slots

pytestmark = pytest.mark.unit


class _MeanOfThree(ReferenceStylizer):
    """Each result is the mean of the outputs of a frame and its neighbours."""

    places: ClassVar[list[int]] = []

    def _combine(
        self,
        slot: ReferenceSlot,
        before: Sequence[ReferenceSlot],
        after: Sequence[ReferenceSlot],
        last: ReferenceSlot | None,
        look: Look,
        place: int,
    ) -> None:
        self.places.append(place)
        slot.result = np.mean([near.styled for near in (slot, *before, *after)], axis=0)


class _MeanDevice(ReferenceDevice):
    stylizer_class = _MeanOfThree


def flat(level: int) -> Frame:
    frame = rgba8(4, 2).allocate()
    frame.planes[0][:] = level
    return frame


def level(frame: Frame) -> int:
    return int(frame.planes[0][0, 0, 0])


@pytest.fixture
def averaging() -> Iterator[Stylizer[Any]]:
    with (
        _MeanDevice(reference_devices()[0]) as device,
        device.stylizer(
            networks.identity(), rgba8(4, 2), rgba8(4, 2), look=Look(dither=False), slots=2, window=TemporalWindow(1, 1)
        ) as stylizer,
    ):
        yield stylizer


def test_a_result_waits_for_its_neighbours(averaging: Stylizer[Any]) -> None:
    assert averaging.slots == 3  # one more than asked for, so that the delay stalls nobody
    first = averaging.submit(flat(30))
    with pytest.raises(RuntimeError, match=r"^frame 0 needs 1 frames after it; submit them or flush$"):
        averaging.fetch(first)
    second = averaging.submit(flat(60))
    assert level(averaging.fetch(first)) == 45
    third = averaging.submit(flat(120))
    assert level(averaging.fetch(second)) == 70
    averaging.flush()
    assert level(averaging.fetch(third)) == 90


def test_frames_are_counted_from_0_and_from_a_place_that_is_given(averaging: Stylizer[Any]) -> None:
    _MeanOfThree.places.clear()
    for place in (None, None, 7, None, 3):
        averaging.fetch(_flushed(averaging, averaging.submit(flat(10), place=place)))
    assert _MeanOfThree.places == [0, 1, 7, 8, 3]


def _flushed(stylizer: Stylizer[Any], ticket: Ticket) -> Ticket:
    stylizer.flush()
    return ticket


def test_leaving_a_stylizer_closes_it() -> None:
    with _MeanDevice(reference_devices()[0]) as device:
        with device.stylizer(networks.identity(), rgba8(4, 2), rgba8(4, 2)) as stylizer:
            pass
        with pytest.raises(RuntimeError, match=r"^the stylizer is closed$"):
            stylizer.submit(flat(10))


def test_a_flush_starts_anew(averaging: Stylizer[Any]) -> None:
    tickets = [averaging.submit(flat(value)) for value in (10, 20)]
    averaging.flush()
    after = averaging.submit(flat(200))
    assert [level(averaging.fetch(ticket)) for ticket in tickets] == [15, 15]
    averaging.flush()
    assert level(averaging.fetch(after)) == 200


def test_neighbours_that_were_painted_otherwise_take_no_part(averaging: Stylizer[Any]) -> None:
    """Between the second frame and the third the tone mapping changes, which shows in no frame of SDR."""
    tickets = [averaging.submit(flat(30)), averaging.submit(flat(60))]
    averaging.look = replace(averaging.look, tone_map=ToneMap.HABLE)
    tickets.append(averaging.submit(flat(150)))
    assert [level(averaging.fetch(ticket)) for ticket in tickets[:2]] == [45, 45]
    averaging.flush()
    assert level(averaging.fetch(tickets[2])) == 150


def test_a_flush_gives_the_slots_of_its_frames_back(averaging: Stylizer[Any]) -> None:
    for value in range(0, 200, 10):
        first, second = averaging.submit(flat(value)), averaging.submit(flat(value))
        averaging.release(first)
        averaging.flush()
        assert level(averaging.fetch(second)) == value
    free = free_slots(averaging)
    assert len({id(slot) for slot in free}) == len(free) == averaging.window.frames(2)


def test_a_frame_whose_start_fails_leaves_its_slot(averaging: Stylizer[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for step, at_once in (("_run", True), ("_combine", False)):
        with monkeypatch.context() as failing:
            failing.setattr(averaging, step, lambda *_: 1 / 0)
            first = None if at_once else averaging.submit(flat(1))
            with pytest.raises(ZeroDivisionError):
                averaging.submit(flat(2))
        if first is not None:
            averaging.release(first)
        averaging.flush()
        assert (
            len({id(slot) for slot in free_slots(averaging)})
            == len(free_slots(averaging))
            == averaging.window.frames(2)
        )
        kept = [averaging.submit(flat(value)) for value in (30, 60)]
        averaging.flush()
        assert [level(averaging.fetch(ticket)) for ticket in kept] == [45, 45]


def test_a_window_keeps_neighbours_that_were_released(averaging: Stylizer[Any]) -> None:
    averaging.release(averaging.submit(flat(10)))
    averaging.release(averaging.submit(flat(40)))
    kept = averaging.submit(flat(70))
    for value in (100, 130, 160, 190, 220):
        averaging.release(averaging.submit(flat(value)))
    assert level(averaging.fetch(kept)) == 70
    assert len({id(slot) for slot in free_slots(averaging)}) == len(free_slots(averaging))


def test_a_window_over_a_long_sequence(averaging: Stylizer[Any]) -> None:
    values = [int(value) for value in np.random.default_rng(1).integers(0, 256, 40)]
    waiting: list[Ticket] = []
    results: list[int] = []
    for value in values:
        if len(waiting) == averaging.slots:
            results.append(level(averaging.fetch(waiting.pop(0))))
        waiting.append(averaging.submit(flat(value)))
    averaging.flush()
    results += [level(averaging.fetch(ticket)) for ticket in waiting]
    means = [np.mean(values[max(0, index - 1) : index + 2]) for index in range(len(values))]
    assert np.abs(np.array(results) - means).max() <= 0.5 + 1e-9
