"""Hidden colours become the visible colours around them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.frame import Frame, FrameFormat, gbrp, rgba8, yuv420p
from framebrush.gpu.hidden_colours import filled, halved, without_hidden

pytestmark = pytest.mark.unit

FORMATS = [
    gbrp(41, 27),
    gbrp(41, 27, bits=16),
    gbrp(41, 27, bits=16, floating=True),
    gbrp(41, 27, bits=32, floating=True),
    rgba8(41, 27),
    yuv420p(41, 27),
    yuv420p(40, 28, bits=10),
    replace(yuv420p(41, 27, bits=12), subsample=(1, 0)),
    replace(yuv420p(41, 27), subsample=(2, 2)),
    replace(yuv420p(64, 2, bits=10), shift=6),
]


def two_halves(form: FrameFormat, alpha: npt.NDArray[np.float64]) -> Frame:
    """A frame with one colour where it is seen and another one where it is hidden.

    Args:
        alpha: (H, W), 0..1.
    """
    frame = replace(form, alpha=True).allocate()
    assert frame.alpha is not None
    scale = 1.0 if form.floating else form.top
    for number, plane in enumerate(frame.components):
        seen = alpha[:: -(-form.height // plane.shape[0]), :: -(-form.width // plane.shape[1])]
        colour, hidden = scale * (0.8 - 0.2 * number), scale * (0.1 + 0.3 * number)
        plane[...] = np.where(seen[: plane.shape[0], : plane.shape[1]] > 0, colour, hidden)
        if form.shift:
            plane[...] <<= form.shift
    frame.alpha[...] = np.rint(alpha * form.top) if not form.floating else alpha
    return frame


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_hidden_colours_become_those_around_them(form: FrameFormat) -> None:
    alpha = np.zeros((form.height, form.width))
    alpha[:, :16] = 1.0  # whole chroma samples
    frame = two_halves(form, alpha)
    made = without_hidden(frame)
    for own, plane in zip(frame.components, made.components, strict=True):
        np.testing.assert_allclose(plane.astype(np.float64), float(own[0, 0]), rtol=1e-3)


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_what_is_seen_stays_sample_by_sample(form: FrameFormat) -> None:
    random = np.random.default_rng(1)
    frame = replace(form, alpha=True).allocate()
    assert frame.alpha is not None
    for plane in frame.components:
        codes = random.random(plane.shape) * (1 if form.floating else form.top)
        plane[...] = codes.astype(form.dtype) << form.shift if form.shift else codes.astype(form.dtype)
    seen = random.random((form.height, form.width)) < 0.5
    frame.alpha[...] = np.where(seen, form.top / 16 + (0 if form.floating else 1), 0).astype(form.dtype)
    made = without_hidden(frame)
    assert made is not frame
    for own, plane in zip(frame.components, made.components, strict=True):
        if plane.shape == seen.shape:
            np.testing.assert_array_equal(plane[seen], own[seen])
            assert (plane[~seen] != own[~seen]).any()
        assert plane.dtype == own.dtype


def test_frames_without_anything_to_extend_are_not_copied() -> None:
    for alpha in (0.0, 1.0):
        frame = two_halves(gbrp(8, 6, bits=10), np.full((6, 8), alpha))
        assert without_hidden(frame) is frame
    opaque = gbrp(8, 6).allocate()
    assert without_hidden(opaque) is opaque


def test_a_film_that_holds_no_numbers_spreads_none() -> None:
    alpha = np.zeros((6, 8))
    alpha[:, :4] = 1.0
    frame = two_halves(gbrp(8, 6, bits=16, floating=True), alpha)
    frame.planes[0][:, 5] = np.nan
    frame.planes[1][:, 6] = np.inf
    frame.planes[2][2, 2] = np.nan  # black, as for painting
    made = without_hidden(frame)
    for plane, value in zip(made.planes[:2], (0.8, 0.6), strict=True):
        np.testing.assert_allclose(plane, value, rtol=2e-3)
    assert np.isfinite(made.planes[2]).all()


def test_a_faint_colour_counts_for_little() -> None:
    """A pixel with alpha 2 of 255, of uncertain colour, beside an opaque one."""
    frame = replace(gbrp(3, 1), alpha=True).allocate()
    assert frame.alpha is not None
    frame.alpha[...] = 255, 2, 0
    for plane in frame.planes:
        plane[...] = 200, 0, 0
    for plane in without_hidden(frame).planes:
        assert plane[0, 0] == 200
        assert plane[0, 1] >= 150


def test_thin_lines_keep_their_own_chroma_and_edges_that_of_the_inside() -> None:
    """Of a sample's four pixels, a line has two; so has the edge of a square that begins in the middle of one."""
    frame = replace(yuv420p(80, 80), alpha=True).allocate()
    assert frame.alpha is not None
    for plane in (*frame.planes, frame.alpha):
        plane[...] = 0
    frame.alpha[:, 9], frame.planes[1][:, 4] = 255, 90
    frame.alpha[20:60, 41:71], frame.planes[1][10:30, 20:36] = 255, 120
    frame.planes[1][10:30, 21:35] = 240
    chroma = without_hidden(frame).planes[1]
    assert np.abs(chroma[:, 4].astype(int) - 90).max() <= 1
    assert np.abs(chroma[10:30, 20:36].astype(int) - 240).max() <= 1


def test_kernels_do_as_their_formulas_say() -> None:
    random = np.random.default_rng(2)
    for height, width in ((1, 1), (1, 2), (2, 1), (5, 7), (6, 8), (3, 40)):
        fine = random.random((4, height, width)).astype(np.float32)
        fine[:3] *= fine[3]
        rows, columns = -(-height // 2), -(-width // 2)
        coarse = np.zeros((4, rows, columns), np.float32)
        halved(fine, coarse, 0, rows)
        padded = np.zeros((4, 2 * rows, 2 * columns))
        padded[:, :height, :width] = fine
        sums = padded.reshape(4, rows, 2, columns, 2).sum(axis=(2, 4))
        sums /= np.maximum(sums[3], 1.0)
        np.testing.assert_allclose(coarse, sums, rtol=1e-5)
        expected = fine.astype(np.float64)
        for y in range(height):
            for x in range(width):
                for near_y, share_y in ((y // 2, 0.75), (y // 2 + (1 if y % 2 else -1), 0.25)):
                    for near_x, share_x in ((x // 2, 0.75), (x // 2 + (1 if x % 2 else -1), 0.25)):
                        value = coarse[:3, min(max(near_y, 0), rows - 1), min(max(near_x, 0), columns - 1)]
                        expected[:3, y, x] += (1.0 - fine[3, y, x]) * share_y * share_x * value
        filled(coarse, fine, 0, height)
        np.testing.assert_allclose(fine, expected, rtol=1e-5)
