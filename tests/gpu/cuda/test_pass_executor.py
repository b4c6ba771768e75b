"""The executor of passes, with its own small kernels: memory, records, and other frames' resources."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.cuda import kernels
from framebrush.gpu.cuda.device import CudaDevice
from framebrush.gpu.cuda.native import PinnedMemory
from framebrush.gpu.cuda.pass_executor import Executor
from framebrush.gpu.device import open_device
from framebrush.gpu.passes import Addresses, Buffer, Constant, Pass, PerFrame, Texture, Work
from tests.cuda import needs_cuda
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

pytestmark = [pytest.mark.cuda, needs_cuda]

STRUCTS = """
typedef unsigned int uint;
struct Item { uint bin; float weight[3]; };
struct Window { uint from_size[2], from_origin[2], rest[6]; };
"""
KERNELS = {
    "counted": """// Group 64x1.
extern "C" __global__ void counted(const Item* items, uint* bins, Window c) {
  uint x = blockIdx.x * 64 + threadIdx.x;
  if (x < c.from_size[0]) atomicAdd(&bins[items[x].bin], c.from_origin[0] * (uint)items[x].weight[2]);
}
""",
    "carried": """// Group 64x1.
extern "C" __global__ void carried(const uint* before, const uint* bins, uint* state, Window c) {
  uint x = blockIdx.x * 64 + threadIdx.x;
  if (x < c.from_size[1]) state[x] = before[x] + bins[x];
}
""",
    "summed": """// Group 64x1.
struct Near { const uint* bins[4]; const uint* states[4]; };
extern "C" __global__ void summed(Near near, uint* state, Window c) {
  uint x = blockIdx.x * 64 + threadIdx.x, sum = 0;
  if (x >= c.from_size[1]) return;
  for (int n = 0; n < 4; n++) sum += near.states[n] ? near.states[n][x] : 0;
  state[x] = sum;
}
""",
    "drawn": """// Group 8x8.
extern "C" __global__ void drawn(const uint* state, float* picture, Window c) {
  uint x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < c.from_size[1] && y < 4) picture[y * c.from_size[1] + x] = (float)state[x];
}
""",
}


@pytest.fixture(scope="module")
def device() -> Iterator[CudaDevice]:
    with open_device("cuda") as opened:
        assert isinstance(opened, CudaDevice)
        yield opened


@pytest.fixture
def executor(device: CudaDevice, monkeypatch: pytest.MonkeyPatch) -> Iterator[Executor]:
    def source(name: str) -> str:
        first, _, rest = KERNELS[name].partition("\n")
        return f"{first}\n{STRUCTS}{rest}"

    monkeypatch.setattr(kernels, "source", source)
    device.context.native.use()
    with closing(Executor(device.context)) as made:
        yield made


def content(
    device: CudaDevice, executor: Executor, memory: Buffer | Texture, slot: int, count: int, kind: str
) -> npt.NDArray[Any]:
    with closing(PinnedMemory(device.context.native, 4 * count, "test")) as pinned:
        device.context.compute.block()
        device.context.down.download(pinned, 0, executor.memory.pointer(memory, slot), 4 * count)
        device.context.down.block()
        return pinned.mapped.view(kind).copy()


def kept(device: CudaDevice, executor: Executor, slot: int) -> npt.NDArray[Any]:
    return content(device, executor, STATE, slot, BINS, "u4")


def test_frames_carry_what_they_keep_from_one_slot_to_another(device: CudaDevice, executor: Executor) -> None:
    assert executor.queue(FIRST, 0, records={"times": record()}) == 2
    np.testing.assert_array_equal(kept(device, executor, 0), 2 * EXPECTED)
    executor.queue(NEXT, 1, others=(0,), records={"times": record()})
    np.testing.assert_array_equal(kept(device, executor, 1), 3 * EXPECTED)
    executor.queue(NEXT, 0, others=(1,), records={"times": record()})
    np.testing.assert_array_equal(kept(device, executor, 0), 4 * EXPECTED)
    np.testing.assert_array_equal(kept(device, executor, 1), 3 * EXPECTED)


def test_a_record_that_is_given_changes_what_a_pass_does(device: CudaDevice, executor: Executor) -> None:
    for times in (1, 5):
        executor.queue(FIRST, 0, records={"times": record(times)})
        np.testing.assert_array_equal(kept(device, executor, 0), 2 * times * EXPECTED)


def test_textures_are_made_at_their_first_use(device: CudaDevice, executor: Executor) -> None:
    executor.queue(FIRST, 0, records={"times": record()})
    assert not any("picture" in label for label in device.context.native.live)
    assert executor.queue(NEXT, 1, others=(0,), records={"times": record()}) == 3
    picture = content(device, executor, PICTURE, 1, 4 * BINS, "f4").reshape(4, BINS)
    np.testing.assert_array_equal(picture, np.broadcast_to(3 * EXPECTED, (4, BINS)))


def test_what_a_slot_keeps_can_be_changed(device: CudaDevice, executor: Executor) -> None:
    items = Constant("items of a slot", "struct16", item_values, kept=True)
    work = counting(items)
    executor.queue(work, 0)
    executor.queue(work, 1)
    other = item_values()
    other["bin"] = 3
    executor.memory.change(items, 1, other)
    executor.queue(work, 0)
    executor.queue(work, 1)
    np.testing.assert_array_equal(kept(device, executor, 0), 2 * EXPECTED)
    np.testing.assert_array_equal(kept(device, executor, 1), 2 * EXPECTED.sum() * (np.arange(BINS) == 3))


def test_threads_can_be_counted_in_groups(device: CudaDevice, executor: Executor) -> None:
    count = Pass("counted", (ITEMS,), (COUNTS,), (-(-COUNT // 64), 1), record(), clears=(COUNTS,), groups=True)
    carry = Pass("carried", (COUNTS, COUNTS), (STATE,), (1, 1), record(), groups=True)
    executor.queue(Work("groups", (count, carry)), 0)
    np.testing.assert_array_equal(kept(device, executor, 0), 2 * EXPECTED)


def test_kernels_find_what_several_frames_keep(device: CudaDevice, executor: Executor) -> None:
    for slot, times in ((0, 1), (1, 2), (2, 3)):
        executor.queue(FIRST, slot, records={"times": record(times)})
    summed = Pass("summed", (Addresses((COUNTS, STATE), 4),), (STATE,), (BINS, 1), record())
    executor.queue(Work("summed", (summed,)), 3, others=(2, 0))
    np.testing.assert_array_equal(kept(device, executor, 3), 2 * (3 + 1) * EXPECTED)


def test_what_is_not_there_is_named(executor: Executor) -> None:
    work = Work("lost", (Pass("carried", (PerFrame("picture"), COUNTS), (STATE,), (BINS, 1), record()),))
    with pytest.raises(LookupError, match="slot 2 was given no picture"):
        executor.queue(work, 2)
