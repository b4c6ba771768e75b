"""The brush's WGSL kernels (areas left unpainted, light on paint) against their float64 reference."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from framebrush.gpu import tiles
from framebrush.gpu.frame import FrameFormat, Siting, rgba8, yuv420p
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.look import Look
from framebrush.gpu.passes import FLAG, Tensor, Texture, Work
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages import cells as celled
from framebrush.gpu.stages import corners, masks, relief, tensor_to_planes
from framebrush.gpu.stages.cells import LEAST_SCALE, MOST_SCALE, Cells
from framebrush.gpu.stages.frame_passes import FramePasses
from framebrush.gpu.stages.output import Output, Unlit
from framebrush.gpu.stages.relief import MOST_RADIUS, broad_weights, relief_record
from framebrush.gpu.stages.relief import reference as lamps
from framebrush.gpu.stages.relief.passes import Relief
from framebrush.gpu.stages.strokes import layout_of, noise
from framebrush.gpu.stages.strokes.laying import LAYING, laid
from framebrush.gpu.unfinished import Times, Unfinished
from framebrush.models.soft_masks import NO_MASKS, Masks
from framebrush.models.style import Style
from tests.gpu.pictures import growing_noise
from tests.gpu.pictures import masks as some_masks
from tests.gpu.test_steady import texture
from tests.gpu.webgpu.harness import Gpu, Picture, needs_vulkan
from tests.gpu.webgpu.passes import Playing
from tests.networks import identity

pytestmark = [pytest.mark.parity, needs_vulkan]

HALF_STEP = 2**-11
"""Largest step of float16 in 0..1; drivers may round or truncate."""


LIGHT_TOLERANCE = 2e-4
"""Quotients by 0.06 and a power of 60 in float32."""


@pytest.mark.slow
@pytest.mark.parametrize("given", [NO_MASKS, some_masks()])
@pytest.mark.parametrize("size", [(200, 120), (90, 62), (64, 48), (17, 16), (1, 1)])
def test_corners(gpu: Gpu, size: Size, given: Masks) -> None:
    picture = growing_noise(*size)
    width, height = size
    tensor = np.full((3, height + 3, width + 5), 77.0, np.float32)
    tensor[:, :height, :width] = picture
    record = corners.constants(size, (width + 5, height + 3))
    want = np.moveaxis(corners.structure(picture), 0, -1)
    cells = want.shape[1::-1]
    made = Picture(np.full((*want.shape[:2], 4), 77.0, np.float32))
    of_blocks = corners.block_means(corners.structure(picture))
    around = Picture(np.full(of_blocks.shape, 77.0, np.float32))
    structure, blocks = gpu.run(Variant("corner_cells"), record, [tensor], [made, around], cells)
    np.testing.assert_allclose(structure[..., :3], want, rtol=0, atol=1e-6)
    np.testing.assert_allclose(blocks, of_blocks, rtol=0, atol=1e-5)
    left = Picture(np.full(want.shape[:2], 77.0, np.float32))
    samples = masks.samples(given, 0.5)
    read = np.moveaxis(samples, 0, -1).reshape(-1, 4).astype(np.float32)
    (share,) = gpu.run(Variant("corner_share"), record, [Picture(structure), Picture(blocks), read], [left], cells)
    want = corners.corners(picture, masks.kept(samples, size))
    np.testing.assert_allclose(share, want, rtol=0, atol=1e-4)  # a root is steep at 0
    assert want.max() > 0.4 > want.min() or size == (1, 1)


@pytest.mark.parametrize("scale", [1, 3])
@pytest.mark.parametrize("size", [(200, 120), (61, 47), (1, 1), (3, 200)])
def test_the_film_comes_into_a_painting_by_masks(gpu: Gpu, size: Size, scale: int) -> None:
    (width, height), samples = size, masks.samples(some_masks(), 0.6)
    film = np.full((3, height + 3, width + 5), 77.0, np.float32)
    film[:, :height, :width] = growing_noise(*size)
    shown = film[:, :height, :width].astype(float)
    styled = np.random.default_rng(3).random((3, scale * height + 4, scale * width + 2), np.float32)
    shares, record = masks.Shares(0.6, 0.3, 0.1), np.zeros((), masks.MASKS)
    record["size"], record["padded"] = size, (width + 5, height + 3)
    record["output"], record["styled_size"] = (scale * width, scale * height), styled.shape[:0:-1]
    record["faces"], record["inside"], record["outside"] = shares
    record["per_luma"] = 1.0 / masks.ALIKE_LUMA
    read = np.moveaxis(samples, 0, -1).reshape(-1, 4).astype(np.float32)
    into = Picture(np.full((height, width), 77.0, np.float32))
    (share,) = gpu.run(Variant("mask_share"), record, [film, read], [into], size)
    want = masks.share(samples, shown, shares)
    np.testing.assert_allclose(share, want, rtol=0, atol=1e-4)  # 1 / 0.06 enlarges the rounding of luma
    made = np.full_like(styled, 77.0)
    threads = scale * width, scale * height
    (mixed,) = gpu.run(Variant("film_mixed"), record, [styled, film, Picture(share)], [made], threads)
    inner = styled[:, : scale * height, : scale * width].astype(float)
    want = masks.mixed(shown, inner, share.astype(float))
    np.testing.assert_allclose(mixed[:, : scale * height, : scale * width], want, rtol=0, atol=1e-5)
    assert (mixed[:, scale * height :] == 77.0).all()


@pytest.mark.parametrize("size", [(200, 120), (61, 47), (1, 1)])
@pytest.mark.parametrize("front", [0.0, 0.4, 0.97])
def test_the_source_is_laid_on_the_canvas(gpu: Gpu, size: Size, front: float) -> None:
    (width, height), part = size, Unfinished(Times(np.empty(0, np.float32)), 0.0, front, 0.0, (0.9, 0.8, 0.7))
    source = np.random.default_rng(3).random((3, height + 4, width + 2), np.float32)
    record, made = np.zeros((), LAYING), np.full_like(source, 77.0)
    record["size"], record["padded"] = size, (width + 2, height + 4)
    record["bare"][:3], record["front"] = part.bare, front
    (found,) = gpu.run(Variant("source_laid"), record, [source, noise()], [made], size)
    apart = np.abs(found[:, :height, :width] - laid(source[:, :height, :width], part))
    assert (apart > 1e-4).mean() <= 0.02  # where a hair of the front is its neighbour
    assert (found[:, height:] == 77.0).all()


@pytest.mark.parametrize("size", [(200, 120), (61, 47), (1, 1)])
def test_a_photograph_is_left_in_a_painting(gpu: Gpu, size: Size) -> None:
    width, height = size
    chance = np.random.default_rng(3)
    styled = (1.4 * chance.random((3, height + 4, width + 2), np.float32) - 0.2).astype(np.float32)
    source = chance.random((3, height, width + 5), np.float32)
    fine, share = (
        chance.random((height, width), np.float32) - np.float32(0.5),
        chance.random((height, width), np.float32),
    )
    wanted, sizes = Look(detail=0.5, photo_inside=1.0), (styled.shape[:0:-1], source.shape[:0:-1])
    record = tensor_to_planes.output(size, *sizes, rgba8(width, height), wanted)
    styled[1, height // 2, width // 2] = np.nan
    made = np.full((3, height, width), 77.0, np.float32)
    (mixed,) = gpu.run(Variant("photo_mixed"), record, [styled, source, fine, Picture(share)], [made], size)
    inner, film = styled[:, :height, :width].astype(float), source[:, :, :width].astype(float)
    want = tensor_to_planes.look(film, inner, wanted, fine.astype(float), share.astype(float))
    want[:, height // 2, width // 2] = inner[:, height // 2, width // 2]  # for the output to tell
    np.testing.assert_allclose(mixed, want, rtol=0, atol=1e-5)


def one_of_luma(sizes: Sizes) -> float:
    """Return the sum of a white cell."""
    return float(2**23 * Cells.of(sizes).cell_px ** 2)


RELIEF = {
    Variant("relief_smooth"),
    Variant("relief_smooth", (("DEVIATION", "1"),)),
    Variant("relief_light"),
}


@pytest.mark.parametrize(("brushed", "degrees"), [(False, 135.0), (True, 20.0)])
@pytest.mark.parametrize(
    ("size", "working"),
    [((96, 64), (48, 32)), ((61, 47), (61, 47)), ((64, 48), (2, 1)), ((199, 100), (80, 40)), ((1, 1), (1, 1))],
)
def test_height_and_light(
    gpu: Gpu, monkeypatch: pytest.MonkeyPatch, size: Size, working: Size, brushed: bool, degrees: float
) -> None:
    for module in (relief, lamps):  # threads of some pixels, as large pictures have
        monkeypatch.setattr(module, "weave_pitch_px", lambda _: 3.7)
    look, (width, height) = Look(brush=0.9, relief=0.8, canvas=0.7, lamp_degrees=degrees, detail=0.4), size
    card = replace(identity().card, stride=4)
    sizes = Sizes.of(size, working, size)
    settings = Settings(Style(card, b""), rgba8(*size), rgba8(*size), sizes, tiles.plan(*working, card, "off"), look, 1)
    way, playing = FramePasses(settings, "hlsl"), Playing(gpu)
    painted = way.painted(way.styled)
    made, into = Relief(settings, painted, FLAG), Tensor.of("lit", size)
    chance = np.random.default_rng(3)
    picture = np.moveaxis(texture(*size)[..., :3], -1, 0) / 255.0
    picture = np.clip(picture + chance.normal(0, 0.02, picture.shape), 0.0, 1.0)
    left, paint = Texture("corners", "float32", corners.cells(working)), 0.6 * chance.random((height, width))
    playing.array(left, 0)[:] = chance.random(playing.array(left, 0).shape)
    begin = () if brushed else (made.begin(way.fine),)
    if brushed:
        playing.array(made.picture, 0)[:] = np.moveaxis([*picture, paint], 0, -1)
        seen = np.moveaxis(playing.array(made.picture, 0)[..., :3], -1, 0).astype(float)
        playing.array(made.sums, 0)[:] = np.rint(celled.cells(seen, Cells.of(sizes)).ravel() * one_of_luma(sizes))
    else:
        columns, rows = painted.size_px
        planes = np.full((3, rows, columns), np.nan, np.float32)
        planes[:, :height, :width] = picture
        planes[1, 0, 0] = np.inf
        picture[1, 0, 0] = 0.0
        playing.array(painted, 0)[:] = planes.ravel()
        fine = playing.array(way.fine, 0)
        fine[:] = 0.1 * chance.standard_normal(fine.size)
        picture = np.clip(picture + 0.4 * fine.reshape(height, width), 0.0, 1.0)
    work = Work("relief", (*begin, *made.passes(left if brushed else None, into)))
    playing.run(work, 0, (), {"relief": made.record(look)})
    assert playing.ran == RELIEF | (set() if brushed else {Variant("relief_begin")})
    assert playing.array(FLAG, 0)[0] == (not brushed)

    seen = np.moveaxis(playing.array(made.picture, 0)[..., :3], -1, 0).astype(float)
    np.testing.assert_allclose(seen, picture, rtol=0, atol=HALF_STEP)
    strokes = Cells.of(sizes)
    light = celled.cells(seen if brushed else picture, strokes)
    monkeypatch.setattr(lamps, "cells", lambda *_: light)
    means = playing.array(made.sums, 0).reshape(light.shape) / one_of_luma(sizes)
    np.testing.assert_allclose(means, light, rtol=0, atol=1e-6)
    broad = celled.smoothed(light, broad_weights(strokes))
    deviation = np.sqrt(celled.smoothed((light - broad) ** 2, broad_weights(strokes)))
    thick = np.clip(deviation / lamps.THICK_LUMA, lamps.THIN, 1.0)
    np.testing.assert_allclose(playing.array(made.around, 0), broad, rtol=0, atol=1e-6)
    np.testing.assert_allclose(playing.array(made.thickness, 0), thick, rtol=0, atol=1e-5)
    stroke_px = layout_of(settings).raised_px
    raised, covered = 0.0, 0.0
    if brushed:
        raised = stroke_px * 2.0 * playing.array(made.picture, 0)[..., 3].astype(float)
        covered = 0.9 * (1.0 - corners.at_target(playing.array(left, 0).astype(float), working, size))
    want = lamps.height(seen, strokes, look, raised, covered)
    assert np.abs(want).max() > 0.01
    monkeypatch.setattr(lamps, "height", lambda *_: want)
    lit = playing.array(into, 0).reshape(3, height, width)
    np.testing.assert_allclose(lit, lamps.lit(seen, strokes, look), rtol=0, atol=LIGHT_TOLERANCE)


@pytest.mark.parametrize(
    ("target", "brushed"),
    [
        (yuv420p(97, 63), True),
        (replace(yuv420p(97, 63), siting=Siting.TOP_LEFT), False),
        (replace(yuv420p(61, 47), subsample=(1, 0)), True),
        (replace(yuv420p(61, 47), subsample=(0, 1), siting=Siting.CENTRE), True),
        (replace(yuv420p(40, 20), subsample=(0, 0), bits=10), False),
        (yuv420p(1, 1), True),
    ],
)
def test_the_output_lights_a_picture(gpu: Gpu, target: FrameFormat, brushed: bool) -> None:
    look, size, working = Look(brush=0.9, relief=0.8, canvas=0.7, dither=False), (target.width, target.height), (40, 20)
    card = replace(identity().card, stride=4)
    sizes = Sizes.of(size, working, size)
    settings = Settings(Style(card, b""), target, target, sizes, tiles.plan(*working, card, "off"), look, 1)
    way, playing = FramePasses(settings, "wgsl"), Playing(gpu)
    painted = way.painted(way.styled)
    made, into = Relief(settings, painted, FLAG), Tensor.of("lit", size)
    chance = np.random.default_rng(3)
    left = Texture("corners", "float32", corners.cells(working)) if brushed else None
    playing.array(made.picture, 0)[:] = chance.random((*size[::-1], 4))
    playing.array(made.sums, 0)[:] = chance.random(made.sums.count) * one_of_luma(sizes)
    if left:
        playing.array(left, 0)[:] = chance.random(playing.array(left, 0).shape)
    record = made.record(look)
    playing.run(Work("relief", made.passes(left, into)), 0, (), {"relief": record})
    output = Output(way, target, "wgsl")
    for given, plane in zip(output.planes, target.allocate().planes, strict=True):
        playing.give(given, np.zeros_like(plane))
    step = output.step(0, look, painted, Unlit(made.pictures(left), brushed, record))
    playing.run(step.work, 0, (), step.records)
    assert playing.ran == {*RELIEF, Variant("relief_to_yuv")}
    lit = playing.array(into, 0).reshape(3, *size[::-1]).astype(float)
    want = tensor_to_planes.rgb_to_output(lit, target, dither=False)
    for given, plane in zip(output.planes, want.planes, strict=True):
        apart = np.abs(playing.array(given, 0).astype(int) - plane.astype(int))
        assert apart.max() <= 1
        assert (apart > 0).mean() < 0.01


@pytest.mark.parametrize("scale", [LEAST_SCALE, 1.0, 1.2499, MOST_SCALE])
def test_cells_are_smoothed_as_far_as_any_width_of_strokes_needs(gpu: Gpu, scale: float) -> None:
    strokes = Cells(scale)
    size = 70 * strokes.cell_px, 50 * strokes.cell_px
    weights = broad_weights(strokes)
    means = np.random.default_rng(4).random((50, 70), np.float32)
    made, record = Picture(np.full_like(means, 77.0)), relief_record(size, size, strokes, Look(relief=1.0), 0.0)
    sums, radius = np.rint(means * 2.0**23 * strokes.cell_px**2).astype(np.uint32), len(weights) // 2
    (found,) = gpu.run(Variant("relief_smooth"), record, [sums, None], [made], (70, 25), RADIUS=radius)
    np.testing.assert_allclose(found, celled.smoothed(means.astype(float), weights), rtol=0, atol=1e-6)
    assert radius <= MOST_RADIUS
    assert (radius == MOST_RADIUS) == (scale == 1.2499)
