"""A small procedural film: hills at sunset, a lake, a balloon and a boat. Something for a style to paint."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def _colour(*rgb: int) -> Array:
    return np.array(rgb, dtype=float)


def _mix(under: Array, over: Array, share: Array) -> Array:
    """Lay `over` (a colour or a picture) on `under` (H, W, 3) with opacity `share` (H, W), 0..1."""
    alpha = np.clip(share, 0, 1)[..., None]
    return under * (1 - alpha) + over * alpha


@cache
def _noise(height: int, width: int, rows: int, columns: int, seed: int) -> Array:
    """Smooth noise (H, W) in 0..1 that repeats sideways: random values on a grid, faded cubically between them."""
    grid = np.random.default_rng(seed).random((rows + 2, columns))
    y, x = np.linspace(0, rows, height), np.arange(width) * (columns / width)
    row, column = y.astype(int), x.astype(int)
    right = (column + 1) % columns
    fy, fx = y - row, x - column
    fy, fx = (fy * fy * (3 - 2 * fy))[:, None], (fx * fx * (3 - 2 * fx))[None]
    top = grid[row][:, column] * (1 - fx) + grid[row][:, right] * fx
    bottom = grid[row + 1][:, column] * (1 - fx) + grid[row + 1][:, right] * fx
    return np.asarray(top * (1 - fy) + bottom * fy)


@cache
def _clouds(height: int, width: int) -> Array:
    """Bands of cloud, wider than high, 0..1: four octaves of noise."""
    octaves = [_noise(height, width, rows, rows // 2, rows) / 2**i for i, rows in enumerate((10, 20, 40, 80))]
    return np.asarray(sum(octaves) / 1.875)


@cache
def _grain(height: int, width: int) -> Array:
    """Foliage: three octaves of noise, -1..1."""
    octaves = [_noise(height, width, cells, 2 * cells, cells) - 0.5 for cells in (12, 30, 70)]
    return octaves[0] + 0.8 * octaves[1] + 0.6 * octaves[2]


def _ridge(x: Array, seed: int, drift: float) -> Array:
    """Height of a row of hills at each x, about -1..1."""
    phases = np.random.default_rng(seed).random(5) * 6.28
    return np.asarray(sum(np.sin(x * 2.1 * 1.7**i + phase + drift) / 1.6**i for i, phase in enumerate(phases)) / 2.2)


def draw(width: int, height: int, time: float) -> npt.NDArray[np.uint8]:
    """The picture at a time of 0..1 as (H, W, 3) uint8 R'G'B'."""
    x, y = np.meshgrid(np.linspace(0, width / height, width), np.linspace(0, 1, height))
    soft = 1.5 / height  # edges fade over this much
    horizon = 0.62
    sun_x, sun_y = 1.22, 0.40 + 0.06 * time

    up = np.clip(y / horizon, 0, 1)[..., None]
    sky = _colour(48, 92, 168) * (1 - up) ** 1.5 + _colour(255, 176, 104) * (1 - (1 - up) ** 1.5)
    away = np.hypot(x - sun_x, y - sun_y)
    sky = _mix(sky, _colour(255, 226, 150), 0.75 * np.exp(-away / 0.16))
    drift = int(width * 0.10 * time)
    clouds = np.roll(_clouds(height, width), drift, axis=1)
    sky = _mix(sky, _colour(255, 220, 200), 4.5 * (clouds - 0.5) * (1.15 - up[..., 0]))
    sky = _mix(sky, _colour(255, 244, 214), (0.062 - away) / soft)

    land = sky
    grain = _grain(height, width)
    for seed, base, size, colour in (
        (3, 0.50, 0.075, _colour(122, 122, 168)),
        (8, 0.56, 0.065, _colour(78, 108, 112)),
        (5, 0.61, 0.050, _colour(52, 96, 58)),
    ):
        edge = base - size * _ridge(x[0], seed, 0.25 * time * base)[None]
        lit = 1 + 0.35 * (edge - y + 0.05) / size + 0.55 * grain * (y - 0.35)
        land = _mix(land, colour * np.clip(lit, 0.5, 1.5)[..., None], (y - edge) / soft)

    # The lake mirrors what is above the horizon, shaken sideways by ripples that widen towards the viewer.
    depth = np.clip((y - horizon) / (1 - horizon), 0, 1)
    wave = np.sin(70 * depth**0.6 + 9 * x + 25 * time) + np.sin(43 * depth**0.6 - 14 * x - 19 * time)
    row = np.clip(((2 * horizon - y) + 0.006 * wave * depth) * (height - 1), 0, height - 1).astype(int)
    column = ((x + 0.010 * wave * (0.3 + depth)) * height).astype(int) % width
    water = land[row, column] * 0.72 + _colour(18, 46, 78) * 0.28
    glitter = np.exp(-np.abs(x - sun_x) / (0.05 + 0.22 * depth)) * (wave > 0.9)
    water = _mix(water, _colour(255, 222, 150), 0.7 * glitter)
    scene = _mix(land, water, (y - horizon) / soft)

    scene = _balloon(scene, x, y, 0.38 + 0.22 * time, 0.25 - 0.05 * np.sin(3 * time), soft)
    scene = _boat(scene, x, y, 0.95 - 0.30 * time, 0.80 + 0.006 * np.sin(18 * time), soft)
    return np.asarray(np.clip(scene, 0, 255).round(), dtype=np.uint8)


def _balloon(scene: Array, x: Array, y: Array, cx: float, cy: float, soft: float) -> Array:
    """A striped balloon around (cx, cy), with its basket below."""
    u, v = (x - cx) / 0.105, (y - cy) / 0.125
    u = u / np.where(v > 0.2, np.clip(1 - 0.62 * (v - 0.2), 0.25, 1), 1)  # it narrows downwards
    inside = (1 - np.hypot(u, v)) * 0.11 / soft
    stripe = np.sin(np.arcsin(np.clip(u / np.sqrt(np.clip(1 - v * v, 0.01, 1)), -1, 1)) * 7) > 0
    shade = np.clip(1.05 + 0.35 * u - 0.25 * v, 0.5, 1.3)[..., None]
    cloth = np.where(stripe[..., None], _colour(214, 58, 44), _colour(248, 214, 120)) * shade
    for rope in (-0.028, 0.028):
        line = np.abs(x - cx - rope * (1 - 2.2 * (y - cy - 0.1)))
        scene = _mix(scene, _colour(70, 44, 32), ((0.002 - line) / soft) * ((y > cy + 0.09) & (y < cy + 0.172)))
    scene = _mix(scene, cloth, inside)
    basket = np.minimum(0.019 - np.abs(x - cx), 0.014 - np.abs(y - cy - 0.182))
    return _mix(scene, _colour(112, 70, 38), basket / soft)


def _boat(scene: Array, x: Array, y: Array, cx: float, cy: float, soft: float) -> Array:
    """A sailing boat whose hull meets the water at (cx, cy)."""
    u, v = x - cx, cy - y
    shadow = np.minimum(0.085 - np.abs(u), 0.035 - np.abs(v + 0.036))
    scene = _mix(scene, _colour(24, 40, 58), 0.5 * np.clip(shadow / soft / 8, 0, 1))
    sail = np.minimum(u - 0.006, (0.25 - v) * 0.36 - u)
    jib = np.minimum(-u - 0.006, (0.21 - v) * 0.30 + u)
    for cloth, colour in ((sail, _colour(250, 240, 222)), (jib, _colour(236, 150, 92))):
        scene = _mix(scene, colour, np.minimum(cloth, v - 0.042) / soft)
    scene = _mix(scene, _colour(70, 44, 30), np.minimum(0.003 - np.abs(u), np.minimum(v, 0.26 - v)) / soft)
    hull = np.minimum(0.036 - v, np.minimum(v + 0.004, 0.075 + 0.7 * v - np.abs(u)))
    return _mix(scene, _colour(132, 42, 34), hull / soft)
