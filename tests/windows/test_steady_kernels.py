"""The kernels of the filter over time, one after another, against their float64 reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import cycle, product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu import tiles
from framebrush.gpu.d3d12.descriptors import BufferView
from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.d3d12.fenced_queue import CommandList
from framebrush.gpu.d3d12.pass_executor import Executor
from framebrush.gpu.d3d12.slot import D3D12Slot
from framebrush.gpu.frame import rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.passes import Buffer
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages.steady import BLOCK_PX, reference
from framebrush.gpu.stages.steady.passes import Steadying
from framebrush.gpu.temporal_window import CENTRED
from framebrush.models.style import Style
from tests.gpu.film import MovedScene, moved_scene, of_words, padded
from tests.inside import executor_of, passes_of
from tests.networks import identity
from tests.windows.harness import read_tensor, read_view, run, slots_of, write_tensor
from tests.windows.test_kernels import TOLERANCE

pytestmark = [pytest.mark.windows, pytest.mark.parity]

SIZES = [(90, 62), (64, 48), (17, 16), (5, 3), (1, 1)]
STRIDE = 4


@dataclass
class Film(MovedScene):
    """Its frames in slots, and what mixes them."""

    slots: list[D3D12Slot]
    steadying: Steadying
    executor: Executor

    def lists(self, own: int, before: Sequence[int], after: Sequence[int], strength: float) -> list[CommandList]:
        """What makes the result of a slot."""
        steps = self.steadying.steps(own, before, after, Look(steady=strength))
        return self.executor.lists_of(*steps)

    def view(self, buffer: Buffer, slot: int = 0) -> BufferView:
        found = self.executor.view(buffer, slot)
        assert isinstance(found, BufferView)
        return found


@contextmanager
def film(device: D3D12Device, size: tuple[int, int], scale: int = 1) -> Iterator[Film]:
    """A scene and the same one, moved twice by some pixels and with noise, in codes of 8 bits."""
    width, height = size
    card = replace(identity().card, stride=STRIDE, scale=scale)
    picture = rgba8(width, height)
    sizes = Sizes.of(size, None, (width * scale, height * scale), scale)
    plan = tiles.plan(width, height, card, "off")
    settings = Settings(Style(card, b""), picture, rgba8(*sizes.target), sizes, plan, Look(), 1, window=CENTRED)
    frames = moved_scene(size, scale).frames
    slots, stack = slots_of(device, settings, 3)
    executor, steadying = executor_of(slots[0]), Steadying(settings, passes_of(slots[0]))
    with stack:
        for slot, (source, painting) in zip(slots, frames, strict=True):
            slot.begin(Look(), ())
            write_tensor(device, slot.frame, padded(source, slot.frame.shape[1:]))
            write_tensor(device, slot.styled, padded(painting, slot.styled.shape[1:]))
            run(device.context.compute, executor.list_of(steadying.levels, slot.index))
        yield Film(frames, slots, steadying, executor)


@pytest.mark.parametrize("scale", [1, 3])
@pytest.mark.parametrize("size", SIZES)
def test_steady_levels(device: D3D12Device, size: tuple[int, int], scale: int) -> None:
    with film(device, size, scale) as made:
        for number, slot in enumerate(made.slots):
            want = made.levels(number)
            fine = made.steadying.fine
            got = of_words(read_view(device, made.view(fine, slot.index), np.uint32, (fine.count,)), want.shape)
            np.testing.assert_array_equal(got, want)
            cells = reference.cells(want)
            got = read_view(device, made.view(made.steadying.means, slot.index), np.float16, cells.shape)
            assert np.abs(got - cells).max() <= TOLERANCE["steady_levels"]


def steady(device: D3D12Device, made: Film, after: int, strength: float = 0.5) -> None:
    """Make the first frame's result from those after it."""
    run(device.context.compute, *made.lists(0, (), range(1, 1 + after), strength))


def read_vectors(device: D3D12Device, view: BufferView, like: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    return np.moveaxis(read_view(device, view, np.int32, (*like.shape[1:], 2)), -1, 0)[::-1]


@pytest.mark.parametrize("size", SIZES)
def test_steady_motion(device: D3D12Device, size: tuple[int, int]) -> None:
    """Both searches."""
    with film(device, size) as made:
        for number in (0, 1):
            steady(device, made, after=number + 1)
            want = reference.motion(made.levels(number), made.levels(number + 1))
            got = read_vectors(device, made.view(made.steadying.found), want)
            np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE["steady_motion"])
            if min(size) > 2 * BLOCK_PX:
                assert want.any()


@pytest.mark.parametrize("after", [1, 2])
@pytest.mark.parametrize("size", SIZES)
def test_steady_follow(device: D3D12Device, size: tuple[int, int], after: int) -> None:
    with film(device, size) as made:
        steady(device, made, after)
        want, sure = made.vectors()[after - 1], made.sureness()[after - 1]
        shape = (made.steadying.motion.count // (3 * sure.size), *sure.shape, 3)
        motion = read_view(device, made.view(made.steadying.motion), np.uint32, shape)[after - 1]
        np.testing.assert_array_equal(np.moveaxis(motion[..., :2].view(np.int32), -1, 0)[::-1], want)
        np.testing.assert_allclose(motion[..., 2].view(np.float32), sure, rtol=0, atol=TOLERANCE["steady_follow"])
        if min(size) > 2 * BLOCK_PX:
            assert sure.max() == 1.0 > sure.min()


@pytest.mark.parametrize(
    ("of", "strength"), list(zip(product(SIZES[:3], (1, 2, 3)), cycle([0.0, 0.1, 0.5, 1.0]), strict=False))
)
def test_steady_mix(device: D3D12Device, of: tuple[tuple[int, int], int], strength: float) -> None:
    """The frame in the middle, with a neighbour on either side, and the first with both of the others."""
    size, scale = of
    with film(device, size, scale) as made:
        for own, before, after in ((1, [0], [2]), (0, [], [1, 2])):
            run(device.context.compute, *made.lists(own, before, after, strength))
            shown, coming = ([made.frames[number] for number in side] for side in (before, after))
            want = reference.steadied(made.frames[own], shown, coming, strength)
            steadied = made.slots[own].steadied
            assert steadied is not None
            got = read_tensor(device, steadied)[:, : want.shape[1], : want.shape[2]]
            np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE["steady_mix"])
