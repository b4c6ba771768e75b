"""The kernels of the brush and the relief against their float64 references, one by one, on a GPU."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu import tiles
from framebrush.gpu.cuda.device import CudaDevice
from framebrush.gpu.cuda.native import PinnedMemory
from framebrush.gpu.cuda.stages.brush import Brush, Picture, Scratch
from framebrush.gpu.cuda.stages.relief import HEADER_BYTES, Drift, Relief
from framebrush.gpu.cuda.tensor import Tensor
from framebrush.gpu.device import open_device
from framebrush.gpu.frame import nv12, rgba8, yuv420p
from framebrush.gpu.reference import brush as brush_reference
from framebrush.gpu.reference import corners
from framebrush.gpu.reference import kernels as reference
from framebrush.gpu.reference import relief as relief_reference
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages import relief as policy
from framebrush.gpu.stages.brush import Strokes
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.relief import Lamp, broad_weights, phase_weight
from framebrush.gpu.stylizer import Settings
from framebrush.models.style import Style
from tests.cuda import needs_cuda
from tests.gpu.cuda.test_kernels import TOLERANCE, noise, read, slot_for, start, write_tensor
from tests.gpu.pictures import growing_noise
from tests.networks import identity

pytestmark = [pytest.mark.parity, pytest.mark.cuda, needs_cuda]

Values = npt.NDArray[np.float64]

SCALES: list[tuple[Size, Size]] = [
    ((141, 97), (70, 48)),
    ((61, 47), (61, 47)),
    ((90, 40), (60, 27)),
    ((33, 130), (9, 33)),
    ((200, 112), (13, 7)),
    ((64, 48), (400, 300)),
    ((1, 1), (1, 1)),
    ((9, 200), (3, 67)),
]
"""Sizes of the target and of the network's input: strokes of a quarter to eight times the width that is 1, cells of
one to sixteen pixels, pictures smaller than a line and larger than a group, and the edges of groups and cells."""


@pytest.fixture(scope="module")
def device() -> Iterator[CudaDevice]:
    with open_device("cuda") as opened:
        assert isinstance(opened, CudaDevice)
        yield opened


class Kit:
    """Brush and relief for a size, and the pictures that go through them."""

    def __init__(self, device: CudaDevice, size: Size, working: Size, stack: ExitStack) -> None:
        card, picture = identity().card, rgba8(*size)
        sizes = Sizes.of(size, working, size)
        plan = tiles.plan(*working, card, "off")
        settings = Settings(Style(card, b""), picture, picture, sizes, plan, Look(), 1)
        device.context.native.use()
        self.device, self.size, self.working, self.stack = device, size, working, stack
        self.strokes = Strokes.of(sizes)
        self.scratch = stack.enter_context(closing(Scratch(device.context, settings)))
        self.brush = Brush(device.context, self.scratch)
        self.relief = Relief(self.scratch, self.brush, sizes)
        self.sizes = sizes

    def holding(self, name: str, values: Values) -> Picture:
        """A picture with these values, which halves can hold."""
        picture = self.scratch.picture(name)
        pixels = np.zeros((self.size[1], self.size[0], 4), np.float16)
        pixels[..., :3] = np.moveaxis(values, 0, -1)
        with closing(self.device.context.constant(pixels, "test")) as memory:
            self.device.context.compute.copy_rows(
                picture.pointer, pixels.nbytes, memory.pointer, pixels.nbytes, pixels.nbytes, 1
            )
            self.device.context.compute.block()
        return picture

    def values(self, picture: Picture) -> Values:
        """(3, H, W): what a picture holds."""
        pixels = read(self.device, picture.pointer, 4 * self.size[0] * self.size[1], np.float16)
        return np.moveaxis(pixels.reshape(self.size[1], self.size[0], 4), -1, 0)[:3].astype(np.float64)

    def plane(self, pointer: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """(H, W)."""
        return read(self.device, pointer, self.size[0] * self.size[1], dtype).reshape(self.size[::-1])

    def grid(self, pointer: int, values: int = 1) -> Values:
        """(values, rows, columns) of cells."""
        columns, rows = self.scratch.grid
        got = read(self.device, pointer, values * columns * rows, np.float32)
        return np.moveaxis(got.reshape(rows, columns, values), -1, 0).astype(np.float64)

    def film(self, precision: str = "float32") -> Values:
        """(3, h, w): what the network is given, noise that grows from nothing, so that some of it is left as it is. The
        kernels have found that, in planes which are larger."""
        width, height = self.working
        values = growing_noise(width + 4, height + 4).astype(precision).astype(np.float64)
        with closing(Tensor(self.device.context.native, (width + 4, height + 4), precision, "film")) as frame:
            write_tensor(self.device, frame, values)
            self.brush.queue_corners(frame)
            self.device.context.compute.block()
        return values[:, :height, :width]

    def directions(self, values: Values) -> npt.NDArray[np.int64]:
        """(H, W): those that the kernels find in a picture."""
        self.brush.queue_tensor(self.holding("test", values))
        self.brush.queue_along(self.scratch.picture("test"), self.scratch.picture("strokes"))
        return self.plane(self.brush._directions, np.uint8).astype(np.int64)


@contextmanager
def kit(device: CudaDevice, size: Size, working: Size) -> Iterator[Kit]:
    with ExitStack() as stack:
        yield Kit(device, size, working, stack)


def painting(size: Size) -> Values:
    """(3, H, W) of halves: slopes, an edge, a flat corner and noise."""
    chance, (width, height) = np.random.default_rng(12), size
    y, x = np.mgrid[0:height, 0:width]
    waves = [0.5 + 0.3 * np.sin(0.11 * x * k + 0.07 * y * (3 - k)) for k in (1, 2, 3)]
    values = np.stack(waves) + chance.normal(0, 0.04, (3, height, width))
    values[:, y > 0.3 * x + 0.6 * height] *= 0.4
    values[:, : height // 3, : width // 4] = 0.25
    values: Values = np.clip(values, 0, 1).astype(np.float16).astype(np.float64)
    return values


def assert_near(got: Values, want: Values, kernel: str) -> None:
    np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE[kernel][""])


@pytest.mark.parametrize(("size", "working"), SCALES, ids=str)
def test_kernels_of_the_brush(device: CudaDevice, size: Size, working: Size) -> None:
    """Each gets what the one before it made on the GPU, so that none inherits a rounding that turned a stroke."""
    values = painting(size)
    with kit(device, size, working) as tools:
        brush, strokes, scratch = tools.brush, tools.strokes, tools.scratch
        directions = tools.directions(values)
        assert_near(tools.grid(brush.cells)[0], brush_reference.cells(values, strokes), "stroke_tensor")
        turned = (directions - brush_reference.direction(values, strokes)) % 32
        assert np.isin(turned, (0, 1, 31)).all(), "directions differ by more than a rounding"
        assert (turned != 0).mean() < 0.002 or (turned != 0).sum() <= 1
        means = tools.values(scratch.picture("strokes"))
        assert_near(means, brush_reference.along(values, directions, strokes.along), "stroke_along")

        brush.queue_sharpen(scratch.picture("strokes"), scratch.picture("sharp strokes"))
        luma = brush_reference.smoothed(brush_reference.cells(means, strokes), strokes.luma_weights)
        assert_near(tools.grid(scratch.cells("smooth luma of cells"))[0], luma, "stroke_luma")
        got = tools.values(scratch.picture("sharp strokes"))
        assert_near(got, brush_reference.sharpened(means, directions, strokes), "stroke_sharpen")

        mixed = painting((size[1], size[0])).swapaxes(1, 2)
        tools.holding("painting", mixed)
        fine = np.random.default_rng(3).normal(0, 0.1, size[::-1]).astype(np.float32)
        left = corners.at_target(corners.corners(tools.film()), working, size)
        with closing(device.context.constant(fine, "test")) as memory:
            brush.queue_tensor(tools.holding("test", values))
            brush.queue_finish(scratch.picture("test"), 0.7, memory.pointer, 0.4)
            got = tools.values(brush.painting)
        last = brush_reference.along(values, directions, strokes.finish)
        want = np.clip(mixed + 0.7 * (1.0 - left) * (last - mixed) + 0.4 * fine, 0, 1)
        assert_near(got, want, "stroke_along")


@pytest.mark.parametrize("precision", ["float32", "float16"])
@pytest.mark.parametrize(("size", "working"), SCALES, ids=str)
def test_what_is_left_as_it_is(device: CudaDevice, size: Size, working: Size, precision: str) -> None:
    with kit(device, size, working) as tools:
        film, brush = tools.film(precision), tools.brush
        want = corners.corners(film)
        rows, columns = want.shape
        structure = read(device, brush.structure, 4 * want.size, np.float32).reshape(rows, columns, 4)
        assert_near(np.moveaxis(structure, -1, 0)[:3].astype(float), corners.structure(film), "corner_cells")
        got = read(device, brush.left, want.size, np.float32).reshape(rows, columns).astype(float)
        assert_near(got, want, "corner_share")
    if working in ((70, 48), (61, 47)):
        assert want.min() == 0.0
        assert want.max() > 0.9


@pytest.mark.parametrize("precision", ["float32", "float16"])
@pytest.mark.parametrize("bad", [None, np.nan, np.inf, -np.inf])
def test_a_painting_as_pixels(device: CudaDevice, precision: str, bad: float | None) -> None:
    """Within 0..1; what is not finite is black, and flagged. The planes are larger than the picture."""
    size = (61, 37)
    values = np.random.default_rng(5).normal(0.5, 0.4, (3, 40, 64)).astype(precision).astype(np.float64)
    if bad is not None:
        values[1, 36, 60] = bad
    with kit(device, size, size) as tools:
        painted = tools.stack.enter_context(closing(Tensor(device.context.native, (64, 40), precision, "test")))
        write_tensor(device, painted, values)
        flag = tools.stack.enter_context(closing(PinnedMemory(device.context.native, 4, "flag")))
        flag.mapped[:] = 0
        fine = np.random.default_rng(3).normal(0, 0.1, (37, 61)).astype(np.float32)
        memory = tools.stack.enter_context(closing(device.context.constant(fine, "test")))
        for detail in (0.0, 0.6):
            tools.brush.queue_pack(painted, memory.pointer, flag.pointer, detail)
            want = np.clip(np.nan_to_num(values[:, :37, :61], nan=0, posinf=0, neginf=0), 0, 1)
            assert_near(tools.values(tools.brush.painting), np.clip(want + detail * fine, 0, 1), "stroke_pack")
            assert bool(flag.mapped.view(np.uint32)[0]) == (bad is not None)


RELIEFS = [Look(relief=1.0), Look(relief=0.4, canvas=1.0, lamp_degrees=20.0), Look(relief=0.0, canvas=0.5)]


@pytest.mark.parametrize("look", RELIEFS, ids=["relief", "both", "canvas"])
@pytest.mark.parametrize(("size", "working"), SCALES, ids=str)
def test_kernels_of_the_relief(
    device: CudaDevice, size: Size, working: Size, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Heights of directions as the GPU finds them, and light on heights as it finds them; in a frame whose bristles
    have drifted, and in one where they stand still."""
    values = painting(size)
    relief, lamp = look.relief or 0.0, Lamp.at(look.lamp_degrees)
    with kit(device, size, working) as tools:
        directions = tools.directions(values)
        picture, strokes = tools.scratch.picture("test"), tools.strokes
        monkeypatch.setattr(relief_reference, "direction", lambda *_: directions)
        blocks = -(-working[1] // 16), -(-working[0] // 16)
        drifted = policy.Drift(5, np.random.default_rng(2).integers(-20, 20, (2, 2, *blocks)))
        drift = tools.stack.enter_context(closing(Drift(device.context, tools.sizes, "test")))
        write_drift(device, drift, drifted, tools)
        for pointer, ways in ((0, None), (drift.pointer, drifted)):
            tools.relief.queue(picture, look, pointer)
            light = brush_reference.cells(values, strokes)
            broad = brush_reference.smoothed(light, broad_weights(strokes))
            assert_near(tools.grid(tools.scratch.cells("thickness", 2), 2)[0], broad, "relief_blur")
            height = tools.plane(tools.relief._height, np.float32).astype(np.float64)
            want = relief_reference.height(values, strokes, relief, look.canvas or 0.0, ways, working)
            assert_near(height, want, "relief_height")
            with monkeypatch.context() as patched:
                patched.setattr(relief_reference, "height", lambda *_, height=height: height)
                lit = relief_reference.lit(
                    values, strokes, relief, look.canvas or 0.0, lamp, drift=ways, working=working
                )
            assert_near(tools.values(tools.relief.lit), lit, "relief_light")


def write_drift(device: CudaDevice, drift: Drift, wanted: policy.Drift, tools: Kit) -> None:
    """Put a drift of the reference into the GPU's memory, as relief_drift lays it out."""
    (width, height), working = tools.size, tools.working
    factors = np.array([height / working[1], width / working[0]])
    ways = np.moveaxis(wanted.ways, 1, -1)
    moved = np.floor(factors * ways + 0.5)
    header = np.array([phase_weight(wanted.place), 0, 0, 0], np.float32).tobytes()
    values = np.frombuffer(header + np.stack([ways, moved]).astype(np.int32).tobytes(), np.uint8)
    with closing(device.context.constant(values, "test")) as memory:
        device.context.compute.copy_rows(drift.pointer, values.nbytes, memory.pointer, values.nbytes, values.nbytes, 1)
        device.context.compute.block()


@pytest.mark.parametrize(("size", "working"), [((141, 97), (70, 48)), ((61, 47), (50, 90)), ((5, 3), (1, 1))], ids=str)
def test_bristles_drift_as_the_reference_has_it(device: CudaDevice, size: Size, working: Size) -> None:
    """Through more than a period, from a place at which no way begins: both begin anew in turn."""
    sizes, chance = Sizes.of(size, working, size), np.random.default_rng(4)
    rows, columns = -(-working[1] // 16), -(-working[0] // 16)
    factors = np.array([size[1] / working[1], size[0] / working[0]])
    device.context.native.use()
    with ExitStack() as stack:
        drifts = [stack.enter_context(closing(Drift(device.context, sizes, "test"))) for _ in range(2)]
        want = policy.Drift.still(5, working)
        last = None
        for number in range(20):
            motion = chance.integers(-30, 30, (2, rows, columns))
            with closing(device.context.constant(np.moveaxis(motion, 0, -1).astype(np.int16), "test")) as found:
                own = drifts[number % 2]
                own.queue(5, found.pointer, last)
                header, ways = drift_of(device, own, rows, columns)
            want = want.next(motion) if last else want
            assert header == np.float32(phase_weight(want.place))
            np.testing.assert_array_equal(ways[0], want.ways)
            np.testing.assert_array_equal(ways[1], np.floor(factors[:, None, None] * want.ways + 0.5))
            last = own
        assert np.abs(want.ways).max() > 0 or working == (1, 1)


def drift_of(device: CudaDevice, drift: Drift, rows: int, columns: int) -> tuple[np.float32, npt.NDArray[np.int32]]:
    """The weight of the first way; (2, 2, 2, rows, columns): both ways as they are, then in pixels of the picture."""
    count = HEADER_BYTES // 4 + 8 * rows * columns
    words = read(device, drift.pointer, count, np.int32)
    ways = words[HEADER_BYTES // 4 :].reshape(2, 2, rows, columns, 2)
    return words[:1].view(np.float32)[0], np.moveaxis(ways, -1, 2)


@pytest.mark.parametrize("size", [(64, 48), (57, 33), (58, 42), (60, 41), (5, 3), (1, 1)], ids=str)
@pytest.mark.parametrize("look", [Look(), Look(strength=0.6, split=0.3, detail=0.5)], ids=["plain", "mixed"])
def test_outputs_of_pixels(device: CudaDevice, size: Size, look: Look) -> None:
    """What the output makes of a painting that comes as pixels."""
    look = replace(look, brush=0.8, relief=0.3 if look.strength < 1 else 0.0)
    for target in (nv12(*size), nv12(*size, bits=10), yuv420p(*size), rgba8(*size)):
        slot, _, stack = slot_for(device, rgba8(*size), target)
        with stack:
            start(device, slot, noise(rgba8(*size)))
            slot.queue_convert()
            device.context.compute.block()
            source = reference.planes_to_rgb(noise(rgba8(*size))).astype(np.float32).astype(np.float64)
            write_tensor(device, slot.styled, painting(size))
            slot.queue_output(look)
            device.context.compute.record(slot.used)
            slot.queue_download()
            slot.delivered.block()
            got = target.allocate()
            slot.output.copy_to(got)
            assert slot.output.finite
            picture = slot._finishing.picture(look)
            pixels = read(device, picture.pointer, 4 * size[0] * size[1], np.float16).reshape(size[1], size[0], 4)
        painted = np.moveaxis(pixels, -1, 0)[:3].astype(np.float64)
        shown = reference.look(source, painted, replace(look, detail=0.0 if look.raises else look.detail))
        want = reference.rgb_to_output(shown, target, look.dither)
        for ours, theirs in zip(got.planes, want.planes, strict=True):
            codes = np.abs((ours.astype(int) >> target.shift) - (theirs.astype(int) >> target.shift))
            assert codes.max() <= TOLERANCE["tensor_to_yuv"]["codes"]
