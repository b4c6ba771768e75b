"""The executor of passes, with its own small kernels: memory, order, records, and other frames' resources."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.d3d12 import kernels
from framebrush.gpu.d3d12.descriptors import BufferView
from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.d3d12.pass_executor import D3D12Resources, Executor
from framebrush.gpu.passes import Addresses, Buffer, Constant, Pass, PerFrame, Work
from tests.gpu.counting import (
    BINS,
    COUNT,
    COUNTS,
    EXPECTED,
    FIRST,
    ITEMS,
    NEXT,
    PICTURE,
    STATE,
    counting,
    item_values,
    record,
)
from tests.windows.harness import read_texture, read_view, run

pytestmark = pytest.mark.windows

CONSTANTS = "cbuffer Constants : register(b0) { uint2 from_size, from_origin; };\n"  # of WINDOW: two of its fields
KERNELS = {
    # As many items as from_size.x, each in its bin, whose numbers become those of from_origin.x times as many.
    "counted": """
struct Item { uint bin; float3 weight; };
StructuredBuffer<Item> items : register(t0);
RWBuffer<uint> bins : register(u0);
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x < from_size.x) InterlockedAdd(bins[items[id.x].bin], from_origin.x * uint(items[id.x].weight.z));
}
""",
    # Items that a pass makes, each in the bin of the one before it.
    "made": """
struct Item { uint bin; float3 weight; };
StructuredBuffer<Item> items : register(t0);
RWStructuredBuffer<Item> others : register(u0);
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= from_size.x) return;
  others[id.x] = items[id.x];
  others[id.x].bin = others[id.x].bin == 0 ? from_size.y - 1 : others[id.x].bin - 1;
}
""",
    # The numbers of the frame before and of this one.
    "carried": """
Buffer<uint> before : register(t0);
Buffer<uint> bins : register(t1);
RWBuffer<uint> state : register(u0);
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x < from_size.y) state[id.x] = before[id.x] + bins[id.x];
}
""",
    # A picture of rows of these numbers.
    "drawn": """
Buffer<uint> state : register(t0);
RWTexture2D<float> picture : register(u0);
[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  picture[id.xy] = float(state[id.x]);
}
""",
}


@pytest.fixture
def executor(device: D3D12Device, monkeypatch: pytest.MonkeyPatch) -> Iterator[Executor]:
    monkeypatch.setattr(kernels, "source", lambda name: CONSTANTS + KERNELS[name])
    with ExitStack() as stack:
        context = device.context
        memory = stack.enter_context(closing(D3D12Resources(context)))
        yield stack.enter_context(closing(Executor(context, context.compute, memory, None, "test")))


def kept(device: D3D12Device, executor: Executor, slot: int) -> npt.NDArray[Any]:
    view = executor.view(STATE, slot)
    assert isinstance(view, BufferView)
    return read_view(device, view, np.uint32, (BINS,))


def test_frames_carry_what_they_keep_from_one_slot_to_another(device: D3D12Device, executor: Executor) -> None:
    compute = device.context.compute
    run(compute, executor.list_of(FIRST, 0, records={"times": record()}))
    np.testing.assert_array_equal(kept(device, executor, 0), 2 * EXPECTED)
    run(compute, executor.list_of(NEXT, 1, others=(0,), records={"times": record()}))
    np.testing.assert_array_equal(kept(device, executor, 1), 3 * EXPECTED)
    run(compute, executor.list_of(NEXT, 0, others=(1,), records={"times": record()}))
    np.testing.assert_array_equal(kept(device, executor, 0), 4 * EXPECTED)
    np.testing.assert_array_equal(kept(device, executor, 1), 3 * EXPECTED)


def test_a_record_that_is_given_changes_what_a_list_does(device: D3D12Device, executor: Executor) -> None:
    first = executor.list_of(FIRST, 0, records={"times": record()})
    run(device.context.compute, first)
    assert executor.is_given(0, {"times": record()})
    assert not executor.is_given(0, {"times": record(5)})
    assert not executor.is_given(1, {"times": record()})
    again = executor.list_of(FIRST, 0, records={"times": record(5)})
    assert again is first
    run(device.context.compute, again)
    np.testing.assert_array_equal(kept(device, executor, 0), 10 * EXPECTED)


def test_textures_are_made_at_their_first_use(device: D3D12Device, executor: Executor) -> None:
    run(device.context.compute, executor.list_of(FIRST, 0, records={"times": record()}))
    assert not any("picture" in label for label in device.context.native.live)
    run(device.context.compute, executor.list_of(NEXT, 1, others=(0,), records={"times": record()}))
    texture = executor.view(PICTURE, 1)
    assert not isinstance(texture, BufferView)
    picture = read_texture(device, texture, np.float32)[..., 0]
    np.testing.assert_array_equal(picture, np.broadcast_to(3 * EXPECTED, (4, BINS)))


def test_what_a_slot_keeps_can_be_changed(device: D3D12Device, executor: Executor) -> None:
    items = Constant("items of a slot", "struct16", item_values, kept=True)
    work = counting(items)
    run(device.context.compute, executor.list_of(work, 0), executor.list_of(work, 1))
    other = item_values()
    other["bin"] = 3
    run(device.context.copy, *executor.memory.change(items, 1, other))
    run(device.context.compute, executor.list_of(work, 0), executor.list_of(work, 1))
    np.testing.assert_array_equal(kept(device, executor, 0), 2 * EXPECTED)
    np.testing.assert_array_equal(kept(device, executor, 1), 2 * EXPECTED.sum() * (np.arange(BINS) == 3))


def test_passes_make_structures_for_others(device: D3D12Device, executor: Executor) -> None:
    made = Buffer("made", "struct16", COUNT)
    work = Work(
        "made",
        (
            Pass("made", (ITEMS,), (made,), (COUNT, 1), record(), clears=(made,)),
            Pass("counted", (made,), (COUNTS,), (COUNT, 1), record(), clears=(COUNTS,)),
            Pass("carried", (COUNTS, COUNTS), (STATE,), (BINS, 1), record()),
        ),
    )
    run(device.context.compute, executor.list_of(work, 0))
    np.testing.assert_array_equal(kept(device, executor, 0), 2 * np.roll(EXPECTED, -1))


def test_threads_can_be_counted_in_groups(device: D3D12Device, executor: Executor) -> None:
    count = Pass("counted", (ITEMS,), (COUNTS,), (-(-COUNT // 64), 1), record(), clears=(COUNTS,), groups=True)
    carry = Pass("carried", (COUNTS, COUNTS), (STATE,), (1, 1), record(), groups=True)
    run(device.context.compute, executor.list_of(Work("groups", (count, carry)), 0))
    np.testing.assert_array_equal(kept(device, executor, 0), 2 * EXPECTED)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (PerFrame("picture"), "slot 2 was given no picture"),
        (Addresses((STATE,), 4), "kernels of HLSL have no addresses"),
    ],
)
def test_what_is_not_there_is_named(executor: Executor, asked: PerFrame | Addresses, message: str) -> None:
    work = Work("lost", (Pass("carried", (asked, COUNTS), (STATE,), (BINS, 1), record()),))
    with pytest.raises(LookupError, match=message):
        executor.list_of(work, 2)
    executor.list_of(FIRST, 2, records={"times": record()})  # no list was left open
