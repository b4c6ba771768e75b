"""Tables of colours, the same tests for every backend: like the reference, ahead of the network and behind it."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from framebrush.gpu.device import Device
from framebrush.gpu.frame import Frame, rgba8, yuv420p
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Size
from framebrush.gpu.stylizer import Ticket
from framebrush.gpu.temporal_window import NO_WINDOW, PAST_ONLY
from framebrush.models.colours.colour_table import ColourTable
from tests import networks
from tests.gpu.contract import STROKES, assert_alike, painted
from tests.gpu.pictures import noise, scene

pytestmark = pytest.mark.unit


def bent(size: int = 9, seed: int = 0) -> ColourTable:
    """A table that turns colours about, smoothly."""
    grid = ColourTable.identity(size).grid
    amount = np.random.default_rng(seed).uniform(0.3, 0.7, 3)
    return ColourTable(np.clip(grid[..., [1, 2, 0]] * amount + (1 - amount) * grid**1.5, 0.0, 1.0).astype(np.float32))


def with_curves() -> ColourTable:
    """Domain, curves and grid."""
    curves = np.stack([np.linspace(0.0, 1.0, 17) ** power for power in (0.5, 1.0, 2.0)]).astype(np.float32)
    return replace(bent(5, 1), curves=curves, domain_min=(0.1, 0.0, 0.05), domain_max=(0.9, 1.0, 0.8))


TABLES = {"before": (bent(), None), "after": (None, bent()), "both": (bent(17), with_curves())}


@pytest.mark.slow
@pytest.mark.parametrize("name", STROKES)
@pytest.mark.parametrize("tables", TABLES)
def test_every_device_gives_the_same_colours(tested: Device, exact: Device, name: str, tables: str) -> None:
    source, working, target = STROKES[name]
    before, after = TABLES[tables]
    style = replace(networks.strided_identity(4), before=before, after=after)
    for look in (Look(dither=False), Look(0.6, split=0.3, detail=0.5, dither=False)):
        for made in (rgba8(*target), yuv420p(*target, bits=10)):
            settings: dict[str, Any] = {"working": working, "look": look}
            expected = painted(exact, style, scene(*source), made, **settings)
            assert_alike(painted(tested, style, scene(*source), made, **settings), expected)


def test_the_identity_changes_nothing(tested: Device) -> None:
    frame, style = scene(61, 47), networks.identity()
    target = rgba8(61, 47)
    plain = painted(tested, style, frame, target, look=Look(dither=False))
    table = ColourTable.identity(33)
    same = painted(tested, replace(style, before=table, after=table), frame, target, look=Look(dither=False))
    assert_alike(same, plain, 1)


def test_a_source_goes_through_the_table_where_it_is_shown(tested: Device) -> None:
    style = replace(networks.contrast(0.0), before=bent())
    shown = painted(tested, style, scene(48, 32), rgba8(48, 32), look=Look(0.0, dither=False))
    through = painted(
        tested, replace(networks.identity(), before=bent()), scene(48, 32), rgba8(48, 32), look=Look(dither=False)
    )
    assert_alike(shown, through, 1)


@pytest.mark.parametrize("size", [(61, 47), (90, 70)])
def test_paintings_shown_again_are_coloured_once(tested: Device, exact: Device, size: Size) -> None:
    """Several frames are in flight, some steadied, and the look changes after their painting."""
    style = replace(networks.contrast(0.7), before=bent(5, 3), after=with_curves())
    source, target = rgba8(61, 47), rgba8(*size)
    frames = [scene(61, 47), noise(source), noise(source, 1), noise(source, 2)]
    looks = Look(steady=0.6, dither=False), Look(detail=0.5, dither=False), Look(0.7, split=0.4, dither=False)
    made: list[list[Frame]] = []
    for device in (exact, tested):
        with device.stylizer(style, source, target, look=looks[0], window=PAST_ONLY) as stylizer:
            fetched = []
            for look in looks[1:]:
                tickets = [stylizer.submit(frame) for frame in frames[:2]]
                stylizer.look = look
                fetched += [stylizer.fetch(ticket) for ticket in tickets]
                frames = frames[2:] + frames[:2]
            made.append(fetched)
    for theirs, ours in zip(*made, strict=True):
        assert_alike(ours, theirs)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "size", "look"),
    [
        ((61, 47), (61, 47), Look(dither=False)),
        ((61, 47), (90, 70), Look(0.7, split=0.4, dither=False)),
        ((19, 13), (19, 13), Look(steady=0.6, brush=1.0, relief=0.4, dither=False)),
    ],
)
def test_each_frame_keeps_the_table_that_it_was_submitted_with(
    device: Device, given: Size, size: Size, look: Look
) -> None:
    """A dissolve submits a new table with most frames while others are in flight.

    Each result equals a stylizer's that has the frame's table from the start.
    """
    tables = [bent(9, seed) for seed in range(3)]
    used = [tables[number] for number in (0, 0, 1, 2, 2, 1, 1)]
    source, target = rgba8(*given), rgba8(*size)
    frames = [scene(*given), *(noise(source, seed) for seed in range(len(used) - 1))]
    style = replace(networks.contrast(0.7), after=tables[0])
    window = PAST_ONLY if look.steady else NO_WINDOW

    def made(change: bool, shown: ColourTable) -> list[Frame]:
        fetched: list[Frame] = []
        own = replace(style, after=style.after if change else shown)
        with device.stylizer(own, source, target, look=look, slots=3, window=window) as stylizer:
            in_flight: deque[Ticket] = deque()
            for frame, table in zip(frames, used, strict=True):
                if len(in_flight) == 3:
                    fetched.append(stylizer.fetch(in_flight.popleft()))
                assert not change or stylizer.use_table(table)
                in_flight.append(stylizer.submit(frame))
            fetched += [stylizer.fetch(ticket) for ticket in in_flight]
        return fetched

    whole = {table: made(False, table) for table in tables}
    for number, (frame, table) in enumerate(zip(made(True, tables[0]), used, strict=True)):
        assert_alike(frame, whole[table][number], 1)
        assert any((frame.planes[0] != whole[other][number].planes[0]).any() for other in tables if other != table)


def test_frames_that_were_let_go_leave_nothing_behind(device: Device) -> None:
    """Released without a fetch, and shown or fetched again with another look, by which their output is made anew."""
    first, second = bent(9), bent(9, 1)
    style, source = replace(networks.contrast(0.7), after=first), rgba8(61, 47)
    frames, look, other = [scene(61, 47), noise(source)], Look(dither=False), Look(0.5, dither=False)
    with device.stylizer(style, source, source, look=look, slots=2) as stylizer:
        for table in (first, second, first, second):
            stylizer.use_table(table)
            for frame in frames:
                stylizer.release(stylizer.submit(frame))
        kept = stylizer.submit(frames[0])
        assert stylizer.use_table(first)
        stylizer.look = other
        both = [stylizer.fetch(stylizer.submit(frames[1])), stylizer.fetch(kept)]
    for made, frame, table in zip(both, frames[::-1], (first, second), strict=True):
        assert_alike(made, painted(device, replace(style, after=table), frame, source, look=other), 1)


@pytest.mark.parametrize(
    ("former", "table"), [(None, bent()), (bent(), None), (bent(), bent(17)), (bent(5), with_curves())]
)
def test_a_table_of_another_form_takes_a_new_stylizer(
    device: Device, former: ColourTable | None, table: ColourTable | None
) -> None:
    style, target = replace(networks.contrast(0.7), after=former), rgba8(48, 32)
    look = Look(dither=False)
    with device.stylizer(style, scene(48, 32).format, target, look=look) as stylizer:
        assert not stylizer.use_table(table)
        assert stylizer.use_table(former)
        made = stylizer.fetch(stylizer.submit(scene(48, 32)))
    assert_alike(made, painted(device, style, scene(48, 32), target, look=look), 1)
