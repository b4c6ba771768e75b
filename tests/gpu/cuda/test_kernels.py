"""Every kernel against its float64 reference, on a GPU."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu import passes, tiles
from framebrush.gpu.cuda import kernels
from framebrush.gpu.cuda.device import CudaDevice
from framebrush.gpu.cuda.engines import BLEND
from framebrush.gpu.cuda.finishing import Finishing
from framebrush.gpu.cuda.kernels import Arguments
from framebrush.gpu.cuda.native import DeviceMemory, PinnedMemory
from framebrush.gpu.cuda.pass_executor import Executor
from framebrush.gpu.cuda.slot import CudaSlot
from framebrush.gpu.cuda.tensor import Tensor
from framebrush.gpu.device import open_device
from framebrush.gpu.frame import Frame, FrameFormat, PlaneOrder, Siting, Transfer, nv12, rgba8, yuv420p
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.look import Look, ToneMap
from framebrush.gpu.passes import Work
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages import detail, masks, planes_to_tensor, resample, tensor_to_planes, tile_copies
from framebrush.gpu.stages.frame_passes import FramePasses
from framebrush.gpu.stages.masks import Photograph
from framebrush.gpu.stages.output import Output
from framebrush.gpu.stages.resample import TO_WORKING
from framebrush.gpu.stages.steady import reference as steady_reference
from framebrush.gpu.stages.steady.passes import CudaSteadying
from framebrush.gpu.stages.strokes.laying import Laying, laid
from framebrush.gpu.stages.table import APART, Colours, coloured
from framebrush.gpu.temporal_window import CENTRED, NO_WINDOW, TemporalWindow
from framebrush.gpu.unfinished import Times, Unfinished
from framebrush.models.colours.colour_table import ColourTable
from framebrush.models.style import Style
from tests.cuda import needs_cuda
from tests.gpu.cuda.variants import variants
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
    growing_noise,
    kept_for_network,
    noise,
    rounding,
)
from tests.gpu.pictures import masks as some_masks
from tests.inside import executor_of, passes_of
from tests.networks import identity

pytestmark = [pytest.mark.parity, pytest.mark.cuda, needs_cuda]

Picture = npt.NDArray[np.float64]

# What a kernel may differ from its reference by, and why.
TOLERANCE: dict[str, dict[str, float]] = {
    "planes_to_tensor": {
        "float32": 1e-5,  # float32 arithmetic on codes of 16 bits
        "float16": 3e-4,  # half a step of float16 below 1 is 2.4e-4
        "kept": 1e-4,  # the curve is flat where PQ is steep
        "hdr": 2e-3,  # the plan's figure for PQ: the exponent of 78.8 enlarges the error of pow
    },
    "resample": {"float32": 1e-6, "float16": 5e-4},  # float32 arithmetic on some twenty weights; half a step of float16
    "tensor_to_yuv": {"codes": 1},  # the exact value may lie at a step of the rounding
    "tensor_to_rgba": {"codes": 1},
    "detail_moments": {"": 1e-6},  # float32 arithmetic on some weights
    "detail": {"": 1e-5},  # the variance is a difference of two means, and a weight its quotient
    "copy_window": {"": 0},
    "corner_cells": {"": 1e-6},  # float32 arithmetic
    "corner_share": {"": 1e-4},  # the same, and a root, which is steep at 0
    "mask_share": {"": 1e-4},  # 1 / 0.06 enlarges the rounding of luma
    "film_mixed": {
        "float32": 1e-5,  # float32 arithmetic
        "float16": 3e-4,  # half a step of float16 below 1 is 2.4e-4
    },
    "photo_mixed": {"": 1e-5},  # float32 arithmetic
    "source_laid": {"": 0.02},  # of the pixels: a hair of the front may be its neighbour
    "relief_begin": {"": 3e-4},  # half a step of float16 below 1 is 2.4e-4
    "stroke_film": {"": 0},  # whole numbers, rounded alike
    "stroke_cells": {"": 0},
    "stroke_motion": {"": 0},
    "stroke_settle": {"": 0},
    "stroke_agree": {"": 0},
    "stroke_carry": {"": 0},
    "stroke_fill": {"": 0},
    "stroke_first_level": {"": 1e-5},  # float32 arithmetic on means
    "stroke_next_level": {"": 1e-5},
    "stroke_need": {"": 1e-5},
    "stroke_tensor": {"": 1e-6},  # float32 arithmetic on differences of means
    "stroke_direction": {"": 1e-6},
    "stroke_look": {"": 0},  # whole numbers, but for how what is seen is rounded
    "stroke_pick": {"": 0},  # but where a stroke is hardly seen
    "stroke_trace": {"": 1e-4, "px": 0.02},  # directions are steep where two sides of the tensor are equal
    "stroke_cut": {"": 0.01, "px": 0.02},  # of the strokes: one may end at a point of its path or beside it
    "stroke_count": {"": 0},
    "stroke_offsets": {"": 0},
    "stroke_list": {"": 0},
    "stroke_draw": {"": 2e-3},  # a quotient of two lengths as place of steep noise, and half a step of float16
    "relief_cells": {"": 1e-6},
    "relief_smooth": {"": 1e-5},  # float32 arithmetic on twenty-five weights, and a root
    "relief_height": {"": 1e-4},  # float32 arithmetic on values up to 5, in pixels
    "relief_light": {"": 1e-3},  # a power of 60 enlarges the error of the slopes
    "table": {
        "float32": 1e-5,  # float32 arithmetic on places between up to 64 points of curves and grids that are not steep
        "float16": 3e-4,  # half a step of float16 below 1 is 2.4e-4
    },
    "blend": {"": 1e-3},  # half a step of float16, relative
    "ink": {"": 1e-5},  # float32 arithmetic; test_without_onnxruntime_gpu.py: the style against ONNX Runtime
    "conv": {"": 0},  # tests/gpu/cuda/test_cuda.py: whole painters against ONNX Runtime
    "steady_source": {"": 0},  # whole numbers
    "steady_cells": {"": 0},
    "steady_motion": {"": 0},
    "steady_follow": {"": 1e-5},  # vectors are whole numbers
    "steady_mix": {"": 1e-5},  # float32 arithmetic
}


def rough(size: int) -> ColourTable:
    """Return a table of random colours, some beyond 0..1."""
    return ColourTable(np.random.default_rng(size).uniform(-0.1, 1.1, (size, size, size, 3)).astype(np.float32))


CURVES = np.random.default_rng(2).uniform(-0.1, 1.1, (3, 11)).astype(np.float32)
TABLES = [
    rough(2),
    replace(rough(5), curves=CURVES, domain_min=(0.1, -0.5, 0.0), domain_max=(0.9, 1.5, 0.6)),
    rough(17),
    replace(rough(33), curves=CURVES[:, :2]),
]


def test_every_kernel_has_an_entry() -> None:
    assert {variant.name for variant in variants()} == set(TOLERANCE)


@pytest.fixture(scope="module")
def device() -> Iterator[CudaDevice]:
    with open_device("cuda") as opened:
        assert isinstance(opened, CudaDevice)
        yield opened


def read(device: CudaDevice, pointer: int, count: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    kind = np.dtype(dtype)
    with closing(PinnedMemory(device.context.native, count * kind.itemsize, "test")) as pinned:
        device.context.compute.block()
        device.context.down.download(pinned, 0, pointer, count * kind.itemsize)
        device.context.down.block()
        return pinned.mapped.view(kind).copy()


def read_tensor(device: CudaDevice, tensor: Tensor) -> Picture:
    values = read(device, tensor.pointer, int(np.prod(tensor.shape)), tensor.precision)
    return values.reshape(tensor.shape[1:]).astype(np.float64)


def write_tensor(device: CudaDevice, tensor: Tensor, values: Picture) -> None:
    """Write values (3, H, W) to a tensor, with edges repeated in larger ones."""
    _, _, rows, columns = tensor.shape
    values = np.pad(values, ((0, 0), (0, rows - values.shape[1]), (0, columns - values.shape[2])), "edge")
    with closing(device.context.constant(values.astype(tensor.precision), "test")) as memory:
        device.context.compute.copy_rows(
            tensor.pointer, tensor.size_bytes, memory.pointer, tensor.size_bytes, tensor.size_bytes, 1
        )
        device.context.compute.block()


def slot_for(
    device: CudaDevice,
    source: FrameFormat,
    target: FrameFormat,
    *,
    working: Size | None = None,
    precision: str = "float32",
    stride: int = 1,
    scale: int = 1,
    window: TemporalWindow = NO_WINDOW,
) -> tuple[CudaSlot, Settings, ExitStack]:
    """A slot without a network behind it, and the end of it."""
    card = replace(identity().card, precision=precision, stride=stride, scale=scale)
    sizes = Sizes.of((source.width, source.height), working, (target.width, target.height), scale)
    plan = tiles.plan(*sizes.working, card, "off")
    settings = Settings(Style(card, b""), source, target, sizes, plan, Look(), 1, window=window)
    stack = ExitStack()
    device.context.native.use()
    executor, way = stack.enter_context(closing(Executor(device.context))), FramePasses(settings, "cuda")
    finishing, output = Finishing(executor, settings, way), Output(way, target, "cuda")
    more = finishing, Photograph(settings, way, "cuda")
    slot = stack.enter_context(closing(CudaSlot(device.context, 0, settings, way, output, executor, *more, None)))
    return slot, settings, stack


def start(device: CudaDevice, slot: CudaSlot, frame: Frame, tone_map: ToneMap = ToneMap.BT2390) -> None:
    slot.begin(Look(tone_map=tone_map), ())
    slot.fill(frame)
    device.context.up.block()


def converted(
    device: CudaDevice,
    frame: Frame,
    precision: str,
    tone_map: ToneMap,
    working: Size | None = None,
    stride: int = 8,
    *,
    keeps_hdr: bool = False,
) -> Picture:
    target = nv12(frame.format.width, frame.format.height)
    if keeps_hdr:
        target = replace(target, transfer=frame.format.transfer)
    slot, _, stack = slot_for(device, frame.format, target, working=working, precision=precision, stride=stride)
    with stack:
        start(device, slot, frame, tone_map)
        slot.queue_convert()
        return read_tensor(device, slot.frame)


@pytest.mark.parametrize("precision", ["float32", "float16"])
@pytest.mark.parametrize("name", SDR)
def test_planes_to_tensor(device: CudaDevice, name: str, precision: str) -> None:
    frame = noise(FORMATS[name])
    want = planes_to_tensor.pad(planes_to_tensor.planes_to_rgb(frame), 8, tiles.LEAST_INPUT_PX)
    got = converted(device, frame, precision, ToneMap.BT2390)
    np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE["planes_to_tensor"][precision])


@pytest.mark.parametrize("stride", [1, 8])
@pytest.mark.parametrize("size", [(64, 48), (57, 33), (58, 42), (59, 34), (60, 41), (5, 3), (2, 2), (1, 1)], ids=str)
def test_every_way_that_blocks_of_samples_meet_the_edge(device: CudaDevice, size: Size, stride: int) -> None:
    for picture in (nv12(*size), replace(yuv420p(*size, bits=10), siting=Siting.BOTTOM)):
        frame = noise(picture)
        want = planes_to_tensor.pad(planes_to_tensor.planes_to_rgb(frame), stride, tiles.LEAST_INPUT_PX)
        for precision in ("float32", "float16"):
            got = converted(device, frame, precision, ToneMap.BT2390, stride=stride)
            np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE["planes_to_tensor"][precision])
    for target in (nv12(*size), nv12(*size, bits=10), yuv420p(*size), replace(nv12(*size), siting=Siting.TOP_LEFT)):
        check_output(device, target, Look(), "float16")
        check_output(device, target, Look(keep_colours=True))


@pytest.mark.parametrize("tone_map", list(ToneMap))
@pytest.mark.parametrize("name", HDR)
def test_hdr_planes_to_tensor(device: CudaDevice, name: str, tone_map: ToneMap) -> None:
    frame = noise(FORMATS[name])
    want = planes_to_tensor.pad(planes_to_tensor.planes_to_rgb(frame, tone_map), 8, tiles.LEAST_INPUT_PX)
    got = converted(device, frame, "float32", tone_map)
    np.testing.assert_allclose(got, want, rtol=2e-3, atol=TOLERANCE["planes_to_tensor"]["hdr"])


@pytest.mark.parametrize("precision", ["float32", "float16"])
@pytest.mark.parametrize("working", [None, (20, 13)])
@pytest.mark.parametrize("name", KEPT)
def test_hdr_planes_to_a_tensor_that_becomes_hdr(
    device: CudaDevice, name: str, working: Size | None, precision: str
) -> None:
    frame = noise(FORMATS[name])
    want = kept_for_network(frame)
    if working:
        want = np.clip(resample.resample(want, working, TO_WORKING), 0.0, 1.0)
    want = planes_to_tensor.pad(want, 8, tiles.LEAST_INPUT_PX)
    got = converted(device, frame, precision, ToneMap.BT2390, working, keeps_hdr=True)
    tolerance = TOLERANCE["planes_to_tensor"]["kept" if precision == "float32" else "float16"]
    half_step = 0.0 if precision == "float32" else 2**-11  # the tensor goes beyond 1
    np.testing.assert_allclose(got, want, rtol=half_step, atol=tolerance)


@pytest.mark.parametrize("precision", ["float32", "float16"])
@pytest.mark.parametrize("name", KEPT_TARGETS)
def test_output_of_hdr(device: CudaDevice, name: str, precision: str) -> None:
    for look in (Look(), Look(strength=0.4, dither=False), Look(keep_colours=True, exposure_ev=0.5, split=0.3)):
        check_output(device, KEPT_TARGETS[name], look, precision)


@pytest.mark.parametrize("name", ["yuv420p odd", "nv12", "p010", "gbrp", "rgba", "grey10 full", "hdr10"])
@pytest.mark.parametrize("size", WORKING)
def test_planes_to_a_tensor_of_another_size(device: CudaDevice, name: str, size: Size) -> None:
    frame = noise(FORMATS[name])
    resized = resample.resample(planes_to_tensor.planes_to_rgb(frame), size, TO_WORKING)
    want = planes_to_tensor.pad(resized, 8, tiles.LEAST_INPUT_PX)
    got = converted(device, frame, "float32", ToneMap.BT2390, size)
    kind = "hdr" if frame.format.transfer is not Transfer.SDR else "float32"
    np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE["planes_to_tensor"][kind])


@pytest.mark.parametrize("precision", ["float32", "float16"])
@pytest.mark.parametrize("size", [*WORKING, (187, 131), (248, 38)])
@pytest.mark.parametrize("bad", [None, np.nan, np.inf, -np.inf])
def test_resampling_to_the_target(device: CudaDevice, size: Size, precision: str, bad: float | None) -> None:
    styled = np.random.default_rng(5).normal(0.5, 0.4, (3, 37, 61)).astype(precision)
    if bad is not None:
        styled[1, 36, 60] = bad
    slot, _, stack = slot_for(device, rgba8(61, 37), rgba8(*size), precision=precision)
    with stack:
        start(device, slot, noise(rgba8(61, 37)))
        write_tensor(device, slot.styled, styled.astype(np.float64))
        slot.queue_resize()
        got = read_tensor(device, slot.painted)
        assert slot.picture.finite == (bad is None)
    if bad is not None:
        styled[1, 36, 60] = 0
    want = resample.to_target(styled.astype(float), size)
    np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE["resample"]["float32"])


def finished(
    device: CudaDevice, styled: Picture, target: FrameFormat, look: Look, precision: str = "float32"
) -> tuple[Frame, bool, Picture]:
    """Return the output kernel's planes, whether all was finite, and the mixed-in source."""
    planes = rgba8(target.width, target.height)
    slot, _, stack = slot_for(device, planes, target, precision=precision)
    with stack:
        start(device, slot, noise(planes))
        source = np.random.default_rng(6).random(styled.shape).astype(precision).astype(np.float64)
        write_tensor(device, slot.frame, source)
        write_tensor(device, slot.styled, styled)
        slot.queue_output(look)
        device.context.compute.record(slot.used)
        slot.queue_download()
        slot.delivered.block()
        made = target.allocate()
        slot.picture.copy_to(made)
        return made, slot.picture.finite, source


def check_output(device: CudaDevice, target: FrameFormat, look: Look, precision: str = "float32") -> None:
    styled = np.random.default_rng(5).normal(0.5, 0.4, (3, target.height, target.width))
    styled = styled.astype(precision).astype(np.float64)
    got, finite, source = finished(device, styled, target, look, precision)
    fine = detail.detail(source, (-(-target.width // 2), -(-target.height // 2)))
    want = tensor_to_planes.rgb_to_output(tensor_to_planes.look(source, styled, look, fine), target, look.dither)
    assert finite
    name = "tensor_to_rgba" if target.layout is PlaneOrder.RGBA else "tensor_to_yuv"
    for a, b in zip(got.planes, want.planes, strict=True):
        codes = np.abs(codes_of(a, target) - codes_of(b, target))
        assert codes.max() <= TOLERANCE[name]["codes"] * rounding(target.bits)
        assert (codes > 0).mean() < 0.01 or codes.size < 200 or target.bits > 12, "more than rounding can explain"
        assert not (a.astype(int) & ((1 << target.shift) - 1)).any() or target.floating


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_output_formats(device: CudaDevice, target: FrameFormat) -> None:
    check_output(device, target, Look())
    check_output(device, target, Look(dither=False, keep_colours=True, exposure_ev=0.5), "float16")


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_looks(device: CudaDevice, look: Look) -> None:
    for target in (nv12(W, H), rgba8(W, H)):
        check_output(device, target, look)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("precision", ["float32", "float16"])
def test_what_is_not_finite_is_flagged(device: CudaDevice, bad: float, precision: str) -> None:
    for target in (nv12(61, 37), yuv420p(61, 37), rgba8(61, 37)):
        for place in ((0, 0, 0), (1, 36, 60), (2, 17, 33)):
            styled = np.full((3, 37, 61), 0.5)
            styled[place] = bad
            assert not finished(device, styled, target, Look(), precision)[1]


@pytest.mark.parametrize("precision", ["float32", "float16"])
@pytest.mark.parametrize("size", [(62, 38), (61, 37), (9, 200), (1, 1)])
@pytest.mark.parametrize("stroke", [0.5, 1, 2, 5, 16])
def test_detail(device: CudaDevice, size: Size, stroke: float, precision: str) -> None:
    """All kernels of it: luma and its square down and up again, then their distance and its weight."""
    chance, (width, height) = np.random.default_rng(8), size
    working = max(1, round(width / stroke)), max(1, round(height / stroke))
    source = np.clip(chance.random((3, 1, 1)) + chance.normal(0, 0.05, (3, height, width)), 0, 1)
    source[:, :, width // 2 :] *= 0.4
    if working == size:  # the original is the network's input
        source = source.astype(precision).astype(float)
    slot, _, stack = slot_for(device, rgba8(*size), rgba8(*size), working=working, precision=precision, stride=8)
    with stack:
        start(device, slot, noise(rgba8(*size)))
        slot.queue_original(Look(detail=1.0))
        original = executor_of(slot).memory.tensor(passes_of(slot).original, 0)
        rows, columns = original.shape[2:]
        device.context.compute.block()
        write_tensor(device, original, np.pad(source, ((0, 0), (0, rows - height), (0, columns - width))))
        slot.queue_detail(Look(detail=1.0))
        got = read(
            device, executor_of(slot).memory.pointer(passes_of(slot).fine, 0), width * height, np.float32
        ).reshape(height, width)
    coarse = min(-(-working[0] // 2), width), min(-(-working[1] // 2), height)
    want = detail.detail(source.astype(np.float32).astype(float), coarse)
    np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE["detail"][""])
    if stroke > 1 and size != (1, 1):
        assert np.abs(want).max() > 0.02


def test_copy_window(device: CudaDevice) -> None:
    big, small = (np.random.default_rng(seed).random(shape) for seed, shape in enumerate(((3, 24, 40), (3, 8, 16))))
    device.context.native.use()
    with ExitStack() as stack:
        one = stack.enter_context(closing(Tensor(device.context.native, (40, 24), "float32", "big")))
        two = stack.enter_context(closing(Tensor(device.context.native, (16, 8), "float32", "small")))
        write_tensor(device, one, big)
        write_tensor(device, two, small)
        record = tile_copies.copy_window((40, 24), (5, 7), (16, 8), (3, 1), (11, 6))
        kernel = device.context.kernel(Variant("copy_window", (one.element,)))
        kernel.launch(device.context.compute, (11, 6), Arguments(one.pointer, two.pointer, record))
        want = small.astype(np.float32)
        want[:, 1:7, 3:14] = big[:, 7:13, 5:16].astype(np.float32)
        np.testing.assert_array_equal(read_tensor(device, two), want)


@pytest.mark.parametrize("precision", ["float32", "float16"])
@pytest.mark.parametrize("scale", [1, 3])
@pytest.mark.parametrize("size", [(200, 120), (61, 47), (1, 1), (3, 200)], ids=str)
def test_the_film_comes_into_a_painting_by_masks(device: CudaDevice, size: Size, scale: int, precision: str) -> None:
    """Each pixel is mixed by its share; padding, and pictures without any share, stay."""
    width, height = output = scale * size[0], scale * size[1]
    given, shares = some_masks(), masks.Shares(0.6, 0.3, 0.1)
    film = growing_noise(*size).astype(precision).astype(np.float64)
    slot, settings, stack = slot_for(device, rgba8(*size), rgba8(*output), precision=precision, stride=8, scale=scale)
    way, executor = passes_of(slot), executor_of(slot)
    mixing = masks.Mixing(settings, way, "cuda")
    with stack:
        columns, rows = way.styled.size_px
        styled = np.random.default_rng(3).random((3, rows, columns)).astype(precision).astype(np.float64)
        write_tensor(device, slot.frame, film)
        write_tensor(device, slot.styled, styled)

        def mixed(shares: masks.Shares) -> Picture:
            assert executor.queue_step(mixing.step(0, shares)) == 2
            return read_tensor(device, slot.styled)

        slot.use_masks(given, 0.6)
        np.testing.assert_array_equal(mixed(masks.NO_SHARES), styled)
        got = mixed(shares)
        (texture,) = mixing.work.passes[0].writes
        assert isinstance(texture, passes.Texture)
        share = read(device, executor.memory.pointer(texture, 0), size[0] * size[1], np.float32)
    want = masks.share(masks.samples(given, 0.6), film, shares)
    np.testing.assert_allclose(share.reshape(want.shape), want, rtol=0, atol=TOLERANCE["mask_share"][""])
    want = masks.mixed(film, styled[:, :height, :width], share.reshape(want.shape).astype(np.float64))
    tolerance = TOLERANCE["film_mixed"][precision]
    np.testing.assert_allclose(got[:, :height, :width], want, rtol=0, atol=tolerance)
    np.testing.assert_array_equal(got[:, height:], styled[:, height:])
    np.testing.assert_array_equal(got[:, :, width:], styled[:, :, width:])


@pytest.mark.parametrize("precision", ["float32", "float16"])
@pytest.mark.parametrize("front", [0.0, 0.4, 0.97])
def test_the_source_is_laid_on_the_canvas(device: CudaDevice, precision: str, front: float) -> None:
    width, height = size = (61, 47)
    part = Unfinished(Times(np.empty(0, np.float32)), 0.0, front, 0.0, (0.9, 0.8, 0.7))
    slot, _, stack = slot_for(device, rgba8(*size), rgba8(*size), precision=precision, stride=8)
    way, executor = passes_of(slot), executor_of(slot)
    source = growing_noise(*size).astype(precision).astype(np.float64)
    with stack:
        write_tensor(device, executor.memory.tensor(way.original, 0), source)
        assert executor.queue_step(Laying(way, size).step(0, part)) == 1
        got = read_tensor(device, executor.memory.tensor(way.laid, 0))
    apart = np.abs(got[:, :height, :width] - laid(source, part))
    assert (apart > 5e-4).mean() <= TOLERANCE["source_laid"][""]


def test_blend(device: CudaDevice) -> None:
    rows = np.random.default_rng(3).normal(0, 1, (5, 1000 + 24)).astype(np.float16)
    mix = np.array([0.1, 0.2, 0.3, 0.4, 0.0], np.float32)
    device.context.native.use()
    with ExitStack() as stack:
        given = [stack.enter_context(closing(device.context.constant(one, "test"))) for one in (rows, mix)]
        weights = stack.enter_context(closing(DeviceMemory(device.context.native, 2000, "weights")))
        biases = stack.enter_context(closing(DeviceMemory(device.context.native, 96, "biases")))
        record = np.zeros((), BLEND)
        record["paintings"], record["weights"], record["biases"] = 5, 1000, 24
        arguments = Arguments(*(one.pointer for one in (*given, weights, biases)), record)
        device.context.kernel(Variant("blend")).launch(device.context.compute, (1024, 1), arguments)
        want = mix.astype(np.float64) @ rows.astype(np.float64)
        got = read(device, weights.pointer, 1000, np.float16)
        np.testing.assert_allclose(got, want[:1000], rtol=TOLERANCE["blend"][""], atol=1e-6)
        np.testing.assert_allclose(read(device, biases.pointer, 24, np.float32), want[1000:], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table.size}")
@pytest.mark.parametrize("precision", ["float32", "float16"])
@pytest.mark.parametrize("bad", [None, np.nan, np.inf, -np.inf])
def test_tables(device: CudaDevice, table: ColourTable, precision: str, bad: float | None) -> None:
    """In place, and into a tensor without the padding, of colours beyond 0..1, on the grid's points and in greys."""
    picture = np.random.default_rng(3).normal(0.5, 0.5, (3, 37, 61))
    picture[:, :4] = np.random.default_rng(4).integers(0, table.size, (3, 4, 61)) / (table.size - 1)
    picture[:, 4:6] = picture[:1, 4:6]
    picture = picture.astype(precision).astype(np.float64)
    want = coloured(np.clip(picture, 0.0, 1.0), table)
    if bad is not None:
        picture[1, 36, 60] = bad
        want[:, 36, 60] = coloured(np.clip(np.where(np.isfinite(picture), picture, 0.0), 0, 1), table)[:, 36, 60]
    slot, _, stack = slot_for(device, rgba8(61, 37), rgba8(61, 37), precision=precision, stride=8)
    with stack:
        start(device, slot, noise(rgba8(61, 37)))
        colours, frame, executor = Colours.of(table, "test"), passes_of(slot).frame, executor_of(slot)
        apart = passes.Tensor.of("apart", (61, 37))
        write_tensor(device, slot.frame, picture)
        ways = colours.taken(frame, apart, (61, 37), APART), colours.taken(frame, frame, frame.size_px)
        assert executor.queue(Work("colours", ways), 0) == 2
        got, own = read_tensor(device, executor.memory.tensor(apart, 0)), read_tensor(device, slot.frame)
        assert slot.picture.finite == (bad is None)
    assert own.shape > got.shape
    np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE["table"]["float32"])
    rows, columns = own.shape[1:]
    want = np.pad(want, ((0, 0), (0, rows - 37), (0, columns - 61)), "edge")
    np.testing.assert_allclose(own, want, rtol=0, atol=TOLERANCE["table"][precision])


@pytest.mark.parametrize("scale", [1, 2])
@pytest.mark.parametrize("precision", ["float32", "float16"])
def test_steadied_results(device: CudaDevice, scale: int, precision: str) -> None:
    """Levels, vectors, confidence and results of a moving picture with one boiling corner."""
    width, height = 93, 61
    chance = np.random.default_rng(9)
    rough = np.kron(chance.random((3, 30, 40)), np.ones((1, 4, 4)))
    frames = []
    slot, settings, stack = slot_for(
        device,
        rgba8(width, height),
        rgba8(scale * width, scale * height),
        precision=precision,
        stride=8,
        scale=scale,
        window=CENTRED,
    )
    executor, way, steadying = executor_of(slot), passes_of(slot), CudaSteadying(settings, passes_of(slot))
    memory = executor.memory
    with stack:
        for number in range(3):
            source = rough[:, 20 : 20 + height, 30 - 3 * number :][:, :, :width] * 0.9 + 0.02 * number
            source = source.astype(precision).astype(np.float64)
            styled = 0.5 + 1.5 * (source.repeat(scale, axis=1).repeat(scale, axis=2) - 0.5)
            styled += chance.normal(0, 0.02, styled.shape)
            styled[:, scale * 30 :, scale * 50 :] += chance.normal(0, 0.3, styled[:, scale * 30 :, scale * 50 :].shape)
            styled = (np.rint(255 * styled) / 255).astype(precision).astype(np.float64)
            if number:
                styled[1, 5, 7] = np.nan
            frames.append(steady_reference.Painted(source, styled))
            for tensor, values, side in ((way.frame, source, 1), (way.styled, styled, scale)):
                padded = planes_to_tensor.pad(values, 8 * side, side * tiles.LEAST_INPUT_PX)
                write_tensor(device, memory.tensor(tensor, number), padded)
            executor.queue(steadying.levels, number)
        for number, own in enumerate(frames):
            fine = read(device, memory.pointer(steadying.fine, number), width * height, np.int16)
            np.testing.assert_array_equal(fine.reshape(height, width), steady_reference.levels(own))
            want = steady_reference.cells(steady_reference.levels(own))
            got = read(device, memory.pointer(steadying.cells, number), want.size, np.int16)
            np.testing.assert_array_equal(got, want.ravel())
            got = read(device, memory.pointer(steadying.source, number), 3 * width * height, np.int16)
            np.testing.assert_array_equal(got, steady_reference.sixteenths(own.source).ravel())
        shape = -(-height // 16), -(-width // 16)
        levels = [steady_reference.levels(own) for own in frames]
        still, certain = np.zeros((2, *shape), np.int64), np.ones(shape)
        for own, before, after in ((0, [], [1, 2]), (1, [0], [2]), (2, [1, 0], [])):
            for queued in steadying.steps(own, before, after, Look(steady=0.5)):
                executor.queue_step(queued)
            searched = [
                read(device, memory.pointer(buffer, 0), 2 * 2 * still[0].size, np.int16).reshape(2, *shape, 2)
                for buffer in (steadying.found, steadying.vectors)
            ]
            found, moved = (np.moveaxis(one, -1, 1) for one in searched)
            sure = read(device, memory.pointer(steadying.sure, 0), 2 * certain.size, np.float32).reshape(2, *shape)
            for place, number in enumerate((*before, *after)):
                if place in (0, len(before)):
                    last, vectors, least = own, still, certain
                step = steady_reference.motion(levels[last], levels[number])
                np.testing.assert_array_equal(found[place], step)
                vectors = steady_reference.followed(vectors, step)
                np.testing.assert_array_equal(moved[place], vectors)
                least = np.minimum(least, steady_reference.match_confidence(levels[own], levels[number], vectors))
                np.testing.assert_allclose(sure[place], least, rtol=0, atol=TOLERANCE["steady_follow"][""])
                last = number
            assert moved.any()
            assert sure.min() < 0.9 < sure.max()
            shown, coming = ([frames[number] for number in side] for side in (before, after))
            want_result = steady_reference.steadied(frames[own], shown, coming, 0.5)
            got_result = read_tensor(device, memory.tensor(way.steadied, own))
            np.testing.assert_allclose(got_result, want_result, rtol=0, atol=TOLERANCE["steady_mix"][""])
            assert np.nanmax(np.abs(want_result - np.clip(frames[own].styled, 0, 1))) > 0.02


def test_groups_are_as_the_kernels_say() -> None:
    assert kernels.group("tensor_to_yuv") == (32, 4)
    assert kernels.group("conv") == (128, 1)
