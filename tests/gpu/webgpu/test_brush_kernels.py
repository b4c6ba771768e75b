"""The WGSL kernels beside the brush against their float64 reference: what it leaves as it is, and light on paint."""

from __future__ import annotations

import numpy as np
import pytest

from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.reference import corners
from framebrush.gpu.reference import relief as lamps
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages import constants
from framebrush.gpu.stages.cells import Cells
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.relief import Lamp
from framebrush.gpu.stages.relief.passes import relief_record
from tests.gpu.pictures import growing_noise
from tests.gpu.webgpu.harness import Gpu, Picture, needs_vulkan

pytestmark = [pytest.mark.parity, needs_vulkan]


@pytest.mark.parametrize("size", [(90, 62), (64, 48), (17, 16), (1, 1)])
def test_corners(gpu: Gpu, size: Size) -> None:
    picture = growing_noise(*size)
    width, height = size
    tensor = np.full((3, height + 3, width + 5), 77.0, np.float32)
    tensor[:, :height, :width] = picture
    record = constants.corners(size, (width + 5, height + 3))
    want = np.moveaxis(corners.structure(picture), 0, -1)
    cells = want.shape[1::-1]
    made = Picture(np.full((*want.shape[:2], 4), 77.0, np.float32))
    (structure,) = gpu.run(Variant("corner_cells"), record, [tensor], [made], cells)
    np.testing.assert_allclose(structure[..., :3], want, rtol=0, atol=1e-6)
    left = Picture(np.full(want.shape[:2], 77.0, np.float32))
    (share,) = gpu.run(Variant("corner_share"), record, [Picture(structure)], [left], cells)
    want = corners.corners(picture)
    np.testing.assert_allclose(share, want, rtol=0, atol=1e-4)  # a root is steep at 0
    assert want.max() > 0.5 > want.min() or size == (1, 1)


@pytest.mark.parametrize("degrees", [135.0, 20.0])
@pytest.mark.parametrize("size", [(90, 62), (64, 48), (33, 1), (1, 1)])
def test_relief_light(gpu: Gpu, monkeypatch: pytest.MonkeyPatch, size: Size, degrees: float) -> None:
    chance, (width, height) = np.random.default_rng(6), size
    picture = chance.random((3, height, width)).astype(np.float32)
    heights = chance.normal(0.0, 0.5, (height, width)).astype(np.float32)
    look, strokes = Look(relief=0.7, canvas=0.4, lamp_degrees=degrees), Cells(1.0)
    record = relief_record(size, size, strokes, look, 0.0)
    texels = np.ones((height, width, 4), np.float32)
    texels[..., :3] = np.moveaxis(picture, 0, -1)
    made = np.full((3, height, width), 77.0, np.float32)
    (lit,) = gpu.run(Variant("relief_light"), record, [Picture(heights), Picture(texels)], [made], size)
    monkeypatch.setattr(lamps, "height", lambda *_: heights.astype(float))
    want = lamps.lit(picture.astype(float), strokes, 0.7, 0.4, Lamp.at(degrees))
    np.testing.assert_allclose(lit, want, rtol=0, atol=1e-4)  # a power of 60 in float32
    assert np.abs(want - picture).max() > 0.1 or size == (1, 1)
