"""The WGSL kernels of the filter over time, one after another, against their float64 reference."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest

from framebrush.gpu import tiles
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages.steady import BLOCK_PX, CELL_PX, passes, reference
from tests.gpu.film import MovedScene, moved_scene, of_words, padded
from tests.gpu.webgpu.harness import Array, Gpu, needs_vulkan
from tests.networks import identity

pytestmark = [pytest.mark.parity, needs_vulkan]

SIZES = [(90, 62), (64, 48), (17, 16), (5, 3), (1, 1)]
TOLERANCE = 1e-5  # float32 arithmetic; levels, vectors and differences are whole numbers
MEAN_TOLERANCE = 2e-5
"""Of means of paintings that are stored in 16 bits."""


@dataclass
class Film(MovedScene):
    """Moved scene, and the kernels' last results."""

    gpu: Gpu
    sizes: Sizes
    plan: tiles.Plan
    strength: float

    def __post_init__(self) -> None:
        (width, height), (across, down) = self.sizes.working, self.plan.output_size
        rows, columns = -(-height // BLOCK_PX), -(-width // BLOCK_PX)
        self.grid = columns, rows
        self.vectors_found = np.full((rows, columns, 2), 99, np.int32)
        self.motion = np.full((passes.MOST, rows, columns, 3), 99, np.uint32)
        self.total = np.full((3, down, across), 77.0, np.float32)

    def dispatch(
        self, name: str, reads: list[Array | None], writes: list[Array], threads: Size, number: int = 0, **options: int
    ) -> list[Array]:
        record = passes.constants(self.sizes, self.plan, self.strength, number)
        return self.gpu.run(Variant(name), record, reads, writes, threads, **options)

    def tensor(self, number: int) -> Array:
        """A frame as the network gets it."""
        return padded(self.frames[number].source, (3, *self.plan.padded_size[::-1])).astype(np.float32)

    def painting(self, number: int) -> Array:
        return padded(self.frames[number].styled, (3, *self.plan.output_size[::-1])).astype(np.float32)

    def kept(self, number: int) -> list[Array]:
        """Levels of a frame, their means over cells, and pixels."""
        (width, height), scale = self.sizes.working, self.plan.scale
        cells = -(-width // CELL_PX), -(-height // CELL_PX)
        made = [np.full((height, -(-width // 2)), 77, np.uint32), np.full(cells[::-1], 77.0, np.float32)]
        words = sum(3 * -(-each * width // 2) * each * height for each in (1, scale))
        reads = [self.tensor(number), self.painting(number)]
        return self.dispatch("steady_levels", reads, [*made, np.full(words, 77, np.uint32)], cells)

    def search(self, number: int, near: int) -> None:
        """The motion from a frame to another one."""
        reads = [*self.kept(number)[:2], *self.kept(near)[:2]]
        (self.vectors_found,) = self.dispatch("steady_motion", reads, [self.vectors_found], self.for_blocks(16, 8))

    def follow(self, number: int, near: int, place: int, *, first: bool) -> None:
        """Compute motion and confidence towards a neighbour. first: whether it is the nearest."""
        reads, threads = [self.kept(number)[0], self.kept(near)[0], self.vectors_found], self.for_blocks(8, 8)
        (self.motion,) = self.dispatch("steady_follow", reads, [self.motion], threads, place, FIRST=int(first))

    def mix(self, number: int, *near: int) -> None:
        """The mean with neighbours."""
        own = self.kept(number)[2]
        neighbours = [self.kept(one)[2] for one in near] + [own] * (passes.MOST - len(near))
        reads, threads = [own, *neighbours, self.motion, self.painting(number)], self.sizes.working
        (self.total,) = self.dispatch("steady_mix", reads, [self.total], threads, NEIGHBOURS=len(near))

    def for_blocks(self, across: int, down: int) -> Size:
        """Return the number of threads for a group of this size for each block."""
        return across * self.grid[0], down * self.grid[1]

    def steady(self, number: int, *sides: list[int]) -> Array:
        """The result of a frame, (3, H, W). sides: its neighbours, the nearest of either side first."""
        pairs = [pair for side in sides for pair in pairwise([number, *side])] if self.strength else []
        for place, (last, near) in enumerate(pairs):
            self.search(last, near)
            self.follow(number, near, place, first=last == number)
        self.mix(number, *(near for _, near in pairs))
        width, height = self.sizes.output
        return self.total[:, :height, :width]


def film(gpu: Gpu, size: Size, scale: int = 1, strength: float = 0.5) -> Film:
    sizes = Sizes.of(size, None, (size[0] * scale, size[1] * scale), scale)
    plan = tiles.plan(*size, replace(identity().card, stride=4, scale=scale), "off")
    return Film(moved_scene(size, scale).frames, gpu, sizes, plan, strength)


def as_vectors(found: Array) -> Array:
    """(2, rows, columns), y first, as the reference has them."""
    return np.moveaxis(found, -1, 0)[::-1]


@pytest.mark.parametrize("scale", [1, 3])
@pytest.mark.parametrize("size", SIZES)
def test_steady_levels(gpu: Gpu, size: Size, scale: int) -> None:
    made = film(gpu, size, scale)
    for number in range(3):
        levels, cells, _ = made.kept(number)
        want = made.levels(number)
        np.testing.assert_array_equal(of_words(levels, want.shape), want)
        np.testing.assert_array_equal(cells, reference.cells(made.levels(number)))


@pytest.mark.parametrize("size", SIZES)
def test_steady_motion(gpu: Gpu, size: Size) -> None:
    """Both searches."""
    made = film(gpu, size)
    for number in (0, 1):
        made.search(number, number + 1)
        want = reference.motion(made.levels(number), made.levels(number + 1))
        np.testing.assert_array_equal(as_vectors(made.vectors_found), want)
        assert want.any() or min(size) <= 2 * BLOCK_PX


@pytest.mark.parametrize("after", [1, 2])
@pytest.mark.parametrize("size", SIZES)
def test_steady_follow(gpu: Gpu, size: Size, after: int) -> None:
    made = film(gpu, size)
    made.steady(0, [1, 2][:after])
    vectors, sure = made.vectors()[after - 1], made.sureness()[after - 1]
    found = made.motion[after - 1]
    np.testing.assert_array_equal(as_vectors(found[..., :2].view(np.int32)), vectors)
    np.testing.assert_allclose(found[..., 2].view(np.float32), sure, rtol=0, atol=TOLERANCE)
    assert sure.max() == 1.0 > sure.min() or min(size) <= 2 * BLOCK_PX


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_left_out_of_others(gpu: Gpu, bad: float) -> None:
    made = film(gpu, (64, 48))
    made.frames[1].styled[1, 20, 30] = bad
    want = reference.steadied(made.frames[0], [], [made.frames[1]], made.strength)
    np.testing.assert_allclose(made.steady(0, [], [1]), want, rtol=0, atol=MEAN_TOLERANCE)
    own = made.steady(1, [], [2])
    np.testing.assert_array_equal(np.isfinite(own), np.isfinite(made.frames[1].styled))


@pytest.mark.parametrize("scale", [1, 3])
@pytest.mark.parametrize("strength", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("size", SIZES[:3])
def test_steady_mix(gpu: Gpu, size: Size, strength: float, scale: int) -> None:
    """The frame in the middle, with a neighbour on either side, and the first with both of the others."""
    made = film(gpu, size, scale, strength)
    for own, before, after in ((1, [0], [2]), (0, [], [1, 2])):
        shown, coming = ([made.frames[number] for number in side] for side in (before, after))
        want = reference.steadied(made.frames[own], shown, coming, strength)
        np.testing.assert_allclose(made.steady(own, before, after), want, rtol=0, atol=MEAN_TOLERANCE)
