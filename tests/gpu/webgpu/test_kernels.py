"""The WGSL kernels from planes to tensors and back, against their float64 reference.

Tolerances equal Direct3D 12's for float32 tensors: tests/windows/test_kernels.py gives the reasons.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu import colour, tiles
from framebrush.gpu.frame import Frame, FrameFormat, Matrix, PlaneOrder, Transfer, nv12, rgba8, yuv420p
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.look import Look, ToneMap
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages import detail, planes_to_tensor, resample, tensor_to_planes, tile_copies
from framebrush.gpu.stages import table as tables
from framebrush.gpu.stages.cells import luma_of
from framebrush.gpu.stages.resample import TO_DETAIL, TO_TARGET, TO_WORKING, Filter, taps
from framebrush.gpu.stages.table import coloured
from framebrush.gpu.stages.tensor_to_planes import Placement
from framebrush.models.colours.colour_table import ColourTable
from tests.gpu.pictures import (
    FORMATS,
    HDR,
    KEPT,
    KEPT_TARGETS,
    LOOKS,
    SDR,
    TARGETS,
    WORKING,
    H,
    W,
    codes_of,
    kept_for_network,
    noise,
    rounding,
)
from tests.gpu.webgpu.harness import Array, Gpu, needs_vulkan

pytestmark = [pytest.mark.parity, needs_vulkan]

Tensor = npt.NDArray[np.float32]

CURVES = np.stack([np.linspace(0.0, 1.0, 17) ** power for power in (0.5, 1.0, 2.0)]).astype(np.float32)
RANDOM = ColourTable(np.random.default_rng(3).uniform(-0.2, 1.2, (9, 9, 9, 3)).astype(np.float32))
COLOURS = {
    "grid": RANDOM,
    "curves": replace(RANDOM, curves=CURVES),
    "domain": replace(RANDOM, domain_min=(0.1, 0.0, 0.05), domain_max=(0.9, 1.0, 0.8)),
    "levels": ColourTable.identity(2),
}
NOTHING = np.zeros(1, np.uint32)  # a flag that is not set


def unwritten(width: int, height: int) -> Tensor:
    """A tensor that holds what no kernel makes."""
    return np.full((3, height, width), 77.0, np.float32)


def close_to(got: Array, want: Array, tolerance: float) -> None:
    np.testing.assert_allclose(got, want, rtol=0, atol=tolerance)


def converted(
    gpu: Gpu, frame: Frame, tone: ToneMap, size: Size, *, working: Size | None = None, keeps_hdr: bool = False
) -> Tensor:
    """What planes become before the network. size: of the tensor, with its padding."""
    picture = frame.format
    defines = planes_to_tensor.convert_variant(picture, resized=working is not None, keeps_hdr=keeps_hdr)
    options = {name: int(value) for name, value in defines} | {"BITS": 8 * np.dtype(picture.dtype).itemsize}
    made = working or size
    columns, rows = (
        taps(side, to, TO_WORKING).table() for side, to in zip((picture.width, picture.height), made, strict=True)
    )
    record = planes_to_tensor.convert(picture, size, tone, columns.shape[1] - 1)
    record["made"], record["taps_rows"], record["top"] = made, rows.shape[1] - 1, 1.0
    planes = [np.ascontiguousarray(plane) for plane in frame.planes]
    reads = [*planes, *[planes[0]] * (3 - len(planes)), columns, rows]
    return gpu.run(Variant("planes_to_tensor"), record, reads, [unwritten(*size)], size, **options)[0]


def along_rows(gpu: Gpu, tensor: Tensor, size: Size, shape: Filter) -> tuple[Tensor, bool]:
    """A tensor resampled along its rows, and whether it is flagged as not finite."""
    height, width = tensor.shape[1:]
    filter_ = taps(width, size[0], shape).table()
    record = resample.resampled((width, height), size, size, filter_.shape[1] - 1)
    writes = [unwritten(*size), NOTHING]
    made, flag = gpu.run(Variant("resample"), record, [tensor, filter_], writes, size, AXIS=0)
    return made, bool(flag[0])


def along_columns(gpu: Gpu, tensor: Tensor, size: Size, padded: Size, shape: Filter) -> Tensor:
    """A tensor resampled along its columns and clipped, with the padding."""
    height, width = tensor.shape[1:]
    filter_ = taps(height, size[1], shape).table()
    record = resample.resampled((width, height), size, padded, filter_.shape[1] - 1)
    return gpu.run(Variant("resample"), record, [tensor, filter_], [unwritten(*padded), None], padded, AXIS=1)[0]


@pytest.mark.parametrize("name", SDR)
def test_planes_to_tensor(gpu: Gpu, name: str) -> None:
    frame = noise(FORMATS[name])
    want = planes_to_tensor.pad(planes_to_tensor.planes_to_rgb(frame), 8, tiles.LEAST_INPUT_PX)
    close_to(converted(gpu, frame, ToneMap.BT2390, want.shape[:0:-1]), want, 1e-5)


@pytest.mark.parametrize("name", ["yuv420p odd", "nv12", "p010", "gbrp", "gbrpf16", "rgba", "grey10 full", "hdr10"])
@pytest.mark.parametrize("size", WORKING)
def test_planes_to_a_tensor_of_another_size(gpu: Gpu, name: str, size: Size) -> None:
    frame = noise(FORMATS[name])
    resized = resample.resample(planes_to_tensor.planes_to_rgb(frame), size, TO_WORKING)
    want = planes_to_tensor.pad(resized, 8, tiles.LEAST_INPUT_PX)
    got = converted(gpu, frame, ToneMap.BT2390, want.shape[:0:-1], working=size)
    close_to(got, want, 2e-3 if frame.format.transfer is not Transfer.SDR else 1e-5)


@pytest.mark.parametrize("tone_map", ToneMap)
@pytest.mark.parametrize("name", HDR)
def test_hdr_planes_to_tensor(gpu: Gpu, name: str, tone_map: ToneMap) -> None:
    frame = noise(FORMATS[name])
    want = planes_to_tensor.planes_to_rgb(frame, tone_map)
    np.testing.assert_allclose(converted(gpu, frame, tone_map, want.shape[:0:-1]), want, rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("working", [None, (20, 13)])
@pytest.mark.parametrize("name", KEPT)
def test_hdr_planes_to_a_tensor_that_becomes_hdr(gpu: Gpu, name: str, working: Size | None) -> None:
    frame = noise(FORMATS[name])
    want = kept_for_network(frame)
    if working:
        want = np.clip(resample.resample(want, working, TO_WORKING), 0.0, 1.0)
    size = want.shape[:0:-1]
    close_to(converted(gpu, frame, ToneMap.BT2390, size, working=working, keeps_hdr=True), want, 1e-4)


def pictures(width: int, height: int) -> tuple[Tensor, Tensor]:
    """A source within 0..1 and a painting that overshoots it."""
    random = np.random.default_rng(5)
    made = random.random((3, height, width)), random.normal(0.5, 0.4, (3, height, width))
    return made[0].astype(np.float32), made[1].astype(np.float32)


def pairs(painting: Tensor) -> Array:
    """Pack a painting as painting.hlsli reads it."""
    codes = np.rint(65535.0 * np.pad(painting, ((0, 0), (0, 0), (0, painting.shape[2] % 2)))).astype(np.uint16)
    return codes.view(np.uint32)


@pytest.mark.parametrize("size", [(W, H), *WORKING, (187, 131), (248, 38)])
def test_resampling_to_the_target(gpu: Gpu, size: Size) -> None:
    styled = pictures(61, 37)[1]
    rows, not_finite = along_rows(gpu, styled, (size[0], 37), TO_TARGET)
    got = along_columns(gpu, rows, size, size, TO_TARGET)
    close_to(got, resample.to_target(styled.astype(float), size), 1e-6)
    assert not not_finite


@pytest.mark.parametrize("bad", [0.0, np.nan, np.inf])
@pytest.mark.parametrize("size", [(187, 131), (248, 38), (20, 37), (61, 300)])
def test_enlarging_at_once(gpu: Gpu, size: Size, bad: float) -> None:
    styled = pictures(61, 37)[1]
    filters = [taps(side, made, TO_TARGET).table() for side, made in zip((61, 37), size, strict=True)]
    columns, rows = (filter_.shape[1] - 1 for filter_ in filters)
    record = resample.enlarged((61, 37), size, (columns, rows))
    for place in ((0, 0, 0), (1, 36, 60), (2, 17, 33)):
        styled[place] = bad
        made, flag = gpu.run(Variant("enlarge"), record, [styled, *filters], [unwritten(*size), NOTHING], size)
        styled[place] = 0.0
        close_to(made, resample.to_target(styled.astype(float), size), 1e-6)
        assert bool(flag[0]) == (not np.isfinite(bad))
        words = pairs(np.zeros((3, *size[::-1]), np.float32))
        packed, _ = gpu.run(Variant("enlarge"), record, [styled, *filters], [words, NOTHING], size, PACKS=1)
        np.testing.assert_array_equal(packed.view(np.uint16)[..., : size[0]], np.floor(65535.0 * made + 0.5))


@pytest.mark.parametrize("target", [rgba8(61, 37), yuv420p(61, 37), nv12(40, 38)])
def test_a_packed_painting_is_read_as_another(gpu: Gpu, target: FrameFormat) -> None:
    source, styled = pictures(target.width, target.height)
    styled = np.rint(65535.0 * np.clip(styled, 0.0, 1.0)) / np.float32(65535.0)
    look, fine = Look(0.8), np.zeros(styled.shape[1:], np.float32)
    expected, _ = finished(gpu, source, styled, fine, target, look)
    made, _ = finished(gpu, source, pairs(styled), fine, target, look, PACKED=1)
    for ours, theirs in zip(made.planes, expected.planes, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_resampling_flags_what_is_not_finite_and_makes_it_black(gpu: Gpu, bad: float) -> None:
    for place in ((0, 0, 0), (1, 36, 60), (2, 17, 33)):
        styled = pictures(61, 37)[1]
        styled[place] = bad
        rows, not_finite = along_rows(gpu, styled, (20, 37), TO_TARGET)
        styled[place] = 0.0
        want = resample.to_target(styled.astype(float), (20, 13))
        close_to(along_columns(gpu, rows, (20, 13), (20, 13), TO_TARGET), want, 1e-6)
        assert not_finite, f"{bad} at {place}"


def fine_luma(gpu: Gpu, source: Tensor, coarse: Size) -> Tensor:
    """The fine luma (H, W) of a source (3, H, W) beside its low-pass of another size."""
    height, width = source.shape[1:]
    columns, between = taps(width, coarse[0], TO_DETAIL).table(), (coarse[0], height)
    record = resample.resampled((width, height), between, between, columns.shape[1] - 1)
    (moments,) = gpu.run(Variant("detail_moments"), record, [source, columns], [unwritten(*between)], between)
    luma = luma_of(source.astype(float))
    want = resample.resample(np.stack([luma, luma * luma]), between, TO_DETAIL)
    close_to(moments[:2], want, 1e-6)
    assert not moments[2].any()
    low = along_columns(gpu, moments, coarse, coarse, TO_DETAIL)
    low = along_rows(gpu, low, (width, coarse[1]), TO_DETAIL)[0]
    rows = taps(coarse[1], height, TO_DETAIL).table()
    record = detail.constants((width, height), (width, coarse[1]), (width, height), rows.shape[1] - 1)
    made = np.full((height, width), 77.0, np.float32)
    return gpu.run(Variant("detail"), record, [source, low, rows], [made], (width, height))[0]


@pytest.mark.parametrize("size", [(62, 38), (61, 37), (9, 200), (1, 1)])
@pytest.mark.parametrize("stroke", [1, 5, 16])
def test_detail(gpu: Gpu, size: Size, stroke: int) -> None:
    chance = np.random.default_rng(8)
    source = np.clip(chance.random((3, 1, 1)) + chance.normal(0, 0.05, (3, size[1], size[0])), 0, 1)
    source[:, :, size[0] // 2 :] *= 0.4
    source = source.astype(np.float32)
    coarse = -(-size[0] // (2 * stroke)), -(-size[1] // (2 * stroke))
    want = detail.detail(source.astype(float), coarse)
    close_to(fine_luma(gpu, source, coarse), want, 1e-5)
    assert np.abs(want).max() > 0.02 or size == (1, 1)


def finished(
    gpu: Gpu, source: Tensor, styled: Array, fine: Tensor, target: FrameFormat, look: Look, **options: int
) -> tuple[Frame, bool]:
    """Run the output kernel on tensors (3, H, W) and fine luma; return its non-finite flag, too."""
    size = target.width, target.height
    record = tensor_to_planes.output(size, size, size, target, look)
    made = target.allocate()
    planes: list[Any] = [np.zeros_like(plane) for plane in made.planes]
    reads = [styled, source, fine]
    if target.layout is PlaneOrder.RGBA:
        words = [planes[0].view(np.uint32), NOTHING]
        *planes, flag = gpu.run(Variant("tensor_to_rgba"), record, reads, words, size, **options)
        planes = [planes[0].view(np.uint8)]
    else:
        options |= {name: int(value) for name, value in tensor_to_planes.output_variant(target)}
        writes = [*planes, *[None] * (3 - len(planes)), NOTHING]
        *planes, flag = gpu.run(Variant("tensor_to_yuv"), record, reads, writes, planes[1].shape[1::-1], **options)
    return Frame(target, tuple(planes)), bool(flag[0])


def check_output(gpu: Gpu, target: FrameFormat, look: Look) -> None:
    source, styled = pictures(target.width, target.height)
    coarse = -(-target.width // 2), -(-target.height // 2)
    fine = detail.detail(source.astype(float), coarse).astype(np.float32)
    got, not_finite = finished(gpu, source, styled, fine, target, look)
    shown = tensor_to_planes.look(source.astype(float), styled.astype(float), look, fine.astype(float))
    want = tensor_to_planes.rgb_to_output(shown, target, look.dither)
    assert not not_finite
    for a, b in zip(got.planes, want.planes, strict=True):
        codes = np.abs(codes_of(a, target) - codes_of(b, target))
        assert codes.max() <= rounding(target.bits), f"{codes.max()} at {np.argwhere(codes == codes.max())[0]}"
        assert (codes > 0).mean() < 0.01 or target.bits > 12, "more than rounding can explain"
        assert not (a.astype(int) & ((1 << target.shift) - 1)).any() or target.floating


def describe(picture: FrameFormat) -> str:
    """A test's name."""
    subsample = "".join(map(str, picture.subsample))
    words = [picture.layout, picture.bits, subsample, picture.siting, picture.matrix, picture.transfer]
    return "-".join(
        map(str, [*words, "full" if picture.full_range else "limited", f"{picture.width}x{picture.height}"])
    )


@pytest.mark.parametrize("target", TARGETS, ids=describe)
def test_output_formats(gpu: Gpu, target: FrameFormat) -> None:
    check_output(gpu, target, Look(dither=False, keep_colours=True, exposure_ev=0.5))


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_looks(gpu: Gpu, look: Look) -> None:
    check_output(gpu, nv12(W, H), look)
    check_output(gpu, rgba8(W, H), look)


@pytest.mark.parametrize("name", KEPT_TARGETS)
def test_output_of_hdr(gpu: Gpu, name: str) -> None:
    for look in (Look(), Look(keep_colours=True, exposure_ev=0.5, split=0.3)):
        check_output(gpu, KEPT_TARGETS[name], look)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite_are_flagged(gpu: Gpu, bad: float) -> None:
    for target in (nv12(61, 37), yuv420p(61, 37), rgba8(61, 37)):
        for place in ((0, 0, 0), (1, 36, 60), (2, 17, 33)):
            source, styled = pictures(61, 37)
            fine = np.zeros((37, 61), np.float32)
            styled[place] = bad
            assert finished(gpu, source, styled, fine, target, Look())[1], f"{bad} at {place} in {target.layout}"


def test_dither_is_the_standard_matrix(gpu: Gpu) -> None:
    fine = np.zeros((8, 8), np.float32)
    for step in range(0, 64, 7):
        level = np.full((3, 8, 8), (100 + step / 64.0) / 255.0, np.float32)
        got, _ = finished(gpu, level, level, fine, rgba8(8, 8), Look())
        np.testing.assert_array_equal(got.planes[0][..., 0], 100 + (colour.DITHER + step / 64.0 >= 1.0))


PLACEMENTS = {
    "larger": Placement((200, 100), (4, 3), (180, 90)),
    "smaller, nearest": Placement((50, 80), (2, 30), (46, 30), smooth=False),
    "turned": Placement((80, 120), (7, 5), (60, 100), rotation_degrees=90),
    "upside down": Placement((120, 80), (7, 5), (100, 60), rotation_degrees=180),
    "turned and mirrored": Placement((80, 120), (7, 5), (60, 100), rotation_degrees=270, mirrored=True),
    "two panes": Placement((240, 80), (6, 4), (110, 70), pane_px=120),
    "under a loupe": Placement((200, 100), (4, 3), (180, 90), loupe=(80.5, 51.5), loupe_px=30.0, loupe_factor=4.0),
}


def sampled(picture: Array, x: Array, y: Array, smooth: bool) -> Array:
    """(3, H, W) at positions in samples, the edge repeated."""
    low_x, low_y = np.floor(x).astype(int), np.floor(y).astype(int)
    part_x, part_y = (axis - low for axis, low in ((x, low_x), (y, low_y)))
    if not smooth:
        part_x, part_y = np.floor(part_x + 0.5), np.floor(part_y + 0.5)

    def at(down: int, across: int) -> Array:
        rows, columns = picture.shape[1:]
        found: Array = picture[:, np.clip(low_y + down, 0, rows - 1), np.clip(low_x + across, 0, columns - 1)]
        return found

    top = at(0, 0) * (1 - part_x) + at(0, 1) * part_x
    made: Array = top * (1 - part_y) + (at(1, 0) * (1 - part_x) + at(1, 1) * part_x) * part_y
    return made


def shown(source: Array, styled: Array, look: Look, placement: Placement) -> Array:
    """(3, H, W) of a window, R'G'B': each pixel is taken back to where it comes from."""
    pixels = np.meshgrid(*(np.arange(side) + 0.5 for side in placement.window))
    right = (pixels[0] >= placement.pane_px) if placement.pane_px else np.zeros_like(pixels[0], bool)
    x, y = pixels[0] - placement.pane_px * right, pixels[1]
    gap = np.hypot(x - placement.loupe[0], y - placement.loupe[1])
    ring = (np.abs(gap - placement.loupe_px) < 1.0) & (placement.loupe_px > 0)
    for axis, centre in ((x, placement.loupe[0]), (y, placement.loupe[1])):
        near = gap < placement.loupe_px
        axis[near] = centre + (axis[near] - centre) / placement.loupe_factor
    x, y = (axis - corner for axis, corner in zip((x, y), placement.corner, strict=True))
    inside = (x >= 0) & (y >= 0) & (x < placement.shown[0]) & (y < placement.shown[1])
    across, down = x / placement.shown[0], y / placement.shown[1]
    turned = {0: (across, down), 90: (1 - down, across), 180: (1 - across, 1 - down), 270: (down, 1 - across)}
    # A picture that is turned counter-clockwise to be upright: what is at its right comes to the top.
    across, down = turned[placement.rotation_degrees]
    if placement.mirrored:
        across = 1 - across
    places = across * source.shape[2] - 0.5, down * source.shape[1] - 0.5
    original, painted = (sampled(each, *places, placement.smooth) for each in (source, np.clip(styled, 0.0, 1.0)))
    made = tensor_to_planes.look(original, painted, look)
    if placement.pane_px:
        made = np.where(right, made, original)
    return np.where(ring, 0.92, np.where(inside, made, 0.0))


@pytest.mark.parametrize("bits", [8, 10])
@pytest.mark.parametrize("name", PLACEMENTS)
def test_what_a_window_shows(gpu: Gpu, name: str, bits: int) -> None:
    placement, size, look = PLACEMENTS[name], (96, 64), Look(dither=False)
    source, styled = pictures(*size)
    target = FrameFormat(*placement.window, PlaneOrder.RGBA, bits, matrix=Matrix.RGB, full_range=True)
    in_panes = replace(look, split=1.0) if placement.pane_px else look
    record = tensor_to_planes.output(size, size, size, target, in_panes, placement)
    fine = np.zeros(size[::-1], np.float32)
    words = np.zeros(placement.window[::-1], np.uint32)
    got, _ = gpu.run(Variant("tensor_to_rgba"), record, [styled, source, fine], [words, NOTHING], placement.window)
    codes = np.stack([got >> shift * bits & target.top for shift in range(3)], -1).astype(int)
    picture = shown(source.astype(float), styled.astype(float), look, placement)
    want = tensor_to_planes.rgb_to_output(picture, target, False).planes[0][..., :3]
    wrong = (np.abs(codes - want) > (1 if bits == 8 else 2)).any(axis=-1)
    assert wrong.mean() < 0.002, np.argwhere(wrong)[:5]  # where a middle falls on an edge it may be either side's
    assert ((got >> 3 * bits) == (255 if bits == 8 else 3)).all()


def test_copy_window(gpu: Gpu) -> None:
    chance = np.random.default_rng(0)
    values, others = (chance.random(shape).astype(np.float32) for shape in ((3, 24, 40), (3, 8, 16)))
    record = tile_copies.copy_window((40, 24), (5, 7), (16, 8), (3, 1), (11, 6))
    (got,) = gpu.run(Variant("copy_window"), record, [values], [others], (11, 6))
    want = others.copy()
    want[:, 1:7, 3:14] = values[:, 7:13, 5:16]
    np.testing.assert_array_equal(got, want)


def through_table(gpu: Gpu, table: ColourTable, picture: Tensor) -> tuple[Tensor, bool]:
    """Run the table kernel on a picture (3, H, W) in larger planes; return also the flag."""
    planes = np.zeros((3, 40, 64), np.float32)
    planes[:, : picture.shape[1], : picture.shape[2]] = picture
    grid = np.zeros((*table.grid.shape[:3], 4), np.float32)
    grid[..., :3] = table.grid
    curves = grid if table.curves is None else table.curves
    size = picture.shape[2], picture.shape[1]
    record = tables.constants(table, size, (64, 40))
    made, flag = gpu.run(Variant("table"), record, [planes, grid, curves], [np.zeros_like(planes), NOTHING], size)
    return made, bool(flag[0])


@pytest.mark.parametrize("name", COLOURS)
def test_table_of_colours(gpu: Gpu, name: str) -> None:
    styled = pictures(61, 37)[1]
    got, not_finite = through_table(gpu, COLOURS[name], styled)
    want = coloured(np.clip(styled, 0.0, 1.0).astype(float), COLOURS[name])
    close_to(got[:, :37, :61], want, 2e-5)
    assert not got[:, 37:].any(), "written outside the picture"
    assert not not_finite


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_table_of_colours_flags_what_is_not_finite_and_takes_it_for_black(gpu: Gpu, bad: float) -> None:
    picture = np.clip(pictures(61, 37)[1], 0.0, 1.0)
    picture[1, 36, 60] = bad
    got, not_finite = through_table(gpu, COLOURS["grid"], picture)
    picture[1, 36, 60] = 0.0
    close_to(got[:, :37, :61], coloured(picture.astype(float), COLOURS["grid"]), 2e-5)
    assert not_finite
