"""Advected strokes on every backend: a part of a film has the whole film's strokes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.cpu.stages.strips import Workers
from framebrush.gpu.cpu.stages.strokes import Carrier, Guides
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.frame import Frame
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages.strokes import FORGOTTEN, GRADES, OIL, UNFOLLOWED, WARM_UP_FRAMES, StrokeLayout, reference
from framebrush.gpu.stages.strokes.advection import search_plane, strokes_at_home
from framebrush.gpu.stages.strokes.stroke_samples import SEEN, looks_at
from framebrush.gpu.stylizer import Ticket
from framebrush.gpu.temporal_window import CENTRED, PAST_ONE, TemporalWindow
from framebrush.models.brushes import MAP_SIDE, NO_MAPS, Maps
from tests import networks
from tests.gpu.contract import codes
from tests.gpu.test_steady import fed, rgba, texture
from tests.inside import slot_of

pytestmark = pytest.mark.unit

LOOK = Look(steady=0.5, brush=1.0, dither=False)
STEP = 2


def pan(count: int, first: int = 0, seed: int = 3) -> list[Frame]:
    """A scene past which a camera moves STEP pixels a frame, from a place on."""
    width, height = 96, 64
    far = texture(width + (first + count) * STEP, height, seed)
    return [rgba(far[:, STEP * number : STEP * number + width]) for number in range(first, first + count)]


Offsets = list[npt.NDArray[np.integer]]


class Strokes:
    """Where strokes are in frames of a stylizer."""

    def __init__(self, device: Device, window: TemporalWindow = PAST_ONE) -> None:
        frame = pan(1)[0]
        self.device = device
        self.stylizer = device.stylizer(
            networks.identity(), frame.format, frame.format, look=LOOK, window=window, carries=True
        )

    def paint(self, frames: Sequence[Frame], first: int, *, brush: float = 1.0) -> list[Offsets]:
        """Of each frame, in order."""
        return [
            self._of(self.stylizer.submit(frame, place=place, look=replace(LOOK, brush=brush)))
            for place, frame in enumerate(frames, first)
        ]

    def _of(self, ticket: Ticket) -> Offsets:
        stylizer: Any = self.stylizer
        slot = slot_of(stylizer, ticket)
        stylizer.fetch(ticket)
        return [np.array(offsets) for offsets in slot.strokes.offsets]


@pytest.fixture
def cpu() -> Any:  # noqa: ANN401
    with open_device("cpu") as opened:
        yield opened


def looks_of(strokes: Strokes) -> list[npt.NDArray[np.integer]]:
    """Return the samples of the last frame's strokes."""
    stylizer: Any = strokes.stylizer
    return [np.array(looks) for looks in stylizer._in_flight.frames[-1].slot.strokes.looks]


def same(ours: Sequence[Offsets], theirs: Sequence[Offsets]) -> bool:
    return all(
        np.array_equal(one, other)
        for ours_, theirs_ in zip(ours, theirs, strict=True)
        for one, other in zip(ours_, theirs_, strict=True)
    )


@pytest.mark.slow
def test_a_part_has_the_strokes_of_the_whole_where_the_frames_before_it_are_followed(cpu: Device) -> None:
    count, first = WARM_UP_FRAMES + 12, WARM_UP_FRAMES + 6
    film = pan(count)
    whole = Strokes(cpu).paint(film, 0)[first:]
    assert not same(whole[:1], whole[1:2])  # they move
    for warm_up, expected in ((WARM_UP_FRAMES, True), (20, False)):
        part = Strokes(cpu)
        for place in range(first - warm_up, first):
            part.stylizer.follow(film[place], place=place)
        assert same(part.paint(film[first:], first), whole) is expected


def test_a_look_without_a_brush_carries_them_all_the_same(cpu: Device) -> None:
    film = pan(16)
    painted, changed = Strokes(cpu), Strokes(cpu)
    expected = painted.paint(film, 0)
    assert same([*changed.paint(film[:12], 0, brush=0.0), *changed.paint(film[12:], 12)], expected)


@pytest.mark.slow
def test_each_frame_has_those_of_the_reference(cpu: Device, exact: Device) -> None:
    film = pan(14)
    followed, expected = Strokes(cpu), Strokes(exact)
    for strokes in (followed, expected):
        for place, frame in enumerate(film[:10]):
            strokes.stylizer.follow(strokes.device.upload(frame), place=place)
    assert same(followed.paint(film[10:], 10, brush=0.0), expected.paint(film[10:], 10, brush=0.0))
    for words, wanted in zip(looks_of(followed), looks_of(expected), strict=True):
        pairs = words.view(np.uint32).reshape(*words.shape[:2], 2, 2)
        shifts = [(0, 0, 10), (0, 10, 10), (0, 20, 10), (1, 0, 7), (1, 7, 8), (1, 15, 8), (1, 23, 9)]
        values = [pairs[:, :, half, word] >> shift & (1 << bits) - 1 for half in (0, 1) for word, shift, bits in shifts]
        apart = np.abs(np.stack(values, axis=-1).astype(int) - wanted[..., : 2 * SEEN])
        assert (apart > 1).mean() <= 0.002  # where it is flat, a direction is anyone's
        np.testing.assert_array_equal(pairs[:, :, 1, 0] >> 30, wanted[..., 2 * SEEN])
    assert max(wanted[..., 2 * SEEN].max() for wanted in looks_of(expected)) == 1  # of frame 12 alone


def test_after_a_cut_strokes_begin_anew(cpu: Device) -> None:
    before, after = pan(8), pan(4, first=40, seed=9)
    begun = Strokes(cpu).paint(after, 8)
    assert same(Strokes(cpu).paint([*before, *after], 0)[8:], begun)
    assert not same(Strokes(cpu).paint(pan(12), 0)[8:], begun)


def test_what_has_passed_is_forgotten() -> None:
    """A third sample like the first two makes three; an unlike one starts anew.

    The film is still, and only the painting changes.
    """
    sizes, height, width = Sizes.of((96, 64), (96, 64), (96, 64), 1, None), 64, 96
    layout, film = StrokeLayout.of(OIL, sizes), np.full((3, height, width), 0.5, np.float32)
    for lighter, count in ((FORGOTTEN - 2, 3), (FORGOTTEN + 2, 1)):
        paintings = [np.full_like(film, (300 + each) / GRADES) for each in (0, 0, lighter)]
        expected = strokes_at_home(search_plane(film.astype(np.float64)), 0, layout)
        with closing(Workers()) as workers:
            carriage, guides = Carrier(layout, sizes, workers).allocate(), Guides(layout, sizes, workers)
            for offsets, theirs in zip(carriage.offsets, expected.offsets, strict=True):
                offsets[:] = theirs
            for painting in paintings:
                guides.sample(painting, film, carriage)
                expected = reference.sample_painting(
                    painting.astype(np.float64), film.astype(np.float64), expected, layout
                )
        for words, wanted in zip(carriage.looks, expected.looks, strict=True):
            there = wanted[wanted[..., 2 * SEEN] > 0]
            assert set(there[:, 2 * SEEN]) == {count}
            latter = words[wanted[..., 2 * SEEN] > 0].view(np.uint32)[:, 2]
            assert set(latter >> 30) == {count}
            assert np.abs((latter & GRADES).astype(int) - (300 + (lighter if count == 1 else lighter / 3))).max() <= 1


# What is seen, on every device


def pictures(
    device: Device,
    film: Sequence[Frame],
    first: int,
    followed: int,
    *,
    looks: bool = True,
    maps_of: Callable[[int], Maps] = lambda _: NO_MAPS,
) -> list[npt.NDArray[np.int64]]:
    """Paint the frames from `first` on; the frames before its two neighbours are followed.

    Args:
        followed: number of followed frames.
        looks: whether frames that strokes sample are painted, too.
        maps_of: brush maps of a painted frame's place.
    """
    source = film[0].format
    with device.stylizer(
        networks.identity(), source, source, look=LOOK, window=CENTRED, carries=True, slots=2
    ) as stylizer:
        begin = max(0, first - CENTRED.before)
        for place in range(begin - followed, begin):
            if looks and looks_at(place):
                stylizer.maps = maps_of(place)
                stylizer.release(stylizer.submit(film[place], place=place))
            else:
                stylizer.follow(film[place], place=place)
        return [codes(frame)[0] for frame in fed(stylizer, film[begin:], begin, maps_of)[first - begin :]]


@pytest.mark.slow
def test_a_part_is_painted_as_in_the_whole(tested: Device) -> None:
    count, first = WARM_UP_FRAMES + 8, WARM_UP_FRAMES + 5
    film = pan(count)
    whole = pictures(tested, film, 0, 0)[first:]
    assert np.array_equal(pictures(tested, film, first, WARM_UP_FRAMES - CENTRED.before), whole)
    assert not np.array_equal(pictures(tested, film, first, 10), whole)
    assert not np.array_equal(pictures(tested, film, first, WARM_UP_FRAMES - CENTRED.before, looks=False), whole)


@pytest.mark.slow
def test_a_part_with_maps_that_move_is_painted_as_in_the_whole(tested: Device) -> None:
    """Frames that are followed need none; each frame that is painted has its own, that which strokes look at, too."""

    def turned(place: int) -> Maps:
        y, x = np.mgrid[:MAP_SIDE, :MAP_SIDE] / MAP_SIDE
        sizes, angle = 127.5 + 127.5 * np.sin(6.0 * x + 0.5 * place), 3.0 * y + 0.7 * place
        leads = np.rint(127.0 * np.stack([np.cos(angle), np.sin(angle)]) * (x > 0.4))
        return Maps(sizes.astype(np.uint8).tobytes(), leads.astype(np.int8).tobytes())

    count, first = WARM_UP_FRAMES + 8, WARM_UP_FRAMES + 5
    film = pan(count)
    before = WARM_UP_FRAMES - CENTRED.before
    whole = pictures(tested, film, 0, 0, maps_of=turned)[first:]
    assert np.array_equal(pictures(tested, film, first, before, maps_of=turned), whole)
    for another in (lambda place: turned(max(place, first)), lambda place: turned(min(place, first))):
        assert not np.array_equal(pictures(tested, film, first, before, maps_of=another), whole)


@pytest.mark.slow
def test_strokes_go_along_with_a_fade(tested: Device) -> None:
    """A scene that fades to black within a second stays as bright as the film."""
    scene, begins, lasts = texture(96, 64, 3), 25, 24
    film = [rgba(scene * max(0.0, 1.0 - max(0, place - begins) / lasts)) for place in range(begins + 20)]
    lighter = [
        float(shown[..., :3].mean() - codes(frame)[0][..., :3].mean())
        for frame, shown in zip(film, pictures(tested, film, 0, 0), strict=True)
    ]
    assert max(abs(each - lighter[begins]) for each in lighter[begins:]) < 255 * UNFOLLOWED
