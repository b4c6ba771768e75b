"""The WGSL kernels of the filter over time, one after another, against their float64 reference."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest

from framebrush.gpu import tiles
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages.steady import BLOCK_PX, CELL_PX, COARSE_CELLS, passes, reference
from tests.gpu.film import MovedScene, moved_scene, padded
from tests.gpu.webgpu.harness import Array, Gpu, needs_vulkan
from tests.networks import identity

pytestmark = [pytest.mark.parity, needs_vulkan]

SIZES = [(90, 62), (64, 48), (17, 16), (5, 3), (1, 1)]
TOLERANCE = 1e-5  # float32 arithmetic on five paintings at most; levels, vectors and differences are whole numbers


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
        self.difference, self.likeness = (np.full((height, width), 77.0, np.float32) for _ in range(2))
        self.total = np.full((3, down, across), 77.0, np.float32)
        self.weights = np.full((down, across), 77.0, np.float32)
        self.ranks = np.full((rows, columns, 2 * COARSE_CELLS + 1), 99, np.uint32)

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
        own, other = self.kept(number), self.kept(near)
        threads = self.grid[0] * (2 * COARSE_CELLS + 1), self.grid[1]
        (self.ranks,) = self.dispatch("steady_coarse", [*own, *other], [self.ranks], threads)
        reads = [own[0], other[0], self.ranks]
        (self.vectors_found,) = self.dispatch("steady_motion", reads, [self.vectors_found], self.grid)

    def add(self, number: int, near: int, *, first: bool) -> None:
        """A neighbour's painting to the sum. first: it is the nearest of its side."""
        reads, writes = [self.kept(number)[0], self.kept(near)[0], self.vectors_found], [self.vectors_from, self.sure]
        self.vectors_from, self.sure = self.dispatch("steady_follow", reads, writes, self.grid, FIRST=int(first))
        reads, size = [self.tensor(number), self.tensor(near), self.vectors_from], self.sizes.working
        (self.difference,) = self.dispatch("steady_difference", reads, [self.difference], size)
        reads = [self.difference, self.sure, self.vectors_from]
        (self.likeness,) = self.dispatch("steady_likeness", reads, [self.likeness], size)
        self.mix(near, 1)

    def mix(self, number: int, stage: int) -> None:
        """Begin with a painting (0), add one (1), or end with the result (2)."""
        reads, writes = [self.painting(number), self.likeness, self.vectors_from], [self.total, self.weights]
        self.total, self.weights = self.dispatch("steady_mix", reads, writes, self.sizes.output, STAGE=stage)

    def steady(self, number: int, *sides: list[int]) -> Array:
        """The result of a frame, (3, H, W). sides: its neighbours, the nearest of either side first."""
        self.mix(number, 0)
        for side in sides if self.strength else ():
            for last, near in pairwise([number, *side]):
                self.search(last, near)
                self.add(number, near, first=last == number)
        self.mix(number, 2)
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
def test_steady_follow_difference_and_likeness(gpu: Gpu, size: Size, after: int) -> None:
    made = film(gpu, size)
    made.steady(0, [1, 2][:after])
    vectors, sure = made.vectors()[after - 1], made.sureness()[after - 1]
    np.testing.assert_array_equal(as_vectors(made.vectors_from), vectors)
    np.testing.assert_allclose(made.sure, sure, rtol=0, atol=TOLERANCE)
    assert sure.max() == 1.0 > sure.min() or min(size) <= 2 * BLOCK_PX
    own, near = (made.frames[number].source for number in (0, after))
    apart = np.abs(reference.sixteenths(own) - reference.moved(reference.sixteenths(near), vectors)).max(axis=0)
    np.testing.assert_array_equal(made.difference, apart)
    alike = reference.weights(own, near, vectors, made.strength)
    alike = alike * reference.between_blocks(sure, vectors, alike.shape)
    np.testing.assert_allclose(made.likeness, alike, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("scale", [1, 3])
@pytest.mark.parametrize("strength", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("size", SIZES[:3])
def test_steady_mix(gpu: Gpu, size: Size, strength: float, scale: int) -> None:
    """The frame in the middle, with a neighbour on either side, and the first with both of the others."""
    made = film(gpu, size, scale, strength)
    for own, before, after in ((1, [0], [2]), (0, [], [1, 2])):
        shown, coming = ([made.frames[number] for number in side] for side in (before, after))
        want = reference.steadied(made.frames[own], shown, coming, strength)
        np.testing.assert_allclose(made.steady(own, before, after), want, rtol=0, atol=TOLERANCE)
