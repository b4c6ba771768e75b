"""The kernels of relief and canvas, one after another, against their float64 reference."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu import passes
from framebrush.gpu.colour import Array
from framebrush.gpu.d3d12.descriptors import BufferView
from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.d3d12.pass_executor import Executor
from framebrush.gpu.d3d12.resources import Texture
from framebrush.gpu.d3d12.slot import D3D12Slot
from framebrush.gpu.d3d12.tensor import TensorBuffer
from framebrush.gpu.frame import rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.passes import FLAG, PerFrame, Work
from framebrush.gpu.stages import cells, corners, relief
from framebrush.gpu.stages.cells import Cells
from framebrush.gpu.stages.relief import broad_weights
from framebrush.gpu.stages.relief import reference as lamps
from framebrush.gpu.stages.relief.passes import Relief
from framebrush.gpu.stages.strokes import layout_of
from tests.gpu.pictures import noise
from tests.gpu.test_steady import texture
from tests.inside import executor_of, passes_of, settings_of
from tests.windows.harness import (
    painted_of,
    read_tensor,
    read_texture,
    read_view,
    run,
    slot_for,
    upload,
    write_tensor,
    write_texture,
)
from tests.windows.test_kernels import TOLERANCE

pytestmark = [pytest.mark.windows, pytest.mark.parity]

SIZES = {
    "half": ((96, 64), (48, 32)),
    "same": ((61, 47), (61, 47)),
    "broadest": ((64, 48), (2, 1)),
    "one pixel": ((1, 1), (1, 1)),
}
"""Of the target and before the network, so that cells have 1 to 16 pixels a side."""


@dataclass(frozen=True)
class Lamplight:
    """A slot with a painting, and what lights it. picture: (3, H, W), as the GPU has it in 16 bits."""

    device: D3D12Device
    slot: D3D12Slot
    relief: Relief
    executor: Executor
    into: PerFrame
    result: TensorBuffer
    left: passes.Texture
    picture: Array

    def light(self, look: Look, *, brushed: bool = False) -> Array:
        """(3, H, W)."""
        begin = () if brushed else (self.relief.begin(None),)
        work = Work("relief", (*begin, *self.relief.passes(self.left if brushed else None, self.into)))
        records = {"relief": self.relief.record(look)}
        run(self.device.context.compute, self.executor.list_of(work, 0, records=records))
        return read_tensor(self.device, self.result)

    def texture(self, of: passes.Texture) -> Texture:
        """What passes have under a name."""
        found = self.executor.view(of, 0)
        assert isinstance(found, Texture)
        return found

    def plane(self, of: passes.Texture) -> npt.NDArray[Any]:
        """(H, W)."""
        return read_texture(self.device, self.texture(of), np.float32)[..., 0].astype(float)


@contextmanager
def lamplight(device: D3D12Device, name: str) -> Iterator[Lamplight]:
    """A painting of patches, lines and noise."""
    size, working = SIZES[name]
    slot, stack = slot_for(device, rgba8(*size), rgba8(*size), working=working)
    with stack, ExitStack() as own:
        keep, context = own.enter_context, device.context
        picture = texture(*size)[..., :3].transpose(2, 0, 1) / 255.0
        picture = np.clip(picture + np.random.default_rng(2).normal(0, 0.02, picture.shape), 0.0, 1.0)
        picture = np.rint(65535.0 * picture) / 65535.0
        upload(device, slot, noise(rgba8(*size)))  # clears the flag
        write_tensor(device, painted_of(slot), picture)
        executor, into = executor_of(slot), PerFrame("lit")
        result = keep(closing(TensorBuffer(context.native, size, "float32", "lit")))
        executor.memory.give(into, 0, result.view)
        painted = passes_of(slot).painted(passes_of(slot).styled)
        left = passes.Texture("corners", "float32", corners.cells(working))
        made = Relief(settings_of(slot), painted, FLAG)
        yield Lamplight(device, slot, made, executor, into, result, left, picture)


@pytest.mark.parametrize("brushed", [False, True])
@pytest.mark.parametrize("name", SIZES)
def test_height_and_light(device: D3D12Device, monkeypatch: pytest.MonkeyPatch, name: str, brushed: bool) -> None:
    for module in (relief, lamps):  # threads of some pixels, as large pictures have
        monkeypatch.setattr(module, "weave_pitch_px", lambda _: 3.7)
    look = Look(brush=0.9, relief=0.8, canvas=0.7, lamp_degrees=20.0)
    with lamplight(device, name) as made:
        made.light(look)  # takes memory, and makes the picture
        sizes, chance = settings_of(made.slot).sizes, np.random.default_rng(3)
        paint = np.rint(0.6 * 65535.0 * chance.random(made.picture.shape[1:])) / 65535.0
        left = chance.random(corners.cells(sizes.working)[::-1], np.float32)
        write_texture(device, made.texture(made.left), left[..., None])
        if brushed:
            texels = np.rint(65535.0 * np.moveaxis([*made.picture, paint], 0, -1))
            write_texture(device, made.texture(made.relief.picture), texels.astype(np.uint16))
        lit = made.light(look, brushed=brushed)

        strokes, layout = Cells.of(sizes), layout_of(settings_of(made.slot))
        light = cells.cells(made.picture, strokes)
        broad = cells.smoothed(light, broad_weights(strokes))
        variance = cells.smoothed((light - broad) ** 2, broad_weights(strokes))
        thick = np.clip(np.sqrt(variance) / lamps.THICK_LUMA, lamps.THIN, 1.0)
        sums = executor_of(made.slot).view(made.relief.sums, 0)
        assert isinstance(sums, BufferView)
        means = read_view(device, sums, np.uint32, light.shape) / (2.0**23 * strokes.cell_px**2)
        np.testing.assert_allclose(means, light, rtol=0, atol=1e-6)
        for smooth, exact in ((made.relief.around, broad), (made.relief.thickness, thick)):
            np.testing.assert_allclose(made.plane(smooth), exact, rtol=0, atol=TOLERANCE["relief_smooth"])

        stroke_px = layout.raised_px
        raised, covered = 0.0, 0.0
        if brushed:
            raised = stroke_px * 2.0 * paint
            covered = 0.9 * (1.0 - corners.at_target(left.astype(float), sizes.working, sizes.target))
        want = lamps.height(made.picture, strokes, look, raised, covered)
        assert np.abs(want).max() > 0.01
        monkeypatch.setattr(lamps, "height", lambda *_: want)
        shown = lamps.lit(made.picture, strokes, look)
        np.testing.assert_allclose(lit, shown, rtol=0, atol=TOLERANCE["relief_light"])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_black_and_flagged(device: D3D12Device, bad: float) -> None:
    with lamplight(device, "same") as made:

        def flag() -> int:
            return int(read_view(device, made.slot.flag.view, np.uint32, (1,))[0])

        dark = made.picture.copy()
        dark[1, 33, 40] = 0.0
        write_tensor(device, painted_of(made.slot), dark)
        expected = made.light(Look(relief=1.0))
        assert flag() == 0
        dark[1, 33, 40] = bad
        write_tensor(device, painted_of(made.slot), dark)
        np.testing.assert_array_equal(made.light(Look(relief=1.0)), expected)
        assert flag() == 1
