"""The kernels of the filter over time, one after another, against their float64 reference."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
import win32more.Windows.Win32.Graphics.Direct3D12 as D

from framebrush.gpu import tiles
from framebrush.gpu.d3d12.commands import Recorder
from framebrush.gpu.d3d12.descriptors import TypedView
from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.d3d12.resampling import Resampling
from framebrush.gpu.d3d12.resources import Buffer
from framebrush.gpu.d3d12.slot import Slot
from framebrush.gpu.d3d12.steady import Steadying
from framebrush.gpu.frame import rgba8
from framebrush.gpu.look import Look, ToneMap
from framebrush.gpu.reference import steady as reference
from framebrush.gpu.scaling import Scaling
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.steady import BLOCK_PX, CENTRED, COARSE_CELLS, offsets
from framebrush.gpu.stylizer import Settings
from framebrush.models.style import Style
from tests.gpu.test_steady import texture
from tests.networks import identity
from tests.windows.harness import read_tensor, run, write_tensor
from tests.windows.test_kernels import TOLERANCE

pytestmark = [pytest.mark.windows, pytest.mark.parity]

SIZES = [(90, 62), (64, 48), (17, 16), (5, 3), (1, 1)]
STRIDE = 4


class Pair(NamedTuple):
    """Two slots, their sources (3, H, W) and paintings, and what mixes them."""

    slots: list[Slot]
    sources: list[npt.NDArray[np.float64]]
    styled: list[npt.NDArray[np.float64]]
    steadying: Steadying


@contextmanager
def pair(device: D3D12Device, size: tuple[int, int], scale: int = 1) -> Iterator[Pair]:
    """A scene and the same one, moved by some pixels and with noise, in codes of 8 bits."""
    width, height = size
    card = replace(identity().card, stride=STRIDE, scale=scale)
    picture = rgba8(width, height)
    sizes = Sizes.of(size, None, (width * scale, height * scale), scale)
    plan = tiles.plan(width, height, card, "off")
    settings = Settings(Style(card, b""), picture, rgba8(*sizes.target), sizes, plan, Look(), 1, window=CENTRED)
    chance = np.random.default_rng(2)
    scene = np.moveaxis(texture(width + 20, height + 20), -1, 0)
    scene[:, :, : width // 3] = 90  # flat: nothing to find
    noise = np.rint(chance.normal(0, 1.5, (2, 3, height, width)))
    places = [scene[:, 10 : 10 + height, 10 : 10 + width], scene[:, 7 : 7 + height, 15 : 15 + width]]
    sources = [np.rint(place + own) / 255 for place, own in zip(places, noise, strict=True)]
    styled = [chance.normal(0.5, 0.4, (3, height * scale, width * scale)) for _ in sources]
    styled[1][:, 0, 0] = np.nan
    with ExitStack() as stack:
        scaling = stack.enter_context(closing(Scaling(settings.sizes, partial(Resampling, device))))
        slots = [stack.enter_context(closing(Slot(device, n, settings, scaling, None))) for n in (0, 1)]
        steadying = stack.enter_context(closing(Steadying(device, settings, slots, None)))
        for slot, source, painting in zip(slots, sources, styled, strict=True):
            slot.begin(ToneMap.BT2390, ())
            write_tensor(device, slot.frame, _padded(source, slot.frame.shape))
            write_tensor(device, slot.styled, _padded(painting, slot.styled.shape))
            run(device.compute, steadying.levels[slot.index])
        yield Pair(slots, sources, styled, steadying)


def _padded(picture: npt.NDArray[np.float64], shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """With nonsense in the padding, of which nothing may be seen."""
    whole = np.full(shape[1:], 77.0)
    whole[:, : picture.shape[1], : picture.shape[2]] = picture
    return whole


def read(device: D3D12Device, view: TypedView, kind: type[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """The content of a buffer."""
    count = int(np.prod(shape)) * np.dtype(kind).itemsize
    memory = Buffer(device.native, -(-count // 4) * 4, "test readback", heap=D.D3D12_HEAP_TYPE_READBACK)
    recorder = Recorder(device.native, D.D3D12_COMMAND_LIST_TYPE_COPY, "test copy")

    class Whole:
        com = view.com

    recorder.begin().copy_bytes(memory, 0, Whole, 0, memory.size_bytes)  # type: ignore[arg-type]
    run(device.copy, recorder.end())
    values = memory.mapped[:count].view(kind).reshape(shape).copy()
    for thing in (recorder, memory):
        thing.close()
    return values


@pytest.mark.parametrize("size", SIZES)
def test_steady_levels(device: D3D12Device, size: tuple[int, int]) -> None:
    with pair(device, size) as made:
        for slot, source in zip(made.slots, made.sources, strict=True):
            want = reference.levels(source)
            got = read(device, made.steadying._fine[slot.index], np.float16, want.shape)
            assert np.abs(got - want).max() <= TOLERANCE["steady_levels"]
            cells = reference.cells(want)
            got = read(device, made.steadying._means[slot.index], np.float16, cells.shape)
            assert np.abs(got - cells).max() <= TOLERANCE["steady_levels"]


@pytest.mark.parametrize("size", SIZES)
def test_steady_motion(device: D3D12Device, size: tuple[int, int]) -> None:
    """Both searches: the ranks of the first are those of the best vectors in their rows."""
    with pair(device, size) as made:
        run(device.compute, *made.steadying.lists(made.slots[0], made.slots[1:], 0.5))
        want = reference.motion(*made.sources)
        shape = (*want.shape[1:], 2)
        got = np.moveaxis(read(device, made.steadying._vectors, np.int32, shape), -1, 0)[::-1]
        np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE["steady_motion"])
        if min(size) > 2 * BLOCK_PX:
            assert want.any()
        ranks = read(device, made.steadying._ranks, np.uint32, (*want.shape[1:], 2 * COARSE_CELLS + 1))
        order = {(y, x): n for n, (y, x) in enumerate(offsets(COARSE_CELLS))}
        for row, column in zip(*np.nonzero(ranks.min(axis=-1) < 0xFFFFFFFF), strict=True):
            within = int(ranks[row, column].min()) % 1024
            assert (within // 9 % 9 - COARSE_CELLS, within % 9 - COARSE_CELLS) in order
            steps = sum(map(abs, (within // 9 % 9 - COARSE_CELLS, within % 9 - COARSE_CELLS)))
            assert within // 81 == steps


@pytest.mark.parametrize("size", SIZES)
def test_steady_difference(device: D3D12Device, size: tuple[int, int]) -> None:
    with pair(device, size) as made:
        run(device.compute, *made.steadying.lists(made.slots[0], made.slots[1:], 0.5))
        own, near = (reference.sixteenths(source) for source in made.sources)
        want = np.abs(own - reference.moved(near, reference.motion(*made.sources))).max(axis=0)
        got = read(device, made.steadying._differences, np.float32, want.shape)
        np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE["steady_difference"])


@pytest.mark.parametrize("strength", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("size", SIZES)
def test_steady_likeness(device: D3D12Device, size: tuple[int, int], strength: float) -> None:
    with pair(device, size) as made:
        run(device.compute, *made.steadying.lists(made.slots[0], made.slots[1:], strength))
        want = reference.weights(*made.sources, reference.motion(*made.sources), strength)
        got = read(device, made.steadying._likeness, np.float32, want.shape)
        np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE["steady_likeness"])


@pytest.mark.parametrize("scale", [1, 2, 3])
@pytest.mark.parametrize("strength", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("size", SIZES[:3])
def test_steady_mix(device: D3D12Device, size: tuple[int, int], strength: float, scale: int) -> None:
    with pair(device, size, scale) as made:
        run(device.compute, *made.steadying.lists(made.slots[0], made.slots[1:], strength))
        own, near = map(reference.Painted, made.sources, made.styled)
        want = reference.steadied(own, [near], strength)
        steadied = made.slots[0].steadied
        assert steadied is not None
        got = read_tensor(device, steadied)[:, : want.shape[1], : want.shape[2]]
        np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE["steady_mix"])
