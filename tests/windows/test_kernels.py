"""Every kernel against its float64 reference."""

from __future__ import annotations

from contextlib import ExitStack, closing
from dataclasses import replace
from itertools import cycle, product
from pathlib import Path

import numpy as np
import pytest

from framebrush.gpu import colour, d3d12, passes, tiles
from framebrush.gpu.d3d12.commands import Recorder
from framebrush.gpu.d3d12.descriptors import BufferView
from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.d3d12.pass_executor import D3D12Resources, Executor
from framebrush.gpu.d3d12.resources import Buffer
from framebrush.gpu.d3d12.tensor import TensorBuffer
from framebrush.gpu.frame import FrameFormat, PlaneOrder, Transfer, nv12, rgba8, yuv420p
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.look import Look, ToneMap
from framebrush.gpu.passes import FLAG, Tensor, Work
from framebrush.gpu.stages import detail, planes_to_tensor, resample, tensor_to_planes, tile_copies
from framebrush.gpu.stages.resample import TO_WORKING
from framebrush.gpu.stages.table import Colours, coloured
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
from tests.windows.harness import convert, fine_luma, finish, ramp, read_tensor, read_view, resized, run, write_tensor

pytestmark = [pytest.mark.windows, pytest.mark.parity]

CURVES = np.stack([np.linspace(0.0, 1.0, 17) ** power for power in (0.5, 1.0, 2.0)]).astype(np.float32)
RANDOM = ColourTable(np.random.default_rng(3).uniform(-0.2, 1.2, (9, 9, 9, 3)).astype(np.float32))
COLOURS = {
    "grid": RANDOM,
    "curves": replace(RANDOM, curves=CURVES),
    "domain": replace(RANDOM, domain_min=(0.1, 0.0, 0.05), domain_max=(0.9, 1.0, 0.8)),
    "levels": ColourTable.identity(2),
}

# What a kernel may differ from its reference by, and why.
TOLERANCE = {
    "planes_to_tensor": {
        "float32": 1e-5,  # float32 arithmetic on codes of 16 bits
        "float16": 6e-4,  # half a step of float16 below 1 is 2.4e-4; the driver may round towards zero
        "kept": 1e-4,  # the curve is flat where PQ is steep
        "hdr": 2e-3,  # the plan's figure for PQ: the exponent of 78.8 enlarges the error of pow
    },
    "enlarge": 1e-6,  # as resample
    "resample": {
        "float32": 1e-6,  # float32 arithmetic on some twenty weights
        "float16": 5e-4,  # half a step of float16 below 1
        "unorm16": 1e-5,  # half a step of 16 bits, and float32 arithmetic
    },
    "stroke_film": 0,  # whole numbers
    "stroke_motion": 0,
    "stroke_camera": 0,
    "stroke_settle": 0,
    "stroke_agree": 0,
    "stroke_carry": 0,
    "stroke_fill": 0,
    "stroke_look": 0,  # whole numbers, but for how what is seen is rounded
    "stroke_first_level": 1e-5,  # float32 arithmetic
    "stroke_next_level": 1e-5,
    "stroke_tensor": 1e-5,
    "stroke_need": 1e-5,
    "stroke_direction": 1e-5,
    "stroke_pick": 0.01,  # of the strokes: one that is hardly seen may be drawn or not
    "stroke_trace": 1e-4,  # sizes and colours, in pixels and 0..1; of 2 % paths may turn another way
    "stroke_cut": 0.02,  # of the pixels: as stroke_draw, and hairs of the underpainting's front
    "stroke_offsets": 0,  # whole numbers
    "stroke_list": 0,
    "stroke_draw": 0.015,  # of the pixels: one may lie nearer to one piece of a path or to the next; a line has 600
    "tensor_to_yuv": 1,  # codes: the exact value may lie at a step of the rounding
    "tensor_to_rgba": 1,  # codes, the same
    "detail_moments": 1e-6,  # float32 arithmetic on some weights
    "detail": 1e-5,  # the variance is a difference of two means, and a weight its quotient
    "copy_window": 0,  # a copy
    "conv": 1e-3,  # half a step of 16 bits at each layer: see test_painter.py
    "blend": 5e-6,  # the same
    "table": 2e-5,  # half a step of 16 bits, and float32 arithmetic, times a slope of a few in curve and grid
    "steady_levels": 0,  # whole numbers
    "steady_motion": 0,
    "steady_follow": 1e-5,  # vectors are whole numbers
    "steady_mix": 2e-5,  # paintings in 16 bits
    "mask_share": 1e-4,  # 1 / 0.06 enlarges the rounding of luma
    "film_mixed": 1e-5,  # float32 arithmetic
    "photo_mixed": 1e-5,  # the same
    "source_laid": 0.02,  # of the pixels: a hair of the front may be its neighbour
    "corner_cells": 1e-6,  # float32 arithmetic
    "corner_share": 1e-4,  # the same, and a root, which is steep at 0
    "relief_begin": 1e-5,  # half a step of 16 bits
    "relief_smooth": 1e-5,  # the same, and a root
    "relief_to_yuv": 1,  # codes: as tensor_to_yuv
    "relief_light": 2e-4,  # quotients by 0.06 and a power of 60 in float32
}


def test_every_kernel_has_an_entry() -> None:
    shaders = Path(d3d12.__file__).parent / "shaders"
    assert {path.stem for path in shaders.glob("*.hlsl")} == set(TOLERANCE)
    for path in shaders.glob("*.hlsl"):
        first = path.read_text(encoding="utf-8").splitlines()[0]
        for word in ("In:", "Out:", "Group", "Reference:", "Tolerance:"):
            assert word in first, f"{path.name} does not say its {word}"


def describe(picture: FrameFormat) -> str:
    """A test's name."""
    subsample = "".join(map(str, picture.subsample))
    words = [picture.layout, picture.bits, subsample, picture.siting, picture.matrix, picture.transfer]
    return "-".join(
        map(str, [*words, "full" if picture.full_range else "limited", f"{picture.width}x{picture.height}"])
    )


PRECISIONS = "float32", "float16"


@pytest.mark.parametrize(("name", "precision"), list(zip(SDR, cycle(PRECISIONS))))
def test_planes_to_tensor(device: D3D12Device, name: str, precision: str) -> None:
    picture = FORMATS[name]
    frame = noise(picture)
    got = convert(device, frame, precision, ToneMap.BT2390, stride=8)
    want = planes_to_tensor.pad(planes_to_tensor.planes_to_rgb(frame), 8, tiles.LEAST_INPUT_PX)
    np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE["planes_to_tensor"][precision])


RESIZED = ["yuv420p odd", "nv12", "p010", "gbrp", "gbrpf16", "rgba", "grey10 full", "hdr10"]


@pytest.mark.parametrize(("name", "size"), list(zip(2 * RESIZED, cycle(WORKING), strict=False)))
def test_planes_to_a_tensor_of_another_size(device: D3D12Device, name: str, size: tuple[int, int]) -> None:
    frame = noise(FORMATS[name])
    got = convert(device, frame, "float32", ToneMap.BT2390, stride=8, working=size)
    resized = resample.resample(planes_to_tensor.planes_to_rgb(frame), size, TO_WORKING)
    want = planes_to_tensor.pad(resized, 8, tiles.LEAST_INPUT_PX)
    kind = "hdr" if frame.format.transfer is not Transfer.SDR else "float32"
    np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE["planes_to_tensor"][kind])


@pytest.mark.parametrize(
    ("size", "precision"), list(zip([(W, H), *WORKING, (187, 131), (248, 38)], cycle(PRECISIONS), strict=False))
)
def test_resampling_to_the_target(device: D3D12Device, size: tuple[int, int], precision: str) -> None:
    styled = pictures(61, 37)[1].astype(precision)
    got, not_finite = resized(device, styled, size, precision)
    want = resample.to_target(styled.astype(float), size)
    np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE["resample"]["unorm16"])
    assert not not_finite


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("size", [(20, 13), (100, 57)])
def test_resampling_flags_what_is_not_finite_and_makes_it_black(
    device: D3D12Device, bad: float, size: tuple[int, int]
) -> None:
    for place in ((0, 0, 0), (1, 36, 60), (2, 17, 33)):
        styled = pictures(61, 37)[1].astype(np.float32)
        styled[place] = bad
        got, not_finite = resized(device, styled, size)
        styled[place] = 0
        want = resample.to_target(styled.astype(float), size)
        np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE["resample"]["unorm16"])
        assert not_finite, f"{bad} at {place}"


@pytest.mark.parametrize("tone_map", ToneMap)
@pytest.mark.parametrize("name", HDR)
def test_hdr_planes_to_tensor(device: D3D12Device, name: str, tone_map: ToneMap) -> None:
    picture = FORMATS[name]
    for frame in (noise(picture), ramp(picture)):
        got = convert(device, frame, "float32", tone_map)
        want = planes_to_tensor.planes_to_rgb(frame, tone_map)
        np.testing.assert_allclose(got, want, rtol=2e-3, atol=TOLERANCE["planes_to_tensor"]["hdr"])


@pytest.mark.parametrize("name", KEPT)
@pytest.mark.parametrize("working", [None, (20, 13)])
def test_hdr_planes_to_a_tensor_that_becomes_hdr(
    device: D3D12Device, name: str, working: tuple[int, int] | None
) -> None:
    picture = FORMATS[name]
    for frame in (noise(picture), ramp(picture)):
        got = convert(device, frame, "float32", ToneMap.BT2390, working=working, keeps_hdr=True)
        want = kept_for_network(frame)
        if working:
            want = np.clip(resample.resample(want, working, TO_WORKING), 0.0, 1.0)
        else:
            want = planes_to_tensor.pad(want, 1, tiles.LEAST_INPUT_PX)
        height, width = want.shape[1:]
        np.testing.assert_allclose(got[:, :height, :width], want, rtol=0, atol=TOLERANCE["planes_to_tensor"]["kept"])


@pytest.mark.parametrize("name", KEPT_TARGETS)
def test_output_of_hdr(device: D3D12Device, name: str) -> None:
    for look in (Look(), Look(strength=0.4, dither=False), Look(keep_colours=True, exposure_ev=0.5, split=0.3)):
        check_output(device, KEPT_TARGETS[name], look)


def pictures(width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    """A source within 0..1 and a painting that overshoots it."""
    random = np.random.default_rng(5)
    return random.random((3, height, width)), random.normal(0.5, 0.4, (3, height, width))


def check_output(device: D3D12Device, target: FrameFormat, look: Look) -> None:
    source, styled = (picture.astype(np.float32) for picture in pictures(target.width, target.height))
    got, not_finite = finish(device, source, styled, target, look)
    coarse = -(-target.width // 2), -(-target.height // 2)
    fine = detail.detail(source.astype(float), coarse)
    shown = tensor_to_planes.look(source.astype(float), styled.astype(float), look, fine)
    want = tensor_to_planes.rgb_to_output(shown, target, look.dither)
    name = "tensor_to_rgba" if target.layout is PlaneOrder.RGBA else "tensor_to_yuv"
    assert not not_finite
    for a, b in zip(got.planes, want.planes, strict=True):
        codes = np.abs(codes_of(a, target) - codes_of(b, target))
        assert codes.max() <= TOLERANCE[name] * rounding(target.bits), (
            f"{codes.max()} at {np.argwhere(codes == codes.max())[0]}"
        )
        assert (codes > 0).mean() < 0.01 or target.bits > 12, "more than rounding can explain"
        assert not (a.astype(int) & ((1 << target.shift) - 1)).any() or target.floating


@pytest.mark.parametrize("target", TARGETS, ids=describe)
def test_output_formats(device: D3D12Device, target: FrameFormat) -> None:
    check_output(device, target, Look())
    check_output(device, target, Look(dither=False, keep_colours=True, exposure_ev=0.5))


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_looks(device: D3D12Device, look: Look) -> None:
    check_output(device, nv12(W, H), look)
    check_output(device, rgba8(W, H), look)


@pytest.mark.parametrize("precision", ["float32", "float16"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite_are_flagged(device: D3D12Device, bad: float, precision: str) -> None:
    for target in (nv12(61, 37), yuv420p(61, 37), rgba8(61, 37)):
        for place in ((0, 0, 0), (1, 36, 60), (2, 17, 33)):
            source, styled = pictures(61, 37)
            styled[place] = bad
            assert finish(device, source, styled, target, Look(), precision)[1], f"{bad} at {place} in {target.layout}"


@pytest.mark.parametrize(
    ("of", "precision"),
    list(zip(product([(62, 38), (61, 37), (9, 200), (1, 1)], [0.5, 1, 2, 5, 16]), cycle(PRECISIONS), strict=False)),
)
def test_detail(device: D3D12Device, of: tuple[tuple[int, int], float], precision: str) -> None:
    """All kernels of it: luma and its square down and up again, then their distance and its weight."""
    size, stroke = of
    chance = np.random.default_rng(8)
    working = max(1, round(size[0] / stroke)), max(1, round(size[1] / stroke))
    source = np.clip(chance.random((3, 1, 1)) + chance.normal(0, 0.05, (3, size[1], size[0])), 0, 1)
    source[:, :, size[0] // 2 :] *= 0.4
    if working == size:  # the original is the network's input
        source = source.astype(precision).astype(float)
    got = fine_luma(device, source, working, precision)
    coarse = min(-(-working[0] // 2), size[0]), min(-(-working[1] // 2), size[1])
    want = detail.detail(source.astype(np.float32).astype(float), coarse)
    np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE["detail"])
    if stroke > 1 and size != (1, 1):
        assert np.abs(want).max() > 0.02


def test_copy_window(device: D3D12Device) -> None:
    big = TensorBuffer(device.context.native, (40, 24), "float32", "big")
    small = TensorBuffer(device.context.native, (16, 8), "float32", "small")
    values, others = (np.random.default_rng(seed).random((3, *shape)) for seed, shape in enumerate(((24, 40), (8, 16))))
    write_tensor(device, big, values)
    write_tensor(device, small, others)
    memory = Buffer(device.context.native, 512, "constants", heap=2)
    record = tile_copies.copy_window((40, 24), (5, 7), (16, 8), (3, 1), (11, 6))
    memory.mapped[: record.nbytes] = np.frombuffer(record.tobytes(), np.uint8)
    reads, writes = device.context.descriptors.read(big.view), device.context.descriptors.write(small.view)
    recorder = Recorder(device.context.native, 2, "copy window", device.context.descriptors)
    kernel = device.context.kernel(Variant("copy_window"), reads, writes)
    recorder.begin().dispatch(kernel, reads, writes, memory.address, (11, 6))
    run(device.context.compute, recorder.end())
    want = others.astype(np.float32)
    want[:, 1:7, 3:14] = values[:, 7:13, 5:16]
    np.testing.assert_array_equal(read_tensor(device, small), want)
    for thing in (recorder, writes, reads, memory, small, big):
        thing.close()


@pytest.mark.parametrize("name", ["grid", "curves", "domain", "levels"])
def test_table_of_colours(device: D3D12Device, name: str) -> None:
    got, not_finite = through_table(device, COLOURS[name], pictures(61, 37)[1])
    want = coloured(np.clip(pictures(61, 37)[1].astype(np.float32), 0.0, 1.0).astype(float), COLOURS[name])
    np.testing.assert_allclose(got[:, :37, :61], want, rtol=0, atol=TOLERANCE["table"])
    assert not got[:, 37:].any(), "written outside the picture"
    assert not not_finite


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_table_of_colours_flags_what_is_not_finite_and_takes_it_for_black(device: D3D12Device, bad: float) -> None:
    picture = np.clip(pictures(61, 37)[1], 0.0, 1.0)
    picture[1, 36, 60] = bad
    got, not_finite = through_table(device, COLOURS["grid"], picture)
    picture[1, 36, 60] = 0
    want = coloured(picture.astype(np.float32).astype(float), COLOURS["grid"])
    np.testing.assert_allclose(got[:, :37, :61], want, rtol=0, atol=TOLERANCE["table"])
    assert not_finite


def through_table(device: D3D12Device, table: ColourTable, picture: np.ndarray) -> tuple[np.ndarray, bool]:
    """Run the table kernel on a picture (3, H, W) in larger planes; return also the flag."""
    context, compute = device.context, device.context.compute
    source, made = (Tensor.of(name, (64, 40), kept=True) for name in ("in", "out"))
    flag = passes.Buffer("not finite", "uint32", 1, kept=True)
    with ExitStack() as stack:
        memory = stack.enter_context(closing(D3D12Resources(context)))
        executor = stack.enter_context(closing(Executor(context, compute, memory, None, "table")))
        view = memory.view(flag, 0)
        assert isinstance(view, BufferView)
        memory.give(FLAG, 0, view)
        write_tensor(device, memory.tensor(source, 0), picture)
        write_tensor(device, memory.tensor(made, 0), np.zeros((3, 40, 64)))  # new memory holds anything
        taken = Colours.of(table, "table").taken(source, made, (picture.shape[2], picture.shape[1]))
        run(compute, executor.list_of(Work("table", (replace(taken, clears=(flag,)),)), 0))
        return read_tensor(device, memory.tensor(made, 0)), bool(read_view(device, view, np.uint32, (1,))[0])


def test_a_table_of_the_wrong_size_is_refused(device: D3D12Device) -> None:
    tensor = TensorBuffer(device.context.native, (8, 8), "float32", "small")
    one, two = device.context.descriptors.read(tensor.view), device.context.descriptors.write(tensor.view, tensor.view)
    recorder = Recorder(device.context.native, 2, "wrong", device.context.descriptors).begin()
    with pytest.raises(ValueError, match="1 to read and 2 to write for copy_window, which has 1 and 1"):
        recorder.dispatch(device.context.kernel(Variant("copy_window"), one, two), one, two, 0, (8, 8))
    for thing in (recorder, one, two, tensor):
        thing.close()


def test_dither_is_the_standard_matrix(device: D3D12Device) -> None:
    """The kernel computes the thresholds; the reference tabulates them. Only a bias-free grid shows every one."""
    target = rgba8(8, 8)
    for step in range(0, 64, 7):
        level = np.full((3, 8, 8), (100 + step / 64.0) / 255.0)
        got, _ = finish(device, level, level, target, Look())
        np.testing.assert_array_equal(got.planes[0][..., 0], 100 + (colour.DITHER + step / 64.0 >= 1.0))
