"""The kernels that masks are made with, against the same steps in NumPy."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu import c_kernels, colour
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import Frame, FrameFormat, PlaneOrder, Primaries, Transfer, gbrp, rgba8
from framebrush.subject import mask_kernels, networks, small_pictures
from framebrush.subject.block_motion import (
    BLOCK,
    FLAT,
    HALF,
    REACH,
    STILL,
    SmallLuma,
    boxes_of,
    carried,
    is_cut,
    motion,
)
from framebrush.subject.networks import Networks, SubjectError

pytestmark = pytest.mark.unit

Bytes = npt.NDArray[np.uint8]
Array = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

FORMS = {
    "8 bits": FrameFormat(331, 345, PlaneOrder.PLANAR, 8, subsample=(1, 1)),
    "8 bits, smaller than the picture": FrameFormat(47, 33, PlaneOrder.PLANAR, 8, subsample=(1, 1)),
    "10 of 16 bits": FrameFormat(322, 340, PlaneOrder.SEMI_PLANAR, 10, 6, subsample=(1, 1)),
    "16 bits, full range": FrameFormat(320, 336, PlaneOrder.PLANAR, 16, subsample=(0, 0), full_range=True),
    "grey": FrameFormat(400, 321, PlaneOrder.GREY, 8),
    "R'G'B'A": rgba8(325, 329),
    "G'B'R' of floats": gbrp(330, 322, bits=32, floating=True),
}


def noise(form: FrameFormat, seed: int = 1) -> Frame:
    """A frame of noise; rows lie apart in memory, like a decoder's."""
    random, planes = np.random.default_rng(seed), []
    for shape in form.plane_shapes:
        wide = (shape[0], shape[1] + 5, *shape[2:])
        if form.floating:
            values = random.normal(0.5, 0.5, wide).astype(np.float32)
            values[::7, ::5] = np.nan
        else:
            dtype = np.uint8 if form.bits <= 8 else np.uint16
            values = random.integers(0, 1 << (form.bits + form.shift), wide).astype(dtype)
        planes.append(values[:, : shape[1]])
    return Frame(form, tuple(planes))


def sampled(form: FrameFormat, plane: npt.NDArray[np.generic], columns: int, rows: int) -> Array:
    """Codes of a plane at a size, the mean of 2 x 2 samples each where there are as many."""

    def places(count: int, length: int) -> npt.NDArray[np.intp]:
        return ((np.arange(count) + 0.5) * length / count).astype(np.intp)

    def codes(across: int, down: int) -> Array:
        picked = plane[places(down, plane.shape[0])][:, places(across, plane.shape[1])]
        return form.codes(picked).astype(np.float64)

    if plane.shape[0] < 2 * rows or plane.shape[1] < 2 * columns:
        return codes(columns, rows)
    four = codes(2 * columns, 2 * rows)
    mean: Array = (four[::2, ::2] + four[1::2, ::2] + four[::2, 1::2] + four[1::2, 1::2]) / 4
    return mean


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_luma_is_that_of_the_samples(form: FrameFormat) -> None:
    frame = noise(form)
    plane = frame.planes[0][..., 1] if form.layout is PlaneOrder.RGBA else frame.planes[0]
    codes = sampled(form, plane, 160, 160)
    if not form.floating:
        span = colour.code_range(form.bits, form.full_range or form.layout in (PlaneOrder.RGBA, PlaneOrder.GBR))
        codes = (codes - span.luma_offset) / span.luma_scale
    expected = np.clip(codes, 0, 1) * 255
    assert np.abs(small_pictures.luma_of(frame, 160) - expected).max() < 0.501
    assert expected.std() > 10


def test_codes_beyond_the_bits_are_white() -> None:
    form = FORMS["10 of 16 bits"]
    form = replace(form, shift=0)
    wild = Frame(form, tuple(np.full(shape, 65535, np.uint16) for shape in form.plane_shapes))
    assert set(small_pictures.luma_of(wild, 160).ravel()) == {255}
    assert np.isfinite(small_pictures.rgb_of(wild, (32, 32))).all()


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_picture_is_that_of_the_samples(form: FrameFormat) -> None:
    frame, size = noise(form), (160, 96)
    match form.layout:
        case PlaneOrder.RGBA:
            planes = [frame.planes[0][..., n] for n in range(3)]
        case PlaneOrder.GBR:
            planes = [frame.planes[n] for n in (2, 0, 1)]
        case PlaneOrder.SEMI_PLANAR:
            planes = [frame.planes[0], *(frame.planes[1][..., n] for n in range(2))]
        case _:
            planes = list(frame.planes[:3])
    codes = [sampled(form, plane, *size) for plane in planes]
    codes += [np.full_like(codes[0], colour.code_range(form.bits, form.full_range).chroma_offset)] * (3 - len(codes))
    matrix = colour.codes_to_rgb(form)
    expected = np.tensordot(matrix[:, :3], np.stack(codes), 1) + matrix[:, 3, None, None]
    np.testing.assert_allclose(small_pictures.rgb_of(frame, size), np.clip(expected, 0, 1), atol=2e-5)


@pytest.mark.parametrize("transfer", [Transfer.PQ, Transfer.HLG])
def test_hdr_is_mapped_as_elsewhere(transfer: Transfer) -> None:
    """Smooth pictures differ little, as the table is coarser than the formula."""
    form = replace(gbrp(160, 96, bits=10), transfer=transfer, primaries=Primaries.BT2020)
    ramp = np.linspace(0.1, 0.7, 160) * 1023
    planes = tuple(np.broadcast_to(ramp * share, (96, 160)).astype(np.uint16) for share in (0.9, 0.7, 1.0))
    found = small_pictures.rgb_of(Frame(form, planes), (160, 96))
    rgb = np.stack([planes[n] for n in (2, 0, 1)]) / 1023
    expected = colour.recoded(rgb, form, replace(form, transfer=Transfer.SDR, primaries=Primaries.BT709))
    assert np.abs(found - expected).max() < 0.03
    assert np.abs(found - rgb).max() > 0.06


@pytest.mark.parametrize("transfer", [Transfer.PQ, Transfer.HLG])
def test_hdr_is_mapped_without_a_blas(transfer: Transfer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its sums come in another order, and so with other bits, with each build and processor."""

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a product by BLAS")

    for name in ("dot", "tensordot", "matmul", "inner", "einsum"):
        monkeypatch.setattr(np, name, refused)
    # a peak of which no other test keeps the table
    form = replace(FORMS["10 of 16 bits"], transfer=transfer, primaries=Primaries.BT2020, peak_nits=1234.0)
    assert small_pictures.rgb_of(noise(form), (32, 32)).std() > 0.1
    assert colour.weighted(np.array([0.1, 0.2, 0.3]), np.array([1e16, 1.0, -1e16])) == 0.1 * 1e16 + 0.2 + 0.3 * -1e16


def moved_blocks(before: Bytes, after: Bytes) -> Array:
    """Where each block of `after` came from, (2, rows, columns), by looking at each step."""

    def halved(picture: Bytes) -> npt.NDArray[np.int64]:
        parts = picture.astype(np.int64)
        return (parts[::2, ::2] + parts[1::2, ::2] + parts[::2, 1::2] + parts[1::2, 1::2] + 2) >> 2

    coarse = best_steps(halved(before), halved(after))
    there = np.pad(before.astype(np.int64), 2 * REACH + 2, "edge")
    count = len(after) // BLOCK
    found = np.zeros((2, count, count))
    for row in range(count):
        for column in range(count):
            own = block(after.astype(np.int64), row, column)

            def cost(down: int, across: int, own: Whole = own, row: int = row, column: int = column) -> int:
                at = 2 * REACH + 2 + BLOCK * row + down, 2 * REACH + 2 + BLOCK * column + across
                return int(np.abs(own - there[at[0] : at[0] + BLOCK, at[1] : at[1] + BLOCK]).sum())

            if cost(0, 0) < STILL:
                continue
            near = [
                [min(max(place // HALF + by, 0), len(coarse[0]) - 1) for by in (0, 1 if place % HALF else -1)]
                for place in (row, column)
            ]
            middles = [(0, 0), *((HALF * coarse[0, y, x], HALF * coarse[1, y, x]) for y in near[0] for x in near[1])]
            around = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1)]
            steps = [(0, 0), *((int(down + y), int(across + x)) for down, across in middles for y, x in around)]
            down, across = min(steps, key=lambda step: cost(*step) - (STILL if step == (0, 0) else 0))
            found[0, row, column] = down + beside(*(cost(down + by, across) for by in (-1, 0, 1)))
            found[1, row, column] = across + beside(*(cost(down, across + by) for by in (-1, 0, 1)))
    return found


def block(picture: Whole, row: int, column: int) -> Whole:
    return picture[row * BLOCK :, column * BLOCK :][:BLOCK, :BLOCK]


def best_steps(before: Whole, after: Whole) -> Whole:
    """Return each block's step of the least cost, (2, rows, columns)."""
    there, count, steps = np.pad(before, REACH, "edge"), len(after) // BLOCK, 2 * REACH + 1
    found = np.zeros((2, count, count), np.int64)
    for row in range(count):
        for column in range(count):
            costs = np.empty((steps, steps), np.int64)
            for y in range(steps):
                for x in range(steps):
                    other = there[row * BLOCK + y :, column * BLOCK + x :][:BLOCK, :BLOCK]
                    costs[y, x] = np.abs(block(after, row, column) - other).sum()
            costs[REACH, REACH] -= STILL
            y, x = divmod(int(costs.argmin()), steps)
            found[:, row, column] = y - REACH, x - REACH
    return found


def beside(low: int, middle: int, high: int) -> float:
    """How far beside the best step a parabola through it and its neighbours is lowest."""
    bend = low + high - 2 * middle
    return float(np.float32(np.clip(0.5 * (low - high) / bend, -0.5, 0.5))) if bend > FLAT else 0.0


def textured(seed: int) -> Bytes:
    cells = np.random.default_rng(seed).integers(0, 256, (45, 45), np.uint8)
    return np.ascontiguousarray(cells.repeat(4, 0).repeat(4, 1))


@pytest.mark.parametrize("step", [(0, 0), (2, -4), (5, 3), (-6, 6), (9, 0)])
def test_motion_is_that_of_the_blocks(step: tuple[int, int]) -> None:
    film, random = textured(2), np.random.default_rng(3)
    before = film[10:170, 10:170]
    after = film[10 + step[0] : 170 + step[0], 10 + step[1] : 170 + step[1]]
    after = np.clip(after.astype(np.int64) + random.integers(-6, 7, after.shape), 0, 255).astype(np.uint8)
    before, after = np.ascontiguousarray(before), np.ascontiguousarray(after)
    way = motion(SmallLuma(before), SmallLuma(after))
    assert way is not None
    np.testing.assert_array_equal(way, moved_blocks(before, after).astype(np.float32))
    if max(map(abs, step)) <= 2 * REACH:
        assert np.abs(np.median(way, (1, 2)) - step).max() < 0.1


def test_slow_motion_is_found() -> None:
    """Half a sample in each frame is six after twelve, when the subject is looked for again."""
    cells = np.random.default_rng(6).uniform(40, 200, (24, 24))
    places = np.arange(160) / 8 + 1
    frames = []
    for number in range(13):
        rows = np.array([np.interp(places, np.arange(24), column) for column in cells.T]).T
        across = [np.interp(places + number / 16, np.arange(24), row) for row in rows]
        frames.append(SmallLuma(np.rint(across).astype(np.uint8)))
    masks = np.zeros((1, 160, 160), np.float32)
    masks[0, 40:120, 60:100] = 1
    boxes = boxes_of(masks)
    for before, after in pairwise(frames):
        way = motion(before, after)
        assert way is not None
        masks, boxes = carried(masks, boxes, way)
    assert np.flatnonzero(masks[0, 80] > 0.5)[[0, -1]].tolist() == [55, 93]


def test_a_still_picture_does_not_move() -> None:
    before, after = (SmallLuma(textured(1)[:160, :160].copy()) for _ in range(2))
    assert motion(before, after) is None
    assert is_cut(before, SmallLuma(np.zeros((160, 160), np.uint8)))


def test_masks_are_carried_along_the_motion() -> None:
    random = np.random.default_rng(4)
    masks = np.zeros((3, 160, 160), np.float32)
    masks[0, 30:70, 0:40] = random.random((40, 40), np.float32)
    masks[2, 100:160, 80:160] = random.random((60, 80), np.float32)
    way = random.uniform(-6, 6, (2, 10, 10)).astype(np.float32)
    places = np.clip((np.arange(160) + 0.5) / 16 - 0.5, 0, 9)
    weights = np.maximum(1 - np.abs(places[:, None] - np.arange(10)), 0)
    grid = np.arange(160.0)
    down, across = (weights @ part @ weights.T for part in way.astype(np.float64))
    y, x = np.clip(grid[:, None] + down, 0, 159), np.clip(grid + across, 0, 159)
    top, left = np.minimum(y.astype(int), 158), np.minimum(x.astype(int), 158)
    beside, below = x - left, y - top
    upper = masks[:, top, left] * (1 - beside) + masks[:, top, left + 1] * beside
    lower = masks[:, top + 1, left] * (1 - beside) + masks[:, top + 1, left + 1] * beside
    moved, boxes = carried(masks, boxes_of(masks), way)
    np.testing.assert_allclose(moved, upper * (1 - below) + lower * below, atol=1e-4)
    np.testing.assert_array_equal(boxes, boxes_of(moved))
    assert boxes[1].tolist() == [160, 0, 160, 0]


def test_boxes_of_masks_are_the_smallest() -> None:
    masks = np.zeros((2, 160, 160), np.float32)
    masks[1, 30:70, 5:41] = 0.5
    assert boxes_of(masks).tolist() == [[160, 0, 160, 0], [30, 70, 5, 41]]


def test_a_mask_glides() -> None:
    random = np.random.default_rng(5)
    before, after = random.uniform(-0.1, 1.1, (2, 160, 160)).astype(np.float32)
    codes = np.empty((160, 160), np.uint8)
    mask_kernels.mask_glided(before, after, 0.25, codes, 0, 160)
    assert np.abs(codes - 255 * np.clip(0.75 * before + 0.25 * after, 0, 1)).max() < 0.501


def test_a_processor_without_the_kernels_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> None:
        raise DeviceError("this processor is older than painting takes")

    monkeypatch.setattr(networks, "library", refused)
    with pytest.raises(SubjectError, match="faces and people cannot be found: this processor is older"):
        Networks()
    assert c_kernels.library()
