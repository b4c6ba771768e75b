"""Expected window contents, in float64."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.frame import Frame, FrameFormat, Matrix, PlaneOrder
from framebrush.gpu.hlsl.window_surface import DIVIDER_PX, fit
from framebrush.gpu.look import Look
from framebrush.gpu.stages import detail, tensor_to_planes
from framebrush.gpu.surface import LOUPE_FACTOR, LOUPE_RADIUS_PX, Viewport

SIZES = (96, 64), (200, 100), (50, 80), (31, 200)
"""Window sizes."""

ASPECTS = 1.0, 4 / 3

LOOKS = Look(), Look(strength=0.5, split=0.4, keep_colours=True), Look(exposure_ev=1.0), Look(detail=0.8)

VIEWPORTS = [
    Viewport(1.0),
    Viewport(0.5),
    Viewport(8.0, (0.3, 0.7)),
    Viewport(8.0, (0.0, 1.0), smooth=False),
    Viewport(3.3, (0.9, 0.1), smooth=False),
    Viewport(side_by_side=True),
    Viewport(4.0, (0.4, 0.5), side_by_side=True),
    Viewport(2.0, loupe=(140.5, 90.5)),
    Viewport(loupe=(30.5, 90.5), smooth=False),
    Viewport(2.0, side_by_side=True, loupe=(250.5, 60.5)),
]


def linear(picture: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Resize (3, H, W) linearly between sample centres; the edge is repeated."""
    for axis, count in ((2, size[0]), (1, size[1])):
        length = picture.shape[axis]
        position = (np.arange(count) + 0.5) * (length / count) - 0.5
        low = np.floor(position).astype(int)
        near, far = (picture.take(np.clip(low + k, 0, length - 1), axis) for k in (0, 1))
        weight = (position - low).reshape([count if k == axis else 1 for k in range(3)])
        picture = near * (1 - weight) + far * weight
    return picture


def expected(
    source: np.ndarray,
    styled: np.ndarray,
    look: Look,
    size: tuple[int, int],
    aspect: float,
    bits: int,
    coarse: tuple[int, int] | None = None,
) -> Frame:
    """Return a window's content: the picture as large as possible on black.

    coarse: low-pass size, if the look adds detail.
    """
    x, y, width, height = fit((source.shape[2], source.shape[1]), size, aspect)
    column = colour.split_column(look.split, source.shape[2])
    plain = replace(look, split=None)
    original = linear(source, (width, height))
    fine = linear(detail.detail(source, coarse or (1, 1))[None], (width, height))[0]
    shown = tensor_to_planes.look(original, linear(np.clip(styled, 0, 1), (width, height)), plain, fine)
    samples_per_pixel = source.shape[2] / width
    centre = (np.arange(width) + 0.5) * samples_per_pixel
    left = np.floor(centre) < column
    shown[:, :, left] = original[:, :, left]
    if look.split is not None:
        shown[:, :, np.abs(centre - column) < DIVIDER_PX * samples_per_pixel] = 0.92
    canvas = np.zeros((3, size[1], size[0]))
    canvas[:, y : y + height, x : x + width] = shown
    target = FrameFormat(*size, PlaneOrder.RGBA, bits, matrix=Matrix.RGB, full_range=True)
    return tensor_to_planes.rgb_to_output(canvas, target, look.dither)


def seen(picture: np.ndarray, viewport: Viewport, size: tuple[int, int]) -> np.ndarray:
    """Return a picture (3, H, W) through one pane's viewport."""
    x, y, width, height = fit(picture.shape[2:0:-1], size, viewport=viewport)
    across, down = np.meshgrid(np.arange(size[0]) + 0.5, np.arange(size[1]) + 0.5)
    ring = np.zeros(across.shape, bool)
    if viewport.loupe is not None:
        left, top = viewport.loupe
        gap = np.hypot(across - left, down - top)
        near, ring = gap < LOUPE_RADIUS_PX, np.abs(gap - LOUPE_RADIUS_PX) < 1
        across = np.where(near, left + (across - left) / LOUPE_FACTOR, across)
        down = np.where(near, top + (down - top) / LOUPE_FACTOR, down)
    place = [(across - x) * picture.shape[2] / width - 0.5, (down - y) * picture.shape[1] / height - 0.5]
    outside = (across < x) | (across >= x + width) | (down < y) | (down >= y + height)
    low = [np.floor(axis).astype(int) for axis in place]
    weight = [
        axis - floor if viewport.smooth else np.floor(axis - floor + 0.5)
        for axis, floor in zip(place, low, strict=True)
    ]
    corner = {
        (i, j): picture[:, np.clip(low[1] + j, 0, picture.shape[1] - 1), np.clip(low[0] + i, 0, picture.shape[2] - 1)]
        for i in (0, 1)
        for j in (0, 1)
    }
    upper, lower = (corner[0, j] * (1 - weight[0]) + corner[1, j] * weight[0] for j in (0, 1))
    made = np.where(outside, 0.0, upper * (1 - weight[1]) + lower * weight[1])
    return np.where(ring, 0.92, made)


def through(viewport: Viewport, source: np.ndarray, styled: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Return a window's content, (H, W, 3) in 0..1, perhaps side by side."""
    pane = int(viewport.pane(size[0]))
    if viewport.loupe is not None:
        viewport = replace(viewport, loupe=(viewport.loupe[0] % pane, viewport.loupe[1]))
    panes = [seen(part, viewport, (pane, size[1])) for part in ((source, styled) if pane < size[0] else (styled,))]
    want = np.zeros((size[1], size[0], 3))
    want[:, : pane * len(panes)] = np.concatenate(panes, axis=2).transpose(1, 2, 0)
    return want
