"""The Direct3D 12 stroke kernels, run one after another, against the CPU's C kernels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager

import numpy as np
import pytest

from framebrush.gpu.cpu.stages.strips import Workers
from framebrush.gpu.d3d12 import kernels
from framebrush.gpu.d3d12.descriptors import BufferView
from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.d3d12.hlsl_sources import source
from framebrush.gpu.d3d12.pass_executor import D3D12Resources, Executor
from framebrush.gpu.d3d12.resources import Texture as D3D12Texture
from framebrush.gpu.d3d12.tensor import Flag
from framebrush.gpu.layouts import Record
from framebrush.gpu.passes import FLAG, NO_RECORDS, Buffer, ElementType, Tensor, Texture, Work
from framebrush.gpu.stages.strokes import OIL, BrushKind, layout_of
from framebrush.gpu.stages.strokes import passes as strokes
from framebrush.gpu.stages.strokes.brush_maps import MAP_PLANES, planes
from framebrush.gpu.stages.strokes.laying import times_of
from framebrush.gpu.unfinished import Times
from framebrush.models.brushes import NO_MAPS, Maps
from tests.gpu.easel import (
    KINDS,
    LIMITS,
    RAISED,
    SIZES,
    Easel,
    Floats,
    Painted,
    Values,
    assert_carried,
    assert_drawn,
    assert_finest_left_out,
    assert_revealed,
    film,
)
from tests.windows.harness import read_texture, read_view, run, write_tensor
from tests.windows.test_kernels import TOLERANCE

pytestmark = [pytest.mark.windows, pytest.mark.parity]


class D3D12Easel(Easel):
    """Of Direct3D 12."""

    def __init__(
        self, device: D3D12Device, name: str, kind: BrushKind, maps: Maps, workers: Workers, stack: ExitStack
    ) -> None:
        super().__init__(name, workers, kind, maps)
        keep, context = stack.enter_context, device.context
        memory = keep(closing(D3D12Resources(context)))
        self._device, self._executor = device, keep(closing(Executor(context, context.compute, memory, None, "test")))
        for slot in range(2):
            memory.give(FLAG, slot, keep(closing(Flag(context.native, f"flag {slot}"))).view)
            run(context.copy, *memory.change(MAP_PLANES, slot, planes(maps)))

    def fill(self, tensor: Tensor, slot: int, values: Floats) -> None:
        write_tensor(self._device, self._executor.tensor(tensor, slot), values)

    def use_times(self, slot: int, times: Times) -> None:
        changed = self._executor.memory.change(times_of(layout_of(self.settings)), slot, times.table)
        run(self._device.context.copy, *changed)

    def content(self, buffer: Buffer, slot: int = 0) -> Values:
        view, parts = self._executor.view(buffer, slot), ElementType.of(buffer.element)
        assert isinstance(view, BufferView)
        kind = "uint32" if parts.kind == "struct" else f"{parts.kind}{parts.bits}"
        lanes = parts.bits // 32 if parts.kind == "struct" else parts.lanes
        return read_view(self._device, view, np.dtype(kind).type, (buffer.count * lanes,))

    def pixels(self, texture: Texture) -> Floats:
        found = self._executor.view(texture, 0)
        assert isinstance(found, D3D12Texture)
        return read_texture(self._device, found, np.float32, ElementType.of(texture.element).lanes)

    def run(
        self, work: Work, slot: int, others: Sequence[int] = (), records: Mapping[str, Record] = NO_RECORDS
    ) -> None:
        run(self._device.context.compute, self._executor.list_of(work, slot, others=others, records=records))


@contextmanager
def easel(device: D3D12Device, name: str, kind: BrushKind = OIL, maps: Maps = NO_MAPS) -> Iterator[D3D12Easel]:
    """Yield an easel that keeps its memory until the end."""
    with ExitStack() as stack:
        yield D3D12Easel(device, name, kind, maps, stack.enter_context(closing(Workers())), stack)


@pytest.mark.parametrize("name", SIZES)
def test_strokes_are_carried_to_the_same_places(device: D3D12Device, name: str) -> None:
    with easel(device, name) as made:
        assert_carried(made)


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_strokes_are_drawn_as_on_the_processor(device: D3D12Device, name: str, kind: str) -> None:
    with easel(device, name, *KINDS[kind]) as made:
        assert_drawn(Painted(made), TOLERANCE)


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_parts_of_strokes_are_drawn_as_on_the_processor(device: D3D12Device, name: str, kind: str) -> None:
    with easel(device, name, *KINDS[kind]) as made:
        assert_revealed(Painted(made), TOLERANCE)


def test_a_picture_does_not_depend_on_the_order_of_threads(device: D3D12Device) -> None:
    with easel(device, "half") as made:
        painted = Painted(made)
        first = painted.draw()
        for _ in range(4):
            for ours, theirs in zip(painted.draw(), first, strict=True):
                np.testing.assert_array_equal(ours, theirs)
        assert made.listed().max() > 1


def test_a_tile_may_have_more_strokes_than_are_put_in_order_at_once(
    device: D3D12Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = source
    with easel(device, "half") as made:
        painted = Painted(made)
        monkeypatch.setattr(
            kernels, "source", lambda name: read(name).replace("#define SORTED 736", "#define SORTED 48")
        )
        with monkeypatch.context() as patch:
            patch.setattr(device.context, "_kernels", {})
            few, _ = painted.draw()
            drawn = device.context._kernels
        assert made.listed().max() > 96
    monkeypatch.setattr(kernels, "source", read)
    with easel(device, "half") as made:
        np.testing.assert_array_equal(few, Painted(made).draw()[0])
    for kernel in drawn.values():
        kernel.close()


@pytest.mark.parametrize("limit", LIMITS)
def test_what_there_is_no_room_for_is_left_out_from_the_finest_layer_on(
    device: D3D12Device, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(strokes, limit, LIMITS[limit])
    with easel(device, "half") as made:
        assert_finest_left_out(Painted(made))


def test_white_over_white_shows_no_underpainting(device: D3D12Device) -> None:
    """While a film moves: what strokes leave bare is the painting, not black; and most of it is under paint."""
    with easel(device, "half") as made:
        white = np.ones((3, 100, 160), np.float32)
        for place, frame in enumerate(film((80, 50), 12, 4)):
            made.see(place % 2, frame, place, None if place == 0 else 1 - place % 2)
            made.draw(RAISED, place % 2, white, place)
            assert made.pixels(made.picture)[..., :3].min() > 0.85
            height, cover = made.body()
            assert ((height > 0.2) | (cover < 0.5)).mean() > 0.97
