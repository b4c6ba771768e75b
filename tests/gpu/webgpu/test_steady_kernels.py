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
from tests.gpu.film import MovedScene, moved_scene, padded
from tests.gpu.webgpu.harness import Array, Gpu, needs_vulkan
from tests.networks import identity

pytestmark = [pytest.mark.parity, needs_vulkan]

SIZES = [(90, 62), (64, 48), (17, 16), (5, 3), (1, 1)]
TOLERANCE = 1e-5  # float32 arithmetic; levels, vectors and differences are whole numbers
MEAN_TOLERANCE = 1e-4
"""Of means whose sums are stored in 16 bits: a fortieth of a code of 8 bits."""
MOST_WEIGHT = 16.0  # of steady_mix.hlsl


@dataclass
class Film(MovedScene):
    """A scene, and what the kernels made of it last."""

    gpu: Gpu
    sizes: Sizes
    plan: tiles.Plan
    strength: float

    def __post_init__(self) -> None:
        (width, height), (across, down) = self.sizes.working, self.plan.output_size
        rows, columns = -(-height // BLOCK_PX), -(-width // BLOCK_PX)
        self.grid = columns, rows
        self.vectors_found, self.vectors_from = (np.full((rows, columns, 2), 99, np.int32) for _ in range(2))
        self.sure = np.full((rows, columns), 77.0, np.float32)
        self.total = np.full((3, down, across), 77.0, np.float32)
        self.sums = np.full((down, across, 2), 77, np.uint32)

    def dispatch(
        self, name: str, reads: list[Array | None], writes: list[Array], threads: Size, **options: int
    ) -> list[Array]:
        record = passes.constants(self.sizes, self.plan, self.strength)
        return self.gpu.run(Variant(name), record, reads, writes, threads, **options)

    def tensor(self, number: int) -> Array:
        """A frame as the network gets it."""
        return padded(self.frames[number].source, (3, *self.plan.padded_size[::-1])).astype(np.float32)

    def painting(self, number: int) -> Array:
        return padded(self.frames[number].styled, (3, *self.plan.output_size[::-1])).astype(np.float32)

    def kept(self, number: int) -> list[Array]:
        """Levels of a frame, and their means over cells."""
        width, height = self.sizes.working
        cells = -(-width // CELL_PX), -(-height // CELL_PX)
        made = [np.full(shape[::-1], 77.0, np.float32) for shape in ((width, height), cells)]
        return self.dispatch("steady_levels", [self.tensor(number), self.painting(number)], made, cells)

    def search(self, number: int, near: int) -> None:
        """The motion from a frame to another one."""
        reads = [*self.kept(number), *self.kept(near)]
        (self.vectors_found,) = self.dispatch("steady_motion", reads, [self.vectors_found], self.for_blocks(16, 8))

    def follow(self, number: int, near: int, *, first: bool) -> None:
        """The motion from a frame to a neighbour, and the confidence in it. first: it is the nearest of its side."""
        reads, writes = [self.kept(number)[0], self.kept(near)[0], self.vectors_found], [self.vectors_from, self.sure]
        threads = self.for_blocks(8, 8)
        self.vectors_from, self.sure = self.dispatch("steady_follow", reads, writes, threads, FIRST=int(first))

    def mix(self, number: int, near: int, *, begins: bool, adds: bool, ends: bool) -> None:
        """Begin with a frame's painting, add a neighbour's, and end with the result."""
        reads = [self.tensor(number), self.tensor(near), self.painting(number), self.painting(near)]
        reads += [self.vectors_from, self.sure]
        stages = {"BEGINS": int(begins), "ADDS": int(adds), "ENDS": int(ends)}
        writes = [self.total, self.sums]
        self.total, self.sums = self.dispatch("steady_mix", reads, writes, self.sizes.working, **stages)

    def for_blocks(self, across: int, down: int) -> Size:
        """Threads where each block has a group of so many."""
        return across * self.grid[0], down * self.grid[1]

    def steady(self, number: int, *sides: list[int]) -> Array:
        """The result of a frame, (3, H, W). sides: its neighbours, the nearest of either side first."""
        pairs = [pair for side in sides for pair in pairwise([number, *side])] if self.strength else []
        for place, (last, near) in enumerate(pairs):
            self.search(last, near)
            self.follow(number, near, first=last == number)
            self.mix(number, near, begins=place == 0, adds=True, ends=place == len(pairs) - 1)
        if not pairs:
            self.mix(number, number, begins=True, adds=False, ends=True)
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
        levels, cells = made.kept(number)
        np.testing.assert_array_equal(levels, made.levels(number))
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
    np.testing.assert_array_equal(as_vectors(made.vectors_from), vectors)
    np.testing.assert_allclose(made.sure, sure, rtol=0, atol=TOLERANCE)
    assert sure.max() == 1.0 > sure.min() or min(size) <= 2 * BLOCK_PX


@pytest.mark.parametrize("strength", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("size", SIZES)
def test_steady_weights(gpu: Gpu, size: Size, strength: float) -> None:
    """Of the neighbour that is farther, behind the frame's own and the nearer one's."""
    made = film(gpu, size, strength=strength)
    made.search(0, 1)
    made.follow(0, 1, first=True)
    made.search(1, 2)
    made.follow(0, 2, first=False)
    made.mix(0, 2, begins=True, adds=True, ends=False)
    vectors, sure = made.vectors()[1], made.sureness()[1]
    want = reference.weights(made.frames[0].source, made.frames[2].source, vectors, strength)
    want = 1.0 + want * reference.between_blocks(sure, vectors, want.shape)
    width, height = size
    got = (made.sums[:height, :width, 1] >> 16) * (MOST_WEIGHT / 65535)
    np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE + MOST_WEIGHT / 65535 / 2)
    assert want.max() > 1.5 or min(size) <= 2 * BLOCK_PX


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
